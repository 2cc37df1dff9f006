"""What is true of a board, found out on the instructor's side only: never released, never in a child.

The questions of `grader.oracle.questions` can be asked here: `oracle.solve(board)`.
"""

from typing import Any


def __getattr__(name: str) -> Any:
    """Return one of the questions; they are imported when one is asked, since numba takes its time."""
    from importlib import import_module

    if name.startswith("_"):
        raise AttributeError(name)
    return getattr(import_module("grader.oracle.questions"), name)
