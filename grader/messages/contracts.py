"""Messages for contracts and asserts that do not hold, and for what the student's functions return."""

import re
from dataclasses import replace
from typing import Any, NamedTuple

from framework.jumps import Jump
from grader.messages import sources
from grader.messages.catalogue import Message, say
from grader.messages.compile_table import Said
from grader.messages.failure_context import Context
from grader.messages.in_source import bare_return, set_to_none, without_return
from grader.messages.sources import CALLED, Function
from grader.safe_text import one_line

INT64_LEAST = -(2**63)
_BY_TYPE = {"None": "none-returned", "bool": "bool-returned", "float": "float-returned"}
_BY_TYPE |= {"list": "moves-returned", "tuple": "moves-returned"}


class Broken(NamedTuple):
    """A contract, @requires or @ensures, that does not hold; `function` is None if it is the framework's."""

    context: Context
    kind: str
    function: Function | None
    values: dict[str, str]

    @property
    def name(self) -> str:
        """The name of the function that has the contract, or empty."""
        return self.function.name if self.function else ""

    def number(self, name: str) -> int | None:
        """Return the value of a name in the condition, if it is a whole number."""
        text = self.values.get(name, "").strip()
        return int(text) if re.fullmatch(r"-?[0-9]{1,40}", text) else None


def explain(context: Context) -> Message:
    """Return the message for a contract or an assert that does not hold."""
    told = context.told
    if told.condition.startswith("assert "):
        condition = one_line(told.condition)
        return context.say("assert-broken", values=tuple(context.told.values), condition=condition)
    broken = _broken(context)
    if broken.name == "peg_solve" and broken.values.get("result") == "None":
        cause = why_none(context, broken.name)
        if cause is not None:
            return cause.under(_reason(broken))
    facts: dict[str, Any] = {"contract": context.text, "condition": one_line(told.condition), "caller": ""}
    facts |= {"values": tuple(context.told.values), "caller_source": context.source}
    at = context.say("contract-at", **facts)
    if broken.kind == "@ensures" and broken.function is not None:  # its own fault, not its caller's
        own = context.submission.place(broken.function.file, broken.function.line)
        if f"{broken.name}(" in context.source and context.place != own:
            facts["caller"] = context.place
        at = context.say_of("contract-at", broken.function, **facts)
    return replace(at, id="").under(_reason(broken))


def _broken(context: Context) -> Broken:
    values = {name: value[:200] for name, value in context.told.values}
    if contract := re.fullmatch(r"(@ensures|@requires) at (\w+\.py):(\d{1,9})", context.text):
        function = sources.first_below(context.known, contract[2], int(contract[3]))
        return Broken(context, contract[1], function, values)
    return Broken(context, context.text.partition(" ")[0], None, values)


def _reason(broken: Broken) -> Message:
    told = _answer(broken) or _same_pegs(broken) or _of_condition(broken)
    return told or say("contract-broken", function=broken.name)


def _answer(broken: Broken) -> Message | None:
    """Return what is wrong with the answer or the stack of `peg_solve`, as in a run without `-d`."""
    if (broken.name, broken.kind) != ("peg_solve", "@ensures"):
        return None
    context, number = broken.context, broken.number("result")
    found = one_line(broken.values.get("result", ""), 80)
    typed = re.fullmatch(r"<class '(?:\w+\.)*(\w+)'>", broken.values.get("type(result)", ""))
    if found and (number is None or (typed and typed[1] != "int")):
        kind = typed[1] if typed else found
        id, facts = not_a_number("peg_solve", found if found == "None" else f"{found} of type {kind}")
        return say(id, **facts)
    if number is None:
        return None
    stack = re.match(r"a stack of (\d{1,9})(?:, top first: (.*))?", broken.values.get("stack", ""), re.DOTALL)
    held = int(stack[1]) if stack else 0
    jumps = _jumps(stack[2] or "") if stack else []
    promise = context.words.broken_promise(context.asked, number, jumps, held)
    return None if promise is None else replace(promise, message=promise.first, pictures=())


def _jumps(text: str) -> list[Jump]:
    """Return the jumps in the framework's description of a stack, which shows its top five at most."""
    found = re.findall(r"\(([0-7]):([0-7]) -> ([0-7]):([0-7])\)", text)
    return [(int(a), int(b), int(c), int(d)) for a, b, c, d in found]


def _same_pegs(broken: Broken) -> Message | None:
    """Explain a number of pegs other than `pegs`, before or after a call; return None for any other fault."""
    given = broken.values.get("pegs", "")
    if broken.function is not None and re.match(r"an empty stack|a stack of|a hash table", given):
        shown, call = given.partition(" (")[0].partition(",")[0], broken.function.call
        return say("pegs-is-table-or-stack", function=broken.name, given=shown, call=call)
    pegs, found = broken.number("pegs"), broken.number("count_pegs(board)")
    if pegs is None or found is None or pegs == found:
        return None
    id = "jump-before-not-taken-back"
    if broken.kind == "@ensures":
        id = "board-not-as-it-was"
    elif "<= count_pegs(board)" in broken.context.told.condition:
        id = "asked-for-more-pegs"
    elif not re.search(r"-\s*1\b", broken.context.source):
        id = "pegs-not-counted-down"
    elif found > pegs:
        id = "jump-takes-no-peg"
    return say(id, function=broken.name, pegs=pegs, found=found)


def _of_condition(broken: Broken) -> Message | None:
    """Explain what the condition itself tells, or the table beside it; return None for any other fault."""
    name, condition, is_promise = broken.name, broken.context.told.condition, broken.kind == "@ensures"
    result = broken.number("result")
    if "2**63" in condition:
        told = say("key-too-large")
        if name == "board_key" and result is not None and result < INT64_LEAST:
            return say("key-of-blocked").under(told)
        return told if name == "board_key" or broken.number("key") is not None else None
    if condition.startswith("can_jump("):
        if not is_promise:
            return say("jump-not-possible", function=name)
        return say("jump-not-taken-back") if name == "take_back" else None
    if name in CALLED and "_on_board" in condition:
        if not is_promise:
            return say("move-new-off-board")
        return say("move-part-off-board", function=name, number=result, is_number=result is not None)
    if is_promise and "ht_lookup(unsolvable" in condition:
        no_move = broken.values.get("stack", "").startswith("an empty stack") and broken.number("pegs") != 1
        solved = "solved-without-move" if no_move else "recorded-solved-board"
        return say(solved if result == 1 else "did-not-record", function=name)
    return say("empty-stack", exception="", rerun="") if "not stack_empty(stack)" in condition else None


# ---- what the functions return: which one, what was expected, what was found -----------------------


def explain_returned(context: Context) -> Message:
    """Return the message for a value that must not be returned."""
    what, _, found = context.text.partition(" returned ")
    found, _, wanted = found.partition("; expected ")
    id, facts = not_a_number(what, found)
    if wanted and found != "None":
        id = "other-value-returned"
    facts = {**facts, "wanted": wanted or facts["wanted"], "number": wanted in ("", "an int")}
    told = context.say_of(id, context.known[what], **facts) if what in context.known else say(id, **facts)
    cause = why_none(context, what) if found == "None" else None
    return told if cause is None else cause.under(told)


def why_none(context: Context, caller: str = "") -> Message | None:
    """Return the message about what makes a function, `caller` if known, return None; else None."""
    files = context.submission.sources
    bare, lacking = bare_return(files), without_return(files)
    if not bare and caller in [each.facts["function"] for each in lacking]:
        return None
    if bare or lacking:
        return context.say_found((bare or lacking)[0])
    for found in set_to_none(files)[:1]:
        return context.say_found(found, compiled=False)
    return None


def not_a_number(what: str, found: str) -> Said:
    """Return the message for a function that returned `found`, which has its type, and is no whole number."""
    kind = found.rpartition(" of type ")[2]
    id = _BY_TYPE.get(kind, "other-value-returned")
    if re.search(r"a number of \d+ bits", found):
        id = "large-number-returned"
    elif kind == "bool" and what not in ("peg_solve", "solve"):
        id = "other-value-returned"
    elif what == "move_new" and kind in ("list", "tuple", "str"):
        id = "move-not-packed"
    shown = f"a {kind}" if kind in ("generator", "coroutine") else found  # without its address
    return id, {"function": what, "wanted": "an int", "number": True, "found": shown}
