import numpy as np
from client import board_key, move_new

from framework.board import count_pegs
from framework.contracts import compiled
from framework.hash_table import ht_insert, ht_lookup
from framework.stack import push

STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))


@compiled
def away(row, col):
    return (2 * row - 7) ** 2 + (2 * col - 7) ** 2


@compiled
def cell(board, row, col):
    if row < 0 or row > 7 or col < 0 or col > 7:
        return -1
    return board[row, col]


@compiled
def possible(board, row, col, down, right):
    over = cell(board, row + down, col + right)
    return board[row, col] == 1 and over == 1 and cell(board, row + 2 * down, col + 2 * right) == 0


@compiled
def change(board, row, col, down, right, start, end):
    board[row, col] = start
    board[row + down, col + right] = start
    board[row + 2 * down, col + 2 * right] = end


@compiled
def useless(board, row, col):
    """Return whether a peg can neither jump nor be jumped over."""
    for down, right in STEPS:
        if possible(board, row, col, down, right):
            return False
        if cell(board, row - down, col - right) == 1 and cell(board, row + down, col + right) == 0:
            return False
    return True


@compiled
def badness(board):
    """Return how far the pegs are from the middle, and more for each that is useless."""
    total = 0
    for row in range(8):
        for col in range(8):
            if board[row, col] == 1:
                total += away(row, col)
                if useless(board, row, col):
                    total += 8
    return total


@compiled
def sorted_jumps(board):
    """Return the numbers of all jumps: the better the board that a jump leads to, the smaller."""
    numbers = np.zeros(256, dtype=np.int64)
    count = 0
    for at in range(256):
        row, col, down, right = parts(at)
        if possible(board, row, col, down, right):
            change(board, row, col, down, right, 0, 1)
            numbers[count] = 256 * badness(board) + at
            change(board, row, col, down, right, 1, 0)
            count += 1
    return np.sort(numbers[:count])


@compiled
def parts(number):
    at = number % 256
    down, right = STEPS[at % 4]
    return at // 32, at // 4 % 8, down, right


@compiled
def search(board, stack, unsolvable, pegs):
    if pegs == 1:
        return True
    key = board_key(board)
    if ht_lookup(unsolvable, key):
        return False
    for number in sorted_jumps(board):
        row, col, down, right = parts(number)
        change(board, row, col, down, right, 0, 1)
        solved = search(board, stack, unsolvable, pegs - 1)
        change(board, row, col, down, right, 1, 0)
        if solved:
            push(stack, move_new(row, col, row + 2 * down, col + 2 * right))
            return True
    ht_insert(unsolvable, key)
    return False


def peg_solve(board, stack, unsolvable):
    pegs = count_pegs(board)
    return 1 if search(board, stack, unsolvable, pegs) else pegs
