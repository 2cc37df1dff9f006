"""Find the fewest pegs that can be left on a board with too many positions to look at all of them."""

from collections.abc import Sequence

from framework.verify import verify
from grader.oracle import memory
from grader.oracle.beam import find_solution
from grader.oracle.problem import OracleError, jump_of
from grader.oracle.shape import MOST_HOLES, Shape
from grader.oracle.walk import walk
from grader.oracle.winning_set import Progress, joins, say_nothing

SECONDS = 2.0  # to look for a game, before the exact engine decides
FEW = 300_000  # positions that are walked before anything else: 0.1 s
SOUGHT = 8_000_000  # positions that are walked where no game was found, in a few seconds
WALK_BYTES = 32  # for each of them
MOST_ENDS = 8_000  # positions that a game may be looked for to; four pegs on 41 holes are fewer


def fewest_left(
    shape: Shape, start: int, progress: Progress = say_nothing, most_bytes: int | None = None
) -> int:
    """Return the fewest pegs that play from a position can leave, even if it has too many positions to walk.

    A game that leaves so few pegs shows that it is possible. The parity class, a walk or a search from both
    ends shows that no fewer can be left. The other arguments and errors are those of `questions.fewest_pegs`.
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
    jumps = find_solution(shape, start, goals, SECONDS)
    if jumps is None:
        return False
    played = verify(shape.board(start), [jump_of(shape, *pair) for pair in jumps])
    if played.fault is not None or shape.position(played.board) not in goals:
        raise AssertionError(f"a game that was found does not lead to a goal: {played}")
    return True
