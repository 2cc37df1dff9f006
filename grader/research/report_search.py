"""Depth-first searches with a table of unsolvable states, which give the counts of *the report*.

The report is a document on experiments with such searches, not a report of the grader. It counts the
unsolvable states of its program, so a count here has to be right to the last board. What makes the search
fast must not change which states are counted:

* A board is a 64-bit set of pegs, bit ``8 * row + col``. The boards seen are kept in an open
  addressing table of such sets, which grows in place.
* Every jump takes one peg, so a board can only be met again at the same depth. Whether a board is
  new is therefore settled by the order in which the boards *one level above* are opened, and by
  nothing else. So we open a whole batch of the boards of a level, in order, before going deeper:
  the tree is that of the plain depth-first search, but the lookups of a batch no longer wait
  for each other. The lookups take most of the time, because nearly each of them is a cache miss.
* For the same reason a board may enter the table when it is met, not when it is given up on.
  Boards met but not given up on are subtracted when a solution is found.

With symmetry, one of a board's up to eight images stands for all of them in the table. Images have the same
number of pegs, so the last two points hold for them too. The boards whose jumps are tried are those met
in play, not their images.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import psutil

from grader.research import report_kernels as kernels

Boards = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int64]
# The four directions, in the order tried. Each has the rotation that brings the next cell onto a cell, the
# right shift from the jumping peg to the lowest of the three cells, the three cells relative to the lowest
# one, and the cells from which a peg can ever jump this way.
Moves = tuple[tuple[np.uint64, ...], ...]

_STEPS = {"D": (1, 0), "U": (-1, 0), "R": (0, 1), "L": (0, -1)}
_FIRST_BITS = 12  # a table starts with 2**12 slots
_MIDDLE_PEGS = 10  # where the two halves of the bidirectional search meet


class SearchOutcome(NamedTuple):
    """What a search found.

    solved: whether a single peg was reached.
    unsolvable: the number of unsolvable states.
    jumps: (row_start, col_start, row_end, col_end) in the order played; empty if not solved.
    """

    solved: bool
    unsolvable: int
    jumps: list[tuple[int, int, int, int]]


def _memory() -> int:
    """Return the bytes of memory of the machine."""
    return psutil.virtual_memory().total


class _Table:
    """A set of boards: 8-byte slots, at most 3/4 of them used, 0 for an empty slot.

    The array has its largest size from the start, since pages that are not touched take no memory.
    The table grows in place, so at its peak, right after doubling, it takes 8 / (3/8) = 21.3 bytes
    per board. Lookups do not wrap around; half of the array is room past the largest index.
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
        # Numpy aligns arrays to less than a cache line, but _slot needs whole lines.
        self.slots: Boards = slots[-slots.ctypes.data % 64 // 8 :]

    @property
    def shift(self) -> np.uint64:
        return np.uint64(64 - self.bits)

    def full(self, room: int) -> int:
        """Return how many boards the table may have so that there is still room for `room` more."""
        return (3 << self.bits) // 4 - room

    @property
    def boards(self) -> Boards:
        slots = self.slots[: kernels.end_of(self.slots, self.shift)]
        return np.compress(slots != 0, slots)

    def grow(self) -> None:
        if self.bits == self.max_bits:
            raise MemoryError(f"no memory for more than {self.used:,} boards")
        kernels.grow(self.slots, self.shift)
        self.bits += 1


class _Game:
    """A board's holes and jumps, in the order in which the jumps are tried."""

    def __init__(self, board: npt.ArrayLike, order: str, directions: str) -> None:
        cells = np.asarray(board)
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
        self, pegs: int, goals: _Table, goal_pegs: int, images: kernels.Images | None = None
    ) -> tuple[bool, int, list[int]]:
        """Search from `pegs` for one of the goals, all of which have `goal_pegs` pegs.

        Returns (solved, unsolvable states, boards from `pegs` to the goal). With `images`, the table has only
        one image of each board.
        """
        depths = pegs.bit_count() - goal_pegs
        if depths == 0:
            return True, 0, [pegs]  # happens with a single peg only: otherwise the start has more pegs
        batch = kernels.BATCH * self.jumps  # boards that may be met in one batch
        width = 1 if images is None else 2  # words per child
        frame = 3 + width * self.jumps + 4  # words, including children that are written but not kept
        stack: Boards = np.empty(depths * (batch + 1) * frame, np.uint64)
        places: Places = np.zeros((depths + 1, 2), np.int64)
        found: Boards = np.zeros(2, np.uint64)
        table = _Table((1 << self.holes.bit_count()) + batch)
        while table.full(batch) < 1:
            table.grow()
        rules = (np.uint64(self.holes), self.levels, self.moves, images)
        zero = np.uint64(0)
        places[0, 1] = kernels.push(np.uint64(pegs), zero, *rules, stack, zero, table.slots, table.shift)
        depth, table.used = 0, 1
        while True:
            status, depth, table.used = kernels.run(
                *rules, stack, places, depth, depths - 1, goals.slots, goals.shift, found,
                table.slots, table.shift, table.used, table.full(batch),
            )  # fmt: skip
            if status != kernels.FULL:
                break
            table.grow()
        path: list[int] = []
        given_up = table.used
        if status == kernels.SOLVED:
            frame, goal = map(int, found)
            path.append(goal)
            for level in range(depth, -1, -1):
                path.insert(0, int(stack[frame + 1]))
                parent = int(stack[frame + 2])
                while frame < places[level, 1]:  # on the way to the goal, or after it
                    given_up -= 1
                    frame += 3 + width * int(stack[frame])
                frame = parent
        return status == kernels.SOLVED, given_up, path

    def single_pegs(self) -> _Table:
        table = _Table(64)
        for cell in range(64):
            if self.holes >> cell & 1:
                kernels.add(table.slots, table.shift, np.uint64(1 << cell))
        return table

    def before_single_pegs(self, jumps: int) -> _Table:
        """Return a table of the boards from which `jumps` jumps lead to a single peg, in any hole."""
        table = self.single_pegs()
        stack: Boards = np.empty(self.jumps + 4, np.uint64)
        for _ in range(jumps):
            # Sorted, since the order of hashes is nearly that of their children's hashes: the next table,
            # while it is still small, would fill up in few places.
            boards = np.sort(table.boards)
            table = _Table(min(len(boards) * self.jumps, 1 << self.holes.bit_count()) + self.jumps)
            i = 0
            while True:
                i, table.used = kernels.step_back(
                    boards, i, np.uint64(self.holes), self.levels, self.moves, stack, table.slots,
                    table.shift, table.used, table.full(self.jumps),
                )  # fmt: skip
                if i == len(boards):
                    break
                table.grow()
        return table


def _levels(order: str) -> list[int]:
    """Return sets of cells in the order in which they are visited; a set is visited row by row."""
    if order == "normal":
        return [(1 << 64) - 1]
    levels = [0] * 5
    for row in range(8):
        for col in range(8):
            level = min(row, 7 - row, col, 7 - col)
            # The report omits row 7 and column 7. They are visited last here, which changes nothing where
            # they are blocked.
            level = 4 if 7 in (row, col) else level if order == "out-in" else 3 - level
            levels[level] |= 1 << (8 * row + col)
    return levels


def _played(path: list[int]) -> list[tuple[int, int, int, int]]:
    """Return the jumps that lead from each board of a path to the next."""
    jumps = []
    for board, following in itertools.pairwise(path):
        end = (following & ~board).bit_length() - 1
        gone = [cell for cell in range(64) if (board & ~following) >> cell & 1]
        start = max(gone, key=lambda cell: abs(cell - end))
        jumps.append((*divmod(start, 8), *divmod(end, 8)))
    return jumps


def images_of(board: npt.ArrayLike) -> kernels.Images | None:
    """Return which turned or mirrored images of a board have the same holes.

    Return None if only the board itself has them.
    """
    holes = np.asarray(board) >= 0
    rows, cols = np.flatnonzero(holes.any(axis=1)), np.flatnonzero(holes.any(axis=0))
    shape = holes[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
    mirror, turned, turned_mirror = shape[:, ::-1], shape.T, shape.T[:, ::-1]
    # In the order of `kernels._key`.
    images = (mirror, shape[::-1], mirror[::-1], turned, turned_mirror, turned[::-1], turned_mirror[::-1])
    same = [np.array_equal(shape, image) for image in images]
    if not any(same):
        return None
    corner = np.uint64(8 * rows[0] + cols[0])
    to_left, to_top = np.uint64(8 - shape.shape[1]), np.uint64(8 * (8 - shape.shape[0]))
    excluded = tuple(np.uint64(0 if each else 2**64 - 1) for each in same)
    return kernels.Images(corner, to_left, to_top, excluded)


def memoized_search(
    board: npt.ArrayLike, order: str = "normal", directions: str = "DRLU", symmetry: bool = False
) -> SearchOutcome:
    """Search depth first for a way to a single peg, never twice from the same board.

    board: shape (8, 8), integers: -1 blocked, 0 hole, 1 peg. Not changed.
    order: normal, out-in or in-out: the order in which the cells are visited to find a peg that can jump.
    directions: the letters D, U, R and L in the order they are tried for each peg.
    symmetry: whether boards that are images of one another count as one, so that only one is searched.

    Raises MemoryError if the boards do not fit in memory.
    """
    game = _Game(board, order, directions)
    if game.pegs == 0:  # also the mark of an empty slot
        return SearchOutcome(False, 1, [])
    images = images_of(board) if symmetry else None
    solved, unsolvable, path = game.search(game.pegs, game.single_pegs(), 1, images)
    return SearchOutcome(solved, unsolvable, _played(path))


def bidirectional_search(
    board: npt.ArrayLike, order: str = "normal", directions: str = "DRLU"
) -> SearchOutcome:
    """Search for a board of 10 pegs that is known to be solvable, and from there for a single peg.

    The boards of 10 pegs from which 9 jumps lead to a single peg are found backwards. Two memoized searches
    follow: one to any of these boards, and one from the board that it reaches. The count of unsolvable states
    is the sum of both, without the boards of 10 pegs met in the first search, which are only looked up. From
    a start with 10 pegs or fewer there is only the second search. Arguments and errors are those of
    `memoized_search`.
    """
    game = _Game(board, order, directions)
    if game.pegs.bit_count() <= _MIDDLE_PEGS:
        return memoized_search(board, order, directions)
    goals = game.before_single_pegs(_MIDDLE_PEGS - 1)
    solved, unsolvable, path = game.search(game.pegs, goals, _MIDDLE_PEGS)
    del goals
    if not solved:
        return SearchOutcome(solved, unsolvable, [])
    solved, more, rest = game.search(path[-1], game.single_pegs(), 1)
    return SearchOutcome(solved, unsolvable + more, _played(path + rest[1:]) if solved else [])


def warm_up(symmetry: bool = False) -> None:
    """Compile the functions that the searches use, or load them from the cache, before time is measured.

    symmetry: True prepares the search with symmetry; False the one without and the bidirectional one.
    """
    board = np.full((8, 8), -1, np.int8)
    board[0, :7] = (1, 1, 0, 1, 0, 1, 1)
    _Table(1 << 16).grow()
    memoized_search(board, symmetry=symmetry)
    _Game(board, "normal", "DRLU").before_single_pegs(2)
