from framework.board import count_pegs
from framework.stack import push
from peg1 import can_jump, move_of, play, take_back


def solve(board, stack):
    if count_pegs(board) == 1:
        return 0
    for row in range(8):
        for col in range(8):
            for direction in (0, 2, 1, 3):
                if can_jump(board, row, col, direction):
                    play(board, row, col, direction)
                    jumps = solve(board, stack)
                    take_back(board, row, col, direction)
                    if jumps >= 0:
                        push(stack, move_of(row, col, direction))
                        return jumps + 1
    return -1


def peg_solve(board, stack, row, col):
    return solve(board, stack)
