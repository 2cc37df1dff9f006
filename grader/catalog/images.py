"""Turn and mirror boards like squares; the images of a board share its facts."""

from collections.abc import Iterator
from itertools import product

from framework.arrays import np
from framework.board import BLOCKED, SIZE, Board

IMAGES = {
    "r90": "turned clockwise by a quarter",
    "r180": "turned by half",
    "r270": "turned counterclockwise by a quarter",
    "flip": "mirrored left to right",
    "flip-r90": "mirrored left to right, then turned clockwise by a quarter",
    "flip-r180": "mirrored left to right, then turned by half",
    "flip-r270": "mirrored left to right, then turned counterclockwise by a quarter",
}


def image_of(board: Board, image: str) -> Board:
    """Return `board`, with all its 64 cells, turned or mirrored by `image`, a key of IMAGES."""
    turned = np.full((SIZE, SIZE), BLOCKED, dtype=np.int8)
    for row, col in product(range(SIZE), repeat=2):
        turned[image_of_cell(row, col, image)] = board[row, col]
    return turned.view(type(board))


def image_of_cell(row: int, col: int, image: str) -> tuple[int, int]:
    """Return the row and column to which `image`, a key of IMAGES, moves the cell at `row`, `col`."""
    if image.startswith("flip"):
        col = SIZE - 1 - col
    for _ in range(int(image.partition("r")[2] or 0) // 90):
        row, col = col, SIZE - 1 - row
    return row, col


def symmetries(board: Board) -> Iterator[list[int]]:
    """Yield each way but the identity to turn, mirror and shift a board so that holes fall on holes.

    A way is a list: at the number of each hole, 8 * row + col, it has the number of the hole where that goes.
    """
    cells = product(range(SIZE), repeat=2)
    holes = [(row, col) for row, col in cells if board[row, col] != BLOCKED]
    for turn in range(1, 8):
        turned = [(col, row) if turn & 4 else (row, col) for row, col in holes]
        turned = [(-row if turn & 1 else row, -col if turn >> 1 & 1 else col) for row, col in turned]
        down = min(row for row, _ in holes) - min(row for row, _ in turned)
        right = min(col for _, col in holes) - min(col for _, col in turned)
        turned = [(row + down, col + right) for row, col in turned]
        if sorted(turned) == holes:
            places = [0] * (SIZE * SIZE)
            for (row, col), (row_to, col_to) in zip(holes, turned, strict=True):
                places[SIZE * row + col] = SIZE * row_to + col_to
            yield places
