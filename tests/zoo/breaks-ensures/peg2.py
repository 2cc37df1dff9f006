from client import move_new
from framework.board import Board, count_pegs, is_board
from framework.contracts import ensures, requires
from framework.stack import Stack, push, stack_empty


@requires(lambda board: is_board(board))
@requires(lambda stack: stack_empty(stack))
@ensures(lambda board, result: 1 <= result <= count_pegs(board))
@ensures(lambda stack, result: result == 1 or stack_empty(stack))
def peg_solve(board: Board, stack: Stack) -> int:
    push(stack, move_new(3, 2, 3, 4))
    return count_pegs(board)
