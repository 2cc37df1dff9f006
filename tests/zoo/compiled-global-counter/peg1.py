from framework.board import count_pegs
from framework.contracts import compiled

calls = 0

@compiled
def solve(board, stack):
    global calls
    calls += 1
    return count_pegs(board)

def peg_solve(board, stack):
    return solve(board, stack)
