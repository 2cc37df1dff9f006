"""Messages for failures of the student's code: the line, what is wrong in plain terms, and what to do."""

import re
from dataclasses import replace

from grader.catalog.tasks import Asked
from grader.messages import compile_errors, contracts, endings, python_errors, returns, sources
from grader.messages.catalogue import say
from grader.messages.endless_loops import endless_loop
from grader.messages.failure_context import Context, cut, shown_values
from grader.messages.message import Message
from grader.messages.phrases import TOP_LEVEL, KindWords
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
    head = f"peg_solve takes its arguments in another order than {', '.join(wanted)}"
    return context.say_of(
        "arguments-in-other-order", function, head, "keep the order that they have in the stub"
    )


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
            help = "return the answer; take out exit() and sys.exit()"
            return Verdict.EXITED, context.say("exited", f"the program exited with {context.kind}", help)
        case "slow":
            return Verdict.TIMEOUT, _slow(context)
        case "slow-import":
            return Verdict.TIMEOUT, say("slow-import", place=context.place, source=context.source)
        case "top-level":
            return Verdict.CRASHED, _top_level(context)
    if context.kind == "MemoryError":
        return Verdict.MEMORY, _memory(context)
    of_a_call = not asked.debug and compile_errors.is_of_a_call(context.kind, told.text)
    if told.kind == "import":
        return Verdict.CRASHED, _top_level(context) if of_a_call else python_errors.imported(context)
    if of_a_call:
        return _compile(context)
    return Verdict.CRASHED, python_errors.raised(context)


# ---- not written yet ---------------------------------------------------------------------------


def _not_written(context: Context) -> tuple[Verdict, Message]:
    """Return the verdict and the message for a program that reached a stub of its task or an earlier one."""
    needed, _, what = context.text.partition(":")
    return _stub(context, needed, what.partition(";")[0].strip() or "not written yet")


def _stub(context: Context, needed: str, what: str) -> tuple[Verdict, Message]:
    """Return the verdict and the message for a function that is not written yet.

    Args:
        context: the failure.
        needed: the task that the function belongs to.
        what: the message's first line, such as `solve is not written yet`.
    """
    task = context.task
    if needed != task.name and f"{needed}.py" in task.files:
        return Verdict.NOT_RUN, say("needs", place=context.place, needs=needed, write=True)
    function = what.partition(" ")[0]
    left_in = cutting.left_in(context.submission.sources.get(task.file, ""), function)
    if left_in is not None:
        line, where = left_in
        place = context.submission.place(task.file, line)
        head = f"{function} still raises NotImplementedError at {place}"
        return Verdict.NOT_WRITTEN, Message(
            "stub-left-in", head, f"your code is {where} it: remove that line", place
        )
    return Verdict.NOT_WRITTEN, Message(
        "not-written", what, f"{task.hint}; see {task.handout}", context.place
    )


def _first_stub(context: Context) -> tuple[str, str] | None:
    """Return the task and the function of the first stub in the submission's files, if one is left."""
    for source in context.submission.sources.values():
        found = STUB.search(source)
        if found:
            return found[1], found[2]
    return None


# ---- too slow, too much ------------------------------------------------------------------------


def _slow(context: Context) -> Message:
    """Return the message for a run in plain Python that ran out of time: the line it was at just before."""
    lines = [
        f"still computing just before {endings.limit_of(context.asked)}",
        *context.at,
    ]
    lasted = re.fullmatch(r"[0-9]{1,6}\.[0-9]", context.told.text)
    if context.place and lasted:
        lines.append(f"one call of {context.kind} took {lasted[0]} s of that; in it")
        lines += shown_values(context.told)
    help = context.words.loop_help(context.task).help
    loop = endless_loop(context.submission.sources)
    if loop is not None:
        where = context.submission.place(loop.file, loop.line)
        help = f"the loop at {where} never ends: {loop.why}; {loop.help}"
    elif context.asked.board is not None and "--board" not in context.rerun:
        help = f"this board is large for plain Python: try --board plus first; {help}"
    return Message("slow-line", "\n".join(cut(lines)), help, context.place)


def _memory(context: Context) -> Message:
    head = "the program asks for more memory than there is"
    details = [f"  {context.text}"] if context.text else []
    return context.say("asks-for-memory", head, context.words.memory_help(context.task).help, *details)


# ---- compiling ---------------------------------------------------------------------------------


def _compile(context: Context) -> tuple[Verdict, Message]:
    stub = _first_stub(context)
    if stub is not None and re.search(rf"\bnone\b|{compile_errors.NEVER_RETURNS}", context.told.text):
        # A function that only raises returns nothing, so its callers cannot be compiled.
        return _stub(context, stub[0], f"{stub[1]} is not written yet")
    never_returns = re.search(compile_errors.NEVER_RETURNS, context.told.text)
    loop = endless_loop(context.submission.sources) if never_returns else None
    if loop is not None:
        head = f"cannot be compiled: this loop never ends: {loop.why}"
        return Verdict.CRASHED, context.say_at("endless-loop", loop.file, loop.line, head, loop.help)
    hashed = sources.hash_of_board(context.submission.sources)
    if hashed is not None and re.search(r"\bnone\b", context.told.text):
        # Compiled, it returns None, and numba complains only where the None is used.
        return Verdict.CRASHED, context.say_at(
            "hash-of-board", *hashed, "hash(board) does not give a key", "use board_key(board) from client.py"
        )
    reason = compile_errors.explain(context.told.text, context.known, context.source, context.task.table)
    help = (
        python_errors.near_name(context)
        or reason.help
        or (
            "a @compiled function may use numbers, arrays, loops and the framework's functions; "
            f"to run it as plain Python: {context.rerun}"
        )
    )
    known = "cannot be compiled" in reason.what
    said = context.say(reason.id, ("" if known else "cannot be compiled: ") + reason.what, help)
    return Verdict.CRASHED, replace(said, facts={"family": "cannot-be-compiled"})


def _top_level(context: Context) -> Message:
    head = "a statement at the top level of the file calls compiled code, and the call fails"
    return context.say("top-level-call", head, TOP_LEVEL)
