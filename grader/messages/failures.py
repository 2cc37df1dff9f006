"""Messages for failures of the student's code: which one it is, by what the child process reports."""

import re

from grader.catalog.tasks import Asked
from grader.messages import compile_errors, contracts, phrases, python_errors, returns, sources
from grader.messages.endless_loops import endless_loop
from grader.messages.failure_context import Context
from grader.messages.message import Message
from grader.messages.missing_return import none_on_line
from grader.messages.phrases import KindWords
from grader.result import Verdict
from grader.sandbox.answers import Failure
from grader.submissions import cutting
from grader.submissions.cutting import STUB
from grader.submissions.submission import Submission


def explain(told: Failure, asked: Asked, submission: Submission, words: KindWords) -> tuple[Verdict, Message]:
    """Return the verdict and the message for a failure that the child process reports.

    Args:
        told: the child process's report.
        asked: the check.
        submission: what was run.
        words: the texts that depend on the kind of task.
    """
    context = Context(told, asked, submission, words)
    verdict, message = _explained(context)
    return verdict, _other_order(context) or message


def _other_order(context: Context) -> Message | None:
    """Return the message for a `peg_solve` that takes its arguments in another order; None if it does not."""
    function, wanted = context.known.get("peg_solve"), context.words.parameters(context.task)
    if function is None or function.arguments == wanted or sorted(function.arguments) != sorted(wanted):
        return None
    return context.say_of("arguments-in-other-order", function, wanted=", ".join(wanted))


def _explained(context: Context) -> tuple[Verdict, Message]:
    told, asked = context.told, context.asked
    match told.kind:
        case "not-written":
            return _not_written(context)
        case "contract":
            return Verdict.CONTRACT, contracts.explain(context)
        case "compile":
            return _compile(context)
        case "return":
            return Verdict.BAD_RETURN, returns.explain(context)
        case "exit":
            return Verdict.EXITED, context.say("exit-raised", exception=context.kind)
        case "slow":
            return Verdict.TIMEOUT, _slow(context)
        case "slow-import":
            return Verdict.TIMEOUT, context.say("slow-import")
        case "top-level":
            return Verdict.CRASHED, context.say("top-level-call")
    if context.kind == "MemoryError":
        advice = context.words.memory_help(context.task)
        return Verdict.MEMORY, context.say("asks-for-memory", text=context.text, advice=advice)
    of_a_call = not asked.debug and compile_errors.is_of_a_call(context.kind, told.text)
    if told.kind == "import" and of_a_call:
        return Verdict.CRASHED, context.say("top-level-call")
    if of_a_call:
        return _compile(context)
    return Verdict.CRASHED, (python_errors.imported if told.kind == "import" else python_errors.raised)(
        context
    )


# ---- not written yet ---------------------------------------------------------------------------


def _not_written(context: Context) -> tuple[Verdict, Message]:
    """Return the verdict and the message for a program that reached a stub of its task or an earlier one."""
    needed, _, what = context.text.partition(": ")
    function = re.match(r"(\w+) is not written yet", what)
    return _stub(context, needed, function[1] if function else "")


def _stub(context: Context, needed: str, function: str) -> tuple[Verdict, Message]:
    """Return the verdict and the message for a function that is not written yet.

    Args:
        context: the failure.
        needed: the task that the function belongs to.
        function: its name; empty if that is not known.
    """
    task = context.task
    if needed != task.name and f"{needed}.py" in task.files:
        return Verdict.NOT_RUN, phrases.needs(needed, f"write {needed} first", context.place)
    left_in = cutting.left_in(context.submission.sources.get(task.file, ""), function)
    if left_in is not None:
        line, where = left_in
        is_below = where == "below"
        return Verdict.NOT_WRITTEN, context.say_at(
            "stub-left-in", task.file, line, function=function, is_below=is_below
        )
    return Verdict.NOT_WRITTEN, context.say(
        "not-written", function=function, advice=task.hint, handout=task.handout
    )


def _first_stub(context: Context) -> tuple[str, str] | None:
    """Return the task and the function of the first stub in the submission's files, if one is left."""
    for source in context.submission.sources.values():
        found = STUB.search(source)
        if found:
            return found[1], found[2]
    return None


# ---- too slow ----------------------------------------------------------------------------------


def _slow(context: Context) -> Message:
    """Return the message for a run in plain Python that ran out of time: the line it was at just before."""
    asked, lasted = context.asked, re.fullmatch(r"[0-9]{1,6}\.[0-9]", context.told.text)
    limit, factor = asked.check.cpu_s, asked.time_factor
    lasts = context.place and lasted
    facts = {
        "limit": f"{limit:.1f}",
        "usual": f"{limit / factor:g}",
        "factor": "" if factor == 1 else f"{factor:g}",
        "is_slower": factor > 1,
        "function": context.kind if lasts else "",
        "seconds": context.told.text if lasts else "",
        "values": context.values if lasts else (),
    }
    loop = endless_loop(context.submission.sources)
    if loop is not None:
        where = context.submission.place(loop.file, loop.line)
        return context.say("slow-line-endless-loop", loop=where, names=loop.shown, **facts)
    id = "slow-line"
    if asked.board is not None and "--board" not in context.rerun:
        id = "slow-line-large-board"
    return context.say(id, advice=context.words.loop_help(context.task), **facts)


# ---- compiling ---------------------------------------------------------------------------------


def _compile(context: Context) -> tuple[Verdict, Message]:
    told, files = context.told, context.submission.sources
    stub = _first_stub(context)
    never_returns = re.search(compile_errors.NEVER_RETURNS, told.text)
    if stub is not None and (never_returns or re.search(r"\bnone\b", told.text)):
        return _stub(context, *stub)  # it returns nothing, so its callers cannot be compiled
    facts = {"exception": "", "compiled": True, "rerun": context.rerun, "family": "cannot-be-compiled"}
    loop = endless_loop(files) if never_returns else None
    if loop is not None:
        return Verdict.CRASHED, context.say_at(
            "endless-loop", loop.file, loop.line, names=loop.shown, **facts
        )
    hashed = sources.hash_of_board(files)
    if hashed is not None and re.search(r"\bnone\b", told.text):
        # Compiled, it returns None, and numba complains only where the None is used.
        return Verdict.CRASHED, context.say_at("hash-of-board", *hashed, **facts)
    kept = sources.board_in_set(files)
    if kept is not None and re.search(compile_errors.SETS_FAIL, told.text):
        return Verdict.CRASHED, context.say_at("cannot-be-hashed", *kept, kind="a board", **facts)
    if re.search(r"\bnone\b|Optional", told.text):
        is_none = none_on_line(files, context.file, context.source)
        if is_none is not None:
            name, file, line = is_none
            facts |= {"name": name, "kind": "a number"}
            return Verdict.CRASHED, context.say_at("none-in-one-place", file, line, **facts)
    id, known = compile_errors.explain(told.text, context.known, context.source, context.task.table)
    if id == "unknown-name":
        id, known = python_errors.unknown_name(context, str(known["name"]))
    return Verdict.CRASHED, context.say(id, **facts, **known)
