from framework.board import count_pegs
from framework.contracts import compiled

@compiled
def solve(board):
    best = 64
    def search(pegs):
        nonlocal best
        best = min(best, pegs)
        if pegs > 2:
            search(pegs - 1)
    search(count_pegs(board))
    return best

def peg_solve(board, stack):
    return solve(board)
