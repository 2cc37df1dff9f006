import time
from framework.board import count_pegs

def peg_solve(board, stack):
    n = count_pegs(board)
    if n < 5:
        time.sleep(3600)
    return n
