from framework.board import count_pegs
from framework.contracts import compiled

DIRECTIONS = [(1, 0), (-1, 0), (0, 1), (0, -1)]

@compiled
def solve(board):
    found = 0
    for dr, dc in DIRECTIONS:
        if board[3 + 2 * dr, 3 + 2 * dc] == 0:
            found += 1
    return count_pegs(board) - found

def peg_solve(board, stack):
    return solve(board)
