"""Hold an instructor's choices for a platform, and derive the values for its scripts and README."""

import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from grader import paths
from grader.catalog.tasks import Check, Task
from grader.errors import InputError
from grader.judging import kinds
from grader.judging.board_sets import OwnBoardsAnd
from grader.judging.private_boards import PrivateBoards

PRIVATE = "private"  # the folder of the private boards


@dataclass(frozen=True)
class Assignment:
    """The choices for grading on a platform."""

    tasks: Sequence[Task]
    boards: Path | None
    minutes: int

    @cached_property
    def _private(self) -> PrivateBoards | None:
        """The private set of boards; None if the assignment has none."""
        return PrivateBoards(self.boards) if self.boards is not None else None

    @cached_property
    def _checks(self) -> dict[str, Sequence[Check]]:
        """The checks of each task, including the checks on private boards."""
        if self._private is None:
            return {task.name: task.checks for task in self.tasks}
        private = OwnBoardsAnd(self._private)
        judging = [task for task in self.tasks if kinds.of(task).takes_boards]
        if not any(self._private.checks(task) for task in judging):
            assert self.boards is not None
            names = ", ".join(task.name for task in self.tasks)
            raise InputError(
                f"{paths.shown(self.boards)}: no board that {names} can judge",
                "look at solvable, fewest, forced and tasks in its index.yaml",
            )
        return {task.name: private.checks(task) if task in judging else task.checks for task in self.tasks}

    def private_files(self) -> dict[str, str]:
        """Return the files of the private set.

        All facts about its boards are written out, since platforms lack the engine that proves them.
        """
        if self._private is None:
            return {}
        return {f"{PRIVATE}/{name}": text for name, text in self._private.whole().items()}

    def points(self, task: Task) -> int:
        """Return the points of a task."""
        return sum(check.points for check in self._checks[task.name])

    @property
    def options(self) -> str:
        """The command-line options of `platform_run` that depend on the assignment."""
        boards = f'--boards "$here/{PRIVATE}" ' if self._private is not None else ""
        return boards + " ".join(f"--task {shlex.quote(task.name)}" for task in self.tasks)

    @property
    def values(self) -> dict[str, object]:
        """The values that replace `@name@` in the texts made for a platform."""
        cpu_s = sum(check.cpu_s for checks in self._checks.values() for check in checks)
        return {
            "tasks": ", ".join(task.name for task in self.tasks),
            "points": sum(self.points(task) for task in self.tasks),
            "minutes": self.minutes,
            "timeout": self.minutes * 60,
            "cpu_minutes": math.ceil(cpu_s / 60),
            "private": "none"
            if self.boards is None
            else f"{paths.shown(self.boards)}, in addition to the tasks' own",
            "options": self.options,
        }
