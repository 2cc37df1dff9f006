"""Questions about how much a search does: calls, jumps, depth."""

from collections import Counter
from random import Random

from grader.catalog.tasks import Task
from grader.judging.causes.walk import follow
from grader.viva.author import Author, Search, searches
from grader.viva.question import Answer, Asked, Drawn, Question, numbers, with_answers


def calls(author: Author, task: Task, draw: Random) -> Question | None:
    """Ask how many times the function that calls itself is called."""
    for search in searches(author, task, draw):
        run = search.run
        if run.function is None:
            continue
        asked = Asked(
            "number of calls",
            task.file,
            f"`peg_solve` is given this board. How many times is `{search.function}` called in all?",
            boards=(Drawn(search.cells),),
        )
        right, wrong = numbers(
            len(run.visits),
            "once for the board itself, and once for each jump that is made",
            [
                (len(run.visits) - 1, "the jumps: the first call comes without one"),
                (len({visit.position for visit in run.visits}), "the different boards: some are met twice"),
                (len(search.known.after), "the boards that can be reached"),
                (2 * len(run.visits) - 1, "the jumps that are taken back are counted, too"),
                (sum(visit.before == 0 for visit in run.visits) + 1, "only the calls made by the first one"),
                (run.first_end + 1, "the calls up to the first board that gets stuck or is solved"),
            ],
        )
        question = with_answers(asked, right, wrong, draw)
        if question is not None:
            return question
    return None


def taken_back(author: Author, task: Task, draw: Random) -> Question | None:
    """Ask how many jumps are taken back on a board that is solved."""
    for search in searches(author, task, draw, lambda known: known.start in known.winning):
        steps = follow(search.known, search.run.trace.noted)
        made = len(steps.steps) - steps.steps.count(None)
        if steps.lost or not made or made != len(search.run.visits) - 1:
            continue
        asked = Asked(
            "taken back",
            task.file,
            "`peg_solve` solves this board. How many jumps are taken back before it returns?",
            boards=(Drawn(search.cells),),
        )
        back, solution = steps.steps.count(None), search.known.start.bit_count() - 1
        right, wrong = numbers(
            back,
            "that is how often a jump is undone on the board",
            [
                (made, "all jumps that are made"),
                (made - solution, "the jumps that do not belong to the solution"),
                (solution, "the jumps of the solution"),
                (search.run.first_end, "the jumps of the first line of play"),
                (0, "as if nothing was taken back once the board is solved"),
            ],
        )
        question = with_answers(asked, right, wrong, draw)
        if question is not None:
            return question
    return None


def deepest(author: Author, task: Task, draw: Random) -> Question | None:
    """Ask how many calls of the function that calls itself are open at most."""
    for search in searches(author, task, draw, lambda known: known.start not in known.winning):
        run = search.run
        if run.function is None:
            continue
        depth = max(len(run.line(at)) for at in range(len(run.visits))) + 1
        asked = Asked(
            "calls at the same time",
            task.file,
            f"`peg_solve` is given this board. How many calls of `{search.function}` have begun, and not yet "
            "returned, at the deepest place of the search?",
            boards=(Drawn(search.cells),),
        )
        right, wrong = numbers(
            depth,
            "one for each jump on the way there, and the first one",
            [
                (depth - 1, "the jumps on the way there: the first call comes without one"),
                (search.cells.count("*"), "the pegs on the board, but no line of play leaves none"),
                (len(run.visits), "all calls, most of which have returned by then"),
                (len(search.known.after[search.known.start]), "the jumps of the first board"),
                (len(search.known.after), "the boards that can be reached"),
            ],
        )
        question = with_answers(asked, right, wrong, draw)
        if question is not None:
            return question
    return None


def most_called(author: Author, task: Task, draw: Random) -> Question | None:
    """Ask which of the student's functions is called most."""
    for search in searches(author, task, draw):
        counted = _counted(search)
        ranked = counted.most_common()
        if len(ranked) < 4 or ranked[0][1] < 2 * ranked[1][1]:
            continue
        asked = Asked(
            "called most",
            task.file,
            "`peg_solve` is given this board. Which of these functions is called most?",
            boards=(Drawn(search.cells),),
        )
        shown = [Answer(f"{name}", f"called {times:,} times") for name, times in ranked]
        question = with_answers(asked, shown[0], shown[1:], draw)
        if question is not None:
            return question
    return None


def _counted(search: Search) -> Counter[str]:
    """Return how many times each function is called, without those whose names two files have."""
    trace = search.run.trace
    names = [name.partition(" ")[2] for name in trace.functions]
    twice = {name for name in names if names.count(name) > 1}
    counted = zip(names, trace.calls, strict=True)
    return Counter({name: times for name, times in counted if name not in twice and "<" not in name})
