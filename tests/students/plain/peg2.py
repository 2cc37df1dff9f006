from client import move_new
from peg1 import do, ok, undo

from framework.board import count_pegs
from framework.contracts import compiled
from framework.stack import push


@compiled
def go(board, stack, n):
    best = n
    for r in range(8):
        for c in range(8):
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                if ok(board, r, c, dr, dc):
                    do(board, r, c, dr, dc)
                    x = go(board, stack, n - 1)
                    undo(board, r, c, dr, dc)
                    if x == 1:
                        push(stack, move_new(r, c, r + 2 * dr, c + 2 * dc))
                        return 1
                    if x < best:
                        best = x
    return best


def peg_solve(board, stack):
    return go(board, stack, count_pegs(board))
