from framework.board import count_pegs
from framework.contracts import compiled

@compiled
def solve(board, stack):
    return count_pegs(board)

def peg_solve(board, stack):
    return solve(board)
