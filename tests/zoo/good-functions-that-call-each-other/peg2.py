from peg1 import can_jump, move_of, play, take_back
from framework.board import count_pegs
from framework.contracts import compiled
from framework.stack import push

@compiled
def try_jump(board, stack, pegs, r, c, d):
    if not can_jump(board, r, c, d):
        return pegs
    play(board, r, c, d)
    left = solve(board, stack, pegs - 1)
    take_back(board, r, c, d)
    if left == 1:
        push(stack, move_of(r, c, d))
    return left

@compiled
def solve(board, stack, pegs):
    fewest = pegs
    for r in range(8):
        for c in range(8):
            for d in range(4):
                if fewest > 1:
                    fewest = min(fewest, try_jump(board, stack, pegs, r, c, d))
    return fewest

def peg_solve(board, stack):
    return solve(board, stack, count_pegs(board))
