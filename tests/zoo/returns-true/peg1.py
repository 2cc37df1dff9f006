def peg_solve(board, stack):
    solved = True
    return solved
