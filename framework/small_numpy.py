"""The functions of numpy that the framework, the judge and searches use, in plain Python; see arrays.py."""

from collections.abc import Sequence
from math import prod
from typing import Any

from framework.small_arrays import bool_, dtype, float64, int8, int32, int64, integer, ndarray

__all__ = ["bool_", "dtype", "float64", "int8", "int32", "int64", "integer", "ndarray"]

MANY = 1 << 12  # an array of more cells stores only those that were set
MOST = 1 << 36  # cells that no machine has room for
_PYTHONS: dict[type, type[integer]] = {bool: bool_, int: int64, float: float64}


class _Zeros(dict[int, int]):
    """Cells that are 0 until they are set: a table has room for 67 million keys, but usually holds few."""

    def __missing__(self, place: int) -> int:
        return 0


def array(cells: Any, dtype: type[integer] = int64) -> ndarray:
    """Return an array made from a list of numbers, or from a list of rows."""
    rows = [list(row) if isinstance(row, (list, tuple, ndarray)) else row for row in cells]
    if rows and isinstance(rows[0], list):
        flat = [cell for row in rows for cell in row]
        return ndarray(flat, 0, (len(rows), len(rows[0])), dtype)
    return ndarray(rows, 0, (len(rows),), dtype)


def asarray(value: Any) -> ndarray:
    """Return an array as a plain `ndarray` with the same cells; return a number as an array of one cell."""
    if isinstance(value, ndarray):
        own: ndarray = value.view(ndarray)
        return own
    return ndarray([value], 0, (1,), int64)


def frombuffer(cells: bytes | bytearray, dtype: type[integer]) -> ndarray:
    """Return an int8 array with one cell for each byte."""
    return ndarray([cell - 256 if cell > 127 else cell for cell in cells], 0, (len(cells),), dtype)


def zeros(shape: int | tuple[int, ...], dtype: type[integer] = float64) -> ndarray:
    """Return an array of zeros."""
    wanted = shape if isinstance(shape, tuple) else (shape,)
    count, kind = prod(wanted), _PYTHONS.get(dtype, dtype)
    if count >= MOST:
        tebibytes = count * (kind.bits or 64) // 8 / 2**40
        raise MemoryError(
            f"Unable to allocate {tebibytes:.1f} TiB for an array with shape {wanted} "
            f"and data type {kind.__name__.rstrip('_')}"
        )
    return ndarray(_Zeros() if count > MANY else [0] * count, 0, wanted, kind)


empty = zeros


def full(shape: tuple[int, ...], value: int, dtype: type[integer] = int64) -> ndarray:
    """Return an array whose cells all have the same value."""
    return ndarray([value] * prod(shape), 0, shape, dtype)


def any(value: Any) -> bool:
    """Return whether any cell of an array, or a single number, is not 0."""
    return value.any() if isinstance(value, ndarray) else bool(value)


def isin(value: Any, those: Sequence[int]) -> ndarray:
    """Return whether `value` is one of `those`; for an array, the answer for each cell."""
    cells = value.flat if isinstance(value, ndarray) else [value]
    found = [int(cell in those) for cell in cells]
    return ndarray(found, 0, value.shape if isinstance(value, ndarray) else (1,), bool_)


def argwhere(those: ndarray) -> ndarray:
    """Return the row and the column of each cell that is not 0."""
    width = those.shape[-1]
    return array([divmod(place, width) for place, cell in enumerate(those.flat) if cell])


def minimum(one: Any, other: Any) -> Any:
    """Return the smaller of each pair of cells; one argument may be a number, paired with every cell."""
    cells, others = (one, other) if isinstance(one, ndarray) else (other, one)
    return type(cells)(cells.compared(others, min).cells, 0, cells.shape, cells.dtype)


def argsort(cells: ndarray, kind: str = "") -> ndarray:
    """Return the positions of the cells, ordered from the smallest cell to the largest.

    Equal cells keep their order.
    """
    values = list(cells.flat)
    return array(sorted(range(len(values)), key=values.__getitem__))


def __getattr__(name: str) -> Any:
    raise AttributeError(
        f"there is no numpy in a browser, but for a few functions, and {name} is not one of them"
    )
