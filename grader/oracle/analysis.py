"""All that is known about a board, in one record, as `grade analyze` shows it."""

import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace

from framework.board import BLOCKED, PEG, Board
from framework.jumps import Jump, moves_of
from framework.rules import fewest_of
from grader.oracle import questions
from grader.oracle.errors import OracleError
from grader.oracle.moves import Solved
from grader.oracle.problem import check_size, jump_of
from grader.oracle.questions import Status
from grader.oracle.shape import Hole, Shape, shape_of
from grader.oracle.single_peg import families, solve
from grader.oracle.winning_set import Counts, Progress, say_nothing


@dataclass(frozen=True)
class Analysis:
    """What was found out about a board on which the last peg must be left on a goal.

    Attributes:
        board: the board's name.
        goal: the only goal; None if every hole is a goal.
        status: how certain the answer is; see `questions.Answer`.
        solvable: whether the board can be solved; None when not known.
        goals: the goals on which the last peg can be left.
        fewest_pegs: the fewest pegs of any position that can be reached; None when not known.
        reachable: how many positions can be reached after each number of jumps; None when not counted.
        winning: how many positions lie on a way from the start to a goal, after each number of jumps; None
            when not counted.
        solutions: how many jump sequences solve the board; None when not known.
        fewest_moves: the least number of moves of a solution; None when there is no solution, or when not
            known.
        optimal_solutions: how many jump sequences solve the board in the fewest moves; None when not known.
        moves: a solution with the fewest moves, or else the best one found, as a list of jumps for each move.
        cpu_s: CPU seconds that the analysis took, in all threads; problems that were solved together have
            equal shares.
        peak_mib: the peak memory of the process so far, in MiB.
        moves_at_least: a lower bound on the fewest moves, when the time for the analysis was limited.
        moves_at_most: an upper bound on the fewest moves, when the time was limited: the number of `moves`.
    """

    board: str
    goal: Hole | None
    status: Status
    solvable: bool | None
    goals: list[Hole] = field(default_factory=list)
    fewest_pegs: int | None = None
    reachable: Counts | None = None
    winning: Counts | None = None
    solutions: int | None = None
    fewest_moves: int | None = None
    optimal_solutions: int | None = None
    moves: list[list[Jump]] = field(default_factory=list)
    cpu_s: float = 0.0
    peak_mib: float = 0.0
    moves_at_least: int | None = None
    moves_at_most: int | None = None


def analyse(
    name: str,
    board: Board,
    goal: Hole | None = None,
    *,
    count_reachable: bool | None = None,
    seconds: float | None = None,
    progress: Progress = say_nothing,
) -> Analysis:
    """Analyse a board, and return all that was found out about it.

    Args:
        name: the board's name.
        board: 8 x 8 int8; not changed.
        goal: the only hole for the last peg; None for any hole.
        count_reachable: whether to count all positions that can be reached, even those that lead nowhere;
            None: count them only on boards so small that this takes seconds, and find the fewest pegs that
            can be left on the others.
        seconds: if given, the analysis only looks for a solution and for bounds on the number of moves, for
            about this long; if 0, not at all. None: prove everything.
        progress: called with the current activity, the steps done, and their total.

    Raises:
        OracleError: the goal is not a hole, the board has no peg or too many holes, or there is too little
            memory.
    """
    before_s = time.process_time()
    goals = None if goal is None else [goal]
    if not questions.class_allows(board, goals):
        found = Analysis(name, goal, "refuted by class", False, solutions=0, optimal_solutions=0)
        found = replace(found, winning=Counts([], []))
    elif seconds is not None:
        found = _bounded(name, board, goal, seconds)
    else:
        solutions = questions.solutions(board, goals, progress)
        found = _proved(name, goal, shape_of(board), solutions.summary(solutions.winning.counts))
    is_small = int((board != BLOCKED).sum()) <= questions.WALKED_HOLES
    if count_reachable is None and seconds is None and not is_small and found.fewest_pegs is None:
        found = replace(found, fewest_pegs=_fewest_pegs(board, progress))
    if count_reachable or (count_reachable is None and seconds is None and is_small):
        reachable = questions.reachable(board, progress)
        fewest = int((board == PEG).sum()) + 1 - len(reachable.raw)
        if goal is None:
            fewest = fewest_of(fewest, found.solvable is True)
        found = replace(found, reachable=reachable, fewest_pegs=fewest)
    return replace(found, cpu_s=round(time.process_time() - before_s, 3), peak_mib=peak_mib())


def _fewest_pegs(board: Board, progress: Progress) -> int | None:
    """Return the fewest pegs that can be left; None if that is not found out."""
    with suppress(OracleError):
        return questions.fewest_pegs(board, progress)
    return None


def _proved(name: str, goal: Hole | None, shape: Shape, solved: Solved) -> Analysis:
    return Analysis(
        name,
        goal,
        "proved",
        bool(solved.goals),
        goals=[shape.holes[each.bit_length() - 1] for each in solved.goals],
        fewest_pegs=1 if solved.goals else None,
        winning=solved.positions,
        solutions=solved.solutions,
        fewest_moves=solved.moves,
        optimal_solutions=solved.optimal_solutions,
        moves=moves_of([jump_of(shape, *pair) for pair in solved.best]),
    )


def _bounded(name: str, board: Board, goal: Hole | None, seconds: float) -> Analysis:
    """Analyse a board for about `seconds`, without looking at all positions that can be reached."""
    known = questions.few_moves(board, None if goal is None else [goal], seconds) if seconds else None
    if known is None or known.jumps is None:
        return Analysis(name, goal, "gave up", None)
    proved = known.lower == known.upper
    return Analysis(
        name,
        goal,
        "proved" if proved else "found",
        True,
        goals=[] if goal is None else [goal],
        fewest_pegs=1,
        fewest_moves=known.upper if proved else None,
        moves_at_least=known.lower,
        moves_at_most=known.upper,
        moves=moves_of(known.jumps),
    )


def share(ends: float | None, left: int) -> float | None:
    """Return the seconds for the next of `left` analyses that end together; None if there is no limit.

    Args:
        ends: when the last one should end, by `time.monotonic`; None: there is no limit.
        left: how many are left, the next one included.
    """
    return None if ends is None else max(0.0, (ends - time.monotonic()) / left)


def peak_mib() -> float:
    """Return this process's peak memory so far, in MiB; 0 where the system does not report it."""
    if sys.platform == "win32":
        return 0.0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(most / (1 << 20 if sys.platform == "darwin" else 1 << 10), 1)


def analyse_problems(
    name: str, board: Board, ends: float | None = None, progress: Progress = say_nothing
) -> Iterator[Analysis]:
    """Analyse each problem with one vacancy and one goal on a board's holes.

    Of problems that are images of one another, only one is analysed.

    Args:
        name: the board's name; a problem is named `name@row,col` after its vacancy.
        board: 8 x 8 int8; only its holes matter.
        ends: when the last analysis should end, as for `share`.
        progress: as for `analyse`.

    Raises:
        OracleError: the board has too many holes, or there is too little memory.
    """
    shape = shape_of(board)

    def names(start: int, goal: int) -> tuple[str, Hole]:
        row, col = shape.holes[(shape.full ^ start).bit_length() - 1]
        return f"{name}@{row},{col}", shape.holes[goal.bit_length() - 1]

    if ends is not None:
        problems = [problem for family in families(shape) for problem in family.problems]
        for number, (start, goal) in enumerate(problems):
            called, end = names(start, goal)
            seconds = share(ends, len(problems) - number)
            yield analyse(called, shape.board(start), end, seconds=seconds, progress=progress)
        return
    check_size(shape)
    for family in families(shape):
        before_s = time.process_time()
        found = [_proved(*names(*problem), shape, each) for problem, each in solve(shape, family, progress)]
        cpu_s = round((time.process_time() - before_s) / len(found), 3)
        for each in found:
            yield replace(each, cpu_s=cpu_s, peak_mib=peak_mib())


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
