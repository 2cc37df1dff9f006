"""What a command of the terminal is on the page: a button, another task, or nothing."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from grader.catalog.boards import course_boards
from grader.catalog.tasks import registry
from grader.reports.table import COMMAND

_OPEN = re.compile(r"(?<=^next: )open \S+ \(\S+\)")  # the file and the handout, which are there


def on_page(text: str, task: str) -> str:
    """Return a help or a next step with what the page does in place of the command at its end.

    Args:
        text: the text; a command comes last, after a colon.
        task: the task that the page shows.
    """
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
