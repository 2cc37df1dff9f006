"""The compiled loops of the beam searches: positions of any shape up to 64 holes, level by level.

A level is a list; a hash table holds the positions met, so that each is listed once, and is emptied by
walking the list again. Nothing here is exhaustive: what does not fit is dropped.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from grader.oracle.bits import LANE_TOPS, ONE, ZERO, lowest_bit, popcount, sum_of

BYTE = np.uint64(255)
BUCKETS = 4096  # of scores, from which the best are picked without sorting
FIBONACCI = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: a multiplier that spreads
MIXER = np.uint64(0xD6E8FEB86659FD93)


class Jumps(NamedTuple):
    """The threes and the neighbours of a shape, grouped by the distances between their holes' numbers.

    Attributes:
        steps: shape (groups, 3), uint64: from the first hole to the middle one, to the last one, the first
            holes.
        pairs: shape (groups, 2), uint64: from a hole to the next one in its row or column, and the former
            holes.
    """

    steps: np.ndarray
    pairs: np.ndarray


class Score(NamedTuple):
    """What makes a position promising; the lower the score, the better.

    Attributes:
        sums: shape (bytes, 256), int64: what the pegs of each byte of a position add.
        isolated: what a peg without a neighbour adds.
        jump: what each jump that can be made takes off.
        noise: bits of noise to add, so that searches with other seeds differ.
        lost: shape (bytes, 256), uint64: pagoda functions, a lane each, whose sum lacks a top bit when the
            position is lost; without rows none is known to be.
    """

    sums: np.ndarray
    isolated: int
    jump: int
    noise: int
    lost: np.ndarray


@njit(cache=True, nogil=True, inline="always")
def place_of(position, table):
    """Return where in a table of 2^n words a position is, or the empty place for it; 0 marks empty places."""
    mask = np.uint64(table.shape[0] - 1)
    mixed = position * FIBONACCI
    at = (mixed ^ mixed >> np.uint64(32)) & mask
    while table[at] != ZERO and table[at] != position:
        at = (at + ONE) & mask
    return at


@njit(cache=True, nogil=True, inline="always")
def jumps_in(position, steps, group):
    """Return the first holes of a position's jumps in a group, and the three of the lowest one."""
    to_middle, to_last = steps[group, 0], steps[group, 1]
    can = position >> to_middle & (position ^ position >> to_last) & steps[group, 2]
    return can, ONE | ONE << to_middle | ONE << to_last


@njit(cache=True, nogil=True)
def holds(position, table):
    """Return whether a position is in a table."""
    return table[place_of(position, table)] == position


@njit(cache=True, nogil=True, inline="always")
def is_lost(position, lost):
    """Return whether some pagoda function shows that no goal can be reached."""
    return lost.shape[0] > 0 and sum_of(lost, position) & LANE_TOPS != LANE_TOPS


@njit(cache=True, nogil=True, inline="always")
def score_of(position, jumps, score, seed):
    """Return the score of a position, int64."""
    total = np.int64(0)
    rest, byte = position, 0
    while rest != ZERO:
        total += score.sums[byte, rest & BYTE]
        rest >>= np.uint64(8)
        byte += 1
    if score.jump != 0:
        can = ZERO
        for group in range(jumps.steps.shape[0]):
            to_last = position >> jumps.steps[group, 1]
            can += popcount(position >> jumps.steps[group, 0] & (position ^ to_last) & jumps.steps[group, 2])
        total -= np.int64(can) * score.jump
    if score.isolated != 0:
        company = ZERO
        for group in range(jumps.pairs.shape[0]):
            both = position & position >> jumps.pairs[group, 0] & jumps.pairs[group, 1]
            company |= both | both << jumps.pairs[group, 0]
        total += np.int64(popcount(position & ~company)) * score.isolated
    if score.noise != 0:
        mixed = (position ^ seed) * MIXER
        mixed = (mixed ^ mixed >> np.uint64(32)) * FIBONACCI
        total += np.int64(mixed >> np.uint64(64 - score.noise))
    return total


@njit(cache=True, nogil=True)
def pick_best(scores, count, width, picked):
    """Write the numbers of about the `width` lowest of `count` scores into `picked`; return how many."""
    if count <= width:
        for each in range(count):
            picked[each] = each
        return count
    least, most = scores[0], scores[0]
    for each in range(1, count):
        least, most = min(least, scores[each]), max(most, scores[each])
    shift = 0
    while (most - least) >> shift >= BUCKETS:
        shift += 1
    sizes = np.zeros(BUCKETS, dtype=np.int64)
    for each in range(count):
        sizes[(scores[each] - least) >> shift] += 1
    last, room = 0, width
    while sizes[last] <= room:
        room -= sizes[last]
        last += 1
    taken = 0
    for each in range(count):
        bucket = (scores[each] - least) >> shift
        if bucket == last:
            room -= 1
        if bucket < last or (bucket == last and room >= 0):
            picked[taken] = each
            taken += 1
    return taken


@njit(cache=True, nogil=True)
def go_down(
    start, levels, jumps, score, seed, width, near, beam, parents, table, found, origins, scores, picked,
):  # fmt: skip
    """Search once from `start`, keeping the best positions of each level.

    Args:
        start: the position to start from.
        levels: how many jumps to make before a position must be in `near`, at least 1.
        seed: of the noise, uint64.
        width: how many positions of a level are kept.
        near: the positions from which a goal can be reached, with `levels` jumps fewer; a hash table.
        beam, parents: shape (levels, width), uint64 and int64, to be filled in: what is kept after each jump,
            and the number, in the level before, of what it came from.
        table: an empty hash table, empty again afterwards.
        found, origins, scores, picked: room for the positions after a jump, at most half of the table.

    Returns:
        The position found in `near` (0 without one), the number of its origin in the level before, and
        whether any position was dropped.
    """
    dropped = False
    room = found.shape[0]
    size = 1
    for level in range(levels):
        last = level == levels - 1
        count = 0
        for parent in range(size):
            position = start if level == 0 else beam[level - 1, parent]
            for group in range(jumps.steps.shape[0]):
                can, three = jumps_in(position, jumps.steps, group)
                while can != ZERO:
                    after = position ^ three << np.uint64(lowest_bit(can))
                    can &= can - ONE
                    if last:
                        if near[place_of(after, near)] == after:
                            return after, parent, dropped
                        continue
                    at = place_of(after, table)
                    if table[at] == after or is_lost(after, score.lost):
                        continue
                    if count == room:
                        dropped = True
                        continue
                    table[at] = after
                    found[count] = after
                    origins[count] = parent
                    count += 1
        if last or count == 0:
            break
        if count > width:
            dropped = True
            for each in range(count):
                scores[each] = score_of(found[each], jumps, score, seed)
        size = pick_best(scores, count, width, picked)
        for each in range(size):
            beam[level, each] = found[picked[each]]
            parents[level, each] = origins[picked[each]]
        # Emptied in reverse order, so that no search for a later one meets the gap of an earlier one.
        for each in range(count - 1, -1, -1):
            table[place_of(found[each], table)] = ZERO
    return ZERO, -1, dropped


@njit(cache=True, nogil=True)
def grow_back(goals, full, levels, jumps, table, found):
    """List what can reach `goals`, whole levels, while there is room.

    Args:
        goals: shape (goals,), uint64, all different, with one number of pegs.
        levels: the most levels to add.
        table: an empty hash table for them, filled in.
        found: room for all of them, uint64, at most half of the table.

    Returns:
        How many levels were added.
    """
    count = 0
    for goal in goals:
        table[place_of(goal, table)] = goal
        found[count] = goal
        count += 1
    begin = 0
    for level in range(levels):
        end = count
        for number in range(begin, end):
            for group in range(jumps.steps.shape[0]):
                can, three = jumps_in(full ^ found[number], jumps.steps, group)
                while can != ZERO:
                    before = found[number] ^ three << np.uint64(lowest_bit(can))
                    can &= can - ONE
                    at = place_of(before, table)
                    if table[at] == before:
                        continue
                    if count == found.shape[0]:  # half a level is of no use: a jump can bypass it
                        return level
                    table[at] = before
                    found[count] = before
                    count += 1
        if count == end:
            return level
        begin = end
    return levels
