from client import move_new
from framework.board import count_pegs
from framework.contracts import compiled
from framework.stack import push

@compiled
def can_jump(board, r, c, dr, dc):
    if not (0 <= r + 2 * dr < 8 and 0 <= c + 2 * dc < 8):
        return False
    return board[r, c] == 1 and board[r + dr, c + dc] == 1 and board[r + 2 * dr, c + 2 * dc] == 0

@compiled
def solve(board, stack, depth=0):
    pegs = count_pegs(board)
    for r in range(8):
        for c in range(8):
            for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                if can_jump(board, r, c, dr, dc):
                    board[r, c] = board[r + dr, c + dc] = 0
                    board[r + 2 * dr, c + 2 * dc] = 1
                    left = solve(board, stack, depth=depth + 1)
                    board[r, c] = board[r + dr, c + dc] = 1
                    board[r + 2 * dr, c + 2 * dc] = 0
                    if left == 1:
                        push(stack, move_new(r, c, r + 2 * dr, c + 2 * dc))
                    return left
    return pegs

def peg_solve(board, stack):
    return solve(board, stack)
