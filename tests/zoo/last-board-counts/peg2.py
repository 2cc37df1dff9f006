from peg1 import DIRECTIONS, can_jump, move_of, play, take_back
from framework.board import SIZE, count_pegs
from framework.contracts import compiled
from framework.stack import push


@compiled
def solve(board, stack, pegs):
    left = pegs
    for r in range(SIZE):
        for c in range(SIZE):
            for d in range(DIRECTIONS):
                if can_jump(board, r, c, d):
                    play(board, r, c, d)
                    left = solve(board, stack, pegs - 1)
                    take_back(board, r, c, d)
                    if left == 1:
                        push(stack, move_of(r, c, d))
                        return 1
    return left


def peg_solve(board, stack):
    return solve(board, stack, count_pegs(board))
