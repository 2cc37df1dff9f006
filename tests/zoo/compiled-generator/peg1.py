from framework.contracts import compiled

@compiled
def jumps(board, r):
    if r < 8:
        for c in range(6):
            if board[r, c] == 1 and board[r, c + 1] == 1 and board[r, c + 2] == 0:
                yield c
        yield from jumps(board, r + 1)

def peg_solve(board, stack):
    n = 0
    for j in jumps(board, 0):
        n += 1
    return n
