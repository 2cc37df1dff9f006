from client import move_new
from framework.board import EMPTY, PEG, count_pegs
from framework.contracts import compiled
from framework.stack import push


@compiled
def run(board, stack):
    again = True
    while again:
        again = False
        for r in range(8):
            for c in range(8):
                for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                    if 0 <= r + 2 * dr < 8 and 0 <= c + 2 * dc < 8 and board[r, c] == PEG and board[r + dr, c + dc] == PEG and board[r + 2 * dr, c + 2 * dc] == EMPTY:
                        board[r, c] = EMPTY
                        board[r + dr, c + dc] = EMPTY
                        board[r + 2 * dr, c + 2 * dc] = PEG
                        push(stack, move_new(r, c, r + 2 * dr, c + 2 * dc))
                        again = True
    return count_pegs(board)


def peg_solve(board, stack):
    return run(board, stack)
