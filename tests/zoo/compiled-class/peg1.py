from client import move_new
from framework.contracts import compiled
from framework.stack import push

class Jump:
    def __init__(self, r, c):
        self.r = r
        self.c = c

@compiled
def first_jump(board):
    for r in range(8):
        for c in range(6):
            if board[r, c] == 1 and board[r, c + 1] == 1 and board[r, c + 2] == 0:
                return Jump(r, c)
    return None

def peg_solve(board, stack):
    j = first_jump(board)
    push(stack, move_new(j.r, j.c, j.r, j.c + 2))
    return 1
