from framework.contracts import compiled

@compiled
def pegs_in_row(board, row):
    pegs = 0
    for col in range(8):
        if board[row, col] == 1:
            pegs += 1

@compiled
def solve(board):
    return pegs_in_row(board, 0) + 1

def peg_solve(board, stack):
    return solve(board)
