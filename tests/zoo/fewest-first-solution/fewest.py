from client import move_new
from framework.board import count_pegs
from framework.jumps import legal_jumps, play_jump, take_back_jump
from framework.stack import push


def solve(board, stack, jumps):
    if count_pegs(board) == 1:
        return True
    for jump in legal_jumps(board):
        play_jump(board, jump)
        solved = solve(board, stack, jumps)
        take_back_jump(board, jump)
        if solved:
            push(stack, move_new(*jump))
            jumps.append(jump)
            return True
    return False


def peg_solve(board, stack, row, col):
    jumps = []
    if not solve(board, stack, jumps):
        return -1
    moves = 0
    before = None
    for jump in reversed(jumps):
        if jump[:2] != before:
            moves += 1
        before = jump[2:]
    return moves
