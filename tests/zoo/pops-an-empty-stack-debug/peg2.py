from framework.stack import pop

def peg_solve(board, stack):
    pop(stack)
    return 1
