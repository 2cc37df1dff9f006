"""Messages for programs that gave no answer: stopped at a limit, or the process ended."""

import signal

from grader.catalog.tasks import Asked, Task
from grader.messages.phrases import KindWords, Message, plain_run
from grader.messages.sources import Function
from grader.result import waited
from grader.safe_text import one_line
from grader.sandbox.outcome import End, Outcome

# ---- limits ------------------------------------------------------------------------------------


def timeout(
    asked: Asked, outcome: Outcome, words: KindWords, not_compiled: Function | None = None
) -> Message:
    """Too slow.

    Args:
        asked: the check; its limit is in CPU seconds.
        outcome: the outcome of the child.
        words: the words of the kind of task.
        not_compiled: a student's function that ran as plain Python though it could be compiled.
    """
    if outcome.end == End.WALL_LIMIT:
        return _waited(outcome)
    limit_s = asked.check.cpu_s
    late = outcome.end == End.ANSWERED
    lines = [
        f"an answer after {outcome.cpu_s:.2f} s, over the limit of {limit_s:.1f} s in both runs"
        if late
        else f"no answer within the limit of {limit_s:.1f} s"
    ]
    known = words.slow(asked)
    lines += known.message.splitlines()
    help = known.help
    if not_compiled is not None:
        what = "put the search into a function of its own, with @compiled above it"
        if not_compiled.name != "peg_solve":
            what = f"put @compiled above {not_compiled.name}"
        help = f"{what}: as plain Python a search is many times slower"
    return Message("\n".join(lines), help)


def _waited(outcome: Outcome) -> Message:
    return Message(
        f"stopped after {outcome.wall_s:.0f} s of wall time ({outcome.cpu_s:.1f} s CPU)",
        "the program waits for something: take out sleeps, input() and anything that blocks",
    )


def prepare_limit(outcome: Outcome) -> Message:
    """Importing took too long."""
    if waited(outcome.cpu_s, outcome.wall_s):
        return _waited(outcome)
    return Message(
        "stopped while the file was being imported",
        "keep everything but imports, constants and functions out of the top level of the file",
    )


def memory(task: Task, words: KindWords) -> Message:
    """Too much memory."""
    return Message(f"stopped at the limit of {task.memory_mib:,} MiB of memory", words.memory_help(task))


def output() -> Message:
    """Too much output."""
    return Message(
        "stopped after printing 1 MiB",
        "take out the print calls, or print less",
    )


# ---- the end of the process --------------------------------------------------------------------

_SIGNAL_CAUSES = {
    "SIGSEGV": (
        "most likely an infinite recursion, or an index far off the board",
        "{rerun} runs the same code as plain Python, which shows the line",
    ),
    "SIGKILL": ("most likely the machine ran out of memory", "run it on its own: {alone}"),
    "SIGABRT": ("the program called abort", "{rerun} shows where"),
    "SIGXFSZ": ("the program wrote a file that is too large", "a solution needs no files"),
}


def killed(number: int, asked: Asked) -> Message:
    """Ended by a signal."""
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    cause, help = _SIGNAL_CAUSES.get(name, ("", "{rerun} shows where"))
    task, board = asked.task, asked.board
    alone = f"grade {task.name}" + (f" --board {board.name}" if board else "")
    return Message(
        f"the program was killed by {name}" + (f"\n{cause}" if cause else ""),
        help.format(rerun=plain_run(task, board), alone=alone),
    )


def grader_fault(fault: str, report: str) -> Message:
    """The grader could not run a check; `report` is the report file, if one could be written."""
    return Message(
        f"the grader could not run this check: {one_line(fault)}",
        "this is not your program's fault: run it again; if that does not help, "
        + (f"send {report} to the course's staff" if report else "tell the course's staff"),
    )


def exited(status: int) -> Message:
    """Exited without an answer."""
    return Message(
        f"the program exited with status {status} and gave no answer",
        "return the answer; take out exit(), sys.exit() and os._exit()",
    )


def holds_files() -> Message:
    """A check began with files open from an earlier check."""
    return Message(
        "the program keeps files or pipes open from one board to the next",
        "close what you open, before the top level of the file ends; a solution needs no files",
    )


def bad_frame(problem: str) -> Message:
    """The answer is malformed."""
    return Message(
        f"expected one answer from the program, found {one_line(problem)}",
        "return the number and leave the rest to the grader",
    )
