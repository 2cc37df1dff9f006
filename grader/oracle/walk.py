"""Walk all positions that can be reached from a board, up to a limit; compiled, since boards are many."""

from typing import NamedTuple

import numpy as np
from numba import njit

from grader.oracle.beam_kernels import jumps_in, place_of
from grader.oracle.bits import ONE, ZERO, lowest_bit, popcount
from grader.oracle.shape import Shape, groups_of

FIRST_ROOM = 1 << 13


class Walked(NamedTuple):
    """The outcome of a walk.

    Attributes:
        fewest: the fewest pegs of any position looked at.
        positions: how many there are; None when there are more than were to be looked at.
    """

    fewest: int
    positions: int | None


def walk(shape: Shape, position: int, most: int) -> Walked:
    """Look at all positions that can be reached, depth first, up to `most` of them."""
    steps = np.array([each[:3] for each in groups_of(shape)], dtype=np.uint64).reshape(-1, 3)
    room = min(FIRST_ROOM, most)
    while True:  # a small table first, since most boards need no large one and it has to be empty
        table = np.zeros(2 << room.bit_length(), dtype=np.uint64)
        waiting = np.empty(room + 1, dtype=np.uint64)
        fewest, positions = _walk(np.uint64(position), steps, table, waiting, room)
        if positions <= room:
            return Walked(int(fewest), int(positions))
        if room == most:
            return Walked(int(fewest), None)
        room = min(8 * room, most)


@njit(cache=True, nogil=True)
def _walk(start, steps, table, waiting, most):
    """Return the fewest pegs met and the number of positions, `most` + 1 when there are more.

    Args:
        start: the position to start from.
        steps: as in `beam_kernels.Jumps`.
        table: an empty hash table.
        waiting: room for `most` + 1 positions.
        most: how many positions to look at.
    """
    table[place_of(start, table)] = start
    waiting[0] = start
    count, left = 1, 1
    fewest = popcount(start)
    while left > 0:
        left -= 1
        position = waiting[left]
        fewest = min(fewest, popcount(position))
        for group in range(steps.shape[0]):
            can, three = jumps_in(position, steps, group)
            while can != ZERO:
                after = position ^ three << np.uint64(lowest_bit(can))
                can &= can - ONE
                place = place_of(after, table)
                if table[place] == ZERO:
                    if count == most:
                        return fewest, count + 1
                    table[place] = after
                    waiting[left] = after
                    left += 1
                    count += 1
    return fewest, count
