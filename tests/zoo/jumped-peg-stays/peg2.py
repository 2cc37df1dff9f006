from peg1 import DIRECTIONS, ROW_STEP, COL_STEP, can_jump, move_of
from framework.board import EMPTY, PEG, SIZE, count_pegs
from framework.contracts import compiled
from framework.stack import push


@compiled
def solve(board, stack, pegs):
    if pegs == 1:
        return 1
    best = pegs
    for r in range(SIZE):
        for c in range(SIZE):
            for d in range(DIRECTIONS):
                if can_jump(board, r, c, d):
                    board[r, c] = EMPTY
                    board[r + 2 * ROW_STEP[d], c + 2 * COL_STEP[d]] = PEG
                    left = solve(board, stack, pegs - 1)
                    board[r, c] = PEG
                    board[r + 2 * ROW_STEP[d], c + 2 * COL_STEP[d]] = EMPTY
                    if left == 1:
                        push(stack, move_of(r, c, d))
                        return 1
                    best = min(best, left)
    return best


def peg_solve(board, stack):
    return solve(board, stack, count_pegs(board))
