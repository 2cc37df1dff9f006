"""The compiled loops of the beam searches: positions of any shape up to 64 holes, level by level.

A level is a list of positions. While it is filled, a hash table holds its positions, so that each is listed
only once; going through the list again empties the table. The search is not exhaustive: positions that do not
fit are dropped.
"""

from typing import NamedTuple

import numpy as np

from grader.oracle.bits import LANE_TOPS, ONE, ZERO, inlined, kernel, lowest_bit, popcount, sum_of

BYTE = np.uint64(255)
BUCKETS = 4096  # of scores, from which the best are picked without sorting
FIBONACCI = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: a multiplier that spreads
MIXER = np.uint64(0xD6E8FEB86659FD93)


class Jumps(NamedTuple):
    """The places for jumps and the pairs of neighbours of a shape, grouped by distances between holes.

    A distance is the difference between the numbers of two holes.
    """

    # shape (groups, 3), uint64: for each group of threes (three neighbouring holes in a line), the distance
    # from the first hole to the middle one, the distance to the last one, and the first holes as a position
    steps: np.ndarray
    # shape (groups, 2), uint64: for each group of pairs, the distance from a hole to the next one in its row
    # or column, and the first hole of each pair, as a position
    pairs: np.ndarray


class Score(NamedTuple):
    """What makes a position promising; the lower the score, the better."""

    sums: np.ndarray  # shape (bytes, 256), int64: how much each value of each byte of a position adds
    isolated: int  # how much a peg without a neighbour adds
    jump: int  # how much is taken off for each jump that can be made
    noise: int  # how many random bits to add, so that searches with different seeds differ
    # shape (bytes, 256), uint64: pagoda functions, one in each 8-bit lane of a word. If a lane of a
    # position's sum lacks its top bit, the position is lost. Without rows, no position is known to be lost.
    lost: np.ndarray


@inlined
def place_of(position, table):
    """Return the index of a position in a hash table of 2^n words, or of the empty place for it.

    A word that is 0 is an empty place.
    """
    mask = np.uint64(table.shape[0] - 1)
    mixed = position * FIBONACCI
    at = (mixed ^ mixed >> np.uint64(32)) & mask
    while table[at] != ZERO and table[at] != position:
        at = (at + ONE) & mask
    return at


@inlined
def jumps_in(position, steps, group):
    """Return a position's jumps in one group of threes, and the bit pattern of such a three.

    A jump is given as the bit of the first hole of its three.
    The pattern starts at bit 0; shifted to that bit, it is the holes that the jump changes.
    """
    to_middle, to_last = steps[group, 0], steps[group, 1]
    can = position >> to_middle & (position ^ position >> to_last) & steps[group, 2]
    return can, ONE | ONE << to_middle | ONE << to_last


@kernel
def holds(position, table):
    """Return whether a position is in a hash table."""
    return table[place_of(position, table)] == position


@inlined
def is_lost(position, lost):
    """Return whether some pagoda function shows that no goal can be reached from a position."""
    return lost.shape[0] > 0 and sum_of(lost, position) & LANE_TOPS != LANE_TOPS


@inlined
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


@kernel
def pick_best(scores, count, width, picked):
    """Pick approximately the `width` lowest of the first `count` scores; return how many were picked.

    Their indices are written into `picked`. Only scores that differ by little may be picked in the wrong
    order.
    """
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


@kernel
def go_down(
    start, levels, jumps, score, seed, width, near, beam, parents, table, found, origins, scores, picked,
):  # fmt: skip
    """Search once from `start`, keeping only the best positions of each level.

    Args:
        levels: how many jumps to make before a position must be in `near`, at least 1.
        seed: the seed of the noise, uint64.
        near: a hash table of the positions after `levels` jumps from which a goal can be reached.
        beam, parents: shape (levels, width), uint64 and int64, to be filled in: the positions kept after each
            jump, and for each the index of its parent in the level before.
        table: an empty hash table, which is empty again afterwards.
        found, origins, scores, picked: arrays of one length, with room for the positions after a jump; the
            table is at least twice as long.

    Returns:
        The position found in `near` (0 if none was), the index of its parent in the level before, and
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
        # Removed in reverse order, so that no lookup of a later position stops at the gap of an earlier one.
        for each in range(count - 1, -1, -1):
            table[place_of(found[each], table)] = ZERO
    return ZERO, -1, dropped


@kernel
def grow_back(goals, full, levels, jumps, table, found):
    """Collect the positions from which a goal can be reached, level by level, as long as whole levels fit.

    Args:
        goals: shape (goals,), uint64, all different, with the same number of pegs.
        table: an empty hash table, to be filled with the positions.
        found: an array with room for the positions, uint64; the table is at least twice as long.

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
