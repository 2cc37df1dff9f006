"""Questions about the table of boards given up on."""

from collections.abc import Callable, Iterator
from random import Random

from grader.catalog.tasks import Task
from grader.judging.kinds.table_truth import Positions
from grader.sandbox.child.trace import LOOKED
from grader.viva.author import Author, Search, searches
from grader.viva.kinds.order import ORDINALS
from grader.viva.question import Answer, Asked, Drawn, Question, Shows, numbers, with_answers

LEAST = 4  # boards in a table, to ask which of them


def recorded_first(author: Author, task: Task, draw: Random) -> Question | None:
    """Ask which board enters the table first."""
    return _recorded(author, task, draw, 0)


def recorded_last(author: Author, task: Task, draw: Random) -> Question | None:
    """Ask which board enters the table last."""
    return _recorded(author, task, draw, -1)


def _recorded(author: Author, task: Task, draw: Random, place: int) -> Question | None:
    for search, table in _with_table(author, task, draw):
        if len(table) < LEAST:
            continue
        when = "first" if place == 0 else "last"
        asked = Asked(
            f"recorded {when}",
            task.file,
            f"`peg_solve` is given this board. Which board enters the table {when}?",
            Shows.BOARD,
            (Drawn(search.cells),),
        )
        answers = [
            Answer(search.known.text(each), f"it enters as number {at}") for at, each in enumerate(table, 1)
        ]
        right = answers[place]
        others = [answer for answer in answers if answer != right]
        start = [answer for answer in others if answer.shown == search.cells]
        rest = [answer for answer in others if answer not in start]
        question = with_answers(asked, right, [*start, *draw.sample(rest, len(rest))], draw)
        if question is not None:
            return question
    return None


def table_size(author: Author, task: Task, draw: Random) -> Question | None:
    """Ask how many boards are in the table at the end."""
    for search, table in _with_table(author, task, draw):
        if len(table) < LEAST:
            continue
        known = search.known
        asked = Asked(
            "size of the table",
            task.file,
            "`peg_solve` is given this board. How many boards are in the table when it returns?",
            boards=(Drawn(search.cells),),
        )
        visits = len(search.run.visits)
        right, wrong = numbers(
            len(table),
            "each board that was given up, once",
            [
                (visits, "the boards that the search comes to, some of them twice or solved"),
                (len(known.with_jumps()), "only the boards that have a jump"),
                (len(known.after), "all boards that can be reached, whether given up or not"),
                (
                    len(known.after) - len(known.winning),
                    "all boards that cannot be solved, whether met or not",
                ),
                (visits - 1, "the jumps that are made"),
                (len(known.after) - len(known.with_jumps()), "only the boards that have no jump"),
            ],
        )
        question = with_answers(asked, right, wrong, draw)
        if question is not None:
            return question
    return None


def found_in_table(author: Author, task: Task, draw: Random) -> Question | None:
    """Ask how many times a board is found in the table."""
    for search, table in _with_table(author, task, draw, lambda known: bool(known.met_again())):
        looked = [event for event in search.run.trace.events if event.kind == LOOKED and event.first & 1]
        hits = sum(event.first >= 2 for event in looked)
        if not hits:
            continue
        asked = Asked(
            "found in the table",
            task.file,
            "`peg_solve` is given this board. How many times does `ht_lookup` find a board in the table?",
            boards=(Drawn(search.cells),),
        )
        right, wrong = numbers(
            hits,
            "the boards that the search comes to again",
            [
                (len(looked), "all calls of ht_lookup"),
                (len(looked) - hits, "the calls of ht_lookup that find nothing"),
                (0, "as if no board was met twice"),
                (len(table), "the boards in the table, most of which are met once"),
            ],
        )
        question = with_answers(asked, right, wrong, draw)
        if question is not None:
            return question
    return None


def enters_as(author: Author, task: Task, draw: Random) -> Question | None:
    """Ask as what number in the table the board that is given enters it."""
    for search, table in _with_table(author, task, draw):
        if not LEAST <= len(table) <= len(ORDINALS) or table[0] == search.known.start:
            continue
        place = draw.randrange(1, len(table) - 1)
        asked = Asked(
            "place in the table",
            task.file,
            "`peg_solve` is given board A. As which does board B enter the table?",
            boards=(Drawn(search.cells, "A"), Drawn(search.known.text(table[place]), "B")),
        )
        right = Answer(f"as the {ORDINALS[place]}", "each board enters once all its jumps were tried")
        wrong = [
            Answer(f"as the {ORDINALS[at]}", "another board does") for at in range(len(table)) if at != place
        ]
        question = with_answers(asked, right, draw.sample(wrong, len(wrong)), draw)
        if question is not None:
            return question
    return None


def _with_table(
    author: Author, task: Task, draw: Random, fits: Callable[[Positions], bool] = lambda known: True
) -> Iterator[tuple[Search, list[int]]]:
    """Yield searches with the positions in their tables, if these are all known."""
    if not task.table:
        return
    for search in searches(author, task, draw, fits):
        table = search.recorded()
        if table:
            yield search, table
