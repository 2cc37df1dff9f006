"""Checks, answers and solutions made by hand, for tests in which no process is started."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from framework.board import format_board
from framework.jumps import Jump
from grader.catalog.boards import find_board
from grader.catalog.tasks import Asked, Check, registry
from grader.judging.kinds.table_truth import Positions


def asked(task: str, name: str, points: int = 1, cpu_s: float = 1.0, **board: Any) -> Asked:
    """Return a check of a task on a board of the course, of which some fields may be changed."""
    return Asked(Check(name, points, cpu_s), replace(find_board(name), **board), registry().find(task), False)


def answer(
    name: str, number: int, jumps: Sequence[Sequence[int]] = (), states: int = 0, **more: Any
) -> dict[str, Any]:
    """Return what a child says when `peg_solve` has answered on a board."""
    board = format_board(find_board(name).board)
    said = {
        "answer": number,
        "jumps": [*map(list, jumps)],
        "states": states,
        "longest_chain": 0,
        "board": board,
    }
    return {**said, **more}


def failure(kind: str, file: str = "peg3.py", **more: Any) -> dict[str, Any]:
    """Return what a child says of a failure."""
    said = {"failure": kind, "type": "ValueError", "text": "a text", "file": file, "line": 2}
    return {**said, "condition": "", "values": [], **more}


def solution(known: Positions) -> list[Jump]:
    """Return the jumps that win from the start."""
    jumps: list[Jump] = []
    position = known.start
    while (jump := known.jump_to(position, known.winning)) is not None:
        jumps.append(jump)
        position = next(each for each in known.after[position] if each in known.winning)
    return jumps
