"""Run a search as plain Python on a board that notes every change, so that the judge can follow it."""

import inspect
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from grader.sandbox.child import describe
from grader.sandbox.child.whose import is_students

MOST_NOTED = 30_000  # cells set


class Enough(BaseException):
    """Ends a search once enough of its changes are noted."""


def walk(request: dict[str, Any], module: ModuleType, client: Any) -> dict[str, Any]:
    """Return the answer of `peg_solve` on a board, every change to a cell in order, and the board at the end.

    A change is one number: 9 times the cell's number (0 to 63), plus 3 times its old value, plus its new
    value; 0 is blocked, 1 is empty and 2 is a peg. There is no answer if the search did not end.
    """
    from framework import board, hash_table, stack

    noted: list[int] = []

    def note(array: int, what: int) -> None:
        noted.append(what if array == 0 and what >= 0 else 0)
        if len(noted) >= MOST_NOTED:
            raise Enough

    position = board.parse_board(request["board"]).view(noting_board(note))
    make_plain(client)
    moves = stack.stack_new()
    table = [hash_table.ht_new(1)] * request["table"]
    answer = error = None
    try:
        answer = module.peg_solve(position, moves, *table, *request["arguments"])
    except Enough:
        pass
    except Exception as found:
        error = describe.describe_failure(found, importing=False)
    return {
        "number": answer if type(answer) is int else None,
        "noted": noted,
        "board": board.format_board(position),
        "error": error,
    }


def make_plain(client: Any) -> None:
    """Take `@compiled` and the contracts off everything in the student's modules."""
    for loaded in [client, *list(sys.modules.values())]:
        if is_students(getattr(loaded, "__file__", None)):
            for name, value in list(vars(loaded).items()):
                if inspect.isroutine(value) or hasattr(value, "py_func"):
                    setattr(loaded, name, inspect.unwrap(value))


def noting_board(note: Callable[[int, int], None]) -> Any:
    """Return a type of board that calls `note` whenever something is set in it or in an array made from it.

    Args:
        note: takes the number of the array, which is 0 for the board itself, and the number of what was set,
            as `walk` returns it; -1 if several cells were set at once.
    """
    from framework import board

    class NotingBoard(board.CheckedBoard):
        arrays = 0

        def __array_finalize__(self, made_of: Any) -> None:
            self.number = NotingBoard.arrays
            NotingBoard.arrays += 1

        def __setitem__(self, index: Any, value: Any) -> None:
            is_cell = isinstance(index, tuple) and not any(isinstance(part, slice) for part in index)
            old = self[index] if is_cell else 0
            super().__setitem__(index, value)
            if is_cell:
                row, col = index
                note(self.number, 9 * (board.SIZE * int(row) + int(col)) + 3 * (old + 1) + self[index] + 1)
            else:
                note(self.number, -1)

    return NotingBoard
