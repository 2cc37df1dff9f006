import os

def peg_solve(board, stack):
    os.abort()
