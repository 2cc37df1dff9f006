"""Walk all positions that can be reached from a board, up to a limit; compiled, since this is often done."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from framework.rules import fewest_of
from grader.oracle.beam_kernels import holds, jumps_in, place_of
from grader.oracle.bits import ONE, ZERO, kernel, lowest_bit, popcount
from grader.oracle.shape import Hole, Shape, groups_of

FIRST_ROOM = 1 << 13


class Walked(NamedTuple):
    """The outcome of a walk."""

    fewest: int  # the fewest pegs of any position looked at
    positions: int | None  # how many positions can be reached; None when there are more than the limit


def walk(shape: Shape, position: int, most: int) -> Walked:
    """Look at all positions that can be reached from `position`, depth first, up to `most` of them."""
    walked, table = _walked(shape, [position], most)
    won = walked.fewest == 1 and any(holds(np.uint64(goal), table) for goal in shape.goals)
    return walked._replace(fewest=fewest_of(walked.fewest, won))


def last_holes(shape: Shape, position: int, most: int) -> list[Hole] | None:
    """Return the holes on which a last peg can be left; None if more than `most` positions can be reached."""
    walked, table = _walked(shape, [position], most)
    if walked.positions is None:
        return None
    return [hole for number, hole in enumerate(shape.holes) if holds(np.uint64(1 << number), table)]


def winning_positions(shape: Shape, goals: Sequence[int], most: int) -> list[int] | None:
    """Return all positions from which one of `goals` can be reached, sorted; None if more than `most`.

    They are found from the complements of the goals, since taking a jump back is making a jump in the
    complement.
    """
    walked, table = _walked(shape, [shape.full ^ goal for goal in goals], most)
    if walked.positions is None:
        return None
    met = table[table != ZERO]
    return sorted((met ^ np.uint64(shape.full)).tolist())


def _walked(shape: Shape, starts: Sequence[int], most: int) -> tuple[Walked, np.ndarray]:
    """Walk from several positions, fewer than `most`; also return the hash table of the positions met."""
    steps = np.array([each[:3] for each in groups_of(shape)], dtype=np.uint64).reshape(-1, 3)
    room = min(FIRST_ROOM, most)
    while True:  # a small table first: most boards need no large one, and an empty one takes time to make
        table = np.zeros(2 << room.bit_length(), dtype=np.uint64)
        waiting = np.empty(room + 1, dtype=np.uint64)
        fewest, positions = _walk(np.array(starts, dtype=np.uint64), steps, table, waiting, room)
        if positions <= room:
            return Walked(int(fewest), int(positions)), table
        if room == most:
            return Walked(int(fewest), None), table
        room = min(8 * room, most)


@kernel
def _walk(starts, steps, table, waiting, most):
    """Return the fewest pegs of a position met, and how many positions were met.

    The number of positions is `most` + 1 when there are more than `most`.

    Args:
        starts: the positions to start from, all different.
        steps: as in `beam_kernels.Jumps`.
        table: an empty hash table.
        waiting: room for `most` + 1 positions.
    """
    count, left = 0, 0
    for start in starts:
        table[place_of(start, table)] = start
        waiting[left] = start
        count += 1
        left += 1
    fewest = popcount(starts[0])
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
