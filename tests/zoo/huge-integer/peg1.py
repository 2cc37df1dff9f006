# One operation that takes hours.
def peg_solve(board, stack):
    if (board == 1).sum() == 3:
        return 7 ** (10**9) % 10
    return 3
