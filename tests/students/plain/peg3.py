from client import board_key, move_new
from peg1 import do, ok, undo

from framework.board import count_pegs
from framework.contracts import compiled
from framework.hash_table import ht_insert, ht_lookup
from framework.stack import push


@compiled
def go(board, stack, table, n):
    if n == 1:
        return 1
    key = board_key(board)
    if ht_lookup(table, key):
        return n
    best = n
    for r in range(8):
        for c in range(8):
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                if ok(board, r, c, dr, dc):
                    do(board, r, c, dr, dc)
                    x = go(board, stack, table, n - 1)
                    undo(board, r, c, dr, dc)
                    if x == 1:
                        push(stack, move_new(r, c, r + 2 * dr, c + 2 * dc))
                        return 1
                    if x < best:
                        best = x
    ht_insert(table, key)
    return best


def peg_solve(board, stack, unsolvable):
    return go(board, stack, unsolvable, count_pegs(board))
