"""Find a `while` loop that never ends, in a student's source."""

import ast
from collections.abc import Mapping
from itertools import islice
from typing import NamedTuple

from grader.submissions.syntax import found_once, trees_of

MOST_NODES = 100_000  # to look at, in nested loops once for each loop; a file of 500 lines has 10,000
_LEAVES = (ast.Break, ast.Return, ast.Raise)


class EndlessLoop(NamedTuple):
    """A loop, and the variables in its condition, none of which it changes; none for `while True`."""

    file: str
    line: int
    names: tuple[str, ...]

    @property
    def facts(self) -> dict[str, str]:
        """All these variables in one text, and the first of them; both are empty if there are none."""
        return {"names": "` or `".join(self.names), "first": "".join(self.names[:1])}


@found_once
def endless_loop(sources: Mapping[str, str]) -> EndlessLoop | None:
    """Return the first loop that compares only numbers which it does not change; None if there is none.

    It may still end by a `break` or a `return` in its block, as a search does that finds a solution.
    """
    unread = MOST_NODES
    for file, tree in trees_of(sources):
        for node in ast.walk(tree):
            if isinstance(node, ast.While) and not any(isinstance(each, _LEAVES) for each in node.body):
                inside = list(islice(ast.walk(node), unread))
                unread -= len(inside)
                if not unread:
                    return None
                compared = _compared(node.test)
                names = [each for each in inside if isinstance(each, ast.Name)]
                changed = {each.id for each in names if not isinstance(each.ctx, ast.Load)}
                always = isinstance(node.test, ast.Constant) and node.test.value
                left = any(isinstance(each, _LEAVES) for each in inside)
                if (compared and changed.isdisjoint(compared)) or (always and not left):
                    variables = [name for name in dict.fromkeys(compared) if not name.isupper()]
                    return EndlessLoop(file, node.lineno, tuple(variables))
    return None


def _compared(test: ast.expr) -> list[str]:
    """Return the names in a condition that compares numbers; an empty list for any other condition."""
    if not any(isinstance(node, ast.Compare) for node in ast.walk(test)):
        return []
    plain = (ast.Compare, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Name, ast.Constant)
    parts = [node for node in ast.walk(test) if isinstance(node, ast.expr)]
    names = [node.id for node in parts if isinstance(node, ast.Name)]
    return names if all(isinstance(each, plain) for each in parts) else []
