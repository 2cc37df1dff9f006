"""What the page can do: what a command of the terminal is there, which boards it runs, and for how long."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from grader.catalog.boards import course_boards
from grader.catalog.tasks import Asked, has_earlier_search, registry
from grader.judging import kinds
from grader.reports.table import COMMAND

_OPEN = re.compile(r"(?<=^next: )open \S+ \(\S+\)")  # the file and the handout, which are there


def on_page(text: str, task: str) -> str:
    """Return a help or a next step with handouts of the site, and a button in place of its command.

    Args:
        text: the text; a command comes last, after a colon.
        task: the task that the page shows.
    """
    text = re.sub(r"(handouts/[\w-]+)\.md", r"\1.html", text)  # of which inCode in card.js makes a link
    found = COMMAND.search(text)
    if found is None:
        return text
    before, does = text[: found.start()], button(found[0], task)
    before = _OPEN.sub("write what is missing", before).replace("but -d earns none", "but Run earns none")
    if does is not None:
        return f"{before}open {does['task']}" if does["task"] != task else f"{before}press {does['does']}"
    rest, _, purpose = before.rpartition("; ")
    return rest if purpose.startswith("to ") else before.removesuffix(": ")


def button(command: str, task: str) -> dict[str, Any] | None:
    """Return the button that does what a command does: what it does, of which task, on which boards.

    Args:
        task: the task that the page shows; another one can only be opened.
    """
    match command.split():
        case ["grade", named, *options] if named in registry().tasks:
            boards = [name for option, name in pairwise(options) if option == "--board"]
            if len(options) != 2 * len(boards) + options.count("-d") or not _are_known(boards, named):
                return None
            does = "Open" if named != task else "Run" if "-d" in options else "Grade"
            return {"does": does, "task": named, "boards": boards}
    return None


def link(command: str) -> tuple[str, str] | None:
    """Return what does a command on the site, in words, and its address; None if nothing does."""
    match command.split():
        case ["grade", "show" | "play", board] if _are_known([board]):
            return f"the board {board}", f"play.html#{board}"
        case ["grade", "predict", task] if task in registry().tasks and registry().tasks[task].question:
            return "the question's page", f"predict.html#{task}"
        case ["grade", "film" | "replay", task, board] if _are_known([board]):
            return f"the film of {task} on {board}", f"film.html#{task}/{board}"
        case ["grade", task, *_] if (found := button(command, task)) is not None:
            boards = found["boards"]
            words = f"{found['does']} {task}{' on ' if boards else ''}{', '.join(boards)}"
            return words, f"work.html#{task}/{found['does']}/{','.join(boards)}"
    return None


def _are_known(boards: Sequence[str], task: str = "") -> bool:
    checks = registry().tasks[task].checks if task else ()
    return {*boards} <= {*course_boards().names, *(check.name for check in checks)}


# ---- what plain Python can run in a browser; boards that need compiled code say so ---------------

MOST_POSITIONS = 20_000  # a search with a table takes some seconds for them
NO_TABLE = "none"  # the variant of lab10's checks that search without a table

# Limits in seconds, at least four times what the reference takes on two cores of a cloud machine. An endless
# loop costs little: the smallest boards come first, and two that end at their limits spare the rest.
START_S = 3.0  # the reference takes 0.02 on the smallest boards
PER_POSITION_S = 0.0025  # for each position of a board that a search with a table visits; ref 0.0002
PER_VISIT_S = 0.0005  # for each visit of a search without a table; ref 0.00006
CONTRACTS = 10  # times slower, if every contract is checked; ref 10
REPEATS = 30  # visits of a position without a table: how many depends on the order of the jumps
NO_BOARD_S = 20.0  # for a check of client.py or of a table; ref 4.6
BOTH_ENDS_S = 90.0  # to fill a table of boards that can win, besides; ref 22
BOTH_ENDS_SMALL_S = 10.0  # the same on a board that -d takes, too


def needs_compiled(asked: Asked) -> bool:
    """Return whether a check cannot be run without compiled code."""
    has_memory = asked.task.table or asked.task.kind == "fewest"
    if asked.board is None or not has_memory or kinds.of(asked.task).asks_part(asked.check):
        return False
    facts = asked.board.facts
    visits = facts.naive_nodes if asked.check.variant == NO_TABLE else facts.positions
    return visits is None or visits >= MOST_POSITIONS


def limit_s(asked: Asked) -> float:
    """Return the limit of a check in seconds: its own is for compiled code, or the most that -d has."""
    seconds = _plain_s(asked)
    return min(seconds, asked.check.cpu_s) if asked.debug else seconds


def _plain_s(asked: Asked) -> float:
    if asked.board is None:
        return NO_BOARD_S
    if has_earlier_search(asked.task):
        return BOTH_ENDS_SMALL_S if registry().debug.takes(asked.board) else BOTH_ENDS_S
    facts = asked.board.facts
    if asked.task.table and asked.check.variant != NO_TABLE:
        search_s = PER_POSITION_S * (facts.positions or 0)
    else:
        search_s = PER_VISIT_S * max(facts.naive_nodes or 0, REPEATS * (facts.positions or 0))
    return START_S + search_s * (CONTRACTS if asked.debug else 1)
