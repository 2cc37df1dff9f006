"""Find all positions on the way from a start to goals, growing levels from both ends until they meet."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from grader.oracle.kernels import NO_SET, Pruning
from grader.oracle.sets import NO_PRUNING, Field, PositionSet
from grader.oracle.shape import Shape

Progress = Callable[[str, int, int], None]  # the current activity, the steps done, their total


def say_nothing(what: str, done: int, steps: int) -> None:
    """Ignore a report of progress."""


class Counts(NamedTuple):
    """How many positions there are after each number of jumps, from 0."""

    canonical: list[int]  # images of one another under the symmetries of the question count as one position
    raw: list[int]  # images count separately


class Growth:
    """The positions that can be reached from some starts, level by level: `levels[n]` after n jumps."""

    def __init__(self, field: Field, starts: Sequence[int], pruning: Pruning = NO_PRUNING) -> None:
        self.field = field
        self.pruning = pruning
        self._class = field.shape.class_of(starts[0])
        self._pegs = starts[0].bit_count()
        self.levels = [field.of(starts)]

    def forget(self, number: int = -2) -> None:
        """Drop the positions of a level, the last but one unless told, and keep only their number."""
        self.levels[number] = replace(self.levels[number], bits=NO_SET)

    def grow(self) -> int:
        """Add the next level; return how many positions it has."""
        target = self.field.index.level(self._class, self._pegs - len(self.levels))
        self.levels.append(self.field.after_jump(self.levels[-1], target, pruning=self.pruning))
        return self.levels[-1].count

    def level(self, number: int) -> PositionSet:
        """Return the positions after `number` jumps; no earlier level may be empty."""
        while len(self.levels) <= number:
            self.grow()
        return self.levels[number]


class Winning:
    """The winning positions of a problem: the positions on some way from its start to a goal."""

    def __init__(self, field: Field, start: int, goals: Sequence[int], levels: list[PositionSet]) -> None:
        self.field = field  # the shape, with the symmetries that keep both the start and the set of goals
        self.start = start
        self.goals = tuple(goals)  # the positions to end on, all with the same number of pegs
        # the winning positions after each number of jumps; empty when no goal can be reached
        self.levels = levels

    @property
    def solvable(self) -> bool:
        """Whether a goal can be reached."""
        return bool(self.levels)

    @cached_property
    def counts(self) -> Counts:
        """How many winning positions there are after each number of jumps."""
        return Counts(
            [each.count for each in self.levels], [self.field.count_raw(each) for each in self.levels]
        )

    def holds(self, position: int) -> bool:
        """Return whether a position is one of the winning positions."""
        jumps = self.start.bit_count() - position.bit_count()
        return (
            0 <= jumps < len(self.levels)
            and self.field.shape.class_of(position) == self.field.shape.class_of(self.start)
            and self.field.holds(self.levels[jumps], position)
        )


def find_winning(shape: Shape, start: int, goals: Sequence[int], progress: Progress = say_nothing) -> Winning:
    """Return the winning positions from `start` to any of `goals`, which have the same number of pegs.

    Taking a jump back is making a jump in the complement. So the levels backwards from the goals are grown as
    levels forwards from the complements of the goals. If the complement of the goal is the start, as in the
    central game, or an image of it, both are the same levels or images of them.
    """
    goals, jumps = _in_class(shape, start, goals)
    if jumps < 0 or (jumps == 0 and start not in goals):
        return Winning(Field(shape, shape.symmetries[:1]), start, goals, [])
    field = Field(shape, shape.symmetries_that_keep([start], goals))
    if jumps == 0:
        return Winning(field, start, goals, [field.of([start])])
    forward, backward, mirror = _both_ways(field, start, goals)
    met = _meet(forward, backward, jumps, progress)
    if met is None:
        return Winning(field, start, goals, [])
    ahead, behind = met
    near = _that_meet(mirror, goals, forward, backward, met)
    if near.count == 0:
        return Winning(field, start, goals, [])
    first_half = _on_the_way(field, forward, ahead, near)
    if backward is forward:
        rest = first_half[: behind + 1]
    else:
        last = backward.level(behind)
        far = field.after_jump(near, last.level, within=last, complement_after=True)
        rest = _on_the_way(field, backward, behind, far)
    return Winning(field, start, goals, first_half + _complements(mirror, shape.full ^ goals[0], rest))


def joins(shape: Shape, start: int, goals: Sequence[int], progress: Progress = say_nothing) -> bool:
    """Return whether any of `goals`, which have the same number of pegs, can be reached from `start`."""
    goals, jumps = _in_class(shape, start, goals)
    if jumps <= 0:
        return start in goals
    field = Field(shape, shape.symmetries_that_keep([start], goals))
    forward, backward, mirror = _both_ways(field, start, goals)
    met = _meet(forward, backward, jumps, progress)
    return met is not None and _that_meet(mirror, goals, forward, backward, met).count > 0


def _in_class(shape: Shape, start: int, goals: Sequence[int]) -> tuple[list[int], int]:
    """Return the goals in the class of the start, sorted, and how many jumps lead there; -1 without goals."""
    wanted = shape.class_of(start)
    kept = sorted(goal for goal in goals if shape.class_of(goal) == wanted)
    return kept, start.bit_count() - kept[0].bit_count() if kept else -1


def _both_ways(field: Field, start: int, goals: Sequence[int]) -> tuple[Growth, Growth, Field]:
    """Return the levels from the start, those from the goals, and the field that sees the latter.

    Both levels may be the same object; see `Field.mirror`.
    """
    complements = [field.shape.full ^ goal for goal in goals]
    forward = Growth(field, [start], field.pruning(goals))
    mirror = field.mirror([start], complements)
    if mirror is not None:
        return forward, forward, mirror
    return forward, Growth(field, complements, field.pruning([field.shape.full ^ start])), field


def _meet(forward: Growth, backward: Growth, jumps: int, progress: Progress) -> tuple[int, int] | None:
    """Grow levels from both ends until they are one jump apart; return how many jumps each end has made.

    Return None when a level without positions is met first: then no goal can be reached.
    """
    ahead = behind = 0
    while forward.level(ahead).count and backward.level(behind).count:
        if ahead + behind == jumps - 1:
            return ahead, behind
        progress("winning positions", ahead + behind, jumps)
        if forward.level(ahead).count <= backward.level(behind).count:
            ahead += 1
        else:
            behind += 1
    return None


def _that_meet(
    field: Field, goals: Sequence[int], forward: Growth, backward: Growth, met: tuple[int, int]
) -> PositionSet:
    """Return the positions where `forward` meets `backward`, after the numbers of jumps in `met`.

    From each of them, one jump leads to the complement of a position in the level of `backward`.
    `field` is the one that sees that level.
    """
    return field.leading(forward.level(met[0]), backward.level(met[1]), field.pruning(goals))


def _on_the_way(field: Field, growth: Growth, number: int, to: PositionSet) -> list[PositionSet]:
    """Return, level by level, the positions on some way from the first level of `growth` to `to`.

    The levels of `growth` are dropped on the way.
    """
    found = [to]
    for each in reversed(range(number)):
        growth.forget(each + 1)
        earlier = growth.levels[each]
        found.append(
            field.after_jump(
                found[-1], earlier.level, within=earlier, complement_first=True, complement_after=True
            )
        )
    return found[::-1]


def _complements(field: Field, first: int, levels: Sequence[PositionSet]) -> list[PositionSet]:
    """Return the complements of some levels, in reverse order; `first` is any position of the first one."""
    opposite = field.shape.full ^ first
    class_, pegs = field.shape.class_of(opposite), opposite.bit_count()
    found = [
        field.complements(each, field.index.level(class_, pegs + number))
        for number, each in enumerate(levels)
    ]
    return found[::-1]
