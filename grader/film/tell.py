"""Make the film of a program on a board: record it, follow it, count and say what it proves.

A program with a table whose recording ended early is run compiled, too, to see how its table grew.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from grader.catalog.boards import NamedBoard
from grader.catalog.tasks import Task
from grader.film import words
from grader.film.film import Film
from grader.film.growth import Growth, growth
from grader.film.record import SECONDS, Recording, record
from grader.film.shown import Shown, shown
from grader.messages.catalogue import say
from grader.messages.message import Message
from grader.reports import content
from grader.safe_text import one_line
from grader.sandbox.frame_parts import FrameError


@dataclass(frozen=True)
class Told:
    """What is told of a program on a board.

    Attributes:
        failed: how the program failed, and what to do; empty if it answered.
        is_cut: whether the recording ended since its time was up.
    """

    shown: Shown | None
    failed: str = ""
    is_cut: bool = False


def tell(
    folder: Path,
    task: Task,
    board: NamedBoard,
    seconds: float = SECONDS,
    compiled: bool = True,
    stop: threading.Event | None = None,
) -> Told:
    """Return the film of a student's program on a board, with its numbers and words.

    Args:
        seconds: the CPU time after which the recording ends, and after it a compiled run.

    Raises:
        InputError: the folder or a file of the task cannot be read.
    """
    grow = (lambda: growth(folder, task, board, seconds)) if compiled and task.table else None
    return tell_of(record(folder, task, board, seconds, stop), task, board, grow)


def tell_of(
    recording: Recording, task: Task, board: NamedBoard, grow: Callable[[], Growth | str] | None = None
) -> Told:
    """Return the film of a recording, with its numbers and words.

    Args:
        grow: returns how the table grew in a compiled run; None if there is none.
    """
    failed = "" if recording.failed is None else content.told(recording.failed)
    if recording.recorded is None:
        return Told(None, failed)
    try:
        film = Film(board.board, recording.recorded)
    except FrameError as error:
        return Told(None, say("bad-frame", found=one_line(str(error))).message)
    said = list(words.words(film, board, task))
    if recording.failed is not None:
        said.append(f"the program failed, and the film ends there: {Message.of(recording.failed).first}")
    rows = words.rows(film, task.table)
    grown = grow() if grow is not None and film.recorded.ended else None
    if isinstance(grown, str):
        said.append(grown)
    elif grown is not None:
        said += grown.words
        rows += grown.numbers
    made = shown(film, f"{task.name} on {board.name}", rows, said)
    made = made if isinstance(grown, str) else replace(made, growth=grown)
    return Told(made, failed, film.recorded.ended == "time")


def compared(first: Shown, second: Shown) -> str:
    """Return a sentence that compares how often two films came to a board."""
    one, other = first.numbers[0][1], second.numbers[0][1]
    more, less = (first, second) if one >= other else (second, first)
    most, least = max(one, other), min(one, other)
    if most == least:
        return f"{first.name} and {second.name} each searched a board {one:,} times"
    times = f"{most / least:.1f}" if most < 10 * least else f"{most // least:,}"
    return f"{more.name} searched a board {most:,} times, {less.name} {least:,} times: {times} times as often"
