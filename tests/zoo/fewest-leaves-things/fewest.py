from framework.board import count_pegs
from framework.stack import push
from peg1 import can_jump, move_of, play


def peg_solve(board, stack, row, col):
    pegs = count_pegs(board)
    if pegs == 1:
        return 64
    jumps = [
        (row, col, direction)
        for row in range(8)
        for col in range(8)
        for direction in (0, 2, 1, 3)
        if can_jump(board, row, col, direction)
    ]
    if pegs == 10:
        for jump in jumps:
            push(stack, move_of(*jump))
    else:
        play(board, *jumps[0])
    return 1 if pegs == 3 else -1
