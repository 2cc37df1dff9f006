"""Define what a move is, and how a board becomes a key of the hash table.

The stack holds integers, and the hash table keys: the client says what
they mean. peg1 to peg5 all use these functions.
"""

from framework.board import PEG, SIZE, Board
from framework.contracts import compiled, ensures, requires


def _on_board(*numbers: int) -> bool:
    return all(0 <= number < SIZE for number in numbers)


# ---- a move as one integer -------------------------------------------


@requires(lambda row_start, col_start, row_end, col_end: _on_board(row_start, col_start, row_end, col_end))
@compiled
def move_new(row_start: int, col_start: int, row_end: int, col_end: int) -> int:
    """Return one integer that holds all four numbers, each from 0 to 7."""
    # TODO(client): put four numbers from 0 to 7 into one integer, so that each
    # can be taken out
    raise NotImplementedError("client: move_new is not written yet")


@ensures(lambda result: _on_board(result))
@compiled
def row_start(move: int) -> int:
    """Return the row on which the jumping peg starts."""
    # TODO(client): take the first number out of the move
    raise NotImplementedError("client: row_start is not written yet")


@ensures(lambda result: _on_board(result))
@compiled
def col_start(move: int) -> int:
    """Return the column on which the jumping peg starts."""
    # TODO(client): take the second number out of the move
    raise NotImplementedError("client: col_start is not written yet")


@ensures(lambda result: _on_board(result))
@compiled
def row_end(move: int) -> int:
    """Return the row on which the jumping peg lands."""
    # TODO(client): take the third number out of the move
    raise NotImplementedError("client: row_end is not written yet")


@ensures(lambda result: _on_board(result))
@compiled
def col_end(move: int) -> int:
    """Return the column on which the jumping peg lands."""
    # TODO(client): take the fourth number out of the move
    raise NotImplementedError("client: col_end is not written yet")


# ---- a board as a key of the hash table ------------------------------


@ensures(lambda result: -(2**63) <= result < 2**63)
@compiled
def board_key(board: Board) -> int:
    """Return a 64-bit integer that no other board with the same blocked cells has."""
    # TODO(client): give each cell a bit of its own: 1 for a peg, 0 for none
    raise NotImplementedError("client: board_key is not written yet")


@compiled
def key_hash(key: int) -> int:
    """Return an integer whose low bits look random; the hash table uses them to choose a chain."""
    # TODO(client): mix all bits of the key into the low ones; a sum of
    # coordinates is a terrible hash
    raise NotImplementedError("client: key_hash is not written yet")
