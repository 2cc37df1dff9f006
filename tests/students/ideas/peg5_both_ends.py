from client import board_key, move_new
from peg4 import NONE, STEPS, change, next_jump, parts

from framework.board import count_pegs
from framework.contracts import compiled
from framework.hash_table import ht_insert, ht_lookup, ht_new, ht_size
from framework.stack import push

ENOUGH = 100_000


@compiled
def backwards(board, row, col, down, right):
    last_row, last_col = row + 2 * down, col + 2 * right
    if last_row < 0 or last_row > 7 or last_col < 0 or last_col > 7:
        return False
    return board[row, col] == 0 and board[row + down, col + right] == 0 and board[last_row, last_col] == 1


@compiled
def add(board, winning, jumps, enough):
    key = board_key(board)
    if ht_size(winning) >= enough or ht_lookup(winning, key):
        return
    ht_insert(winning, key)
    if jumps == 0:
        return
    for row in range(8):
        for col in range(8):
            for down, right in STEPS:
                if backwards(board, row, col, down, right):
                    change(board, row, col, down, right, 1, 0)
                    add(board, winning, jumps - 1, enough)
                    change(board, row, col, down, right, 0, 1)


@compiled
def colours(board):
    """Return which colours agree, for both ways of colouring."""
    counts = [0, 0, 0, 0, 0, 0]
    for row in range(8):
        for col in range(8):
            if board[row, col] == 1:
                counts[(row + col) % 3] += 1
                counts[3 + (row - col) % 3] += 1
    agree = 0
    for number in range(6):
        other = number // 3 * 3 + (number + 1) % 3
        agree = 2 * agree + (counts[number] + counts[other]) % 2
    return agree


@compiled
def add_all(board, winning, jumps, enough, same_colours):
    end = board.copy()
    for row in range(8):
        for col in range(8):
            if end[row, col] == 1:
                end[row, col] = 0
    for row in range(8):
        for col in range(8):
            if end[row, col] == 0:
                end[row, col] = 1
                if not same_colours or colours(end) == colours(board):
                    add(end, winning, jumps, enough)
                end[row, col] = 0


@compiled
def search(board, stack, unsolvable, winning, known, pegs):
    if pegs == 1:
        return True
    key = board_key(board)
    if pegs <= known and not ht_lookup(winning, key):
        return False
    if ht_lookup(unsolvable, key):
        return False
    number = next_jump(board, -1)
    while number < NONE:
        row, col, down, right = parts(number)
        change(board, row, col, down, right, 0, 1)
        solved = search(board, stack, unsolvable, winning, known, pegs - 1)
        change(board, row, col, down, right, 1, 0)
        if solved:
            push(stack, move_new(row, col, row + 2 * down, col + 2 * right))
            return True
        number = next_jump(board, number)
    ht_insert(unsolvable, key)
    return False


def fill_winning(board, winning, jumps):
    add_all(board, winning, jumps, 1 << 26, False)


def peg_solve(board, stack, unsolvable):
    pegs = count_pegs(board)
    winning = ht_new(1000)
    add_all(board, winning, 64, ENOUGH, True)
    known = 64
    if ht_size(winning) >= ENOUGH:
        winning = ht_new(1000)
        add_all(board, winning, 4, 1 << 26, True)
        known = 5
    return 1 if search(board, stack, unsolvable, winning, known, pegs) else pegs
