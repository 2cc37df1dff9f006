from framework.board import count_pegs
from framework.contracts import compiled

@compiled
def solve(board, stack):
    if count_pegs(board) == 1:
        return "solved"
    return count_pegs(board)

def peg_solve(board, stack):
    return solve(board, stack)
