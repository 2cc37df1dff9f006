"""The compiled loops over sets of positions.

A set is kept by its least images: of the images of a position under a group of symmetries only the least, as
an integer, stands for all. Images are linear: the image of a position after a jump is the image of the
position XOR the image of the three that changes, so all of them cost one XOR each.

A jump taken back is a jump of the complement (every hole filled, every peg taken away), so one loop, with
complements on the way in or out, grows levels forwards, takes jumps back, and joins the two.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from grader.oracle.bits import least_of_xor, lowest_bit, popcount, take_number
from grader.oracle.index import Level, LowHoles

BLOCK = 64  # high parts that a thread takes at a time
NO_SET = np.zeros(0, dtype=np.uint64)
LANE_TOPS = np.uint64(0x8080808080808080)

ONE, ZERO = np.uint64(1), np.uint64(0)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


class Moves(NamedTuple):
    """The jumps of a shape and their images under a group of K symmetries.

    Attributes:
        steps: shape (groups, 5), uint64; see `Group`.
        changes: shape (128 * K,), uint64: at place * K + k, the k-th image of the three noted at that place.
        ends: shape (128, 2), int64: the first and the last hole of that three.
        low_images: shape (bytes, 256, K), uint64: the images of each byte of the low holes.
        high_images: the same of the high holes.
        targets: shape (K, 64), int64: the hole that each hole goes to.
    """

    steps: np.ndarray
    changes: np.ndarray
    ends: np.ndarray
    low_images: np.ndarray
    high_images: np.ndarray
    targets: np.ndarray


class Pruning(NamedTuple):
    """Up to eight pagoda functions, summed up byte by byte, a lane of a word each; see `pagoda.byte_sums`.

    A position is lost when a lane of its sum lacks the top bit.

    Attributes:
        low: shape (bytes, 256), uint64.
        high: shape (bytes, 256), uint64; empty when nothing is to be pruned.
    """

    low: np.ndarray
    high: np.ndarray


@njit(cache=True, nogil=True, inline="always")
def rank(position, low, before):  # type: ignore[no-untyped-def]
    """Return the number of a position in its level."""
    low_part = position & ((ONE << np.uint64(low.bits)) - ONE)
    return np.int64(low.ranks[low_part]) + np.int64(before[position >> np.uint64(low.bits)])


@njit(cache=True, nogil=True, inline="always")
def add_images(images, tables, part):  # type: ignore[no-untyped-def]
    """XOR the images of some holes, `part`, into `images`."""
    for byte in range(tables.shape[0]):
        row = tables[byte, part >> np.uint64(8 * byte) & np.uint64(255)]
        for k in range(images.shape[0]):
            images[k] ^= row[k]


@njit(cache=True, nogil=True, inline="always")
def all_images(images, position, low, moves):  # type: ignore[no-untyped-def]
    """Write all images of a position into `images`."""
    images[:] = ZERO
    add_images(images, moves.low_images, position & ((ONE << np.uint64(low.bits)) - ONE))
    add_images(images, moves.high_images, position >> np.uint64(low.bits))


@njit(cache=True, nogil=True, inline="always")
def jumps_of(position, moves):  # type: ignore[no-untyped-def]
    """Return the jumps of a position, noted in two words."""
    jumps, more_jumps = ZERO, ZERO
    for group in range(moves.steps.shape[0]):
        to_last = moves.steps[group, 1]
        found = position >> moves.steps[group, 0] & (position ^ position >> to_last) & moves.steps[group, 2]
        if moves.steps[group, 3] == ZERO:
            jumps |= found << moves.steps[group, 4]
        else:
            more_jumps |= found << moves.steps[group, 4]
    return jumps, more_jumps


@njit(cache=True, nogil=True, inline="always")
def bits_between(source, word, begin, end):  # type: ignore[no-untyped-def]
    """Return those bits of a word of `source` whose numbers are from `begin` to before `end`."""
    bits = source[word]
    if word << 6 < begin:
        bits &= ALL << np.uint64(begin & 63)
    if end < (word + 1) << 6:
        bits &= ~(ALL << np.uint64(end & 63))
    return bits


@njit(cache=True, nogil=True, inline="always")
def next_block(counter, level, source):  # type: ignore[no-untyped-def]
    """Return the first of the next high parts to look at and where they end; -1, -1 when all are taken."""
    highs = level.first_value.shape[0]
    while True:
        start = take_number(counter) * BLOCK
        if start >= highs:
            return -1, -1
        stop = min(start + BLOCK, highs)
        some = ZERO
        for word in range(np.int64(level.before[start]) >> 6, (np.int64(level.before[stop]) + 63) >> 6):
            some |= source[word]
        if some != ZERO:
            return start, stop


@njit(cache=True, nogil=True, inline="always")
def position_of(high, number, level, low):  # type: ignore[no-untyped-def]
    """Return the position with that number among those with these high holes."""
    return np.uint64(low.values[level.first_value[high] + number]) | np.uint64(high) << np.uint64(low.bits)


@njit(cache=True, nogil=True)
def spread(  # type: ignore[no-untyped-def]
    source: np.ndarray,
    level: Level,
    low: LowHoles,
    moves: Moves,
    pruning: Pruning,
    flip_in,
    flip_out,
    within: np.ndarray,
    target_level: Level,
    target: np.ndarray,
    counter: np.ndarray,
    lanes,
):
    """Put into `target` what one jump makes of each position of `source`, if it is in `within`.

    Args:
        source: a set of positions of `level`; those that `pruning` shows to be lost are passed over.
        flip_in: XORed to a position before it jumps: 0, or all holes.
        flip_out: XORed to it afterwards.
        within: a set of positions of `target_level`, or NO_SET for all.
        target_level: the index of `target`.
        counter: shape (1,), int64, 0 at first; threads that share it share the work.
        lanes: a tuple with as many items as there are symmetries.
    """
    count = len(lanes)
    images = np.empty(64, dtype=np.uint64)[16 : 16 + count]
    high_images = np.empty(64, dtype=np.uint64)[16 : 16 + count]
    shift = np.uint64(low.bits)
    low_bytes = moves.low_images.shape[0]
    prune = pruning.high.shape[0] > 0
    anywhere = within.shape[0] == 0
    flipped = flip_in ^ flip_out
    high_sum = ZERO
    while True:
        start, stop = next_block(counter, level, source)
        if start < 0:
            return
        for high in range(start, stop):
            begin, end = np.int64(level.before[high]), np.int64(level.before[high + 1])
            value_offset = level.first_value[high] - begin
            ready = False
            for word in range(begin >> 6, (end + 63) >> 6):
                bits = bits_between(source, word, begin, end)
                if bits != ZERO and not ready:
                    ready = True
                    high_images[:] = ZERO
                    add_images(high_images, moves.high_images, np.uint64(high) ^ (flipped >> shift))
                    if prune:
                        high_sum = ZERO
                        for byte in range(pruning.high.shape[0]):
                            high_sum += pruning.high[byte, high >> (8 * byte) & 255]
                while bits != ZERO:
                    low_part = np.uint64(low.values[value_offset + (word << 6) + lowest_bit(bits)])
                    bits &= bits - ONE
                    if prune:
                        sums = high_sum
                        for byte in range(low_bytes):
                            sums += pruning.low[byte, low_part >> np.uint64(8 * byte) & np.uint64(255)]
                        if sums & LANE_TOPS != LANE_TOPS:
                            continue
                    position = (low_part | np.uint64(high) << shift) ^ flip_in
                    images[:] = high_images
                    add_images(images, moves.low_images, low_part ^ (flipped & ((ONE << shift) - ONE)))
                    jumps, more_jumps = jumps_of(position, moves)
                    for place in (0, 64):
                        while jumps != ZERO:
                            at = (place + lowest_bit(jumps)) * count
                            jumps &= jumps - ONE
                            after = least_of_xor(images, moves.changes, at, lanes)
                            number = rank(after, low, target_level.before)
                            bit = ONE << np.uint64(number & 63)
                            if not anywhere:
                                bit &= within[number >> 6]
                            target[number >> 6] |= bit
                        jumps = more_jumps


@njit(cache=True, nogil=True)
def merge(target: np.ndarray, parts: np.ndarray, counter: np.ndarray) -> Any:
    """Move `parts`, sets of shape (sets, words), into the empty `target`; return how many positions."""
    count: Any = ZERO
    while True:
        start = take_number(counter) << 12
        if start >= target.shape[0]:
            return np.int64(count)
        for word in range(start, min(start + (1 << 12), target.shape[0])):
            bits = ZERO
            for part in range(parts.shape[0]):
                bits |= parts[part, word]
            if bits != ZERO:  # memory that is never written costs nothing
                target[word] = bits
                parts[:, word] = ZERO
                count += popcount(bits)


@njit(cache=True, nogil=True)
def look_up(  # type: ignore[no-untyped-def]
    positions: np.ndarray, source: np.ndarray, level: Level, low: LowHoles, moves: Moves, found: np.ndarray,
    lanes,
):  # fmt: skip
    """Say in `found` which positions, or an image of theirs, are in a set."""
    images = np.empty(len(lanes), dtype=np.uint64)
    for number in range(positions.shape[0]):
        all_images(images, positions[number], low, moves)
        at = rank(images.min(), low, level.before)
        found[number] = source[at >> 6] >> np.uint64(at & 63) & ONE != ZERO


@njit(cache=True, nogil=True)
def list_positions(source: np.ndarray, level: Level, low: LowHoles, found: np.ndarray) -> None:
    """Write the positions of a set into `found`, in ascending order."""
    count = 0
    for high in range(level.first_value.shape[0]):
        begin, end = np.int64(level.before[high]), np.int64(level.before[high + 1])
        for word in range(begin >> 6, (end + 63) >> 6):
            bits = bits_between(source, word, begin, end)
            while bits != ZERO:
                number = (word << 6) + lowest_bit(bits)
                bits &= bits - ONE
                found[count] = position_of(high, number - begin, level, low)
                count += 1


@njit(cache=True, nogil=True)
def count_images(
    source: np.ndarray, level: Level, low: LowHoles, moves: Moves, counter: np.ndarray, lanes: tuple[int, ...]
) -> int:
    """Return how many different images the positions of a set have, all taken together."""
    images = np.empty(len(lanes), dtype=np.uint64)
    total = 0
    while True:
        start, stop = next_block(counter, level, source)
        if start < 0:
            return total
        for high in range(start, stop):
            begin, end = np.int64(level.before[high]), np.int64(level.before[high + 1])
            for word in range(begin >> 6, (end + 63) >> 6):
                bits = bits_between(source, word, begin, end)
                while bits != ZERO:
                    number = (word << 6) + lowest_bit(bits)
                    bits &= bits - ONE
                    position = position_of(high, number - begin, level, low)
                    all_images(images, position, low, moves)
                    same = 0
                    for k in range(len(lanes)):
                        same += images[k] == position
                    total += len(lanes) // same


@njit(cache=True, nogil=True)
def complement(  # type: ignore[no-untyped-def]
    source: np.ndarray, level: Level, low: LowHoles, moves: Moves, full, target_level: Level,
    target: np.ndarray, counter: np.ndarray, lanes,
):  # fmt: skip
    """Put the complements of the positions of `source` into `target`."""
    images = np.empty(len(lanes), dtype=np.uint64)
    while True:
        start, stop = next_block(counter, level, source)
        if start < 0:
            return
        for high in range(start, stop):
            begin, end = np.int64(level.before[high]), np.int64(level.before[high + 1])
            for word in range(begin >> 6, (end + 63) >> 6):
                bits = bits_between(source, word, begin, end)
                while bits != ZERO:
                    number = (word << 6) + lowest_bit(bits)
                    bits &= bits - ONE
                    all_images(images, full ^ position_of(high, number - begin, level, low), low, moves)
                    least = images[0]
                    for k in range(1, len(lanes)):
                        least = min(least, images[k])
                    at = rank(least, low, target_level.before)
                    target[at >> 6] |= ONE << np.uint64(at & 63)
