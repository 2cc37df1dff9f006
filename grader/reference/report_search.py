"""The searches of the report: depth first, with a table of the boards given up on.

The report counts the boards its program gives up on, so a count here has to be right to the
last board. What makes the search fast must not change which boards those are:

* A board is a 64-bit set of pegs, bit ``8 * row + col``. The boards seen are kept in an open
  addressing table of such sets, which grows in place.
* Every jump takes one peg, so a board can only be met again at the same depth. Whether a board is
  new is therefore settled by the order in which the boards *one level above* are opened, and by
  nothing else. So we open a whole batch of the boards of a level, in order, before going deeper:
  the tree is the one of the plain depth-first search, but the look-ups of a batch no longer wait
  for each other. They are most of the time, because nearly each of them is a cache miss.
* For the same reason a board may enter the table when it is met, not when it is given up on.
  Those met but not given up on are subtracted when a solution is found.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.extending import intrinsic

ORDERS = ("normal", "out-in", "in-out")
"""The orders in which the cells are visited to find the jumping peg."""

Boards = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int64]
# The four directions as tried, each: rotation that brings the next cell onto a cell, right shift
# from the jumping peg to the lowest of the three cells, these cells as seen from the lowest one,
# and the pegs that may ever jump this way.
Moves = tuple[tuple[np.uint64, ...], ...]

_STEPS = {"D": (1, 0), "U": (-1, 0), "R": (0, 1), "L": (0, -1)}
_MIDDLE_PEGS = 10  # where the two halves of the bidirectional search meet

_ONE = np.uint64(1)
_WORD = np.uint64(64)
_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio: spreads boards over the high bits
_FIRST_BITS = 12  # a table starts with 2**12 slots
_LINE = np.uint64(8)  # slots in a cache line
_BATCH = 16  # boards opened before going deeper; enough to keep all cache misses under way
_HEAD = np.uint64(3)  # words of a frame before its children

_SOLVED, _EXHAUSTED, _FULL, _STOPPED = range(4)

_F = TypeVar("_F", bound=Callable[..., Any])


class SearchOutcome(NamedTuple):
    """What a search found.

    solved: whether a single peg was reached; None when stopped at `max_states`.
    unsolvable: number of boards given up on (`max_states` when stopped).
    jumps: (row_start, col_start, row_end, col_end) in the order played; empty if not solved.
    """

    solved: bool | None
    unsolvable: int
    jumps: list[tuple[int, int, int, int]]


def _compiled(function: _F) -> _F:
    compiled: Any = numba.njit(cache=True)(function)
    return cast(_F, compiled)


def _inlined(function: _F) -> _F:
    """Compiled into its callers: a call would cost more, an array alone being seven arguments."""
    inlined: Any = numba.njit(cache=True, forceinline=True)(function)
    return cast(_F, inlined)


def _prefetch_code(_context: Any, slots: Any, slot: Any) -> Any:
    """Ask for the cache line of slots[slot] without waiting for it."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        address = builder.bitcast(builder.gep(array.data, [arguments[1]]), byte)
        kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        builder.call(prefetch, [address, word(0), word(3), word(1)])  # to read, keep, data
        return context.get_dummy_value()

    return numba.types.void(slots, slot), code


_prefetch: Any = intrinsic(_prefetch_code)


@_inlined
def _rotated(board: Any, by: Any) -> Any:
    return (board << by) | (board >> (_WORD - by))


@_inlined
def _jumping(pegs: Any, free: Any, move: Any) -> Any:
    """The pegs that can jump in this direction."""
    turn = move[0]
    return pegs & _rotated(pegs, turn) & _rotated(free, turn + turn) & move[3]


@_inlined
def _put_children(pegs: Any, holes: Any, levels: Any, moves: Any, stack: Any, top: Any) -> Any:
    """Write the boards one jump ahead to `stack` from `top` on, in order; return the new top."""
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
            # Written in any case and kept only if the jump exists: a branch would be guessed wrong
            # too often.
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
def _slot(slots: Any, shift: Any, board: Any) -> Any:
    """Index of the slot that holds the board, or of the empty one where it belongs.

    The slots of a cache line are all tried before the next line is.
    """
    home = (board * _FACTOR) >> shift
    while True:
        for i in range(_LINE):
            slot = home ^ i
            if slots[slot] == board or slots[slot] == 0:
                return slot
        home += _LINE


@_inlined
def _push(
    board: Any, parent: Any, holes: Any, levels: Any, moves: Any, stack: Any, top: Any,
    slots: Any, shift: Any,
) -> Any:  # fmt: skip
    """Push the frame of a new board: number of children, board, place of its parent, children."""
    start = top + _HEAD
    end = _put_children(board, holes, levels, moves, stack, start)
    for i in range(start, end):
        _prefetch(slots, (stack[i] * _FACTOR) >> shift)
    stack[top] = end - start
    stack[top + _ONE] = board
    stack[top + _ONE + _ONE] = parent
    return end


@_compiled
def _run(
    holes: Any, levels: Any, moves: Any, stack: Any, places: Any, depth: Any, last: Any,
    goals: Any, goal_shift: Any, found: Any, slots: Any, shift: Any, used: Any, full: Any,
    given_up: Any, max_given_up: Any,
) -> tuple[Any, Any, Any, Any]:  # fmt: skip
    """Search on until there is an answer or the table holds `full` boards.

    The frames of depth d are stack[places[d-1, 1]:places[d, 1]], places[d, 2] of them, and those
    from places[d, 0] on are not opened yet. The children of depth `last` are only looked up among
    the goals; one that is there goes to `found`, after the place of its parent's frame.
    Returns (what happened, depth, boards in the table, boards given up on).
    """
    while True:
        while places[depth, 0] == places[depth, 1]:
            given_up += places[depth, 2]
            if depth == 0:
                return _EXHAUSTED, depth, used, given_up
            depth -= 1
        if given_up > max_given_up:
            return _STOPPED, depth, used, given_up
        if used >= full:
            return _FULL, depth, used, given_up
        # Unsigned throughout: a signed index would be tested for being negative.
        frame, end = np.uint64(places[depth, 0]), np.uint64(places[depth, 1])
        top, pushed = end, 0
        for _ in range(_BATCH):
            if frame == end:
                break
            after = frame + _HEAD + stack[frame]
            for i in range(frame + _HEAD, after):
                child = stack[i]
                if depth == last:
                    if goals[_slot(goals, goal_shift, child)] == child:
                        found[0], found[1] = frame, child
                        return _SOLVED, depth, used, given_up
                    continue
                slot = _slot(slots, shift, child)
                if slots[slot] == 0:
                    slots[slot] = child
                    used += 1
                    pushed += 1
                    top = _push(child, frame, holes, levels, moves, stack, top, slots, shift)
            frame = after
        places[depth, 0] = frame
        depth += 1
        places[depth, 0], places[depth, 1], places[depth, 2] = end, top, pushed


@_compiled
def _end(slots: Any, shift: Any) -> Any:
    """The index past the last board, counting those displaced beyond the last index."""
    end = np.int64(1) << np.int64(_WORD - shift)
    while slots[end : end + 8].any():
        end += 8
    return end


@_compiled
def _grow(slots: Any, shift: Any) -> None:
    """Double the table in place; `shift` is the old one.

    The high bits of the hash are the index, so a board moves to about twice its index: from the
    back to the front, into lines already cleared. Where that does not hold, near the front, the
    board waits until the end.
    """
    waiting = [np.uint64(0)]
    waiting.pop()
    for i in range(_end(slots, shift) - 1, -1, -1):
        board = slots[i]
        if board != 0:
            slots[i] = 0
            if np.int64((board * _FACTOR) >> (shift - _ONE)) // 8 * 8 > i:
                slots[_slot(slots, shift - _ONE, board)] = board
            else:
                waiting.append(board)
    for board in waiting:
        slots[_slot(slots, shift - _ONE, board)] = board


@_compiled
def _add(slots: Any, shift: Any, board: Any) -> Any:
    """Add the board to the table; return 1 if it is new, else 0."""
    slot = _slot(slots, shift, board)
    new = np.int64(slots[slot] == 0)
    slots[slot] = board
    return new


@_compiled
def _step_back(
    boards: Any, i: Any, holes: Any, levels: Any, moves: Any, stack: Any, slots: Any, shift: Any,
    used: Any, full: Any,
) -> tuple[Any, Any]:  # fmt: skip
    """Add the boards one jump before boards[i:] until the table is full; return (i, used)."""
    while i < len(boards) and used < full:
        # A jump played backwards is a jump of the holes.
        end = _put_children(holes ^ boards[i], holes, levels, moves, stack, np.uint64(0))
        for j in range(end):
            used += _add(slots, shift, holes ^ stack[j])
        i += 1
    return i, used


def _memory() -> int:
    """Bytes of the machine's memory, or a guess."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 1 << 33


class _Table:
    """A set of boards: 8-byte slots, at most 3/4 of them used, 0 for an empty one.

    The array has the largest size from the start. The pages not touched take no memory, and the
    table grows in place, so at its peak, right after doubling, it takes 8 / (3/8) = 21.3 bytes per
    board. Look-ups do not wrap around; half of the array is room past the largest index.
    """

    def __init__(self, max_boards: int) -> None:
        self.bits = _FIRST_BITS
        self.max_bits = min((2 * max_boards).bit_length(), (_memory() // 8).bit_length() - 1)
        self.max_bits = max(self.max_bits, self.bits)
        self.used = 0
        while True:
            try:
                # Not inside compiled code: there zeros() would write to all of it.
                slots = np.zeros(2 << self.max_bits, np.uint64)
                break
            except MemoryError:
                if self.max_bits == self.bits:
                    raise
                self.max_bits -= 1
        # Numpy aligns to less than the cache lines that _slot goes by.
        self.slots: Boards = slots[-slots.ctypes.data % 64 // 8 :]

    @property
    def shift(self) -> np.uint64:
        return np.uint64(64 - self.bits)

    def full(self, room: int) -> int:
        """The number of boards from which on there is no room for so many more."""
        return (3 << self.bits) // 4 - room

    def grow(self) -> None:
        if self.bits == self.max_bits:
            raise MemoryError(f"no memory for more than {self.used:,} boards")
        _grow(self.slots, self.shift)
        self.bits += 1

    def boards(self) -> Boards:
        slots = self.slots[: _end(self.slots, self.shift)]
        return np.compress(slots != 0, slots)


class _Game:
    """A board's holes and jumps, in the order the jumps are tried."""

    def __init__(self, board: npt.ArrayLike, order: str, directions: str) -> None:
        cells = np.asarray(board)
        if cells.shape != (8, 8) or not np.isin(cells, (-1, 0, 1)).all():
            raise ValueError("the board must be 8x8 with the values -1, 0 and 1")
        if order not in ORDERS:
            raise ValueError(f"the order must be one of {', '.join(ORDERS)}, not {order!r}")
        if sorted(directions) != sorted(_STEPS):
            raise ValueError(f"the directions must be D, U, R and L in any order: {directions!r}")
        self.holes = sum(1 << i for i in range(64) if cells.flat[i] >= 0)
        self.pegs = sum(1 << i for i in range(64) if cells.flat[i] == 1)
        self.moves: Moves = tuple(self._move(*_STEPS[direction]) for direction in directions)
        self.levels: Boards = np.array(_levels(order), np.uint64)
        self.jumps = sum(int(move[3]).bit_count() for move in self.moves)

    def _move(self, down: int, right: int) -> tuple[np.uint64, ...]:
        step = 8 * down + right
        starts = 0
        for row in range(max(0, -2 * down), 8 - max(0, 2 * down)):
            for col in range(max(0, -2 * right), 8 - max(0, 2 * right)):
                cell = 8 * row + col
                if all(self.holes >> (cell + k * step) & 1 for k in range(3)):
                    starts |= 1 << cell
        shape = 0x10101 if down else 0b111
        return tuple(np.uint64(x) for x in (-step % 64, max(0, -2 * step), shape, starts))

    def search(
        self, pegs: int, goals: _Table, goal_pegs: int, max_states: int
    ) -> tuple[bool | None, int, list[int]]:
        """Search from `pegs` for one of the goals, all of `goal_pegs` pegs.

        Returns (solved, boards given up on, boards from `pegs` to the goal); stops after
        `max_states` boards if that is not 0.
        """
        if pegs.bit_count() == goal_pegs:
            return True, 0, [pegs]  # a single peg: in the other uses the start has more pegs
        depths = pegs.bit_count() - goal_pegs
        most = max_states or 1 << 62
        batch = _BATCH * self.jumps  # boards that may be met in one go
        frame = 3 + self.jumps + 4  # words, with those written and not kept
        stack: Boards = np.empty(depths * (batch + 1) * frame, np.uint64)
        places: Places = np.zeros((depths + 1, 3), np.int64)
        found: Boards = np.zeros(2, np.uint64)
        table = _Table(min(most + depths * batch, 1 << self.holes.bit_count()) + batch)
        while table.full(batch) < 1:
            table.grow()
        rules = (np.uint64(self.holes), self.levels, self.moves)
        zero = np.uint64(0)
        places[0, 1] = _push(np.uint64(pegs), zero, *rules, stack, zero, table.slots, table.shift)
        places[0, 2] = 1
        depth, table.used, given_up = 0, 1, 0
        while True:
            status, depth, table.used, given_up = _run(
                *rules, stack, places, depth, depths - 1, goals.slots, goals.shift, found,
                table.slots, table.shift, table.used, table.full(batch), given_up, most,
            )  # fmt: skip
            if status != _FULL:
                break
            table.grow()
        path: list[int] = []
        if status == _SOLVED:
            given_up = table.used
            frame, goal = map(int, found)
            path.append(goal)
            for level in range(depth, -1, -1):
                path.insert(0, int(stack[frame + 1]))
                parent = int(stack[frame + 2])
                while frame < places[level, 1]:  # on the way to the goal, or after it
                    given_up -= 1
                    frame += 3 + int(stack[frame])
                frame = parent
        if given_up > most:
            return None, most, []
        return status == _SOLVED, given_up, path

    def single_pegs(self) -> _Table:
        table = _Table(64)
        for cell in range(64):
            if self.holes >> cell & 1:
                _add(table.slots, table.shift, np.uint64(1 << cell))
        return table

    def before_single_pegs(self, jumps: int) -> _Table:
        """The boards so many jumps before a single peg, in any hole."""
        table = self.single_pegs()
        stack: Boards = np.empty(self.jumps + 4, np.uint64)
        for _ in range(jumps):
            # Not in the order of their hash, nearly that of the hash of their children: until it
            # has grown, the next table would fill up in few places.
            boards = np.sort(table.boards())
            table = _Table(min(len(boards) * self.jumps, 1 << self.holes.bit_count()) + self.jumps)
            i = 0
            while True:
                i, table.used = _step_back(
                    boards, i, np.uint64(self.holes), self.levels, self.moves, stack, table.slots,
                    table.shift, table.used, table.full(self.jumps),
                )  # fmt: skip
                if i == len(boards):
                    break
                table.grow()
        return table


def _levels(order: str) -> list[int]:
    """The cells as sets that are visited one after the other, each row by row."""
    if order == "normal":
        return [(1 << 64) - 1]
    levels = [0] * 5
    for row in range(8):
        for col in range(8):
            level = min(row, 7 - row, col, 7 - col)
            # The report leaves out row 7 and column 7. Last, they change nothing where they are
            # blocked.
            level = 4 if 7 in (row, col) else level if order == "out-in" else 3 - level
            levels[level] |= 1 << (8 * row + col)
    return levels


def _played(path: list[int]) -> list[tuple[int, int, int, int]]:
    """The jumps from each board to the next."""
    jumps = []
    for board, following in itertools.pairwise(path):
        end = (following & ~board).bit_length() - 1
        gone = [cell for cell in range(64) if (board & ~following) >> cell & 1]
        start = max(gone, key=lambda cell: abs(cell - end))
        jumps.append((*divmod(start, 8), *divmod(end, 8)))
    return jumps


def memoized_search(
    board: npt.ArrayLike, order: str = "normal", directions: str = "DRLU", max_states: int = 0
) -> SearchOutcome:
    """Look for a way to a single peg, depth first, never twice from the same board.

    board: shape (8, 8), integers: -1 blocked, 0 hole, 1 peg. Not changed.
    order: one of `ORDERS`, in which the cells are visited to find the jumping peg.
    directions: the letters D, U, R and L in the order they are tried for each peg.
    max_states: stop when more boards than this are given up on; 0 for no bound.

    Raises ValueError for other arguments and MemoryError if the boards do not fit in memory.
    """
    game = _Game(board, order, directions)
    if game.pegs == 0:  # also the mark of an empty slot
        return SearchOutcome(False, 1, [])
    solved, unsolvable, path = game.search(game.pegs, game.single_pegs(), 1, max_states)
    return SearchOutcome(solved, unsolvable, _played(path))


def bidirectional_search(
    board: npt.ArrayLike, order: str = "normal", directions: str = "DRLU", max_states: int = 0
) -> SearchOutcome:
    """Look for a board of 10 pegs known to be solvable, and from there for a single peg.

    The boards of 10 pegs which are 9 jumps before a single peg are found backwards; then come two
    memoized searches, to one of these and from it on. The count is that of both, without the boards
    of 10 pegs met in the first one: they are only looked up. From a start with 10 pegs or fewer
    there is only the second search. Arguments and errors are those of `memoized_search`.
    """
    game = _Game(board, order, directions)
    if game.pegs.bit_count() <= _MIDDLE_PEGS:
        return memoized_search(board, order, directions, max_states)
    goals = game.before_single_pegs(_MIDDLE_PEGS - 1)
    solved, unsolvable, path = game.search(game.pegs, goals, _MIDDLE_PEGS, max_states)
    del goals
    if not solved:
        return SearchOutcome(solved, unsolvable, [])
    most = max(1, max_states - unsolvable) if max_states else 0
    solved, more, rest = game.search(path[-1], game.single_pegs(), 1, most)
    if max_states and unsolvable + more > max_states:
        return SearchOutcome(None, max_states, [])
    return SearchOutcome(solved, unsolvable + more, _played(path + rest[1:]) if solved else [])


def warm_up() -> None:
    """Compile what the searches use, or load it from the cache, so that it can be timed alone."""
    board = np.full((8, 8), -1, np.int8)
    board[0, :7] = (1, 1, 0, 1, 0, 1, 1)
    game = _Game(board, "normal", "DRLU")
    game.before_single_pegs(2)
    _Table(1 << 16).grow()
    memoized_search(board)
