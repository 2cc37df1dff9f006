"""peg1: forced moves. Make the first jump you find on each board, and try no other.

This solves only the boards on which there is never a choice. The rules of a jump are written here, and peg2
to peg5 build on them.
"""

from client import move_new

from framework.board import EMPTY, PEG, SIZE, Board, count_pegs, is_board
from framework.contracts import compiled, ensures, requires
from framework.stack import Stack, push, stack_empty

# The directions of a jump by number: 0 down, 1 up, 2 right, 3 left. A peg at row, col goes over
# row + ROW_STEP[direction], col + COL_STEP[direction] and lands one step further.
DIRECTIONS = 4
ROW_STEP = (1, -1, 0, 0)
COL_STEP = (0, 0, 1, -1)


@compiled
def can_jump(board: Board, row: int, col: int, direction: int) -> bool:
    """Return whether the cell row, col has a peg that can jump in that direction."""
    # TODO(peg1): peg, peg, hole in that direction, and the landing cell on the
    # board at all
    raise NotImplementedError("peg1: can_jump is not written yet")


@requires(lambda board, row, col, direction: can_jump(board, row, col, direction))
@compiled
def play(board: Board, row: int, col: int, direction: int) -> None:
    """Make a jump: the peg lands two cells on, and the peg it jumped over is gone."""
    # TODO(peg1): set the three cells of the jump
    raise NotImplementedError("peg1: play is not written yet")


@ensures(lambda board, row, col, direction: can_jump(board, row, col, direction))
@compiled
def take_back(board: Board, row: int, col: int, direction: int) -> None:
    """Undo the last jump: the board is again as it was before that jump."""
    # TODO(peg1): set the three cells back to what they were before the jump
    raise NotImplementedError("peg1: take_back is not written yet")


@compiled
def move_of(row: int, col: int, direction: int) -> int:
    """Return the jump as a move of client.py, to put on the stack."""
    return move_new(row, col, row + 2 * ROW_STEP[direction], col + 2 * COL_STEP[direction])


@requires(lambda board, pegs: count_pegs(board) == pegs)
@ensures(lambda board, pegs, result: result == 1 or count_pegs(board) == pegs)
@compiled
def solve(board: Board, stack: Stack, pegs: int) -> int:
    """Make the first jump found on a board of `pegs` pegs, and go on like this until there is no jump.

    Returns how many pegs are left. If that is 1, the moves are on the stack, the first one on top.
    Otherwise the board is as it was before.
    """
    for row in range(SIZE):
        for col in range(SIZE):
            if board[row, col] == PEG:
                for direction in range(DIRECTIONS):
                    if can_jump(board, row, col, direction):
                        # TODO(peg1): play, solve the rest, push the move if
                        # that left 1, take back
                        raise NotImplementedError("peg1: solve is not written yet")
    return pegs


@requires(lambda board: is_board(board))
@requires(lambda stack: stack_empty(stack))
@ensures(lambda board, result: type(result) is int and 1 <= result <= count_pegs(board))
@ensures(lambda stack, result: result == 1 or stack_empty(stack))
def peg_solve(board: Board, stack: Stack) -> int:
    """Return how many pegs are left; if that is 1, the moves are on the stack."""
    return solve(board, stack, count_pegs(board))
