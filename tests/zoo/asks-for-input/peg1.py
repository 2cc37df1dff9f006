def peg_solve(board, stack):
    input("next? ")
    return 3
