"""Questions about what a small change of the file would do; the changed file is run to find out."""

import ast
import itertools
from collections import Counter
from collections.abc import Iterator
from random import Random

from grader.catalog.tasks import Task
from grader.sandbox.child.trace import LOOKED, PUT
from grader.tracing.program import Program
from grader.viva.author import Author, Search, nodes_of, searches
from grader.viva.question import Answer, Question

MOST_LINES = 3  # of a statement that is left out
MOST_SWAPS = 3  # tried
MOST_PAIRS = 10_000  # of lines to choose from; of functions inside functions there may be far more
WITHOUT = {"look-up": LOOKED, "insert": PUT}
SAME, NUMBER, BOARD, ERROR, ENDLESS = OUTCOMES = (
    "`peg_solve` returns {number} and leaves the board as it does now",
    "`peg_solve` returns something else",
    "`peg_solve` returns {number}, but leaves another board than it does now",
    "the program fails: with an error, or by a recursion without end",
    "the search goes on forever, or far too long",
)


def without(name: str, author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask how much would be searched if boards were not looked up, or not put into the table."""
    if not task.table:
        return
    kind = WITHOUT[name]
    for search in searches(author, task, draw, lambda known: bool(known.met_again())):
        lines = {event.line for event in search.run.trace.events if event.kind == kind and event.first & 1}
        left_out = _left_out(author.source(task), next(iter(lines), 0)) if len(lines) == 1 else None
        if left_out is None:
            continue
        source, first, last = left_out
        board = search.known.board(search.known.start)
        run = author.program(task, source).run(board)
        if run is None or len(run.visits) == len(search.run.visits):
            continue
        counted, now = len(run.visits), len(search.run.visits)
        what = f"line {first} is" if first == last else f"lines {first} to {last} are"
        different = len({visit.position for visit in run.visits})
        yield from search.asks_number(
            f"without the {name}",
            f"`peg_solve` is given this board. Its search comes to {now} boards, this one included; one that "
            f"it comes to twice counts twice. To how many does it come if {what} replaced by `pass`?",
            (counted, "each board is searched again each time that the search comes to it"),
            (now, "as many as now"),
            (now + (counted - now) // 2, "not all that is searched again is counted"),
            (2 * now, "twice as many as now"),
            (different, "each different board once"),
            lines=author.lines(task, first, last),
        )


def _left_out(source: str, line: int) -> tuple[str, int, int] | None:
    """Return a file without the statement at a line, and the statement's lines; None if it holds too much."""
    at = min(
        (each for each in _statements(source) if each.lineno <= line <= (each.end_lineno or line)),
        key=lambda each: (each.end_lineno or 0) - each.lineno,
        default=None,
    )
    if at is None or at.end_lineno is None or at.end_lineno - at.lineno >= MOST_LINES:
        return None
    if isinstance(at, ast.If) and at.orelse:
        return None
    lines = source.split("\n")
    lines[at.lineno - 1] = lines[at.lineno - 1][: at.col_offset] + "pass"
    for number in range(at.lineno, at.end_lineno):
        lines[number] = ""
    return "\n".join(lines), at.lineno, at.end_lineno


def _statements(source: str) -> Iterator[ast.stmt]:
    """Yield the statements that stand alone on their lines, an `if` with all its branches."""
    kinds = (ast.Expr, ast.If, ast.Assign, ast.Return)
    simple = [each for each in nodes_of(source) if isinstance(each, kinds)]
    taken = Counter(each.lineno for each in simple if not isinstance(each, ast.If))
    yield from (each for each in simple if taken[each.lineno] <= 1)


def swapped(author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask what happens if two lines that follow each other change places."""
    for search in searches(author, task, draw):
        lines = author.source(task).split("\n")
        firsts = list(dict.fromkeys(itertools.islice(_pairs(author.source(task), search), MOST_PAIRS)))
        for first in draw.sample(firsts, min(MOST_SWAPS, len(firsts))):
            second = first + 1
            changed = [*lines[: first - 1], lines[first], lines[first - 1], *lines[second:]]
            outcome = _outcome(search, author.program(task, "\n".join(changed)))
            if outcome is None:
                continue
            number = search.run.trace.number
            alike = {ERROR, ENDLESS} if outcome in (ERROR, ENDLESS) else {outcome}  # which may look the same
            others = [each.format(number=number) for each in OUTCOMES if each not in alike]
            yield from search.asks(
                "lines swapped",
                f"For this board `peg_solve` returns {number}. What is true once lines {first} and {second} "
                "have changed places?",
                Answer(outcome.format(number=number), "seen when the changed file ran"),
                [Answer(each, "not so when it was tried") for each in draw.sample(others, len(others))],
                lines=author.lines(task, first, second),
            )


def _pairs(source: str, search: Search) -> Iterator[int]:
    """Yield the first of two neighbouring lines of the function that searches that may be exchanged.

    Functions of its name may be inside one another; then a line comes several times.
    """
    for function in nodes_of(source):
        if not isinstance(function, ast.FunctionDef) or function.name != search.function:
            continue
        for block in (
            getattr(node, name, None) for node in ast.walk(function) for name in ("body", "orelse")
        ):
            for one, two in itertools.pairwise(block if isinstance(block, list) else ()):
                on_two_lines = one.lineno == one.end_lineno == two.lineno - 1 and two.lineno == two.end_lineno
                if on_two_lines and _calls(one, two):
                    yield one.lineno


def _calls(one: ast.stmt, two: ast.stmt) -> bool:
    """Return whether both call something, or one does and the other returns: what matters in a search."""
    simple = (ast.Expr, ast.Assign, ast.Return)
    if not isinstance(one, simple) or not isinstance(two, simple) or isinstance(one, ast.Return):
        return False
    both = [any(isinstance(node, ast.Call) for node in ast.walk(each)) for each in (one, two)]
    return both[0] and (both[1] or isinstance(two, ast.Return))


def _outcome(search: Search, changed: Program) -> str | None:
    """Return what a changed program does on the board; None if that is not known."""
    board = search.known.board(search.known.start)
    before, after = search.run.trace, changed.trace(board)
    if after is None:
        return ENDLESS if changed.is_slow(board) else None
    if after.error is not None:
        return ERROR
    if not after.is_whole:
        return None  # it may end later
    if after.number != before.number:
        return NUMBER
    return SAME if (after.board == before.board).all() else BOARD
