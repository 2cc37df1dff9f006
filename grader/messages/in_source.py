"""Find mistakes that a student's source shows; it is never run."""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from functools import wraps
from itertools import chain, islice
from typing import Any, NamedTuple, TypeVar

from grader.messages.sources import is_compiled
from grader.submissions.syntax import found_once, functions_in, nodes_in, trees_of

Part = TypeVar("Part")
Facts = dict[str, Any]
Shown = Iterator[tuple[int, str, Facts]]  # lines, each with a message about it and its facts
Files = Mapping[str, str]  # texts by name

MOST_NODES = 100_000  # of a file to look at, in nested loops once for each loop; 500 lines have 10,000
MOST_DUMPED = 100  # nodes of a call's arguments
MOST_LOOPS = 20  # of a function that are read, each with all that is in it
_LEAVES = (ast.Break, ast.Return, ast.Raise)
_LOOPS = (ast.For, ast.While)


class Found(NamedTuple):
    """A mistake: where it shows, and the message about it."""

    file: str
    line: int
    id: str
    facts: Facts


Finder = Callable[[Files], Sequence[Found]]
Look = Callable[[Part], Shown]


def find(id: str, sources: Files) -> Sequence[Found]:
    """Return all mistakes in some files that a message is about."""
    return [each for each in _FINDERS.get(id, expressions)(sources) if each.id == id]


def _in_each(parts: Callable[[Files], Iterator[tuple[str, Part]]]) -> Callable[[Look[Part]], Finder]:
    """Let a function that looks at one part of a file look at all of some files."""

    def finder(look: Look[Part]) -> Finder:
        @found_once
        @wraps(look)
        def once(sources: Files) -> Sequence[Found]:
            return [Found(file, *shown) for file, part in parts(sources) for shown in look(part)]

        return once

    return finder


def below(root: ast.AST, kinds: type[ast.AST] | tuple[type[ast.AST], ...]) -> set[int]:
    """Return the ids of all nodes that are inside of nodes of some kinds."""
    found = set[int]()
    todo = [(root, False)]
    while todo:
        node, inside = todo.pop()
        found |= {id(node)} if inside else set()
        inside |= isinstance(node, kinds)
        todo += [(each, inside) for each in ast.iter_child_nodes(node)]
    return found


@_in_each(nodes_in)
def expressions(node: ast.AST) -> Shown:
    """Find mistakes that a single expression shows."""
    match node:
        case ast.BinOp(ast.Constant(2 | 10), ast.BitXor()):
            yield node.lineno, "xor-is-no-power", {"base": ast.unparse(node.left)}
        case ast.Call(ast.Name("key_hash"), [ast.Call(ast.Name("board_key"))]):
            yield node.lineno, "hash-as-key", {}
        case ast.Call(ast.Name("ht_insert" | "ht_lookup"), [_, ast.Call(ast.Name("key_hash"))]):
            yield node.lineno, "hash-as-key", {}
        case ast.Call(ast.Name("hash"), [board]) if _is_board(board):
            yield node.lineno, "hash-of-board", {}
        case ast.Call(ast.Attribute(attr="add"), [board]) if _is_board(board):
            yield node.lineno, "cannot-be-hashed", {"kind": "a board"}
        case ast.Compare(board, [ast.In() | ast.NotIn()]) if _is_board(board):
            yield node.lineno, "cannot-be-hashed", {"kind": "a board"}
        case ast.Return(ast.Call(made)) | ast.Assign(value=ast.Call(made)) if (
            getattr(made, "attr", "") == "sort"
        ):
            yield node.lineno, "sort-returned", {}


def _is_board(node: ast.expr) -> bool:
    match node:
        case ast.Name(name) | ast.Call(ast.Attribute(ast.Name(name), "copy" | "tobytes"), []):
            return name == "board" or name.endswith("_board")
    return False


@_in_each(trees_of)
def endless_loop(tree: ast.Module) -> Shown:
    """Find the loops that compare numbers which they do not change, or only inside an `if`.

    Such a loop may still end by a `break` or a `return` in its block, as a search does that finds a solution.
    """
    unread = MOST_NODES
    for node in ast.walk(tree):
        if isinstance(node, ast.While) and not any(isinstance(each, _LEAVES) for each in node.body):
            inside = list(islice(ast.walk(node), unread))
            unread -= len(inside)
            if not unread:
                return
            compared = _compared(node.test)
            names = [each for each in inside if isinstance(each, ast.Name)]
            set_here = [each for each in names if not isinstance(each.ctx, ast.Load)]
            changed = Counter(each.id for each in set_here)
            always = isinstance(node.test, ast.Constant) and node.test.value
            left = any(isinstance(each, _LEAVES) for each in inside)
            if (compared and changed.keys().isdisjoint(compared)) or (always and not left):
                variables = [name for name in dict.fromkeys(compared) if not name.isupper()]
                facts = {"names": "` or `".join(variables), "first": "".join(variables[:1])}
                yield node.lineno, "endless-loop", facts
                continue
            chosen = below(node, ast.If)  # what is set in one place may stay; what is in each branch, not
            may = {each.id for each in set_here if id(each) in chosen and changed[each.id] == 1} & {*compared}
            never = [each for each in _counted(node.test) if each in compared and each not in changed]
            if never or (may and may == changed.keys() & {*compared}):
                named = "` and `".join(never or sorted(may))
                yield node.lineno, "loop-may-not-end", {"names": named, "never": never}


def _counted(test: ast.expr) -> list[str]:
    """Return the names that a condition of several parts asks to be below something."""
    parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else []
    below_most = [part for part in parts if isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.Lt)]
    return [part.left.id for part in below_most if isinstance(part.left, ast.Name)]


def _compared(test: ast.expr) -> list[str]:
    """Return the names in a condition that compares numbers; an empty list for any other condition."""
    if not any(isinstance(node, ast.Compare) for node in ast.walk(test)):
        return []
    plain = (ast.Compare, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Name, ast.Constant)
    parts = [node for node in ast.walk(test) if isinstance(node, ast.expr)]
    names = [node.id for node in parts if isinstance(node, ast.Name)]
    return names if all(isinstance(each, plain) for each in parts) else []


@_in_each(trees_of)
def single_round(tree: ast.Module) -> Shown:
    """Find the loops over a range whose last statement is a `return`."""
    for node in ast.walk(tree):
        match node:
            case ast.For(iter=ast.Call(ast.Name("range")), body=[_, *_, ast.Return() as last]):
                if not any(isinstance(each, ast.Continue) for each in ast.walk(node)):
                    yield last.lineno, "returns-in-first-round", {}


@_in_each(functions_in)
def loop_count(function: ast.FunctionDef) -> Shown:
    """Find the parameters that a loop counts down, passes to a recursive call, and never sets back."""
    mine = {each.arg for each in function.args.args}
    for loop in islice((each for each in ast.walk(function) if isinstance(each, _LOOPS)), MOST_LOOPS):
        passed, sets, lines = set[str](), Counter[str](), dict[str, int]()
        for node in ast.walk(loop):
            match node:
                case ast.Call(ast.Name(function.name), arguments):
                    passed |= {each.id for each in arguments if isinstance(each, ast.Name)}
                case ast.Name(name, ast.Store()):
                    sets[name] += 1
                case ast.AugAssign(ast.Name(name), ast.Sub(), ast.Constant(1)):
                    lines[name] = node.lineno
                case ast.Assign([ast.Name(name)], ast.BinOp(ast.Name(same), ast.Sub(), ast.Constant(1))):
                    lines |= {name: node.lineno} if same == name else {}
        for name, line in lines.items():
            if name in mine & passed and sets[name] == 1:
                yield line, "counted-in-loop", {"name": name}


@_in_each(functions_in)
def same_count(function: ast.FunctionDef) -> Shown:
    """Find the numbers that every recursive call gets as they are, though the function returns them."""
    calls, numbers, names = list[ast.Call](), set[int](), dict[str, list[ast.Name]]()
    for node in ast.walk(function):
        numbers |= {id(each) for each in _numbers(node)}
        match node:
            case ast.Call(ast.Name(function.name)):
                calls.append(node)
            case ast.Name(name):
                names.setdefault(name, []).append(node)
    for number, parameter in enumerate(each.arg for each in function.args.args):
        used = names.get(parameter, [])
        passed = {id(call.args[number]) for call in calls if len(call.args) > number}
        same = sum(id(each) in passed for each in used)
        known = passed | numbers
        other = all(id(each) in known and isinstance(each.ctx, ast.Load) for each in used)
        if calls and same == len(calls) < len(used) and other:
            yield calls[0].lineno, "count-never-drops", {"name": parameter}


def _numbers(node: ast.AST) -> list[ast.expr | None]:
    """Return what a node takes for numbers: it compares, returns or assigns them, or is a call of `min`."""
    match node:
        case ast.Compare(left, _, others):
            return [left, *others]
        case ast.Return(value) | ast.Assign(value=value):
            return [value]
        case ast.Call(ast.Name("min"), found):
            return [*found]
    return []


@_in_each(functions_in)
def lost_answer(function: ast.FunctionDef) -> Shown:
    """Find functions that do no more than compare what their recursive calls return.

    The name that they give to the answer may be empty.
    """
    lost = [*_lost(function)] if _answers(function) else []
    values = (node.value for node in ast.walk(function) if isinstance(node, ast.Return))
    returned = {value.id for value in values if isinstance(value, ast.Name)}
    if lost and None not in lost and lost[0] is not None:
        line, name = lost[0]  # it may be returned where a test has told its value
        facts = {"function": function.name, "name": name, "in_one_case": name in returned}
        yield line, "answer-lost", facts


def _answers(function: ast.FunctionDef) -> bool:
    """Return whether a function returns a value that it has itself, and none that other calls may set."""
    nodes = [*ast.walk(function)]
    returned = [node.value for node in nodes if isinstance(node, ast.Return) and node.value]
    if any(isinstance(value, ast.Subscript | ast.Attribute) for value in returned):
        return False
    return bool(returned) and not any(isinstance(node, ast.Global | ast.Nonlocal) for node in nodes)


def _lost(function: ast.FunctionDef) -> Iterator[tuple[int, str] | None]:
    """Yield, for each recursive call, the line and the name of a lost answer; None if it may be of use."""
    nodes = [*ast.walk(function)]
    known = _known_answers(function)
    statements = {id(node.value): node for node in nodes if isinstance(node, ast.Assign | ast.Expr)}
    comparisons = [node for node in nodes if isinstance(node, ast.Compare)]
    compared = {id(operand) for node in comparisons for operand in (node.left, *node.comparators)}
    loaded = [node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    used = {node.id for node in loaded if id(node) not in compared and id(node) not in known}
    for call in nodes:
        match call, statements.get(id(call)):
            case ast.Call(ast.Name(function.name)), ast.Expr():
                yield call.lineno, ""
            case ast.Call(ast.Name(function.name)), ast.Assign([ast.Name(name)]) if name not in used:
                yield call.lineno, name
            case ast.Call(ast.Name(function.name)), _:
                yield None


def _known_answers(function: ast.FunctionDef) -> set[int]:
    """Return the ids of the names below a test such as `left == 1`, which has told their value already."""
    found = set()
    todo: list[tuple[ast.AST, frozenset[str]]] = [(function, frozenset())]
    while todo:
        node, names = todo.pop()
        if isinstance(node, ast.Name) and node.id in names:
            found.add(id(node))
        body: list[ast.stmt] = []
        match node:
            case ast.If(ast.Compare(ast.Name(name), [ast.Eq()], [ast.Constant()]), body):
                todo += [(each, names | {name}) for each in body]
        known = {id(each) for each in body}
        todo += [(each, names) for each in ast.iter_child_nodes(node) if id(each) not in known]
    return found


@_in_each(functions_in)
def bare_return(function: ast.FunctionDef) -> Shown:
    """Find each `return` without a value in a compiled function."""
    if is_compiled(function):
        nodes = [node for node in ast.walk(function) if isinstance(node, ast.Return) and not node.value]
        for line in sorted(node.lineno for node in nodes):
            yield line, "path-without-return", {"function": ""}


@_in_each(functions_in)
def without_return(function: ast.FunctionDef) -> Shown:
    """Find functions whose end can be reached without a return.

    Only functions are looked at that return a value elsewhere, or say so in their head.
    """
    if _gives_value(function) and _ends(function.body):
        yield function.lineno, "path-without-return", {"function": function.name}


def _gives_value(function: ast.FunctionDef) -> bool:
    said = function.returns
    if said is not None:
        return not (isinstance(said, ast.Constant) and said.value is None)
    return any(isinstance(node, ast.Return) and node.value is not None for node in ast.walk(function))


def _ends(body: Sequence[ast.stmt]) -> bool:
    """Return whether the end of some statements can be reached, as far as their shape tells."""
    last = body[-1]
    while isinstance(last, ast.If):  # of which thousands may follow each other as `elif`
        if not last.orelse or _ends(last.body):
            return True
        last = last.orelse[-1]
    if isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and last.test.value:
        return any(isinstance(node, ast.Break) for node in ast.walk(last))
    if isinstance(last, ast.With):
        return _ends(last.body)
    # A `try` or a `match` may end in too many ways to tell.
    return not isinstance(last, ast.Return | ast.Raise | ast.Try | ast.Match)


@_in_each(functions_in)
def set_to_none(function: ast.FunctionDef) -> Shown:
    """Find the variables that a function sets to None, and elsewhere to something else."""
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    set_at_all = Counter(each.id for each in names if isinstance(each.ctx, ast.Store))
    to_none: dict[str, list[int]] = {}
    for node in ast.walk(function):
        match node:
            case ast.Assign([ast.Name(name)], ast.Constant(None)) | ast.AnnAssign(
                ast.Name(name), value=ast.Constant(None)
            ):
                to_none.setdefault(name, []).append(node.lineno)
    for name, lines in to_none.items():
        if set_at_all[name] > len(lines):
            yield lines[0], "none-in-one-place", {"name": name, "kind": "a number"}


def none_on_line(sources: Files, file: str, source: str) -> Sequence[Found]:
    """Find such variables of a file that a line of it names."""
    names = set(re.findall(r"\w+", source))
    return [each for each in set_to_none(sources) if each.file == file and each.facts["name"] in names]


def _with_given(sources: Files) -> Iterator[tuple[str, tuple[ast.FunctionDef, Set[str]]]]:
    """Yield each function, beside what any `peg_solve` calls its board."""
    all_of_them = [*functions_in(sources)]
    given = {each.args.args[0].arg for _, each in all_of_them if each.name == "peg_solve" and each.args.args}
    yield from ((file, (function, given)) for file, function in all_of_them)


@_in_each(_with_given)
def board_alias(part: tuple[ast.FunctionDef, Set[str]]) -> Shown:
    """Find each `new = board` that cannot be meant as a shorter name.

    A shorter name would not be given, nor set cells, in a loop, nor be returned or used beside the first. A
    parameter is a board if `peg_solve` calls its board so, or if its cells are named.
    """
    function, given = part
    again, ended, looped = list[tuple[int, str, str, str, bool]](), set[str](), below(function, _LOOPS)
    read, boards, copies = Counter[str](), {*given}, set[tuple[str, str]]()
    for node in ast.walk(function):
        match node:
            case ast.Assign([ast.Name(name)], ast.Call(ast.Attribute(ast.Name(board), "copy"))):
                copies.add((name, board))
            case ast.Assign([ast.Name(name)], ast.Name(board)):
                again.append((node.lineno, board, name, board, id(node) in looped))
            case ast.Assign([ast.Name(name)], ast.Subscript(ast.Name(board), ast.Slice(None, None, None))):
                again.append((node.lineno, board, name, f"{board}[:]", True))  # of a list it is a copy
            case ast.Subscript(ast.Name(name), ctx=how):
                boards.add(name)
                ended |= {name} if isinstance(how, ast.Store) and id(node) in looped else set()
            case ast.Return(ast.Name(name)):
                ended.add(name)
            case ast.Name(name, ast.Load()):
                read[name] += 1
    parameters = {each.arg for each in function.args.args}
    for line, board, name, to, anew in sorted(again):
        copied = anew or name in ended or (read[board] > 1 and read[name] > 0)
        if board in parameters and boards & {board, name} and copied:
            back = any((name, board) == each[1:3] for each in again)  # which sets no cell either
            yield line, "board-not-copied", {"of": board, "to": to, "name": name, "back": back, "copy": False}
        if (board, name) in copies and name in parameters:
            yield line, "board-not-copied", {"of": name, "to": "", "name": board, "back": True, "copy": True}


class JumpFunctions(NamedTuple):
    """The names of the three functions."""

    test: str = "can_jump"
    play: str = "play"
    take_back: str = "take_back"
    # whether they take the jump's step in rows and in columns, and not the number of a direction
    by_step: bool = False
    # whether nothing else is asked of a jump before it is made, as far as the source shows
    alone: bool = False


@found_once
def jump_functions(sources: Mapping[str, str]) -> JumpFunctions:
    """Return the functions by the handout's names, or else those of a test that alone leads to a jump.

    All three are called with the same arguments: the board, a row, a column and a direction or a step.
    """
    if any(isinstance(node, ast.FunctionDef) and node.name == "can_jump" for _, node in nodes_in(sources)):
        return JumpFunctions()
    found = (_in_loops(function) for _, function in functions_in(sources))
    return next(filter(None, found), JumpFunctions())


def _in_loops(function: ast.FunctionDef) -> JumpFunctions | None:
    """Return the functions of the only `if` that stands in a function's loops but in no other `if`."""
    looped, chosen = below(function, (ast.For, ast.While)), below(function, ast.If)
    outer = [each for each in ast.walk(function) if isinstance(each, ast.If) and id(each) not in chosen]
    inner = [each for each in outer if id(each) in looped]
    return _of(inner[0], {each.arg for each in function.args.args}) if len(inner) == 1 else None


def _of(node: ast.If, parameters: Set[str]) -> JumpFunctions | None:
    """Return the functions of an `if` with a jump in it; None if there is none, or one chosen elsewhere."""
    match node.test:
        case ast.Call(ast.Name(test), [ast.Name(), *jump] as given) if len(jump) in (3, 4):
            if any(isinstance(each, ast.Name) and each.id in parameters for each in jump):
                return None
            calls = [each for line in node.body for each in ast.walk(line) if isinstance(each, ast.Call)]
            wanted = _dumped(given)
            match [each.func for each in calls if wanted and _dumped(each.args) == wanted]:
                case [ast.Name(play), ast.Name(take_back)]:
                    return JumpFunctions(test, play, take_back, by_step=len(jump) == 4, alone=True)
    return None


def _dumped(arguments: Sequence[ast.expr]) -> list[str]:
    """Return some arguments in a form to compare; nothing if they are longer than any jump's."""
    nodes = chain.from_iterable(map(ast.walk, arguments))
    with suppress(ValueError):  # a number of more digits than Python writes
        return [*map(ast.dump, arguments)] if len([*islice(nodes, MOST_DUMPED)]) < MOST_DUMPED else []
    return []


_FINDERS = {
    **dict.fromkeys(("endless-loop", "loop-may-not-end"), endless_loop),
    "returns-in-first-round": single_round,
    "counted-in-loop": loop_count,
    "count-never-drops": same_count,
    "answer-lost": lost_answer,
    "board-not-copied": board_alias,
}
