"""The exact engine: what is true of a board. Instructors only: never released, never in a child.

The questions of `grader.oracle.questions` can be asked here: `oracle.solve(board)`.
"""

from importlib import import_module
from typing import Any

QUESTIONS = (
    "can_win", "class_allows", "class_ends", "count_solutions", "few_moves", "fewest_moves", "fewest_pegs",
    "goal_holes", "hint", "reachable", "solve", "successors", "winning",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    """Return a question; they are imported when one is asked, since numba takes its time."""
    if name not in QUESTIONS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("grader.oracle.questions"), name)
