"""The compiled loops of the searches for few moves; a move is any number of consecutive jumps by one peg.

Only two facts about a position's past matter for its future: how many moves were made, and which peg moved
last. See `move_kernels` for why only the fewest moves to a position matter.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from grader.oracle.beam_kernels import BYTE, holds, is_lost, jumps_in, pick_best, place_of, score_of
from grader.oracle.bits import ONE, ZERO, lowest_bit

MOST_JUMPS = 256  # of one position; a three has two, and 64 holes have fewer than 128 threes
GOING_ON, FOUND, EXHAUSTED = 0, 1, 2


class Images(NamedTuple):
    """The symmetries under which images count as one position, without the identity.

    Attributes:
        of_bytes: shape (symmetries, bytes, 256), uint64: the images of each value of each byte of a position.
    """

    of_bytes: np.ndarray


@njit(cache=True, nogil=True, inline="always")
def image_of(position, images, k):
    """Return the k-th image of a position, or the position itself when k is -1."""
    if k < 0:
        return position
    image = ZERO
    for byte in range(images.of_bytes.shape[1]):
        image |= images.of_bytes[k, byte, position >> np.uint64(8 * byte) & BYTE]
    return image


@njit(cache=True, nogil=True, inline="always")
def name_of(position, images):
    """Return the least of a position and its images, and the number of that image.

    The least one stands for all of them. The number is -1 for the position itself.
    """
    least, which = position, -1
    for k in range(images.of_bytes.shape[0]):
        other = image_of(position, images, k)
        if other < least:
            least, which = other, k
    return least, which


@njit(cache=True, nogil=True, inline="always")
def moves_left(position, lasts, regions):
    """Return a lower bound on the moves still needed: one for each of some disjoint regions full of pegs.

    Args:
        lasts: the holes where the peg that moved last may be; if that peg jumps again, no new move begins.
        regions: the regions, shape (regions,), uint64; see `grader.oracle.bounds`.
    """
    used, count, goes_on = ZERO, 0, 0
    for region in regions:
        if region & (~position | used) == ZERO:
            used |= region
            count += 1
            if region & lasts != ZERO:
                goes_on = 1
    return count - goes_on


@njit(cache=True, nogil=True)
def go_down_in_moves(
    start, limit, near_after, jumps, score, move_weight, seed, width, near, regions, images, beam, moves,
    lasts, sizes, table, places, found, found_moves, found_lasts, scores, picked,
):  # fmt: skip
    """Search once from `start` for solutions with fewer than `limit` moves, keeping the best positions.

    Args:
        start: the position to start from.
        near_after: the number of jumps after which every position must be in `near`.
        move_weight: how much each move, made or sure to follow, adds to the score.
        seed: the seed of the noise, uint64.
        width: how many positions of a level are kept.
        near: a hash table of the positions near the goals from which a goal can be reached.
        regions: see `moves_left`.
        beam, moves, lasts: shape (jumps, width), to be filled in: the positions kept after each jump, uint64;
            the moves made to reach them, int64; and the holes of the pegs that can have moved last, uint64.
        sizes: shape (jumps,), int64, to be filled in: how many positions are kept after each jump.
        table, places: a hash table, empty before and afterwards, and for each of its places the index in
            `found`, int64.
        found, found_moves, found_lasts, scores, picked: arrays of one length, with room for the positions
            after a jump; the table is at least twice as long.

    Returns:
        Whether a goal was reached, that is, whether any positions are left after the last jump.
    """
    room = found.shape[0]
    size = 1
    for level in range(sizes.shape[0]):
        count = 0
        for parent in range(size):
            position, made, last = start, np.int64(0), ZERO
            if level > 0:
                position = beam[level - 1, parent]
                made = moves[level - 1, parent]
                last = lasts[level - 1, parent]
            for group in range(jumps.steps.shape[0]):
                to_last = jumps.steps[group, 1]
                can, three = jumps_in(position, jumps.steps, group)
                while can != ZERO:
                    first = can & (~can + ONE)
                    can ^= first
                    after = position ^ three << np.uint64(lowest_bit(first))
                    outer = first | first << to_last
                    end = outer & after
                    needed = made + (0 if outer & last & position != ZERO else 1)
                    if needed >= limit:
                        continue
                    name, _ = name_of(after, images)
                    at = place_of(name, table)
                    if table[at] == name:
                        number = places[at]
                        if needed < found_moves[number]:
                            found[number] = after  # in an image, other holes have the last pegs
                            found_moves[number] = needed
                            found_lasts[number] = end
                        elif needed == found_moves[number] and after == found[number]:
                            found_lasts[number] |= end
                        continue
                    if level + 1 >= near_after:
                        if not holds(after, near):
                            continue
                    elif is_lost(after, score.lost):
                        continue
                    if count < room:
                        table[at] = name
                        places[at] = count
                        found[count] = after
                        found_moves[count] = needed
                        found_lasts[count] = end
                        count += 1
        # Removed in reverse order, so that no lookup of a later position stops at the gap of an earlier one.
        for each in range(count - 1, -1, -1):
            table[place_of(name_of(found[each], images)[0], table)] = ZERO
        kept = 0
        for each in range(count):
            needed = found_moves[each] + moves_left(found[each], found_lasts[each], regions)
            if needed < limit:
                found[kept], found_moves[kept] = found[each], found_moves[each]
                found_lasts[kept] = found_lasts[each]
                scores[kept] = needed * move_weight + score_of(found[each], jumps, score, seed)
                kept += 1
        size = pick_best(scores, kept, width, picked)
        for each in range(size):
            beam[level, each] = found[picked[each]]
            moves[level, each] = found_moves[picked[each]]
            lasts[level, each] = found_lasts[picked[each]]
        sizes[level] = size
        if size == 0:
            return False
    return True


@njit(cache=True, nogil=True)
def deepen(
    most_moves, near_after, steps, jumps, lost, near, regions, images, path, made, last, following, next_of,
    count_of, depth, table, fewest, lasts, filled,
):  # fmt: skip
    """Continue a depth-first search through all ways to solve a position in at most `most_moves` moves.

    Args:
        near_after, near, regions: as in `go_down_in_moves`; `lost` as in `Score`.
        steps: how many jumps to look at before returning.
        path, made, last: shape (jumps + 1,): the positions on the way, uint64; the moves made, int64; and the
            hole where the last jump ended, as a position, uint64. The caller sets the first position.
        following: shape (jumps + 1, MOST_JUMPS), uint64: the jumps of each position on the way. A jump is
            given by its group and, in the lowest byte, the first of its three holes.
        next_of, count_of: shape (jumps + 1,), int64: which of these jumps is next (-1 before they are
            listed), and how many there are.
        depth: shape (1,), int64: how many jumps have been made.
        table, fewest, lasts: a hash table of the positions met; the fewest moves that led to each, int8; and
            the holes where the last of these moves ended, uint64.
        filled: shape (1,), int64: how many positions the table has. When it is full, a position that is not
            in it is searched again each time it is met.

    Returns:
        FOUND if `path` is a solution, EXHAUSTED if there is none, GOING_ON if that is not known yet.
    """
    room = table.shape[0] // 4 * 3
    level = depth[0]
    for _ in range(steps):
        position = path[level]
        if next_of[level] < 0:
            count = 0
            for group in range(jumps.steps.shape[0]):
                can, _ = jumps_in(position, jumps.steps, group)
                while can != ZERO:
                    following[level, count] = np.uint64(group << 8 | lowest_bit(can))
                    can &= can - ONE
                    count += 1
            next_of[level], count_of[level] = 0, count
        if next_of[level] == count_of[level]:
            if level == 0:
                return EXHAUSTED
            level -= 1
            continue
        jump = following[level, next_of[level]]
        next_of[level] += 1
        group, first = jump >> np.uint64(8), ONE << (jump & BYTE)
        to_last = jumps.steps[group, 1]
        after = position ^ (first | first << jumps.steps[group, 0] | first << to_last)
        outer = first | first << to_last
        end = outer & after
        needed = made[level] + (0 if outer & last[level] & position != ZERO else 1)
        if needed > most_moves:
            continue
        name, which = name_of(after, images)
        named_end = image_of(end, images, which)
        at = place_of(name, table)
        met = table[at] == name
        # A way with more moves than before adds nothing: after fewer, moving another peg costs just one more.
        if met and (needed > fewest[at] or (needed == fewest[at] and named_end & lasts[at] != ZERO)):
            continue
        if level + 1 >= near_after:
            if not holds(after, near):
                continue
        elif is_lost(after, lost):
            continue
        if needed + moves_left(after, end, regions) > most_moves:
            continue
        if met or filled[0] < room:
            filled[0] += not met
            lasts[at] = lasts[at] | named_end if met and needed == fewest[at] else named_end
            table[at] = name
            fewest[at] = needed
        level += 1
        path[level], made[level], last[level], next_of[level] = after, needed, end, -1
        if level == path.shape[0] - 1:
            depth[0] = level
            return FOUND
    depth[0] = level
    return GOING_ON
