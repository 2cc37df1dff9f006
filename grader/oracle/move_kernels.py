"""The compiled loops that count the jump sequences and the moves along the winning positions.

A move is any number of consecutive jumps by one peg. Many ways may lead to a position in the fewest moves.
For the moves still to come, they differ only in which peg moved last. Ways to the position with more moves do
not matter for the fewest moves: such a way saves a move only if its last peg jumps again. But after a way
with the fewest moves, the same jump costs just one move more.
"""

from typing import NamedTuple

import numpy as np

from grader.oracle.bits import ONE, ZERO, inlined, kernel, lowest_bit, popcount, prefetch
from grader.oracle.index import Level, LowHoles
from grader.oracle.kernels import (
    BATCH,
    BLOCK,
    ROOM,
    Moves,
    all_images,
    jumps_of,
    list_positions,
    next_words,
    rank,
    room_for_images,
)

MOVES_AT = np.uint64(56)  # a past has the number of moves from this bit on
NEVER_MOVES = np.uint64(0x7F)
NEVER = NEVER_MOVES << MOVES_AT


class Members(NamedTuple):
    """A set of positions, which are numbered in ascending order."""

    level: Level
    # shape (words, 2), uint64: one bit per position, and how many positions all earlier words have
    words: np.ndarray
    size: int


@inlined
def find(images, moves, place, low, level):
    """Find the position after the jump over the three holes at `place` in `moves`.

    Returns:
        The number of the new position in its level, and the symmetry that takes it to its least image.
    """
    count = images.shape[0]
    least, which = images[0] ^ moves.changes[place * count], 0
    for k in range(1, count):
        other = images[k] ^ moves.changes[place * count + k]
        if other < least:
            least, which = other, k
    return rank(least, low, level.before), which


@inlined
def number_of(at, members):
    """Return which of `members` has the number `at` in their level.

    Members are counted from 0; the result is `members.size` if no member has that number.
    """
    word = members.words[at >> 6, 0]
    bit = ONE << np.uint64(at & 63)
    number = members.words[at >> 6, 1] + popcount(word & (bit - ONE))
    # A selection, not a branch, which would be mispredicted half of the time.
    return np.int64(number if word & bit != ZERO else np.uint64(members.size))


@kernel
def follow(
    earlier: Members, pasts: np.ndarray, ways: np.ndarray, later: Members, found_pasts: np.ndarray,
    found_ways: np.ndarray, bits_of: np.ndarray, low: LowHoles, moves: Moves, full, counter: np.ndarray,
    lanes,
):  # fmt: skip
    """Compute in how many moves and by how many jump sequences the start leads to each position of `later`.

    This follows from the same numbers for `earlier`, the positions one jump before.

    Args:
        pasts: shape (positions + 1,), uint64. For each position of `earlier`: from bit 56 on, the least
            number of moves from the start; below, a bit for each hole whose peg can have moved last when that
            number of moves was made. NEVER in the last row.
        ways: shape (positions + 1, 1 or 2), uint64: the number of jump sequences from the start: its lower 64
            bits and the rest. The last row is 0.
        found_pasts, found_ways: the same for `later`, to be filled in.
        bits_of: the set of `later` with one bit per position, as in `PositionSet.bits`.
    """
    words, flat_ways = np.uint64(ways.shape[1]), ways.reshape(-1)
    images = room_for_images(lanes)
    listed = np.empty(64 * BLOCK, dtype=np.uint64)
    # Jumps are handled in batches: memory is prefetched for all of a batch, so that no lookup waits for it.
    jumps_until = np.empty(BATCH, dtype=np.int64)  # by position: how many jumps there are up to its last one
    # By jump: the number of its origin in the level, and then among the members; and in one word the hole
    # where the jump ends, and the hole where it starts in the image that stands for its origin.
    origins = np.empty(ROOM, dtype=np.int64)
    details = np.empty(ROOM, dtype=np.int64)
    while True:
        start, stop, high = next_words(counter, later.level, bits_of)
        if start < 0:
            return
        member = np.int64(later.words[start, 1])
        size = list_positions(bits_of, start, stop, high, later.level, low, listed)
        positions = count = 0  # in the batch, and their jumps
        for each in range(size):
            all_images(images, listed[each], low, moves, lanes)
            empty = full ^ listed[each]
            jumps, more_jumps = jumps_of(empty, moves)
            for first_place in (0, 64):
                while jumps != ZERO:
                    place = first_place + lowest_bit(jumps)
                    jumps &= jumps - ONE
                    at, which = find(images, moves, place, low, earlier.level)
                    prefetch(earlier.words, at >> 6 << 1)
                    to_last = np.int64(empty >> np.uint64(moves.ends[place, 0]) & ONE)
                    start_hole, end_hole = moves.ends[place, 1 - to_last], moves.ends[place, to_last]
                    origins[count] = at
                    details[count] = end_hole << 8 | moves.targets[which, start_hole]
                    count += 1
                jumps = more_jumps
            jumps_until[positions] = count
            positions += 1
            if count < BATCH and positions < BATCH and each < size - 1:
                continue
            for jump in range(count):
                origins[jump] = number_of(origins[jump], earlier)
                prefetch(pasts, origins[jump])
                prefetch(ways, origins[jump] * ways.shape[1])
            first = 0
            for i in range(positions):
                # Slices, since their indices are never negative and need no test for that.
                own_origins, own_details = origins[first : jumps_until[i]], details[first : jumps_until[i]]
                first = jumps_until[i]
                fewest, lasts = NEVER_MOVES, ZERO
                lower_ways, upper_ways = ZERO, ZERO
                for jump in range(len(own_origins)):
                    detail = own_details[jump]
                    start_hole, end_hole = detail & 255, detail >> 8
                    at = np.uint64(own_origins[jump])
                    past = pasts[at]
                    needed = (past >> MOVES_AT) + (~past >> np.uint64(start_hole) & ONE)
                    lasts = lasts if needed >= fewest else ZERO
                    fewest = min(needed, fewest)
                    lasts |= (ONE if needed == fewest else ZERO) << np.uint64(end_hole)
                    more_ways = flat_ways[at * words]
                    lower_ways += more_ways
                    upper_ways += np.uint64(lower_ways < more_ways)
                    if words > ONE:
                        upper_ways += flat_ways[at * words + ONE]
                found_pasts[member] = fewest << MOVES_AT | lasts
                found_ways[member, 0] = lower_ways
                if found_ways.shape[1] > 1:
                    found_ways[member, 1] = upper_ways
                member += 1
            positions = count = 0


@kernel
def lead_back(
    positions: np.ndarray, pegs: np.ndarray, made: np.ndarray, most: int, earlier: Members, pasts: np.ndarray,
    low: LowHoles, moves: Moves, full, lanes, befores: np.ndarray, origins: np.ndarray,
    before_pegs: np.ndarray, before_made: np.ndarray,
):  # fmt: skip
    """List the states one jump before the given states, in solutions with at most `most` moves.

    A state is a position, the hole of the peg that jumps next (-1 at the end), and the number of moves from
    this position to the end.

    Args:
        positions, pegs, made: the given states, shape (states,): uint64, int64, int64.
        pasts: as for `follow`.
        befores, before_pegs, before_made: arrays for the states before. If they are too short, the states for
            which there is no room are only counted.
        origins: for each state before, the index of the given state to which it leads.
    """
    images = room_for_images(lanes)
    count = 0
    for state in range(positions.shape[0]):
        empty = full ^ positions[state]
        all_images(images, positions[state], low, moves, lanes)
        jumps, more_jumps = jumps_of(empty, moves)
        for first_place in (0, 64):
            while jumps != ZERO:
                place = first_place + lowest_bit(jumps)
                jumps &= jumps - ONE
                start_hole, end_hole = moves.ends[place, 0], moves.ends[place, 1]
                if empty >> np.uint64(start_hole) & ONE == ZERO:
                    start_hole, end_hole = end_hole, start_hole
                at, which = find(images, moves, place, low, earlier.level)
                number = number_of(at, earlier)
                if number == earlier.size:
                    continue
                needed = made[state] + (end_hole != pegs[state])
                past = pasts[number]
                goes_on = np.int64(past >> np.uint64(moves.targets[which, start_hole]) & ONE)
                if np.int64(past >> MOVES_AT) + needed - goes_on > most:
                    continue
                if count < befores.shape[0]:
                    befores[count], origins[count] = (
                        positions[state] ^ moves.changes[place * len(lanes)],
                        state,
                    )
                    before_pegs[count], before_made[count] = start_hole, needed
                count += 1
            jumps = more_jumps
    return count
