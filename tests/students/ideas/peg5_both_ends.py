from client import board_key, col_end, col_start, move_new, row_end, row_start
from peg4 import STEPS, change, parts, sorted_jumps

from framework.board import count_pegs
from framework.contracts import compiled
from framework.hash_table import ht_insert, ht_lookup, ht_new, ht_size
from framework.stack import pop, push, stack_empty, stack_new


@compiled
def backwards(board, row, col, down, right):
    last_row, last_col = row + 2 * down, col + 2 * right
    if last_row < 0 or last_row > 7 or last_col < 0 or last_col > 7:
        return False
    return board[row, col] == 0 and board[row + down, col + right] == 0 and board[last_row, last_col] == 1


@compiled
def add(board, winning, jumps):
    key = board_key(board)
    if ht_lookup(winning, key):
        return
    ht_insert(winning, key)
    if jumps == 0:
        return
    for row in range(8):
        for col in range(8):
            for down, right in STEPS:
                if backwards(board, row, col, down, right):
                    change(board, row, col, down, right, 1, 0)
                    add(board, winning, jumps - 1)
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
def only(board, row, col):
    """Return the board with a peg on row, col and on no other hole."""
    end = board.copy()
    for r in range(8):
        for c in range(8):
            if end[r, c] == 1:
                end[r, c] = 0
    end[row, col] = 1
    return end


@compiled
def can_end_at(board, row, col):
    return colours(only(board, row, col)) == colours(board)


@compiled
def add_all(board, winning, jumps, every_end):
    for row in range(8):
        for col in range(8):
            if board[row, col] != -1 and (every_end or can_end_at(board, row, col)):
                add(only(board, row, col), winning, jumps)


@compiled
def search(board, stack, winning, pegs, unsolvable, left):
    key = board_key(board)
    if left == pegs:
        return ht_lookup(winning, key)
    if ht_lookup(unsolvable, key):
        return False
    for number in sorted_jumps(board):
        row, col, down, right = parts(number)
        change(board, row, col, down, right, 0, 1)
        found = search(board, stack, winning, pegs, unsolvable, left - 1)
        change(board, row, col, down, right, 1, 0)
        if found:
            push(stack, move_new(row, col, row + 2 * down, col + 2 * right))
            return True
    ht_insert(unsolvable, key)
    return False


def fill_winning(board, winning, jumps):
    add_all(board, winning, jumps, True)


def meet(board, stack, winning, pegs, unsolvable):
    return search(board, stack, winning, pegs, unsolvable, count_pegs(board))


def peg_solve(board, stack, unsolvable):
    pegs = count_pegs(board)
    jumps = min(2, pegs - 1)
    winning = ht_new(1000)
    add_all(board, winning, jumps, False)
    there = stack_new()
    if ht_size(winning) == 0 or not meet(board, there, winning, jumps + 1, unsolvable):
        return pegs
    rest = board.copy()
    moves = []
    while not stack_empty(there):
        move = pop(there)
        moves.append(move)
        row, col, last_row, last_col = row_start(move), col_start(move), row_end(move), col_end(move)
        rest[row, col] = rest[(row + last_row) // 2, (col + last_col) // 2] = 0
        rest[last_row, last_col] = 1
    single = ht_new(100)
    fill_winning(rest, single, 0)
    meet(rest, stack, single, 1, ht_new(1000))
    for move in reversed(moves):
        push(stack, move)
    return 1
