import peg1

def peg_solve(board, stack):
    return 3
