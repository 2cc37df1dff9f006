"""Run a search as plain Python on a board that notes every change, so that the judge can follow it."""

import inspect
import sys
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
    position = board.parse_board(request["board"]).view(_noting_board(noted))
    for loaded in [client, *list(sys.modules.values())]:
        if is_students(getattr(loaded, "__file__", None)):
            for name, value in list(vars(loaded).items()):
                if inspect.isroutine(value) or hasattr(value, "py_func"):
                    setattr(loaded, name, inspect.unwrap(value))  # without @compiled, and without contracts
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


def _noting_board(noted: list[int]) -> Any:
    """Return a type of board that adds a number to `noted` whenever something is set.

    For a single cell of the board itself, the number is the one that `walk` returns. For several cells at
    once, and for a copy or a view of the board, it is 0.
    """
    from framework import board

    class NotingBoard(board.CheckedBoard):
        arrays = 0

        def __array_finalize__(self, made_of: Any) -> None:
            self.is_first = NotingBoard.arrays == 0
            NotingBoard.arrays += 1

        def __setitem__(self, index: Any, value: Any) -> None:
            is_cell = isinstance(index, tuple) and not any(isinstance(part, slice) for part in index)
            old = self[index] if is_cell else 0
            super().__setitem__(index, value)
            if self.is_first and is_cell:
                row, col = index
                noted.append(9 * (board.SIZE * int(row) + int(col)) + 3 * (old + 1) + self[index] + 1)
            else:
                noted.append(0)
            if len(noted) >= MOST_NOTED:
                raise Enough

    return NotingBoard
