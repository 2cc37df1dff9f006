"""Represent positions on a board's holes as numbers, for speed: bit 8 * row + col is 1 if a peg is there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TypeVar, TypeVarTuple

from framework.board import SIZE, Board, format_board, parse_board
from framework.jumps import Jump, cell_between
from framework.rules import GOAL_CELLS
from grader.sandbox.answers import is_on_board

More = TypeVarTuple("More")
Made = TypeVar("Made")
OfBoard = Callable[[Board, *More], Made]


class Holes:
    """The holes of a board."""

    def __init__(self, board: Board) -> None:
        cells = "".join(format_board(board).split())
        self._empty = cells.replace("*", "o").encode()
        # the position of the board's own pegs
        self.start = sum(1 << place for place, cell in enumerate(cells) if cell == "*")
        self.bits = [1 << place for place, cell in enumerate(cells) if cell != "."]  # the bit of each hole
        # the positions with a single peg, on a goal
        self.won = [hole for hole in self.bits if hole & GOAL_CELLS]
        # for each jump between holes, the bits of its three cells, those of its two pegs, and the jump
        self.jumps = []
        for jump in possible_jumps():
            start, over, end = bits_of(jump)
            if {start, over, end}.issubset(self.bits):
                self.jumps.append((start | over | end, start | over, jump))

    def positions_after(self, position: int) -> list[int]:
        """Return the positions to which a jump leads."""
        return [position ^ cells for cells, pegs, _ in self.jumps if position & cells == pegs]

    def before(self, positions: Iterable[int]) -> set[int]:
        """Return the positions from which a jump leads to one of `positions`."""
        after_jumps = [(cells, cells ^ pegs) for cells, pegs, _ in self.jumps]
        return {
            position ^ cells
            for position in positions
            for cells, after in after_jumps
            if position & cells == after
        }

    def text(self, position: int) -> str:
        """Return a position as a text of 64 cells."""
        cells = bytearray(self._empty)
        for place in pegs_of(position):
            cells[place] = ord("*")
        return cells.decode()

    def board(self, position: int) -> Board:
        """Return a position as a board."""
        return parse_board(self.text(position))


class TooManyPositions(Exception):
    """More positions can be reached than were to be found."""


class Reachable(Holes):
    """Every position that can be reached from a board."""

    def __init__(self, board: Board, most: int | None = None) -> None:
        """Find the positions.

        Args:
            board: the board.
            most: how many positions there may be; None for any number.

        Raises:
            TooManyPositions: there are more than `most`.
        """
        super().__init__(board)
        # for each position, those that its jumps lead to; positions after fewer jumps come first
        self.after: dict[int, list[int]] = {}
        found = {self.start: None}
        todo = [self.start]
        for position in todo:
            reached = self.positions_after(position)
            self.after[position] = reached
            todo += [each for each in dict.fromkeys(reached) if each not in found]
            found.update(dict.fromkeys(reached))
            if most is not None and len(found) > most:
                raise TooManyPositions
        self.winning: set[int] = set()  # the positions that can still win
        for position in reversed(self.after):
            won = position.bit_count() == 1 and position & GOAL_CELLS
            if won or not self.winning.isdisjoint(self.after[position]):
                self.winning.add(position)

    @property
    def fewest(self) -> int:
        """The fewest pegs of any position."""
        return min(map(int.bit_count, self.after))

    @property
    def forced(self) -> bool:
        """Whether no position leaves a choice of jumps."""
        return all(len(reached) <= 1 for reached in self.after.values())

    def ways(self) -> Counter[int]:
        """Return, for each position but the start, how many jumps lead to it."""
        return Counter(each for reached in self.after.values() for each in reached)


def kept(most: int) -> Callable[[OfBoard[*More, Made]], OfBoard[*More, Made]]:
    """Have a function of a board, and perhaps more, keep the last `most` results."""

    def decorated(make: OfBoard[*More, Made]) -> OfBoard[*More, Made]:
        @lru_cache(most)
        def made(text: str, *more: *More) -> Made:
            return make(parse_board(text), *more)

        def of_board(board: Board, /, *more: *More) -> Made:
            return made(format_board(board), *more)

        return of_board

    return decorated


def pegs_of(position: int) -> Iterator[int]:
    """Yield the cell number of each peg, which is the number of its bit."""
    while position:
        yield (position & -position).bit_length() - 1
        position &= position - 1


def bits_of(jump: Jump) -> list[int]:
    """Return the bits of a jump's three cells."""
    return [1 << SIZE * row + col for row, col in (jump[:2], cell_between(jump), jump[2:])]


def possible_jumps() -> list[Jump]:
    """Return all 192 jumps that are possible on an 8 x 8 board."""
    return [
        (row, col, row + row_step, col + col_step)
        for row in range(SIZE)
        for col in range(SIZE)
        for row_step, col_step in ((2, 0), (-2, 0), (0, 2), (0, -2))
        if is_on_board((row, col, row + row_step, col + col_step))
    ]
