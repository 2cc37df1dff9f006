"""peg2: backtracking. Try every jump, and take it back before trying the next.

A board that cannot be solved is searched exhaustively, so the answer is exact: the fewest pegs on any
board that the search reached.
"""

from peg1 import DIRECTIONS, can_jump, move_of, play, take_back

from framework.board import PEG, SIZE, Board, count_pegs, is_board
from framework.contracts import compiled, ensures, requires
from framework.stack import Stack, push, stack_empty


@requires(lambda board, pegs: count_pegs(board) == pegs)
@ensures(lambda board, pegs, result: result == 1 or count_pegs(board) == pegs)
@compiled
def solve(board: Board, stack: Stack, pegs: int) -> int:
    """Search a board of `pegs` pegs for a solution.

    Returns 1 if there is one; its moves are then on the stack, the first one on top. Otherwise returns the
    fewest pegs on any board that it reached, and the board is as it was before.
    """
    # TODO(peg2): for every jump: play it, solve what it leads to, take it back;
    # stop at a solution, else remember the fewest pegs
    raise NotImplementedError("peg2: solve is not written yet")


@requires(lambda board: is_board(board))
@requires(lambda stack: stack_empty(stack))
@ensures(lambda board, result: type(result) is int and 1 <= result <= count_pegs(board))
@ensures(lambda stack, result: result == 1 or stack_empty(stack))
def peg_solve(board: Board, stack: Stack) -> int:
    """Return the fewest pegs that can be left; if that is 1, the moves are on the stack."""
    return solve(board, stack, count_pegs(board))
