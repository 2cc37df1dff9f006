"""What a private set says of its boards is checked, and what cannot be checked costs nobody points."""

import logging
from pathlib import Path

import pytest

from framework.board import BLOCKED, Board, format_board, parse_board
from grader import oracle, paths
from grader.catalog.boards import Facts, NamedBoard, course_boards, find_board
from grader.catalog.tasks import registry
from grader.errors import InputError
from grader.judging import grading, private_boards
from grader.judging.grading import Choice, settled
from grader.judging.kinds import fewest
from grader.judging.private_boards import PrivateBoards
from grader.making.random_boards import random_board
from grader.oracle import bounded, memory, questions
from grader.oracle.explore import explore, fewest_moves
from grader.oracle.problem import OracleError
from grader.result import Result, Verdict
from support.command import ROOT
from support.grading import results_of

PLAIN = ROOT / "tests" / "students" / "plain"

# On the 37 holes of the French board; the fewest moves are 5.
FRENCH = parse_board("""
. . o o o . . .
. o o * o o . .
o o o * * o o .
o o o o * o o .
o o * o * * o .
. o o * * o . .
. . o * o . . .
. . . . . . . .
""")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def facts_of(board: Board, fields: str, folder: Path) -> Facts:
    """Return what a set has of a board once it is checked."""
    folder.mkdir(exist_ok=True)
    (folder / "a.txt").write_text(format_board(board))
    (folder / "index.yaml").write_text(f"boards: {{a: {{{fields}}}}}")
    found = PrivateBoards(folder).find("a")
    assert found is not None
    return found.facts


def refused(board: Board, fields: str, folder: Path) -> str:
    with pytest.raises(InputError) as raised:
        facts_of(board, fields, folder)
    return raised.value.message.partition("boards.a.")[2]


# ---- small boards ----------------------------------------------------------------------------------


def test_moves_on_more_holes_than_the_engine_proves_are_checked(tmp_path: Path) -> None:
    assert (FRENCH != BLOCKED).sum() == 37 > fewest.PROVED_HOLES
    for said, expected in (("4", "5, found 4"), ("6", "5, found 6"), ("null", "5, found nothing")):
        assert (
            refused(FRENCH, f"moves: {{any: {said}}}", tmp_path / "set") == f"moves.any: expected {expected}"
        )
    assert facts_of(FRENCH, "moves: {any: 5}", tmp_path / "set").moves == {"any": 5}
    goal = "moves.0,0: goal 0,0 is not a hole of the board"
    assert refused(FRENCH, "moves: {'0,0': 5}", tmp_path / "set") == goal


def test_a_false_number_of_positions_switches_nothing_off(tmp_path: Path) -> None:
    truth = explore(FRENCH, 20_000)
    assert truth is not None and truth.solvable
    for fields in ("solvable: false, positions: 5000000", "fewest: 2, positions: 5000000"):
        assert refused(FRENCH, fields, tmp_path / "set") == "solvable: expected true, found false"
    said = refused(FRENCH, "positions: 5000000", tmp_path / "set")
    assert said == f"positions: expected {truth.positions}, found 5000000"


def test_the_fewest_moves_by_states() -> None:
    """Breadth first, as the index and the engine have them."""
    compared = 0
    for name in course_boards().names:
        board = find_board(name)
        small = board.facts.positions is not None and board.facts.positions <= 2000
        for goal, moves in board.facts.moves.items() if small else ():
            goals = sum(1 << 8 * row + col for row, col in fewest.goals_of(board.board, goal))
            assert fewest_moves(board.board, goals, 100_000) == moves, (name, goal)
            compared += 1
    assert compared > 8
    assert fewest_moves(find_board("one-peg").board, 0, 10) is None
    with pytest.raises(OracleError, match="more than 3 states"):
        fewest_moves(FRENCH, -1, 3)


@pytest.mark.slow
def test_the_fewest_moves_by_states_on_37_holes() -> None:
    every = sum(1 << 8 * row + col for row, col in fewest.goals_of(FRENCH, "any"))
    holes = fewest.goals_of(FRENCH, "any")
    assert fewest_moves(FRENCH, every, 100_000) == oracle.solutions(FRENCH, holes).moves == 5


# ---- large boards ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "fields", "message"),
    [
        ("english", "solvable: false", "solvable: expected true, found false"),
        ("english", "solvable: false, fewest: 2", "solvable: expected true, found false"),
        ("french1", "solvable: false", "solvable: expected true, found false"),
        ("french@0,3", "solvable: true", "solvable: expected false, found true"),
        ("french@0,3", "solvable: false, fewest: 3", "fewest: expected 2, found 3"),
        ("french@0,3", "solvable: false, moves: {any: 4}", "moves.any: expected null, found 4"),
    ],
)
def test_false_facts_of_large_boards(name: str, fields: str, message: str, tmp_path: Path) -> None:
    assert refused(find_board(name).board, fields, tmp_path / "set").startswith(message)


@pytest.mark.slow
def test_right_facts_of_large_boards_are_kept(tmp_path: Path) -> None:
    solvable, unsolvable = find_board("french1").board, find_board("french@0,3").board
    assert facts_of(solvable, "solvable: true", tmp_path / "set") == Facts(True, 1, False)
    assert facts_of(unsolvable, "fewest: 2", tmp_path / "set") == Facts(False, 2, False)
    assert facts_of(unsolvable, "solvable: false, moves: {any: null}", tmp_path / "set").moves == {
        "any": None
    }


def test_what_cannot_be_checked_is_said_and_judges_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def give_up(board: Board) -> int:
        raise OracleError("it takes more than 30 CPU seconds", "wait")

    monkeypatch.setattr(private_boards, "CHECKED", 10)
    monkeypatch.setattr(bounded, "fewest_pegs", give_up)
    monkeypatch.setattr(bounded, "positions", give_up)
    monkeypatch.setattr(fewest, "proved", lambda text, goal: None)
    monkeypatch.setattr(PrivateBoards, "_refuted", lambda *question: None)
    board, folder = find_board("plus").board, tmp_path / "set"
    with caplog.at_level(logging.WARNING):
        fields = "solvable: false, fewest: 3, positions: 117, moves: {any: 5}"
        assert facts_of(board, fields, folder) == Facts(False, None, False)
    said = [record.getMessage().partition("boards.a.")[2] for record in caplog.records]
    why = "not checked, so no answer is judged by it: "
    gave_up = "it takes more than 30 CPU seconds"
    assert said == [
        f"fewest: {why}{gave_up}", f"positions: {why}{gave_up}", f"moves.any: {why}the board has too many positions for a proof",
    ]  # fmt: skip
    assert refused(board, "solvable: true, fewest: 1", folder) == (
        f"solvable: true could not be confirmed: {gave_up}"
    )
    boards = PrivateBoards(Path(folder)) if facts_of(board, "solvable: false, fewest: 3", folder) else None
    assert boards is not None
    judged = [task.name for task in registry().tasks.values() if boards.checks(task)]
    assert "peg2" not in judged and "peg3" not in judged and "peg4" in judged


# ---- the judge against the set ---------------------------------------------------------------------


def graded(task: str, folder: Path) -> Result:
    choice = Choice(PLAIN, board_set=PrivateBoards(folder))
    (result,) = results_of(choice, task)
    return result


@pytest.mark.slow
@pytest.mark.parametrize("task", ["peg2", "peg3"])
def test_a_verified_solution_beats_the_index(
    task: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the engine, as on a platform, the index is believed."""
    monkeypatch.setattr(paths, "ORACLE", tmp_path / "none")
    facts_of(find_board("choice").board, "solvable: false, fewest: 2", tmp_path / "set")
    result = graded(task, tmp_path / "set")
    assert (result.verdict, result.points) == (Verdict.ACCEPTED, 1)
    assert result.code == "better-than-known"


# ---- the bounds ------------------------------------------------------------------------------------


def test_the_engine_is_stopped_and_what_took_long_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    board = find_board("plus").board
    calls = []

    def slow(board: Board, progress: object, most_bytes: int) -> int:
        calls.append(most_bytes)
        return 4

    monkeypatch.setattr(questions, "fewest_pegs", slow)
    monkeypatch.setattr(bounded, "WORTH_S", -1.0)
    assert [bounded.fewest_pegs(board) for _ in range(3)] == [4, 4, 4]
    assert calls == [bounded.MOST_BYTES]
    with pytest.raises(OracleError, match="it takes more than -1 CPU seconds"):
        bounded._until(-1)("", 1, 2)


def test_positions_are_counted_where_that_is_soon_done(monkeypatch: pytest.MonkeyPatch) -> None:
    assert bounded.positions(find_board("plus").board) == 118
    monkeypatch.setattr(questions, "SOUGHT", 100)
    assert bounded.positions(find_board("plus").board) == 118  # in sets
    with pytest.raises(OracleError, match="there are more than 100, and they are counted on up to 33 holes"):
        bounded.positions(FRENCH)
    monkeypatch.setattr(memory, "available", lambda: 0)
    with pytest.raises(OracleError, match="MiB of memory, and 0 MiB are free"):
        bounded.positions(FRENCH)


# ---- a board that somebody brings is judged by the engine, where it is installed -------------------------------


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
    for source in (*PLAIN.glob("*.py"), *wrong.glob("peg2.py")):
        (student / source.name).write_text(source.read_text())
    for folder, verdict in ((paths.REFERENCE, Verdict.ACCEPTED), (student, Verdict.WRONG_ANSWER)):
        (result,) = results_of(Choice(folder, (str(file),)), "peg2")
        assert (result.verdict, result.truth) == (verdict, "solvable"), result
