"""What differs between this course and one that `grade variant` makes of it: the goals, and a move's integer.

A board is won when a single peg is left, on a goal. GOALS has the cells of any board, blocked or not; `*` is
a goal. Here every cell is one. MOVE_ORDER says which digits a move has in base MOVE_BASE, the highest first;
if it is empty, as here, a move is whatever integer client.py makes.
"""

from framework.board import PEG, SIZE, Board
from framework.contracts import compiled

GOALS = """
* * * * * * * *
* * * * * * * *
* * * * * * * *
* * * * * * * *
* * * * * * * *
* * * * * * * *
* * * * * * * *
* * * * * * * *
"""
MOVE_ORDER: tuple[str, ...] = ()
MOVE_BASE = 0

GOAL_CELLS = sum(1 << cell for cell, mark in enumerate(GOALS.split()) if mark == "*")  # bit 8 * row + col
EVERY_CELL_WINS = GOAL_CELLS == (1 << SIZE * SIZE) - 1
_GOAL_ROWS = tuple(GOAL_CELLS >> SIZE * row & (1 << SIZE) - 1 for row in range(SIZE))


@compiled
def is_goal(row: int, col: int) -> bool:
    """Return whether the last peg wins at row, col."""
    return bool(_GOAL_ROWS[row] >> col & 1)


@compiled
def is_won(board: Board) -> bool:
    """Return whether a single peg is left on `board`, on a goal."""
    pegs, on_goal = 0, False
    for row in range(SIZE):
        for col in range(SIZE):
            if board[row, col] == PEG:
                pegs += 1
                on_goal = is_goal(row, col)
    return pegs == 1 and on_goal


def fewest_of(pegs: int, has_won: bool) -> int:
    """Return the fewest pegs by the course's count, in which a last peg that is on no goal counts as two.

    Args:
        pegs: the fewest pegs of any position that can be reached.
        has_won: whether one of these positions is won.
    """
    return 1 if has_won else max(pegs, 2)
