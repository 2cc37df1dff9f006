"""The exact engine, which finds the correct answers to questions about a board.

It is for instructors only: it is never released, and never imported where students' code runs. The functions
of `grader.oracle.questions` are also available here, as in `oracle.solve(board)`.
"""

from importlib import import_module
from typing import Any

QUESTIONS = (
    "can_win", "class_allows", "class_ends", "fewest_pegs", "hint", "reachable", "solutions", "solve",
    "solved", "successors",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    """Return the function of `grader.oracle.questions` with this name.

    The module is imported only when it is needed, since importing numba is slow.
    """
    if name not in QUESTIONS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("grader.oracle.questions"), name)
