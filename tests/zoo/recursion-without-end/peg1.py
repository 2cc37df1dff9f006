def peg_solve(board, stack):
    return peg_solve(board, stack)
