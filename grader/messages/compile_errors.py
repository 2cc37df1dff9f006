"""Translate numba's errors into a student's terms: what is wrong, and what to write instead."""

import inspect
import re
from collections.abc import Mapping

from framework import board, hash_table, stack
from grader.messages.compile_table import (
    ARGUMENTS,
    AS_A_LOOP,
    BRACKETS,
    BY_FUNCTIONS,
    IF_FIRST,
    KEY_OF_IT,
    NO_MEMORY,
    NO_RETURN,
    NO_SUCH_FUNCTION,
    PASS_ON,
    PRINT_HELP,
    SAME_KIND,
    TABLE,
    TEXT_HELP,
    WHOLE,
    Reason,
    Words,
    kinds,
    split,
)
from grader.messages.sources import Function, called_on
from grader.safe_text import one_line

MAX_LINES, MAX_LINE = 40, 300  # lines that are read of numba's error, and letters of a line

# What numba says of a function none of whose paths return: it calls itself first, or a loop has no end.
NEVER_RETURNS = r"runaway recursion|[Cc]annot type infer|liveness info missing"

# ---- operators, indexes, calls -----------------------------------------------------------------

_OPERATORS = {
    "add": "+", "iadd": "+=", "sub": "-", "isub": "-=", "mul": "*", "imul": "*=", "truediv": "/", "mod": "%",
    "floordiv": "//", "pow": "**", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=",
    "and_": "&", "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "contains": "in", "neg": "-",
    "not_": "not", "iand": "&=", "ior": "|=", "ixor": "^=",
}  # fmt: skip


def _operation(name: str, arguments: list[Words], text: str) -> Reason:
    """Return why a function or an operator cannot be compiled for arguments of these types."""
    if name == "setitem" and len(arguments) == 3:
        return _stored(arguments, text)
    if name == "getitem" and len(arguments) == 2:
        return _indexed(arguments)
    if name == "exception_match":
        return Reason(
            "catches-one-class",
            "compiled code can catch every exception or none, not one class of them",
            IF_FIRST,
        )
    if name in _OPERATORS and arguments:
        shown = kinds(arguments)
        if name == "contains":
            shown = " and ".join(dict.fromkeys(each.kind for each in reversed(arguments)))
        help = ""
        if "None" in shown:
            help = NO_RETURN
        elif "text" in shown:
            help = TEXT_HELP
        elif "the stack" in shown:
            help = "is the function called with its arguments in the right order?"
        elif "hash table" in shown:
            help = BY_FUNCTIONS
        elif "float" in shown:
            help = WHOLE
        return Reason("operator-cannot-be-used", f"{_OPERATORS[name]} cannot be used on {shown}", help)
    by_name = next((each for each in arguments if re.match(r"\w+=", each)), None)
    if by_name is not None and by_name.startswith("dtype=Function"):
        return Reason(
            "python-type-as-dtype", f"{name} takes no Python type as its dtype", "use np.int64 or np.int8"
        )
    if by_name is not None:
        return Reason(
            "keyword-cannot-be-compiled",
            f"{name}(...) cannot be compiled with {by_name.partition('=')[0]}=",
            AS_A_LOOP,
        )
    if name in ("zeros", "ones", "empty", "full") and arguments[:1] and arguments[0].kind == "a list":
        return Reason(
            "shape-no-tuple",
            "the shape of an array must be a tuple",
            f"write np.{name}((8, 8)), with a tuple inside",
        )
    if arguments:
        return Reason("call-cannot-be-compiled", f"{name}(...) cannot be compiled for {kinds(arguments)}")
    return Reason("call-cannot-be-compiled", f"{name}(...) cannot be compiled in this form")


def _stored(arguments: list[Words], text: str) -> Reason:
    container, index, value = arguments
    if "readonly" in container:
        return Reason(
            "array-from-outside",
            "an array from outside of the function can be read but not changed",
            "make it in peg_solve and pass it as an argument",
        )
    if container.kind == "a dictionary":
        if "as value is forbidden" in text:
            return Reason(
                "dictionary-cannot-hold",
                f"a dictionary cannot hold {value.kind}",
                "store only numbers or tuples in the dictionary",
            )
        if "as key is forbidden" in text or "hash" in text or index.kind in ("a board", "an array", "a list"):
            return Reason("no-key-of-dictionary", f"{index.kind} cannot be a key of a dictionary", KEY_OF_IT)
        return Reason(
            "mixed-dictionary",
            "a dictionary in compiled code holds keys of one kind and values of one kind",
            SAME_KIND,
        )
    held = re.match(r"list\((.*)\)", container)
    if held:
        return Reason(
            "mixed-list", f"this list holds {Words(held[1]).kind} and cannot take {value.kind}", SAME_KIND
        )
    if container.kind in ("the stack", "the hash table"):
        return Reason(
            "stored-with-brackets", f"nothing can be stored in {container.kind} with []", BY_FUNCTIONS
        )
    help = (
        "a cell is BLOCKED, EMPTY or PEG of framework/board.py" if container.kind == "a board" else SAME_KIND
    )
    return Reason("stored-other-kind", f"{value.kind} cannot be stored in {container.kind}", help)


def _indexed(arguments: list[Words]) -> Reason:
    container, index = arguments
    if "float" in index:
        return Reason("float-index", "a float is not an index", WHOLE)
    if container.kind in ("an int", "a float", "True or False"):
        return Reason(
            "one-index-too-many",
            f"{container.kind} cannot be indexed: there is one [] too many",
            "a cell is board[row, col]",
        )
    if container.kind == "None":
        return Reason("none-indexed", "None cannot be indexed", NO_RETURN)
    if container.kind in ("the stack", "the hash table"):
        return Reason("framework-value-indexed", f"{container.kind} cannot be indexed", BY_FUNCTIONS)
    if container.kind == "a tuple":
        return Reason(
            "mixed-tuple-indexed",
            "a tuple with values of different kinds can be indexed only with a number, not with a variable",
            "keep values of one kind in it, as ROW_STEP in peg1.py does",
        )
    return Reason("index-of-wrong-kind", f"{container.kind} cannot be indexed with {index.kind}")


def _attribute(name: Words, of: Words) -> Reason:
    if of.kind in ("the stack", "the hash table"):
        return Reason("attribute-of-framework-value", f"{of.kind} has no .{name}", BY_FUNCTIONS)
    if of.kind == "text":
        return Reason("attribute-of-text", f"text has no .{name} in compiled code", PRINT_HELP)
    if of.kind == "None":
        return Reason("attribute-of-none", f"None has no .{name}", NO_RETURN)
    if of.startswith("Module"):
        module = of.kind.removeprefix("the module ")
        help = {"itertools": AS_A_LOOP, "copy": "to copy a board, write board.copy()"}.get(module, PASS_ON)
        return Reason("module-function", f"{module}.{name} cannot be compiled", help)
    return Reason("attribute-cannot-be-compiled", f"{of.kind} has no .{name} in compiled code", AS_A_LOOP)


def _outside(known: Mapping[str, Function], name: Words, of: Words) -> Reason:
    """Return why a name from outside the function cannot be used in compiled code."""
    own = known.get(name)
    if name == "peg_solve":
        help = "call solve again instead, for the board after the jump"
        return Reason("calls-peg-solve", "peg_solve is plain Python, which compiled code cannot call", help)
    if own is not None:
        return Reason(
            "calls-plain-function",
            f"{name} is plain Python, which compiled code cannot call",
            f"put @compiled above {name} too ({own.file}:{own.line}), or call it from peg_solve",
        )
    if name in ("stack_new", "ht_new", "read_board", "parse_board"):
        return Reason(
            "calls-plain-function", f"{name} is plain Python, which compiled code cannot call", PASS_ON
        )
    if of.kind == "a class" and name[0].isupper():
        return Reason(
            "class-cannot-be-compiled",
            f"{name} is a class, which cannot be compiled",
            "keep the data of each object in a tuple of numbers, or in arrays",
        )
    if of.kind == "a dictionary":
        return Reason(
            "dictionary-from-outside",
            f"{name} is a dictionary made outside of the function, which compiled code cannot use",
            "make it a tuple that is indexed with numbers, like ROW_STEP in peg1.py",
        )
    if of.kind in ("a function", "a class") or name in ("exit", "quit"):
        return Reason("function-cannot-be-compiled", f"{name} cannot be compiled", NO_SUCH_FUNCTION)
    return Reason(
        "value-from-outside",
        f"{name} is {of.kind}, which compiled code cannot use",
        "pass numbers and arrays as arguments",
    )


def _not_callable(of: Words) -> Reason:
    if of.kind in ("a board", "an array"):
        return Reason("board-called", f"{of.kind} is not a function", BRACKETS)
    if of.kind == "a tuple":
        return Reason("tuple-called", "a tuple is not a function", "leave the () out: board.shape")
    return Reason(
        "value-called", f"{of.kind} is not a function", "is a name used twice, or an operator left out?"
    )


def _two_kinds(first: Words, second: Words, name: Words) -> Reason:
    help = "use a different name for each kind of value"
    if "None" in (first.kind, second.kind):
        help = "begin with a number that stands for None, such as 0, -1 or 99"
    variable = name.partition(".")[0]
    return Reason(
        "two-kinds-in-one-name", f"{variable} is {first.kind} in one place and {second.kind} in another", help
    )


def _returns(text: str, types: list[Words]) -> Reason:
    """Return why a function's return types conflict, with their lines."""
    lines = re.findall(r"^returns (.*) on line (\d+)$", text, re.MULTILINE)
    if len(lines) > 1:
        in_order = sorted(lines, key=lambda each: int(each[1]))
        seen = {Words(of).kind: f"{Words(of).kind} on line {line}" for of, line in in_order}
        return Reason(
            "returns-two-kinds",
            "the function returns " + " and ".join(seen.values()),
            "return values of one kind on every path",
        )
    if any(of.kind == "None" for of in types):
        return Reason(
            "returns-or-not",
            "one path through the function returns a value, and another returns nothing",
            NO_RETURN,
        )
    return Reason(
        "returns-two-kinds", f"the function returns {kinds(types)}", "return values of one kind on every path"
    )


def _wrong_call(problem: str, text: str, known: Mapping[str, Function]) -> Reason:
    """Return what is wrong with a call, and how to call the function."""
    callee = re.search(r"CPUDispatcher\(<function (\w+)", text)
    name = callee[1] if callee else "the function"
    takes = known[name].call if name in known else signature_of(name)
    return Reason(
        "wrong-call",
        f"{name} is called {problem}",
        f"call it as {takes}" if takes else "look at its definition",
    )


def signature_of(name: str) -> str:
    """Return how to call a framework function: `push(stack, item)`; empty if there is no such function."""
    for module in (stack, hash_table, board):
        function = getattr(module, name, None)
        if function is not None and inspect.isfunction(function):
            return f"{name}({', '.join(inspect.signature(function).parameters)})"
    return ""


def _remembers(text: str, source: str, table: bool) -> Reason | None:
    """Return the reason if boards are kept in a set, list or dictionary from outside the function."""
    found = re.search(
        r"^Untyped global name '(?P<name>\w+)': .*?(?P<kind>set|list|dict)\b"
        r"|reflected (?P<held>set)\(.*assigned to variable '(?P<variable>\w+)'",
        text,
        re.MULTILINE,
    )
    if found is None:
        return None
    name, kind = found["name"] or found["variable"], found["kind"] or found["held"]
    stored = rf"\bin {name}\b|\b{name}\[.*\]\s*=(?!=)|\b{name}\.(?:add|append)\("
    if kind != "set" and not re.search(stored, source):
        return None  # it may hold constants, such as the directions
    return Reason(
        "memory-from-outside",
        f"{name} is {Words(kind).kind} made outside of the function, which compiled code cannot use",
        "use ht_lookup and ht_insert of the table you are given" if table else NO_MEMORY,
    )


_TAKES = {
    "push": "item is one integer, which move_new makes of four",
    **dict.fromkeys(("ht_insert", "ht_lookup"), "key is one integer, which board_key makes of a board"),
}


def explain(text: str, known: Mapping[str, Function], source: str, table: bool = False) -> Reason:
    """Return why the student's code cannot be compiled.

    Args:
        text: numba's error, as the child process passes it on; the student's code may have forged it.
        known: the student's functions.
        source: the line of the student's code that fails.
        table: whether the task gives `peg_solve` a hash table.
    """
    # The text is cut, so that none can make the patterns slow.
    text = "\n".join(line[:MAX_LINE] for line in text.split("\n")[:MAX_LINES])
    misused = _misused(text, known, source)
    if misused:
        takes = signature_of(misused)
        help = "; ".join(filter(None, [takes and f"call it as {takes}", _TAKES.get(misused)]))
        return Reason("misused-function", f"{misused} is given something that it cannot take", help)
    special = _remembers(text, source, table) or _special(text, known, source)
    if special is not None:
        return special
    for row, pattern, what, help in TABLE:
        found = re.search(pattern, text, re.MULTILINE)
        if found:
            if not what:
                return _wrong_call("with too many arguments", text, known)
            groups = [Words(one_line(group, 60)) for group in found.groups() if group is not None]
            return Reason(row, what.format(*groups), help)
    first = one_line(text.partition("\n")[0])
    odd = re.search(r"[<>/$%]|BoundFunction|Function\(|Literal|opcode|Numba|numba", first)
    return Reason("cannot-be-compiled", "this code cannot be compiled" if odd or not first else first)


def _special(text: str, known: Mapping[str, Function], source: str) -> Reason | None:
    """Return the reason for an error that no pattern of TABLE alone can explain; None for any other error."""

    def said(pattern: str) -> list[Words]:
        found = re.search(pattern, text, re.MULTILINE)
        return [Words(one_line(group or "", 150)) for group in found.groups()] if found else []

    if groups := said(r"^Untyped global name '(\w+)'.*<class '([\w.]+)'>"):
        return _outside(known, *groups)
    if groups := said(r"^Unknown attribute '(\w+)' of type (.+)"):
        return _attribute(*groups)
    if groups := said(r"^Cannot unify (.+) and (.+) for '([\w.]+)'"):
        return _two_kinds(*groups)
    if groups := said(r"^Can't unify return type from the following types: (.+)"):
        return _returns(text, split(groups[0]))
    if groups := said(r"^Invalid use of (?!BoundFunction|getiter)(.+) with parameters"):
        return _not_callable(groups[0])
    if groups := said(r"^>>> (\w+)\(.*\bkey="):
        return Reason(
            "keyword-cannot-be-compiled", f"{groups[0]}(...) cannot be compiled with key=", AS_A_LOOP
        )
    if groups := said(r"^failed to unpack (.*)"):
        of = groups[0].kind
        help = NO_RETURN if of == "None" else "there must be as many values on the right as names on the left"
        return Reason("cannot-be-unpacked", f"{of} cannot be unpacked", help)
    if groups := said(r"missing a required argument: '(\w+)'"):
        return _wrong_call(f"without its argument {groups[0]}", text, known)
    if groups := said(r"unexpected keyword argument '(\w+)'"):
        return _wrong_call(f"with an argument {groups[0]}, which it does not have", text, known)
    if groups := said(r"- argument (\d+): .*determine Numba type of <class '([\w.]+)'>"):
        number, of = int(groups[0]), groups[1].kind
        called = called_on(source, known)
        arguments = called[-1].arguments if called else ()
        name = f"{arguments[number]} of {called[-1].name}" if number < len(arguments) else "an argument"
        return Reason("argument-of-wrong-kind", f"{name} is {of}, which compiled code cannot use", ARGUMENTS)
    if "No implementation of function" in text and (groups := said(r"^>>> (\w+)\((.*)\)$")):
        return _operation(groups[0], split(groups[1]), text)
    return None


def _misused(text: str, known: Mapping[str, Function], source: str) -> str:
    """Return the framework function that the student's code calls, if the error is inside it; else empty."""
    if not re.match(r"inside of framework/", text):
        return ""
    name = ""
    for callee in re.findall(r"CPUDispatcher\(<function (\w+)", text):
        if callee in known:
            break
        name = callee
    called = re.findall(r"\b(\w+)\(", source)  # numba names no callee for a call from plain Python
    return name or next((each for each in called if signature_of(each)), "")


def is_of_a_call(kind: str, text: str) -> bool:
    """Return whether numba raised this exception because of the arguments given to compiled code."""
    if kind == "RuntimeError":  # numba forgets the variables of a function that cannot end
        return "liveness info missing" in text
    return kind in ("TypeError", "ValueError") and bool(
        re.search(
            r"fingerprint of empty|unbox heterogeneous|reflected container|determine Numba type of"
            r"|[Nn]o __hash__ is defined for object of type",
            text,
        )
    )
