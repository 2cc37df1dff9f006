"""The rules of a jump: where it ends, and the cell in the middle."""

from client import move_new

from framework.board import EMPTY, PEG, SIZE
from framework.contracts import compiled

DOWN, UP, RIGHT, LEFT = 0, 1, 2, 3


@compiled
def end_of(row, col, direction):
    """Return the cell two further on."""
    if direction == DOWN:
        row += 2
    elif direction == UP:
        row -= 2
    elif direction == RIGHT:
        col += 2
    elif direction == LEFT:
        col -= 2
    return row, col


@compiled
def can_jump(board, row, col, direction):
    """Return whether the three cells are as they must be."""
    row_end, col_end = end_of(row, col, direction)
    on_board = 0 <= row_end < SIZE and 0 <= col_end < SIZE
    if on_board:
        middle = board[(row + row_end) // 2, (col + col_end) // 2]
        return board[row, col] == PEG and middle == PEG and board[row_end, col_end] == EMPTY
    return False


@compiled
def play(board, row, col, direction):
    """Move the peg and take the one in the middle."""
    row_end, col_end = end_of(row, col, direction)
    board[row, col], board[row_end, col_end] = EMPTY, PEG
    board[(row + row_end) // 2, (col + col_end) // 2] = EMPTY


@compiled
def take_back(board, row, col, direction):
    """Move the peg back and put the one in the middle."""
    row_end, col_end = end_of(row, col, direction)
    board[row, col], board[row_end, col_end] = PEG, EMPTY
    board[(row + row_end) // 2, (col + col_end) // 2] = PEG


@compiled
def move_of(row, col, direction):
    """Return the jump as a move."""
    row_end, col_end = end_of(row, col, direction)
    return move_new(row, col, row_end, col_end)
