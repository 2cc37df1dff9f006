"""Questions about the order in which a search tries the jumps of a board."""

from collections.abc import Iterator
from random import Random

from framework.jumps import Jump, cell_between, format_jump
from grader.catalog.tasks import Task
from grader.judging.kinds.table_truth import Positions
from grader.viva.author import Author, Search, searches
from grader.viva.question import Answer, Question

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def tried_first(author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask which jump is tried first."""
    for search in searches(author, task, draw, _has_choice):
        tried = _tried(search)
        words = (
            f"`peg_solve` is given this board. Which is the first jump after which `{search.function}` "
            "goes on to the next board, even if it leaves that board at once?"
        )
        right = Answer(format_jump(tried[0]), "it is the first for which the search goes deeper")
        yield from search.asks("tried first", words, right, _others(search, tried, tried[:1]))


def tried_next(author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask which jump of a board is tried after its first one was taken back."""
    for search in searches(author, task, draw, _has_choice):
        tried = _tried(search)
        if len(tried) < 2 or search.run.visits[1].position in search.known.winning:
            continue
        words = (
            f"`peg_solve` is given this board. `{search.function}` tries `{format_jump(tried[0])}` first, "
            "which does not win. Which jump of this board does it try next?"
        )
        right = Answer(format_jump(tried[1]), "it is the second for which the search goes deeper")
        deeper = [visit.jump for visit in search.run.visits[2:3] if visit.jump not in (None, *tried)]
        wrong = [
            Answer(format_jump(jump), "it is tried deeper, on the board after the first jump")
            for jump in deeper
            if jump
        ]
        yield from search.asks("tried next", words, right, [*wrong, *_others(search, tried, tried[:2])])


def tried_in_order(author: Author, task: Task, draw: Random) -> Iterator[Question]:
    """Ask in which order all jumps of a board are tried."""
    for search in searches(
        author, task, draw, lambda known: _has_choice(known) and known.start not in known.winning
    ):
        tried = _tried(search)
        if len(tried) < 3 or len(tried) < len(search.known.after[search.known.start]):
            continue
        words = (
            f"`peg_solve` is given this board. No jump of it wins, so `{search.function}` tries all of them. "
            "In which order?"
        )
        wrong = [
            (sorted(tried), "row by row, and upwards before downwards, leftwards before rightwards"),
            (sorted(tried, key=lambda jump: (jump[1], jump[0], *jump[2:])), "column by column"),
            (sorted(tried, key=lambda jump: jump[2:]), "by the hole in which the peg lands"),
            (sorted(tried, key=cell_between), "by the peg that is jumped over"),
            (tried[::-1], "the last one first"),
            ([*tried[1:], tried[0]], "the first one last"),
            ([tried[1], tried[0], *tried[2:]], "the first two are exchanged"),
        ]
        answers = [Answer(_listed(jumps), why) for jumps, why in draw.sample(wrong, len(wrong))]
        right = Answer(_listed(tried), "seen when the program ran")
        yield from search.asks("order of jumps", words, right, answers)


def _has_choice(known: Positions) -> bool:
    return len(known.after[known.start]) >= 3


def _tried(search: Search) -> list[Jump]:
    """Return the jumps of the first board in the order in which the search went on from them."""
    return [visit.jump for visit in search.run.visits if visit.before == 0 and visit.jump is not None]


def _others(search: Search, tried: list[Jump], but: list[Jump]) -> list[Answer]:
    """Return the jumps of the first board but some, and some that cannot be made, each with what it is."""
    possible = list(search.known.jumps_to(search.known.start, search.known.after))
    answers = []
    for jump in possible:
        if jump not in but:
            is_tried = jump in tried[: len(ORDINALS)]
            place = f"it is the {ORDINALS[tried.index(jump)]}" if is_tried else "it is not tried at all"
            answers.append(Answer(format_jump(jump), place))
    why = "no jump: there is no peg to start with"
    return [*answers, *(Answer(format_jump((*jump[2:], *jump[:2])), why) for jump in possible)]


def _listed(jumps: list[Jump]) -> str:
    return ", ".join(map(format_jump, jumps))
