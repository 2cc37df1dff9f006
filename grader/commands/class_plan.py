"""Say what `grade class` would do, without doing it (`--dry-run`), and how far it is."""

import sqlite3
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from fractions import Fraction
from pathlib import Path

import click

from grader.course.handins.intake import Intake
from grader.course.store import NAME, ClassStore, Graded, Todo
from grader.messages.phrases import count
from grader.reports.content import plain_table
from grader.result import Verdict
from grader.safe_text import one_line

# key of the store's note with the time of one core that a task took in the last run
SECONDS = "seconds a task"
USUAL_S = 2.0  # if there was no run yet: client, peg1 and peg2 of plain students; the others take longer
_WIDTH = 32  # characters of a name or a remark


@contextmanager
def place(output: Path, dry: bool) -> Iterator[Path]:
    """Give the folder whose store is changed: the output folder or, in a dry run, a copy, removed later."""
    if not dry:
        yield output
        return
    with tempfile.TemporaryDirectory() as folder:
        if (output / NAME).is_file():
            with ClassStore(output):  # raises InputError if it cannot be used
                pass
            with (
                closing(sqlite3.connect(output / NAME)) as kept,
                closing(sqlite3.connect(Path(folder) / NAME)) as copy,
            ):
                kept.backup(copy)
        yield Path(folder)


def format_plan(store: ClassStore, intake: Intake, todo: Sequence[Sequence[Todo]], places: int) -> str:
    """Return who was found, as what, what would be graded, and about how long that would take.

    Args:
        places: how many tasks are graded at the same time; 0 if that is not known.
    """
    wanted = {(each.task, each.sources) for attempt in todo for each in attempt}
    tasks: dict[str, dict[str, None]] = defaultdict(dict)
    for student, task, sources in store.read(
        "SELECT student, task, sources FROM standing ORDER BY student, position, number"
    ):
        if (task, sources) in wanted:
            tasks[student][task] = None
    attempts = defaultdict(list)
    for handin in intake.handins:
        attempts[handin.attempt.student].append(handin.attempt)
    rows = []
    for student in intake.students:
        own = attempts[student.id]
        remarks = [own[-1].problem if own else "handed in nothing"]
        remarks += ["not on the roster"] * (not student.on_roster)
        found = own[-1].place if own else ""
        rows.append(
            [
                *(one_line(text, _WIDTH) for text in (student.id, student.name, found)),
                len(own),
                " ".join(tasks[student.id]),
                one_line("; ".join(filter(None, remarks))),
            ]
        )
    head = ["student", "name", "last found in", "attempts", "to grade", "remark"]
    table = plain_table(rows, head, ("left", "left", "left", "right", "left", "left"))
    number = sum(map(len, todo))
    said = f"would grade {count(number, 'task')} of {count(sum(map(bool, tasks.values())), 'student')}"
    if number:
        said += _how_long(store.noted(SECONDS), number, places)
    return f"{table}\n\n{said}\nnothing was graded, and nothing was written"


def _how_long(noted: str, number: int, places: int) -> str:
    """Return about how long a number of tasks takes."""
    each = float(noted) if noted else USUAL_S
    why = "as in the last run" if noted else "a guess: no run has measured it yet"
    seconds = f"{each:.1f} s a task on one core, {why}"
    if not places:
        return f"; {seconds}"
    minutes = each * number / places / 60
    whole = f"{minutes:.0f} min" if minutes >= 2 else f"{minutes * 60:.0f} s"
    return f" in about {whole}, {places} at a time ({seconds})"


# ---- the progress of a run -----------------------------------------------------------------------

WIDTH = 100  # the most characters in a progress line
LINES = 10  # progress lines in total where there is no terminal


class Progress:
    """Shows a run's progress: on a terminal as one line that is overwritten, elsewhere as a few lines."""

    def __init__(self, tasks: int, show: Callable[[str], None]) -> None:
        """Begin to measure the time."""
        self._tasks = tasks
        self._show = show
        self._done = 0
        self._begun: set[Todo] = set()  # whose visible checks were run
        self._checks = 0
        self._verdicts: Counter[str] = Counter()
        self._began = time.monotonic()

    def count(self, graded: Graded) -> None:
        """Count a graded task, or its visible checks, and show the progress."""
        before = self._part
        new = [each for each in graded.results if each.hidden or graded.todo not in self._begun]
        if graded.begun:
            self._begun.add(graded.todo)
        else:
            self._begun.discard(graded.todo)
            self._done += 1
        self._checks += sum(result.verdict != Verdict.NOT_RUN for result in new)
        self._verdicts.update(str(result.verdict) for result in new)
        self._show(self._text()[:WIDTH])
        if not sys.stderr.isatty() and int(self._part * LINES) > int(before * LINES):
            click.echo(self._text(), err=True)

    @property
    def _part(self) -> Fraction:
        """How much of the run is done; a task's visible checks count as half of it if hidden ones follow."""
        return Fraction(2 * self._done + len(self._begun), 2 * self._tasks)

    def _text(self) -> str:
        """Return the progress: tasks, checks per second, remaining time, and the verdicts so far."""
        took = max(time.monotonic() - self._began, 0.001)
        left = took / max(self._part, Fraction(1, self._tasks)) - took
        begun = f" and the visible checks of {len(self._begun):,}" if self._begun else ""
        verdicts = ", ".join(f"{number:,} {verdict}" for verdict, number in self._verdicts.most_common(3))
        return (
            f"{self._done:,} of {count(self._tasks, 'task')}{begun}, "
            f"{self._checks / took:.0f} checks a second, {_duration(left)} left: {verdicts}"
        )


def _duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = int(seconds + 59) // 60
    return f"{minutes} min" if minutes < 100 else f"{minutes / 60:.1f} h"
