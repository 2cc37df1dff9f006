"""Define the records of a student's grade: in one task, and in the course."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from grader.course.rules import times

AFTER_RULES = "after late penalties and other course rules"  # of points, in every report


@dataclass(frozen=True)
class TaskGrade:
    """A student's grade in one task.

    Attributes:
        attempt: the number of the attempt that counts; None: nothing was handed in.
        raw: the points before the rules.
        adjusted: the points left of `raw` after lateness and adjustments, 0 or more, with two decimals.
        weight: the points that full marks would add; 0 if the task does not count.
        bonus: whether `weight` is left out of the total's maximum.
        rules: each applied rule in words, with the points it took and its place.
        late: the time from the student's due date to the hand-in; zero if it was not late.
        decided: whether an adjustment decided about it, even if nothing was handed in.
    """

    task: str
    attempt: int | None
    raw: int
    max: int
    adjusted: Decimal
    counted: Decimal
    weight: Decimal
    bonus: bool = False
    rules: tuple[str, ...] = ()
    late: timedelta = timedelta()
    excused: bool = False
    decided: bool = False


@dataclass(frozen=True)
class Grade:
    """A student's grade in the course.

    Attributes:
        max_total: the total for full marks, without bonuses.
        raw_total: the total if lateness had cost nothing.
        held: why the grade is not final: for each hold what the staff reads, and what the student reads.
    """

    tasks: tuple[TaskGrade, ...]
    total: Decimal
    max_total: Decimal
    raw_total: Decimal
    late_days_used: int = 0
    notes: tuple[str, ...] = ()
    held: tuple[tuple[str, str], ...] = ()

    @property
    def late(self) -> str:
        """The longest lateness of any task as h:mm:ss, such as 26:15:09; empty if all were on time."""
        return times.as_clock(max((task.late for task in self.tasks), default=timedelta()))
