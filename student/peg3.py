"""peg3: memory. The search of peg2, which now never searches a position twice.

Many lines of play lead to the same board. Every board that was given up on is recorded in a hash table, and
a board that is in the table is not searched again.
"""

from client import board_key
from peg1 import DIRECTIONS, can_jump, move_of, play, take_back

from framework.board import PEG, SIZE, Board, count_pegs, is_board
from framework.contracts import compiled, ensures, requires
from framework.hash_table import HashTable, ht_insert, ht_lookup, ht_size
from framework.stack import Stack, push, stack_empty


@requires(lambda board, pegs: count_pegs(board) == pegs)
@ensures(lambda board, unsolvable, result: ht_lookup(unsolvable, board_key(board)) == (result != 1))
@ensures(lambda board, pegs, result: result == 1 or count_pegs(board) == pegs)
@compiled
def solve(board: Board, stack: Stack, unsolvable: HashTable, pegs: int) -> int:
    """Search a board of `pegs` pegs for a solution, unless it was given up on before.

    Returns 1 if there is one; its moves are then on the stack, the first one on top. Otherwise returns the
    fewest pegs on any board that this call reached; the board is then in `unsolvable`, and as it was before.
    """
    # TODO(peg3): the search of peg2; look a board up before you search it,
    # insert it after
    raise NotImplementedError("peg3: solve is not written yet")


@requires(lambda board: is_board(board))
@requires(lambda stack: stack_empty(stack))
@requires(lambda unsolvable: ht_size(unsolvable) == 0)
@ensures(lambda board, result: type(result) is int and 1 <= result <= count_pegs(board))
@ensures(lambda stack, result: result == 1 or stack_empty(stack))
def peg_solve(board: Board, stack: Stack, unsolvable: HashTable) -> int:
    """Return the fewest pegs that can be left; if that is 1, the moves are on the stack.

    Every board given up on is left in `unsolvable`, whose size is the unsolvable-state count.
    """
    return solve(board, stack, unsolvable, count_pegs(board))
