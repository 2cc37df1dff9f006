from client import move_new
from framework.stack import push

def peg_solve(board, stack):
    for number in range(100):
        push(stack, move_new(0, 0, 0, 2))
    return 2
