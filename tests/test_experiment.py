"""`grade experiment` of the report's searches: what it prints."""

import csv
import io

import pytest
from click.testing import CliRunner

from grader.catalog.boards import find_board
from grader.cli import cli
from grader.commands.experiment import Row, _format_symmetry, solvable_vacancies
from grader.research import task_experiment

# The counts are those of tests/test_report_search.py; the times are made up.
ROWS = [
    Row("english", "normal", "DRLU", False, False, True, 1_034, 0.001, 2.0),
    Row("english", "normal", "DRLU", False, True, True, 926, 0.002, 2.0),
    Row("english", "in-out", "DRLU", False, False, True, 1_736_329, 0.34, 32.0),
    Row("english", "in-out", "DRLU", False, True, True, 910_289, 0.2, 17.0),
    Row("horseshoe", "in-out", "DRLU", False, False, False, 19_341, 0.06, 2.0),
    Row("horseshoe", "in-out", "DRLU", False, True, False, 10_647, 0.075, 2.0),
]
TABLE = """\
normal DRLU

                      states                        CPU s
board      images    without    with    factor    without    with    factor
english         8      1,034     926      1.12       0.00    0.00         -

in-out DRLU

                        states                          CPU s
board        images    without      with    factor    without    with    factor
english           8  1,736,329   910,289      1.91       0.34    0.20      1.70
horseshoe         2   - 19,341  - 10,647      1.82       0.06    0.07      0.80

images   how many images of a position lie on the board's own holes, itself included
factor   without / with; below 1 symmetry costs more than it saves

- no solution: every position is an unsolvable state
"""


def test_table_of_symmetry() -> None:
    boards = [find_board(name) for name in ("english", "horseshoe")]
    assert _format_symmetry(ROWS, boards) == TABLE


@pytest.mark.slow
def test_symmetry_on_some_boards() -> None:
    """Every search is there twice, in a process of its own, whatever the orders and directions."""
    typed = "--symmetry --board plus --orders normal,in-out --directions drlu --format csv"
    done = CliRunner().invoke(cli, ["experiment", *typed.split()])
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [tuple(row.values())[:7] for row in rows] == [
        ("plus", order, "DRLU", "False", symmetry, "False", states)
        for order in ("normal", "in-out")
        for symmetry, states in (("False", "118"), ("True", "27"))
    ]


def test_the_vacancies_are_named_by_one_word(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []
    monkeypatch.setattr(
        task_experiment, "search", lambda _, boards: searched.extend(each.name for each in boards) or ()
    )
    monkeypatch.setattr(task_experiment, "format_rows", lambda rows, format: "")
    typed = ["--task", "peg4", "--board", "plus", "--board", "vacancies", "--board", "plus"]
    assert CliRunner().invoke(cli, ["experiment", *typed]).exit_code == 0
    assert searched == ["plus", *solvable_vacancies()]
