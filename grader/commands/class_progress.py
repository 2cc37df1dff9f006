"""The progress of a class run: how far it is, how fast, what it found so far."""

import sys
import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import click

from grader.course.store import Graded, Todo
from grader.messages.phrases import count
from grader.result import Verdict

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
