from framework.board import is_board
from framework.contracts import requires
from framework.stack import stack_empty

STEP = [(1, 0), (-1, 0), (0, 1), (0, -1)]

def can_jump(board, row, col, direction):
    dr, dc = STEP[direction]
    if not (0 <= row + 2 * dr < 8 and 0 <= col + 2 * dc < 8):
        return False
    return board[row, col] == 1 and board[row + dr, col + dc] == 1 and board[row + 2 * dr, col + 2 * dc] == 0

@requires(lambda board, row, col, direction: can_jump(board, row, col, direction))
def play(board, row, col, direction):
    dr, dc = STEP[direction]
    board[row, col] = 0
    board[row + dr, col + dc] = 0
    board[row + 2 * dr, col + 2 * dc] = 1

@requires(lambda board: is_board(board))
@requires(lambda stack: stack_empty(stack))
def peg_solve(board, stack):
    for row in range(8):
        for col in range(8):
            for direction in range(4):
                if board[row, col] == 1:
                    play(board, row, col, direction)
    return 1
