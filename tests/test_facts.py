"""`make facts` accepts a right index and reports each wrong entry of another."""

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from framework.board import Board, read_board
from grader.catalog.boards import find_board
from grader.oracle import questions
from grader.oracle.explore import explore
from grader.oracle.shape import shape_of
from grader.research import facts

BOARDS = Path(__file__).resolve().parent.parent / "boards"
INDEX = yaml.safe_load((BOARDS / "index.yaml").read_text(encoding="utf-8"))
SOME = ["one-peg", "one-jump", "stuck-full", "forced-relay", "choice", "two-forks", "4x4-corner", "lopsided"]
# A full board of which four vacancies can be solved, and two pegs stay on the others.
FULL = "needs-three-directions-a"


def vacancies(full: str) -> dict[str, Any]:
    """Return what is true of each vacancy, found in plain Python."""
    board = read_board(BOARDS / f"{full}.txt")
    family: dict[str, Any] = {"full": full, "solvable": [], "unsolvable": [], "unsolvable_fewest": None}
    for row, col in shape_of(board).holes:
        start: Board = board.copy()
        start[start == 0] = 1
        start[row, col] = 0
        truth = explore(start, 100_000)
        assert truth is not None
        family["solvable" if truth.solvable else "unsolvable"].append([row, col])
        if not truth.solvable:
            assert family["unsolvable_fewest"] in (None, truth.fewest)
            family["unsolvable_fewest"] = truth.fewest
    return family


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The index of a folder with some of the boards, in which the test is run."""
    monkeypatch.chdir(tmp_path)
    Path("boards").mkdir()
    for name in [*SOME, FULL]:
        shutil.copy(BOARDS / f"{name}.txt", "boards")
    entries = {name: dict(INDEX["boards"][name]) for name in [*SOME, FULL]}
    return {"schema": INDEX["schema"], "boards": entries, "vacancies": {"small": vacancies(FULL)}}


def run(
    index: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str
) -> tuple[int, list[str], str]:
    """Write the index and check it: exit status, the lines printed, and those on stderr."""
    text = index if isinstance(index, str) else yaml.safe_dump(index, sort_keys=False)
    Path("boards/index.yaml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["facts", *arguments])
    status = facts.main()
    printed = capsys.readouterr()
    return status, printed.out.splitlines(), printed.err


@pytest.mark.slow
def test_a_right_index_agrees(
    index: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, lines, errors = run(index, monkeypatch, capsys)
    assert (status, errors) == (0, "")
    assert lines[-1] == "boards/index.yaml agrees"
    assert [line.split()[0] for line in lines[1:-2]] == [*SOME, FULL]
    assert lines[1 + SOME.index("4x4-corner")].split()[:-1] == [
        "4x4-corner", "15", "16", "false", "2", "false", "1687", "1319343"
    ]  # fmt: skip
    solvable = len(index["vacancies"]["small"]["solvable"])
    assert lines[-2].startswith(f"small: 12 vacancies, {solvable} of them leave 1")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "field", "said", "printed"),
    [
        ("one-peg", "pegs", 2, "2, the engine says 1"),
        ("one-peg", "holes", 8, "8, the engine says 9"),
        ("one-peg", "solvable", False, "false, the engine says true"),
        ("one-peg", "solvable", None, "null, the engine says true"),
        ("stuck-full", "fewest", 1, "1, the engine says 9"),
        ("forced-relay", "forced", False, "false, the engine says true"),
        ("choice", "forced", True, "true, the engine says false"),
        ("4x4-corner", "positions", 1686, "1686, the engine says 1687"),
        ("lopsided", "naive_nodes", 56260, "56260, the engine says 56259"),
    ],
)
def test_a_wrong_field_is_printed(
    index: dict[str, Any],
    name: str,
    field: str,
    said: Any,
    printed: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    index["boards"][name][field] = said
    status, lines, _ = run(index, monkeypatch, capsys)
    assert status == 1
    assert lines[-1] == f"boards/index.yaml:boards.{name}: {field}: the index says {printed}"
    assert "agrees" not in "\n".join(lines)


@pytest.mark.slow
def test_every_difference_is_printed(
    index: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = index["vacancies"]["small"]
    moved, gone = small["solvable"][0], small["unsolvable"].pop()
    small["solvable"].remove(moved)
    small["unsolvable"].append(moved)
    small["solvable"].append([7, 7])
    fewest, small["unsolvable_fewest"] = small["unsolvable_fewest"], 9
    index["boards"]["two-forks"]["fewest"] = 3
    del index["boards"]["choice"]
    status, lines, _ = run(index, monkeypatch, capsys)
    assert status == 1
    moved, gone = f"{moved[0]},{moved[1]}", f"{gone[0]},{gone[1]}"
    assert sorted(lines[-6:]) == sorted([
        "boards/index.yaml:boards.choice: entry: the index says nothing, the engine says there is a board file",
        "boards/index.yaml:boards.two-forks: fewest: the index says 3, the engine says 2",
        "boards/index.yaml:vacancies.small@7,7: solvable: the index says true, the engine says it is not a hole",
        f"boards/index.yaml:vacancies.small@{moved}: solvable: the index says false, the engine says true",
        f"boards/index.yaml:vacancies.small@{gone}: solvable: the index says nothing, the engine says false",
        f"boards/index.yaml:vacancies.small: unsolvable_fewest: the index says 9, the engine says {fewest}",
    ])  # fmt: skip


@pytest.mark.slow
def test_unsolvable_vacancies_that_do_not_leave_the_same_are_printed(
    index: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    holes = [list(hole) for hole in shape_of(read_board(BOARDS / "plus.txt")).holes]
    shutil.copy(BOARDS / "plus.txt", "boards")
    plus = {"full": "plus", "solvable": [], "unsolvable": holes, "unsolvable_fewest": 4}
    index = {"boards": {"plus": INDEX["boards"]["plus"]}, "vacancies": {"plus": plus}}
    status, lines, _ = run(index, monkeypatch, capsys)
    assert status == 1
    assert (
        "boards/index.yaml:vacancies.plus: unsolvable_fewest: the index says 4, the engine says 3 or 4"
        in lines
    )


@pytest.mark.slow
def test_what_was_not_counted_is_no_difference(
    index: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    index["boards"]["4x4-corner"].update(positions=None, naive_nodes=None)
    monkeypatch.setattr("grader.research.facts.WALKED", 1000)
    status, lines, _ = run(index, monkeypatch, capsys)
    assert status == 0
    assert lines[1 + SOME.index("lopsided")].split()[-2] == "-"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("boards: {", "boards/index.yaml:2:1: "),
        ("boards: {gone: {}}", "boards/gone.txt: cannot be read: No such file or directory"),
        ("boards: {}\nvacancies: {a: {full: choice, solvable: []}}", "boards/index.yaml:2: vacancies.a.full: no board 'choice'"),
        ("vacancies: {a: {full: choice, solvable: [[1, a]]}}\nboards: {choice: {}}", "boards/index.yaml:1: vacancies.a.solvable: expected a list of [row, column]"),
    ],
)  # fmt: skip
def test_an_index_that_cannot_be_used(
    index: dict[str, Any], text: str, error: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    status, _, errors = run(text, monkeypatch, capsys)
    assert status == 2
    assert errors.startswith(error) and len(errors.splitlines()) == 1


# ---- the course's own index ----------------------------------------------------------------------


@pytest.mark.slow
def test_the_index_of_the_course_agrees() -> None:
    assert facts.check(BOARDS / "index.yaml") == []


def test_each_board_teaches_something_of_its_own() -> None:
    boards = [find_board(name) for name in INDEX["boards"]]
    sentences: dict[str, set[str]] = {}
    for board in boards:
        sentences.setdefault(board.teaches, set()).add(board.name.rstrip("0123456789"))
    assert all(sentences)
    assert all(len(series) == 1 for series in sentences.values())  # spread-5 and spread-9 teach the same
    assert len({board.board.tobytes() for board in boards}) == len(boards)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SOME, FULL, "plus", "backtrack", "two-islands"])
def test_the_fewest_pegs_without_looking_at_all_positions(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is found on boards with too many positions; also where no game is found at once."""
    board = read_board(BOARDS / f"{name}.txt")
    shape = shape_of(board)
    start = shape.position(board)
    fewest = INDEX["boards"][name]["fewest"]
    assert questions.fewest_left(shape, start) == fewest
    monkeypatch.setattr(questions, "FEW", 1)  # no walk can tell
    monkeypatch.setattr(questions, "SOUGHT", 1)
    assert questions.fewest_left(shape, start) == fewest
    if start.bit_count() < 16:
        monkeypatch.setattr(questions, "find_solution", lambda *question: None)
        assert questions.fewest_left(shape, start) == fewest
