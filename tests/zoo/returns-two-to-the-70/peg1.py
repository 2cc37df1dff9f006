INFINITY = 2 ** 70

def peg_solve(board, stack):
    best = INFINITY
    return best
