"""Messages for what the student's functions return: which function, what was expected, what was found."""

import re
from dataclasses import replace

from grader.messages import sources
from grader.messages.compile_table import WHOLE
from grader.messages.failure_context import Context
from grader.messages.message import Message
from grader.messages.missing_return import without_return
from grader.messages.phrases import CLIENT_HANDOUT

EVERY_PATH = "every path needs a return"
_HELP = {
    "None": ("none-returned", "some path through the function has no return"),
    "bool": ("bool-returned", "return a number of pegs, not whether the board is solved"),
    "float": ("float-returned", WHOLE),
    "list": ("moves-returned", "return the number; the moves go on the stack"),
    "tuple": ("moves-returned", "return the number alone; the moves go on the stack"),
    "str": ("text-returned", "return a number; print shows text"),
    "generator": (
        "generator-returned",
        "return the answer; a function that contains yield returns a generator",
    ),
    "coroutine": ("coroutine-returned", "take out the async"),
}
_OTHER = "other-type-returned", "wrap the number that you return in int(...)"


def explain(context: Context) -> Message:
    """Return the message for a value that must not be returned."""
    what, _, found = context.text.partition(" returned ")
    found, _, wanted = found.partition("; expected ")
    told = not_a_number(what, found, found.rpartition(" of type ")[2])
    head, help = told.message, told.help
    if wanted:
        head = f"expected {what} to return {wanted}, found {found}"
        if found != "None":
            told = replace(told, id="other-value-returned")
            help = f"return {wanted}; see {context.task.handout}"
    none = returned_none(context, what, head) if found == "None" else None
    if none is not None:
        return none
    return (
        context.say_of(told.id, context.known[what], head, help)
        if what in context.known
        else Message(told.id, head, help)
    )


def returned_none(context: Context, what: str = "", head: str = "") -> Message | None:
    """Return the message about another function that returns None, and so `what` does, if one is known.

    Args:
        context: the failure.
        what: the function that returned None; empty if it is not known.
        head: what was expected of it.
    """
    bare = sources.bare_return(context.known)
    if bare is not None:
        return context.say_at(
            "path-without-return",
            *bare,
            ": ".join(filter(None, [head, "a return without a value"])),
            EVERY_PATH,
        )
    lacking = without_return(context.submission.sources)
    if not lacking or what in [each.name for each in lacking]:
        return None
    found = lacking[0]
    said = ": ".join(filter(None, [head, f"{found.name} has a path without a return"]))
    return context.say_at("path-without-return", found.file, found.line, said, EVERY_PATH)


def not_a_number(what: str, found: str, kind: str) -> Message:
    """Return the message for a function that returned something other than a whole number.

    Args:
        what: the function's name.
        found: what it returned, with its type.
        kind: the name of the type alone.
    """
    id, help = _HELP.get(kind, _OTHER)
    if kind == "bool" and what not in ("peg_solve", "solve"):
        help = f"return a whole number; see {CLIENT_HANDOUT}"
    if what == "move_new" and kind in ("list", "tuple", "str"):
        help = f"make one integer out of the four numbers, like the digits of a year; see {CLIENT_HANDOUT}"
    if kind in ("generator", "coroutine"):
        found = f"a {kind}"  # without its address
    if re.search(r"a number of \d+ bits", found):
        id = "large-number-returned"
        help = "keep it between -2**63 and 2**63 - 1; compiled code drops the higher bits"
    return Message(id, f"expected {what} to return an int, found {found}", help)
