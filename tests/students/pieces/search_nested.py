"""The search: rows, columns and directions, one loop in the other."""

from client import board_key  # 3
from peg1 import can_jump, move_of, play, take_back

from framework.board import PEG, SIZE, count_pegs
from framework.contracts import compiled
from framework.hash_table import ht_insert, ht_lookup  # 3
from framework.stack import push


@compiled
def solve(board, stack, unsolvable, pegs):
    """Return the fewest pegs that can be left; if that is 1, the moves are on the stack."""
    if pegs == 1:
        return 1
    # Was this board given up on before?                  # 3
    key = board_key(board)  # 3
    if ht_lookup(unsolvable, key):  # 3
        return pegs  # 3
    fewest = pegs
    for row in range(SIZE):
        for col in range(SIZE):
            for direction in range(4):
                if board[row, col] == PEG and can_jump(board, row, col, direction):
                    play(board, row, col, direction)
                    left = solve(board, stack, unsolvable, pegs - 1)
                    take_back(board, row, col, direction)
                    if left == 1:
                        push(stack, move_of(row, col, direction))
                        return 1
                    return left  # 1
                    if left < fewest:  # 23
                        fewest = left  # 23
    ht_insert(unsolvable, key)  # 3
    return fewest


def peg_solve(board, stack, unsolvable):
    """Search the whole board."""
    return solve(board, stack, unsolvable, count_pegs(board))
