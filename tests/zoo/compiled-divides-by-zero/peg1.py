from framework.board import count_pegs
from framework.contracts import compiled

@compiled
def share(board):
    empty = 0
    for row in range(8):
        empty += board[row, 7] == 0
    return count_pegs(board) // empty

def peg_solve(board, stack):
    return share(board)
