"""Run a search as plain Python on a board that notes every change, so that the judge can follow it."""

import contextlib
from types import ModuleType
from typing import Any

from grader.sandbox.child.plain_run import NO_CELL, PEG, VIEW, Enough, PlainRun, pegs_of

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
