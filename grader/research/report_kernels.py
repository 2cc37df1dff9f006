"""The compiled loops of `report_search`: the jumps of a board, its key, the table, the search.

All of them except `prefetch` are in this one file. Numba compiles a function again only when the function's
own file has changed; after a change in another file it would still use the old code from its cache.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from grader.oracle.bits import prefetch

BATCH = 16  # boards opened before going deeper: enough to wait for many cache misses at the same time
SOLVED, EXHAUSTED, FULL = range(3)

_ONE = np.uint64(1)
_WORD = np.uint64(64)
_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio: spreads boards over the high bits
_LINE = np.uint64(8)  # slots in a cache line
_HEAD = np.uint64(3)  # words of a frame before its children


class Images(NamedTuple):
    """Which of the eight images of a position have the same holes; see `report_search.images_of`.

    First the rectangle around the holes is moved to the top left corner of the 8 x 8 cells; then the images
    are taken.
    """

    corner: np.uint64  # the right shift that moves the rectangle to that corner
    columns: np.uint64  # the right shift that moves it back there after all 8 columns are reversed
    rows: np.uint64  # the right shift that moves it back there after all 8 rows are reversed
    # for each image except the first, in the order of `_key`: 0, or all 64 bits set to keep the image from
    # being the least
    excluded: tuple[np.uint64, ...]


# Compiles a function into those that call it: compiled code passes each array as seven arguments.
_inlined = njit(cache=True, forceinline=True)


@_inlined
def _rotated(board: Any, by: Any) -> Any:
    return (board << by) | (board >> (_WORD - by))


@_inlined
def _jumping(pegs: Any, free: Any, move: Any) -> Any:
    """Return the pegs that can jump in the direction of `move`."""
    turn = move[0]
    return pegs & _rotated(pegs, turn) & _rotated(free, turn + turn) & move[3]


@_inlined
def _put_children(pegs: Any, holes: Any, levels: Any, moves: Any, stack: Any, top: Any) -> Any:
    """Write the boards one jump ahead to `stack`, from `top` on; return the new top.

    The boards are in the order in which their jumps are tried.
    """
    free = holes ^ pegs
    first = _jumping(pegs, free, moves[0])
    second = _jumping(pegs, free, moves[1])
    third = _jumping(pegs, free, moves[2])
    fourth = _jumping(pegs, free, moves[3])
    for level in levels:
        rest = (first | second | third | fourth) & level
        while rest:
            others = rest & (rest - _ONE)
            peg = rest ^ others
            rest = others
            # Each board is written in any case, but kept only if the jump exists: a branch would be
            # mispredicted too often.
            stack[top] = pegs ^ ((peg >> moves[0][1]) * moves[0][2])
            top += np.uint64((first & peg) != 0)
            stack[top] = pegs ^ ((peg >> moves[1][1]) * moves[1][2])
            top += np.uint64((second & peg) != 0)
            stack[top] = pegs ^ ((peg >> moves[2][1]) * moves[2][2])
            top += np.uint64((third & peg) != 0)
            stack[top] = pegs ^ ((peg >> moves[3][1]) * moves[3][2])
            top += np.uint64((fourth & peg) != 0)
    return top


@_inlined
def _swapped(board: Any, by: Any, low: Any) -> Any:
    """Swap the cells of the set `low` with the cells whose bits are `by` places higher."""
    differ = (board ^ (board >> by)) & low
    return board ^ differ ^ (differ << by)


@_inlined
def _mirrored(board: Any) -> Any:
    """Reverse each row: within pairs of cells, then within fours, then all eight."""
    board = _swapped(board, np.uint64(1), np.uint64(0x5555555555555555))
    board = _swapped(board, np.uint64(2), np.uint64(0x3333333333333333))
    return _swapped(board, np.uint64(4), np.uint64(0x0F0F0F0F0F0F0F0F))


@_inlined
def _upside_down(board: Any) -> Any:
    """Reverse the order of the rows."""
    board = _swapped(board, np.uint64(8), np.uint64(0x00FF00FF00FF00FF))
    board = _swapped(board, np.uint64(16), np.uint64(0x0000FFFF0000FFFF))
    return _rotated(board, np.uint64(32))


@_inlined
def _transposed(board: Any) -> Any:
    """Turn rows into columns: within squares of 2 x 2 cells, then of 4 x 4, then of 8 x 8."""
    board = _swapped(board, np.uint64(7), np.uint64(0x00AA00AA00AA00AA))
    board = _swapped(board, np.uint64(14), np.uint64(0x0000CCCC0000CCCC))
    return _swapped(board, np.uint64(28), np.uint64(0x00000000F0F0F0F0))


@_inlined
def _key(board: Any, images: Any) -> Any:
    """Return the least of the images of a board; it is the same for all these images."""
    board = board >> images.corner
    mirror = _mirrored(board) >> images.columns
    turned = _transposed(board)
    turned_mirror = _mirrored(turned) >> images.columns
    no = images.excluded
    least = min(board, mirror | no[0])
    least = min(least, (_upside_down(board) >> images.rows) | no[1])
    least = min(least, (_upside_down(mirror) >> images.rows) | no[2])
    least = min(least, turned | no[3])
    least = min(least, turned_mirror | no[4])
    least = min(least, (_upside_down(turned) >> images.rows) | no[5])
    return min(least, (_upside_down(turned_mirror) >> images.rows) | no[6])


@_inlined
def _slot(slots: Any, shift: Any, board: Any) -> Any:
    """Return the index of the slot that holds the board, or of the empty slot where it belongs.

    All slots of a cache line are tried before the next line.
    """
    home = (board * _FACTOR) >> shift
    while True:
        for i in range(_LINE):
            slot = home ^ i
            if slots[slot] == board or slots[slot] == 0:
                return slot
        home += _LINE


@_inlined
def push(
    board: Any, parent: Any, holes: Any, levels: Any, moves: Any, images: Any, stack: Any, top: Any,
    slots: Any, shift: Any,
) -> Any:  # fmt: skip
    """Push a frame for a new board: number of children, board, place of the parent's frame, children.

    The children are the boards one jump ahead. If `images` is given, the keys of the children follow; if not,
    the children are their own keys.
    """
    start = top + _HEAD
    end = _put_children(board, holes, levels, moves, stack, start)
    children, keys = end - start, start
    if images is not None:
        keys, end = end, end + children
        # A separate loop, which LLVM vectorizes to several boards at a time.
        for i in range(start, keys):
            stack[i + children] = _key(stack[i], images)
    for i in range(keys, end):
        prefetch(slots, (stack[i] * _FACTOR) >> shift)
    stack[top] = children
    stack[top + _ONE] = board
    stack[top + _ONE + _ONE] = parent
    return end


@njit(cache=True)
def run(
    holes: Any, levels: Any, moves: Any, images: Any, stack: Any, places: Any, depth: Any, last: Any,
    goals: Any, goal_shift: Any, found: Any, slots: Any, shift: Any, used: Any, full: Any,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """Continue the search until there is an answer or the table holds `full` boards.

    The frames of depth d are in stack[places[d-1, 1]:places[d, 1]]. Those from places[d, 0] on are not
    opened yet. The children of the boards at depth `last` are only looked up
    among the goals. If one is a goal, the place of its parent's frame and the child itself are written to
    `found`.

    Returns (what happened, depth, boards in the table).
    """
    while True:
        while places[depth, 0] == places[depth, 1]:
            if depth == 0:
                return EXHAUSTED, depth, used
            depth -= 1
        if used >= full:
            return FULL, depth, used
        # All numbers are unsigned: a signed index would be tested for being negative.
        frame, end = np.uint64(places[depth, 0]), np.uint64(places[depth, 1])
        top = end
        for _ in range(BATCH):
            if frame == end:
                break
            children = stack[frame]
            to_key = np.uint64(0) if images is None else children
            after = frame + _HEAD + children
            for i in range(frame + _HEAD, after):
                child = stack[i]
                if depth == last:
                    if goals[_slot(goals, goal_shift, child)] == child:
                        found[0], found[1] = frame, child
                        return SOLVED, depth, used
                    continue
                key = stack[i + to_key]
                slot = _slot(slots, shift, key)
                if slots[slot] == 0:
                    slots[slot] = key
                    used += 1
                    top = push(child, frame, holes, levels, moves, images, stack, top, slots, shift)
            frame = after + to_key
        places[depth, 0] = frame
        depth += 1
        places[depth, 0], places[depth, 1] = end, top


@njit(cache=True)
def end_of(slots: Any, shift: Any) -> Any:
    """Return the index after the last board in the table, including those displaced past the last index."""
    end = np.int64(1) << np.int64(_WORD - shift)
    while slots[end : end + 8].any():
        end += 8
    return end


@njit(cache=True)
def grow(slots: Any, shift: Any) -> None:
    """Double the table in place; `shift` is the one for the old size.

    The high bits of the hash are the index, so a board moves to about twice its index. Boards are moved from
    the back to the front, so that the cache lines they move into are already cleared. Near the front this may
    not hold for a board; it is then set aside, and entered at the end.
    """
    waiting = [np.uint64(0)]
    waiting.pop()
    for i in range(end_of(slots, shift) - 1, -1, -1):
        board = slots[i]
        if board != 0:
            slots[i] = 0
            if np.int64((board * _FACTOR) >> (shift - _ONE)) // 8 * 8 > i:
                slots[_slot(slots, shift - _ONE, board)] = board
            else:
                waiting.append(board)
    for board in waiting:
        slots[_slot(slots, shift - _ONE, board)] = board


@njit(cache=True)
def add(slots: Any, shift: Any, board: Any) -> Any:
    """Add the board to the table; return 1 if it is new, otherwise 0."""
    slot = _slot(slots, shift, board)
    new = np.int64(slots[slot] == 0)
    slots[slot] = board
    return new


@njit(cache=True)
def step_back(
    boards: Any, i: Any, holes: Any, levels: Any, moves: Any, stack: Any, slots: Any, shift: Any,
    used: Any, full: Any,
) -> tuple[Any, Any]:  # fmt: skip
    """Add the boards one jump before those of boards[i:] until the table is full.

    Returns (index of the first board not handled, boards in the table).
    """
    while i < len(boards) and used < full:
        # A jump played backwards is a jump of the holes.
        end = _put_children(holes ^ boards[i], holes, levels, moves, stack, np.uint64(0))
        for j in range(end):
            used += add(slots, shift, holes ^ stack[j])
        i += 1
    return i, used
