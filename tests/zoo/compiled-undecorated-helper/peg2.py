from peg1 import DIRECTIONS, can_jump, move_of, play, take_back
from framework.board import SIZE, count_pegs
from framework.contracts import compiled
from framework.stack import push


def count_left(board):
    return (board == 1).sum()


@compiled
def solve(board, stack):
    best = count_left(board)
    for r in range(SIZE):
        for c in range(SIZE):
            for d in range(DIRECTIONS):
                if can_jump(board, r, c, d):
                    play(board, r, c, d)
                    best = min(best, solve(board, stack))
                    take_back(board, r, c, d)
    return best


def peg_solve(board, stack):
    return int(solve(board, stack))
