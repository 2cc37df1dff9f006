from client import move_new
from framework.board import EMPTY, PEG, count_pegs
from framework.contracts import compiled
from framework.stack import push

DX = (0, 1, 0, -1)
DY = (-1, 0, 1, 0)


@compiled
def get(board, y, x):
    if y < 0 or y > 7 or x < 0 or x > 7:
        return -1
    return board[y, x]


@compiled
def find_jump(board):
    for y in range(8):
        for x in range(8):
            for d in range(4):
                if get(board, y, x) == PEG and get(board, y + DY[d], x + DX[d]) == PEG and get(board, y + 2 * DY[d], x + 2 * DX[d]) == EMPTY:
                    return y, x, d
    return -1, -1, -1


@compiled
def go(board, stack):
    y, x, d = find_jump(board)
    if y == -1:
        return count_pegs(board)
    board[y, x] = EMPTY
    board[y + DY[d], x + DX[d]] = EMPTY
    board[y + 2 * DY[d], x + 2 * DX[d]] = PEG
    n = go(board, stack)
    if n == 1:
        push(stack, move_new(y, x, y + 2 * DY[d], x + 2 * DX[d]))
    board[y, x] = PEG
    board[y + DY[d], x + DX[d]] = PEG
    board[y + 2 * DY[d], x + 2 * DX[d]] = EMPTY
    return n


def peg_solve(board, stack):
    return go(board, stack)
