"""The parts of a child's frame, each of the type that it must have; or `FrameError`."""

from typing import Any

from framework.board import SIZE, Board, BoardFormatError, parse_board
from framework.jumps import Jump
from grader.sandbox.child.questions import MAX_JUMPS

MAX_DIGITS = 20  # of a number; a 64-bit one has 19
MAX_STATES = 1 << 40  # more than fit into memory; the sum over a class still fits into 64 bits
MAX_TEXT = 8000


class FrameError(Exception):
    """A malformed frame; the text says what is wrong with it."""


def listed(loaded: dict[str, Any], name: str) -> list[Any]:
    """Return a field of a frame, which must be a list."""
    value = loaded.get(name)
    if not isinstance(value, list):
        raise FrameError(f"{name} is not a list")
    return value


def text(loaded: dict[str, Any], name: str) -> str:
    """Return a field of a frame, which must be a string, cut at MAX_TEXT."""
    value = loaded.get(name)
    if not isinstance(value, str):
        raise FrameError(f"{name} is not a text")
    return value[:MAX_TEXT]


def table_size(value: object) -> int:
    """Return `value`, which must be a possible number of keys in a table."""
    size = integer(value)
    if not 0 <= size <= MAX_STATES:
        raise FrameError(f"{size} states")
    return size


def integer(value: object) -> int:
    """Return `value`, which must be a whole number."""
    if type(value) is not int:
        raise FrameError(f"{value!r:.40} is not a whole number")
    return value


def integers(loaded: dict[str, Any], name: str) -> list[int]:
    """Return a field of a frame, which must be a list of whole numbers; it may be long."""
    values = listed(loaded, name)
    if not {int}.issuperset(map(type, values)):
        raise FrameError(f"{name} are not whole numbers")
    return values


def jumps(loaded: dict[str, Any], name: str = "jumps", most: int = MAX_JUMPS) -> list[Jump]:
    """Return a field of a frame, which must be a list of at most so many jumps."""
    if len(listed(loaded, name)) > most:
        raise FrameError(f"more than {most} {name}")
    return [a_jump(jump) for jump in listed(loaded, name)]


def a_jump(value: object) -> Jump:
    """Return a value that must be the four numbers of a jump."""
    row_start, col_start, row_end, col_end = whole_numbers(value, 4)
    return row_start, col_start, row_end, col_end


def whole_numbers(value: object, count: int) -> list[int]:
    """Return a value that must be a list of so many whole numbers."""
    if not isinstance(value, list) or len(value) != count:
        raise FrameError(f"expected {count} numbers")
    return [integer(number) for number in value]


def a_board(value: object) -> Board:
    """Return a value that must be the text of a board."""
    try:
        return parse_board(value if isinstance(value, str) else "")
    except BoardFormatError:
        raise FrameError("a board that is none") from None


def is_on_board(jump: Jump) -> bool:
    """Return whether all four numbers are rows or columns of the board."""
    return all(0 <= number < SIZE for number in jump)
