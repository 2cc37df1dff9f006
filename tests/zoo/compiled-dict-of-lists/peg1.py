from framework.board import count_pegs
from framework.contracts import compiled

@compiled
def all_jumps(board):
    jumps = {}
    for r in range(8):
        for c in range(6):
            if board[r, c] == 1 and board[r, c + 1] == 1 and board[r, c + 2] == 0:
                if r not in jumps:
                    jumps[r] = []
                jumps[r].append(c)
    return jumps

def peg_solve(board, stack):
    return len(all_jumps(board))
