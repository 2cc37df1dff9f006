from framework.contracts import compiled

@compiled
def solve(board):
    n = 0
    for r in range(8):
        for c in range(8):
            if board[r, c + 2] == 0:
                n += 1
    return n

def peg_solve(board, stack):
    return solve(board)
