"""A move is two cells, numbered from 0 to 63."""

from framework.board import PEG, SIZE
from framework.contracts import compiled

CELLS = SIZE * SIZE


@compiled
def move_new(row_start, col_start, row_end, col_end):
    """Return start * 64 + end."""
    start = row_start * SIZE + col_start
    end = row_end * SIZE + col_end
    return start * CELLS + end


@compiled
def row_start(move):
    """Return the row of the first cell."""
    return move // CELLS // SIZE


@compiled
def col_start(move):
    """Return the column of the first cell."""
    return move // CELLS % SIZE


@compiled
def row_end(move):
    """Return the row of the second cell."""
    return move % CELLS // SIZE


@compiled
def col_end(move):
    """Return the column of the second cell."""
    return move % SIZE


@compiled
def board_key(board):
    """Return one bit for each cell; the first one is the sign."""
    key = 0
    for cell in range(CELLS):
        row = cell // SIZE
        col = cell % SIZE
        key = key * 2
        if board[row, col] == PEG:
            # -1 for the first cell, since 2 ** 63 would be too large
            key = -1 if cell == 0 else key + 1
    return key


@compiled
def key_hash(key):
    """Mix by multiplying and folding, three times."""
    mixed = (key ^ (key >> 33)) & 0x7FFFFFFF
    mixed = (mixed * 0x7FEB352D) & 0xFFFFFFFFFFFF
    mixed = mixed ^ (mixed >> 15) ^ ((key >> 29) & 0x7FFFFFFF)
    mixed = ((mixed & 0x7FFFFFFF) * 0x6C8E9CF5) & 0xFFFFFFFFFFFF
    return mixed ^ (mixed >> 16) ^ (mixed >> 32)
