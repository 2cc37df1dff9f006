"""Answer the web page of `grade play` from a separate process, which can be stopped at any time.

Students get neither this file nor the exact engine.

A request is a line: a question, and 64 cells (`*`, `o`, `-`) or what else it is about. An answer is a line
of JSON: what was found, or a `message` that says why nothing was.
"""

import json
import secrets
import signal
import sys
from collections.abc import Callable
from typing import Any

from framework.board import Board, count_pegs
from framework.jumps import play_jump
from framework.rules import is_won
from grader.making.made_boards import made_boards
from grader.oracle.problem import OracleError
from grader.oracle.questions import solved, successors
from grader.oracle.rule import play
from grader.oracle.shape import shape_of
from grader.oracle.walk import walk
from grader.web.positions import format_cells, parse_cells

WALKED = 300_000  # positions that are looked at to find the fewest pegs after a jump: 0.2 s


def jumps(about: str) -> dict[str, Any]:
    """Return for each legal jump whether the board can still be solved after it.

    Where no jump can, also the fewest pegs that can be left after each, as far as that is soon found.
    """
    board = parse_cells(about)
    after = successors(board)
    solvable = is_won(board) or any(wins for _, wins in after)
    return {
        "solvable": solvable,
        "jumps": [
            {"jump": jump, "wins": wins, "fewest": None if solvable else _fewest_after(board, jump)}
            for jump, wins in after
        ],
    }


def moves(about: str) -> dict[str, Any]:
    """Return a solution with the fewest moves, proved; `moves` is None if there is no solution."""
    found = solved(parse_cells(about))
    return {"moves": found.moves, "jumps": found.best, "jump": next(iter(found.best), None)}


def rule(about: str) -> dict[str, Any]:
    """Return the game that the greedy rule plays; `pegs` is how many it leaves."""
    board = parse_cells(about)
    played = play(board)
    return {"jumps": played, "jump": played[0] if played else None, "pegs": count_pegs(board) - len(played)}


def random(about: str) -> dict[str, Any]:
    """Return a random board; it is asked for by its kind, its number of pegs, and a board of its shape."""
    kind, pegs, cells = about.split()
    shape = shape_of(parse_cells(cells))
    seed = secrets.randbelow(2**31)
    (made,) = made_boards(kind, shape, [int(pegs)], 1, seed)  # type: ignore[arg-type]  # the page checked it
    return {"cells": format_cells(made.board), "solvable": made.truth.solvable, "fewest": made.truth.fewest}


QUESTIONS: dict[str, Callable[[str], dict[str, Any]]] = {
    question.__name__: question for question in (jumps, moves, rule, random)
}


def _fewest_after(board: Board, jump: Any) -> int | None:
    played = board.copy()
    play_jump(played, jump)
    shape = shape_of(played)
    walked = walk(shape, shape.position(played), WALKED)
    return walked.fewest if walked.positions is not None else None


def main() -> None:
    """Answer each request on standard input until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's Ctrl-C is for the process that asks
    for line in sys.stdin:
        question, _, about = line.strip().partition(" ")
        try:
            found = QUESTIONS[question](about)
        except OracleError as error:
            found = {"message": error.message}
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
