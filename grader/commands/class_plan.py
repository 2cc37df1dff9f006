"""Say what `grade class` would do, without doing it: `--dry-run`."""

import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from grader.course.handins.intake import Intake
from grader.course.store import NAME, ClassStore, Todo
from grader.messages.phrases import count
from grader.reports.content import plain_table
from grader.safe_text import one_line

SECONDS = (
    "seconds a task"  # key of the store's note with the time of one core that a task took in the last run
)
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
