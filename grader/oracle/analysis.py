"""All that is known about a board, in one record, as `grade analyze` shows it."""

import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace

from framework.board import Board
from framework.jumps import Jump, moves_of
from framework.rules import fewest_of
from grader.oracle import questions
from grader.oracle.listing import MOST, listing_of
from grader.oracle.moves import Solved
from grader.oracle.problem import OracleError, check_size, goals_of_class, with_pegs
from grader.oracle.questions import Status
from grader.oracle.shape import MOST_HOLES, Hole, shape_of
from grader.oracle.winning_set import Counts, Progress, say_nothing

TOO_MANY = f"more than {MOST:,} positions can be reached; with so many, up to {MOST_HOLES} holes are proved"


@dataclass(frozen=True)
class Analysis:
    """What was found out about a board on which the last peg must be left on a goal.

    What is None is not known, or was not counted.
    """

    board: str
    goal: Hole | None  # the only goal; None if every hole is a goal
    # how certain the answer is, see `questions.Answer`; `solved elsewhere` if its only peg is not on the goal
    status: Status
    solvable: bool
    goals: list[Hole] = field(default_factory=list)
    fewest_pegs: int | None = None  # of any position that can be reached
    reachable: Counts | None = None
    # these four as in `Solved`
    winning: Counts | None = None
    solutions: int | None = None
    fewest_moves: int | None = None
    optimal_solutions: int | None = None
    # a solution, as a list of jumps for each move; with the fewest moves, if these are known
    moves: list[list[Jump]] = field(default_factory=list)
    cpu_s: float = 0.0  # CPU seconds that the analysis took, in all threads
    peak_mib: float = 0.0  # the peak memory of the process so far, in MiB


def analyse(
    name: str,
    board: Board,
    goal: Hole | None = None,
    *,
    count_reachable: bool | None = None,
    progress: Progress = say_nothing,
) -> Analysis:
    """Analyse a board, and return all that was found out about it.

    Args:
        board: 8 x 8 int8; not changed.
        goal: the only hole for the last peg; None for any hole.
        count_reachable: whether to count all positions that can be reached, even those that lead nowhere;
            None: count them only where this takes seconds, and find the fewest pegs that can be left on the
            other boards.

    Raises:
        OracleError: the goal is not a hole, the board has no peg, or it has too many positions for its holes
            or for the memory.
    """
    before_s = time.process_time()
    goals = None if goal is None else [goal]
    shape, start = with_pegs(board)
    wanted = goals_of_class(shape, start, goals)
    listing = listing_of(shape, start)
    if start.bit_count() == 1 and start not in wanted:
        found = _refuted(name, goal, "solved elsewhere")
    elif not wanted:
        found = _refuted(name, goal, "refuted by class")
    elif listing is None and len(shape.holes) > MOST_HOLES:
        found = _found(name, board, goal)
    else:
        found = _proved(name, goal, questions.solved(board, goals, progress))
    if count_reachable is None:
        count_reachable = listing is not None or len(shape.holes) <= questions.WALKED_HOLES
        if not count_reachable and found.fewest_pegs is None:
            with suppress(OracleError):  # it was not found out
                found = replace(found, fewest_pegs=questions.fewest_pegs(board, progress))
    if count_reachable:
        reachable = listing.reachable() if listing is not None else questions.reachable(board, progress)
        fewest = start.bit_count() + 1 - len(reachable.raw)
        if goal is None:
            fewest = fewest_of(fewest, found.solvable is True)
        found = replace(found, reachable=reachable, fewest_pegs=fewest)
    return replace(found, cpu_s=round(time.process_time() - before_s, 3), peak_mib=peak_mib())


def _proved(name: str, goal: Hole | None, solved: Solved) -> Analysis:
    return Analysis(
        name,
        goal,
        "proved",
        bool(solved.goals),
        goals=solved.goals,
        fewest_pegs=1 if solved.goals else None,
        winning=solved.positions,
        solutions=solved.solutions,
        fewest_moves=solved.moves,
        optimal_solutions=solved.optimal_solutions,
        moves=moves_of(solved.best),
    )


def _refuted(name: str, goal: Hole | None, status: Status) -> Analysis:
    return Analysis(name, goal, status, False, winning=Counts([], []), solutions=0, optimal_solutions=0)


def _found(name: str, board: Board, goal: Hole | None) -> Analysis:
    """Return a game on a board that has too many holes and positions for a proof.

    Raises:
        OracleError: none was found.
    """
    answer = questions.solve(board, None if goal is None else [goal], questions.GAME_SECONDS, exact=False)
    if answer.jumps is None:
        raise OracleError(f"no game was found, and {TOO_MANY}", "take some pegs off, or block some cells")
    *_, row, col = answer.jumps[-1]
    return Analysis(name, goal, "found", True, [(row, col)], 1, moves=moves_of(answer.jumps))


def peak_mib() -> float:
    """Return this process's peak memory so far, in MiB; 0 where the system does not report it."""
    if sys.platform == "win32":
        return 0.0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(most / (1 << 20 if sys.platform == "darwin" else 1 << 10), 1)


def analyse_problems(name: str, board: Board, progress: Progress = say_nothing) -> Iterator[Analysis]:
    """Analyse each problem with one vacancy and one goal on a board's holes.

    Of problems that are images of one another, only one is analysed.

    Args:
        name: the board's name; a problem is named `name@row,col` after its vacancy.
        board: 8 x 8 int8; only its holes matter.

    Raises:
        OracleError: the board has too many holes, or there is too little memory.
    """
    shape = shape_of(board)
    check_size(shape)
    seen: set[tuple[int, int]] = set()
    for vacancy, (row, col) in enumerate(shape.holes):
        start = shape.full ^ 1 << vacancy
        for goal in shape.ends_of_class(start) if start else ():
            images = {(each[vacancy], each[shape.number[goal]]) for each in shape.symmetries}
            if not images & seen:
                seen |= images
                called = f"{name}@{row},{col}"
                yield analyse(called, shape.board(start), goal, count_reachable=False, progress=progress)


def different_goals(board: Board) -> list[Hole]:
    """Return the goals that the board's parity class allows.

    Of goals that are images of one another, only one is returned.

    Raises:
        OracleError: the board has no peg.
    """
    shape = shape_of(board)
    start = shape.position(board)
    seen: set[int] = set()
    found = []
    for goal in questions.class_ends(board):
        images = {symmetry[shape.number[goal]] for symmetry in shape.symmetries_that_keep([start])}
        if not images & seen:
            found.append(goal)
        seen |= images
    return found
