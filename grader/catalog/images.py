"""The images of a board, turned and mirrored like a square; they share its facts."""

from collections.abc import Iterator

import numpy as np

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
    """Return the image of `board` called `image`, one of IMAGES; all 64 cells are turned."""
    mirrored = board[:, ::-1] if image.startswith("flip") else board
    quarters = int(image.partition("r")[2] or 0) // 90
    return np.rot90(mirrored, -quarters).copy()


def image_of_cell(row: int, col: int, image: str) -> tuple[int, int]:
    """Return the row and column that the cell row, col has in the image called `image`."""
    cells = np.zeros((SIZE, SIZE), dtype=np.int8)
    cells[row, col] = 1
    (place,) = np.argwhere(image_of(cells, image)).tolist()
    return place[0], place[1]


def symmetries(board: Board) -> Iterator[list[int]]:
    """Yield for each way but the first in which the holes fall on holes where each cell goes."""
    holes = np.argwhere(np.asarray(board) != BLOCKED)
    known = sorted(map(tuple, holes.tolist()))
    for turn in range(1, 8):
        turned = (holes[:, ::-1] if turn & 4 else holes) * (1 - 2 * np.array([turn & 1, turn >> 1 & 1]))
        turned = turned - turned.min(axis=0) + holes.min(axis=0)
        if sorted(map(tuple, turned.tolist())) == known:
            places = [0] * (SIZE * SIZE)
            for (row, col), (row_to, col_to) in zip(holes.tolist(), turned.tolist(), strict=True):
                places[SIZE * row + col] = SIZE * row_to + col_to
            yield places
