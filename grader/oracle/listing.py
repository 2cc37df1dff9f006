"""All facts about a board from which few positions can be reached, by listing them; for up to 64 holes."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from framework.jumps import Jump
from grader.oracle.moves import Solved
from grader.oracle.problem import jump_of
from grader.oracle.shape import Shape, Symmetry, byte_sums
from grader.oracle.walk import walk
from grader.oracle.winning_set import Counts

MOST = 100_000  # positions, in some seconds


class _Best(NamedTuple):
    """The fewest moves from a position to a goal, how many jump sequences make so few, and how one begins."""

    moves: int
    ways: int
    jump: tuple[int, int] | None = None  # the holes where it starts and ends
    after: int = 0


class Listing:
    """Every position that can be reached from a start."""

    def __init__(self, shape: Shape, start: int) -> None:
        self._shape, self._start = shape, start
        self.levels = [{start}]  # the positions after each number of jumps
        while following := {after for each in self.levels[-1] for after in shape.after_jumps(each)}:
            self.levels.append(following)

    def reachable(self) -> Counts:
        """Return how many positions there are after each number of jumps."""
        return _counts(self.levels, self._shape.symmetries_that_keep([self._start]))

    def solve(self, goals: tuple[int, ...]) -> Solved:
        """Return what is known of the ways to some goals; each has one peg and the start's parity class."""
        shape = self._shape
        ways: dict[int, int] = {}  # how many jump sequences lead from each winning position to a goal
        for level in reversed(self.levels):
            for each in level:
                count = (each in goals) + sum(ways.get(after, 0) for after in shape.after_jumps(each))
                if count:
                    ways[each] = count
        if self._start not in ways:
            return Solved([], Counts([], []), 0, None, 0, [])
        known: dict[tuple[int, int], _Best] = {}

        def best(position: int, last: int) -> _Best:
            """Return the best from a position whose peg in the hole `last` may jump on in the same move."""
            if position in goals:
                return _Best(0, 1)
            if (position, last) not in known:
                found = []
                for start, end, needed, cells in shape.jumps:
                    if position & cells == needed and (after := position ^ cells) in ways:
                        following = best(after, end)
                        moves = following.moves + (start != last)
                        found.append(_Best(moves, following.ways, (start, end), after))
                fewest = min(each.moves for each in found)
                least = [each for each in found if each.moves == fewest]
                known[position, last] = least[0]._replace(ways=sum(each.ways for each in least))
            return known[position, last]

        first = here = best(self._start, -1)
        jumps: list[Jump] = []
        while here.jump is not None:
            jumps.append(jump_of(shape, *here.jump))
            here = best(here.after, here.jump[1])
        won = [winning for level in self.levels if (winning := level & ways.keys())]
        counts = _counts(won, shape.symmetries_that_keep([self._start], goals))
        reached = [shape.holes[goal.bit_length() - 1] for goal in goals if goal in ways]
        return Solved(reached, counts, ways[self._start], first.moves, first.ways, jumps)


@lru_cache(maxsize=1)  # the next question is often about the same board
def listing_of(shape: Shape, start: int) -> Listing | None:
    """Return every position that can be reached, or None if there are more than MOST."""
    return None if walk(shape, start, MOST).positions is None else Listing(shape, start)


def _counts(levels: list[set[int]], symmetries: list[Symmetry]) -> Counts:
    raw = [len(level) for level in levels]
    if len(symmetries) == 1:
        return Counts(raw, raw)
    tables = [byte_sums(1 << to for to in symmetry) for symmetry in symmetries]
    canonical = []
    for level in levels:
        positions = np.array(list(level), dtype=np.uint64)
        parts = [(positions >> np.uint64(8 * byte) & np.uint64(255)) for byte in range(len(tables[0]))]
        images = [
            np.bitwise_or.reduce([sums[part] for sums, part in zip(table, parts, strict=True)])
            for table in tables
        ]
        canonical.append(len(np.unique(np.minimum.reduce(images))))
    return Counts(canonical, raw)
