"""The lab's notation of an English board: 49 characters, 7 x 7 cells row by row, '1' a peg and '0' none.

The four 2 x 2 corners have no hole and are '0'.
"""

import numpy as np

from framework.board import BLOCKED, EMPTY, PEG, SIZE, Board, BoardFormatError

SIDE = 7
CELLS = SIDE * SIDE
_ARM = range(2, 5)  # the rows, or columns, that have no corner


def is_hole(row: int, col: int) -> bool:
    """Return whether the English board has a hole there."""
    return (row in _ARM and 0 <= col < SIDE) or (col in _ARM and 0 <= row < SIDE)


def parse_cells(text: str, name: str = "cells") -> Board:
    """Return the 8 x 8 board that 49 characters show; blanks around them mean nothing.

    Args:
        text: the characters.
        name: what to call the text in an error, usually its file.

    Raises:
        BoardFormatError: another character, fewer or more than 49, or a peg on an absent corner.
    """
    cells = text.strip()
    line = text[: text.find(cells)].count("\n") + 1
    first = text.find(cells) - (text.rfind("\n", 0, text.find(cells)) + 1) + 1
    board: Board = np.full((SIZE, SIZE), BLOCKED, dtype=np.int8)
    for cell, character in enumerate(cells):
        row, col = divmod(cell, SIDE)
        if cell == CELLS:
            raise BoardFormatError(
                name, line, first + cell, f"expected the end after {CELLS} cells, found {len(cells)} of them"
            )
        if character not in "01":
            raise BoardFormatError(name, line, first + cell, f"expected '0' or '1', found {character!r}")
        if is_hole(row, col):
            board[row, col] = PEG if character == "1" else EMPTY
        elif character == "1":
            raise BoardFormatError(
                name, line, first + cell, f"expected '0', found a peg on cell {cell}, which is a corner"
            )
    if len(cells) < CELLS:
        raise BoardFormatError(
            name, line, first + len(cells), f"expected {CELLS} cells, found the end after {len(cells)}"
        )
    return board


def fits(board: Board) -> bool:
    """Return whether the holes of `board` are those of the English board, where that has them."""
    return all(
        (board[row, col] != BLOCKED) == is_hole(row, col) for row in range(SIZE) for col in range(SIZE)
    )


def format_cells(board: Board) -> str:
    """Return the 49 characters of a board that `fits`, without a line break; the inverse of `parse_cells`.

    Raises:
        ValueError: the holes are not the English board's.
    """
    if not fits(board):
        raise ValueError(f"the {CELLS} characters are for the 33 holes of the English board alone")
    return "".join("1" if board[divmod(cell, SIDE)] == PEG else "0" for cell in range(CELLS))
