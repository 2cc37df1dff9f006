from framework.board import count_pegs
from framework.contracts import compiled

@compiled
def solve(board):
    for row in range(8):
        board[row + 2, 3] = 1
        board[row + 2, 3] = -1
    board[8, 3] = 1
    return count_pegs(board)

def peg_solve(board, stack):
    return solve(board)
