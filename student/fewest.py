"""fewest: the fewest moves. A move is as many jumps of one peg in a row as you like.

A depth-first search with a budget: it looks for a solution in 1 move, in 2, in 3 and so on. So the first
solution found has the fewest, and the failed searches before it are the proof.
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
    """Return the fewest moves that leave a single peg, on the hole row, col; row = col = -1: on any hole.

    The jumps of these moves are on the stack then, the first one on top. Return 0 if it is solved already,
    and -1 if it cannot be; then the stack is empty and the board as it was.
    """
    # TODO(fewest): a search by moves that tries 1, 2, 3 ... of them; write the functions you need
    # above
    raise NotImplementedError("fewest: peg_solve is not written yet; see handouts/fewest.md")
