"""The questions about a board that the exact engine answers.

Boards are 8 x 8 int8 arrays as in `framework.board`; they are never changed. Goals are holes (row, col) on
which the last peg may be left; None means those of the course. Jumps are (row_start, col_start, row_end,
col_end). The symmetries of a question are those of the holes that map the start to itself and, where the
question has goals, the goals of the start's parity class to themselves. Positions that are images of one
another under them count as one position in *canonical* counts, and as several in *raw* counts.

All raise OracleError: a goal is not a hole, the board has no peg or too many holes, or there is too
little memory.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from framework.board import Board
from framework.jumps import Jump
from framework.rules import fewest_of
from framework.verify import verify
from grader.oracle import memory
from grader.oracle.beam import find_solution
from grader.oracle.endings import endings_of
from grader.oracle.listing import listing_of
from grader.oracle.moves import Solutions, Solved
from grader.oracle.problem import (
    OracleError,
    check_size,
    checked,
    goal_positions,
    goals_of_class,
    jump_of,
    with_pegs,
)
from grader.oracle.sets import Field
from grader.oracle.shape import MOST_HOLES, Hole, Shape
from grader.oracle.walk import last_holes, walk
from grader.oracle.winning_set import Counts, Growth, Progress, Winning, find_winning, joins, say_nothing

Status = Literal["proved", "found", "refuted by class", "solved elsewhere", "gave up"]

WALKED_HOLES = 33  # up to this many, all positions that can be reached are looked at, whatever the start
GAME_SECONDS = 2.0  # to look for a game, before the exact engine decides
FEW = 300_000  # positions that are walked before anything else: 0.1 s
SOUGHT = 8_000_000  # positions that are walked where no game was found, in a few seconds
WALK_BYTES = 32  # for each of them
MOST_ENDS = 8_000  # positions that a game may be looked for to; four pegs on 41 holes are fewer


@dataclass(frozen=True)
class Answer:
    """Whether a board can be solved."""

    # `proved` when all ways were searched, `found` when a solution is known, `refuted by class` when the
    # parity class excludes a solution, `gave up` when time, memory or the board's size forbid an answer
    status: Status
    solvable: bool | None
    jumps: list[Jump] | None = None


def class_ends(board: Board) -> list[Hole]:
    """Return the only holes where the last peg can be: there a single peg has the board's parity class."""
    shape, start = with_pegs(board)
    return shape.ends_of_class(start)


def class_allows(board: Board, goals: Iterable[Hole] | None = None) -> bool:
    """Return whether the board's parity class lets a single peg be left on any of the goals."""
    return bool(goals_of_class(*with_pegs(board), goals))


def reachable(board: Board, progress: Progress = say_nothing) -> Counts:
    """Return how many positions can be reached from a board, after each number of jumps."""
    shape, start = checked(board)
    grown = Field(shape, shape.symmetries_that_keep([start]))
    memory.ask_for_levels(shape, start, 1)
    growth = Growth(grown, [start])
    canonical, raw = [1], [1]
    while True:
        progress("positions that can be reached", len(canonical), start.bit_count())
        if start.bit_count() == len(canonical) or growth.grow() == 0:
            return Counts(canonical, raw)
        canonical.append(growth.levels[-1].count)
        raw.append(grown.count_raw(growth.levels[-1]))
        growth.forget()


def fewest_pegs(board: Board, progress: Progress = say_nothing, most_bytes: int | None = None) -> int:
    """Return the fewest pegs of any position that can be reached from a board.

    Args:
        board: the board, up to 64 holes.
        most_bytes: how much memory may be used for sets of positions; None: all that is free.

    Raises:
        OracleError: it was not found out; the board has too many holes, or there is too little memory.
    """
    shape, start = with_pegs(board)
    walked = walk(shape, start, FEW)
    if walked.positions is not None:
        return walked.fewest
    if len(shape.holes) > WALKED_HOLES:
        return fewest_left(shape, start, progress, most_bytes)
    goals = goals_of_class(shape, start, None)
    if goals and plays_to(shape, start, goals):
        return 1
    fewest = start.bit_count() + 1 - len(reachable(board, progress).raw)
    wins = fewest == 1 and _winning_of(shape, start, shape.goals, progress).solvable
    return fewest_of(fewest, wins)


def solve(
    board: Board, goals: Iterable[Hole] | None = None, seconds: float = 1.0, exact: bool = True
) -> Answer:
    """Return whether a board can be solved, and how.

    This is fast if the board's parity class excludes a solution, or if a solution is soon found.

    Args:
        seconds: how long to look for a solution before searching all positions.
        exact: whether to search all positions if no solution was found in that time.
    """
    shape, start = with_pegs(board)
    if not (wanted := goals_of_class(shape, start, goals)):
        return Answer("refuted by class", False)
    jumps = find_solution(shape, start, wanted, seconds)
    if jumps is not None:
        return Answer("found", True, [jump_of(shape, *pair) for pair in jumps])
    if not exact:
        return Answer("gave up", None)
    try:
        found = _winning_of(*checked(board), wanted, say_nothing)
    except OracleError:
        return Answer("gave up", None)
    if not found.solvable:
        return Answer("proved", False)
    return Answer("found", True, _one_way(found))


def successors(board: Board, goals: Iterable[Hole] | None = None) -> list[tuple[Jump, bool]]:
    """Return the legal jumps of a board, and for each whether a goal can be reached after it.

    The first call for a shape and its goals looks at all positions from which the goals can be reached; later
    calls take less than a millisecond.
    """
    shape, start = with_pegs(board)
    legal = [jump_of(shape, *ends) for *ends, needed, cells in shape.jumps if start & cells == needed]
    wins = _which_win(shape, shape.after_jumps(start), goals_of_class(shape, start, goals))
    return list(zip(legal, wins, strict=True))


def hint(board: Board, goals: Iterable[Hole] | None = None) -> Jump | None:
    """Return a jump after which a goal can still be reached; None when there is none."""
    return next((jump for jump, wins in successors(board, goals) if wins), None)


def can_win(board: Board, goals: Iterable[Hole] | None = None) -> bool:
    """Return whether a goal can be reached from a board.

    This takes less than a millisecond once `successors` has been called for the same holes and goals.
    """
    shape, start = with_pegs(board)
    return _which_win(shape, [start], goals_of_class(shape, start, goals))[0]


def _which_win(shape: Shape, positions: list[int], goals: tuple[int, ...]) -> list[bool]:
    """Return for each position whether one of the goals can be reached from it.

    All positions must have the parity class of `goals`, and the same number of pegs.
    """
    if not goals:
        return [False] * len(positions)
    if len(shape.holes) > MOST_HOLES:
        return [_walks_to(shape, position, goals) for position in positions]
    wins: list[bool] = endings_of(shape, goals).hold(positions).tolist()
    return wins


def _walks_to(shape: Shape, position: int, goals: tuple[int, ...]) -> bool:
    ends = last_holes(shape, position, FEW)
    if ends is None:
        check_size(shape)
    return any(1 << shape.number[hole] in goals for hole in ends or ())


def solved(board: Board, goals: Iterable[Hole] | None = None, progress: Progress = say_nothing) -> Solved:
    """Return what is known of the ways to the goals, on up to 64 holes if few positions can be reached."""
    shape, start = with_pegs(board)
    wanted = goals_of_class(shape, start, goals)
    listing = listing_of(shape, start)
    return solutions(board, goals, progress).summary() if listing is None else listing.solve(wanted)


def solutions(
    board: Board, goals: Iterable[Hole] | None = None, progress: Progress = say_nothing
) -> Solutions:
    """Return all solutions: how many there are, on which goals they end, and the fewest moves."""
    shape, start = checked(board)
    ends = goal_positions(shape, goals)
    kept = _kept(shape, start, ends)
    if kept.solutions is None:
        found = _winning_of(shape, start, ends, progress)
        counts = [level.count for level in found.levels]
        memory.ask(8 * sum(counts) + 48 * max(counts, default=0))  # more for two levels at a time
        kept.solutions = Solutions(found, progress)
    return kept.solutions


def _one_way(found: Winning) -> list[Jump]:
    """Return a solution, found by jumping from each winning position to the next."""
    shape, position = found.field.shape, found.start
    jumps = []
    for _ in found.levels[1:]:
        position, start, end = next(
            (after, start, end)
            for start, end, needed, cells in shape.jumps
            if position & cells == needed and found.holds(after := position ^ cells)
        )
        jumps.append(jump_of(shape, start, end))
    return jumps


# ---- what was found out about the last problem; the next question is often about the same one ----------


class _Kept:
    """Saved results for a problem."""

    winning: Winning | None = None
    solutions: Solutions | None = None


@lru_cache(maxsize=1)
def _kept(shape: Shape, start: int, goals: tuple[int, ...]) -> _Kept:
    """Return the saved results for a problem; only those of the last problem are kept."""
    return _Kept()


def _winning_of(shape: Shape, start: int, goals: tuple[int, ...], progress: Progress) -> Winning:
    """Return the winning positions of a problem, or raise OracleError: there is too little memory."""
    kept = _kept(shape, start, goals)
    if kept.winning is None:
        try:
            memory.ask_for_levels(shape, start, 1, sets=2)  # the levels grown, and the positions that win
            kept.winning = find_winning(shape, start, goals, progress)
        except OracleError:
            ends = last_holes(shape, start, FEW)
            if ends is None or any(1 << shape.number[hole] in goals for hole in ends):
                raise
            kept.winning = Winning(Field(shape, shape.symmetries[:1]), start, goals, [])
    return kept.winning


# ---- the fewest pegs, on a board with too many positions to look at all of them --------------------


def fewest_left(
    shape: Shape, start: int, progress: Progress = say_nothing, most_bytes: int | None = None
) -> int:
    """Return the fewest pegs that play from a position can leave, even if it has too many positions to walk.

    A game that leaves so few pegs shows that it is possible. The parity class, a walk or a search from both
    ends shows that no fewer can be left. The other arguments and errors are those of `fewest_pegs`.
    """
    class_, walked, looked_at = shape.class_of(start), walk(shape, start, FEW), FEW
    for pegs in range(1, start.bit_count()):
        if walked.positions is not None or pegs >= walked.fewest:
            break
        count = memory.level_sizes(shape).get((class_, pegs), 0)
        if count > MOST_ENDS:
            raise OracleError(
                f"{pegs} pegs can be left in {count:,} ways; up to {MOST_ENDS:,} are looked for",
                "take some pegs off, or block some cells",
            )
        goals = shape.ends_with(class_, pegs)
        if not goals:
            continue
        if plays_to(shape, start, goals):
            return pegs
        if looked_at < SOUGHT:
            memory.ask(WALK_BYTES * SOUGHT, most_bytes)
            walked, looked_at = walk(shape, start, SOUGHT), SOUGHT
            if walked.positions is not None or pegs >= walked.fewest:
                break
        if len(shape.holes) > MOST_HOLES:
            raise OracleError(f"no game was found that leaves {pegs}", "block some cells")
        memory.ask_for_levels(shape, start, pegs, most=most_bytes)
        if joins(shape, start, goals, progress):
            return pegs
    return walked.fewest


def plays_to(shape: Shape, start: int, goals: Sequence[int]) -> bool:
    """Return whether a game was soon found that leads from `start` to one of `goals`."""
    jumps = find_solution(shape, start, goals, GAME_SECONDS)
    if jumps is None:
        return False
    played = verify(shape.board(start), [jump_of(shape, *pair) for pair in jumps])
    if played.fault is not None or shape.position(played.board) not in goals:
        raise AssertionError(f"a game that was found does not lead to a goal: {played}")
    return True
