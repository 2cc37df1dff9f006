"""Tables of all positions from which given goals can be reached; a lookup takes less than a millisecond."""

import time
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from grader.oracle import keep, kernels, memory
from grader.oracle.index import Level
from grader.oracle.sets import Field, PositionSet
from grader.oracle.shape import Shape

WORTH_S = 0.5  # levels that took longer to grow are kept on disk


class Endings:
    """All positions from which given goals can be reached; level n has those with n more pegs than a goal.

    The complement of each position is stored: pegs in exactly the other holes. A level is read from disk, or
    computed, when it is first needed.
    """

    def __init__(self, shape: Shape, goals: Sequence[int]) -> None:
        self._shape = shape
        self._field = Field(shape, shape.symmetries_that_keep(goals))
        self._goals = goals
        self._levels = {0: self._field.of([shape.full ^ goal for goal in goals])}
        self._class = shape.class_of(shape.full ^ goals[0])

    def hold(self, positions: Sequence[int]) -> np.ndarray:
        """Return whether a goal can be reached from each position; all have its class, and as many pegs."""
        if not positions:
            return np.zeros(0, dtype=bool)
        jumps = positions[0].bit_count() - self._goals[0].bit_count()
        if jumps < 0:
            return np.zeros(len(positions), dtype=bool)
        level = self._level(jumps)
        complements = np.array([self._shape.full ^ position for position in positions], dtype=np.uint64)
        found = np.empty(len(positions), dtype=np.bool_)
        kernels.look_up(
            complements, level.bits, level.level, self._field.index.low, self._field.moves, found,
            self._field.lanes,
        )  # fmt: skip
        return found

    def _level(self, number: int) -> PositionSet:
        """Get a level from memory or from disk, or compute it from the nearest lower level found there."""
        if number in self._levels:
            return self._levels[number]
        known = number
        while known not in self._levels and not self._load(known):
            known -= 1
        if known < number:
            self._grow(known, number)
        return self._levels[number]

    def _grow(self, known: int, number: int) -> None:
        """Compute the levels after level `known`, up to level `number`."""
        complement = self._shape.full ^ self._goals[0]
        memory.ask_for_levels(self._shape, complement, complement.bit_count() - number)
        began = time.perf_counter()
        unsaved = []
        for each in range(known + 1, number + 1):
            self._levels[each] = self._field.after_jump(self._levels[each - 1], self._index(each))
            unsaved.append(each)
            if time.perf_counter() - began > WORTH_S:
                while unsaved:
                    grown = unsaved.pop()
                    keep.save(self._key(grown), {"bits": self._levels[grown].bits})

    def _index(self, number: int) -> Level:
        """Return the index of the stored complements of a level."""
        pegs = len(self._shape.holes) - self._goals[0].bit_count() - number
        return self._field.index.level(self._class, pegs)

    def _key(self, number: int) -> str:
        return f"endings: holes {self._shape.holes} goals {sorted(self._goals)} level {number}"

    def _load(self, number: int) -> bool:
        """Read a level from disk; return whether it was there."""
        kept = keep.load(self._key(number))
        if kept is None:
            return False
        count = int(np.bitwise_count(kept["bits"]).sum())
        self._levels[number] = PositionSet(self._index(number), kept["bits"], count)
        return True


@lru_cache(maxsize=2)
def endings_of(shape: Shape, goals: tuple[int, ...]) -> Endings:
    """Return the `Endings` of some goals, at least one; all must have the same parity class."""
    return Endings(shape, goals)
