from peg2 import solve
from framework.board import count_pegs

def peg_solve(board, stack):
    return solve(board, stack, count_pegs(board))
