from framework.board import count_pegs
from framework.contracts import compiled

@compiled
def solve(board, pegs):
    if pegs == 1:
        return 1
    best = pegs
    for d in range(4):
        best = min(best, solve(board, pegs) + d)
    return best

def peg_solve(board, stack):
    return solve(board, count_pegs(board))
