"""Messages for contracts and asserts that do not hold: what is wrong, where, and what to do."""

import re
from collections.abc import Callable
from typing import NamedTuple

from framework.jumps import Jump
from grader.messages import python_errors, returns, sources
from grader.messages.catalogue import entries
from grader.messages.compile_table import Reason
from grader.messages.failure_context import Context, cut, shown_values
from grader.messages.message import Message
from grader.messages.phrases import BLOCKED_HELP, CLIENT_HANDOUT, count
from grader.messages.sources import CALLED, Function
from grader.safe_text import one_line

GO_BACK = "the contract says what must be true there; go back from there to the step that broke it"
INT64_LEAST = -(2**63)


class Broken(NamedTuple):
    """A contract that does not hold.

    Attributes:
        context: the failure and its check.
        kind: @requires or @ensures.
        function: the student's function that has the contract; None if it is a function of the framework.
        values: the names in its condition, with their values.
    """

    context: Context
    kind: str
    function: Function | None
    values: dict[str, str]

    @property
    def name(self) -> str:
        """The name of the function that has the contract, or empty."""
        return self.function.name if self.function else ""

    @property
    def condition(self) -> str:
        return self.context.told.condition

    def number(self, name: str) -> int | None:
        """Return the value of a name in the condition, if it is a whole number."""
        text = self.values.get(name, "").strip()
        return int(text) if re.fullmatch(r"-?[0-9]{1,40}", text) else None


def explain(context: Context) -> Message:
    """Return the message for a contract or an assert that does not hold."""
    told = context.told
    if told.condition.startswith("assert "):
        lines = ["an assert does not hold", f"  {one_line(told.condition)}", *context.at]
        return Message("assert-broken", "\n".join(cut([*lines, *shown_values(told)])), GO_BACK, context.place)
    broken = _broken(context)
    if broken.name == "peg_solve" and broken.values.get("result") == "None":
        head = "expected peg_solve to return an int, found None"
        none = returns.returned_none(context, broken.name, head)
        if none is not None:
            return none
    reason = _reason(broken)
    at, place = context.at, context.place
    if broken.kind == "@ensures" and broken.function is not None:  # its own fault, not its caller's
        file, line = broken.function.file, broken.function.line
        called = f"called at {context.place}: {context.source}"
        place = context.submission.place(file, line)
        at = [f"{place}: {one_line(context.submission.source_line(file, line))}"]
        at += [called] * (f"{broken.name}(" in context.source and context.place != place)
    lines = [f"{reason.what}: {context.text}", f"  {one_line(told.condition)}", *at, *shown_values(told)]
    return Message(reason.id, "\n".join(cut(lines)), reason.help, place, {"condition": told.condition})


def _broken(context: Context) -> Broken:
    contract = re.fullmatch(r"(@ensures|@requires) at (\w+\.py):(\d{1,9})", context.text)
    values = {name: value[:200] for name, value in context.told.values}
    if contract is None:
        return Broken(context, context.text.partition(" ")[0], None, values)
    function = sources.first_below(context.known, contract[2], int(contract[3]))
    return Broken(context, contract[1], function, values)


def _reason(broken: Broken) -> Reason:
    """Return what is wrong, in words, and what to do."""
    for explains in _EXPLAIN:
        reason = explains(broken)
        if reason is not None:
            return reason
    whose = f" of {broken.name}" if broken.name else ""
    return Reason("contract-broken", f"a contract{whose} does not hold", GO_BACK)


# ---- what the contracts of the stubs say -------------------------------------------------------


def _answer(broken: Broken) -> Reason | None:
    """Return what is wrong with the answer or the stack of `peg_solve`, worded as in a run without `-d`."""
    if (broken.name, broken.kind) != ("peg_solve", "@ensures"):
        return None
    context, number = broken.context, broken.number("result")
    found = one_line(broken.values.get("result", ""), 80)
    typed = re.fullmatch(r"<class '(?:\w+\.)*(\w+)'>", broken.values.get("type(result)", ""))
    if found and (number is None or (typed and typed[1] != "int")):
        kind = typed[1] if typed else found
        told = returns.not_a_number(
            "peg_solve", f"{found} of type {kind}" if found != "None" else found, kind
        )
        return Reason(told.id, told.message, told.help)
    if number is None:
        return None
    stack = re.match(r"a stack of (\d{1,9})(?:, top first: (.*))?", broken.values.get("stack", ""), re.DOTALL)
    held = int(stack[1]) if stack else 0
    promise = context.words.broken_promise(
        context.asked, number, _jumps(stack[2] or "") if stack else [], held
    )
    return None if promise is None else Reason(promise.id, promise.first, promise.help)


def _jumps(text: str) -> list[Jump]:
    """Return the jumps in the framework's description of a stack, which shows its top five at most."""
    found = re.findall(r"\(([0-7]):([0-7]) -> ([0-7]):([0-7])\)", text)
    return [(int(a), int(b), int(c), int(d)) for a, b, c, d in found]


def _key(broken: Broken) -> Reason | None:
    """Explain a key that does not fit into 64 bits; return None for any other fault."""
    if "2**63" not in broken.condition:
        return None
    if broken.name != "board_key":
        key = broken.number("key")
        return (
            None if key is None else Reason("key-too-large", "the key does not fit into 64 bits", SIGN_HELP)
        )
    result = broken.number("result")
    if result is not None and result < INT64_LEAST:
        return Reason("key-of-blocked", "the key does not fit into 64 bits", BLOCKED_HELP)
    return Reason("key-too-large", "the key does not fit into 64 bits", SIGN_HELP)


SIGN_HELP = (
    f"a key has 64 bits, and the highest is the sign: what could cell 0:0 do instead? see {CLIENT_HANDOUT}"
)


def _same_pegs(broken: Broken) -> Reason | None:
    """Explain a number of pegs other than `pegs`, before or after a call; return None for any other fault."""
    given = broken.values.get("pegs", "")
    if broken.function is not None and re.match(r"an empty stack|a stack of|a hash table", given):
        head = f"{broken.name} is given {given.partition(' (')[0].partition(',')[0]} for pegs"
        return Reason("pegs-is-table-or-stack", head, f"call it as {broken.function.call}")
    pegs, found = broken.number("pegs"), broken.number("count_pegs(board)")
    if pegs is None or found is None or pegs == found:
        return None
    if broken.kind == "@ensures":
        head = f"{broken.name} did not leave the board as it was: it has {count(found, 'peg')}, not {pegs}"
        return Reason("board-not-as-it-was", head, entries()["jumps-not-taken-back"].help)
    if not re.search(r"-\s*1\b", broken.context.source):
        id, help = "pegs-not-counted-down", "each jump takes a peg off the board: pass pegs - 1"
    elif found > pegs and not _plays(broken.context):
        id, help = (
            "jump-not-made",
            "make the jump on the board, with play, before you search the board after it",
        )
    elif found > pegs:
        id = "jump-takes-no-peg"
        help = (
            "either play leaves a peg on the board that the jump takes, or can_jump allows a jump over "
            "an empty cell"
        )
    else:
        id, help = "jump-before-not-taken-back", "take each jump back before you try the next"
    return Reason(
        id,
        f"{broken.name} is called with {count(pegs, 'peg')}, but the board has {found}",
        help,
    )


def _plays(context: Context) -> bool:
    """Return whether the function that the failing line is in calls `play`, or sets a cell itself."""
    caller = sources.last_above(context.known, context.file, context.told.line)
    body = caller.body if caller is not None else ""
    return caller is None or re.search(r"\bplay\(|\]\s*=(?!=)", body) is not None


def _recorded(broken: Broken) -> Reason | None:
    """Explain an answer that does not agree with the table; return None for any other fault."""
    if broken.kind != "@ensures" or "ht_lookup(unsolvable" not in broken.condition:
        return None
    solved = broken.values.get("result") == "1"
    no_move = broken.values.get("stack", "").startswith("an empty stack")
    if solved and no_move and broken.number("pegs") != 1:
        return Reason(
            "solved-without-move",
            f"{broken.name} answered 1 without a move",
            "do not return 1 for a board in the table",
        )
    if solved:
        return Reason(
            "recorded-solved-board",
            f"{broken.name} recorded a board that is solved",
            "a board of one peg is solved: return 1 before you look it up or insert it"
            if broken.number("pegs") == 1
            else "insert a board only after every jump from it has failed",
        )
    return Reason(
        "did-not-record",
        f"{broken.name} gave up on a board and did not record it",
        "compute the board's key before the first jump, and insert it on every path that returns more than 1",
    )


def _jump(broken: Broken) -> Reason | None:
    """Explain a jump that cannot be made or was not taken back; return None for any other fault."""
    if not broken.condition.startswith("can_jump("):
        return None
    if (broken.name, broken.kind) == ("take_back", "@ensures"):
        return Reason(
            "jump-not-taken-back",
            "take_back did not take the jump back",
            "after take_back the jump must be possible again: peg, peg, empty hole",
        )
    if broken.kind == "@requires":
        return Reason(
            "jump-not-possible", f"{broken.name} is given a jump that is not possible", "call can_jump first"
        )
    return None


def _move_part(broken: Broken) -> Reason | None:
    """Explain a row or column of a move that is off the board; return None for any other fault."""
    if broken.name not in CALLED or "_on_board" not in broken.condition:
        return None
    if broken.kind == "@ensures":
        number = broken.number("result")
        return Reason(
            "move-part-off-board",
            f"{broken.name} returned {number}, which is off the board"
            if number is not None
            else f"{broken.name} returned no row or column",
            "it must return one of the four numbers that move_new was given, from 0 to 7",
        )
    return Reason(
        "move-new-off-board",
        "move_new is given a number that is off the board",
        "all four must be from 0 to 7",
    )


def _empty_stack(broken: Broken) -> Reason | None:
    """Explain a `pop` from an empty stack; return None for any other fault."""
    if "not stack_empty(stack)" not in broken.condition:
        return None
    return Reason(
        "empty-stack",
        "pop: the stack is empty",
        python_errors.help_for("IndexError", "pop: the stack is empty")[1],
    )


_EXPLAIN: tuple[Callable[[Broken], Reason | None], ...] = (
    _answer, _key, _same_pegs, _recorded, _jump, _move_part, _empty_stack,
)  # fmt: skip
