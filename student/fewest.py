"""fewest: the fewest moves. A move is any number of consecutive jumps by one peg.

A depth-first search with a budget: it looks for a solution in 1 move, in 2, in 3 and so on. So the first
solution found has the fewest moves, and the failed searches before it prove this.
"""

from client import key_hash, move_new

from framework.board import BLOCKED, PEG, SIZE, Board, count_pegs, is_board
from framework.contracts import compiled, ensures, requires
from framework.stack import Stack, push, stack_empty


@requires(lambda board: is_board(board))
@requires(lambda stack: stack_empty(stack))
@requires(lambda board, row, col: (row == col == -1) or board[row, col] != BLOCKED)
@ensures(lambda board, result: type(result) is int and -1 <= result < count_pegs(board))
@ensures(lambda stack, result: result > 0 or stack_empty(stack))
def peg_solve(board: Board, stack: Stack, row: int, col: int) -> int:
    """Return the fewest moves that leave one peg on the hole at row, col, or on any hole if both are -1.

    The jumps of these moves are then on the stack, the first one on top. Return 0 if the board is solved
    already, and -1 if it cannot be solved; then the stack is empty and the board is as it was before.
    """
    # TODO(fewest): search for a solution in 1 move, in 2, in 3 ...; write the
    # functions you need above
    raise NotImplementedError("fewest: peg_solve is not written yet")
