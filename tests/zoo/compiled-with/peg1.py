from framework.board import count_pegs
from framework.contracts import compiled

@compiled
def solve(board):
    with open("log.txt", "a") as log:
        log.write("called")
    return count_pegs(board)

def peg_solve(board, stack):
    return solve(board)
