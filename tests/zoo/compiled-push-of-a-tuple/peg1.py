from framework.contracts import compiled
from framework.stack import push

@compiled
def solve(board, stack):
    push(stack, (3, 2, 3, 4))
    return 1

def peg_solve(board, stack):
    return solve(board, stack)
