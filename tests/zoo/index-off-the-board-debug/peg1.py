def peg_solve(board, stack):
    n = 0
    for r in range(8):
        for c in range(8):
            if board[r, c] == board[r - 1, c]:
                n += 1
    return n
