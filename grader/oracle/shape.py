"""A board's shape as numbers: its holes, its threes, its symmetries, its parity classes.

The holes are numbered row by row from 0. A position is the set of its pegs: an integer with one bit per hole.
A *three* is three neighbouring holes in one line. A jump changes all holes of a three; it is possible where
the middle hole has a peg and exactly one of the outer two has a peg.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache, reduce
from itertools import combinations
from operator import xor
from typing import NamedTuple

import numpy as np

from framework.board import BLOCKED, EMPTY, PEG, SIZE, Board
from framework.rules import EVERY_CELL_WINS, is_goal

Hole = tuple[int, int]
Symmetry = tuple[int, ...]  # the hole that each hole goes to

MOST_HOLES = 41  # that the exact engine takes

# A hole's part in the class of a position, by its colour. A three has one hole of each colour, so the XOR of
# its three parts is 0.
_CODE_OF_COLOUR = (0b10, 0b11, 0b01)


class Three(NamedTuple):
    """Three neighbouring holes in a line, the lowest number first; `line` is 0 in a row, 1 in a column."""

    first: int
    middle: int
    last: int
    line: int

    @property
    def cells(self) -> int:
        """The position with pegs in exactly these three holes."""
        return 1 << self.first | 1 << self.middle | 1 << self.last


class HoleJump(NamedTuple):
    """A jump from one hole to another; holes are given by number."""

    start: int
    end: int
    needed: int  # the two pegs that it needs, as a position
    cells: int  # all three holes, as a position; the jump is legal if `position & cells == needed`


class Shape:
    """The holes of a board and what follows from where they are."""

    def __init__(self, holes: Iterable[Hole]) -> None:
        self.holes = tuple(sorted(holes))  # the (row, col) of each hole, by its number
        # the number of each hole, by its (row, col)
        self.number = {hole: number for number, hole in enumerate(self.holes)}
        self.full = (1 << len(self.holes)) - 1  # the position with a peg in every hole
        self.threes = [
            Three(self.number[row, col], self.number[middle], self.number[last], line)
            for line, (down, right) in enumerate(((0, 1), (1, 0)))
            for row, col in self.holes
            if (middle := (row + down, col + right)) in self.number
            and (last := (row + 2 * down, col + 2 * right)) in self.number
        ]  # the places for jumps, each of them three holes in a line
        self.jumps = [
            HoleJump(start, end, 1 << start | 1 << three.middle, three.cells)
            for three in self.threes
            for start, end in ((three.first, three.last), (three.last, three.first))
        ]  # the jumps, two for each three
        # the ways to turn or mirror the holes onto themselves, wherever on the 8 x 8 cells they lie; the
        # first one changes nothing
        self.symmetries = self._find_symmetries()
        self.goals = tuple(
            1 << number for number, hole in enumerate(self.holes) if EVERY_CELL_WINS or is_goal(*hole)
        )  # the positions with a single peg, on a goal of the course, in ascending order
        self.codes = [
            _CODE_OF_COLOUR[(row + col) % 3] << 2 | _CODE_OF_COLOUR[(row - col) % 3]
            for row, col in self.holes
        ]  # what a peg in each hole adds, by XOR, to a position's parity class, 4 bits

    def _find_symmetries(self) -> list[Symmetry]:
        found: list[Symmetry] = []
        for way in range(8):
            images = []
            for row, col in self.holes:
                if way & 1:
                    row = -row
                if way & 2:
                    col = -col
                images.append((col, row) if way & 4 else (row, col))
            down, right = (
                min((hole[axis] for hole in images), default=0)
                - min((hole[axis] for hole in self.holes), default=0)
                for axis in (0, 1)
            )
            moved = [(row - down, col - right) for row, col in images]
            if set(moved) == set(self.holes):
                symmetry = tuple(self.number[hole] for hole in moved)
                if symmetry not in found:  # on a single line two ways are the same
                    found.append(symmetry)
        return found

    def position(self, board: Board) -> int:
        """Return the pegs of `board` as a position; the board must have the holes of this shape."""
        return sum(1 << number for number, hole in enumerate(self.holes) if board[hole] == PEG)

    def board(self, position: int) -> Board:
        """Return the 8 x 8 int8 board of a position."""
        board: Board = np.full((SIZE, SIZE), BLOCKED, dtype=np.int8)
        for number, hole in enumerate(self.holes):
            board[hole] = PEG if position >> number & 1 else EMPTY
        return board

    def after_jumps(self, position: int) -> list[int]:
        """Return the position after each legal jump."""
        return [position ^ cells for _, _, needed, cells in self.jumps if position & cells == needed]

    def is_forced(self, position: int) -> bool:
        """Return whether each position that can be reached from `position` has at most one legal jump."""
        while following := self.after_jumps(position):
            if len(following) > 1:
                return False
            position = following[0]
        return True

    def class_of(self, position: int) -> int:
        """Return the parity class of a position, 0 to 15; no jump changes it."""
        return reduce(xor, (part for number, part in enumerate(self.codes) if position >> number & 1), 0)

    def ends_of_class(self, position: int) -> list[Hole]:
        """Return the holes on which a single peg has the parity class of `position`."""
        wanted = self.class_of(position)
        return [hole for hole, code in zip(self.holes, self.codes, strict=True) if code == wanted]

    def ends_with(self, class_: int, pegs: int) -> tuple[int, ...]:
        """Return the positions of a class with so many pegs; a single one is on a goal of the course."""
        if pegs == 1:
            return tuple(goal for goal in self.goals if self.class_of(goal) == class_)
        return tuple(self._positions_of(class_, pegs))

    def _positions_of(self, class_: int, pegs: int) -> Iterator[int]:
        for others in combinations(range(len(self.holes)), pegs - 1):
            position = sum(1 << hole for hole in others)
            last = class_ ^ self.class_of(position)
            for hole in range(others[-1] + 1 if others else 0, len(self.holes)):
                if self.codes[hole] == last:
                    yield position | 1 << hole

    def symmetries_that_keep(self, *sets: Iterable[int]) -> list[Symmetry]:
        """Return the symmetries that map each of these sets of positions to itself."""
        kept = [frozenset(positions) for positions in sets]
        return [
            symmetry
            for symmetry in self.symmetries
            if all(frozenset(image(symmetry, each) for each in positions) == positions for positions in kept)
        ]


def byte_sums(values: Iterable[int]) -> np.ndarray:
    """Return tables for adding up the values of a set of holes byte by byte.

    Args:
        values: the value of each hole, modulo 2^64.

    Returns:
        For each byte of a set, and each value of that byte, the sum of the values of its holes: shape
        (bytes, 256), uint64.
    """
    padded = list(values)
    padded += [0] * (-len(padded) % 8)
    sums = np.zeros((len(padded) // 8, 256), dtype=np.uint64)
    for hole, value in enumerate(padded):
        bit = 1 << hole % 8
        sums[hole // 8, bit : 2 * bit] = sums[hole // 8, :bit] + np.uint64(value % (1 << 64))
    return sums


def image(symmetry: Symmetry, position: int) -> int:
    """Return the image of a position under a symmetry."""
    return sum(1 << to for number, to in enumerate(symmetry) if position >> number & 1)


@lru_cache(maxsize=256)
def _shape(holes: tuple[Hole, ...]) -> Shape:
    return Shape(holes)


def shape_of(board: Board) -> Shape:
    """Return the shape of an 8 x 8 board, whatever its pegs."""
    rows, cols = np.nonzero(np.asarray(board) != BLOCKED)
    return _shape(tuple(zip(rows.tolist(), cols.tolist(), strict=True)))


class Group(NamedTuple):
    """Threes whose holes' numbers are equally far apart, so that one operation finds all their jumps."""

    to_middle: int  # the distance from the number of the first hole to that of the middle one
    to_last: int  # the distance from the number of the first hole to that of the last one
    firsts: int  # the first holes, as a position
    word: int  # which of two words has the bits for the jumps of the group
    # by how much these bits are shifted from those of the first holes, so that no two threes share a bit
    shift: int


def groups_of(shape: Shape) -> list[Group]:
    """Group the threes of a shape, so that one word stands for many.

    Each three has a bit of its own in one of two words. On the usual boards all bits fit into the first word,
    so one loop covers all jumps.
    """
    firsts: dict[tuple[int, int, int], int] = {}
    for three in shape.threes:
        key = (three.line, three.middle - three.first, three.last - three.first)
        firsts[key] = firsts.get(key, 0) | 1 << three.first
    taken = [0, 0]
    groups = []
    for (_, to_middle, to_last), holes in sorted(firsts.items()):
        word, shift = next(
            (word, shift)
            for word in range(2)
            for shift in range(65 - holes.bit_length())
            if not holes << shift & taken[word]
        )
        taken[word] |= holes << shift
        groups.append(Group(to_middle, to_last, holes, word, shift))
    return groups
