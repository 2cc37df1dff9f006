from peg1 import DIRECTIONS, can_jump, move_of, play, take_back
from framework.board import SIZE, count_pegs
from framework.contracts import compiled
from framework.stack import push
import numpy as np

BEST = [64]
calls = 0


@compiled
def solve(board, stack, pegs, best):
    if pegs < best[0]:
        best[0] = pegs
    if pegs == 1:
        return True
    for r in range(SIZE):
        for c in range(SIZE):
            for d in range(DIRECTIONS):
                if can_jump(board, r, c, d):
                    play(board, r, c, d)
                    ok = solve(board, stack, pegs - 1, best)
                    take_back(board, r, c, d)
                    if ok:
                        push(stack, move_of(r, c, d))
                        return True
    return False


def peg_solve(board, stack):
    global calls
    calls += 1
    best = np.array(BEST)
    solve(board, stack, count_pegs(board), best)
    BEST[0] = int(best[0])
    return BEST[0]
