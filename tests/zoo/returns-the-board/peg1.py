# An alias of what it was given is no number of pegs.
def peg_solve(board, stack):
    return board
