"""`grade analyze` as an instructor types it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from framework.board import read_board
from framework.verify import verify
from grader.catalog.boards import find_board
from grader.cli import cli
from grader.oracle import analysis
from grader.oracle.problem import OracleError
from support.command import grade

pytestmark = pytest.mark.slow

KEYS = [
    "board", "goal", "status", "solvable", "goals", "fewest_pegs", "reachable", "winning", "solutions", "fewest_moves",
    "optimal_solutions", "moves", "cpu_s", "peak_mib",
]  # fmt: skip


def analyze(*arguments: str, status: int = 0) -> str:
    done = grade("analyze", *arguments, COLUMNS="100")
    assert done.returncode == status, done.stderr
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
def test_all_problems_of_a_small_board() -> None:
    analyses = json.loads(analyze("3x5-corner", "--all", "--format", "json"))["analyses"]
    assert len(analyses) == 10
    table = analyze("3x5-corner", "--all").splitlines()
    assert table[0] == "3x5-corner: every vacancy to every goal, 10 problems up to symmetry"
    rows = [line.split() for line in table[4:14]]
    assert [row[:2] for row in rows] == [
        [each["board"].partition("@")[2], "{},{}".format(*each["goal"])] for each in analyses
    ]
    assert [row[2] for row in rows] == ["yes," if each["solvable"] else "no," for each in analyses]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["englich"], "no board 'englich'\nhelp: did you mean english?"),
        (["english", "--goal", "9,9"], "board english: goal 9,9 is not a hole of the board"),
        (["english", "--goal", "middle"], "--goal 'middle': expected ROW,COL\nhelp: for example: --goal 3,3"),
        (["english", "--goal", "3,3", "--all"], "--all: covers every goal"),
    ],
)
def test_bad_input(arguments: list[str], said: str) -> None:
    assert analyze(*arguments, status=2).startswith(said)


def board_file(folder: Path, *rows: str) -> str:
    """Write a board with these first cells of these first rows; the others are blocked."""
    file = folder / "board.txt"
    file.write_text(
        "\n".join(row + " ." * (8 - len(row.split())) for row in [*rows, *["."] * (8 - len(rows))])
    )
    return str(file)


def test_too_many_holes(tmp_path: Path) -> None:
    """More than the sets take: a game if one is found, else what the limits are."""
    rows = ["o * * * * * *", *["* * * * * * *"] * 5]
    text = analyze(board_file(tmp_path, *rows))
    assert "solvable, found: a single peg can be left at " in text
    assert "\nmore than 100,000 positions can be reached; with so many, up to 41 holes are proved\n" in text
    said = analyze(board_file(tmp_path, *rows), "--all", status=2)
    assert "the board has 42 holes; the exact engine takes up to 41\nhelp: " in said


def test_what_no_game_is_found_for_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = ["o * * * * * *", *["* * * * * * *"] * 5]
    board = read_board(Path(board_file(tmp_path, *rows)))
    monkeypatch.setattr(analysis.questions, "find_solution", lambda *question: None)
    with pytest.raises(
        OracleError, match="no game was found, and more than 100,000 positions can be reached"
    ):
        analysis.analyse("board", board)


def test_64_holes_with_few_pegs(tmp_path: Path) -> None:
    empty = " o" * 6
    text = analyze(board_file(tmp_path, f"* *{empty}", *[f"o o{empty}"] * 7))
    assert "2 pegs on 64 holes\n\nsolvable, proved: a single peg can be left at 0,2; not at 0,5" in text
    assert "a solution in 1 move, ending at 0,2:" in text


def test_a_board_that_is_solved_elsewhere(tmp_path: Path) -> None:
    file = board_file(tmp_path, "* o o o")
    assert "1 peg on 4 holes\n\nsolvable, proved: a single peg can be left at 0,0" in analyze(file)
    record = json.loads(analyze(file, "--goal", "0,3", "--format", "json"))
    assert (record["status"], record["solvable"]) == ("solved elsewhere", False)
    assert "solved elsewhere: the only peg is not at 0,3\n" in analyze(file, "--goal", "0,3")
    assert "1 peg on 1 hole\n" in analyze(board_file(tmp_path, "*"))


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "-1", "0", "1e999"])
def test_seconds_that_are_none_are_refused(text: str) -> None:
    done = CliRunner().invoke(cli, ["film", "peg2", "choice", f"--seconds={text}"])
    assert done.exit_code == 2
    assert "Invalid value for '--seconds': " in done.output
