"""peg5: both ends. Search backwards from a single peg for the boards that can win, and forwards to meet them.

Near its end a game has few pegs, and a backward search from one peg meets few boards: a table of all of
them decides every board of so few pegs. Whether a single peg can be left at all, and where, is known
before the search from a sum that no jump changes (the class of the board).
"""

from client import board_key
from peg1 import COL_STEP, DIRECTIONS, ROW_STEP, move_of, play, take_back

from framework.board import BLOCKED, EMPTY, PEG, SIZE, Board, count_pegs, is_board
from framework.contracts import compiled, ensures, requires
from framework.hash_table import HashTable, ht_insert, ht_lookup, ht_new, ht_size
from framework.stack import Stack, push, stack_empty


@requires(lambda board: is_board(board))
@requires(lambda stack: stack_empty(stack))
@requires(lambda unsolvable: ht_size(unsolvable) == 0)
@ensures(lambda board, result: type(result) is int and 1 <= result <= count_pegs(board))
@ensures(lambda stack, result: result == 1 or stack_empty(stack))
def peg_solve(board: Board, stack: Stack, unsolvable: HashTable) -> int:
    """Return 1 when solved, and then the moves are on the stack; any number above 1 when it cannot be.

    Every board given up on is left in `unsolvable`; the boards that can win are in a separate table.
    """
    # TODO(peg5): make a table of boards that can win with ht_new, then search forwards to meet it
    raise NotImplementedError("peg5: peg_solve is not written yet; see handouts/peg5.md")
