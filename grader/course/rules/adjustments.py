"""Apply decisions about one student's task: excused, another score, points more or fewer, a hold, a regrade.

They come after all other rules, and in the order of the file: first a score that replaces the points, then
what is added or taken. The points may exceed the task's maximum, but are never below 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from grader.course.rules.decimals import CENT, ZERO, plain, share
from grader.course.rules.grades import TaskGrade

REGRADES = ("requested", "granted", "declined")


@dataclass(frozen=True)
class Adjustment:
    """A decision about one student.

    Attributes:
        student: the id or e-mail address, as written.
        where: the field and its place, such as `adjustments.1, adjustments.yaml:4`.
        tasks: the tasks it is for; empty only for a hold: the whole course.
        score: the points that replace those earned; None: they stay.
        more: the points that are added; below 0: taken.
        hold: whether the grade is not to be given out.
        regrade: what became of a request to grade again, one of REGRADES; empty if there was none.
    """

    student: str
    where: str
    reason: str
    tasks: tuple[str, ...] = ()
    excused: bool = False
    score: Decimal | None = None
    more: Decimal = ZERO
    hold: bool = False
    regrade: str = ""

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
            rules.append(f"{', '.join(said)}: {each.reason} ({each.where})")
    return replace(
        grade,
        adjusted=points,
        counted=share(grade.weight, points, grade.max),
        rules=tuple(rules),
        excused=any(each.excused for each in decisions),
        decided=grade.decided or any(not each.hold for each in decisions),
    )
