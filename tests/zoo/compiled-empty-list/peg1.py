from framework.contracts import compiled

@compiled
def solve(board):
    moves = []
    return len(moves)

def peg_solve(board, stack):
    return solve(board)
