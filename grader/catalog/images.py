"""The images of a board, turned and mirrored like a square; they share its facts."""

import numpy as np

from framework.board import SIZE, Board

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
