"""The compiled loops that count ways and moves along the winning positions.

A move is as many jumps of one peg in a row as one likes. What a position's past matters for its future is
only
which peg moved last, if it was reached in the least number of moves: with another last peg it costs at most
    one
move more, which is what starting a new move costs anyway.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from grader.oracle.bits import lowest_bit, popcount
from grader.oracle.index import Level, LowHoles
from grader.oracle.kernels import (
    ONE,
    ZERO,
    Moves,
    all_images,
    bits_between,
    jumps_of,
    next_block,
    position_of,
    rank,
)

MOVES_AT = np.uint64(56)  # a past has the number of moves from this bit on
HOLES = (ONE << MOVES_AT) - ONE
NEVER = np.uint64(0x7F) << MOVES_AT
PAST, WAYS, MORE_WAYS = 0, 1, 2


class Members(NamedTuple):
    """A set whose members are numbered in their order.

    Attributes:
        level: the index.
        words: shape (words, 2), uint64: one bit a position, and how many positions the words before have.
        size: how many positions there are.
    """

    level: Level
    words: np.ndarray
    size: int


@njit(cache=True, nogil=True, inline="always")
def find(images, moves, place, low, members):  # type: ignore[no-untyped-def]
    """Find the outcome of a jump, noted at `place`, among `members`.

    Args:
        images: the images of the position that jumps.

    Returns:
        The number of the outcome, or that after the last member; and the symmetry that takes it to its least
        image.
    """
    count = images.shape[0]
    least, which = images[0] ^ moves.changes[place * count], 0
    for k in range(1, count):
        other = images[k] ^ moves.changes[place * count + k]
        if other < least:
            least, which = other, k
    at = rank(least, low, members.level.before)
    word = members.words[at >> 6, 0]
    bit = ONE << np.uint64(at & 63)
    number = members.words[at >> 6, 1] + popcount(word & (bit - ONE))
    # A choice, not a branch: what is guessed wrong half of the time would hold up all that comes after.
    return np.int64(number if word & bit != ZERO else np.uint64(members.size)), which


@njit(cache=True, nogil=True)
def follow(  # type: ignore[no-untyped-def]
    earlier: Members, known: np.ndarray, later: Members, bits_of: np.ndarray, found: np.ndarray,
    low: LowHoles, moves: Moves, full, counter: np.ndarray, lanes,
):  # fmt: skip
    """Fill in what is known of the positions of `later` from what is known of those one jump before.

    Args:
        known: shape (positions + 1, 3), uint64. Of each of `earlier` its past: the least number of moves from
            the start, from bit 56 on, and below it a bit for each hole with a peg that can have moved last
            then. And the number of jump sequences from the start, its lower 64 bits and the rest. After the
            last: NEVER, 0, 0.
        bits_of: the bits of `later`.
        found: the same for `later`, to be filled in.
    """
    images = np.empty(64, dtype=np.uint64)[16 : 16 + len(lanes)]
    while True:
        start, stop = next_block(counter, later.level, bits_of)
        if start < 0:
            return
        for high in range(start, stop):
            begin, end = np.int64(later.level.before[high]), np.int64(later.level.before[high + 1])
            for word in range(begin >> 6, (end + 63) >> 6):
                bits = bits_between(bits_of, word, begin, end)
                while bits != ZERO:
                    bit = bits & (~bits + ONE)
                    member = np.int64(later.words[word, 1] + popcount(bits_of[word] & (bit - ONE)))
                    position = position_of(high, (word << 6) + lowest_bit(bits) - begin, later.level, low)
                    bits ^= bit
                    fewest, lasts = NEVER, ZERO
                    ways, more_ways = ZERO, ZERO
                    all_images(images, position, low, moves)
                    empty = full ^ position
                    jumps, more_jumps = jumps_of(empty, moves)
                    for first_place in (0, 64):
                        while jumps != ZERO:
                            place = first_place + lowest_bit(jumps)
                            jumps &= jumps - ONE
                            number, which = find(images, moves, place, low, earlier)
                            start_hole, end_hole = moves.ends[place, 0], moves.ends[place, 1]
                            if empty >> np.uint64(start_hole) & ONE == ZERO:
                                start_hole, end_hole = end_hole, start_hole
                            past = known[number, PAST]
                            goes_on = past >> np.uint64(moves.targets[which, start_hole]) & ONE
                            needed = (past & ~HOLES) + ((ONE ^ goes_on) << MOVES_AT)
                            lasts = lasts if needed >= fewest else ZERO
                            fewest = min(needed, fewest)
                            lasts |= (ONE if needed == fewest else ZERO) << np.uint64(end_hole)
                            ways += known[number, WAYS]
                            more_ways += known[number, MORE_WAYS] + np.uint64(ways < known[number, WAYS])
                        jumps = more_jumps
                    found[member, PAST] = fewest | lasts
                    found[member, WAYS] = ways
                    found[member, MORE_WAYS] = more_ways


@njit(cache=True, nogil=True)
def lead_back(  # type: ignore[no-untyped-def]
    positions: np.ndarray, pegs: np.ndarray, made: np.ndarray, most: int, earlier: Members, pasts: np.ndarray,
    low: LowHoles, moves: Moves, full, lanes, befores: np.ndarray, origins: np.ndarray,
    before_pegs: np.ndarray, before_made: np.ndarray,
):  # fmt: skip
    """List the jumps that may come just before some states of solutions with at most `most` moves.

    A state is a position, the hole of the peg that jumps next (-1 at the end), and the moves from here on.

    Args:
        positions, pegs, made: the states, shape (states,): uint64, int64, int64.
        befores, origins, before_pegs, before_made: room for the states before, and the number of the state
            each leads to; with fewer entries than needed nothing is written beyond them.

    Returns:
        How many there are.
    """
    images = np.empty(len(lanes), dtype=np.uint64)
    count = 0
    for state in range(positions.shape[0]):
        empty = full ^ positions[state]
        all_images(images, positions[state], low, moves)
        jumps, more_jumps = jumps_of(empty, moves)
        for first_place in (0, 64):
            while jumps != ZERO:
                place = first_place + lowest_bit(jumps)
                jumps &= jumps - ONE
                start_hole, end_hole = moves.ends[place, 0], moves.ends[place, 1]
                if empty >> np.uint64(start_hole) & ONE == ZERO:
                    start_hole, end_hole = end_hole, start_hole
                number, which = find(images, moves, place, low, earlier)
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
