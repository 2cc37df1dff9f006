"""The rules of a jump, from two tables of steps."""

from client import move_new

from framework.board import EMPTY, PEG, SIZE
from framework.contracts import compiled

ROW_STEP = (1, -1, 0, 0)
COL_STEP = (0, 0, 1, -1)


@compiled
def can_jump(board, row, col, direction):
    """Return whether the peg at row, col can jump there."""
    row_end = row + 2 * ROW_STEP[direction]
    col_end = col + 2 * COL_STEP[direction]
    # First of all, is it on the board?
    if row_end < 0 or row_end >= SIZE or col_end < 0 or col_end >= SIZE:
        return False
    if board[row, col] != PEG:
        return False
    if board[row + ROW_STEP[direction], col + COL_STEP[direction]] != PEG:
        return False
    return board[row_end, col_end] == EMPTY


@compiled
def put(board, row, col, direction, start, end):
    """Set the first two cells of a jump, and the third."""
    row_step = ROW_STEP[direction]
    col_step = COL_STEP[direction]
    board[row, col] = start
    board[row + row_step, col + col_step] = start
    board[row + 2 * row_step, col + 2 * col_step] = end


@compiled
def play(board, row, col, direction):
    """Jump."""
    put(board, row, col, direction, EMPTY, PEG)


@compiled
def take_back(board, row, col, direction):
    """Undo the jump."""
    put(board, row, col, direction, PEG, EMPTY)


@compiled
def move_of(row, col, direction):
    """Return the jump as a move."""
    return move_new(row, col, row + 2 * ROW_STEP[direction], col + 2 * COL_STEP[direction])
