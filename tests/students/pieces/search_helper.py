"""The search: a helper finds the next jump, so that the search itself is short."""

from client import board_key  # 3
from peg1 import can_jump, move_of, play, take_back

from framework.board import PEG, count_pegs
from framework.contracts import compiled
from framework.hash_table import ht_insert, ht_lookup  # 3
from framework.stack import push

NONE = 256


@compiled
def next_jump(board, jump):
    """Return the first jump from number `jump` on that can be made, or NONE."""
    while jump < NONE:
        row, col = jump // 32, jump // 4 % 8
        if board[row, col] == PEG and can_jump(board, row, col, jump % 4):
            return jump
        jump += 1
    return NONE


@compiled
def solve(board, stack, unsolvable, pegs):
    """Return the fewest pegs that can be left."""
    if pegs == 1:
        return 1
    key = board_key(board)  # 3
    if ht_lookup(unsolvable, key):  # 3
        return pegs  # 3
    fewest = pegs
    jump = next_jump(board, 0)
    while jump != NONE:
        row, col, direction = jump // 32, jump // 4 % 8, jump % 4
        play(board, row, col, direction)
        left = solve(board, stack, unsolvable, pegs - 1)
        take_back(board, row, col, direction)
        if left == 1:
            push(stack, move_of(row, col, direction))
            return 1
        return left  # 1
        fewest = min(fewest, left)  # 23
        jump = next_jump(board, jump + 1)  # 23
    ht_insert(unsolvable, key)  # 3
    return fewest


def peg_solve(board, stack, unsolvable):
    """Search the whole board."""
    return solve(board, stack, unsolvable, count_pegs(board))
