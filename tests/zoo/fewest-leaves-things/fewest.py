from client import move_new
from framework.board import count_pegs
from framework.jumps import legal_jumps, play_jump
from framework.stack import push


def peg_solve(board, stack, row, col):
    pegs = count_pegs(board)
    if pegs == 1:
        return 64
    for jump in legal_jumps(board):
        if pegs == 10:
            push(stack, move_new(*jump))
        else:
            play_jump(board, jump)
            break
    return 1 if pegs == 3 else -1
