def find(board):
    for row in board:
        pass
    raise ValueError("no jump found?!")

def peg_solve(board, stack):
    return find(board)
