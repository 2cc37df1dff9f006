import numpy as np
from peg1 import DIRECTIONS, can_jump, move_of, play, take_back
from framework.board import count_pegs
from framework.contracts import compiled
from framework.stack import pop, push, stack_empty


@compiled
def game(board):
    """One random game; returns the moves made."""
    made = [(0, 0, 0)]
    made.clear()
    while True:
        can = [(0, 0, 0)]
        can.clear()
        for r in range(8):
            for c in range(8):
                for d in range(DIRECTIONS):
                    if can_jump(board, r, c, d):
                        can.append((r, c, d))
        if len(can) == 0:
            return made
        r, c, d = can[np.random.randint(len(can))]
        play(board, r, c, d)
        made.append((r, c, d))


@compiled
def solve(board, stack):
    pegs = count_pegs(board)
    while True:
        made = game(board)
        for r, c, d in made[::-1]:
            take_back(board, r, c, d)
        if pegs - len(made) == 1:
            for r, c, d in made[::-1]:
                push(stack, move_of(r, c, d))
            return 1


def peg_solve(board, stack):
    return solve(board, stack)
