import sys

def peg_solve(board, stack):
    if board.max() == 1:
        print("3 pegs left")
        sys.exit(0)
    return 1
