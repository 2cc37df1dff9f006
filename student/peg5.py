"""peg5: both ends. Search backwards from a single peg for the boards that can win, and forwards to meet them.

If only few boards can win, a table of all of them decides every board. If there are too many, a table of the
boards that are a few jumps from the end decides every board with few pegs. The holes where a game can end at
all are known before the search, from a sum that no jump changes (the class of the board).
"""

from client import board_key
from peg1 import COL_STEP, DIRECTIONS, ROW_STEP, move_of, play, take_back

from framework.board import BLOCKED, EMPTY, PEG, SIZE, Board, count_pegs, is_board
from framework.contracts import compiled, ensures, requires
from framework.hash_table import MAX_KEYS, HashTable, ht_insert, ht_lookup, ht_new, ht_size
from framework.stack import Stack, push, stack_empty


@requires(lambda board: is_board(board))
@requires(lambda winning: ht_size(winning) == 0)
@requires(lambda jumps: jumps >= 0)
def fill_winning(board: Board, winning: HashTable, jumps: int) -> None:
    """Put into `winning` every board on the holes of `board` that can win in at most `jumps` jumps.

    The pegs of `board` do not matter. A board with a single peg, on any hole, has won in 0 jumps.
    """
    # TODO(peg5): begin with a single peg on each hole, and take jumps back
    raise NotImplementedError("peg5: fill_winning is not written yet; see handouts/peg5.md")


@requires(lambda board: is_board(board))
@requires(lambda stack: stack_empty(stack))
@requires(lambda unsolvable: ht_size(unsolvable) == 0)
@ensures(lambda board, result: type(result) is int and 1 <= result <= count_pegs(board))
@ensures(lambda stack, result: result == 1 or stack_empty(stack))
def peg_solve(board: Board, stack: Stack, unsolvable: HashTable) -> int:
    """Return 1 if the board can be solved, with the moves on the stack; any number above 1 if it cannot.

    Every board given up on is left in `unsolvable`; the boards that can win are in a separate table.
    """
    # TODO(peg5): make a table of boards that can win with ht_new, then search forwards to meet it
    raise NotImplementedError("peg5: peg_solve is not written yet; see handouts/peg5.md")
