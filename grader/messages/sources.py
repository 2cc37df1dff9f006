"""Find functions in a student's source; it is never run."""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from grader.submissions.syntax import MOST_READ, found_once, nodes_in

_COMPILES = {"compiled", "njit", "jit"}
_CALL = re.compile(r"\b(\w+)\(")
_OF_MEMORY = {"push", "pop", "ht_insert", "ht_lookup"}
MOST_FUNCTIONS = 100  # definitions that are read

# The functions that the grader calls, with their number of arguments.
CALLED = {"move_new": 4, **dict.fromkeys(("row_start", "col_start", "row_end", "col_end"), 1)}
CALLED |= {"board_key": 1, "key_hash": 1, "fill_winning": 3}
CALLED |= dict.fromkeys(("first_hash", "second_hash", "open_new", "closed_new"), 2)
CALLED |= dict.fromkeys(("open_insert", "open_lookup", "closed_insert", "closed_lookup"), 2)


@dataclass(frozen=True)
class Function:
    """A function in a student's file; it `loops` by `while`, or by `for` with calls to a stack or table."""

    name: str
    file: str
    line: int
    arguments: tuple[str, ...]
    compiled: bool
    calls: frozenset[str] = frozenset()
    loops: bool = False

    @property
    def call(self) -> str:
        """How to call the function, such as `solve(board, stack)`."""
        return f"{self.name}({', '.join(self.arguments)})"


@found_once
def functions(sources: Mapping[str, str]) -> Mapping[str, Function]:
    """Return the functions of all files by name; of two functions with the same name, the later one.

    No more than MOST_FUNCTIONS definitions are read, and no file that is very long or cannot be parsed.
    """
    definitions = (
        (file, node)
        for file, node in nodes_in(sources)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    found = [_function(file, node) for file, node in islice(definitions, MOST_FUNCTIONS)]
    files = [*sources]
    return {each.name: each for each in sorted(found, key=lambda each: (files.index(each.file), each.line))}


def _function(file: str, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Function:
    inside = [*ast.walk(node)]
    called = [each.func for each in inside if isinstance(each, ast.Call)]
    calls = {each.id for each in called if isinstance(each, ast.Name)}
    calls |= {each.attr for each in called if isinstance(each, ast.Attribute)}
    loops = any(isinstance(each, ast.While) for each in inside)
    loops |= any(isinstance(each, ast.For) for each in inside) and not calls.isdisjoint(_OF_MEMORY)
    taken = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    names = tuple(each.arg for each in taken)
    return Function(node.name, file, node.lineno, names, is_compiled(node), frozenset(calls), loops)


def is_compiled(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a decorator of a function compiles it."""
    named = [each.func if isinstance(each, ast.Call) else each for each in node.decorator_list]
    return any(getattr(each, "id", getattr(each, "attr", "")) in _COMPILES for each in named)


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


def with_wrong_arguments(known: Mapping[str, Function], peg_solve: int) -> Function | None:
    """Return a function that does not take as many arguments as the grader passes; None if each does.

    That of `peg_solve` depends on the task.
    """
    for name, count in {"peg_solve": peg_solve, **CALLED}.items():
        if name in known and len(known[name].arguments) != count:
            return known[name]
    return None


def not_compiled(
    sources: Mapping[str, str], file: str, need_not: tuple[str, ...] = ("peg_solve",)
) -> Function | None:
    """Return an uncompiled function of a file that slows a program down; None if there is none.

    Such a function is itself a search, or the grader calls it again and again.

    Args:
        need_not: functions that need not be compiled. One of them is returned only if there is no other, and
            if no function of the file is compiled.
    """
    if any(len(source) > MOST_READ for source in sources.values()):
        return None
    known = functions(sources)
    long = {name for name, each in known.items() if each.loops or _recurs(name, known)}
    fast = {name for name in long if known[name].compiled}
    mine = [each for each in known.values() if each.file == file]
    plain = [each for each in mine if not each.compiled]
    often = CALLED.keys() - set(need_not)
    # A loop around a compiled search does not count: that is fast.
    searching = [
        each
        for each in plain
        if each.name in often or _recurs(each.name, known) or (each.name in long and not each.calls & fast)
    ]
    others = [each for each in searching if each.name not in need_not]
    return next(iter(others or searching * (plain == mine)), None)


def _recurs(name: str, known: Mapping[str, Function]) -> bool:
    """Return whether a function calls itself, directly or through other functions."""
    seen: set[str] = set()
    ahead = {name}
    while ahead:
        called = known[ahead.pop()].calls & known.keys()
        if name in called:
            return True
        ahead |= called - seen
        seen |= called
    return False


def makes_a_table(source: str) -> bool:
    """Return whether a file makes a hash table of its own."""
    return any(re.search(r"\bht_new\(", line.partition("#")[0]) for line in source.split("\n"))
