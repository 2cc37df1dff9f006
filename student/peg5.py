"""peg5: a search that knows something of the end before it begins.

Each of the four functions is asked by itself.
"""

from client import board_key, col_end, col_start, row_end, row_start
from peg1 import COL_STEP, DIRECTIONS, ROW_STEP, move_of, play, take_back

from framework.board import BLOCKED, EMPTY, PEG, SIZE, Board, count_pegs, is_board
from framework.contracts import compiled, ensures, requires
from framework.hash_table import HashTable, ht_insert, ht_lookup, ht_new, ht_size
from framework.stack import Stack, pop, push, stack_empty, stack_new


@requires(lambda board: is_board(board))
@requires(lambda winning: ht_size(winning) == 0)
@requires(lambda jumps: jumps >= 0)
def fill_winning(board: Board, winning: HashTable, jumps: int) -> None:
    """Put into `winning` every board on the holes of `board` that can win in at most `jumps` jumps.

    The pegs of `board` do not matter. A board with a single peg, on any hole, has won in 0 jumps.
    """
    # TODO(peg5): write it as the handout asks, and so the three below
    raise NotImplementedError("peg5: fill_winning is not written yet")


@requires(lambda board: is_board(board))
@requires(lambda stack: stack_empty(stack))
@requires(lambda board, pegs: 1 <= pegs <= count_pegs(board))
@requires(lambda unsolvable: ht_size(unsolvable) == 0)
@ensures(lambda stack, result: result or stack_empty(stack))
def meet(board: Board, stack: Stack, winning: HashTable, pegs: int, unsolvable: HashTable) -> bool:
    """Return whether jumps lead from `board` to a board in `winning` that has `pegs` pegs.

    If so, the moves that lead there are on the stack, the first one on top. The board is as it was before,
    and every board given up on is left in `unsolvable`.
    """
    # TODO(peg5): write it
    raise NotImplementedError("peg5: meet is not written yet")


@requires(lambda board: is_board(board))
@compiled
def can_end_at(board: Board, row: int, col: int) -> bool:
    """Return whether the colours of the board allow a single peg on the hole row, col at the end.

    The colours of the cells are (row + col) % 3, and then (row - col) % 3. (N. G. de Bruijn, 1972.)
    """
    # TODO(peg5): write it
    raise NotImplementedError("peg5: can_end_at is not written yet")


@requires(lambda board: is_board(board))
@requires(lambda stack: stack_empty(stack))
@requires(lambda unsolvable: ht_size(unsolvable) == 0)
@ensures(lambda board, result: type(result) is int and 1 <= result <= count_pegs(board))
@ensures(lambda stack, result: result == 1 or stack_empty(stack))
def peg_solve(board: Board, stack: Stack, unsolvable: HashTable) -> int:
    """Return 1 if the board can be solved, with the moves on the stack; any number above 1 if it cannot.

    Every board given up on is left in `unsolvable`; the boards that can win are in a separate table.
    """
    # TODO(peg5): join the three functions
    raise NotImplementedError("peg5: peg_solve is not written yet")
