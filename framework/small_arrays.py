"""Arrays in plain Python, used where numpy cannot be installed; small_numpy.py has functions for them.

They have one or two dimensions, and their cells are Python's own numbers. As in numpy, rows, slices, `T`,
`view` and `reshape` share their cells with the array; everything else copies.
"""

import builtins
from collections.abc import Callable, Iterator, Sequence
from math import prod
from operator import and_, eq, ge, gt, le, lt, ne, or_
from typing import Any, Self


class integer(int):
    """The base class of the types of cells. They are only names: each cell is one of Python's numbers."""

    bits = 64


class int8(integer):
    """The type of integers from -128 to 127."""

    bits = 8


class int32(integer):
    """The type of 32-bit integers with a sign."""

    bits = 32


class int64(integer):
    """The type of 64-bit integers with a sign."""


class bool_(integer):
    """The type of the cells that a comparison of arrays returns."""

    bits = 8


class float64(integer):
    """The type of floats, which have no bounds here."""

    bits = 0


class dtype:
    """Stands for numpy's `dtype` in type hints, and has no other use."""

    def __class_getitem__(cls, of: type[integer]) -> type[integer]:
        return of


def _for_each(compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda one, other: one.compared(other, compare)


class ndarray:
    """An array of one or two dimensions."""

    def __class_getitem__(cls, _: object) -> type[Self]:
        """Return the class itself: what a type hint has in brackets is ignored."""
        return cls

    def __init__(
        self,
        cells: Any,
        start: int,
        shape: tuple[int, ...],
        dtype: type[integer],
        steps: tuple[int, ...] | None = None,
    ) -> None:
        self.cells = cells  # the memory, which other arrays may share
        self._start = start
        self.shape = shape  # the number of cells in each dimension
        self.dtype = dtype  # a type such as `int8`, which bounds what a cell can be set to
        self._steps = steps or _row_by_row(shape)  # from a cell to the next one, in each dimension
        self._most = (1 << dtype.bits - 1) - 1 if dtype.bits else None
        self.__array_finalize__(None)

    def __array_finalize__(self, made_of: Any) -> None:
        """Do nothing: subclasses may override this to finish a new array."""

    # ---- cells -----------------------------------------------------------------------------------

    def __getitem__(self, index: Any) -> Any:
        place = self._place(index)
        return self._part(index) if place is None else self.cells[place]

    def __setitem__(self, index: Any, value: Any) -> None:
        place = self._place(index)
        if place is not None:
            self.cells[place] = self._as_cell(value)
            return
        places = self._places_of(index)
        values = list(value.flat) if isinstance(value, ndarray) else [value] * len(places)
        for at, each in zip(places, values, strict=True):
            self.cells[at] = self._as_cell(each)

    def _place(self, index: Any) -> int | None:
        """Return the place in `cells` of the cell at `index`; None if `index` is not that of one cell.

        Raises:
            IndexError: the index is outside of the array, or not a whole number.
        """
        if type(index) is tuple and len(index) == 2 and len(self.shape) == 2:
            row, col = index
            if type(row) is int and type(col) is int:
                rows, cols = self.shape
                if not (0 <= row < rows and 0 <= col < cols):
                    row, col = _in_bounds(row, rows, 0), _in_bounds(col, cols, 1)
                down, across = self._steps
                return self._start + row * down + col * across
        elif type(index) is int and len(self.shape) == 1:
            (length,), (step,) = self.shape, self._steps
            place: int = index if 0 <= index < length else _in_bounds(index, length, 0)
            return self._start + place * step
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

    def _places(self) -> Sequence[int]:
        """Return the places of all cells in `cells`, row by row."""
        first = self._start
        if len(self.shape) == 1:
            (length,), (step,) = self.shape, self._steps
            return range(first, first + length * step, step)
        if self._steps == _row_by_row(self.shape):
            return range(first, first + self.size)
        (rows, cols), (down, across) = self.shape, self._steps
        return [first + row * down + col * across for row in range(rows) for col in range(cols)]

    def _places_of(self, index: Any) -> Sequence[int]:
        """Return the places in `cells` that a mask, an array of numbers, a row or slices choose."""
        if not isinstance(index, ndarray):
            part: ndarray = self._part(index)
            return part._places()
        places = self._places()
        if index.dtype is bool_:
            return [place for place, chosen in zip(places, index.flat, strict=True) if chosen]
        return [places[_in_bounds(number, self.shape[0], 0)] for number in index.flat]

    def _part(self, index: Any) -> Any:
        if isinstance(index, ndarray):
            cells = [self.cells[place] for place in self._places_of(index)]
            return type(self)(cells, 0, (len(cells),), self.dtype)
        parts = index if isinstance(index, tuple) else (index,)
        if len(parts) > len(self.shape):
            raise IndexError(
                f"too many indices for array: array is {len(self.shape)}-dimensional, "
                f"but {len(parts)} were indexed"
            )
        start, shape, steps = self._start, [], []
        for axis, (most, step) in enumerate(zip(self.shape, self._steps, strict=True)):
            part = parts[axis] if axis < len(parts) else slice(None)
            if isinstance(part, slice):
                chosen = range(*part.indices(most))
                start += chosen.start * step
                shape.append(len(chosen))
                steps.append(chosen.step * step)
            else:
                start += _in_bounds(part, most, axis) * step
        if not shape:
            return self.cells[start]
        return type(self)(self.cells, start, tuple(shape), self.dtype, tuple(steps))

    def item(self, place: int) -> Any:
        """Return the cell with a number, counted row by row."""
        return self.cells[self._places()[place]]

    @property
    def size(self) -> int:
        """The number of cells."""
        return prod(self.shape)

    @property
    def flat(self) -> Iterator[int]:
        """The cells, row by row."""
        return map(self.cells.__getitem__, self._places())

    @property
    def T(self) -> Any:
        """The array with rows and columns exchanged."""
        return type(self)(self.cells, self._start, self.shape[::-1], self.dtype, self._steps[::-1])

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[number] for number in range(len(self)))

    def view(self, kind: "type[ndarray] | None" = None) -> Any:
        """Return a new array that shares these cells, perhaps of another class."""
        return (kind or type(self))(self.cells, self._start, self.shape, self.dtype, self._steps)

    def reshape(self, *shape: Any) -> Any:
        """Return a new array with another shape; it shares these cells where they follow one another."""
        lengths = shape[0] if isinstance(shape[0], tuple) else shape
        wanted = tuple(-self.size // prod(lengths) if length == -1 else length for length in lengths)
        if self._steps != _row_by_row(self.shape):
            return type(self)(list(self.flat), 0, wanted, self.dtype)
        return type(self)(self.cells, self._start, wanted, self.dtype)

    def astype(self, dtype: type[integer]) -> Any:
        """Return a new array with the cells converted to another type."""
        made = type(self)([0] * self.size, 0, self.shape, dtype)
        made.cells[:] = map(made._as_cell, self.flat)
        return made

    def copy(self) -> Any:
        """Return a new array with a copy of the cells."""
        made = type(self)(list(self.flat), 0, self.shape, self.dtype)
        made.__array_finalize__(self)
        return made

    def sort(self) -> None:
        """Sort the cells of each row, in place."""
        places, length = self._places(), self.shape[-1]
        for first in range(0, self.size, length or 1):
            row = places[first : first + length]
            for place, cell in zip(row, sorted(self.cells[place] for place in row), strict=True):
                self.cells[place] = cell

    def tolist(self) -> list[Any]:
        """Return the cells as a list, or as a list of rows."""
        cells = list(self.flat)
        if len(self.shape) == 1:
            return cells
        rows, cols = self.shape
        return [cells[row * cols : (row + 1) * cols] for row in range(rows)]

    def tobytes(self) -> bytes:
        """Return the cells of an int8 array as bytes."""
        return bytes(cell & 0xFF for cell in self.flat)

    # ---- all cells at once -----------------------------------------------------------------------

    def any(self) -> bool:
        """Return whether any cell is not 0."""
        return builtins.any(self.flat)

    def all(self) -> bool:
        """Return whether no cell is 0."""
        return builtins.all(self.flat)

    def sum(self) -> int:
        """Return the sum of the cells."""
        return builtins.sum(self.flat)

    def __neg__(self) -> Any:
        """Return a new array in which the sign of each cell is changed."""
        return type(self)([-cell for cell in self.flat], 0, self.shape, self.dtype)

    def compared(self, other: Any, compare: Callable[[Any, Any], Any]) -> Any:
        """Return an array with the result of `compare` for each cell and the matching cell of `other`.

        If `other` is a single number, every cell is compared with it.
        """
        if not isinstance(other, ndarray):
            other = ndarray([other], 0, (1,), bool_)
        longer = self if other.size == 1 else other
        pairs = zip(self._repeated(longer.size), other._repeated(longer.size), strict=True)
        return ndarray([0 + compare(cell, each) for cell, each in pairs], 0, longer.shape, bool_)

    def _repeated(self, count: int) -> list[int]:
        return [*self.flat] * (count if self.size == 1 else 1)

    __eq__, __ne__ = _for_each(eq), _for_each(ne)
    __lt__, __le__, __gt__, __ge__ = _for_each(lt), _for_each(le), _for_each(gt), _for_each(ge)
    __and__ = __rand__ = _for_each(and_)
    __or__ = _for_each(or_)
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


def _row_by_row(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the steps of cells that follow one another row by row."""
    return (shape[1], 1) if len(shape) == 2 else (1,)


def _in_bounds(number: Any, most: int, axis: int) -> int:
    """Return `number` as an index that is not negative; a negative one counts from the end."""
    if isinstance(number, bool) or not isinstance(number, int):
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean "
            "arrays are valid indices"
        )
    if not -most <= number < most and __debug__:  # under -O unchecked, as in compiled code
        raise IndexError(f"index {number} is out of bounds for axis {axis} with size {most}")
    return number + most if number < 0 else number
