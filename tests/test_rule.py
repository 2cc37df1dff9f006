"""The greedy rule of docs/rule.md: the games that it wins, and what its features are."""

import re

import pytest

from framework.verify import verify
from grader.catalog.boards import find_board
from grader.commands.experiment import solvable_vacancies
from grader.oracle import rule
from grader.oracle.shape import Shape
from grader.research.rule import ENGLISH, SHAPES, vacancies
from support.command import ROOT


@pytest.mark.parametrize("name", solvable_vacancies())
def test_the_rule_wins(name: str) -> None:
    board = find_board(name).board
    assert verify(board, rule.play(board)).solved


@pytest.mark.slow
def test_it_wins_whichever_of_equal_jumps_is_played() -> None:
    """So it wins in every order of the jumps, and on all images of the board."""
    assert list(vacancies(ENGLISH)) == [{1}] * 33
    assert list(vacancies(Shape(SHAPES["french"]))) == [{1}] * 16


def test_the_features_by_hand() -> None:
    """Two pegs side by side, one that touches the second by a corner, and one far away."""
    pegs = frozenset({(2, 2), (2, 3), (3, 4), (6, 3)})
    jumps = [(2, 2, 2, 4), (2, 3, 2, 1)]
    found = {feature.__name__: feature(pegs, jumps) for feature in rule.WEIGHTS}
    centre = (13 / 4, 12 / 4)
    assert found.pop("spread") == sum((r - centre[0]) ** 2 + (c - centre[1]) ** 2 for r, c in pegs)
    assert found == {"largest_kind": 2, "groups": 2, "rows_of_three": 0, "idle": 2, "in_reach": 2}
    assert rule.rows_of_three(frozenset({(0, 2), (0, 3), (0, 4), (1, 3), (2, 3), (2, 4)}), []) == 2
    assert rule.largest_kind(pegs | {(4, 4)}, []) == 2
    assert rule.largest_kind(pegs | {(4, 3)}, []) == 3


def test_the_page_tells_the_weights() -> None:
    page = (ROOT / "docs" / "rule.md").read_text("utf-8")
    weights = [int(each) for each in re.findall(r"^\| (-?\d+) \| ", page, re.M)]
    assert weights == list(rule.WEIGHTS.values())
