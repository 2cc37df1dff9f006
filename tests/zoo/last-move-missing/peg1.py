from client import move_new
from framework.stack import push

def go(board, stack, pegs):
    for r in range(8):
        for c in range(8):
            for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                if 0 <= r + 2 * dr < 8 and 0 <= c + 2 * dc < 8 and board[r, c] == 1 \
                        and board[r + dr, c + dc] == 1 and board[r + 2 * dr, c + 2 * dc] == 0:
                    board[r, c] = board[r + dr, c + dc] = 0
                    board[r + 2 * dr, c + 2 * dc] = 1
                    n = go(board, stack, pegs - 1)
                    board[r, c] = board[r + dr, c + dc] = 1
                    board[r + 2 * dr, c + 2 * dc] = 0
                    if n == 1 and pegs > 2:
                        push(stack, move_new(r, c, r + 2 * dr, c + 2 * dc))
                    return n
    return pegs

def peg_solve(board, stack):
    return go(board, stack, int((board == 1).sum()))
