"""The board of the hashing lab: 7 x 7 cells, numbered 0 to 48 row by row, written as 49 digits, each 0 or 1.

The four 2 x 2 corners are absent, which leaves the 33 holes of the English board. In the text '1' is a peg,
and '0' is an empty hole or an absent cell. As a number, a board has one bit per cell; bit 24 is the centre.
"""

from itertools import product
from typing import TYPE_CHECKING, Any

from framework.arrays import np
from framework.board import BLOCKED, EMPTY, PEG, SIZE, Board, CheckedBoard

if TYPE_CHECKING:  # for types only: a submission may import this module, but not framework.jumps
    from framework.jumps import Jump

WIDTH = 7
CELLS = WIDTH * WIDTH
HOLES = tuple(cell for cell in range(CELLS) if cell // WIDTH in (2, 3, 4) or cell % WIDTH in (2, 3, 4))

Triple = tuple[int, int, int]


def _moves() -> list[Triple]:
    """Return all moves as cells (from, over, to), sorted by `from`, then direction: down, up, right, left."""
    found = []
    for start, (down, right) in product(HOLES, ((1, 0), (-1, 0), (0, 1), (0, -1))):
        row, col = start // WIDTH + 2 * down, start % WIDTH + 2 * right
        step = WIDTH * down + right
        if 0 <= row < WIDTH and 0 <= col < WIDTH and {start + step, start + 2 * step} <= set(HOLES):
            found.append((start, start + step, start + 2 * step))
    return found


MOVES: np.ndarray[Any, np.dtype[np.int64]] = np.array(_moves(), dtype=np.int64)  # 76 rows of from, over, to


class CellsError(ValueError):
    """A text that is not a board of 49 cells, or a board that 49 cells cannot show."""

    def __init__(self, place: str, problem: str, help: str) -> None:
        self.place = place  # `line:column` in the text, both 1-based; empty if the whole text is at fault
        self.problem = problem  # what was expected and what was found
        self.help = help  # what to do
        super().__init__(f"{place}: {problem}" if place else problem)


def looks_like_cells(text: str) -> bool:
    """Return whether `text` begins like a board written as 49 digits, not like one drawn in 8 rows."""
    return text.lstrip()[:1] in ("0", "1")


def parse_cells(text: str) -> Board:
    """Return the 8 x 8 board that 49 characters show; whitespace between them is ignored.

    Raises:
        CellsError: the text has another character, a peg on an absent cell, or not exactly 49 characters.
    """
    cells = ""
    for line, line_text in enumerate(text.split("\n"), start=1):
        for column, character in enumerate(line_text, start=1):
            if character in " \t\r":
                continue
            if character not in "01":
                raise CellsError(
                    f"{line}:{column}",
                    f"expected '0' or '1', found {character!r}",
                    "'1' is a peg, '0' an empty hole or no hole; see handouts/lab10.md",
                )
            if character == "1" and len(cells) < CELLS and len(cells) not in HOLES:
                raise CellsError(
                    f"{line}:{column}",
                    f"expected '0' for cell {len(cells)}, found a peg: the 2 x 2 corners are no holes",
                    "check that no character is missing before it; see handouts/lab10.md",
                )
            cells += character
    if len(cells) != CELLS:
        raise CellsError(
            "",
            f"expected {CELLS} characters '0' and '1', found {len(cells)}",
            "a board is 7 rows of 7 cells in one line; see handouts/lab10.md",
        )
    board: Board = np.full((SIZE, SIZE), BLOCKED, dtype=np.int8)
    for cell in HOLES:
        board[cell // WIDTH, cell % WIDTH] = PEG if cells[cell] == "1" else EMPTY
    return board.view(CheckedBoard) if __debug__ else board


def fits(board: Board) -> bool:
    """Return whether the holes of `board` are the 33 of the English board, in rows and columns 0 to 6."""
    holes = {(int(row), int(col)) for row, col in np.argwhere(board != BLOCKED)}
    return holes == {divmod(cell, WIDTH) for cell in HOLES}


def format_cells(board: Board) -> str:
    """Return the 49 characters that show `board`; the inverse of `parse_cells`.

    Raises:
        CellsError: `board` has holes that 49 characters cannot show; see `fits`.
    """
    if not fits(board):
        raise CellsError(
            "",
            "expected the 33 holes of the English board in rows and columns 0 to 6, found others",
            "see the holes: grade show english",
        )
    return "".join("1" if board[cell // WIDTH, cell % WIDTH] == PEG else "0" for cell in range(CELLS))


def number_of(board: Board) -> int:
    """Return the board as one number: bit c is set for a peg on cell c.

    Raises:
        CellsError: see `format_cells`.
    """
    return sum(1 << cell for cell, peg in enumerate(format_cells(board)) if peg == "1")


def jump_of(move: Triple) -> "Jump":
    """Return a move as row_start, col_start, row_end, col_end."""
    start, _, end = move
    return start // WIDTH, start % WIDTH, end // WIDTH, end % WIDTH


def triple_of(jump: "Jump") -> Triple:
    """Return a jump on this board as the cells (from, over, to)."""
    row_start, col_start, row_end, col_end = jump
    start, end = row_start * WIDTH + col_start, row_end * WIDTH + col_end
    return start, (start + end) // 2, end
