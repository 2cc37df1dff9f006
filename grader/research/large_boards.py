"""The boards that are counted in full: three by name, any other by its file."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

from framework.board import BoardFormatError, read_board
from grader.oracle.analysis import peak_mib
from grader.oracle.errors import OracleError
from grader.oracle.problem import check_size
from grader.oracle.shape import Shape, shape_of

SHAPES = {
    "french": [(row, col) for row in range(7) for col in range(7) if abs(row - 3) + abs(col - 3) <= 4],
    "square": [(row, col) for row in range(6) for col in range(6)],
    "diamond": [(row, col) for row in range(9) for col in range(9) if abs(row - 4) + abs(col - 4) <= 4],
}


def shape_asked(board: str) -> Shape:
    """Return the holes of a board, given its name in SHAPES or its file.

    Raises:
        OracleError: the file cannot be read, is no board, or has too many holes.
    """
    try:
        shape = Shape(SHAPES[board]) if board in SHAPES else shape_of(read_board(Path(board)))
    except (OSError, BoardFormatError) as error:
        message = f"{board}: {error.strerror}" if isinstance(error, OSError) else str(error)
        raise OracleError(message, f"name {', '.join(SHAPES)}, or a board's file") from None
    check_size(shape)
    return shape


def exit_status(count: Callable[[], None]) -> int:
    """Count, and say what it took or why it failed; return the exit status of the command."""
    try:
        count()
    except OracleError as error:
        print(f"{error.message}\nhelp: {error.help}", file=sys.stderr)
        return 2
    print(f"{time.process_time():.0f} CPU s, {peak_mib():,.0f} MiB", file=sys.stderr)
    return 0
