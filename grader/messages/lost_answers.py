"""Find a search that never returns what its recursive call returned, in a student's source."""

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from grader.submissions.syntax import syntax_tree


class LostAnswer(NamedTuple):
    """A function that calls itself, the name that it gives to the answer or empty, and the call's place."""

    function: str
    name: str
    file: str
    line: int

    @property
    def message(self) -> str:
        what = (
            f"{self.name}, which {self.function} returned" if self.name else f"what {self.function} returns"
        )
        return f"{what} for the board after a jump, is never returned" if self.name else f"{what} is not used"

    @property
    def help(self) -> str:
        kept = self.name or "it"
        return (
            f"it is the number of pegs left after that jump: return {kept}, or the smallest of these numbers"
        )


def lost_answer(sources: Mapping[str, str]) -> LostAnswer | None:
    """Return the first function whose recursive call has an answer that is at most compared; None if none."""
    for file, source in sources.items():
        tree = syntax_tree(source)
        for function in tree.body if tree is not None else ():
            if isinstance(function, ast.FunctionDef) and _answers(function):
                lost = [*_lost(function)]
                if lost and None not in lost and lost[0] is not None:
                    return LostAnswer(function.name, lost[0].name, file, lost[0].line)
    return None


def _answers(function: ast.FunctionDef) -> bool:
    return any(isinstance(node, ast.Return) and node.value is not None for node in ast.walk(function))


class _Call(NamedTuple):
    name: str
    line: int


def _lost(function: ast.FunctionDef) -> Iterator[_Call | None]:
    """Yield, for each recursive call, where its answer is lost; None if the answer may be of use."""
    statements = {
        id(node.value): node for node in ast.walk(function) if isinstance(node, ast.Assign | ast.Expr)
    }
    for call in ast.walk(function):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
            continue
        if call.func.id != function.name:
            continue
        match statements.get(id(call)):
            case ast.Expr():
                yield _Call("", call.lineno)
            case ast.Assign(targets=[ast.Name(id=name)]) if _only_compared(name, function):
                yield _Call(name, call.lineno)
            case _:
                yield None


def _only_compared(name: str, function: ast.FunctionDef) -> bool:
    """Return whether a name's value goes nowhere: it is used in no expression but comparisons."""
    compared = {
        id(operand)
        for node in ast.walk(function)
        if isinstance(node, ast.Compare)
        for operand in (node.left, *node.comparators)
    }
    return all(
        id(node) in compared
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
    )
