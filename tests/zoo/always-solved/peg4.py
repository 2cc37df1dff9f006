def peg_solve(board, stack, unsolvable):
    return 1
