from framework.board import count_pegs
from framework.stack import push
from peg1 import COL_STEP, ROW_STEP, can_jump, move_of, play, take_back


def solve(board, stack, last):
    if count_pegs(board) == 1:
        return 0
    for row in range(8):
        for col in range(8):
            for direction in (0, 2, 1, 3):
                if can_jump(board, row, col, direction):
                    play(board, row, col, direction)
                    landing = row + 2 * ROW_STEP[direction], col + 2 * COL_STEP[direction]
                    moves = solve(board, stack, landing)
                    take_back(board, row, col, direction)
                    if moves >= 0:
                        push(stack, move_of(row, col, direction))
                        return moves if (row, col) == last else moves + 1
    return -1


def peg_solve(board, stack, row, col):
    return solve(board, stack, None)
