from peg1 import can_jump, move_of, play, take_back
from framework.board import count_pegs
from framework.stack import push

def solve(board, stack, pegs):
    if pegs == 1:
        return 1
    fewest = pegs
    for r in range(8):
        for c in range(8):
            for d in range(4):
                if can_jump(board, r, c, d):
                    play(board, r, c, d)
                    left = solve(board, stack, pegs - 1)
                    take_back(board, r, c, d)
                    if left == 1:
                        push(stack, move_of(r, c, d))
                        return 1
                    fewest = min(fewest, left)
    return fewest

def peg_solve(board, stack):
    return solve(board, stack, count_pegs(board))
