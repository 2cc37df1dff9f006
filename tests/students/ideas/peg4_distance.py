from client import board_key, move_new

from framework.board import count_pegs
from framework.contracts import compiled
from framework.hash_table import ht_insert, ht_lookup
from framework.stack import push

STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))
NONE = 1 << 20  # more than the number of any jump


@compiled
def away(row, col):
    return (2 * row - 7) ** 2 + (2 * col - 7) ** 2


@compiled
def gain(row, col, down, right):
    return away(row + 2 * down, col + 2 * right) - away(row, col) - away(row + down, col + right)


@compiled
def possible(board, row, col, down, right):
    last_row, last_col = row + 2 * down, col + 2 * right
    if last_row < 0 or last_row > 7 or last_col < 0 or last_col > 7:
        return False
    return board[row, col] == 1 and board[row + down, col + right] == 1 and board[last_row, last_col] == 0


@compiled
def change(board, row, col, down, right, start, end):
    board[row, col] = start
    board[row + down, col + right] = start
    board[row + 2 * down, col + 2 * right] = end


@compiled
def next_jump(board, last):
    """Return the number of the jump after number `last`: those that bring the pegs nearest to the middle first."""
    best = NONE
    for at in range(256):
        row, col, down, right = parts(at)
        if possible(board, row, col, down, right):
            number = 256 * (1000 + gain(row, col, down, right)) + at
            if last < number < best:
                best = number
    return best


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
    number = next_jump(board, -1)
    while number < NONE:
        row, col, down, right = parts(number)
        change(board, row, col, down, right, 0, 1)
        solved = search(board, stack, unsolvable, pegs - 1)
        change(board, row, col, down, right, 1, 0)
        if solved:
            push(stack, move_new(row, col, row + 2 * down, col + 2 * right))
            return True
        number = next_jump(board, number)
    ht_insert(unsolvable, key)
    return False


def peg_solve(board, stack, unsolvable):
    pegs = count_pegs(board)
    return 1 if search(board, stack, unsolvable, pegs) else pegs
