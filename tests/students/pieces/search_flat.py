"""The search: one loop over the jumps by number; the pegs are counted anew."""

from client import board_key  # 3
from peg1 import can_jump, move_of, play, take_back

from framework.board import PEG
from framework.contracts import compiled
from framework.hash_table import ht_insert, ht_lookup  # 3
from framework.stack import push


@compiled
def pegs_on(board):
    """Return the number of pegs."""
    pegs = 0
    for cell in range(64):
        if board[cell // 8, cell % 8] == PEG:
            pegs = pegs + 1
    return pegs


@compiled
def solve(board, stack, unsolvable):
    """Return the fewest pegs that can be left."""
    fewest = pegs_on(board)
    if fewest == 1:
        return 1
    key = board_key(board)  # 3
    if ht_lookup(unsolvable, key):  # 3
        return fewest  # 3
    for jump in range(256):
        row = jump // 32
        col = jump // 4 % 8
        direction = jump % 4
        if board[row, col] == PEG and can_jump(board, row, col, direction):
            play(board, row, col, direction)
            left = solve(board, stack, unsolvable)
            take_back(board, row, col, direction)
            fewest = min(left, fewest)
            if left == 1:
                push(stack, move_of(row, col, direction))
                return 1
            return left  # 1
    ht_insert(unsolvable, key)  # 3
    return fewest


def peg_solve(board, stack, unsolvable):
    """Search the whole board."""
    return solve(board, stack, unsolvable)
