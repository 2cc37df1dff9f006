"""Define the records of a student's grade, and what adjustments and remarks on style do to it.

Points are decimals of two places, rounded half up. Adjustments come after all other rules, and in the order
of the file: first a score that replaces the points, then what is added or taken. The points may exceed the
task's maximum, but are never below 0.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from decimal import ROUND_HALF_UP, Decimal

from grader.course.rules import times
from grader.messages.phrases import count

CENT = Decimal("0.01")
ZERO = Decimal("0.00")


def share(whole: Decimal, part: Decimal, of: Decimal | int) -> Decimal:
    """Return `whole * part / of`; zero if `of` is zero."""
    return (whole * part / of).quantize(CENT, ROUND_HALF_UP) if of > 0 else ZERO


def plain(number: Decimal) -> str:
    """Return a number as text, without trailing zeros in its decimals."""
    return f"{number.normalize():f}"


@dataclass(frozen=True)
class Place:
    """Where a rule is written, by which it is cited; the same field of another file makes no other rule."""

    name: str  # of the field, such as `late.floor`
    file: str = field(default="", compare=False, repr=False)
    line: int = field(default=0, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.name}, {self.file}:{self.line}" if self.file else self.name


@dataclass(frozen=True)
class Rule:
    """What one rule did in one task."""

    said: str
    places: tuple[Place, ...] = ()
    change: Decimal = ZERO
    is_decision: bool = False

    def __str__(self) -> str:
        return self.of_tasks([self.change])

    def of_tasks(self, changes: Sequence[Decimal]) -> str:
        """Return in words what it did in several tasks, with the points that it added or took in each."""
        points = f": {', '.join(f'{each:+}' for each in changes)}" if any(changes) else ""
        return " ".join([f"{self.said}{points}", *(f"({place})" for place in self.places)])


AFTER_RULES = "after late penalties and other course rules"  # of points, in every report
EXCUSED = "excused"  # instead of points


@dataclass(frozen=True)
class TaskGrade:
    """A student's grade in one task."""

    task: str
    attempt: int | None  # the number of the attempt that counts; None: nothing was handed in
    raw: int
    max: int
    adjusted: Decimal  # the points left of `raw` after lateness and adjustments, 0 or more, with two decimals
    counted: Decimal
    weight: Decimal  # the points that full marks would add; 0 if the task does not count
    bonus: bool = False
    rules: tuple[Rule, ...] = ()
    # the time from the student's due date to the hand-in; zero if it was not late
    late: timedelta = timedelta()
    excused: bool = False
    decided: bool = False  # whether an adjustment decided about it, even if nothing was handed in

    @property
    def shown(self) -> str:
        """The points after the rules, or that the student is excused."""
        return EXCUSED if self.excused else plain(self.adjusted)


@dataclass(frozen=True)
class Grade:
    """A student's grade in the course."""

    tasks: tuple[TaskGrade, ...]
    late_days_used: int = 0
    notes: tuple[str, ...] = ()
    # why the grade is not final: for each hold what the staff reads, and what the student reads
    held: tuple[tuple[str, str], ...] = ()

    @property
    def total(self) -> Decimal:
        """The points of all tasks."""
        return sum((each.counted for each in self.tasks), ZERO)

    @property
    def max_total(self) -> Decimal:
        """The total for full marks, without bonuses."""
        return sum((each.weight for each in self.tasks if not each.bonus), ZERO)

    @property
    def raw_total(self) -> Decimal:
        """The total if lateness had cost nothing."""
        return sum((share(each.weight, Decimal(each.raw), each.max) for each in self.tasks), ZERO)

    @property
    def late(self) -> str:
        """The longest lateness of any task as h:mm:ss, such as 26:15:09; empty if all were on time."""
        return times.as_clock(max((task.late for task in self.tasks), default=timedelta()))

    @property
    def told_rules(self) -> list[str]:
        """Each applied rule once, with its tasks, and what it added or took in each."""
        found: dict[Rule, list[tuple[str, Decimal]]] = {}
        for task in self.tasks:
            for rule in task.rules:
                found.setdefault(replace(rule, change=ZERO), []).append((task.task, rule.change))
        return [
            f"{', '.join(task for task, _ in of)}: {rule.of_tasks([change for _, change in of])}"
            for rule, of in found.items()
        ]


REGRADES = ("requested", "granted", "declined")


@dataclass(frozen=True)
class Adjustment:
    """A decision about one student."""

    student: str
    where: Place
    reason: str
    tasks: tuple[str, ...] = ()
    excused: bool = False
    score: Decimal | None = None  # the points that replace those earned; None: they stay
    more: Decimal = ZERO  # the points that are added; below 0: taken
    hold: bool = False
    regrade: str = ""  # what became of a request to grade again, one of REGRADES; empty if there was none

    @property
    def held(self) -> tuple[str, str]:
        """What the staff and what the student reads of a hold; the reason is for the staff alone."""
        of = f"held back: {', '.join(self.tasks) or 'the whole course'}"
        return f"{of}: {self.reason} ({self.where})", f"{of}; ask the course staff ({self.where})"


def adjusted(grade: TaskGrade, decisions: Sequence[Adjustment]) -> TaskGrade:
    """Return the grade after the decisions on it, each with its reason and its place among the rules."""
    points, rules = grade.adjusted, list(grade.rules)
    for each in sorted(decisions, key=lambda each: each.score is None):
        said = [f"regrade {each.regrade}"] if each.regrade else []
        before = points
        if each.excused:
            said.append("excused")
        elif each.score is not None:
            points = each.score.quantize(CENT)
            said.append(f"{plain(points)} instead of {plain(before)}")
        elif each.more:
            points = max(points + each.more, ZERO).quantize(CENT)
            said.append(f"{points - before:+}")
        if said:
            rules.append(Rule(f"{', '.join(said)}: {each.reason}", (each.where,), is_decision=True))
    return replace(
        grade,
        adjusted=points,
        counted=share(grade.weight, points, grade.max),
        rules=tuple(rules),
        excused=any(each.excused for each in decisions),
        decided=grade.decided or any(not each.hold for each in decisions),
    )


@dataclass(frozen=True)
class StyleRule:
    """What remarks on style cost."""

    percent: Decimal  # the percentage of a task's points that each remark takes
    at_most: Decimal  # the percentage that all remarks on a task take at most
    place: Place


def after_style(grade: Grade, rule: StyleRule, remarks: Mapping[str, int]) -> Grade:
    """Return a student's grade after the rule."""
    tasks = []
    for task in grade.tasks:
        number = remarks.get(task.task, 0)
        off = share(task.adjusted, min(number * rule.percent, rule.at_most), 100)
        if off > 0:
            left = task.adjusted - off
            said = Rule(f"{count(number, 'remark')} on style", (rule.place,), -off)
            counted = share(task.weight, left, task.max)
            task = replace(task, adjusted=left, counted=counted, rules=(*task.rules, said))
        tasks.append(task)
    return replace(grade, tasks=tuple(tasks))


@dataclass(frozen=True)
class DropRule:
    """How many of a student's tasks are left out."""

    number: int
    place: Place


def without_lowest(grade: Grade, rule: DropRule) -> Grade:
    """Return a student's grade without the tasks with the lowest share of their points."""
    counting = [each for each in grade.tasks if each.weight and not each.bonus]
    lowest_first = sorted(counting, key=lambda each: (each.counted / each.weight, -each.weight))
    dropped = lowest_first[: min(rule.number, max(len(counting) - 1, 0))]
    said = Rule(f"dropped: the lowest of {len(counting)}", (rule.place,))
    tasks = (
        replace(each, counted=ZERO, weight=ZERO, rules=(*each.rules, said)) if each in dropped else each
        for each in grade.tasks
    )
    return replace(grade, tasks=tuple(tasks))
