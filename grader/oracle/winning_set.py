"""All positions on the way from a start to its goals: levels are grown from both ends until they meet."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from grader.oracle.kernels import NO_SET, Pruning
from grader.oracle.sets import NO_PRUNING, Field, PositionSet
from grader.oracle.shape import Shape

Progress = Callable[[str, int, int], None]  # what is being done, how many steps are done, of how many


def say_nothing(what: str, done: int, steps: int) -> None:
    """Report no progress."""


class Counts(NamedTuple):
    """How many positions there are after each number of jumps, from 0.

    Attributes:
        canonical: positions that are images of one another under the symmetries of the question count as one.
        raw: they all count.
    """

    canonical: list[int]
    raw: list[int]


class Growth:
    """The positions that some positions lead to, level by level: `levels[n]` after n jumps."""

    def __init__(self, field: Field, starts: Sequence[int], pruning: Pruning = NO_PRUNING) -> None:
        self._field = field
        self.pruning = pruning
        self._class = field.shape.class_of(starts[0])
        self._pegs = starts[0].bit_count()
        self.levels = [field.of(starts)]

    def forget(self) -> None:
        """Keep the size of the level before the last, but not its positions."""
        last = self.levels[-2]
        self.levels[-2] = replace(last, bits=NO_SET)

    def grow(self) -> int:
        """Make the next level; return how many positions it has."""
        target = self._field.level(self._class, self._pegs - len(self.levels))
        self.levels.append(self._field.after_jump(self.levels[-1], target, pruning=self.pruning))
        return self.levels[-1].count


class Winning:
    """The winning positions of a problem, those on some way from the start to a goal.

    Attributes:
        field: the shape, with the symmetries that keep both the start and the set of goals.
        start: the position to start from.
        goals: the positions to end on, all with the same number of pegs.
        levels: the winning positions after each number of jumps; empty when no goal can be reached.
    """

    def __init__(self, field: Field, start: int, goals: Sequence[int], levels: list[PositionSet]) -> None:
        self.field = field
        self.start = start
        self.goals = tuple(goals)
        self.levels = levels

    @property
    def solvable(self) -> bool:
        """Whether a goal can be reached."""
        return bool(self.levels)

    @cached_property
    def counts(self) -> Counts:
        """How many winning positions there are."""
        return Counts(
            [each.count for each in self.levels], [self.field.count_raw(each) for each in self.levels]
        )

    def holds(self, position: int) -> bool:
        """Say whether a position is a winning one."""
        jumps = self.start.bit_count() - position.bit_count()
        return (
            0 <= jumps < len(self.levels)
            and self.field.shape.class_of(position) == self.field.shape.class_of(self.start)
            and self.field.holds(self.levels[jumps], position)
        )


def find_winning(shape: Shape, start: int, goals: Sequence[int], progress: Progress = say_nothing) -> Winning:
    """Return the winning positions from `start` to any of `goals`, positions of one number of pegs.

    The complement of a position whose jumps are taken back is a position that jumps. So the backward levels
    are forward levels of the complements of the goals; where those are the start itself, as in the central
    game, the two are one.
    """
    wanted = shape.class_of(start)
    goals = sorted(goal for goal in goals if shape.class_of(goal) == wanted)
    jumps = start.bit_count() - goals[0].bit_count() if goals else -1
    if jumps < 0 or (jumps == 0 and start not in goals):
        return Winning(Field(shape, shape.symmetries[:1]), start, goals, [])
    field = Field(shape, shape.symmetries_that_keep([start], goals))
    if jumps == 0:
        return Winning(field, start, goals, [field.of([start])])

    forward, backward = _both_ways(field, start, goals)
    met = _grow_until_they_meet(forward, backward, jumps, progress)
    if met is None:
        return Winning(field, start, goals, [])

    ahead, behind = met
    levels = [field.level(wanted, start.bit_count() - number) for number in range(jumps + 1)]
    first_half = [_meeting(field, forward, backward, ahead, behind)]
    if first_half[0].count == 0:
        return Winning(field, start, goals, [])
    for number in reversed(range(ahead)):
        first_half.append(_before(field, first_half[-1], forward.levels[number]))
    first_half.reverse()

    if backward is forward:
        complements_of_rest = first_half[: behind + 1]
    else:
        last = backward.levels[behind]
        rest = [field.after_jump(first_half[ahead], last.level, within=last, complement_after=True)]
        for number in reversed(range(behind)):
            rest.append(_before(field, rest[-1], backward.levels[number]))
        complements_of_rest = rest[::-1]
    second_half = [
        field.complements(each, levels[jumps - number]) for number, each in enumerate(complements_of_rest)
    ]
    return Winning(field, start, goals, first_half + second_half[::-1])


def joins(shape: Shape, start: int, goals: Sequence[int], progress: Progress = say_nothing) -> bool:
    """Say whether any of `goals`, positions of one number of pegs, can be reached from `start`."""
    wanted = shape.class_of(start)
    goals = sorted(goal for goal in goals if shape.class_of(goal) == wanted)
    jumps = start.bit_count() - goals[0].bit_count() if goals else -1
    if jumps <= 0:
        return start in goals
    field = Field(shape, shape.symmetries_that_keep([start], goals))
    forward, backward = _both_ways(field, start, goals)
    met = _grow_until_they_meet(forward, backward, jumps, progress)
    return met is not None and _meeting(field, forward, backward, *met).count > 0


def _both_ways(field: Field, start: int, goals: Sequence[int]) -> tuple[Growth, Growth]:
    """Return the growth from the start and that from the goals, which may be the same."""
    full = field.shape.full
    complements = [full ^ goal for goal in goals]
    forward = Growth(field, [start], field.pruning(goals))
    if complements == [start]:
        return forward, forward
    return forward, Growth(field, complements, field.pruning([full ^ start]))


def _meeting(field: Field, forward: Growth, backward: Growth, ahead: int, behind: int) -> PositionSet:
    """Return the positions `ahead` jumps from the start that are one jump from those near the goals."""
    reached = forward.levels[ahead]
    return field.after_jump(
        backward.levels[behind], reached.level,
        within=reached, complement_after=True, pruning=backward.pruning,
    )  # fmt: skip


def _grow_until_they_meet(
    forward: Growth, backward: Growth, jumps: int, progress: Progress
) -> tuple[int, int] | None:
    """Grow both to levels that are one jump apart; return which, or None when one of them dies out."""
    while True:
        ahead, behind = len(forward.levels) - 1, len(backward.levels) - 1
        if backward is forward:
            ahead, behind = min(ahead, jumps // 2), min(behind, (jumps - 1) // 2)
        if ahead + behind >= jumps - 1:
            return ahead, jumps - 1 - ahead
        smaller = forward if forward.levels[-1].count <= backward.levels[-1].count else backward
        progress("winning positions", ahead + behind, jumps)
        if smaller.grow() == 0:
            return None


def _before(field: Field, later: PositionSet, reached: PositionSet) -> PositionSet:
    """Return those of `reached` that one jump takes to one of `later`."""
    return field.after_jump(
        later, reached.level, within=reached, complement_first=True, complement_after=True
    )  # fmt: skip
