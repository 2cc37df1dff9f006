from peg1 import can_jump, move_of, play, take_back
from framework.board import count_pegs
from framework.stack import push

def peg_solve(board, stack):
    best = count_pegs(board)
    if best == 1:
        return 1
    for r in range(8):
        for c in range(8):
            for d in range(4):
                if can_jump(board, r, c, d):
                    push(stack, move_of(r, c, d))
                    play(board, r, c, d)
                    x = peg_solve(board, stack)
                    take_back(board, r, c, d)
                    if x == 1:
                        return 1
                    best = min(best, x)
    return best
