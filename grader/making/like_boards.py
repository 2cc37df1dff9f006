"""Make a board like a given one: a search needs the same idea to decide either of them in time."""

from collections.abc import Callable
from typing import NamedTuple

from framework.board import Board
from grader.making.chance import Chance
from grader.making.closed_boards import another_losing, another_winning, winning_of
from grader.making.ordered_boards import FULL, ordered_play
from grader.oracle.explore import board_of
from grader.oracle.shape import shape_of

SEARCHED = 1_000_000  # positions; boards with fewer are decided in time without an idea


class LikeBoard(NamedTuple):
    """A board that was made to be like a given one.

    Attributes:
        board: the new board, which can be solved if and only if the given one can.
        play: a solution of the new board, as the set of pegs before the first and after each jump; empty if
            none is known.
    """

    board: Board
    play: list[int]


def another_like(
    board: Board, solvable: bool, positions: int | None, chance: Chance, tried: Callable[[int], None]
) -> LikeBoard | None:
    """Return another board for which a search needs the same idea; None if the given board should be kept.

    The given board is kept if it is small, if its parity class excludes a solution, or if no other board is
    found.

    Args:
        positions: how many positions can be reached from it; None if there are too many to count.
        tried: called with the number of each try.
    """
    shape = shape_of(board)
    small = positions is not None and positions < SEARCHED
    if small or not shape.ends_of_class(shape.position(board)):
        return None
    winning = winning_of(board)
    if winning is None:
        if not solvable:
            return None
        play = ordered_play(chance, tried)
        return LikeBoard(board_of(play[0], FULL), play)
    another = another_winning if solvable else another_losing
    found = another(board, winning, chance, tried)
    return None if found is None else LikeBoard(found, [])
