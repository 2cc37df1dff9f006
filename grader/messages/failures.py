"""Messages for failures of the student's code: which one it is, by what the child process reports."""

import logging
import re
from collections.abc import Mapping
from typing import Any

from grader.catalog.tasks import Asked
from grader.messages import compile_errors, contracts, endings, python_errors
from grader.messages.catalogue import Message, say
from grader.messages.failure_context import Context
from grader.messages.in_source import Found, find, none_on_line
from grader.messages.phrases import KindWords
from grader.result import Verdict
from grader.sandbox.answers import Failure
from grader.submissions import cutting
from grader.submissions.cutting import STUB
from grader.submissions.submission import Submission


def explain(told: Failure, asked: Asked, submission: Submission, words: KindWords) -> tuple[Verdict, Message]:
    """Return the verdict and the message for a failure that the child process reports."""
    context = Context(told, asked, submission, words)
    try:
        verdict, message = _explained(context)
        other = _other_order(context) if verdict != Verdict.NOT_RUN else None  # that names the task it needs
        return verdict, other or message
    except Exception as error:  # no text that a program makes up may end a run
        warning = "%s: explaining a failure failed: %r; please report this"
        logging.getLogger(__name__).warning(warning, asked.task.name, error)
        exception = f"{context.kind}: {context.text}"
        return Verdict.CRASHED, context.say("raised", exception=exception, rerun="", inside="")


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
            needed, _, what = context.text.partition(": ")
            function = re.match(r"(\w+) is not written yet", what)
            return _stub(context, needed, function[1] if function else "")
        case "contract":
            return Verdict.CONTRACT, contracts.explain(context)
        case "compile":
            return _compile(context)
        case "return":
            return Verdict.BAD_RETURN, contracts.explain_returned(context)
        case "exit":
            return Verdict.EXITED, context.say("exited", exception=context.kind)
        case "slow":
            return Verdict.TIMEOUT, _slow(context)
        case "slow-import":
            return Verdict.TIMEOUT, context.say("slow-import")
        case "top-level":
            return Verdict.CRASHED, context.say("top-level-call")
    if context.kind == "MemoryError":
        advice = context.words.memory_help(context.task)
        return Verdict.MEMORY, context.say("asks-for-memory", text=context.text).under(advice)
    if asked.debug and compile_errors.is_of_a_cache(context.kind, told.text):
        return _compile(context)
    if not asked.debug and compile_errors.is_of_a_call(context.kind, told.text):
        return (
            (Verdict.CRASHED, context.say("top-level-call")) if told.kind == "import" else _compile(context)
        )
    explained = python_errors.imported if told.kind == "import" else python_errors.raised
    return Verdict.CRASHED, explained(context)


def _stub(context: Context, needed: str, function: str) -> tuple[Verdict, Message]:
    """Return the verdict and the message for a function of a task; its name may be empty."""
    task = context.task
    if needed != task.name and f"{needed}.py" in task.files:
        return Verdict.NOT_RUN, context.say("needs", needs=needed, write=True)
    left_in = cutting.left_in(context.submission.sources.get(task.file, "")).get(function)
    if left_in is not None:
        facts = {"function": function, "is_below": left_in[1] == "below"}
        return Verdict.NOT_WRITTEN, context.say_found(Found(task.file, left_in[0], "stub-left-in", facts))
    facts = {"function": function, "advice": task.hint, "handout": task.handout}
    return Verdict.NOT_WRITTEN, context.say("not-written", **facts)


def _slow(context: Context) -> Message:
    """Return the message for a run in plain Python that ran out of time: the line it was at just before."""
    lasted = re.fullmatch(r"[0-9]{1,6}\.[0-9]", context.told.text) if context.place else None
    facts: dict[str, Any] = {"limit": endings.limit_of(context.asked), "function": context.kind}
    facts |= {"seconds": lasted[0], "values": tuple(context.told.values)} if lasted else {"seconds": ""}
    loops = find("endless-loop", context.submission.sources)
    about = loops[0].facts if loops else {"names": ""}
    where = context.submission.place(loops[0].file, loops[0].line) if loops else ""
    large = context.asked.board is not None and "--board" not in context.rerun
    return context.say("slow-line", loop=where, large=large, **about, **facts)


def _compile(context: Context) -> tuple[Verdict, Message]:
    told, stubs = context.told, [*filter(None, map(STUB.search, context.submission.sources.values()))]
    if stubs and re.search(rf"\bnone\b|{compile_errors.NEVER_RETURNS}", told.text):
        return _stub(context, stubs[0][1], stubs[0][2])  # it returns nothing, so no caller can be compiled
    facts = {"exception": "", "compiled": True, "rerun": context.rerun, "family": "cannot-be-compiled"}
    if context.asked.debug:
        return Verdict.CRASHED, context.say("compiled-with-d", **facts)
    said = _found_in_source(context, facts)
    if said is not None:
        return Verdict.CRASHED, said
    id, known = compile_errors.explain(told.text, context.known, context.source, context.task.table)
    if id == "unknown-name":
        id, known = python_errors.unknown_name(context, str(known["name"]))
    given = {name for each in context.known.values() if each.file == context.file for name in each.arguments}
    used = re.findall(r"\w+", "".join(re.findall(r"\[.*?\]", context.source)))
    if id == "float-index" and told.caller and not given.isdisjoint(used):
        return Verdict.CRASHED, context.say_found(Found(told.caller, told.caller_line, id, facts))
    return Verdict.CRASHED, context.say(id, **facts, **known)


# Where these are found, the source tells better what is wrong than numba's error of this pattern. Compiled,
# a hash and a sort return None, and numba complains only where the None is used.
_TOLD_BETTER = (
    ("endless-loop", compile_errors.NEVER_RETURNS),
    ("hash-of-board", r"\bnone\b"),
    ("sort-returned", r"\bnone\b"),
    ("cannot-be-hashed", compile_errors.SETS_FAIL),
)


def _found_in_source(context: Context, facts: Mapping[str, Any]) -> Message | None:
    """Return the message about what the source tells better than numba's error; None if it tells nothing."""
    text, files = context.told.text, context.submission.sources
    for id, pattern in _TOLD_BETTER:
        for found in find(id, files)[:1] if re.search(pattern, text) else []:
            said = context.say_found(found, **facts)
            return said.under(say("compiling-fails")) if id == "endless-loop" else said
    is_none = none_on_line(files, context.file, context.source)
    if is_none and re.search(r"\bnone\b|Optional", text):
        return context.say_found(is_none[0], **facts)
    return None
