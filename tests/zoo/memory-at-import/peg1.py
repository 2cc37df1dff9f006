# The limit holds before the first board is there.
kept = [bytes([1]) * (50 << 20) for _ in range(40)]

def peg_solve(board, stack):
    return 3
