"""Messages for what the student's functions return: which function, what was expected, what was found."""

import re

from grader.messages.catalogue import Message, say
from grader.messages.compile_table import Said
from grader.messages.failure_context import Context
from grader.messages.in_source import bare_return, set_to_none, without_return

_BY_TYPE = {"None": "none-returned", "bool": "bool-returned", "float": "float-returned"}
_BY_TYPE |= {"list": "moves-returned", "tuple": "moves-returned"}


def explain(context: Context) -> Message:
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
