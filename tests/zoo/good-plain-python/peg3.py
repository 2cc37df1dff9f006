from client import board_key, move_new
from framework.board import count_pegs
from framework.hash_table import ht_insert
from framework.stack import push

seen = set()


def solve(board, stack, table):
    best = count_pegs(board)
    if best == 1:
        return 1
    key = board_key(board)
    if key in seen:
        return best
    for r in range(8):
        for c in range(8):
            for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                if not (0 <= r + 2 * dr < 8 and 0 <= c + 2 * dc < 8):
                    continue
                if board[r, c] == 1 and board[r + dr, c + dc] == 1 and board[r + 2 * dr, c + 2 * dc] == 0:
                    board[r, c] = board[r + dr, c + dc] = 0
                    board[r + 2 * dr, c + 2 * dc] = 1
                    left = solve(board, stack, table)
                    board[r, c] = board[r + dr, c + dc] = 1
                    board[r + 2 * dr, c + 2 * dc] = 0
                    if left == 1:
                        push(stack, move_new(r, c, r + 2 * dr, c + 2 * dc))
                        return 1
                    best = min(best, left)
    seen.add(key)
    ht_insert(table, key)
    return best


def peg_solve(board, stack, unsolvable):
    return solve(board, stack, unsolvable)
