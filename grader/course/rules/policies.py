"""A course's policies, as `course.yaml` states them; see `applying` for what they mean."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import Decimal
from pathlib import Path
from typing import Self

from grader.catalog.tasks import Task
from grader.course.records import Student
from grader.course.rules.grades import Adjustment, DropRule, Place, StyleRule
from grader.course.rules.lateness import LateRule
from grader.course.rules.times import Length
from grader.errors import unknown
from grader.judging.board_choice import BoardChoice
from grader.safe_text import listed

ATTEMPTS = {  # choices of the attempt that counts, in words; {} is the number of attempts
    "latest": "the latest of {}",
    "best": "the best of {} after lateness",
    "first": "the first of {}",
    "latest-before-due": "the latest on time of {}",
}


@dataclass(frozen=True)
class TaskPolicy:
    """The policy of one task."""

    name: str
    max_points: int
    counts: bool = True
    due: datetime | None = None  # the due date; None: nothing is late
    attempt: str = "latest"  # the choice of the attempt that counts, one of ATTEMPTS
    attempt_place: Place | None = None
    weight: Decimal | None = None  # the points that full marks add to the total; None: the task's points
    bonus: bool = False


@dataclass(frozen=True)
class Extension:
    """More time for one student."""

    student: str  # the id or e-mail address, as written
    where: Place
    tasks: tuple[str, ...] = ()  # the tasks it is for; empty: all tasks
    due: datetime | None = None
    more: Length | None = None
    late_days: int = 0
    waived: bool = False

    def covers(self, task: str) -> bool:
        """Return whether it applies to a task."""
        return not self.tasks or task in self.tasks


@dataclass(frozen=True)
class Given:
    """What a course names for each run."""

    roster: Path | None = None
    times: Path | None = None
    adjustments: Path | None = None
    boards: BoardChoice | None = None
    feedback: tuple[str, ...] = ("table",)  # the formats of what each student gets
    named: bool = False  # whether the leaderboard has names instead of pseudonyms


@dataclass(frozen=True)
class Policies:
    """The policies of a course; see `read_policies`."""

    tasks: tuple[TaskPolicy, ...]
    zone: tzinfo = UTC
    grace: timedelta = timedelta()
    grace_place: Place | None = None
    late: LateRule | None = None
    extensions: tuple[Extension, ...] = ()
    dropping: DropRule | None = None
    merges: bool = False  # whether an attempt keeps the files of those before it that it has not got itself
    given: Given = field(default=Given(), repr=False)  # no rule
    # the time from which results on private boards may be shown; None: never
    private_boards_visible: datetime | None = None
    style: StyleRule | None = None
    adjustments: tuple[Adjustment, ...] = ()
    has_zone: bool = False  # whether the course says its time zone; if not, `zone` is UTC

    @classmethod
    def none(cls, tasks: Iterable[Task]) -> Self:
        """Return the policies of a course without course.yaml: the raw points of the latest attempt."""
        return cls(tuple(TaskPolicy(task.name, task.max_points, not task.extra) for task in tasks))

    def for_tasks(self, tasks: Iterable[Task]) -> Self:
        """Return the policies for some of the tasks."""
        names = {task.name for task in tasks}
        return replace(self, tasks=tuple(task for task in self.tasks if task.name in names))

    def replaced(self, student: Student) -> set[str]:
        """Return the tasks in which an adjustment gives a student another score, which then stays."""
        theirs = [each for each in self.adjustments if student.is_called(each.student)]
        return {task for each in theirs if each.score is not None for task in each.tasks}


def not_graded(policies: Policies, tasks: Iterable[Task]) -> list[str]:
    """Return a line for the weights, and one for the adjustments, of other tasks than `tasks`."""
    graded = {task.name for task in tasks}
    weighted = {task.name for task in policies.tasks if task.weight is not None} - graded
    adjusted: dict[str, None] = {}
    places = []
    for each in policies.adjustments:
        others = [name for name in each.tasks if name not in graded]
        if others and not each.excused:  # from a task that adds nothing
            places.append(str(each.where))
            adjusted |= dict.fromkeys(others)
    lines = []
    if weighted:
        names = [task.name for task in policies.tasks if task.name in weighted]
        lines.append(f"course.yaml: has weights of tasks that this run does not grade: {', '.join(names)}")
    if places:
        lines.append(f"{listed(places)}: about tasks that this run does not grade: {', '.join(adjusted)}")
    return lines


def unknown_students(policies: Policies, students: Iterable[Student]) -> list[str]:
    """Return a line for each extension or adjustment of nobody, most likely because of a misspelt name."""
    everybody = list(students)
    known = [name for student in everybody for name in (student.id, student.email) if name]
    lines = []
    named: list[Extension | Adjustment] = [*policies.extensions, *policies.adjustments]
    for each in named:
        if not any(student.is_called(each.student) for student in everybody):
            error = unknown("student", each.student, known, "write the id or the e-mail address")
            lines.append(f"{each.where}: {error.message}; {error.help}")
    return lines
