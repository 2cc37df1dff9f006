"""Find a second name that a search gives to its board in place of a copy, in a student's source."""

import ast
from collections import Counter
from collections.abc import Mapping, Set
from typing import NamedTuple

from grader.submissions.syntax import found_once, functions_in


class Alias(NamedTuple):
    """A parameter, its second name, and where it gets that."""

    of: str
    to: str  # what the second name is given
    name: str
    file: str
    line: int


@found_once
def board_alias(sources: Mapping[str, str]) -> Alias | None:
    """Return the first `new = board` that cannot be meant as a shorter name, if there is one."""
    all_of_them = [*functions_in(sources)]
    given = {each.args.args[0].arg for _, each in all_of_them if each.name == "peg_solve" and each.args.args}
    for file, function in all_of_them:
        found = _alias(function, given)
        if found is not None:
            board, name, line, to = found
            return Alias(board, to, name, file, line)
    return None


def _alias(function: ast.FunctionDef, given: Set[str]) -> tuple[str, str, int, str] | None:
    """Return a parameter, its second name, the line, and what the name is given there.

    A shorter name would not be given anew in a loop, nor be returned, nor be used beside the first one.

    Args:
        function: where to look.
        given: what `peg_solve` calls its board; any other parameter is a board if its cells are named.
    """
    again, cells, ended = list[tuple[str, str, int, bool, str]](), set[str](), set[str]()
    read = Counter[str]()
    todo: list[tuple[ast.AST, bool]] = [(function, False)]
    while todo:
        node, looped = todo.pop()
        match node:
            case ast.Assign([ast.Name(name)], ast.Name(board)):
                again.append((board, name, node.lineno, looped, board))
            case ast.Assign([ast.Name(name)], ast.Subscript(ast.Name(board), ast.Slice(None, None, None))):
                again.append((board, name, node.lineno, True, f"{board}[:]"))  # of a list it is a copy
            case ast.Subscript(ast.Name(name)):
                cells.add(name)
            case ast.Return(ast.Name(name)):
                ended.add(name)
            case ast.Name(name, ast.Load()):
                read[name] += 1
        looped |= isinstance(node, ast.For | ast.While)
        todo += [(each, looped) for each in ast.iter_child_nodes(node)]
    parameters = {each.arg for each in function.args.args}
    for board, name, line, looped, to in sorted(again, key=lambda each: each[2]):
        copied = looped or name in ended or (read[board] > 1 and read[name] > 0)
        if board in parameters and (cells | given) & {board, name} and copied:
            return board, name, line, to
    return None
