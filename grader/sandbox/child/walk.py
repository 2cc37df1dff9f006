"""Run a search as plain Python on a board that notes every change, so that the judge can follow it."""

from types import ModuleType
from typing import Any

from grader.sandbox.child.plain_run import GIVEN, Enough, PlainRun

MOST_NOTED = 30_000  # cells set
NOT_A_CELL = -1


def walk(request: dict[str, Any], module: ModuleType, client: Any) -> dict[str, Any]:
    """Return the answer of `peg_solve` on a board, every change to a cell in order, and the board at the end.

    A change is one number, see `number_of`. There is no answer if the search did not end.
    """
    noted: list[int] = []

    def note(what: int, *change: int) -> None:
        noted.append(max(0, number_of(*change)) if what == GIVEN else 0)
        if len(noted) >= MOST_NOTED:
            raise Enough

    run = PlainRun(request, module, note)
    run.run()
    return {**run.said(), "noted": noted}


def number_of(place: int, old: int, new: int) -> int:
    """Return a change as one number; NOT_A_CELL if several cells were set at once.

    It is 9 times the cell's number (0 to 63), plus 3 times its old value, plus its new value; 0 is blocked, 1
    is empty and 2 is a peg.
    """
    return NOT_A_CELL if place < 0 else 9 * place + 3 * (old + 1) + new + 1
