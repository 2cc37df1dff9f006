"""All problems of a shape with one vacancy and one goal, solved together where they share positions."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from grader.oracle import memory
from grader.oracle.between import Between, Reached, reached
from grader.oracle.moves import Solutions, Solved, Ways, bytes_for
from grader.oracle.shape import Hole, Shape
from grader.oracle.winning_set import Counts, Progress, Winning, find_winning, say_nothing

Problem = tuple[int, int]  # a start with one vacancy, and a goal, which is a single peg


class Family(NamedTuple):
    """The problems between the vacancies of one parity class and the goals it allows, and their reverses.

    Attributes:
        starts: the positions with one of these vacancies.
        goals: the positions with a single peg that may be reached from them.
        problems: all problems and reverse problems; of those that are images of one another, only one. Each
            comes just before its reverse.
    """

    starts: list[int]
    goals: list[int]
    problems: list[Problem]


def families(shape: Shape) -> list[Family]:
    """Return the families of a shape; of problems that are images of one another, only one is in any."""
    ends = [
        (shape.ends_of_class(1 << hole), shape.ends_of_class(shape.full ^ 1 << hole))
        for hole in range(len(shape.holes))
    ]
    seen = set()
    found = []
    for vacancies, goals in sorted(ends, key=lambda each: -_locality(shape, each[0])):
        problems = []
        for one, other in product(vacancies, goals):
            for vacancy, goal in ((one, other), (other, one)):
                pair = shape.number[vacancy], shape.number[goal]
                least = min((symmetry[pair[0]], symmetry[pair[1]]) for symmetry in shape.symmetries)
                if least not in seen:
                    seen.add(least)
                    problems.append((shape.full ^ 1 << pair[0], 1 << pair[1]))
        if problems:
            starts = [shape.full ^ 1 << shape.number[hole] for hole in vacancies]
            found.append(Family(starts, [1 << shape.number[hole] for hole in goals], problems))
    return found


def _locality(shape: Shape, holes: Sequence[Hole]) -> int:
    """Return how many of the first half of the holes stay in that half, added up over symmetries.

    The symmetries are those that keep `holes`. The more holes stay, the nearer in memory a position is to the
    least of its images.
    """
    half = len(shape.holes) // 2
    kept = shape.symmetries_that_keep(1 << shape.number[hole] for hole in holes)
    return sum(to < half for symmetry in kept for to in symmetry[:half])


def solve(shape: Shape, family: Family, progress: Progress = say_nothing) -> Iterator[tuple[Problem, Solved]]:
    """Solve the problems of a family, all from one set of winning positions, and yield them in their order.

    Raises:
        OracleError: there is too little memory.
    """
    is_own_reverse = set(family.starts) == {shape.full ^ goal for goal in family.goals}
    directions = 1 if is_own_reverse else 2
    # For each direction, the positions that win take a bit by the index, and their numbers take two.
    memory.ask_for_levels(shape, family.starts[0], 1, sets=3 * directions)
    winning = find_winning(shape, family.starts, family.goals, progress)
    solved: dict[Problem, Solved] = {}
    forward = backward = _solve_forward(winning, family.problems, solved, progress)
    if not is_own_reverse:
        backward = _solve_forward(winning.reverse(), family.problems, solved, progress)
    between = Between(winning, forward, backward)
    for start, goal in family.problems:
        if start in winning.starts and goal in winning.goals:
            positions = between.counts(start, goal)
        else:
            opposite = between.counts(shape.full ^ goal, shape.full ^ start)
            positions = Counts(opposite.canonical[::-1], opposite.raw[::-1])
        yield (start, goal), solved[start, goal]._replace(positions=positions)


def _solve_forward(
    winning: Winning, problems: Sequence[Problem], solved: dict[Problem, Solved], progress: Progress
) -> Reached:
    """Solve those problems that lead from a start to a goal of `winning`; positions are not counted yet.

    Return which starts lead to each position.
    """
    positions = sum(level.count for level in winning.levels)
    memory.ask(bytes_for(winning) + len(winning.starts) * positions)  # a byte each for `reached`
    ways = Ways(winning, progress)
    for start, goal in problems:
        if start in winning.starts and goal in winning.goals:
            solved[start, goal] = Solutions(ways, start, [goal]).summary(Counts([], []))
    return reached(ways)
