"""A move is twelve bits; a key is two halves of the board."""

from framework.board import PEG
from framework.contracts import compiled


@compiled
def move_new(row_start, col_start, row_end, col_end):
    """Put three bits beside three bits."""
    return row_start | col_start << 3 | row_end << 6 | col_end << 9


@compiled
def row_start(move):
    """Bits 0 to 2."""
    return move & 7


@compiled
def col_start(move):
    """Bits 3 to 5."""
    return (move >> 3) & 7


@compiled
def row_end(move):
    """Bits 6 to 8."""
    return (move >> 6) & 7


@compiled
def col_end(move):
    """Bits 9 to 11."""
    return (move >> 9) & 7


@compiled
def half(board, first_row):
    """Return four rows as a number from 0 to 2 ** 32 - 1."""
    bits = 0
    for row in range(first_row, first_row + 4):
        for col in range(8):
            bits = bits * 2
            if board[row, col] == PEG:
                bits = bits + 1
    return bits


@compiled
def board_key(board):
    """Return both halves; the upper one is counted from -2 ** 31, so that 64 bits are enough."""
    upper = half(board, 0) - 0x80000000
    return upper * 0x100000000 + half(board, 4)


@compiled
def key_hash(key):
    """Mix the halves apart, then together."""
    upper = (key >> 32) & 0xFFFFFFFF
    lower = key & 0xFFFFFFFF
    mixed = (upper * 0x1B873593) ^ (lower * 0x19D699A5)
    mixed = mixed ^ (mixed >> 31)
    mixed = (mixed & 0x7FFFFFFF) * 0x45D9F3B1
    return mixed ^ (mixed >> 17) ^ (mixed >> 35)
