# The limit holds before the first board is there.
print("x" * (2 << 20))

def peg_solve(board, stack):
    return 3
