def peg_solve(board, stack):
    raise AssertionError("should not happen")
