"""All that is true of a board, in one record: what `grade analyze` shows and the facts are held to."""

import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from framework.board import PEG, Board
from framework.jumps import Jump
from grader.oracle import questions
from grader.oracle.questions import Status
from grader.oracle.shape import Hole, Shape, shape_of
from grader.oracle.winning_set import Counts, Progress, say_nothing


@dataclass(frozen=True)
class Analysis:
    """What is true of a board, the last peg to be left on one of some goals.

    Attributes:
        board: the board's name.
        goal: the only goal; None for any hole.
        status: how far this is known, see `questions.Answer`.
        solvable: whether it can be solved; None when that is not known.
        goals: the goals on which the last peg can be left.
        fewest_pegs: the fewest pegs of any position that can be reached; None when not known.
        reachable: the positions that can be reached, by jump; None when they were not counted.
        winning: those on the way to a goal; None when they were not counted.
        solutions: how many jump sequences solve it; None when not known.
        fewest_moves: the least number of moves; None without a solution, or when not known.
        optimal_solutions: how many jump sequences need no more; None when not known.
        moves: one of them, a list of jumps for each move.
        cpu_s: CPU seconds that it took, of all threads.
        peak_mib: the most memory of the process so far, MiB.
        remark: what a reader should know besides.
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
    remark: str = ""


def analyse(
    name: str,
    board: Board,
    goal: Hole | None = None,
    *,
    count_reachable: bool = True,
    progress: Progress = say_nothing,
) -> Analysis:
    """Find out all that is true of a board.

    Args:
        name: what to call it.
        board: 8 x 8 int8; not changed.
        goal: the only hole for the last peg; None for any.
        count_reachable: whether to look at all positions that can be reached, also those that lead nowhere.
        progress: is told what is being done.

    Raises:
        OracleError: the goal is no hole, the board has too many holes, or there is too little memory.
    """
    before_s = time.process_time()
    goals = None if goal is None else [goal]
    reachable = questions.reachable(board, progress) if count_reachable else None
    winning = questions.winning(board, goals, progress)
    best = questions.fewest_moves(board, goals, progress)
    solvable = best.moves is not None
    by_class = not solvable and not _class_allows(board, goals)
    if reachable is not None:
        fewest: int | None = int((board == PEG).sum()) + 1 - len(reachable.raw)
    else:
        fewest = 1 if solvable else None
    return Analysis(
        name,
        goal,
        "refuted by class" if by_class else "proved",
        solvable,
        questions.goal_holes(board, goals),
        fewest,
        reachable,
        winning.counts,
        questions.count_solutions(board, goals),
        best.moves,
        best.optimal_solutions,
        moves_of(best.solution),
        round(time.process_time() - before_s, 3),
        peak_mib(),
    )


def _class_allows(board: Board, goals: Iterable[Hole] | None) -> bool:
    ends = questions.class_ends(board)
    return bool(ends) if goals is None else any(goal in ends for goal in goals)


def moves_of(jumps: list[Jump]) -> list[list[Jump]]:
    """Return the moves that jumps make up: jumps of one peg in a row are one move."""
    moves: list[list[Jump]] = []
    for jump in jumps:
        if moves and moves[-1][-1][2:] == jump[:2]:
            moves[-1].append(jump)
        else:
            moves.append([jump])
    return moves


def peak_mib() -> float:
    """Return the most memory that this process had so far, in MiB; 0 where the system does not say."""
    if sys.platform == "win32":
        return 0.0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(most / (1 << 20 if sys.platform == "darwin" else 1 << 10), 1)


def problems_of(shape: Shape) -> Iterator[tuple[Hole, Hole]]:
    """Yield vacancy and goal of every problem with one of each, of one class, up to symmetry, in order."""
    seen = set()
    for vacancy, _ in enumerate(shape.holes):
        for goal in shape.ends_of_class(shape.full ^ 1 << vacancy):
            number = shape.number[goal]
            least = min((each[vacancy], each[number]) for each in shape.symmetries)
            if least not in seen:
                seen.add(least)
                yield shape.holes[vacancy], goal


def different_goals(board: Board) -> list[Hole]:
    """Return the goals of the board's class, one of those that symmetries of the board make one another."""
    shape = shape_of(board)
    start = shape.position(board)
    seen: set[int] = set()
    found = []
    for goal in shape.ends_of_class(start):
        images = {symmetry[shape.number[goal]] for symmetry in shape.symmetries_that_keep([start])}
        if not images & seen:
            found.append(goal)
        seen |= images
    return found
