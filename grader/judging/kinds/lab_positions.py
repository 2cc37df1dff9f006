"""List the positions of a lab board, as numbers, to find what is wrong with the table of a search."""

from collections import Counter
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from functools import cache, lru_cache

from framework.cells49 import CELLS, MOVES, WIDTH
from grader.catalog.boards import Facts
from grader.sandbox.child.lab_questions import MOST_KEPT


@dataclass(frozen=True)
class Listed:
    """The positions of a board.

    Attributes:
        reached: all positions that can be reached, and the board itself.
        again: those on which a move is possible and that several moves lead to: a search must remember them.
    """

    reached: Set[int]
    again: Set[int]

    def stray(self, keys: Iterable[int]) -> int | None:
        """Return a key that is no position, nor an image of one; None if all are."""
        others = (key for key in keys if key not in self.reached)
        return next((key for key in others if self.reached.isdisjoint(images(key))), None)

    def missing(self, keys: Set[int]) -> int | None:
        """Return a position to remember that is not among the keys, nor an image of it; None if all are."""
        others = self.again - keys
        return next((each for each in others if keys.isdisjoint(images(each))), None)


def is_listed(facts: Facts) -> bool:
    """Return whether a board has few enough positions to list them, which takes a second at most."""
    return facts.positions is not None and facts.positions <= MOST_KEPT


@lru_cache(maxsize=4)
def positions(board: int) -> Listed:
    """Return the positions that can be reached from a board."""
    moves = [(1 << int(a) | 1 << int(b) | 1 << int(c), 1 << int(a) | 1 << int(b)) for a, b, c in MOVES]
    reached, again = {board}, set[int]()
    level = Counter([board])
    while level:
        ways: Counter[int] = Counter()
        for position, number in level.items():
            after = [position ^ cells for cells, pegs in moves if position & cells == pegs]
            ways.update(after)
            if after and number > 1:
                again.add(position)
        reached |= ways.keys()
        level = ways
    return Listed(reached, again)


def images(key: int) -> Iterator[int]:
    """Yield the seven turned and mirrored images of a board; none of a number that is no board."""
    if key >> CELLS == 0:
        lines = [key >> WIDTH * row & (1 << WIDTH) - 1 for row in range(WIDTH)]
        for turned in _turned_lines():
            yield sum(turned[row][line] for row, line in enumerate(lines))


@cache
def _turned_lines() -> list[list[list[int]]]:
    """Return, for each turn, for each row and all that may be in it, where that comes to be."""
    return [
        [
            [
                sum(1 << _turned(row, col, turn) for col in range(WIDTH) if line >> col & 1)
                for line in range(1 << WIDTH)
            ]
            for row in range(WIDTH)
        ]
        for turn in range(1, 8)
    ]


def _turned(row: int, col: int, turn: int) -> int:
    """Return the cell to which one of the eight turns and mirrorings moves a cell."""
    row, col = (col, row) if turn & 4 else (row, col)
    return WIDTH * (WIDTH - 1 - row if turn & 1 else row) + (WIDTH - 1 - col if turn & 2 else col)
