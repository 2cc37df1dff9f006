"""Messages for programs that gave no answer: they were stopped at a limit, or their process ended."""

import re
import shlex
import signal

from grader.catalog.tasks import Asked, Task
from grader.messages.catalogue import say
from grader.messages.message import Message
from grader.messages.phrases import SLOW_IMPORT, KindWords, count, plain_run_of
from grader.messages.sources import Function
from grader.result import waited
from grader.safe_text import one_line
from grader.sandbox.confine.limits import IDLE_S
from grader.sandbox.outcome import End, Outcome

FEW_POSITIONS = 20_000  # a tenth of a second for a plain compiled search with a table
WAITS = "the program is waiting for something: take out sleeps, input() and anything that blocks"

# ---- limits ------------------------------------------------------------------------------------


def timeout(
    asked: Asked,
    outcome: Outcome,
    words: KindWords,
    not_compiled: Function | None = None,
    own_table: bool = False,
) -> Message:
    """Return the message for a program that ran out of time.

    Args:
        asked: the check; its limit is in CPU seconds.
        outcome: how the child process ended.
        words: the texts that depend on the kind of task.
        not_compiled: a student's function that ran as plain Python, though it could have been compiled.
        own_table: whether the program makes a table of its own, as a search from both ends does.
    """
    if outcome.end == End.WALL_LIMIT:
        return _waited(outcome)
    late = outcome.end == End.ANSWERED
    limit = limit_of(asked)
    lines = [
        f"the answer came after {outcome.cpu_s:.2f} s in the better of two runs, over {limit}"
        if late
        else f"no answer within {limit}"
    ]
    known = words.slow(asked)
    id, help = known.id, known.help
    lines += known.message.splitlines()
    if own_table:
        id, more, help = _two_ends(asked)
        lines = [lines[0], more] if more else lines
    if not_compiled is not None:
        id, what = "not-compiled", "put the search into a function of its own, with @compiled above it"
        if not_compiled.name != "peg_solve":
            what = f"put @compiled above {not_compiled.name}"
        help = f"{what}: a search is many times slower in plain Python"
    return Message(id, "\n".join(lines), help)


def limit_of(asked: Asked) -> str:
    """Return a check's limit as it was applied and, if a handout says another one, why it differs."""
    limit, factor = f"the limit of {asked.check.cpu_s:.1f} CPU seconds", asked.time_factor
    if factor == 1.0:
        return limit
    slower = "slower" if factor > 1 else "faster"
    return f"{limit} ({asked.check.cpu_s / factor:g} x {factor:g}, since this machine is {slower} than most)"


def _two_ends(asked: Asked) -> tuple[str, str, str]:
    """Return a message's identity, what is known about a slow search from both ends, and what to do.

    It is not known whether searching forwards or searching backwards took the time.
    """
    facts = asked.board.facts if asked.board else None
    positions = facts.positions if facts else None
    if facts and facts.solvable is False and (positions is None or positions > FEW_POSITIONS):
        return "colours-not-counted", "", say("colours-not-counted").help
    if positions is None or positions > FEW_POSITIONS:
        return (
            "two-ends-slow",
            "",
            (
                "go back only a few jumps; insert each board that you give up into `unsolvable`; then try "
                f"the jumps in another order ({asked.task.handout})"
            ),
        )
    return (
        "goes-back-too-far",
        f"this board has {count(positions, 'different position')}, few enough for the forward search",
        "either your table of boards that can win goes back too far, or a loop does not end; "
        f"to see the line: {plain_run_of(asked.task, asked.board)}",
    )


def _waited(outcome: Outcome) -> Message:
    """Return the message for a program that waited until its wall time was over."""
    return Message(
        "waited", f"stopped after {outcome.wall_s:.0f} s of wall time ({outcome.cpu_s:.1f} s CPU)", WAITS
    )


def idle() -> Message:
    """Return the message for a check that was not run, since those before it waited too long."""
    return Message(
        "waited-before",
        f"not run: the checks before it waited for more than {IDLE_S:.0f} s in all, computing nothing",
        WAITS,
    )


def spared_slow(asked: Asked, slow: int) -> Message:
    """Return the message for a check that was not run, since `slow` others before it ran out of time."""
    debug = " -d" if asked.debug else ""
    return Message(
        "slow-before",
        f"not run: {count(slow, 'check')} ran out of time before",
        f"mend that first; to run it nevertheless: grade {asked.task.name} --board "
        f"{shlex.quote(asked.check.name)}{debug}",
    )


def prepare_limit(outcome: Outcome) -> Message:
    """Return the message for a file that took too long to import."""
    if waited(outcome.cpu_s, outcome.wall_s):
        return _waited(outcome)
    return SLOW_IMPORT


def memory(task: Task, words: KindWords, too_small: str) -> Message:
    """Return the message for a program that took too much memory.

    Args:
        task: the task.
        words: of its kind.
        too_small: why the machine, not the task, set the limit; usually empty.
    """
    limit = f"stopped at the limit of {task.memory_mib:,} MiB of memory"
    return Message("memory-limit", too_small or limit, words.memory_help(task))


def output() -> Message:
    """Return the message for a program that printed too much."""
    return Message(
        "output-limit",
        "stopped after printing 1 MiB",
        "take out the print calls, or print less",
    )


# ---- the end of the process --------------------------------------------------------------------

_OVERWRITTEN = re.compile(
    rb"alloc|free\(\)|munmap_chunk|corrupt"
)  # what the C library prints before it aborts

KILLED = "the program was killed by"
_SIGNAL_CAUSES = {
    "SIGSEGV": (
        "segmentation-fault",
        "most likely an infinite recursion, a loop that never ends, or an index far outside of an array",
        "to run the same code as plain Python, which shows the line: {rerun}",
    ),
    "SIGKILL": (
        "killed-without-memory",
        "most likely the machine ran out of memory",
        "run it on its own: {alone}",
    ),
    "SIGABRT": ("aborted", "the program called abort", "to see where: {rerun}"),
    "overwritten": (
        "wrote-outside-array",
        "it wrote outside of an array: compiled code does not check indexes",
        "plain Python checks them; to see the line: {rerun}",
    ),
    "SIGXFSZ": ("large-file", "the program wrote a file that is too large", "a solution needs no files"),
}


def killed(number: int, asked: Asked, printed: bytes = b"") -> Message:
    """Return the message for a program that a signal ended.

    Args:
        number: the signal's number.
        asked: the check.
        printed: the end of what the program printed.
    """
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    overwritten = name == "SIGABRT" and _OVERWRITTEN.search(printed) and not asked.debug
    unknown = "killed", "", "to see where: {rerun}"
    id, cause, help = _SIGNAL_CAUSES.get("overwritten" if overwritten else name, unknown)
    task, board = asked.task, asked.board
    alone = f"grade {task.name}" + (f" --board {shlex.quote(board.name)}" if board else "")
    return Message(
        id,
        f"{KILLED} {name}" + (f"\n{cause}" if cause else ""),
        help.format(rerun=plain_run_of(task, board), alone=alone),
    )


def grader_fault(fault: str, report: str) -> Message:
    """Return the message for a check that the grader could not run.

    Args:
        fault: what went wrong.
        report: the name of the report file; empty if none could be written.
    """
    return Message(
        "grader-fault",
        f"the grader could not run this check: {one_line(fault)}",
        "this is not your program's fault: run it again; if that does not help, "
        + (f"send {report} to the course staff" if report else "tell the course staff"),
    )


def exited(status: int) -> Message:
    """Return the message for a program that exited without an answer."""
    return Message(
        "exited",
        f"the program exited with status {status} and gave no answer",
        "return the answer; take out exit(), sys.exit() and os._exit()",
    )


def bad_frame(problem: str) -> Message:
    """Return the message for an answer that the grader cannot read."""
    return Message(
        "bad-frame",
        f"expected one answer from the program, found {one_line(problem)}",
        "return the number from your function, and write nothing to the grader yourself",
    )
