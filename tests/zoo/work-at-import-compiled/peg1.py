from framework.board import count_pegs
from framework.contracts import compiled

@compiled
def solve(board):
    return count_pegs(board)

def peg_solve(board, stack):
    return solve(board)

# test
print(solve([["*", "*", "o"]]))
