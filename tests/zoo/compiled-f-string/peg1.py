from framework.board import count_pegs
from framework.contracts import compiled

@compiled
def solve(board, stack):
    n = count_pegs(board)
    print(f"{n:3d} pegs left, {board}")
    return n

def peg_solve(board, stack):
    return solve(board, stack)
