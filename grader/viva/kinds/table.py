"""Questions about the table of boards given up on."""

from collections.abc import Callable, Iterator
from random import Random

from grader.catalog.tasks import Task
from grader.judging import kinds
from grader.judging.kinds.both_ends import BothEnds
from grader.judging.kinds.table_truth import Positions
from grader.sandbox.child.trace import LOOKED
from grader.viva.author import Author, Search, searches
from grader.viva.question import Answer, Question, Shows

LEAST = 4  # boards in a table, to ask which of them


def recorded(when: str, author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask which board enters the table first, or last."""
    for search, table in _with_table(author, task, draw):
        answers = [
            Answer(search.known.text(each), f"it enters as number {at}") for at, each in enumerate(table, 1)
        ]
        right = answers[0 if when == "first" else -1]
        others = [answer for answer in answers if answer != right]
        start = [answer for answer in others if answer.shown == search.cells]
        rest = [answer for answer in others if answer not in start]
        yield from search.asks(
            f"recorded {when}",
            f"`peg_solve` is given this board. Which board enters {the_table(task)} {when}?",
            right,
            [*start, *draw.sample(rest, len(rest))],
            shows=Shows.BOARD,
        )


def table_size(author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask how many boards are in the table at the end."""
    for search, table in _with_table(author, task, draw):
        known, visits = search.known, len(search.run.visits)
        yield from search.asks_number(
            "size of the table",
            f"`peg_solve` is given this board. How many boards are in {the_table(task)} when it returns?",
            (len(table), "each board that was given up, once"),
            (visits, "the boards that the search comes to, some of them twice or solved"),
            (len(known.with_jumps()), "only the boards that have a jump"),
            (len(known.after), "all boards that can be reached, whether given up or not"),
            (len(known.after) - len(known.winning), "all boards that cannot be solved, whether met or not"),
            (visits - 1, "the jumps that are made"),
            (len(known.after) - len(known.with_jumps()), "only the boards that have no jump"),
        )


def found_in_table(author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask how many times a board is found in the table."""
    for search, table in _with_table(author, task, draw, lambda known: bool(known.met_again()), 1):
        looked = [event for event in search.run.trace.events if event.kind == LOOKED and event.first & 1]
        hits = sum(event.first >= 2 for event in looked)
        if not hits:
            continue
        yield from search.asks_number(
            "found in the table",
            "`peg_solve` is given this board. How many times does `ht_lookup` find a board in "
            f"{the_table(task)}?",
            (hits, "the boards that the search comes to again"),
            (len(looked), "all calls of ht_lookup"),
            (len(looked) - hits, "the calls of ht_lookup that find nothing"),
            (0, "as if no board was met twice"),
            (len(table), "the boards in the table, most of which are met once"),
        )


def enters_as(author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask how many boards are in the table before a board enters it."""
    for search, table in _with_table(author, task, draw):
        known, visits = search.known, search.run.visits
        place = draw.randrange(1, len(table) - 1)
        position = table[place]
        met = next((at for at, visit in enumerate(visits) if visit.position == position), None)
        if met is None:  # the program recorded a board that it did not come to
            continue
        yield from search.asks_number(
            "place in the table",
            f"`peg_solve` is given board A. How many boards have entered {the_table(task)} before "
            "board B does?",
            (place, "a board enters once all its jumps were tried"),
            (met, "the boards that the search comes to before B, whether given up or not"),
            (place + 1, "B itself is counted, too"),
            (known.depth(position), "only the boards on the way to B, which enter after it"),
            (len(table) - 1 - place, "the boards that enter after B"),
            (len(table) - 1, "all other boards, as if B entered last"),
            (0, "as if B entered first"),
            position=position,
        )


def the_table(task: Task) -> str:
    """Return what to call the table of boards given up on, which is not always the only one."""
    return "the table that `peg_solve` is given" if isinstance(kinds.of(task), BothEnds) else "the table"


def _with_table(
    author: Author,
    task: Task,
    draw: Random,
    fits: Callable[[Positions], bool] = lambda known: True,
    least: int = LEAST,
) -> Iterator[tuple[Search, list[int]]]:
    """Yield searches with the positions in their tables, at least so many, if these are all known."""
    if not task.table:
        return
    for search in searches(author, task, draw, fits):
        table = search.recorded()
        if table and len(table) >= least and not search.run.puts_again:
            yield search, table
