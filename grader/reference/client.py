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
    # BEGIN SOLUTION put four numbers from 0 to 7 into one integer, so that each can be taken out
    return ((row_start * 8 + col_start) * 8 + row_end) * 8 + col_end
    # END SOLUTION


@ensures(lambda result: _on_board(result))
@compiled
def row_start(move: int) -> int:
    """Return the row on which the jumping peg starts."""
    # BEGIN SOLUTION take the first number out of the move
    return move >> 9 & 7
    # END SOLUTION


@ensures(lambda result: _on_board(result))
@compiled
def col_start(move: int) -> int:
    """Return the column on which the jumping peg starts."""
    # BEGIN SOLUTION take the second number out of the move
    return move >> 6 & 7
    # END SOLUTION


@ensures(lambda result: _on_board(result))
@compiled
def row_end(move: int) -> int:
    """Return the row on which the jumping peg lands."""
    # BEGIN SOLUTION take the third number out of the move
    return move >> 3 & 7
    # END SOLUTION


@ensures(lambda result: _on_board(result))
@compiled
def col_end(move: int) -> int:
    """Return the column on which the jumping peg lands."""
    # BEGIN SOLUTION take the fourth number out of the move
    return move & 7
    # END SOLUTION


# ---- a board as a key of the hash table ------------------------------


@ensures(lambda result: -(2**63) <= result < 2**63)
@compiled
def board_key(board: Board) -> int:
    """Return a 64-bit integer that no other board with the same blocked cells has."""
    # BEGIN SOLUTION give each cell a bit of its own: 1 for a peg, 0 for none
    # Cell 0:0 becomes the sign: -1 as the first digit keeps every step within 64 bits, but 1 would not.
    key = 0
    for row in range(SIZE):
        for col in range(SIZE):
            key = key * 2
            if board[row, col] == PEG:
                key = key + 1 if row + col > 0 else -1
    return key
    # END SOLUTION


@compiled
def key_hash(key: int) -> int:
    """Return an integer whose low bits look random; the hash table uses them to choose a chain."""
    # BEGIN SOLUTION mix all bits of the key into the low ones; a sum of coordinates is a terrible hash
    # The halves are multiplied separately and each product is shifted before use: the low bits of a
    # product depend only on the low bits of its factors. No step exceeds 64 bits.
    low = (key & 0xFFFFFFFF) * 0x5BD1E995
    high = (key >> 32 & 0xFFFFFFFF) * 0x27D4EB2F
    mixed = (low ^ low >> 29) + (high ^ high >> 27)
    mixed = (mixed & 0xFFFFFFFF) * 0x2C1B3C6D ^ mixed >> 31
    return mixed ^ mixed >> 32
    # END SOLUTION
