def peg_solve(board, stack):
    return board.pegs  # [31mred
