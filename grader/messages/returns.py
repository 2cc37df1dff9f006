"""Messages for what the student's functions return: which function, what was expected, what was found."""

import re

from grader.messages.compile_table import WHOLE
from grader.messages.failure_context import Context
from grader.messages.missing_return import without_return
from grader.messages.phrases import CLIENT_HANDOUT, Message

_HELP = {
    "None": "some path through the function has no return",
    "bool": "return a number of pegs, not whether the board is solved",
    "float": WHOLE,
    "list": "return the number; the moves go on the stack",
    "tuple": "return the number alone; the moves go on the stack",
    "str": "return a number; print shows text",
    "generator": "return the answer; a function that contains yield returns a generator",
    "coroutine": "take out the async",
}


def explain(context: Context) -> Message:
    """Return the message for a value that must not be returned."""
    what, _, found = context.text.partition(" returned ")
    found, _, wanted = found.partition("; expected ")
    told = not_a_number(what, found, found.rpartition(" of type ")[2])
    head, help = told.message, told.help
    if wanted:
        head = f"expected {what} to return {wanted}, found {found}"
        if found != "None":
            help = f"return {wanted}; see {context.task.handout}"
    lacking = list(without_return(context.submission.sources)) if found == "None" else []
    if lacking and what not in [each.name for each in lacking]:  # it returns what that function returns
        name, file, line = lacking[0]
        said = f"{head}: {name} has a path without a return"
        return context.say_at(file, line, said, "every path needs a return")
    return context.say_of(context.known[what], head, help) if what in context.known else Message(head, help)


def not_a_number(what: str, found: str, kind: str) -> Message:
    """Return the message for a function that returned something other than a whole number.

    Args:
        what: the function's name.
        found: what it returned, with its type.
        kind: the name of the type alone.
    """
    help = _HELP.get(kind, "wrap the number that you return in int(...)")
    if what == "move_new" and kind in ("list", "tuple", "str"):
        help = f"make one integer out of the four numbers, like the digits of a year; see {CLIENT_HANDOUT}"
    if kind in ("generator", "coroutine"):
        found = f"a {kind}"  # without its address
    if re.search(r"a number of \d+ bits", found):
        help = "keep it between -2**63 and 2**63 - 1; compiled code drops the higher bits"
    return Message(f"expected {what} to return an int, found {found}", help)
