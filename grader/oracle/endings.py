"""From which positions of a shape some goals can be reached: all of them, looked up in no time."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from grader.oracle import kernels, memory
from grader.oracle.sets import Field
from grader.oracle.shape import Shape
from grader.oracle.winning_set import Growth


class Endings:
    """The positions that can win, as complements: level n has those with n more pegs than a goal.

    A level is made when first it is asked for.
    """

    def __init__(self, shape: Shape, goals: Sequence[int]) -> None:
        self._shape = shape
        self._field = Field(shape, shape.symmetries_that_keep(goals))
        self._goals = goals
        self._growth = Growth(self._field, [shape.full ^ goal for goal in goals])

    def hold(self, positions: Sequence[int]) -> np.ndarray:
        """Say of each position whether it can win; all have as many pegs, and are of the goals' class."""
        if not positions:
            return np.zeros(0, dtype=bool)
        jumps = positions[0].bit_count() - self._goals[0].bit_count()
        if jumps < 0:
            return np.zeros(len(positions), dtype=bool)
        levels = self._growth.levels
        if len(levels) <= jumps:
            complement = self._shape.full ^ self._goals[0]
            memory.ask_for_levels(self._shape, complement, complement.bit_count() - jumps)
        while len(levels) <= jumps:
            self._growth.grow()
        complements = np.array([self._shape.full ^ position for position in positions], dtype=np.uint64)
        found = np.empty(len(positions), dtype=np.bool_)
        kernels.look_up(
            complements, levels[jumps].bits, levels[jumps].level, self._field.index.low, self._field.moves,
            found, self._field.lanes,
        )  # fmt: skip
        return found


@lru_cache(maxsize=2)
def endings_of(shape: Shape, goals: tuple[int, ...]) -> Endings:
    """Return the positions that can win, for goals of one class, at least one."""
    return Endings(shape, goals)
