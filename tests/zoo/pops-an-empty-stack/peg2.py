from framework.contracts import compiled
from framework.stack import pop

@compiled
def undo(stack):
    return pop(stack)

def peg_solve(board, stack):
    undo(stack)
    return 1
