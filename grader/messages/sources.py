"""Find functions and telltale lines in a student's source, by its lines or its tree; it is never run."""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from grader.submissions.syntax import MOST_READ, found_once, nodes_in

_DEFINITION = re.compile(r" *(?:async )?def (\w+)\((.*)")
_COMPILED = re.compile(r" *@(?:\w+\.)?(?:compiled|n?jit)\b")
_CALL = re.compile(r"\b(\w+)\(")
_BOARD = r"(?:\w{0,40}_)?board(?:\.(?:copy|tobytes)\(\))?"
_HASH_OF_BOARD = re.compile(rf"(?<![\w.])hash\({_BOARD}\)")
_BOARD_IN_SET = re.compile(rf"(?<![\w.]){_BOARD} (?:not )?in \w|\.add\({_BOARD}\)")
MOST_LINES = 10  # that are read of one function's head
MOST_BODY, MOST_FUNCTIONS = 500, 100  # lines that are read of a function, and definitions that are read

# The functions that the grader calls, with their number of arguments; that of peg_solve depends on the task.
CALLED = {"move_new": 4, **dict.fromkeys(("row_start", "col_start", "row_end", "col_end"), 1)}
CALLED |= {"board_key": 1, "key_hash": 1, "fill_winning": 3}
CALLED |= dict.fromkeys(("first_hash", "second_hash", "open_new", "closed_new"), 2)
CALLED |= dict.fromkeys(("open_insert", "open_lookup", "closed_insert", "closed_lookup"), 2)


@dataclass(frozen=True)
class Function:
    """A function in a student's file.

    Attributes:
        name: its name.
        file, line: the place of its definition.
        arguments: their names in order.
        compiled: whether the decorator above it compiles it.
        body: its lines below the first, without comments.
    """

    name: str
    file: str
    line: int
    arguments: tuple[str, ...]
    compiled: bool
    body: str = ""

    @property
    def call(self) -> str:
        """How to call the function, such as `solve(board, stack)`."""
        return f"{self.name}({', '.join(self.arguments)})"


@found_once
def functions(sources: Mapping[str, str]) -> Mapping[str, Function]:
    """Return the functions of all files by name; of two functions with the same name, the later one.

    No more than MOST_FUNCTIONS definitions are read, and no very long file.
    """
    found: dict[str, Function] = {}
    count = 0
    for file, source in sources.items():
        if len(source) > MOST_READ:
            continue
        lines = source.split("\n")
        compiled = False
        for number, line in enumerate(lines):
            definition = _DEFINITION.match(line)
            if definition and count < MOST_FUNCTIONS:
                count += 1
                head = " ".join([definition[2], *lines[number + 1 : number + MOST_LINES]])
                arguments, body = _names(head.partition(")")[0]), _body(lines, number)
                found[definition[1]] = Function(definition[1], file, number + 1, arguments, compiled, body)
            # The decorators of a function may be in any order, with nothing between them.
            compiled = bool(_COMPILED.match(line)) or (compiled and line.lstrip().startswith("@"))
    return found


def called_on(line: str, known: Mapping[str, Function]) -> list[Function]:
    """Return the functions among `known` that a line of source calls."""
    return [known[name] for name in _CALL.findall(line) if name in known]


def around(known: Mapping[str, Function], file: str, line: int) -> Function | None:
    """Return the function of a file that a line is in, as far as the lines above tell."""
    above = [each for each in known.values() if each.file == file and each.line <= line]
    return max(above, key=lambda each: each.line, default=None)


def first_below(known: Mapping[str, Function], file: str, line: int) -> Function | None:
    """Return the first function of a file that is defined below a line."""
    below = [each for each in known.values() if each.file == file and each.line > line]
    return min(below, key=lambda each: each.line, default=None)


def last_above(known: Mapping[str, Function], file: str, line: int) -> Function | None:
    """Return the last function of a file that is defined above a line: the one that the line is in."""
    above = [each for each in known.values() if each.file == file and each.line < line]
    return max(above, key=lambda each: each.line, default=None)


def bare_return(known: Mapping[str, Function]) -> tuple[str, int] | None:
    """Return the file and line of the first `return` without a value in a compiled function; None if none."""
    for function in known.values():
        body = function.body.split("\n") if function.compiled else []
        for number, line in enumerate(body, start=function.line + 1):
            if line.strip() == "return":
                return function.file, number
    return None


@found_once
def hash_of_board(sources: Mapping[str, str]) -> tuple[str, int] | None:
    """Return the file and line of the first `hash(board)` or `hash(..._board)`; None if there is none."""
    return _first_line(sources, _HASH_OF_BOARD)


@found_once
def board_in_set(sources: Mapping[str, str]) -> tuple[str, int] | None:
    """Return the file and line where a board is first added to a set, or sought in one; None if none is."""
    return _first_line(sources, _BOARD_IN_SET)


class Line(NamedTuple):
    """A line of a file."""

    file: str
    line: int


class Power(NamedTuple):
    """A line on which a number is meant as the base of a power."""

    base: str
    file: str
    line: int


@found_once
def hash_as_key(sources: Mapping[str, str]) -> Line | None:
    """Return where a key is hashed that the table hashes itself; None if none is."""
    for file, node in nodes_in(sources):
        match node:
            case ast.Call(ast.Name("key_hash"), [ast.Call(ast.Name("board_key"))]) | ast.Call(
                ast.Name("ht_insert" | "ht_lookup"), [_, ast.Call(ast.Name("key_hash"))]
            ):
                return Line(file, node.lineno)
    return None


@found_once
def sort_returned(sources: Mapping[str, str]) -> Line | None:
    """Return the first `.sort()` whose None is returned or kept; None if none is."""
    for file, node in nodes_in(sources):
        match node:
            case (
                ast.Return(ast.Call(ast.Attribute(attr="sort")))
                | ast.Assign(value=ast.Call(ast.Attribute(attr="sort")))
            ):
                return Line(file, node.lineno)
    return None


@found_once
def power_by_xor(sources: Mapping[str, str]) -> Power | None:
    """Return the first `2 ^ n` or `10 ^ n`; None if there is none."""
    for file, node in nodes_in(sources):
        match node:
            case ast.BinOp(ast.Constant(2 | 10), ast.BitXor()):
                return Power(ast.unparse(node.left), file, node.lineno)
    return None


def _first_line(sources: Mapping[str, str], pattern: re.Pattern[str]) -> tuple[str, int] | None:
    for file, source in sources.items():
        for number, line in enumerate(source.split("\n"), start=1):
            if pattern.search(line.partition("#")[0]):
                return file, number
    return None


def with_wrong_arguments(known: Mapping[str, Function], peg_solve: int) -> Function | None:
    """Return a function that does not take as many arguments as the grader passes; None if each does.

    Args:
        known: the student's functions.
        peg_solve: the number of arguments that `peg_solve` should take.
    """
    for name, count in {"peg_solve": peg_solve, **CALLED}.items():
        if name in known and len(known[name].arguments) != count:
            return known[name]
    return None


def not_compiled(
    sources: Mapping[str, str], file: str, need_not: tuple[str, ...] = ("peg_solve",)
) -> Function | None:
    """Return an uncompiled function that slows a program down; None if there is none, or a file is very long.

    Such a function is itself a search, or the grader calls it again and again.

    Args:
        sources: the student's files.
        file: the task's own file, in which to look for the function.
        need_not: functions that need not be compiled. One of them is returned only if there is no other, and
            if no function of the file is compiled.
    """
    if any(len(source) > MOST_READ for source in sources.values()):
        return None
    known = functions(sources)
    calls = {name: set(_CALL.findall(each.body)) & known.keys() for name, each in known.items()}
    long = {name for name, each in known.items() if _recurs(name, calls) or _loops(each.body)}
    fast = {name for name in long if known[name].compiled}
    plain = [each for each in known.values() if each.file == file and not each.compiled]
    all_plain = len(plain) == sum(1 for each in known.values() if each.file == file)
    often = CALLED.keys() - set(need_not)
    # A loop around a compiled search does not count: that is fast.
    searching = [
        each
        for each in plain
        if each.name in often
        or _recurs(each.name, calls)
        or (each.name in long and not calls[each.name] & fast)
    ]
    others = [each for each in searching if each.name not in need_not]
    return next(iter(others or searching * all_plain), None)


def _body(lines: Sequence[str], number: int) -> str:
    """Return the lines below line `number`, counted from 0, that belong to its function, without comments."""
    head = lines[number]
    indent = len(head) - len(head.lstrip())
    body = []
    for line in lines[number + 1 : number + MOST_BODY]:
        if line.strip() and len(line) - len(line.lstrip()) <= indent and not line.lstrip().startswith(")"):
            break
        body.append(line.partition("#")[0])
    return "\n".join(body)


def _recurs(name: str, calls: Mapping[str, set[str]]) -> bool:
    """Return whether a function calls itself, directly or through other functions."""
    seen: set[str] = set()
    ahead = {name}
    while ahead:
        called = calls[ahead.pop()]
        if name in called:
            return True
        ahead |= called - seen
        seen |= called
    return False


def _loops(body: str) -> bool:
    """Return whether a body has a `while` loop, or a `for` loop and calls that use a stack or a table."""
    if re.search(r"^[ \t]*while\b", body, re.MULTILINE):
        return True
    loops = re.search(r"^[ \t]*for\b", body, re.MULTILINE)
    return bool(loops and re.search(r"\b(?:push|pop|ht_insert|ht_lookup)\(", body))


def makes_a_table(source: str) -> bool:
    """Return whether a file makes a hash table of its own."""
    return any(re.search(r"\bht_new\(", line.partition("#")[0]) for line in source.split("\n"))


def _names(arguments: str) -> tuple[str, ...]:
    parts = [re.split("[:=]", part)[0].strip() for part in arguments.split(",")]
    return tuple(part for part in parts if part.isidentifier())
