def peg_solve(board, stack):
    return (board == 1).sum()
