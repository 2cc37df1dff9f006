"""The compiled loops over sets of positions.

Of all images of a position under a group of symmetries, the least one, as an integer, stands for all. A set
contains only such least images. Images are linear: the image of a position after a jump is the image of the
position XOR the image of the three holes that change. So each image costs one XOR.

The complement of a position has pegs in exactly the other holes. Taking a jump back is the same as making a
jump in the complement. So one loop is enough, which can take complements before and after a jump: it makes
jumps forwards, takes jumps back, and finds where the two meet.
"""

from typing import Any, NamedTuple

import numpy as np

from grader.oracle.bits import (
    LANE_TOPS,
    ONE,
    ZERO,
    inlined,
    kernel,
    least_of_xor,
    lowest_bit,
    popcount,
    prefetch,
    set_to_xor,
    sum_of,
    take_number,
)
from grader.oracle.index import Level, LowHoles, low_group

PAGE = 512  # words of a page of memory
BLOCK = 256  # words of a set that a thread takes at a time
BATCH = 512  # jumps after which a batch is looked up
ROOM = BATCH + 64 * 128  # for a batch, and for the jumps of one more word
NO_SET = np.zeros(0, dtype=np.uint64)
# What `spread` marks. These are tuples, since compiled code knows the length of a tuple.
OUTCOMES, ORIGINS, COMPLEMENTS = (0,), (0, 0), (0, 0, 0)


class Moves(NamedTuple):
    """The jumps of a shape and their images under a group of K symmetries.

    `groups_of` gives each three a place from 0 to 127.
    """

    steps: np.ndarray  # shape (groups, 5), uint64; see `Group`
    # shape (128 * K,), uint64: at place * K + k, the k-th image of the three at that place
    changes: np.ndarray
    ends: np.ndarray  # shape (128, 2), int64: the first and the last hole of the three at each place
    # shape (bytes, 256 * K), uint64: the images of each value of each byte of the low holes
    low_images: np.ndarray
    high_images: np.ndarray  # the same for the high holes
    targets: np.ndarray  # shape (K, 64), int64: the hole to which each symmetry moves each hole


class Pruning(NamedTuple):
    """Tables of up to eight pagoda functions, one in each 8-bit lane of a word; see `pagoda.lane_sums`.

    The words for all bytes of a position are added up. If a lane of the sum lacks its top bit, the position
    is lost.
    """

    low: np.ndarray  # shape (bytes, 256), uint64: the words for the low holes
    # shape (bytes, 256), uint64: the words for the high holes; without rows, nothing is pruned
    high: np.ndarray


@inlined
def rank(position, low, before):
    """Return the number of a position in its level."""
    low_part = position & ((ONE << np.uint64(low.bits)) - ONE)
    return np.int64(low.ranks[low_part]) + np.int64(before[position >> np.uint64(low.bits)])


@inlined
def room_for_images(lanes):
    """Return an array for the images of a position, on cache lines that no other thread writes to."""
    return np.empty(64, dtype=np.uint64)[16 : 16 + len(lanes)]


@inlined
def add_images(images, tables, part, result, lanes):
    """Compute `images` XOR the images of the holes in `part`, and write them into `result`.

    `result` may be the same array as `images`.
    """
    for byte in range(tables.shape[0]):
        value = np.int64(part >> np.uint64(8 * byte) & np.uint64(255))
        set_to_xor(images if byte == 0 else result, tables[byte], value * len(lanes), result, lanes)


@inlined
def all_images(images, position, low, moves, lanes):
    """Write all images of a position into `images`."""
    images[:] = ZERO
    add_images(images, moves.low_images, position & ((ONE << np.uint64(low.bits)) - ONE), images, lanes)
    add_images(images, moves.high_images, position >> np.uint64(low.bits), images, lanes)


@inlined
def jumps_of(position, moves):
    """Return the jumps of a position as two words, with one bit for each possible jump."""
    jumps, more_jumps = ZERO, ZERO
    for group in range(moves.steps.shape[0]):
        to_last = moves.steps[group, 1]
        found = position >> moves.steps[group, 0] & (position ^ position >> to_last) & moves.steps[group, 2]
        if moves.steps[group, 3] == ZERO:
            jumps |= found << moves.steps[group, 4]
        else:
            more_jumps |= found << moves.steps[group, 4]
    return jumps, more_jumps


@inlined
def next_words(counter, level, source):
    """Claim the next range of words of a set, which no other thread then examines.

    Return the index of the first word, the index after the last word, and the high holes of the position
    that bit 0 of the first word stands for. All three are -1 when no words are left.
    """
    while True:
        start = take_number(counter) * BLOCK
        if start >= source.shape[0]:
            return -1, -1, -1
        stop = min(start + BLOCK, source.shape[0])
        some = ZERO
        for word in range(start, stop):
            some |= source[word]
        if some != ZERO:
            high, after = 0, level.high.pegs.shape[0]
            while after - high > 1:
                middle = (high + after) // 2
                if np.int64(level.before[middle]) <= start << 6:
                    high = middle
                else:
                    after = middle
            return start, stop, high


@inlined
def high_part(number, high, level, low):
    """Return the high holes of the position `number`, and where positions with the same high holes end.

    Returns:
        The value of the high holes, which is at least `high`; the number after the last position that has the
        same high holes; and what to add to the number of such a position to get the place of its low holes in
        `LowHoles.values`.
    """
    while np.int64(level.before[high + 1]) <= number:
        high += 1
    offset = low.group_starts[low_group(high, level, low)] - np.int64(level.before[high])
    return high, np.int64(level.before[high + 1]), offset


@kernel
def spread(
    source: np.ndarray, level: Level, low: LowHoles, moves: Moves, pruning: Pruning, flip_in, flip_out,
    within: np.ndarray, other_level: Level, target: np.ndarray, counter: np.ndarray, lanes, marked,
):  # fmt: skip
    """Make every jump from the positions of a set, and mark the outcomes, or what else `marked` selects.

    Args:
        source: a set of positions of `level`; positions that `pruning` shows to be lost are skipped.
        flip_in: each position is XORed with this before it jumps: 0, or all holes to take the complement.
        flip_out: each outcome is XORed with this: 0, or all holes.
        within: the set of positions of `other_level` that count as outcomes, or NO_SET for all.
        target: the set in which positions are marked.
        counter: shape (1,), int64, 0 at first; threads that share a counter share the work.
        lanes: a tuple with as many items as there are symmetries.
        marked: OUTCOMES: mark the positions after one jump, if they are in `within`. ORIGINS: mark the
            positions of `source` from which one jump leads into `within`; that set is only read, which costs
            half of what writing would. COMPLEMENTS: make no jump, and mark the positions XORed with
            `flip_out`.
    """
    images = room_for_images(lanes)
    high_images = room_for_images(lanes)
    unchanged = np.zeros(len(lanes), dtype=np.uint64)
    shift = np.uint64(low.bits)
    prune = pruning.high.shape[0] > 0
    anywhere = within.shape[0] == 0
    flipped = flip_in ^ flip_out
    high_sum = ZERO
    # The least of many images may be anywhere in memory, so memory is first fetched for a whole batch.
    scattered = len(lanes) > 2
    found = np.empty(ROOM, dtype=np.int64)
    while True:
        start, stop, high = next_words(counter, level, source)
        if start < 0:
            return
        end, offset, count = 0, 0, 0
        for word in range(start, stop):
            bits = source[word]
            while bits != ZERO:
                number = (word << 6) + lowest_bit(bits)
                bits &= bits - ONE
                if number >= end:
                    high, end, offset = high_part(number, high, level, low)
                    high_images[:] = ZERO
                    high_flipped = np.uint64(high) ^ (flipped >> shift)
                    add_images(high_images, moves.high_images, high_flipped, high_images, lanes)
                    if prune:
                        high_sum = sum_of(pruning.high, np.uint64(high))
                low_part = np.uint64(low.values[offset + number])
                if prune and (high_sum + sum_of(pruning.low, low_part)) & LANE_TOPS != LANE_TOPS:
                    continue
                low_flipped = low_part ^ (flipped & ((ONE << shift) - ONE))
                add_images(high_images, moves.low_images, low_flipped, images, lanes)
                if len(marked) == len(COMPLEMENTS):
                    at = rank(least_of_xor(images, unchanged, 0, lanes), low, other_level.before)
                    target[at >> 6] |= ONE << np.uint64(at & 63)
                    continue
                jumps, more_jumps = jumps_of((low_part | np.uint64(high) << shift) ^ flip_in, moves)
                leads = ZERO
                for place in (0, 64):
                    while jumps != ZERO:
                        changes_at = (place + lowest_bit(jumps)) * len(lanes)
                        jumps &= jumps - ONE
                        after = least_of_xor(images, moves.changes, changes_at, lanes)
                        at = rank(after, low, other_level.before)
                        if len(marked) == len(ORIGINS):
                            leads |= within[at >> 6] >> np.uint64(at & 63)
                        elif scattered:
                            prefetch(target, at >> 6)
                            if not anywhere:
                                prefetch(within, at >> 6)
                            found[count] = at
                            count += 1
                        else:
                            bit = ONE << np.uint64(at & 63)
                            target[at >> 6] |= bit if anywhere else bit & within[at >> 6]
                    jumps = more_jumps
                if len(marked) == len(ORIGINS):
                    target[word] |= (leads & ONE) << np.uint64(number & 63)
            if count >= BATCH or word == stop - 1:
                for each in range(count):
                    at = found[each]
                    bit = ONE << np.uint64(at & 63)
                    target[at >> 6] |= bit if anywhere else bit & within[at >> 6]
                count = 0


@kernel
def merge(target: np.ndarray, parts: np.ndarray, counter: np.ndarray) -> Any:
    """Move all positions of `parts`, shape (sets, words), into `target`; return how many are then in it."""
    count: Any = ZERO
    while True:
        start = take_number(counter) * PAGE
        if start >= target.shape[0]:
            return np.int64(count)
        page = target[start : start + PAGE]
        for number in range(parts.shape[0]):
            part = parts[number, start : start + PAGE]
            some = ZERO
            for word in range(part.shape[0]):
                some |= part[word]
            if some != ZERO:  # memory that is never written costs nothing
                for word in range(part.shape[0]):
                    page[word] |= part[word]
                    part[word] = ZERO
        for word in range(page.shape[0]):
            count += popcount(page[word])


@kernel
def look_up(
    positions: np.ndarray, source: np.ndarray, level: Level, low: LowHoles, moves: Moves, found: np.ndarray,
    lanes,
):  # fmt: skip
    """Write into `found`, for each position, whether the position or an image of it is in a set."""
    images = room_for_images(lanes)
    for number in range(positions.shape[0]):
        all_images(images, positions[number], low, moves, lanes)
        at = rank(images.min(), low, level.before)
        found[number] = source[at >> 6] >> np.uint64(at & 63) & ONE != ZERO


@kernel
def list_positions(
    source: np.ndarray, start: int, stop: int, high: int, level: Level, low: LowHoles, found: np.ndarray
) -> int:
    """Write the positions in some words of a set into `found`, in ascending order; return how many they are.

    Args:
        start, stop: the index of the first word, and the index after the last.
        high: 0, or the high holes of bit 0 of the first word; see `next_words`.
    """
    count, end, offset = 0, 0, 0
    words = source[start:stop]  # a slice, since its indices are never negative and need no test for that
    for word in range(words.shape[0]):
        bits = words[word]
        while bits != ZERO:
            number = (start + word << 6) + lowest_bit(bits)
            bits &= bits - ONE
            if number >= end:
                high, end, offset = high_part(number, high, level, low)
            found[count] = np.uint64(low.values[offset + number]) | np.uint64(high) << np.uint64(low.bits)
            count += 1
    return count


@kernel
def count_images(
    source: np.ndarray, level: Level, low: LowHoles, moves: Moves, counter: np.ndarray, lanes: tuple[int, ...]
) -> int:
    """Return how many different images the positions of a set have altogether."""
    images = room_for_images(lanes)
    positions = np.empty(64 * BLOCK, dtype=np.uint64)
    total = 0
    while True:
        start, stop, high = next_words(counter, level, source)
        if start < 0:
            return total
        for each in range(list_positions(source, start, stop, high, level, low, positions)):
            all_images(images, positions[each], low, moves, lanes)
            same = 0
            for k in range(len(lanes)):
                same += images[k] == positions[each]
            total += len(lanes) // same
