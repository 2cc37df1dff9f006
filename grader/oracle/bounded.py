"""What is true of a board, found out within bounds of CPU time and memory; what took long is kept on disk.

This is what a board that somebody brings is judged by, while somebody waits.
"""

import time
from collections.abc import Callable

import numpy as np

from framework.board import Board
from grader.oracle import keep, memory, questions
from grader.oracle.problem import OracleError
from grader.oracle.shape import shape_of
from grader.oracle.walk import walk
from grader.oracle.winning_set import Progress

SECONDS = 30  # of CPU time for one board: all English boards take 5, the French ones mostly less
MOST_BYTES = 2 << 30  # all sets of positions on 37 holes together
WORTH_S = 0.5  # answers that took longer are kept


def fewest_pegs(board: Board) -> int:
    """Return the fewest pegs of any position that can be reached from a board.

    Raises:
        OracleError: it was not found out within the bounds, or the board has no peg.
    """
    return _kept("fewest", board, lambda: questions.fewest_pegs(board, _until(SECONDS), MOST_BYTES))


def positions(board: Board) -> int:
    """Return how many positions can be reached from a board, or raise OracleError: as for `fewest_pegs`."""
    return _kept("positions", board, lambda: _positions(board))


def _positions(board: Board) -> int:
    shape = shape_of(board)
    memory.ask(questions.WALK_BYTES * questions.SOUGHT, MOST_BYTES)
    walked = walk(shape, shape.position(board), questions.SOUGHT).positions
    if walked is not None:
        return walked
    if len(shape.holes) > questions.WALKED_HOLES:
        raise OracleError(
            f"there are more than {questions.SOUGHT:,}, and they are counted on up to "
            f"{questions.WALKED_HOLES} holes only",
            "leave the field out",
        )
    return sum(questions.reachable(board, _until(SECONDS)).raw)


def _kept(kind: str, board: Board, answer: Callable[[], int]) -> int:
    """Return the answer that is kept on disk, or find it and keep it if that took long."""
    shape = shape_of(board)
    key = f"{kind}: holes {shape.holes} pegs {shape.position(board)} goals {shape.goals}"
    kept = keep.load(key)
    if kept is not None:
        return int(kept["answer"][0])
    began = time.process_time()
    found = answer()
    if time.process_time() - began > WORTH_S:
        keep.save(key, {"answer": np.array([found], dtype=np.int64)})
    return found


def _until(seconds: float) -> Progress:
    """Return a function to be called with each step, which raises OracleError once the time is over."""
    ends = time.process_time() + seconds

    def progress(what: str, done: int, steps: int) -> None:
        if time.process_time() > ends:
            raise OracleError(
                f"it takes more than {seconds:,.0f} CPU seconds", "ask the engine alone: grade analyze"
            )

    return progress
