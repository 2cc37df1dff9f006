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
    # BEGIN SOLUTION peg, peg, hole in that direction, and the landing cell on the board at all
    row_step, col_step = ROW_STEP[direction], COL_STEP[direction]
    row_end, col_end = row + 2 * row_step, col + 2 * col_step
    if not (0 <= row_end < SIZE and 0 <= col_end < SIZE):
        return False
    return bool(
        board[row, col] == PEG
        and board[row + row_step, col + col_step] == PEG
        and board[row_end, col_end] == EMPTY
    )
    # END SOLUTION


@requires(lambda board, row, col, direction: can_jump(board, row, col, direction))
@compiled
def play(board: Board, row: int, col: int, direction: int) -> None:
    """Make a jump: the peg lands two cells on, and the peg it jumped over is gone."""
    # BEGIN SOLUTION set the three cells of the jump
    row_step, col_step = ROW_STEP[direction], COL_STEP[direction]
    board[row, col] = EMPTY
    board[row + row_step, col + col_step] = EMPTY
    board[row + 2 * row_step, col + 2 * col_step] = PEG
    # END SOLUTION


@ensures(lambda board, row, col, direction: can_jump(board, row, col, direction))
@compiled
def take_back(board: Board, row: int, col: int, direction: int) -> None:
    """Undo the last jump: the board is again as it was before that jump."""
    # BEGIN SOLUTION set the three cells back to what they were before the jump
    row_step, col_step = ROW_STEP[direction], COL_STEP[direction]
    board[row, col] = PEG
    board[row + row_step, col + col_step] = PEG
    board[row + 2 * row_step, col + 2 * col_step] = EMPTY
    # END SOLUTION


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
                        # BEGIN SOLUTION play, solve the rest, push the move if that left 1, take back
                        play(board, row, col, direction)
                        left = solve(board, stack, pegs - 1)
                        if left == 1:
                            push(stack, move_of(row, col, direction))
                        take_back(board, row, col, direction)
                        return left
                        # END SOLUTION
    return pegs


@requires(lambda board: is_board(board))
@requires(lambda stack: stack_empty(stack))
@ensures(lambda board, result: type(result) is int and 1 <= result <= count_pegs(board))
@ensures(lambda stack, result: result == 1 or stack_empty(stack))
def peg_solve(board: Board, stack: Stack) -> int:
    """Return how many pegs are left; if that is 1, the moves are on the stack."""
    return solve(board, stack, count_pegs(board))
