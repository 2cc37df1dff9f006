"""The search: each jump is made on a copy of the board, so that nothing is taken back."""

from client import board_key  # 3
from peg1 import can_jump, move_of, play

from framework.board import PEG, SIZE, count_pegs
from framework.contracts import compiled
from framework.hash_table import ht_insert, ht_lookup  # 3
from framework.stack import push


@compiled
def solve(board, stack, unsolvable, pegs):
    """Return the fewest pegs that can be left; the board is not changed."""
    fewest = pegs
    if pegs > 1 and ht_lookup(unsolvable, board_key(board)):  # 3
        return pegs  # 3
    for row in range(SIZE):
        for col in range(SIZE):
            if board[row, col] != PEG:
                continue
            for direction in range(4):
                if can_jump(board, row, col, direction):
                    after = board.copy()
                    play(after, row, col, direction)
                    left = solve(after, stack, unsolvable, pegs - 1)
                    if left == 1:
                        push(stack, move_of(row, col, direction))
                        return 1
                    return left  # 1
                    if left < fewest:  # 23
                        fewest = left  # 23
    if fewest > 1:  # 3
        ht_insert(unsolvable, board_key(board))  # 3
    return fewest


def peg_solve(board, stack, unsolvable):
    """Search the whole board."""
    return solve(board, stack, unsolvable, count_pegs(board))
