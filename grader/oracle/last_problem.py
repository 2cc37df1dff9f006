"""What was found out about the last problem; the next question is often about the same one."""

from functools import lru_cache

from grader.oracle import memory, pegs_left
from grader.oracle.errors import OracleError
from grader.oracle.moves import Solutions, bytes_for, find_solutions
from grader.oracle.sets import Field
from grader.oracle.shape import Shape
from grader.oracle.walk import last_holes
from grader.oracle.winning_set import Progress, Winning, find_winning


class _Kept:
    """Saved results for a problem."""

    winning: Winning | None = None
    solutions: Solutions | None = None


@lru_cache(maxsize=1)
def _kept(shape: Shape, start: int, goals: tuple[int, ...]) -> _Kept:
    """Return the saved results for a problem; only those of the last problem are kept."""
    return _Kept()


def winning_of(shape: Shape, start: int, goals: tuple[int, ...], progress: Progress) -> Winning:
    """Return the winning positions of a problem.

    Raises:
        OracleError: there is too little memory.
    """
    kept = _kept(shape, start, goals)
    if kept.winning is None:
        try:
            memory.ask_for_levels(shape, start, 1, sets=2)  # the levels grown, and the positions that win
            kept.winning = find_winning(shape, start, goals, progress)
        except OracleError:
            ends = last_holes(shape, start, pegs_left.FEW)
            if ends is None or any(1 << shape.number[hole] in goals for hole in ends):
                raise
            kept.winning = Winning(Field(shape, shape.symmetries[:1]), start, goals, [])
    return kept.winning


def solutions_of(shape: Shape, start: int, goals: tuple[int, ...], progress: Progress) -> Solutions:
    """Return the solutions of a problem.

    Raises:
        OracleError: there is too little memory.
    """
    kept = _kept(shape, start, goals)
    if kept.solutions is None:
        found = winning_of(shape, start, goals, progress)
        memory.ask(bytes_for(found))
        kept.solutions = find_solutions(found, progress)
    return kept.solutions
