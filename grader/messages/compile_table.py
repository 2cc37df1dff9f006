"""What numba cannot compile: names of types in plain words, and a table of numba's errors."""

import re
from typing import Any

from grader.safe_text import one_line

Said = tuple[str, dict[str, Any]]  # the identity of a message, and its facts

_KINDS = (
    (r"Literal\[str\]|unicode_type|\[unichr", "text"),
    (r"Literal\[bool\]|bool", "True or False"),
    (r"Literal\[int\]|u?int\d+", "an int"),
    (r"float\d+", "a float"),
    (r"none|omitted\(default=None\)", "None"),
    (r"(?:readonly )?[aA]rray\(int8, (?:2d|2,)|CheckedBoard", "a board"),
    (r"(?:readonly )?[aA]rray\(|(?:numpy\.)?ndarray", "an array"),
    (r"(?:readonly )?bytes\b", "a value of bytes"),
    (r"(?:reflected )?list|ListType", "a list"),
    (r"DictType|dict\b", "a dictionary"),
    (r"(?:reflected )?set", "a set"),
    (r"(?:framework\.stack\.)?Stack\b", "the stack"),
    (r"(?:framework\.hash_table\.)?HashTable\b", "the hash table"),
    (r"(?:Uni)?Tuple|tuple\b", "a tuple"),
    (r"Optional", "a value or None"),
    (r"type\(CPUDispatcher\(<function (\w+)", "the function {}"),
    (r"Function\(<(?:built-in function|class) '?(\w+)", "the function {}"),
    (r"Module\(<module '([\w.]+)'", "the module {}"),
    (r"function|builtin_function_or_method", "a function"),
    (r"type\b", "a class"),
    (r"(?:\w+\.)*(\w+)", "a value of the class {}"),
)


class Words(str):
    """A part of the text of numba's error, such as a type or a name."""

    @property
    def kind(self) -> str:
        """The type that these words name, in plain English."""
        for pattern, plain in _KINDS:
            found = re.match(pattern, self)
            if found:
                return plain.format(*found.groups())
        return "something"


def kinds(arguments: list[Words]) -> str:
    """Return the types of the arguments in plain English, separated by commas and a final `and`."""
    *first, last = [each.kind for each in arguments] or ["something"]
    return f"{', '.join(first)} and {last}" if first else last


def split(arguments: str) -> list[Words]:
    """Return the arguments of a call in numba's error, split at the commas between them."""
    parts, depth, start = [], 0, 0
    for place, character in enumerate(arguments):
        depth += (character in "([<") - (character in ")]>")
        if character == "," and depth == 0:
            parts.append(arguments[start:place])
            start = place + 1
    return [Words(part.strip()) for part in [*parts, arguments[start:]] if part.strip()]


# The message's identity, and a pattern for numba's error; its groups are facts. The first match counts.
TABLE: tuple[tuple[str, str], ...] = (
    ("none-in-one-place", r"^Cannot unify none and (?P<kind>.+) for '(?P<name>\w+)"),
    ("none-in-one-place", r"^Cannot unify (?P<kind>.+) and none for '(?P<name>\w+)"),
    ("two-kinds-in-one-name", r"^Cannot unify (?P<kind>.+) and (?P<other>.+) for '(?P<name>\w+)"),
    ("attribute-of-board", r"^Invalid use of (?P<kind>(?:readonly )?[aA]rray\(.+) with parameters"),
    ("value-called", r"^Invalid use of (?!BoundFunction|getiter)(?P<kind>.+) with parameters"),
    ("none-used", r"^failed to unpack none"),
    ("cannot-be-unpacked", r"^failed to unpack (?P<kind>.*)"),
    ("unknown-name", r"name '(?P<name>\w+)' is not defined(?P<module>)(?P<near>)"),
    ("unset-variable", r"[Vv]ariable '(?P<name>\w+)' (?:is not defined|referenced)"),
    ("list-from-outside", r"(?P<kind>reflected list)\(.*assigned to variable '(?P<name>\w+)'"),
    ("empty-list", r"(?P<kind>list|set|DictType)[(\[]undefined"),
    (
        "mixed-list",
        r"BoundFunction\((?:list|set)\.(?:append|add|insert) for (?P<container>(?:list|set)\S*).*\) "
        r"with parameters \((?:\w+, )?(?P<kind>.*)\)",
    ),
    ("function-cannot-be-compiled", r"BoundFunction\((?P<name>\w+\.\w+) for .* with parameters"),
    ("text-in-compiled-code", r"print\(\) function implementation does not|format spec|FORMAT_WITH_SPEC"),
    ("star-on-the-left", r"\*args in function call|UNPACK_EX"),
    ("function-cannot-be-compiled", r"'(?P<name>with) \(context"),
    ("catches-one-class", r"Exception object cannot be stored"),
    ("generator", r"YIELD|[Uu]se of yield|generator"),
    ("sets-global", r"STORE_GLOBAL"),
    ("imports-inside", r"IMPORT_NAME|IMPORT_FROM"),
    ("class-cannot-be-compiled", r"LOAD_BUILD_CLASS"),
    ("inner-function", r"cell variable|Cannot capture"),
    ("function-cannot-be-compiled", r"'(?P<name>.{1,30})' construct is not supported"),
    ("loop-without-end", r"liveness info missing"),
    ("never-returns", r"runaway recursion|[Cc]annot type infer"),
    ("function-cannot-be-compiled", r"unsupported NumPy function '(?P<name>numpy\.[\w.]+)'"),
    ("function-cannot-be-compiled", r"Illegal IR, (?P<name>del) found"),
    ("wrong-number-of-values", r"wrong tuple length.*expected (?P<expected>\d+), got (?P<found>\d+)"),
    ("loop-over-value", r"getiter with parameters \((?P<kind>.*)\)"),
    ("board-as-mask", r"a mask with rows and columns"),
    ("number-too-large", r"Int value is too large"),
    ("empty-list", r"fingerprint of empty (?P<kind>\w+)"),
    ("mixed-list", r"unbox heterogeneous (?P<container>\w+)(?P<kind>)"),
    ("list-of-lists", r"reflected container"),
    ("cannot-be-hashed", r"[Nn]o __hash__ is defined for object of type '(?P<kind>.*)' and"),
    ("cannot-be-hashed", r"No definition for lowering <built-in function eq>\((?P<kind>readonly bytes)\("),
    ("argument-of-wrong-kind", r"Numba type of <class '(?P<kind>[\w.]+)'>(?P<argument>)(?P<function>)"),
    ("array-replaced", r"No definition for lowering .*\)\.(?P<name>\w+) ="),
    ("function-cannot-be-compiled", r"setattr: \(.*\)(?P<name>\.\w+ =)"),
    ("function-cannot-be-compiled", r"keyword arguments when calling Function\(<class '(?P<name>\w+)'>"),
    ("value-of-unknown-kind", r"^Type of variable '.*' cannot be determined"),
)
_KINDS_IN_TABLE = ("kind", "other", "container")  # groups that are types, told in plain words


def facts_of(found: re.Match[str]) -> dict[str, Any]:
    """Return the groups of a pattern as facts: types in plain words, and numbers."""
    facts = {}
    for name, text in found.groupdict().items():
        shown = one_line(text or "", 60)
        facts[name] = int(shown) if shown.isdecimal() else shown
        if name in _KINDS_IN_TABLE and shown:
            facts[name] = Words(shown).kind
    return facts
