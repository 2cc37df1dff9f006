"""`grade analyze` as an instructor types it."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from framework.verify import verify
from grader.catalog.boards import find_board
from grader.cli import cli
from grader.commands import analyze as command
from grader.oracle import analysis
from grader.oracle.questions import FewMoves
from support.command import GRADE

pytestmark = pytest.mark.slow

KEYS = [
    "board", "goal", "status", "solvable", "goals", "fewest_pegs", "reachable", "winning", "solutions", "fewest_moves",
    "optimal_solutions", "moves", "cpu_s", "peak_mib",
]  # fmt: skip


def analyze(*arguments: str, status: int = 0) -> str:
    done = subprocess.run(
        [*GRADE, "analyze", *arguments],
        env={**os.environ, "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout if status == 0 else done.stderr


def test_a_board() -> None:
    """What can be left where, position by position, and a game."""
    text = analyze("choice")
    assert text.startswith(
        "choice: 7 pegs on 9 holes\n\nsolvable, proved: a single peg can be left at 3,2  3,5\n"
    )
    lines = text.splitlines()
    assert ["in", "all", "20", "20", "11", "11", "10", "10", "10", "10"] in [line.split() for line in lines]
    assert [line.split()[:-1] for line in lines if line.strip().startswith(("any hole", "3,2", "3,5"))] == [
        ["any", "hole", "yes,", "proved", "11", "11", "4", "4", "1"],
        ["3,2", "yes,", "proved", "10", "10", "2", "5", "1"],
        ["3,5", "yes,", "proved", "10", "10", "2", "4", "1"],
    ]
    assert "a solution in 4 moves, ending at 3,5:\n   1  3:4 -> 3:2\n   2  3:1 -> 3:3\n" in text
    assert "   3  5:2 -> 3:2 -> 3:4\n" in text


@pytest.mark.whole
def test_json_of_the_central_game() -> None:
    record = json.loads(analyze("english", "--goal", "3,3", "--format", "json"))
    assert record["schema"] == "peg-analysis/v1"
    assert list(record)[1:15] == KEYS
    assert (record["goal"], record["goals"], record["status"]) == ([3, 3], [[3, 3]], "proved")
    assert record["solutions"] == "40861647040079968"
    assert (record["fewest_moves"], record["fewest_pegs"]) == (18, 1)
    assert sum(record["winning"]["canonical"]) == 1_679_072
    assert sum(record["reachable"]["canonical"]) == 23_475_688
    jumps = [jump for move in record["moves"] for jump in move]
    assert len(record["moves"]) == 18 and verify(find_board("english").board, jumps).solved
    assert record["cpu_s"] > 0 and record["peak_mib"] > 50


def test_a_board_that_cannot_be_solved() -> None:
    text = analyze("plus")
    assert "no single peg can be left: the class of this board rules it out everywhere" in text
    assert "fewest pegs that can be left: 4" in text
    assert "fewest pegs that can be left: 9" in analyze("stuck-full")  # there is nothing to look at
    text = analyze("backtrack-three")
    assert (
        "not solvable, proved: no sequence of jumps leaves a single peg\nfewest pegs that can be left: 3"
        in text
    )


def test_a_goal_of_another_class() -> None:
    text = analyze("english@3,3", "--goal", "2,3")
    assert "no single peg can be left at 2,3: the class of this board allows it only at" in text


@pytest.mark.whole
def test_all_problems_of_a_small_board(tmp_path: Path) -> None:
    file = tmp_path / "problems.json"
    assert analyze("3x5-corner", "--all", "--format", "json", "-o", str(file)) == ""
    analyses = json.loads(file.read_text("utf-8"))["analyses"]
    assert len(analyses) == 10
    table = analyze("3x5-corner", "--all").splitlines()
    assert table[0] == "3x5-corner: every vacancy to every goal, 10 problems up to symmetry"
    rows = [line.split() for line in table[4:14]]
    assert [row[:2] for row in rows] == [
        [each["board"].partition("@")[2], "{},{}".format(*each["goal"])] for each in analyses
    ]
    assert [row[2] for row in rows] == ["yes," if each["solvable"] else "no," for each in analyses]


def test_bounds_in_a_given_time() -> None:
    """The first search for a solution is made however little time there is, so one is found on any machine."""
    record = json.loads(analyze("french1", "--goal", "1,3", "--seconds", "0.5", "--format", "json"))
    assert (record["status"], record["solvable"], record["fewest_moves"]) == ("found", True, None)
    assert 1 < record["moves_at_least"] <= 21 <= record["moves_at_most"] == len(record["moves"])
    jumps = [jump for move in record["moves"] for jump in move]
    assert verify(find_board("french1").board, jumps).solved
    record = json.loads(analyze("choice", "--seconds", "600", "--format", "json"))
    assert (record["status"], record["fewest_moves"]) == ("proved", 4)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["englich"], "no board 'englich'\nhelp: did you mean english?"),
        (["english", "--goal", "9,9"], "board english: goal 9,9 is not a hole of the board"),
        (["english", "--goal", "middle"], "--goal 'middle': expected ROW,COL\nhelp: for example: --goal 3,3"),
        (["english", "--goal", "3,3", "--all"], "--all: covers every goal"),
        (["english", "--seconds", "0"], "Invalid value for '--seconds'"),
    ],
)
def test_bad_input(arguments: list[str], said: str) -> None:
    assert analyze(*arguments, status=2).startswith(said)


def test_too_many_holes(tmp_path: Path) -> None:
    """More than the exact engine takes; a solution can be looked for."""
    file = tmp_path / "rectangle.txt"
    file.write_text("o " + "* " * 6 + ".\n" + ("* " * 7 + ".\n") * 5 + (". " * 7 + ".\n") * 2, "utf-8")
    said = analyze(str(file), status=2)
    assert "the board has 42 holes; the exact engine takes up to 41\nhelp: " in said
    assert "solvable, found: a single peg can be left" in analyze(str(file), "--seconds", "1")


def test_seconds_are_for_the_whole_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each of the goals gets its share of what is left; once the time is over, none is searched for."""
    now = 0.0
    spent: list[float] = []

    def few_moves(board: object, goals: object, seconds: float) -> FewMoves[object]:
        nonlocal now
        spent.append(seconds)
        now += seconds if len(spent) < 3 else 60.0  # a search that takes too long
        return FewMoves(1, None, None)

    monkeypatch.setattr(analysis.time, "monotonic", lambda: now)
    monkeypatch.setattr(analysis.questions, "few_moves", few_moves)
    board = find_board("english")
    goals = [(0, 3), (3, 3), (6, 3), (3, 0), (3, 6)]
    monkeypatch.setattr(analysis, "different_goals", lambda board: goals)
    found = command._one_board(board, None, 6.0, lambda text: None)
    assert spent == pytest.approx([1.0] * 3)
    assert [each.goal for each in found] == [None, *goals]
    assert {each.status for each in found} == {"gave up"}


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "-1", "0", "1e999"])
def test_seconds_that_are_none_are_refused(text: str) -> None:
    for arguments in (["analyze", "choice"], ["film", "peg2", "choice"]):
        done = CliRunner().invoke(cli, [*arguments, f"--seconds={text}"])
        assert done.exit_code == 2
        assert "Invalid value for '--seconds': " in done.output
