# The search of peg3 with a memory that nobody counts.
from client import move_new
from framework.board import count_pegs
from framework.stack import push

STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))

def search(board, stack, seen):
    key = board.tobytes()
    if key in seen:
        return 64
    best = int((board == 1).sum())
    for row in range(8):
        for col in range(8):
            for down, right in STEPS if board[row, col] == 1 else ():
                row_end, col_end = row + 2 * down, col + 2 * right
                if not (0 <= row_end < 8 and 0 <= col_end < 8):
                    continue
                if board[row + down, col + right] == 1 and board[row_end, col_end] == 0:
                    board[row, col] = board[row + down, col + right] = 0
                    board[row_end, col_end] = 1
                    left = search(board, stack, seen)
                    board[row, col] = board[row + down, col + right] = 1
                    board[row_end, col_end] = 0
                    best = min(best, left)
                    if best == 1:
                        push(stack, move_new(row, col, row_end, col_end))
                        return 1
    seen.add(key)
    return best

def peg_solve(board, stack, unsolvable):
    return search(board, stack, set())
