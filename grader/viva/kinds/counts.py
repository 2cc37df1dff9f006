"""Questions about how much a search does: calls, jumps, depth."""

from collections import Counter
from collections.abc import Iterator
from random import Random

from grader.catalog.tasks import Task
from grader.judging import kinds
from grader.judging.causes.walk import follow
from grader.judging.kinds.both_ends import BothEnds
from grader.viva.author import Author, Search, chosen_boards, searches
from grader.viva.question import Answer, Drawn, Question, ask, numbers


def calls(author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask how many times the function that calls itself is called."""
    for search in searches(author, task, draw):
        run = search.run
        if run.function is None:
            continue
        yield from search.asks_number(
            "number of calls",
            f"`peg_solve` is given this board. How many times is `{search.function}` called in all?",
            (len(run.visits), "once for the board itself, and once for each jump that is made"),
            (len(run.visits) - 1, "the jumps: the first call comes without one"),
            (len({visit.position for visit in run.visits}), "the different boards: some are met twice"),
            (len(search.known.after), "the boards that can be reached"),
            (2 * len(run.visits) - 1, "the jumps that are taken back are counted, too"),
            (sum(visit.before == 0 for visit in run.visits) + 1, "only the calls made by the first one"),
            (run.first_end + 1, "the calls up to the first board that gets stuck or is solved"),
        )


def taken_back(author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask how many jumps are taken back on a board that is solved."""
    for search in searches(author, task, draw, lambda known: known.start in known.winning):
        steps = follow(search.known, search.run.trace.noted)
        made = len(steps.steps) - steps.steps.count(None)
        if steps.lost or not made or made != len(search.run.visits) - 1:
            continue
        back, solution = steps.steps.count(None), search.known.start.bit_count() - 1
        yield from search.asks_number(
            "taken back",
            "`peg_solve` solves this board. How many jumps are taken back before it returns?",
            (back, "that is how often a jump is undone on the board"),
            (made, "all jumps that are made"),
            (made - solution, "the jumps that do not belong to the solution"),
            (solution, "the jumps of the solution"),
            (search.run.first_end, "the jumps of the first line of play"),
            (0, "as if nothing was taken back once the board is solved"),
        )


def deepest(author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask how many calls of the function that calls itself are open at most."""
    for search in searches(author, task, draw, lambda known: known.start not in known.winning):
        run = search.run
        if run.function is None:
            continue
        depth = max(len(run.line(at)) for at in range(len(run.visits))) + 1
        yield from search.asks_number(
            "calls at the same time",
            f"`peg_solve` is given this board. How many calls of `{search.function}` have begun, and not yet "
            "returned, at the deepest place of the search?",
            (depth, "one for each jump on the way there, and the first one"),
            (depth - 1, "the jumps on the way there: the first call comes without one"),
            (search.cells.count("*"), "the pegs on the board, but no line of play leaves none"),
            (len(run.visits), "all calls, most of which have returned by then"),
            (len(search.known.after[search.known.start]), "the jumps of the first board"),
            (len(search.known.after), "the boards that can be reached"),
        )


def most_called(author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask which of the student's functions is called most."""
    for search in searches(author, task, draw):
        counted = _counted(search)
        ranked = counted.most_common()
        if len(ranked) < 4 or ranked[0][1] < 2 * ranked[1][1]:
            continue
        right, *wrong = (Answer(name, f"called {times:,} times") for name, times in ranked)
        words = "`peg_solve` is given this board. Which of these functions is called most?"
        yield from search.asks("called most", words, right, wrong)


def can_win(author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask how many boards are in the table after one jump back."""
    if not isinstance(kinds.of(task), BothEnds):
        return
    for known in chosen_boards(author.boards, draw, lambda known: len(known.bits) <= 9, 1):
        board = known.board(known.start)
        size = author.program(task).winning(board, 1)
        ends, before = len(known.won), len(known.before(known.won))
        if size != ends + before:
            return
        answers = numbers(
            (size, f"{ends} boards of one peg, and {before} of two pegs"),
            (before, "without the boards of one peg"),
            (ends, "only the boards of one peg"),
            (ends + before // 2, "as if each three holes in a line allowed one jump, not two"),
            (before + 1, "as if the game ended on one hole only"),
            (ends + 2 * before, "as if each jump back led to two boards"),
        )
        words = (
            "`fill_winning` is given the holes of this board, and goes back one jump. How many boards are "
            "then in its table?"
        )
        boards = (Drawn(known.text(known.start)),)
        yield from ask(draw, "boards that can win", task.file, words, *answers, boards=boards)


def _counted(search: Search) -> Counter[str]:
    """Return how many times each function is called, without those whose names two files have."""
    trace = search.run.trace
    names = [name.partition(" ")[2] for name in trace.functions]
    twice = {name for name in names if names.count(name) > 1}
    counted = zip(names, trace.calls, strict=True)
    return Counter({name: times for name, times in counted if name not in twice and "<" not in name})
