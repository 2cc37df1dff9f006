"""Texts about what numba cannot compile: names of types in plain words, and a table of numba's errors."""

import re
from typing import NamedTuple

PRINT_HELP = 'print names and numbers as separate arguments, as in print("pegs", pegs), or print in peg_solve'
TEXT_HELP = 'use numbers; in print, names and numbers are separate arguments: print("pegs", pegs)'
NO_SUCH_FUNCTION = "write it out with loops and numbers; what must be plain Python belongs in peg_solve"
PASS_ON = "use it in peg_solve, which is plain Python, and pass the result on as an argument"
NO_RETURN = "a function that ends without a return returns None: does every path return a value?"
NO_MEMORY = "this task needs no memory of boards: the board and the stack are enough"
AS_A_LOOP = "write it as a loop over rows and columns"
BY_FUNCTIONS = "pass it to functions as an argument: push(stack, move), ht_lookup(table, key)"
FIRST_ITEM = "start with one item of the right type in it, or use np.zeros(64, np.int64) and a counter"
AN_ARRAY = "turn it into an array: np.array([[1, 0], [0, 1]])"
SAME_KIND = "keep values of one kind in it, or use a separate one for each kind"
ARGUMENTS = "pass numbers, tuples, arrays, the stack and the table; a method of a class cannot be compiled"
TOP_LEVEL = "write it at the top level of the file, with @compiled above it"
BRACKETS = "an index is written in square brackets: board[row, col]"
IF_FIRST = "check with an if first, instead of try and except"
KEY_OF_IT = "turn it into a number: board_key(board)"
NAMES_ON_THE_LEFT = "there must be as many names on the left as values on the right"
SPELT = "is it spelt correctly, and imported or set before this line?"
WHOLE = "use // in place of /, which always gives a float"


class Reason(NamedTuple):
    """Why something cannot be compiled.

    Attributes:
        id: the identity of the message, see `Message`.
        what: what is wrong, as a part of a sentence.
        help: what to do; empty if only the general advice applies.
    """

    id: str
    what: str
    help: str = ""


# ---- the kinds of values -----------------------------------------------------------------------

_KINDS = (
    (r"Literal\[str\]|unicode_type|\[unichr", "text"),
    (r"Literal\[bool\]|bool", "True or False"),
    (r"Literal\[int\]|u?int\d+", "an int"),
    (r"float\d+", "a float"),
    (r"none|omitted\(default=None\)", "None"),
    (r"(?:readonly )?[aA]rray\(int8, (?:2d|2,)", "a board"),
    (r"(?:readonly )?[aA]rray\(", "an array"),
    (r"(?:readonly )?bytes\(", "a value of bytes"),
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
    *first, last = [each.kind for each in arguments]
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


# ---- the table ---------------------------------------------------------------------------------

# The message's identity, a pattern for numba's error, the reason and the help. The first that matches counts.
# The groups of its pattern fill the braces; `.kind` is a type in plain words.
TABLE: tuple[tuple[str, str, str, str], ...] = (
    ("unknown-name", r"name '(\w+)' is not defined", "the name {0} is not defined", SPELT),
    (
        "unset-variable",
        r"[Vv]ariable '(\w+)' is not defined|local variable '(\w+)' referenced",
        "{0} may have no value here",
        "give it a value before the loop or the if",
    ),
    (
        "list-from-outside",
        r"reflected list\(.*assigned to variable '(\w+)'",
        "{0} is a list made outside of the function, which compiled code cannot use",
        "make it a tuple, with () instead of []",
    ),
    ("empty-list", r"list\(undefined\)", "nothing says what this empty list will hold", FIRST_ITEM),
    ("empty-set", r"set\(undefined\)", "nothing says what this empty set will hold", FIRST_ITEM),
    (
        "empty-dictionary",
        r"DictType\[undefined",
        "nothing says what this empty dictionary will hold",
        FIRST_ITEM,
    ),
    (
        "mixed-list",
        r"BoundFunction\((?:list|set)\.(?:append|add|insert) for ((?:list|set)\S*).*\) "
        r"with parameters \((?:\w+, )?(.*)\)",
        "{0.kind} with values of one kind cannot take {1.kind} too",
        SAME_KIND,
    ),
    (
        "method-cannot-be-compiled",
        r"BoundFunction\((\w+\.\w+) for (.*)\) with parameters",
        "{0} cannot be compiled in this form",
        AS_A_LOOP,
    ),
    (
        "print-with-keyword",
        r"print\(\) function implementation does not support keyword",
        "print in compiled code takes no sep=, end= or flush=",
        PRINT_HELP,
    ),
    (
        "star-argument",
        r"\*args in function call",
        "* before an argument can be compiled for a tuple only",
        "write the arguments out one by one",
    ),
    ("with-statement", r"'with \(context", "a with statement cannot be compiled", PASS_ON),
    (
        "looks-at-exception",
        r"Exception object cannot be stored",
        "compiled code cannot look at an exception",
        IF_FIRST,
    ),
    (
        "generator",
        r"YIELD|[Uu]se of yield|generator",
        "this generator cannot be compiled",
        "write a loop; any(... for ...) and sum(... for ...) are generators too",
    ),
    (
        "sets-global",
        r"STORE_GLOBAL",
        "compiled code cannot set a global",
        "pass the value as an argument and return it; the size of your table already counts the boards",
    ),
    (
        "imports-inside",
        r"IMPORT_NAME|IMPORT_FROM",
        "compiled code cannot import",
        "put the import at the top of the file",
    ),
    ("class-inside", r"LOAD_BUILD_CLASS", "a class cannot be compiled", "use numbers and arrays"),
    (
        "star-on-the-left",
        r"UNPACK_EX",
        "* on the left side cannot be compiled",
        "take the parts out one by one, with an index",
    ),
    (
        "nested-recursion",
        r"cell variable",
        "a function inside another function cannot call itself",
        TOP_LEVEL,
    ),
    (
        "format-string",
        r"format spec|FORMAT_WITH_SPEC",
        "f-strings with a format cannot be compiled",
        PRINT_HELP,
    ),
    (
        "construct-cannot-be-compiled",
        r"'(.{1,30})' construct is not supported|\((?:op_)?([A-Z_]+)\) found",
        "the construct '{0}' cannot be compiled",
        "",
    ),
    ("wrong-call", r"too many positional arguments|too many arguments", "", ""),
    (
        "endless-loop",
        r"liveness info missing",
        "a loop in the function never ends: it has no break, and what it compares never changes",
        "what should change in the loop, so that its condition becomes false?",
    ),
    (
        "never-returns",
        r"runaway recursion|cannot type infer|Cannot type infer",
        "every path through the function calls the function again: one must return first",
        "begin with the case that needs no call, such as pegs == 1, and return there",
    ),
    (
        "numpy-function",
        r"unsupported NumPy function 'numpy\.([\w.]+)'",
        "np.{0} cannot be compiled, or not in this form",
        AS_A_LOOP,
    ),
    ("del-of-name", r"Illegal IR, del found", "del of a name cannot be compiled", "leave it out"),
    (
        "wrong-number-of-values",
        r"wrong tuple length.*expected (\d+), got (\d+)",
        "expected {0} values, found {1}",
        NAMES_ON_THE_LEFT,
    ),
    (
        "loop-over-value",
        r"getiter with parameters \((.*)\)",
        "a for loop cannot go over {0.kind}",
        "to count up to a number, use range(...)",
    ),
    (
        "board-as-mask",
        r"a mask with rows and columns",
        "a board cannot be indexed by a comparison",
        AS_A_LOOP,
    ),
    (
        "number-too-large",
        r"Int value is too large",
        "the number does not fit into 64 bits",
        "keep numbers below 2**63: shift or mask before you multiply; in place of % 2**64, use & (2**64 - 1)",
    ),
    (
        "empty-list",
        r"fingerprint of empty (\w+)",
        "compiled code is given an empty {0}, and cannot tell what it will hold",
        FIRST_ITEM + "; or create the list inside the compiled function",
    ),
    (
        "mixed-list",
        r"unbox heterogeneous (\w+)",
        "compiled code is given a {0} with values of different kinds",
        SAME_KIND,
    ),
    ("list-of-lists", r"reflected container", "compiled code is given a list of lists", AN_ARRAY),
    (
        "cannot-be-hashed",
        r"[Nn]o __hash__ is defined for object of type '(.*)' and",
        "{0.kind} cannot be a key, or be hashed",
        KEY_OF_IT,
    ),
    (
        "argument-of-wrong-kind",
        r"determine Numba type of <class '([\w.]+)'>",
        "compiled code is given {0.kind}, which it cannot use",
        ARGUMENTS,
    ),
    (
        "argument-of-wrong-kind",
        r"non-precise type pyobject",
        "compiled code is given something that it cannot use",
        ARGUMENTS,
    ),
    (
        "array-replaced",
        r"No definition for lowering .*\)\.(\w+) =",
        ".{0} is an array, and no other value can take its place",
        "change what is in it, as in table.size[0] = 1",
    ),
    (
        "attribute-set",
        r"setattr: \((.*)\)\.(\w+) =",
        ".{1} of {0.kind} cannot be set",
        "use numbers and arrays",
    ),
    (
        "keyword-cannot-be-compiled",
        r"unsupported keyword arguments when calling Function\(<class '(\w+)'>",
        "{0} takes no argument by name here",
        "leave it out",
    ),
    (
        "method-cannot-be-compiled",
        r"[Uu]ndecided type .*method|load_method",
        "this value has no such method in compiled code",
        AS_A_LOOP,
    ),
    (
        "value-of-unknown-kind",
        r"^Type of variable '.*' cannot be determined",
        "compiled code cannot tell what kind of value this is",
        "write what := does on a line of its own, and give each name a value before it is used",
    ),
)
