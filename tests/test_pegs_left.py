"""The fewest pegs that can be left on large boards, and boards without pegs or holes."""

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest

from framework.board import BLOCKED, EMPTY, PEG, Board, parse_board
from grader import oracle
from grader.catalog.boards import find_board
from grader.oracle import analysis, memory, questions
from grader.oracle.problem import OracleError
from grader.oracle.shape import shape_of

pytestmark = pytest.mark.slow


def rows(*lines: str) -> Board:
    """Return the board with these first rows; the other cells are blocked."""
    return parse_board("\n".join([*lines, *[". " * 8] * (8 - len(lines))]))


# Twenty pegs on 40 holes, no two of them side by side.
APART = rows(*["* o * o * o * o", "o * o * o * o *", "* o * o * o * o", "o * o * o * o *", "* o * o * o * o"])


@pytest.mark.parametrize("holes", [34, 37, 40, 41, 64])
def test_a_full_board_keeps_its_pegs(holes: int) -> None:
    board = np.full(64, BLOCKED, dtype=np.int8)
    board[:holes] = PEG
    assert oracle.fewest_pegs(board.reshape(8, 8)) == holes


def test_where_nothing_can_jump_nothing_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once all sets of one peg, two pegs and so on were listed: 4 GiB."""
    monkeypatch.setattr(memory, "available", lambda: 0)
    monkeypatch.setattr(type(shape_of(APART)), "_positions_of", None)
    assert oracle.fewest_pegs(APART) == 20
    found = analysis.analyse("apart", APART)
    assert (found.solvable, found.fewest_pegs) == (False, 20)


def test_memory_is_asked_for_before_the_engine_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """No walk and no game may answer here; what is left is a search in sets of positions."""
    board = find_board("french1").board
    monkeypatch.setattr(questions, "FEW", 1)
    monkeypatch.setattr(questions, "SOUGHT", 1)
    monkeypatch.setattr(questions, "find_solution", lambda *question: None)
    with pytest.raises(OracleError, match=r"needs 1,\d\d\d MiB of memory, and 1 MiB may be used"):
        oracle.fewest_pegs(board, most_bytes=1 << 20)
    monkeypatch.setattr(memory, "available", lambda: 1 << 20)
    with pytest.raises(OracleError, match=r"needs 1,\d\d\d MiB of memory, and 1 MiB are free"):
        oracle.fewest_pegs(board)


def test_too_many_ways_to_end_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "FEW", 1)
    monkeypatch.setattr(questions, "MOST_ENDS", 1)
    with pytest.raises(OracleError, match=r"pegs can be left in \d+ ways; up to 1 are looked for"):
        oracle.fewest_pegs(find_board("french@0,3").board)


@pytest.mark.parametrize("pegs", [1, 2, 3, 4])
def test_the_positions_of_a_class(pegs: int) -> None:
    shape = shape_of(find_board("choice").board)
    every = [sum(1 << hole for hole in holes) for holes in combinations(range(len(shape.holes)), pegs)]
    for class_ in range(16):
        wanted = [each for each in every if shape.class_of(each) == class_]
        assert sorted(shape.ends_with(class_, pegs)) == sorted(wanted)
        assert memory.level_sizes(shape).get((class_, pegs), 0) == len(wanted)


@pytest.mark.parametrize("cell", [BLOCKED, EMPTY])
@pytest.mark.parametrize("name", sorted(oracle.QUESTIONS))
def test_a_board_without_pegs_is_refused_by_every_question(name: str, cell: int) -> None:
    question: Callable[[Board], object] = getattr(oracle, name)
    with pytest.raises(OracleError) as raised:
        question(np.full((8, 8), cell, dtype=np.int8))
    assert (raised.value.message, raised.value.help) == ("the board has no peg", "put a peg on it")


def test_an_analysis_of_a_board_without_pegs_is_refused() -> None:
    with pytest.raises(OracleError, match="the board has no peg"):
        analysis.analyse("none", np.full((8, 8), BLOCKED, dtype=np.int8))
    with pytest.raises(OracleError, match="the board has no peg"):
        analysis.different_goals(np.full((8, 8), BLOCKED, dtype=np.int8))
