"""Messages for programs that gave no answer: they were stopped at a limit, or their process ended."""

import re
import shlex
import signal
from dataclasses import replace

from grader.catalog.tasks import Asked
from grader.messages.catalogue import Message, say
from grader.messages.phrases import plain_run
from grader.messages.sources import Function
from grader.result import waited
from grader.sandbox.asking import End, Outcome

FEW_POSITIONS = 20_000  # a tenth of a second for a plain compiled search with a table


def timeout(asked: Asked, outcome: Outcome, why: Message) -> Message:
    """Return the message for a program that ran out of time."""
    if outcome.end == End.WALL_LIMIT:
        return _waited(outcome)
    limit = limit_of(asked)
    if outcome.end == End.ANSWERED:
        return why.under(say("answered-late", cpu_s=f"{outcome.cpu_s:.2f}", limit=limit))
    told = say("no-answer", limit=limit)
    return replace(why, message=f"{why.message}\n{told.message}") if why.place else why.under(told)


def limit_of(asked: Asked) -> str:
    """Return a check's limit as it was applied and, if a handout says another one, why it differs."""
    limit, factor = asked.check.cpu_s, asked.time_factor
    usual, by = f"{limit / factor:g}", f"{factor:g}"
    adjusted, slower = factor != 1.0, factor > 1
    told = say("limit", limit=f"{limit:.1f}", usual=usual, factor=by, adjusted=adjusted, slower=slower)
    return told.message


def two_ends(asked: Asked) -> Message:
    """Return what is known about a slow search from both ends: not which of the two took the time."""
    facts = asked.board.facts if asked.board else None
    positions = facts.positions if facts else None
    if positions is not None and positions <= FEW_POSITIONS:
        return say("goes-back-too-far", positions=positions, rerun=plain_run(asked.task, asked.board, True))
    id = "colours-not-counted" if facts and facts.solvable is False else "two-ends-slow"
    return say(id, handout=asked.task.handout)


def plain(function: Function, why: Message) -> Message:
    """Return what is known about a slow search, if a function of it could have been compiled and was not."""
    is_first = function.name == "peg_solve"
    return say("not-compiled", function=function.name, is_first=is_first).under(why)


def prepare_limit(outcome: Outcome) -> Message:
    """Return the message for a file that took too long to import."""
    return _waited(outcome) if waited(outcome.cpu_s, outcome.wall_s) else say("slow-import")


def _waited(outcome: Outcome) -> Message:
    """Return the message for a program that waited until its wall time was over."""
    return say("waited", wall_s=f"{outcome.wall_s:.0f}", cpu_s=f"{outcome.cpu_s:.1f}")


_OVERWRITTEN = re.compile(rb"alloc|free\(\)|munmap_chunk|corrupt")  # as the C library says before it aborts
_CAUSES = {"SIGSEGV": "segmentation-fault", "SIGKILL": "killed-without-memory", "SIGXFSZ": "large-file"}


def killed(number: int, asked: Asked, printed: bytes = b"", why: Message | None = None) -> Message:
    """Return the message for a program that a signal ended."""
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    rerun = plain_run(asked.task, asked.board, True)
    board = shlex.quote(asked.board.name) if asked.board else ""
    head = say("killed", signal=name, rerun=rerun)
    overwritten = name == "SIGABRT" and _OVERWRITTEN.search(printed) and not asked.debug
    id = "wrote-outside-array" if overwritten else _CAUSES.get(name)
    if why is None and id is not None:
        why = say(id, rerun=rerun, task=asked.task.name, board=board)
    return head if why is None else why.under(head)
