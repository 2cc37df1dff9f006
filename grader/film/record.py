"""Run a student's program in the sandbox and record what its search does."""

import threading
from dataclasses import dataclass, replace
from pathlib import Path

from grader.catalog.boards import NamedBoard
from grader.catalog.tasks import Asked, Check, Task, registry
from grader.errors import InputError
from grader.film.events import Recorded, parse_recorded
from grader.judging import kinds
from grader.judging.judge import Judge
from grader.judging.kinds.solve import Solve, question
from grader.messages.failures import explain
from grader.result import Result
from grader.sandbox.answers import Failure, parse_frame
from grader.sandbox.asking import Load, Place
from grader.sandbox.frame_parts import FrameError
from grader.sandbox.outcome import End
from grader.submissions.source_file import SubmissionFault
from grader.submissions.submission import Submission, read_submission

SECONDS = 10.0  # of CPU time, after which a recording ends
EXTRA_S = 5.0  # for a program that cannot be ended sooner, and to send what was recorded
ANSWER_BYTES = 4 << 20


@dataclass(frozen=True)
class Recording:
    """A recording, or why there is none."""

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


def record(
    folder: Path, task: Task, board: NamedBoard, seconds: float, stop: threading.Event | None = None
) -> Recording:
    """Run a student's program on a board as plain Python and return what was recorded.

    Args:
        seconds: the CPU time after which recording ends.

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
    tier = tiers.best()
    with Sandbox(tier, True, stop or threading.Event()) as sandbox:
        return record_in(sandbox, tier, submission, task, board, seconds)


def record_in(
    place: Place, tier: int, submission: Submission, task: Task, board: NamedBoard, seconds: float = SECONDS
) -> Recording:
    """Run a submission's program as `record` does, in a sandbox or in a browser's worker."""
    limit_s = seconds + EXTRA_S
    load = Load(submission.clean_folder(), task.module, task.memory_mib, ANSWER_BYTES)
    request = {**question(board, task), "kind": "film", "film_s": seconds}
    with place.runner(load, hidden=False) as runner:
        outcome = runner.run(request, limit_s)
    asked = Asked(Check(board.name, 0, limit_s), board, task, True)
    judge = Judge(task, submission, tier)
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
