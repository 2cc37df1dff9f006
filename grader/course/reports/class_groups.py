"""Compare checks and sections of a class: which check separates, which section is behind the others."""

import math
import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from grader.course.reports.standings import Standing, Standings
from grader.result import Verdict


@dataclass(frozen=True)
class Board:
    """One check: how hard it was, and whether it separates the strong from the weak.

    Attributes:
        separates: the correlation, from -1 to 1, of getting it right with the points on all other checks,
            among those whose program ran; None if all or none of them got it right, or all have the same
            points elsewhere.
    """

    task: str
    board: str
    accepted: int
    of: int
    lost: int = 0
    separates: float | None = None


@dataclass(frozen=True)
class Section:
    """A section of the course.

    Attributes:
        name: its name; None for the whole class.
        shares: for each task, the mean share of its points in percent, of those who handed it in, without
            packages in which nothing was found to grade; None if nobody is left.
        behind: the task in which it is furthest below the class, its share there, and the class's; None if
            it is nowhere below.
    """

    name: str | None
    students: int
    handed_in: int
    shares: Sequence[float | None]
    behind: tuple[str, float, float] | None = None

    @property
    def below(self) -> float:
        """By how many percentage points it is below the class in the task of `behind`."""
        return self.behind[2] - self.behind[1] if self.behind else 0.0


def boards(standings: Standings) -> list[Board]:
    """Return all checks, those with the fewest right answers first."""
    order = {task.name: number for number, task in enumerate(standings.tasks)}
    answers: dict[tuple[int, int], list[tuple[str, bool, int]]] = defaultdict(list)
    never_ran: set[tuple[str, int]] = set()
    names: dict[tuple[int, int], tuple[str, str]] = {}
    totals: dict[str, int] = defaultdict(int)
    lost: dict[tuple[int, int], int] = defaultdict(int)
    for student, task, _, position, board, verdict, points, most in standings.checks:
        check = order[task], position
        names[check] = task, board
        answers[check].append((student, verdict == Verdict.ACCEPTED, points))
        totals[student] += points
        lost[check] += most - points
        if verdict in (Verdict.NOT_WRITTEN, Verdict.NOT_RUN):  # that says nothing about a single check
            never_ran.add((student, check[0]))
    found = []
    for check in sorted(answers):
        given = answers[check]
        ran = [each for each in given if (each[0], check[0]) not in never_ran]
        separates = _correlation(
            [right for _, right, _ in ran], [totals[who] - points for who, _, points in ran]
        )
        found.append(
            Board(*names[check], sum(right for _, right, _ in given), len(given), lost[check], separates)
        )
    return sorted(found, key=lambda board: board.accepted / board.of)


def _correlation(rights: Sequence[bool], rests: Sequence[int]) -> float | None:
    try:
        return statistics.correlation([float(right) for right in rights], [float(rest) for rest in rests])
    except statistics.StatisticsError:  # fewer than two students, or all alike
        return None


def sections(standings: Standings) -> list[Section]:
    """Return the sections by name, and then the whole class; empty if there are fewer than two sections."""
    members: dict[str, list[Standing]] = defaultdict(list)
    for standing in standings.students:
        members[standing.student.section].append(standing)
    if len(members) < 2:
        return []
    tasks = [task.name for task in standings.tasks]
    everybody = _shares(standings.students, tasks)
    found = []
    for name, group in sorted(members.items()):
        shares = _shares(group, tasks)
        behind = [
            (task, share, whole)
            for task, whole, share in zip(tasks, everybody, shares, strict=True)
            if whole is not None and share is not None and whole - share > 0.5
        ]
        worst = max(behind, key=lambda each: each[2] - each[1], default=None)
        found.append(Section(name, len(group), _handed_in(group), shares, worst))
    return [*found, Section(None, len(standings.students), _handed_in(standings.students), everybody)]


def _handed_in(group: Sequence[Standing]) -> int:
    return sum(bool(each.attempts) for each in group)


def _shares(group: Sequence[Standing], tasks: Sequence[str]) -> list[float | None]:
    """Return, for each task, the mean share of its points before the course's rules, in percent.

    No points for a wrong package say nothing about what a section knows.
    """
    of_task: dict[str, list[float]] = defaultdict(list)
    for standing in group:
        for grade in standing.counted:
            if grade.max and (grade.raw or not standing.slips):
                of_task[grade.task].append(100 * grade.raw / grade.max)
    return [math.fsum(of_task[task]) / len(of_task[task]) if of_task[task] else None for task in tasks]
