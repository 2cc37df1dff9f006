from client import move_new

from framework.board import count_pegs
from framework.contracts import compiled
from framework.stack import push


@compiled
def ok(board, r, c, dr, dc):
    if r + 2 * dr < 0 or r + 2 * dr > 7 or c + 2 * dc < 0 or c + 2 * dc > 7:
        return False
    return board[r, c] == 1 and board[r + dr, c + dc] == 1 and board[r + 2 * dr, c + 2 * dc] == 0


@compiled
def do(board, r, c, dr, dc):
    board[r, c] = 0
    board[r + dr, c + dc] = 0
    board[r + 2 * dr, c + 2 * dc] = 1


@compiled
def undo(board, r, c, dr, dc):
    board[r, c] = 1
    board[r + dr, c + dc] = 1


@compiled
def go(board, stack, n):
    for r in range(8):
        for c in range(8):
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                if ok(board, r, c, dr, dc):
                    do(board, r, c, dr, dc)
                    x = go(board, stack, n - 1)
                    undo(board, r, c, dr, dc)
                    if x == 1:
                        push(stack, move_new(r, c, r + 2 * dr, c + 2 * dc))
                    return x
    return n


def peg_solve(board, stack):
    return go(board, stack, count_pegs(board))
