"""The search without recursion: two lists say what was played at each depth, and what is still to be tried."""

import numpy as np
from client import board_key  # 3
from peg1 import can_jump, move_of, play, take_back

from framework.board import PEG, count_pegs
from framework.contracts import compiled
from framework.hash_table import ht_insert, ht_lookup  # 3
from framework.stack import push

JUMPS = 256  # a jump is cell * 4 + direction


@compiled
def possible_from(board, jump):
    """Return the first jump from that number on that can be made, or JUMPS."""
    for number in range(jump, JUMPS):
        row, col = number // 32, number // 4 % 8
        if board[row, col] == PEG and can_jump(board, row, col, number % 4):
            return number
    return JUMPS


@compiled
def search(board, stack, unsolvable, pegs):
    """Return the fewest pegs that can be left."""
    played = np.zeros(64, dtype=np.int64)
    following = np.zeros(64, dtype=np.int64)
    fewest = pegs
    depth = 0
    solved = pegs == 1
    while depth >= 0 and not solved:
        jump = possible_from(board, following[depth])
        if jump < JUMPS:
            play(board, jump // 32, jump // 4 % 8, jump % 4)
            played[depth] = jump
            following[depth] = jump + 1
            following[depth] = JUMPS  # 1
            depth += 1
            following[depth] = 0
            fewest = min(fewest, pegs - depth)
            solved = pegs - depth == 1
            if not solved and ht_lookup(unsolvable, board_key(board)):  # 3
                following[depth] = JUMPS  # 3
        else:
            ht_insert(unsolvable, board_key(board))  # 3
            depth -= 1
            if depth >= 0:
                jump = played[depth]
                take_back(board, jump // 32, jump // 4 % 8, jump % 4)
    while depth > 0:
        depth -= 1
        jump = played[depth]
        take_back(board, jump // 32, jump // 4 % 8, jump % 4)
        push(stack, move_of(jump // 32, jump // 4 % 8, jump % 4))
    return fewest


def peg_solve(board, stack, unsolvable):
    """Search the whole board."""
    return search(board, stack, unsolvable, count_pegs(board))
