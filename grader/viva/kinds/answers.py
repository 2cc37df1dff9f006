"""Questions about what a search returns, and what it leaves on the stack."""

from collections.abc import Iterator
from random import Random

from framework.jumps import Jump, format_jump
from grader.catalog.boards import Facts, NamedBoard
from grader.catalog.tasks import Task
from grader.judging.kinds.solve import question as solving
from grader.judging.kinds.table_truth import Positions
from grader.sandbox.answers import parse_answer
from grader.sandbox.child.trace import POPPED, PUSHED
from grader.viva.author import Author, Search, searches
from grader.viva.question import Answer, Question

LEAST_JUMPS = 4  # of a solution


def returned(author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask what `peg_solve` returns for a board that cannot be solved."""
    for search in searches(author, task, draw, lambda known: known.start not in known.winning):
        number = search.run.trace.number
        if number is None:
            continue
        met = [visit.position.bit_count() for visit in search.run.visits]
        first_end = search.run.visits[search.run.first_end].position.bit_count()
        ends = sorted({position.bit_count() for position, after in search.known.after.items() if not after})
        yield from search.asks_number(
            "returned",
            "What does `peg_solve` return for this board?",
            (number, "that is what it returns when run"),
            (1, "only a board that is solved gives 1"),
            *((pegs, "some line of play ends with so many pegs") for pegs in ends),
            (first_end, "the first line of play ends with so many pegs"),
            (met[0], "the pegs on the board at the beginning"),
            (max(met) - min(met), "the jumps that can be made, not the pegs that are left"),
        )


def returned_again(author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask what the call for a board that is in the table returns."""
    if not task.table:
        return
    for search in searches(author, task, draw, lambda known: bool(known.met_again())):
        run, table = search.run, search.recorded()
        places: dict[int, list[int]] = {}
        for at, visit in enumerate(run.visits):
            places.setdefault(visit.position, []).append(at)
        met_again = search.known.met_again() & set(table or ())
        again = [those for position, those in places.items() if len(those) == 2 and position in met_again]
        if not again or run.function is None:
            continue
        first, second = draw.choice(again)
        if not {first, second} <= run.returned.keys():
            continue
        position = run.visits[second].position
        pegs, said = position.bit_count(), run.returned[second]
        told = "" if all(run.returned.values()) else " (True counts as 1, False as 0.)"
        yield from search.asks_number(
            "returned again",
            "`peg_solve` is given board A. Its search comes to board B twice. What does "
            f"`{search.function}` return for B the second time?{told}",
            (said, "by then the board is in the table"),
            (run.returned[first], "that is what it returns the first time"),
            (pegs, "the pegs on B"),
            (1, "as if B were solved"),
            (search.cells.count("*"), "the pegs on A"),
            (pegs - 1, "as if one more jump were made"),
            (0, "that is no number of pegs"),
            position=position,
        )


def stack_top(author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask which move lies on top of the stack at the end."""
    for search, jumps in _solutions(author, task, draw):
        words = "`peg_solve` returns 1 for this board. Which move is then on top of the stack?"
        wrong = [
            Answer(format_jump(jumps[-1]), "the last move of the game is pushed first"),
            *_not_solving(search, jumps),
            *_moves_of(jumps)[1:],
        ]
        right = Answer(format_jump(jumps[0]), "the first move of the game is pushed last")
        yield from search.asks("top of the stack", words, right, wrong)


def stack_second(author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask which move is pushed second."""
    for search, jumps in _solutions(author, task, draw):
        if len(set(jumps)) < LEAST_JUMPS:
            continue
        words = (
            f"`peg_solve` solves this board in {len(jumps)} jumps. Which move is on top of the stack after "
            "the second `push`?"
        )
        right = Answer(format_jump(jumps[-2]), "moves are pushed on the way back, from the last to the first")
        wrong = [
            Answer(format_jump(jumps[1]), "it is the second move of the game"),
            Answer(format_jump(jumps[-1]), "it is pushed first"),
            Answer(format_jump(jumps[0]), "it is pushed last"),
            *_moves_of(jumps),
        ]
        yield from search.asks("second push", words, right, wrong)


def _moves_of(jumps: list[Jump]) -> list[Answer]:
    return [Answer(format_jump(jump), f"it is move {at} of the game") for at, jump in enumerate(jumps, 1)]


def _solutions(author: Author, task: Task, draw: Random) -> Iterator[tuple[Search, list[Jump]]]:
    """Yield searches with their solution, if its moves were pushed from the last to the first."""

    def fits(known: Positions) -> bool:
        return known.start in known.winning and known.start.bit_count() > LEAST_JUMPS

    for search in searches(author, task, draw, fits):
        kinds = [event.kind for event in search.run.trace.events]
        board = NamedBoard("", search.known.board(search.known.start), Facts())
        said = search.program.ask(solving(board, task), parse_answer)
        if said is not None and len(said.jumps) == kinds.count(PUSHED) >= LEAST_JUMPS and POPPED not in kinds:
            yield search, said.jumps


def _not_solving(search: Search, jumps: list[Jump]) -> list[Answer]:
    tried = [
        visit.jump for visit in search.run.visits[1:] if visit.jump is not None and visit.jump not in jumps
    ]
    return [Answer(format_jump(jump), "it was tried and taken back") for jump in dict.fromkeys(tried)]
