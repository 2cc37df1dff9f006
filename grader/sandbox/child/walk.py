"""Run a search as plain Python on a board that notes what is written to it, so that the judge can follow."""

import inspect
import sys
from types import ModuleType
from typing import Any

from grader.sandbox.child import describe
from grader.sandbox.child.whose import is_students

MOST_NOTED = 30_000  # cells set


class Enough(BaseException):
    """Ends a search of which enough is noted."""


def walk(request: dict[str, Any], module: ModuleType, client: Any) -> dict[str, Any]:
    """Return what `peg_solve` answered on a board, each cell that was set, in order, and the board after it.

    A cell that is set is one number: of the cell, one of 64, then its old and its new value, each one of 3:
    blocked, empty, peg. There is no answer if the search did not end.
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
    """Return the type of a board that notes what is set: each cell of its own, and a 0 for others."""
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
