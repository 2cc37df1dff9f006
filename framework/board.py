"""The board: an 8 x 8 array of int8, `board[row, col]`, 0-based, row first.

A cell is BLOCKED (-1, written '.'), EMPTY (0, a hole, written 'o') or PEG (1, written '*').
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from framework.arrays import np
from framework.contracts import compiled

SIZE = 8
BLOCKED = -1
EMPTY = 0
PEG = 1

Board = np.ndarray[Any, np.dtype[np.int8]]

_CELL_OF = {".": BLOCKED, "o": EMPTY, "*": PEG}
_TEXT_OF = {cell: character for character, cell in _CELL_OF.items()}


class BoardFormatError(ValueError):
    """A text that is not a board."""

    def __init__(self, name: str, line: int, column: int, problem: str) -> None:
        self.place = f"{name}:{line}:{column}"  # `file:line:column`; line and column are 1-based
        self.problem = problem  # what was expected and what was found
        super().__init__(f"{self.place}: {problem}")


class CheckedBoard(np.ndarray[Any, np.dtype[np.int8]]):
    """The board when a program runs as plain Python: an int8 array that reports mistakes that numpy allows.

    Reading a cell gives a Python int (an int8 would overflow in `key * 2 + board[row, col]`). A negative
    index is an error (numpy would count from the end). A cell can only be set to one of the three values,
    and a blocked cell stays blocked.
    """

    def __getitem__(self, index: Any) -> Any:
        _check_on_board(index, self.shape)
        value = super().__getitem__(index)
        return int(value) if isinstance(value, np.int8) else value

    def __setitem__(self, index: Any, value: Any) -> None:
        _check_on_board(index, self.shape)
        if not np.isin(value, (BLOCKED, EMPTY, PEG)).all():
            raise ValueError(f"a cell is BLOCKED, EMPTY or PEG, not {value!r}")
        if np.any((np.asarray(self)[index] == BLOCKED) & (np.asarray(value) != BLOCKED)):
            raise ValueError(f"{_written(index)} is blocked: it is not a hole")
        super().__setitem__(index, value)

    def __repr__(self) -> str:
        """Return the board in its own notation, for print, the debugger and contract messages."""
        if self.shape != (SIZE, SIZE):
            return repr(np.asarray(self))
        return "\n" + "".join(f"  {line}\n" for line in format_board(np.asarray(self)).splitlines())

    __str__ = __repr__


def _written(index: Any) -> str:
    """Return the text `board[row, col]` for the cell at `index`; a general phrase if it is not one cell."""
    if isinstance(index, tuple) and all(isinstance(number, (int, np.integer)) for number in index):
        return f"board[{', '.join(str(number) for number in index)}]"
    return "a cell that is set here"


def _check_on_board(index: Any, shape: tuple[int, ...]) -> None:
    """Raise IndexError if `index`, a row or a (row, column) pair, is outside `shape`."""
    parts = index if isinstance(index, tuple) else (index,)
    for number, most in zip(parts, shape, strict=False):
        if isinstance(number, (int, np.integer)) and not 0 <= number < most:
            written = ", ".join(str(part) for part in parts)
            raise IndexError(f"board[{written}] is off the board: rows and columns go from 0 to 7")


def parse_board(text: str, name: str = "board") -> Board:
    """Return the board drawn in `text`; whitespace between cells is ignored.

    Args:
        text: 64 cells, row by row, each '.', '*' or 'o'.
        name: the name of the text in an error message, usually its file.

    Raises:
        BoardFormatError: the text has another character, or not exactly 64 cells.
    """
    cells: list[int] = []
    line = 1
    for line, line_text in enumerate(text.split("\n"), start=1):
        for column, character in enumerate(line_text, start=1):
            if character in " \t\r":
                continue
            if character not in _CELL_OF:
                raise BoardFormatError(name, line, column, f"expected '.', '*' or 'o', found {character!r}")
            if len(cells) == SIZE * SIZE:
                raise BoardFormatError(
                    name, line, column, f"expected the end after 64 cells, found {character!r}"
                )
            cells.append(_CELL_OF[character])
    if len(cells) < SIZE * SIZE:
        end = len(text.rsplit("\n", 1)[-1]) + 1
        raise BoardFormatError(name, line, end, f"expected 64 cells, found the end after {len(cells)}")
    board: Board = np.array(cells, dtype=np.int8).reshape(SIZE, SIZE)
    return board.view(CheckedBoard) if __debug__ else board


def read_board(path: str | Path) -> Board:
    """Return the board in the file at `path`.

    Raises:
        BoardFormatError: the file is not a board, or not text.
        OSError: the file cannot be read.
    """
    return parse_board(read_text(path), str(path))


def read_text(path: str | Path) -> str:
    """Return the text in the file at `path`.

    Raises:
        BoardFormatError: the file is not text.
        OSError: the file cannot be read.
    """
    return decode_text(Path(path).read_bytes(), str(path))


def decode_text(raw: bytes, name: str) -> str:
    """Return the text in `raw`, the bytes of the file `name`, which should be UTF-8.

    Raises:
        BoardFormatError: the bytes are not UTF-8.
    """
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = error.start - raw.rfind(b"\n", 0, error.start)
        raise BoardFormatError(
            name, line, column, f"expected text, found the byte 0x{raw[error.start]:02x}"
        ) from None


def format_board(board: Board) -> str:
    """Return the 8 lines of `board` in the board file format; the inverse of `parse_board`."""
    return "".join(" ".join(_TEXT_OF[int(cell)] for cell in row) + "\n" for row in board)


def draw_board(board: Board, marks: Mapping[tuple[int, int], str] | None = None) -> str:
    """Return `board` drawn with row and column numbers, as nine lines without a final line break.

    Args:
        board: the board.
        marks: the characters to draw instead of some cells, by (row, col).
    """
    marks = marks or {}
    lines = ["  " + " ".join(str(col) for col in range(SIZE))]
    for row in range(SIZE):
        cells = [marks.get((row, col), _TEXT_OF[int(board[row, col])]) for col in range(SIZE)]
        lines.append(f"{row} " + " ".join(cells))
    return "\n".join(lines)


def is_board(board: Any) -> bool:
    """Return whether `board` is an 8 x 8 int8 array of BLOCKED, EMPTY and PEG with at least one peg."""
    return (
        isinstance(board, np.ndarray)
        and board.shape == (SIZE, SIZE)
        and board.dtype == np.int8
        and bool(np.isin(board, (BLOCKED, EMPTY, PEG)).all())
        and bool((board == PEG).any())
    )


@compiled
def count_pegs(board: Board) -> int:
    """Return the number of pegs on `board`."""
    pegs = 0
    for row in range(SIZE):
        for col in range(SIZE):
            if board[row, col] == PEG:
                pegs += 1
    return pegs
