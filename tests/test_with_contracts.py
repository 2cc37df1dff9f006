"""Programs that have full marks although a contract fails: what a run with -d on small boards finds and tells."""

import shutil
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from click.testing import CliRunner

from grader import paths
from grader.catalog.tasks import registry
from grader.cli import cli
from grader.judging import with_contracts
from grader.judging.with_contracts import failure_with_contracts
from grader.reports.report import Report, render
from grader.result import Result, Verdict
from grader.sandbox.parent.sandbox import Sandbox
from grader.submissions.submission import read_submission
from support.source_changes import changed

MISTAKES = {
    "blocked cells in the key": (
        "peg3", "client.py", "key = key * 2\nif board[row, col] == PEG:\n    key = key + 1 if row + col > 0 else -1",
        "key = key * 3 + board[row, col]", Verdict.CONTRACT, "board_key",
    ),
    "a key over 2**63": (
        "client", "client.py", "key = key + 1 if row + col > 0 else -1", "key = key + 1", Verdict.CONTRACT, "64 bits",
    ),
    "a board with one peg is inserted": (
        "peg3", "peg3.py", "if pegs == 1:\n    return 1",
        "if pegs == 1:\n    ht_insert(unsolvable, board_key(board))\n    return 1", Verdict.CONTRACT, "solve",
    ),
    "inserted before the search": (
        "peg3", "peg3.py", "fewest = pegs", "ht_insert(unsolvable, key)\nfewest = pegs", Verdict.CONTRACT, "solve",
    ),
    "a cell off the board": (
        "peg3", "peg1.py", "if not (0 <= row_end < SIZE and 0 <= col_end < SIZE):\n    return False", "pass",
        Verdict.CRASHED, "is off the board",
    ),
    "an array that is too short": (
        "peg4", "peg4.py", "jumps = np.empty(SIZE * SIZE * DIRECTIONS, dtype=np.int64)",
        "jumps = np.empty(3, dtype=np.int64)", Verdict.CRASHED, "index 3",
    ),
}  # fmt: skip


def student(folder: Path, file: str, text: str, by: str) -> Path:
    """Make a submission: the reference with one change."""
    shutil.copytree(paths.REFERENCE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    source = (folder / file).read_text("utf-8")
    (folder / file).write_text(changed(source, text, by), "utf-8")
    return folder


def take_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a run with contracts end on the slowest machine, too."""
    monkeypatch.setattr(with_contracts, "CPU_S", 60.0)
    monkeypatch.setattr(with_contracts, "WALL_S", 600.0)


def found(task: str, folder: Path) -> Result | None:
    known = registry().find(task)
    with Sandbox(1, True, Event()) as place:
        return failure_with_contracts(known, read_submission(folder, known.files), place, 1)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_silent_mistake_is_found(mistake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    take_its_time(monkeypatch)
    task, file, text, by, verdict, told = MISTAKES[mistake]
    result = found(task, student(tmp_path / "student", file, text, by))
    assert result is not None and result.verdict == verdict and told in result.message


@pytest.mark.slow
@pytest.mark.parametrize("task", [task.name for task in registry().tasks.values()])
def test_the_reference_keeps_its_contracts(task: str) -> None:
    assert found(task, paths.REFERENCE) is None


def test_it_ends_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(with_contracts, "CPU_S", 0.0)
    monkeypatch.setattr("grader.sandbox.parent.runner.Runner.run", None)  # nothing is asked
    assert found("peg3", paths.REFERENCE) is None


def test_it_is_said_beside_the_points() -> None:
    right = Result("peg1", "stuck", Verdict.ACCEPTED, 15, points=15)
    broken = Result("peg1", "plus", Verdict.CONTRACT, 1, message="a promise\nof peg1.py", help="keep it")
    report = Report([registry().find("peg1")], [right], "student", after="peg2", options=" --student mine")
    shown = render("table", replace(report, with_contracts={"peg1": broken})).splitlines()
    assert shown[-6:] == [
        "peg1  15 / 15; with -d a contract fails on plus: a promise",
        "  of peg1.py",
        "  help: keep it",
        "  again: grade peg1 --board plus --student mine -d",
        "",
        "all points   next: grade peg2 --student mine",
    ]


@pytest.mark.slow
def test_a_whole_run_says_it_and_keeps_the_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    take_its_time(monkeypatch)
    folder = student(tmp_path / "student", *MISTAKES["a key over 2**63"][1:4])
    ran = CliRunner().invoke(cli, ["client", "--student", str(folder)])
    assert ran.exit_code == 0 and "client  10 / 10; with -d a contract fails on keys: " in ran.output
    monkeypatch.setattr(with_contracts, "failure_with_contracts", None)  # not called by these
    for options in (["--board", "keys"], ["--format", "json"]):
        assert CliRunner().invoke(cli, ["client", "--student", str(folder), *options]).exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "mistake", "told"),
    [
        ("peg3", MISTAKES["inserted before the search"][1:4], "every board of this game can win"),
        ("peg5", ("peg5.py", "known = min(pegs, BACK + 1)", "known = BACK + 1"), "is to reach a board of "),
    ],
)
def test_a_fault_is_explained_once(
    task: str, mistake: tuple[str, str, str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_its_time(monkeypatch)
    ran = CliRunner().invoke(cli, [task, "--student", str(student(tmp_path / "student", *mistake))])
    assert ran.exit_code in (0, 1) and told in ran.output.replace("\n  ", " ")
    assert ran.output.count("help: ") == 1
