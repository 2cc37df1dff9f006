from client import move_new
from framework.board import count_pegs
from framework.jumps import legal_jumps, play_jump
from framework.stack import push


def peg_solve(board, stack):
    jumps = legal_jumps(board)
    if not jumps:
        return count_pegs(board)
    play_jump(board, jumps[0])
    left = peg_solve(board, stack)
    if left == 1:
        push(stack, move_new(*jumps[0]))
    return left
