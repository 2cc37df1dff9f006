"""Make the film of a program on a board: record it in the sandbox, follow it, count and say what it proves.

A program with a table whose recording ended early is run compiled, too, to see how its table grew.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from grader.catalog.boards import NamedBoard
from grader.catalog.tasks import Asked, Check, Task, registry
from grader.errors import InputError
from grader.film import words
from grader.film.events import Recorded, parse_recorded
from grader.film.film import Film
from grader.film.growth import Growth, growth
from grader.film.shown import Shown, shown
from grader.judging import kinds
from grader.judging.judge import Judge
from grader.judging.kinds.solve import Solve, question
from grader.messages.catalogue import Message, say
from grader.messages.failures import explain
from grader.reports import content
from grader.result import Result
from grader.safe_text import one_line
from grader.sandbox.answers import Failure, FrameError, parse_frame
from grader.sandbox.asking import End, Load, Place
from grader.submissions.source_file import SubmissionFault
from grader.submissions.submission import Submission, read_submission

SECONDS = 10.0  # of CPU time, after which a recording ends
EXTRA_S = 5.0  # for a program that cannot be ended sooner, and to send what was recorded
ANSWER_BYTES = 4 << 20


class Recording(NamedTuple):
    """A recording, and how the program failed, if it did."""

    recorded: Recorded | None
    failed: Result | None


def has_film(task: Task) -> bool:
    """Return whether the task's program solves a board."""
    return isinstance(kinds.of(task), Solve)


def check_task(task: Task) -> None:
    """Raise InputError unless there are films of the task."""
    if not has_film(task):
        names = [each.name for each in registry().tasks.values() if has_film(each)]
        raise InputError(
            f"{task.name}: there is no film of it, since its program does not search a board",
            f"choose one of {', '.join(names)}",
        )


@dataclass(frozen=True)
class Told:
    """What is told of a program on a board."""

    shown: Shown | None
    failed: str = ""  # how the program failed, and what to do; empty if it answered
    is_cut: bool = False  # whether the recording ended since its time was up


def record(
    folder: Path, task: Task, board: NamedBoard, seconds: float, stop: threading.Event | None = None
) -> Recording:
    """Run a student's program on a board as plain Python and return what it did in so much CPU time.

    Raises:
        InputError: the folder or a file of the task cannot be read.
    """
    try:
        submission = read_submission(folder, task.files)
    except SubmissionFault as fault:
        raise InputError(fault.message, fault.help) from None
    from grader.sandbox.confine import kernel, tiers
    from grader.sandbox.parent.sandbox import Sandbox  # of processes, which a browser does not have

    kernel.hide_memory()
    with Sandbox(tiers.best(), True, stop or threading.Event()) as sandbox:
        return record_in(sandbox, submission, task, board, seconds)


def record_in(
    place: Place, submission: Submission, task: Task, board: NamedBoard, seconds: float = SECONDS
) -> Recording:
    """Run a submission's program as `record` does, in a sandbox or in a browser's worker."""
    limit_s = seconds + EXTRA_S
    load = Load(submission.clean_folder(), task.module, task.memory_mib, ANSWER_BYTES)
    request = {**question(board, task), "kind": "film", "film_s": seconds}
    with place.runner(load, hidden=False) as runner:
        outcome = runner.run(request, limit_s)
    asked = Asked(Check(board.name, 0, limit_s), board, task, True)
    judge = Judge(task, submission, place.tier)
    said: Recorded | Failure | None = None
    if outcome.end == End.ANSWERED:
        try:
            said = parse_frame(outcome.frame, parse_recorded)
        except FrameError:
            outcome = replace(outcome, end=End.BAD_FRAME)
    if not isinstance(said, Recorded):
        return Recording(None, judge.said(asked, outcome)[0].harmless())
    if said.error is None:
        return Recording(said, None)
    verdict, told = explain(said.error, asked, submission, kinds.of(task))
    failed = Result(task.name, board.name, verdict, 0, **told.fields)
    return Recording(None if said.error.kind == "not-written" else said, failed.harmless())


def tell(
    folder: Path,
    task: Task,
    board: NamedBoard,
    seconds: float = SECONDS,
    compiled: bool = True,
    stop: threading.Event | None = None,
) -> Told:
    """Return the film of a student's program on a board, with its numbers and words.

    The recording ends after so much CPU time, and a compiled run after as much again.

    Raises:
        InputError: the folder or a file of the task cannot be read.
    """
    grow = (lambda: growth(folder, task, board, seconds)) if compiled and task.table else None
    return tell_of(record(folder, task, board, seconds, stop), task, board, grow)


def tell_of(
    recording: Recording, task: Task, board: NamedBoard, grow: Callable[[], Growth | str] | None = None
) -> Told:
    """Return the film of a recording, with its numbers and words; `grow` makes those of a compiled run."""
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
    told = f"{more.name} searched a board {most:,} times, {less.name} {least:,} times"
    if not least:  # by its own count, which may be false
        return told
    times = f"{most / least:.1f}" if most < 10 * least else f"{most // least:,}"
    return f"{told}: {times} times as often"
