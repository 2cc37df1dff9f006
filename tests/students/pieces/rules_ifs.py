"""The rules of a jump, one direction after the other."""

from client import move_new

from framework.board import EMPTY, PEG
from framework.contracts import compiled

DOWN, UP, RIGHT, LEFT = 0, 1, 2, 3


@compiled
def can_jump(board, row, col, direction):
    """Return whether there are peg, peg, hole."""
    if board[row, col] != PEG:
        return False
    if direction == DOWN:
        return row <= 5 and board[row + 1, col] == PEG and board[row + 2, col] == EMPTY
    if direction == UP:
        return row >= 2 and board[row - 1, col] == PEG and board[row - 2, col] == EMPTY
    if direction == RIGHT:
        return col <= 5 and board[row, col + 1] == PEG and board[row, col + 2] == EMPTY
    return col >= 2 and board[row, col - 1] == PEG and board[row, col - 2] == EMPTY


@compiled
def play(board, row, col, direction):
    """Take two pegs and put one."""
    board[row, col] = EMPTY
    if direction == DOWN:
        board[row + 1, col] = EMPTY
        board[row + 2, col] = PEG
    elif direction == UP:
        board[row - 1, col] = EMPTY
        board[row - 2, col] = PEG
    elif direction == RIGHT:
        board[row, col + 1] = EMPTY
        board[row, col + 2] = PEG
    else:
        board[row, col - 1] = EMPTY
        board[row, col - 2] = PEG


@compiled
def take_back(board, row, col, direction):
    """Put two pegs and take one."""
    board[row, col] = PEG
    if direction == DOWN:
        board[row + 1, col] = PEG
        board[row + 2, col] = EMPTY
    elif direction == UP:
        board[row - 1, col] = PEG
        board[row - 2, col] = EMPTY
    elif direction == RIGHT:
        board[row, col + 1] = PEG
        board[row, col + 2] = EMPTY
    else:
        board[row, col - 1] = PEG
        board[row, col - 2] = EMPTY


@compiled
def move_of(row, col, direction):
    """Return the jump as a move."""
    if direction == DOWN:
        return move_new(row, col, row + 2, col)
    if direction == UP:
        return move_new(row, col, row - 2, col)
    if direction == RIGHT:
        return move_new(row, col, row, col + 2)
    return move_new(row, col, row, col - 2)
