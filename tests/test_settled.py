"""A board that somebody brings is judged by the exact engine, where it is installed."""

from pathlib import Path

import pytest

from framework.board import format_board
from grader import paths
from grader.catalog.boards import Facts, NamedBoard, find_board
from grader.judging import grading
from grader.judging.grading import Choice, settled
from grader.making.random_boards import random_board
from grader.oracle import bounded
from grader.oracle.problem import OracleError
from grader.result import Verdict
from support.command import ROOT
from support.grading import results_of


def brought(name: str) -> NamedBoard:
    """Return a board of the course as if it came from a file: nothing is known of it."""
    return NamedBoard(f"{name}.txt", find_board(name).board, Facts())


def test_small_boards_are_settled_at_once() -> None:
    for number in range(1, 21):
        made = random_board(5, number)
        assert settled(NamedBoard("a.txt", made.board, Facts())).facts == Facts(*made.truth)


def test_a_board_whose_facts_are_known_stays_as_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known = find_board("choice")
    assert settled(known) is known
    false = NamedBoard("a", find_board("choice").board, Facts(solvable=False))
    assert settled(false) is false
    monkeypatch.setattr(paths, "ORACLE", tmp_path / "none")
    plus = brought("plus")
    assert settled(plus) is plus


def test_larger_boards_are_settled_by_the_engine_or_it_is_said_why_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(grading, "FOUND", 10)
    monkeypatch.setattr(bounded, "fewest_pegs", lambda board: 4)
    assert settled(brought("plus")).facts == Facts(False, 4, False)

    def refuse(board: object) -> int:
        raise OracleError("this needs 16,384 MiB of memory, and 2,048 MiB may be used for it", "wait")

    monkeypatch.setattr(bounded, "fewest_pegs", refuse)
    board = settled(brought("plus"))
    assert board.facts == Facts()
    assert board.unknown == "this needs 16,384 MiB of memory, and 2,048 MiB may be used for it"


@pytest.mark.slow
def test_a_wrong_answer_on_a_file_is_told(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text(format_board(find_board("choice").board))
    wrong = ROOT / "tests" / "zoo" / "always-unsolvable"
    student = tmp_path / "student"
    student.mkdir()
    for source in (*(ROOT / "tests" / "students" / "plain").glob("*.py"), *wrong.glob("peg2.py")):
        (student / source.name).write_text(source.read_text())
    for folder, verdict in ((paths.REFERENCE, Verdict.ACCEPTED), (student, Verdict.WRONG_ANSWER)):
        (result,) = results_of(Choice(folder, (str(file),)), "peg2")
        assert (result.verdict, result.truth) == (verdict, "solvable"), result
