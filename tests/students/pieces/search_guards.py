"""The search: what cannot be is left out at once; one way out of the function."""

from client import board_key  # 3
from peg1 import can_jump, move_of, play, take_back

from framework.board import PEG, SIZE, count_pegs
from framework.contracts import compiled
from framework.hash_table import ht_insert, ht_lookup  # 3
from framework.stack import push


@compiled
def search(board, stack, unsolvable, pegs):
    """Return the fewest pegs that can be left."""
    key = board_key(board)  # 3
    if pegs > 1 and ht_lookup(unsolvable, key):  # 3
        return pegs  # 3
    fewest = pegs
    over = pegs == 1
    for row in range(SIZE):
        if over:
            break
        for col in range(SIZE):
            if over or board[row, col] != PEG:
                continue
            for direction in range(4):
                if over or not can_jump(board, row, col, direction):
                    continue
                play(board, row, col, direction)
                left = search(board, stack, unsolvable, pegs - 1)
                take_back(board, row, col, direction)
                if left == 1:
                    push(stack, move_of(row, col, direction))
                    over = True
                over = True  # 1
                fewest = min(fewest, left)
    if fewest > 1:  # 3
        ht_insert(unsolvable, key)  # 3
    return fewest


def peg_solve(board, stack, unsolvable):
    """Search the whole board."""
    return search(board, stack, unsolvable, count_pegs(board))
