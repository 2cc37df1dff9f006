"""Make boards that a search solves in time only if it tries the promising jumps first.

A board is made by playing backwards on all 64 cells, from a peg in the middle, so that the pegs stay together
and near the middle. A search that prefers such positions then finds the way back. A board is kept if such
ordered searches solve it and no plain search does. All searches scan a board row by row, but they are
run on its images too: that is the same as scanning the board itself in another way.
"""

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from framework.board import EMPTY, SIZE
from grader.making.chance import Chance
from grader.making.searches import FEW_ORDERS, ORDERS, Searches
from grader.oracle.explore import before_jumps, board_of, threes_of

PEGS = (34, 38)  # from, to: with fewer, plain searches are lucky; with more, ordered ones fail
ORDERED_STATES = 50_000  # ordered searches give up on at most this many, for any image and order: 0.02 s
# Pairs of states and images: plain searches must give up on that many states, unsolved, for that many
# of the board's images. Most boards fail the first pairs. More states would be better, but take more than ten
# seconds per board.
PLAIN_STATES = ((3_000, 8), (20_000, 8), (40_000, 8), (300_000, 1))

CELLS = range(SIZE * SIZE)
FULL = sum(1 << cell for cell in CELLS)
THREES = threes_of(FULL)
MIDDLE = [cell for cell in CELLS if cell // SIZE in (3, 4) and cell % SIZE in (3, 4)]
FIRST_COL = sum(1 << SIZE * row for row in range(SIZE))
LAST_COL = FIRST_COL << SIZE - 1
# For each row and each byte of its pegs: four times the sum of their squared distances from the middle.
DISTANCES = [
    [
        sum((2 * row - SIZE + 1) ** 2 + (2 * col - SIZE + 1) ** 2 for col in range(SIZE) if pegs >> col & 1)
        for pegs in range(1 << SIZE)
    ]
    for row in range(SIZE)
]


def ordered_play(chance: Chance, tried: Callable[[int], None]) -> list[int]:
    """Make a board that only ordered searches solve; return its solution as a list of sets of pegs.

    These are the pegs before the first jump and after each jump, as sets of cells; all 64 cells are holes.
    `tried` is called with the number of each try.
    """
    for number, play in enumerate(_plays(chance), 1):
        tried(number)
        if needs_order(play[0]):
            return play
    raise AssertionError("plays do not end")


def needs_order(position: int) -> bool:
    """Return whether ordered searches solve a position after few states, but plain ones not after many."""
    searches, images = _searches(), _images(position)
    return is_soon_solved(position) and not any(
        searches.plain(image, order, most) is not None
        for most, count in PLAIN_STATES
        for order in ORDERS
        for image in images[:count]
    )


def is_soon_solved(position: int) -> bool:
    """Return whether ordered searches solve a position and all its images after few states."""
    return all(
        _searches().ordered(image, order, ORDERED_STATES, lone) is not None
        for lone in (False, True)
        for image in _images(position)
        for order in FEW_ORDERS
    )


@cache
def _searches() -> Searches:
    return Searches(FULL)


def _images(position: int) -> list[int]:
    """Return the position and its other images, eight in all."""
    square = board_of(position, FULL) > EMPTY
    turned = [np.rot90(each, quarters) for each in (square, square[:, ::-1]) for quarters in range(4)]
    return [sum(1 << cell for cell in np.flatnonzero(each).tolist()) for each in turned]


def _plays(chance: Chance) -> Iterator[list[int]]:
    """Yield solutions of random boards, each made backwards from its last peg."""
    least, most = PEGS
    while True:
        pegs = least + chance.below(most + 1 - least)
        play = [1 << chance.one_of(MIDDLE)]
        while len(play) < pegs and (before := before_jumps(play[0], THREES)):
            play.insert(0, min((_spread(each) + 2 * chance.share(), each) for each in before)[1])
        if len(play) == pegs:
            yield play


def _spread(position: int) -> float:
    """Return the pegs without a neighbour, plus a tenth of all pegs' squared distances from the middle."""
    beside = (position & ~LAST_COL) << 1 | (position & ~FIRST_COL) >> 1
    lone = (position & ~(beside | position << SIZE | position >> SIZE)).bit_count()
    rows = position.to_bytes(SIZE, "little")
    return lone + sum(of[pegs] for of, pegs in zip(DISTANCES, rows, strict=True)) / 40
