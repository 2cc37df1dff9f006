"""The rules of a jump, with a table of all landing cells that is made once."""

import numpy as np
from client import move_new

from framework.board import EMPTY, PEG, SIZE
from framework.contracts import compiled

ROW_STEP = (1, -1, 0, 0)
COL_STEP = (0, 0, 1, -1)

# LANDING[row, col, direction] is row * 8 + col of the cell where a jump ends, or -1 off the board.
LANDING = np.full((SIZE, SIZE, 4), -1)
for _row in range(SIZE):
    for _col in range(SIZE):
        for _direction in range(4):
            _end = (_row + 2 * ROW_STEP[_direction], _col + 2 * COL_STEP[_direction])
            if min(_end) >= 0 and max(_end) < SIZE:
                LANDING[_row, _col, _direction] = _end[0] * SIZE + _end[1]


@compiled
def can_jump(board, row, col, direction):
    """Return whether the jump is in the table and the cells allow it."""
    landing = LANDING[row, col, direction]
    return (
        landing >= 0
        and board[row, col] == PEG
        and board[row + ROW_STEP[direction], col + COL_STEP[direction]] == PEG
        and board[landing // SIZE, landing % SIZE] == EMPTY
    )


@compiled
def turn(board, row, col, direction):
    """Turn all three cells around: a peg becomes a hole and a hole a peg, which plays or takes back."""
    for step in range(3):
        row_now = row + step * ROW_STEP[direction]
        col_now = col + step * COL_STEP[direction]
        board[row_now, col_now] = EMPTY + PEG - board[row_now, col_now]


@compiled
def play(board, row, col, direction):
    """Jump."""
    turn(board, row, col, direction)


@compiled
def take_back(board, row, col, direction):
    """Undo it, by the same turn."""
    turn(board, row, col, direction)


@compiled
def move_of(row, col, direction):
    """Return the jump as a move."""
    landing = LANDING[row, col, direction]
    return move_new(row, col, landing // SIZE, landing % SIZE)
