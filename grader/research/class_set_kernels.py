"""The compiled loops over a `class_set.ClassSet`: jumps taken back for 64 positions at a time, and counts."""

from typing import NamedTuple

import numpy as np
from numba import njit

from grader.oracle.bits import ONE, ZERO, lowest_bit, popcount, take_number

BLOCKS = 64  # that a thread takes at a time


class Jumps(NamedTuple):
    """The jumps of a shape, as seen from the parts of a position; see `class_set.Layout`.

    Attributes:
        outer: shape (jumps,), int64: the cells of each jump among the outer holes.
        needed: shape (jumps,), int64: those of them that have a peg before the jump.
        inner: shape (jumps,), int64: its cells among the inner holes.
        free: shape (jumps,), int64: its cells among the free holes.
        masks: shape (jumps, 16, inner values), uint64: the positions of a word that can jump, by the class
            code that the free and dependent holes of a block's first word must have, and by inner value.
        outer_only: how many jumps, which come first, have all cells among the outer holes.
    """

    outer: np.ndarray
    needed: np.ndarray
    inner: np.ndarray
    free: np.ndarray
    masks: np.ndarray
    outer_only: int


@njit(cache=True, nogil=True)
def take_back(
    words: np.ndarray, order: np.ndarray, codes: np.ndarray, jumps: Jumps, halves: np.ndarray,
    counter: np.ndarray,
) -> int:  # fmt: skip
    """Add the positions of some blocks from which a jump leads into the set.

    Args:
        words: shape (blocks, inner values), uint64: the set.
        order: the blocks that are looked at, in this order.
        codes: shape (blocks,), uint8: the class code that the free and dependent holes of each block's first
            word have.
        halves: shape (6,), uint64: for each free hole, the bits of a word in whose positions it is empty.
        counter: shape (1,), int64, 0 at first; threads that share a counter share the work.

    Returns:
        How many of the blocks have new positions.
    """
    size = words.shape[1]
    found = np.empty(size, dtype=np.uint64)
    after = np.empty(size, dtype=np.uint64)
    changed = 0
    while True:
        start = take_number(counter) * BLOCKS
        if start >= order.shape[0]:
            return changed
        for place in range(start, min(start + BLOCKS, order.shape[0])):
            block = np.int64(order[place])
            found[:] = ZERO
            for jump in range(jumps.outer_only):
                if block & jumps.outer[jump] == jumps.needed[jump]:
                    source = words[block ^ jumps.outer[jump]]
                    for inner in range(size):
                        found[inner] |= source[inner]
            for jump in range(jumps.outer_only, jumps.outer.shape[0]):
                if block & jumps.outer[jump] != jumps.needed[jump]:
                    continue
                source = words[block ^ jumps.outer[jump]]
                for inner in range(size):
                    after[inner] = source[inner ^ jumps.inner[jump]]
                for hole in range(6):
                    if jumps.free[jump] >> hole & 1:
                        half, shift = halves[hole], ONE << np.uint64(hole)
                        for inner in range(size):
                            after[inner] = (after[inner] & half) << shift | after[inner] >> shift & half
                mask = jumps.masks[jump, codes[block]]
                for inner in range(size):
                    found[inner] |= after[inner] & mask[inner]
            new = ZERO
            for inner in range(size):
                new |= found[inner] & ~words[block, inner]
            if new != ZERO:
                changed += 1
                for inner in range(size):
                    words[block, inner] |= found[inner]


@njit(cache=True, nogil=True)
def count_by_pegs(
    words: np.ndarray, codes: np.ndarray, inner_codes: np.ndarray, with_pegs: np.ndarray, counter: np.ndarray
) -> np.ndarray:
    """Return how many positions of a set there are with each number of pegs, shape (64,), int64.

    Args:
        words, codes, counter: as for `take_back`.
        inner_codes: shape (inner values,), uint8: the class code of each.
        with_pegs: see `Layout.with_pegs`.
    """
    counts = np.zeros(64, dtype=np.int64)
    while True:
        start = take_number(counter) * BLOCKS
        if start >= words.shape[0]:
            return counts
        for block in range(start, min(start + BLOCKS, words.shape[0])):
            outer_pegs = np.int64(popcount(np.uint64(block)))
            for inner in range(words.shape[1]):
                word = words[block, inner]
                if word == ZERO:
                    continue
                pegs = outer_pegs + np.int64(popcount(np.uint64(inner)))
                masks = with_pegs[codes[block] ^ inner_codes[inner]]
                for more in range(masks.shape[0]):
                    counts[pegs + more] += np.int64(popcount(word & masks[more]))


@njit(cache=True, nogil=True)
def count_unions(
    words: np.ndarray, pegs: np.ndarray, places: np.ndarray, codes: np.ndarray, class_: int
) -> np.ndarray:
    """Return how many unions of some sets of holes are in a set of positions, by their pegs.

    The result has the shape (64,), int64.

    Args:
        words: shape (words,), uint64: the set.
        pegs: shape (sets,), int64: how many holes each set of holes has; no two sets share one.
        places: shape (sets,), int64: the XOR of its holes' parts in a position's place.
        codes: shape (sets,), int64: the XOR of its holes' class codes.
        class_: the class of the positions in the set.
    """
    counts = np.zeros(64, dtype=np.int64)
    taken = place = code = held = 0
    for number in range(1, 1 << pegs.shape[0]):  # in the order of a Gray code: one set of holes comes or goes
        each = lowest_bit(np.uint64(number))
        taken ^= 1 << each
        held += pegs[each] if taken >> each & 1 else -pegs[each]
        place ^= places[each]
        code ^= codes[each]
        if code == class_ and words[place >> 6] >> np.uint64(place & 63) & ONE != ZERO:
            counts[held] += 1
    return counts
