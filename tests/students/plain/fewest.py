from client import board_key, move_new
from peg1 import do, ok, undo

from framework.board import count_pegs
from framework.contracts import compiled
from framework.hash_table import ht_insert, ht_lookup, ht_new
from framework.stack import push


@compiled
def go(board, stack, table, n, at_r, at_c, moves, row, col):
    if n == 1:
        return row == -1 or board[row, col] == 1
    key = ((board_key(board) * 9 + at_r) * 9 + at_c) * 64 + moves  # it may overflow, which does no harm
    if ht_lookup(table, key):
        return False
    for r in range(8):
        for c in range(8):
            left = moves if r == at_r and c == at_c else moves - 1
            if left < 0:
                continue
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                if ok(board, r, c, dr, dc):
                    do(board, r, c, dr, dc)
                    x = go(board, stack, table, n - 1, r + 2 * dr, c + 2 * dc, left, row, col)
                    undo(board, r, c, dr, dc)
                    if x:
                        push(stack, move_new(r, c, r + 2 * dr, c + 2 * dc))
                        return True
    ht_insert(table, key)
    return False


def peg_solve(board, stack, row, col):
    n = count_pegs(board)
    table = ht_new(1 << 16)
    for moves in range(n):
        if go(board, stack, table, n, 8, 8, moves, row, col):
            return moves
    return -1
