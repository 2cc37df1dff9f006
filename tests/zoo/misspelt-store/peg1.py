from framework.board import EMPTY, PEG, count_pegs
from framework.contracts import compiled

@compiled
def play(board, row, col):
    board[row, col] = EMPTY
    board[row, col + 1] = EMPTY
    board[row, col + 2] = PGE

@compiled
def solve(board, stack):
    play(board, 3, 2)
    return count_pegs(board)

def peg_solve(board, stack):
    return solve(board, stack)
