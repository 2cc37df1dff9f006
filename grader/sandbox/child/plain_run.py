"""Run `peg_solve` as plain Python, without contracts, on a board that notes whatever is written to it.

Three questions run a program so, each with notes of its own: `walk` below, trace.py and film.py.

trace.py and film_notes.py are two recorders, since neither can do the other's work. A trace has the calls of
every function, and the line from which each returned: only sys.setprofile sees these. But then Python calls
the recorder twice for each function that the program calls, and most of those only look at a cell: the
reference's peg2 takes 1.1 s of CPU time on lopsided, and 3.3 s under a profile that notes nothing. A film has
up to 200,000 calls of the one function that matters. That function is replaced by one that notes its calls,
which takes 1.4 s with all notes; but it cannot see a line.
"""

import contextlib
import inspect
import itertools
import sys
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

from grader.sandbox.child import describe
from grader.sandbox.child.whose import is_students

GIVEN, VIEW, ELSEWHERE = range(3)  # what was written to: the given board, a part of it, another array
NO_CELL = -1  # in place of a cell: not one cell was set, but several
PEG = 1
Note = Callable[[int, int, int, int, Any], None]


class Enough(BaseException):
    """Ends a program of which enough is noted."""


class PlainRun:
    """A run of `peg_solve`; `board`, `moves` and `tables`, one table or none, are its arguments."""

    def __init__(self, request: dict[str, Any], module: ModuleType, note: Note) -> None:
        """Prepare the run: contracts and `@compiled` are taken off all functions, and the board notes."""
        from framework import hash_table, stack

        make_plain()
        self.board = noting_board(request["board"], note)
        self.moves = stack.stack_new()
        self.tables = [hash_table.ht_new(1)] * request["table"]
        self.number: int | None = None  # what it returned; None if that was no number, or if it did not end
        self.error: dict[str, Any] | None = None  # how it failed, described as plain data; None if it did not
        self._module, self._more = module, request["arguments"]

    def run(self, caught: type[BaseException] = Exception) -> None:
        """Run the program until it ends, or enough is noted; `caught` are the failures that are described."""
        try:
            answer = self._module.peg_solve(self.board, self.moves, *self.tables, *self._more)
            self.number = answer if type(answer) is int else None
        except Enough:
            pass
        except caught as found:
            self.error = describe.describe_failure(found, importing=False)

    def said(self) -> dict[str, Any]:
        """Return what the program answered, how it failed and the board after it."""
        from framework import board

        return {"number": self.number, "board": board.format_board(self.board), "error": self.error}


def make_plain() -> None:
    """Take `@compiled` and the contracts off everything in the student's modules and the framework's."""
    for name, module in list(sys.modules.items()):
        if is_students(getattr(module, "__file__", None)) or (name.startswith("framework.") and module):
            for each, value in list(vars(module).items()):
                if inspect.isroutine(value) or hasattr(value, "py_func"):
                    setattr(module, each, inspect.unwrap(value))


# ---- boards --------------------------------------------------------------------------------------


def is_board(value: Any) -> bool:
    """Return whether a value is a board, or a copy that the program made."""
    return getattr(value, "shape", None) == (8, 8) and hasattr(value, "dtype")


def pegs_of(board: Any) -> int:
    """Return the pegs of a board, one bit 8 * row + col each."""
    cells = board.tobytes()
    return _pegs(cells if len(cells) == 64 else (board == PEG).tobytes())  # larger cells, in a copy


@cache
def _pegs(cells: bytes) -> int:
    return sum(1 << place for place, cell in enumerate(cells) if cell == PEG)


def noting_board(text: str, note: Note) -> Any:
    """Return the board drawn in `text`, of a type that notes what is set, and reads its cells fast.

    Args:
        note: takes GIVEN, VIEW or ELSEWHERE; the cell that was set, as 8 * row + col, or NO_CELL; its old
            and its new value; and the array, whose `number` no other board of the run has, nor 0, and
            which was made from that with the number `made_from`.
    """
    from framework import board
    from framework.arrays import np

    places = {(row, col): board.SIZE * row + col for row in range(board.SIZE) for col in range(board.SIZE)}
    set_cell = np.ndarray.__setitem__
    numbers = itertools.count(1)

    class CheckedBoard(board.CheckedBoard):  # under its usual name, for messages
        def __array_finalize__(self, made_of: Any) -> None:
            self.is_whole = self.shape == (board.SIZE, board.SIZE)
            self.number, self.made_from = next(numbers), getattr(made_of, "number", 0)

        def __getitem__(self, index: Any) -> Any:
            if self.is_whole:
                try:
                    return self.item(places[index])
                except (KeyError, TypeError):
                    pass  # off the board, or not one cell
            return super().__getitem__(index)

        def __setitem__(self, index: Any, value: Any) -> None:
            place, old = NO_CELL, board.BLOCKED
            if self.is_whole:
                try:
                    place = places[index]
                    old = self.item(place)
                except (KeyError, TypeError):
                    pass
            if old >= 0 and type(value) is int and 0 <= value <= 1:
                set_cell(self, index, value)
            else:
                super().__setitem__(index, value)
                value = self.item(place) if place >= 0 else 0
            if self is given:
                note(GIVEN, place, old, value, self)
            else:  # the arrays of a browser do not know what they are a view of
                note(VIEW if getattr(self, "base", None) is given else ELSEWHERE, place, old, value, self)

    given = board.parse_board(text).view(CheckedBoard).copy()
    return given


# ---- every change to the board, so that the judge can follow the search --------------------------

MOST_NOTED = 30_000  # cells set


class _Boards:
    """Notes what is set as if all were one board: a copy is taken back once another one is written to.

    If `alone`, what is set on copies is not noted: a search may make images of its board on them.
    """

    def __init__(self, alone: bool) -> None:
        self._alone = alone
        self.noted: list[int] = []  # the changes, as numbers; see `number_of`
        self._open: list[tuple[int, list[tuple[int, int, int]]]] = []  # each board's number, and its changes

    def begin(self, given: Any) -> None:
        """Begin with the board that the search is given."""
        self._open = [(given.number, [])]
        self._now = pegs_of(given)

    def set_cell(self, what: int, place: int, old: int, new: int, array: Any) -> None:
        """Note a change; end the program once enough is noted."""
        opened = [number for number, _ in self._open]
        if self._alone and array.number not in opened:
            return
        below = array.number if array.number in opened else array.made_from
        if what == VIEW or place < 0 or below not in opened:
            self.noted.append(0)  # whatever it is, the judge loses its way here
            return
        self.close(opened.index(below) + 1)
        if below != array.number:
            self._open.append((array.number, []))
        self._open[-1][1].append((place, old, new))
        self._add(place, old, new)
        if self._now != pegs_of(array):
            self.noted.append(0)

    def close(self, left: int) -> None:
        """Take back the changes of all boards but the first ones."""
        while len(self._open) > left:
            for place, old, new in reversed(self._open.pop()[1]):
                self._add(place, new, old)

    def _add(self, place: int, old: int, new: int) -> None:
        self.noted.append(max(0, number_of(place, old, new)))
        self._now = self._now | 1 << place if new == PEG else self._now & ~(1 << place)
        if len(self.noted) >= MOST_NOTED:
            raise Enough


def walk(request: dict[str, Any], module: ModuleType, client: Any) -> dict[str, Any]:
    """Return the answer of `peg_solve` on a board, every change to a cell in order, and the board at the end.

    A change is one number, see `number_of`. There is no answer if the search did not end.
    """
    boards = _Boards(request.get("alone", False))
    run = PlainRun(request, module, boards.set_cell)
    boards.begin(run.board)
    run.run()
    with contextlib.suppress(Enough):
        boards.close(1)
    return {**run.said(), "noted": boards.noted}


def number_of(place: int, old: int, new: int) -> int:
    """Return a change as one number; NO_CELL if several cells were set at once.

    It is 9 times the cell's number (0 to 63), plus 3 times its old value, plus its new value; 0 is blocked, 1
    is empty and 2 is a peg.
    """
    return NO_CELL if place < 0 else 9 * place + 3 * (old + 1) + new + 1
