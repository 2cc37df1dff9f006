"""Find a student's functions that test, make and take back a jump, whatever they are called."""

import ast
from collections.abc import Mapping, Set
from typing import NamedTuple

from grader.messages.in_source import below
from grader.submissions.syntax import found_once, functions_in, nodes_in


class JumpFunctions(NamedTuple):
    """The names of the three functions.

    Attributes:
        by_step: whether they take the jump's step in rows and in columns, and not the number of a direction.
        alone: whether nothing else is asked of a jump before it is made, as far as the source shows.
    """

    test: str = "can_jump"
    play: str = "play"
    take_back: str = "take_back"
    by_step: bool = False
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
            same = [each.func for each in calls if [*map(ast.dump, each.args)] == [*map(ast.dump, given)]]
            match same:
                case [ast.Name(play), ast.Name(take_back)]:
                    return JumpFunctions(test, play, take_back, by_step=len(jump) == 4, alone=True)
    return None
