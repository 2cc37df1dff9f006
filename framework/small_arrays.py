"""Arrays in plain Python, for where numpy cannot be installed: see arrays.py.

It is what the framework, the judge and searches use of numpy, under numpy's names: arrays of numbers with one
or two dimensions. Cells are Python's own numbers. A slice of one dimension, `view` and `reshape` share their
cells with the array, as in numpy; everything else copies.
"""

import builtins
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from operator import and_, eq, ge, gt, le, lt, ne, or_
from typing import Any, Self

MANY = 1 << 12  # an array of more cells stores only those that were set
MOST = 1 << 36  # cells that no machine has room for


class integer(int):
    """The base of the types below; no cell has any of them, since cells are Python's integers."""

    bits = 64


class int8(integer):
    """From -128 to 127."""

    bits = 8


class int32(integer):
    """Of 32 bits, with a sign."""

    bits = 32


class int64(integer):
    """Of 64 bits, with a sign."""


class bool_(integer):
    """The result of comparing cells."""

    bits = 8


class float64(integer):
    """A float; it has no bounds."""

    bits = 0


_PYTHONS: dict[type, type[integer]] = {bool: bool_, int: int64, float: float64}


class dtype:
    """For type hints only."""

    def __class_getitem__(cls, of: type[integer]) -> type[integer]:
        return of


class _Zeros(dict[int, int]):
    """Cells that are 0 until they are set: a table has room for 67 million keys and mostly holds a few."""

    def __missing__(self, place: int) -> int:
        return 0


class ndarray:
    """An array of one or two dimensions.

    Attributes:
        shape: the number of cells in each dimension.
        dtype: one of the types above, which bounds what a cell can be set to.
    """

    def __class_getitem__(cls, _: object) -> type[Self]:
        """Return the class itself: type hints say more than this module needs."""
        return cls

    def __init__(self, cells: Any, start: int, shape: tuple[int, ...], dtype: type[integer]) -> None:
        self._cells = cells
        self._start = start
        self.shape = shape
        self.dtype = dtype
        self._width = shape[-1]
        self._most = (1 << dtype.bits - 1) - 1 if dtype.bits else None
        self.__array_finalize__(None)

    def __array_finalize__(self, made_of: Any) -> None:
        """Do nothing more to a new array; subclasses may."""

    # ---- cells -----------------------------------------------------------------------------------

    def __getitem__(self, index: Any) -> Any:
        place = self._place(index)
        return self._part(index) if place is None else self._cells[place]

    def __setitem__(self, index: Any, value: Any) -> None:
        place = self._place(index)
        if place is not None:
            self._cells[place] = self._as_cell(value)
            return
        places = self._places_of(index)
        values = list(value.flat) if isinstance(value, ndarray) else [value] * len(places)
        for at, each in zip(places, values, strict=True):
            self._cells[at] = self._as_cell(each)

    def _place(self, index: Any) -> int | None:
        """Return where one cell is; None if `index` is not that of one cell.

        Raises:
            IndexError: it is outside of the array, or not a whole number.
        """
        if type(index) is tuple and len(index) == 2 and len(self.shape) == 2:
            row, col = index
            if type(row) is int and type(col) is int:
                if 0 <= row < self.shape[0] and 0 <= col < self._width:
                    return self._start + row * self._width + col
                row, col = _in_bounds(row, self.shape[0], 0), _in_bounds(col, self._width, 1)
                return self._start + row * self._width + col
        elif type(index) is int and len(self.shape) == 1:
            return self._start + (index if 0 <= index < self._width else _in_bounds(index, self._width, 0))
        return None

    def _as_cell(self, value: Any) -> Any:
        if self._most is None:
            return float(value)
        if type(value) is not int:
            value = int(value)
        if -self._most - 1 <= value <= self._most:
            return value
        if self.dtype is int64:
            raise OverflowError("Python int too large to convert to C long")
        raise OverflowError(f"Python integer {value} out of bounds for {self.dtype.__name__}")

    # ---- several cells ---------------------------------------------------------------------------

    def _places_of(self, index: Any) -> list[int]:
        """Return the places of the cells that `index` chooses: a mask, numbers, a row, or slices."""
        if isinstance(index, ndarray):
            if index.dtype is not bool_:
                return [self._start + _in_bounds(number, self._width, 0) for number in index.flat]
            return [self._start + place for place, chosen in enumerate(index.flat) if chosen]
        _, numbers = self._chosen(index)
        if len(self.shape) == 1:
            return [self._start + number for number in numbers[0]]
        return [self._start + row * self._width + col for row, col in product(*numbers)]

    def _chosen(self, index: Any) -> tuple[list[int], list[Sequence[int]]]:
        """Return which dimensions are left, and for each dimension the numbers that `index` chooses."""
        parts = index if isinstance(index, tuple) else (index,)
        if len(parts) > len(self.shape):
            raise IndexError(
                f"too many indices for array: array is {len(self.shape)}-dimensional, "
                f"but {len(parts)} were indexed"
            )
        left: list[int] = []
        numbers: list[Sequence[int]] = []
        for axis, most in enumerate(self.shape):
            part = parts[axis] if axis < len(parts) else slice(None)
            if isinstance(part, slice):
                left.append(axis)
                numbers.append(range(*part.indices(most)))
            else:
                numbers.append([_in_bounds(part, most, axis)])
        return left, numbers

    def _part(self, index: Any) -> Any:
        if isinstance(index, slice) and index.step is None and len(self.shape) == 1:
            first, end, _ = index.indices(self._width)
            return type(self)(self._cells, self._start + first, (max(0, end - first),), self.dtype)
        cells = [self._cells[place] for place in self._places_of(index)]
        if isinstance(index, ndarray):
            return type(self)(cells, 0, (len(cells),), self.dtype)
        left, numbers = self._chosen(index)
        if not left:
            return cells[0]
        return type(self)(cells, 0, tuple(len(numbers[axis]) for axis in left), self.dtype)

    @property
    def size(self) -> int:
        """The number of cells."""
        return prod(self.shape)

    @property
    def flat(self) -> Iterator[int]:
        """The cells, row by row."""
        return (self._cells[place] for place in range(self._start, self._start + self.size))

    @property
    def T(self) -> Any:
        """The array with rows and columns exchanged."""
        if len(self.shape) == 1:
            return self.copy()
        rows, width = self.shape
        cells = [self._cells[self._start + row * width + col] for col in range(width) for row in range(rows)]
        return type(self)(cells, 0, (width, rows), self.dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[number] for number in range(len(self)))

    def view(self, kind: "type[ndarray] | None" = None) -> Any:
        """Return the same cells as an array of its own, perhaps of another kind."""
        return (kind or type(self))(self._cells, self._start, self.shape, self.dtype)

    def reshape(self, *shape: Any) -> Any:
        """Return the same cells in another shape."""
        wanted = shape[0] if isinstance(shape[0], tuple) else shape
        return type(self)(self._cells, self._start, wanted, self.dtype)

    def astype(self, dtype: type[integer]) -> Any:
        """Return the cells as another type in an array of its own."""
        made = type(self)([0] * self.size, 0, self.shape, dtype)
        made._cells[:] = map(made._as_cell, self.flat)
        return made

    def copy(self) -> Any:
        """Return an array of its own with the same cells."""
        return type(self)(list(self.flat), 0, self.shape, self.dtype)

    def tolist(self) -> list[Any]:
        """Return the cells as a list, or as a list of rows."""
        cells = list(self.flat)
        if len(self.shape) == 1:
            return cells
        return [cells[first : first + self._width] for first in range(0, len(cells), self._width)]

    def tobytes(self) -> bytes:
        """Return the cells of an int8 array as bytes."""
        return bytes(cell & 0xFF for cell in self.flat)

    # ---- all cells at once -----------------------------------------------------------------------

    def any(self) -> bool:
        """Return whether a cell is not 0."""
        return builtins.any(self.flat)

    def all(self) -> bool:
        """Return whether no cell is 0."""
        return builtins.all(self.flat)

    def sum(self) -> int:
        """Return the sum of the cells."""
        return builtins.sum(self.flat)

    def _compared(self, other: Any, compare: Callable[[Any, Any], Any]) -> Any:
        """Return what `compare` says of each cell and that of `other`, which may be one number for all."""
        if not isinstance(other, ndarray):
            other = ndarray([other], 0, (1,), bool_)
        longer = self if other.size == 1 else other
        pairs = zip(self._repeated(longer.size), other._repeated(longer.size), strict=True)
        return ndarray([0 + compare(cell, each) for cell, each in pairs], 0, longer.shape, bool_)

    def _repeated(self, count: int) -> list[int]:
        return [*self.flat] * (count if self.size == 1 else 1)

    def __eq__(self, other: object) -> Any:
        return self._compared(other, eq)

    def __ne__(self, other: object) -> Any:
        return self._compared(other, ne)

    def __lt__(self, other: object) -> Any:
        return self._compared(other, lt)

    def __le__(self, other: object) -> Any:
        return self._compared(other, le)

    def __gt__(self, other: object) -> Any:
        return self._compared(other, gt)

    def __ge__(self, other: object) -> Any:
        return self._compared(other, ge)

    def __and__(self, other: object) -> Any:
        return self._compared(other, and_)

    __rand__ = __and__

    def __or__(self, other: object) -> Any:
        return self._compared(other, or_)

    __hash__ = None  # type: ignore[assignment]  # as in numpy

    def __bool__(self) -> bool:
        if self.size == 1:
            return self.any()
        raise ValueError(
            "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
        )

    def __repr__(self) -> str:
        if len(self.shape) == 1:
            return f"array({self.tolist()})"
        rows = (", ".join(f"{cell:2}" for cell in row) for row in self.tolist())
        return "array([" + ",\n       ".join(f"[{row}]" for row in rows) + f"], dtype={self.dtype.__name__})"


def _in_bounds(number: Any, most: int, axis: int) -> int:
    """Return an index from 0 on; a negative one counts from the end."""
    if isinstance(number, bool) or not isinstance(number, int):
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean "
            "arrays are valid indices"
        )
    if not -most <= number < most and __debug__:  # under -O unchecked, as in compiled code
        raise IndexError(f"index {number} is out of bounds for axis {axis} with size {most}")
    return number + most if number < 0 else number


# ---- functions -----------------------------------------------------------------------------------


def array(cells: Any, dtype: type[integer] = int64) -> ndarray:
    """Return an array of a list of numbers, or of a list of rows."""
    rows = [list(row) if isinstance(row, (list, tuple, ndarray)) else row for row in cells]
    if rows and isinstance(rows[0], list):
        flat = [cell for row in rows for cell in row]
        return ndarray(flat, 0, (len(rows), len(rows[0])), dtype)
    return ndarray(rows, 0, (len(rows),), dtype)


def asarray(value: Any) -> ndarray:
    """Return an array's own cells as a plain array; of a single number, an array of one cell."""
    if isinstance(value, ndarray):
        return value.view(ndarray)  # type: ignore[no-any-return]
    return ndarray([value], 0, (1,), int64)


def frombuffer(cells: bytes | bytearray, dtype: type[integer]) -> ndarray:
    """Return an array of int8, one for each byte."""
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
    """Return an array of equal cells."""
    return ndarray([value] * prod(shape), 0, shape, dtype)


def any(value: Any) -> bool:
    """Return whether a cell of an array, or a single number, is not 0."""
    return value.any() if isinstance(value, ndarray) else bool(value)


def isin(value: Any, those: Sequence[int]) -> ndarray:
    """Return for each cell of `value`, or for a single number, whether it is one of `those`."""
    cells = value.flat if isinstance(value, ndarray) else [value]
    found = [int(cell in those) for cell in cells]
    return ndarray(found, 0, value.shape if isinstance(value, ndarray) else (1,), bool_)


def argwhere(those: ndarray) -> ndarray:
    """Return the row and the column of each cell that is not 0."""
    width = those.shape[-1]
    return array([divmod(place, width) for place, cell in enumerate(those.flat) if cell])


def minimum(one: Any, other: Any) -> Any:
    """Return the smaller of each two cells; either may be one number for all."""
    cells, others = (one, other) if isinstance(one, ndarray) else (other, one)
    return type(cells)(cells._compared(others, min)._cells, 0, cells.shape, cells.dtype)


def argsort(cells: ndarray, kind: str = "") -> ndarray:
    """Return the places of the cells from the smallest on; equal cells keep their order."""
    values = list(cells.flat)
    return array(sorted(range(len(values)), key=values.__getitem__))


def __getattr__(name: str) -> Any:
    raise AttributeError(
        f"there is no numpy in a browser, but for a few functions, and {name} is not one of them"
    )
