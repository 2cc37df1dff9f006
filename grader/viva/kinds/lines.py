"""Questions about which line of the student's file does something that a search was seen to do."""

import ast
from collections.abc import Iterator, Mapping
from random import Random
from types import MappingProxyType

from grader.catalog.tasks import Task
from grader.sandbox.child.trace import CALLED, LEFT, LOOKED, PUSHED, PUT, SET
from grader.viva.author import Author, Search, nodes_of, searches
from grader.viva.kinds.table import the_table
from grader.viva.question import Answer, Question, Shows, ask

# What a line can do. It is asked about the ROLES; a call such as `push(...)` says the others by its name.
SOLVED, FOUND, GIVES_UP, WINS, BACK, DEEPER = ROLES = ("solved", "found", "give up", "win", "back", "deeper")
PUTS, PLAYS, LOOKS, PUSHES = "put", "play", "look", "push"
ENDS = "ends the call of `{function}` for a board"
WORDS: Mapping[str, str] = MappingProxyType(
    {
        SOLVED: ENDS + " with one peg",
        FOUND: ENDS + " that is in {table} when the call begins",
        GIVES_UP: ENDS + "{unknown} once all of its jumps have failed",
        WINS: ENDS + " one of whose jumps wins",
        BACK: "takes a jump back",
        PUTS: "puts a board into {table}",
        DEEPER: "searches the board that a jump leads to",
        PLAYS: "makes a jump on the board",
        LOOKS: "looks a board up in {table}",
        PUSHES: "pushes a move",
    }
)


def line_that(role: str, author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask which line has a role."""
    function, roles = _roles_of(author, task)
    own = roles.get(role, set())
    if len(own) != 1:
        return
    (right,) = own
    alone = [(each, next(iter(lines))) for each, lines in roles.items() if len(lines) == 1]
    table = the_table(task)
    unknown = f" that is not in {table}" if task.table else ""
    words = {
        each: text.format(function=function, table=table, unknown=unknown) for each, text in WORDS.items()
    }
    told = {line: f"it {words[each]}".replace("`", "") for each, line in alone if line != right}
    shared = {line for each, lines in roles.items() if len(lines) > 1 for line in lines}
    indirectly = roles.get(DEEPER, set()) if role == BACK else set[int]()
    wrong = [(line, why) for line, why in told.items() if line not in shared | indirectly]
    wrong = draw.sample(wrong, len(wrong))
    if role in (SOLVED, FOUND, GIVES_UP, WINS):
        ends = [(line, why) for line, why in wrong if why.startswith("it ends")]
        others = [(line, "it ends a call of another function") for line in _other_ends(author, task, right)]
        wrong = [*ends, *draw.sample(others, len(others)), *wrong]
    answers = [Answer(_shown(author, task, line), why) for line, why in wrong]
    correct = Answer(_shown(author, task, right), "seen when the program ran")
    question = f"line: {role}", task.file, f"Which line {words[role]}?"
    yield from ask(draw, *question, correct, answers, Shows.CODE)


def _other_ends(author: Author, task: Task, line: int) -> list[int]:
    """Return the lines on which other functions than that of a line return."""
    nodes = nodes_of(author.source(task))
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    own = {
        each
        for function in functions
        if function.lineno <= line <= (function.end_lineno or line)
        for each in range(function.lineno, (function.end_lineno or line) + 1)
    }
    return [node.lineno for node in nodes if isinstance(node, ast.Return) and node.lineno not in own]


def _roles_of(author: Author, task: Task) -> tuple[str, dict[str, set[int]]]:
    """Return the function that searches, and the lines that do something on a few boards, by what they do."""
    roles: dict[str, set[int]] = {}
    function = ""
    same = Random(task.name)  # the same boards for every role, so that the program runs once on each
    for search in [
        *searches(author, task, same, lambda known: bool(known.met_again()), 2),
        *searches(author, task, same, lambda known: known.start in known.winning, 2),
    ]:
        function = search.function
        for each, lines in roles_in(search).items():
            roles.setdefault(each, set()).update(line for line in lines if author.line(task, line))
    return function, roles


def _shown(author: Author, task: Task, number: int) -> str:
    return f"{number}: {author.line(task, number)}"


def roles_in(search: Search) -> dict[str, set[int]]:
    """Return the lines that were seen to do something in a search, by what they do."""
    run, roles = search.run, dict[str, set[int]]()

    def add(role: str, line: int) -> None:
        if role and line > 0:
            roles.setdefault(role, set()).add(line)

    for role, line in _jump_lines(search):
        add(role, line)
    open_calls, visit, hit = list[int](), -1, False
    for event in run.trace.events:
        if event.kind == LOOKED and event.first & 1:
            add(LOOKS, event.line)
            hit = event.first >= 2
        elif event.kind == PUT and event.first == 1:
            add(PUTS, event.line)
        elif event.kind == PUSHED:
            add(PUSHES, event.line)
        elif event.kind == CALLED and event.first == run.function:
            visit += 1
            if open_calls:
                add(DEEPER, event.line)
            open_calls.append(visit)
            hit = False
        elif event.kind == LEFT and event.first == run.function:
            left = open_calls.pop()
            add(_ending(search, left, visit, hit), event.line)
            hit = False
    return roles


def _ending(search: Search, left: int, last: int, hit: bool) -> str:
    """Return what the end of a call is; empty if it is none of the roles.

    `left` is the visit whose call ends, `last` the last visit; `hit` says that a look-up found a board since.
    """
    known, visits = search.known, search.run.visits
    position = visits[left].position
    if position in known.won:
        return SOLVED
    if left == last:  # no jump was tried: it is in the table, or given up by another rule
        return FOUND if hit else ""
    searched = {visit.position for visit in visits[: last + 1]}
    if position in known.winning:
        return "" if known.winning.isdisjoint(searched & {*known.after[position]}) else WINS
    return GIVES_UP if searched.issuperset(known.after[position]) else ""


def _jump_lines(search: Search) -> list[tuple[str, int]]:
    """Return each line that was seen to set cells of the board, with what it did."""
    known, found = search.known, list[tuple[str, int]]()
    now, path, lines = known.start, [known.start], list[int]()
    for event in search.run.trace.events:
        if event.kind != SET or event.first != 0 or event.second < 0:
            continue
        bit, is_peg = 1 << event.second // 9, event.second % 3 == 2
        now = now | bit if is_peg else now & ~bit
        lines.append(event.line)
        if (now ^ path[-1]).bit_count() < 3:
            continue
        back = len(path) > 1 and now == path[-2]
        found += [(BACK if back else PLAYS, line) for line in lines]
        path, lines = (path[:-1] if back else [*path, now]), []
    return found
