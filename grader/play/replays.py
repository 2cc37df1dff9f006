"""Read the last solutions of a student's programs, to replay them."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

from framework.verify import verify
from grader import last_results, paths
from grader.catalog.boards import NamedBoard, find_board
from grader.catalog.tasks import registry
from grader.errors import InputError
from grader.judging import kinds
from grader.reports.json_report import card
from grader.result import Picture, Result, Verdict

PLAIN = "@,+:"  # not quoted in a URL, besides letters, digits and - . _ ~


def path_of(task: str, board: str) -> str:
    """Return the path of the page that replays a solution.

    A file name (`../my.txt`) is quoted twice, or browsers would resolve its dots and slashes.
    """
    return f"/replay/{task}/{quote(quote(board, PLAIN), PLAIN)}"


def games(student: Path) -> list[tuple[str, str]]:
    """Return the task and board of each saved solution."""
    return [
        (task, board)
        for task, of_task in last_results.load(student).items()
        for board, result in of_task.get("boards", {}).items()
        if result.get("jumps")
    ]


def find_game(student: Path, task: str, board: str) -> tuple[NamedBoard, dict[str, Any]]:
    """Return a board and the result of the last solution of a task on it.

    Raises:
        InputError: there is no such board (the help suggests the nearest name), or no such solution.
    """
    kind = kinds.of(registry().find(task))
    if not kind.takes_boards:
        raise InputError(
            f"{task} plays no boards: there is nothing to replay", "to list what there is: grade replay"
        )
    named = find_board(kind.board_of(board)[0])
    if (task, board) not in games(student):
        if named.facts.solvable is False:
            raise InputError(
                f"{board} has no solution: there is nothing to replay", "to list what there is: grade replay"
            )
        raise InputError(
            f"no solution of {task} on {board} to replay", f"grade it first: grade {task} --board {board}"
        )
    return named, last_results.load(student)[task]["boards"][board]


def replay(student: Path, task: str, board: str) -> dict[str, Any]:
    """Return what the page of a board shows of a solution: its jumps, up to an illegal one, and its card.

    Raises:
        InputError: there is no such solution.
    """
    named, result = find_game(student, task, board)
    seen = verify(named.board, result["jumps"])
    illegal = seen.fault and {"jump": result["jumps"][seen.legal], "reason": seen.fault.reason}
    words = {name: result.get(name, "") for name in ("message", "help", "command", "place")}  # older: fewer
    pictures = tuple(Picture(**each) for each in result.get("pictures", []))
    return {
        "named": named,
        "title": f"{'The reference' if student.resolve() == paths.REFERENCE else 'Your'} {task} on {board}",
        "card": card(Result(task, "", Verdict(result["verdict"]), 0, **words, pictures=pictures)),
        "rest": {"jumps": result["jumps"][: seen.legal], "illegal": illegal},
    }
