# A solution for one board, whose moves the client takes apart.
from client import move_new
from framework.stack import push

def peg_solve(board, stack):
    push(stack, move_new(3, 2, 3, 4))
    return 1
