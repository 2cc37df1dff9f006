"""Causes that take several questions: the order of jumps, loops that do not end, boards near the end.

No process is started here: a program is a function that answers each question.
"""

import json
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import pytest

from framework.board import count_pegs, format_board, parse_board
from framework.jumps import Jump
from grader.catalog.tasks import registry
from grader.judging.causes.asked import MOST_PEGS, endless, near_end, order
from grader.judging.check_run import Ask
from grader.judging.kinds import table_truth
from grader.judging.kinds.table_truth import Positions
from grader.sandbox.asking import End, Outcome
from support import made_answers
from support.made_answers import asked

Says = Callable[[dict[str, Any]], dict[str, Any] | None]
Order = Callable[[Positions, int, list[Jump]], Iterable[Jump]]


def asking(says: Says) -> Ask:
    """Return a program that answers as it is told; None stands for one that runs out of CPU time."""

    def run(request: dict[str, Any], cpu_s: float) -> Outcome:
        said = says(request)
        return Outcome(End.CPU_LIMIT) if said is None else Outcome(End.ANSWERED, json.dumps(said).encode())

    return Ask(run)


def never(request: dict[str, Any]) -> dict[str, Any]:
    """Fail the test: nothing should be asked."""
    raise AssertionError(request)


# ---- in which order jumps are tried --------------------------------------------------------------


def searched(known: Positions, inner: Order, looks_first: bool) -> list[int]:
    """Return what a search with memory writes, as the child notes it.

    Args:
        known: the positions of the board.
        inner: returns the jumps of a position in the order in which they are tried.
        looks_first: whether each jump is made and taken back once before, to look at the board after it.
    """
    noted: list[int] = []
    seen: set[int] = set()
    cells_of = {jump: (cells, pegs) for cells, pegs, jump in known.jumps}

    def write(position: int, jump: Jump) -> int:
        cells, _ = cells_of[jump]
        for cell in (cell for cell in range(64) if cells >> cell & 1):
            old = 2 if position >> cell & 1 else 1
            noted.append(9 * cell + 3 * old + (3 - old))
        return position ^ cells

    def search(position: int) -> None:
        if position in seen:
            return
        seen.add(position)
        jumps = [jump for cells, pegs, jump in known.jumps if position & cells == pegs]
        for jump in jumps if looks_first else []:
            write(write(position, jump), jump)
        for jump in inner(known, position, jumps):
            search(write(position, jump))
            write(position ^ cells_of[jump][0], jump)

    search(known.start)
    return noted


def as_they_stand(known: Positions, position: int, jumps: list[Jump]) -> list[Jump]:
    return jumps


def backwards(known: Positions, position: int, jumps: list[Jump]) -> list[Jump]:
    return jumps[::-1]


def at_random(known: Positions, position: int, jumps: list[Jump]) -> list[Jump]:
    return Random(position).sample(jumps, len(jumps))


@pytest.mark.parametrize("looks_first", [False, True])
@pytest.mark.parametrize(
    ("inner", "id"), [(as_they_stand, "fixed-order"), (backwards, "fixed-order"), (at_random, None)]
)
def test_an_order_without_sense_is_named(inner: Order, id: str | None, looks_first: bool) -> None:
    plus = asked("peg4", "plus")
    known = table_truth.positions(plus.the_board.board)
    text = format_board(plus.the_board.board)
    noted = searched(known, inner, looks_first)
    says = {"noted": noted, "number": 4, "board": text, "error": None}
    told = order(plus.task, [asked("peg4", "spread-5"), plus], asking(lambda _: says))
    assert (told.id if told else None) == id
    astray = {**says, "noted": [0]}  # by images, which are made on copies
    told = order(plus.task, [plus], asking(lambda request: says if request["alone"] else astray))
    assert (told.id if told else None) == id


@pytest.mark.parametrize("task", ["peg2", "peg3", "peg5", "client"])
def test_the_order_is_asked_about_only_where_it_matters(task: str) -> None:
    assert order(registry().find(task), [asked("peg3", "plus")], asking(never)) is None


# ---- a loop that does not end --------------------------------------------------------------------


def keys(request: dict[str, Any], ends: Callable[[str, bool], bool]) -> dict[str, Any] | None:
    text, hashed = request["boards"][0], request["hash"]
    said = {"made": [], "moves": [], "keys": [1], "hashes": [1] * hashed}
    return said if ends(text, hashed) else None


@pytest.mark.parametrize(
    ("ends", "function"),
    [
        (lambda text, hashed: True, None),
        (lambda text, hashed: text[0] == "*", "board_key"),
        (lambda text, hashed: not hashed or text[0] != "*", "key_hash"),
        (lambda text, hashed: "." not in text, "board_key"),
    ],
    ids=["ends", "first cell", "hash", "blocked cell"],
)
def test_a_function_of_the_client_that_does_not_end_is_named(
    ends: Callable[[str, bool], bool], function: str | None
) -> None:
    told = endless(registry().find("client"), asking(lambda request: keys(request, ends)))
    assert (told.facts["function"] if told else None) == function


def test_a_client_that_dies_is_not_said_to_be_endless() -> None:
    assert endless(registry().find("client"), Ask(lambda *_: Outcome(End.DIED))) is None
    assert endless(registry().find("peg1"), asking(never)) is None


# ---- answers on small boards ---------------------------------------------------------------------


@pytest.mark.parametrize("gives_up", range(2, MOST_PEGS + 2))
def test_the_fewest_pegs_that_are_given_up_are_found(gives_up: int) -> None:
    def answer(request: dict[str, Any]) -> dict[str, Any]:
        pegs = int(count_pegs(parse_board(request["board"])))
        number = pegs if pegs >= gives_up else 1
        return made_answers.answer("english", number, board=request["board"])

    told = near_end(asked("peg5", "english"), asking(answer))
    if gives_up > MOST_PEGS:
        assert told is None
        return
    assert told is not None
    assert (told.facts["pegs"], told.facts["jumps"]) == (gives_up, gives_up - 1)
    assert told.facts["solves"] == (gives_up > 2)
