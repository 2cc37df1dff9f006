"""Translate numba's errors into messages: the identity of what is wrong, and its facts."""

import inspect
import re
from collections.abc import Mapping
from typing import Any

from framework import board, hash_table, stack
from grader.messages.compile_table import TABLE, Said, Words, facts_of, kinds, split
from grader.messages.sources import Function, called_on
from grader.safe_text import one_line

MAX_LINES, MAX_LINE = 40, 300  # lines that are read of numba's error, and letters of a line

# What numba says of a function none of whose paths return: it calls itself first, or a loop has no end.
NEVER_RETURNS = r"runaway recursion|[Cc]annot type infer|liveness info missing"
# What is said, without a line, where boards are kept in a set or dictionary that the function makes.
MISMATCH = r"Operands must be the same type|arg mismatch: i64 !="
SETS_FAIL = MISMATCH + r"|lowering <built-in function eq>\((?:readonly )?(?:bytes|array)\("
FRAMEWORK_VALUES = ("the stack", "the hash table")
NONE_USED: Said = ("none-used", {})

_OPERATORS = {
    "add": "+", "iadd": "+=", "sub": "-", "isub": "-=", "mul": "*", "imul": "*=", "truediv": "/", "mod": "%",
    "floordiv": "//", "pow": "**", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=",
    "and_": "&", "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "contains": "in", "neg": "-",
    "not_": "not", "iand": "&=", "ior": "|=", "ixor": "^=",
}  # fmt: skip


def _operation(name: str, arguments: list[Words], text: str) -> Said:
    """Return why a function or an operator cannot be compiled for arguments of these types."""
    there = [each.kind for each in arguments]
    match name, there:
        case "setitem" | "getitem", [_, _, *_] if "float" in arguments[1]:
            return "float-index", {}
        case "setitem", [container, index, kind]:
            if "readonly" in arguments[0]:
                return "array-from-outside", {}
            no_key = index in ("a board", "an array", "a list") or re.search("as key is forbidden|hash", text)
            if container == "a dictionary" and "as value is forbidden" not in text and no_key:
                return "cannot-be-hashed", {"kind": index}
            if container in FRAMEWORK_VALUES:
                return "attribute-of-framework-value", {"kind": container}
            facts = {"container": container, "kind": kind}
            return ("no-cell-value", {"kind": kind}) if container == "a board" else ("mixed-list", facts)
        case "getitem", [container, _]:
            return _of_kind(container) or ("cannot-be-compiled", {})
        case "exception_match", _:
            return "catches-one-class", {}
        case _ if name in _OPERATORS and there:
            return _operator(name, there)
    by_name = next((each for each in arguments if re.match(r"\w+=", each)), None)
    if name in ("zeros", "ones", "empty", "full") and (by_name or there[:1] == ["a list"]):
        return "wrong-array-arguments", {"function": name}
    return _not_compiled(f"{name}(..., {by_name.partition('=')[0]}=)" if by_name else f"{name}(...)")


def _of_kind(kind: str) -> Said | None:
    """Return why a value of a kind has no items; None if it may have some."""
    match kind:
        case "None":
            return NONE_USED
        case "a tuple":
            return "mixed-list", {"container": kind, "kind": ""}
        case "an int" | "a float" | "True or False":
            return "attribute-of-board", {"kind": kind}
    return ("attribute-of-framework-value", {"kind": kind}) if kind in FRAMEWORK_VALUES else None


def _operator(name: str, there: list[str]) -> Said:
    """Return why an operator cannot be used on values of these kinds."""
    if name == "contains":  # the container comes first
        there = [*dict.fromkeys(there[::-1])]
    if "None" in there or "a value or None" in there:
        return NONE_USED
    if "text" in there:
        return "text-in-compiled-code", {}
    for kind in FRAMEWORK_VALUES:
        if kind in there:
            return "attribute-of-framework-value", {"kind": kind}
    return "operator-cannot-be-used", {"operator": _OPERATORS[name], "kinds": " and ".join(there)}


def _not_compiled(name: str) -> Said:
    return "function-cannot-be-compiled", {"name": name}


def _attribute(name: Words, of: Words) -> Said:
    match of.kind:
        case "text":
            return "text-in-compiled-code", {}
        case "None":
            return NONE_USED
        case "the module copy":
            return "copy-function", {"module": "copy", "name": name}
        case kind if kind in FRAMEWORK_VALUES:
            return "attribute-of-framework-value", {"kind": kind}
    return _not_compiled(f"{of.kind.removeprefix('the module ') if of.startswith('Module') else ''}.{name}")


def _outside(known: Mapping[str, Function], name: Words, of: Words) -> Said:
    """Return why a name from outside the function cannot be used in compiled code."""
    own = known.get(name)
    if name == "peg_solve":
        return "calls-peg-solve", {}
    if own is not None:
        return "calls-plain-function", {"function": name, "at": f"{own.file}:{own.line}"}
    if name in ("stack_new", "ht_new", "read_board", "parse_board"):
        return "calls-plain-framework", {"function": name}
    if of.kind == "a class" and name[0].isupper():
        return "class-cannot-be-compiled", {}
    if of.kind in ("a function", "a class") or name in ("exit", "quit"):
        return _not_compiled(name)
    id = "list-from-outside" if of.kind == "a dictionary" else "value-from-outside"
    return id, {"name": name, "kind": of.kind}


def _returns(text: str, types: list[Words]) -> Said:
    """Return why a function's return types conflict, with their lines."""
    lines = re.findall(r"^returns (.*) on line (\d{1,9})$", text, re.MULTILINE)
    in_order = [(Words(of).kind, line) for of, line in sorted(lines, key=lambda each: int(each[1]))]
    if len(in_order) > 1:
        (kind, line), *later = in_order
        other, other_line = next((each for each in later if each[0] != kind), later[0])
        facts: dict[str, Any] = {"kind": kind, "line": line, "other": other, "other_line": other_line}
        return "returns-two-kinds", facts
    if any(of.kind == "None" for of in types):
        return "returns-or-not", {}
    return "returns-several-kinds", {"kinds": kinds(types)}


def _called_function(text: str, known: Mapping[str, Function]) -> dict[str, Any]:
    """Return the compiled function that is called, and how to call it; empty texts if that is not known."""
    callee = re.search(r"CPUDispatcher\(<function (\w+)", text)
    name = callee[1] if callee else ""
    return {"function": name, "call": known[name].call if name in known else signature_of(name)}


def signature_of(name: str) -> str:
    """Return how to call a framework function: `push(stack, item)`; empty if there is no such function."""
    for module in (stack, hash_table, board):
        function = getattr(module, name, None)
        if function is not None and inspect.isfunction(function):
            return f"{name}({', '.join(inspect.signature(function).parameters)})"
    return ""


def _remembers(text: str, source: str, table: bool) -> Said | None:
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
    return "memory-from-outside", {"name": name, "kind": Words(kind).kind, "table": table}


def explain(text: str, known: Mapping[str, Function], source: str, table: bool = False) -> Said:
    """Return why the student's code cannot be compiled.

    Args:
        text: numba's error, as the child process passes it on; the student's code may have forged it.
        source: the line of the student's code that fails.
    """
    # The text is cut, so that none can make the patterns slow; a long line of types ends with the reason.
    text = "\n".join(map(_cut, text.split("\n")[:MAX_LINES]))
    misused = _misused(text, known, source)
    if misused:
        return "misused-function", {"function": misused, "call": signature_of(misused)}
    special = _remembers(text, source, table) or _special(text, known, source)
    if special is not None:
        return special
    for id, pattern in TABLE:
        found = re.search(pattern, text, re.MULTILINE)
        if found:
            return id, facts_of(found)
    return "cannot-be-compiled", {}


def _cut(line: str) -> str:
    """Return the two ends of a line that is long."""
    return line if len(line) <= MAX_LINE else f"{line[: MAX_LINE // 2]} {line[-MAX_LINE // 2 :]}"


def _special(text: str, known: Mapping[str, Function], source: str) -> Said | None:
    """Return the reason for an error that no pattern of TABLE alone can explain; None for any other error."""

    def said(pattern: str) -> list[Words]:
        found = re.search(pattern, text, re.MULTILINE)
        return [Words(one_line(group or "", 150)) for group in found.groups()] if found else []

    if groups := said(r"^Untyped global name '(\w+)'.*<class '([\w.]+)'>"):
        return _outside(known, *groups)
    if groups := said(r"^Unknown attribute '(\w+)' of type (.+)"):
        return _attribute(*groups)
    if groups := said(r"^Can't unify return type from the following types: (.+)"):
        return _returns(text, split(groups[0]))
    if groups := said(r"^>>> (\w+)\(.*\bkey="):
        return _not_compiled(f"{groups[0]}(..., key=)")
    if groups := said(r"missing a required argument: '(\w+)'"):
        return "argument-missing", {**_called_function(text, known), "argument": groups[0]}
    if re.search(r"unexpected keyword argument|too many (?:positional )?arguments", text):
        return "wrong-call", _called_function(text, known)
    if groups := said(r"- argument (\d{1,9}): .*determine Numba type of <class '([\w.]+)'>"):
        number, called = int(groups[0]), called_on(source, known)
        facts = {"argument": "", "function": "", "kind": groups[1].kind}
        if called and number < len(called[-1].arguments):
            facts |= {"argument": called[-1].arguments[number], "function": called[-1].name}
        return "argument-of-wrong-kind", facts
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


def is_of_a_cache(kind: str, text: str) -> bool:
    """Return whether numba raised this exception because it may keep no compiled code here."""
    return kind == "RuntimeError" and "no locator available" in text


def is_of_a_call(kind: str, text: str) -> bool:
    """Return whether numba raised this exception because of the arguments given to compiled code."""
    if kind == "RuntimeError":  # numba forgets the variables of a function that cannot end
        return "liveness info missing" in text
    of_a_call = (
        r"fingerprint of empty|unbox heterogeneous|reflected container|determine Numba type of"
        rf"|[Nn]o __hash__ is defined for object of type|{MISMATCH}"
    )
    return kind in ("TypeError", "ValueError") and bool(re.search(of_a_call, text))
