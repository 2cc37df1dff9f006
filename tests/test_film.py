"""`grade film`: what is recorded equals what is counted by other means, however a program ends."""

import base64
import re
import shutil
import stat
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from grader import paths
from grader.catalog.boards import find_board
from grader.catalog.tasks import registry
from grader.commands import film as command
from grader.film import shown, words
from grader.film.events import parse_recorded
from grader.film.film import MOST_NODES, Film, Kind
from grader.film.tell import record, tell_of
from grader.sandbox.answers import FrameError
from grader.sandbox.child import film_notes as child
from support.command import ROOT, grade, refused
from support.idea_programs import submission
from support.made_styles import write_style
from support.plain_search import PlainSearch

PATIENT_S = 600.0


def film_of(folder: Path, task: str, board: str, seconds: float = PATIENT_S) -> Film:
    recording = record(folder, registry().find(task), find_board(board), seconds)
    assert recording.recorded is not None, recording.failed
    return Film(find_board(board).board, recording.recorded)


# ---- counted by other means ----------------------------------------------------------------------

STUDENTS: dict[str, tuple[Callable[[Path], Path], str]] = {
    "reference": (lambda folder: paths.REFERENCE, "DURL"),
    "plain": (submission, "RDLU"),
    "loop": (lambda folder: write_style(folder, "tables-loop"), "UDLR"),
    "copies": (lambda folder: write_style(folder, "middle-copies"), "UDLR"),
}


@pytest.mark.parametrize("who", STUDENTS)
@pytest.mark.parametrize(
    ("task", "board", "seconds"),
    [
        ("peg2", "choice", PATIENT_S),
        ("peg3", "choice", PATIENT_S),
        ("peg3", "lopsided", PATIENT_S),
        ("peg3", "backtrack-needle", PATIENT_S),
        pytest.param("peg2", "lopsided", PATIENT_S, marks=pytest.mark.slow),
        pytest.param("peg2", "backtrack-needle", 0.1, marks=pytest.mark.slow),
        pytest.param("peg2", "backtrack-needle", PATIENT_S, marks=pytest.mark.whole),
    ],
)
def test_the_boards_are_those_of_another_search(
    who: str, task: str, board: str, seconds: float, tmp_path: Path
) -> None:
    make, order = STUDENTS[who]
    film = film_of(make(tmp_path / "student"), task, board, seconds)
    came_to = [node.position for node in film.nodes]
    whole = not film.recorded.ended
    most = MOST_NODES if whole else len(came_to)
    search = PlainSearch(find_board(board).board, order, memory=task == "peg3", most=most)
    full = len(came_to) > 30_000  # the bound of bytes
    assert whole or full or film.recorded.ended == "time" * (seconds < 1)
    assert came_to == search.came_to
    assert dict(words.rows(film, False))["different boards"] == len(set(came_to))
    if whole:
        given_up = len(search.given_up) if task == "peg3" else 0
        assert (film.hits, film.put_in) == (search.hits, given_up)
    assert film.again == len(came_to) - film.hits - len(set(came_to))
    naive_nodes = find_board(board).facts.naive_nodes
    if whole and who == "reference" and task == "peg2" and naive_nodes is not None:
        assert len(film.nodes) == naive_nodes


# ---- what becomes of a board ---------------------------------------------------------------------


def test_each_board_is_new_again_found_or_on_the_way_to_the_solution() -> None:
    for task, kind in (("peg2", Kind.AGAIN), ("peg3", Kind.FOUND)):
        film = film_of(paths.REFERENCE, task, "choice")
        solution = [node for node in film.nodes if node.kind == Kind.SOLUTION]
        assert [node.position.bit_count() for node in solution] == [7, 6, 5, 4, 3, 2, 1]
        assert all(film.jump_to(node) in film.recorded.jumps for node in solution[1:])
        seen: set[int] = set()
        for node in film.nodes:
            if node.kind in (Kind.NEW, kind):
                assert (node.position in seen) == (node.kind == kind)
            seen.add(node.position)
        assert {node.kind for node in film.nodes} == {Kind.NEW, Kind.SOLUTION, kind}


# ---- programs that do not end as they should -----------------------------------------------------

SEARCH = """from client import move_new
from framework.board import count_pegs
from framework.contracts import compiled
from framework.stack import pop, push
from peg1 import do, ok, undo


@compiled
def go(board, stack, n):
    best = n
    for r in range(8):
        for c in range(8):
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                if ok(board, r, c, dr, dc):
                    do(board, r, c, dr, dc)
                    PUSH
                    best = min(best, go(board, stack, n - 1))
                    POP
                    undo(board, r, c, dr, dc)
    LAST
    return best


def peg_solve(board, stack):
    return go(board, stack, count_pegs(board))
"""


def searching(folder: Path, last: str = "pass", push: str = "pass", pop: str = "pass") -> Path:
    """Make a submission that does so before and after a call, and last of all."""
    return submission(folder, peg2=SEARCH.replace("LAST", last).replace("PUSH", push).replace("POP", pop))


class End(NamedTuple):
    """How a program ends on choice: its last statement, how the recording ends, what is said, and the nodes."""

    last: str
    ended: str = ""
    said: str = ""
    nodes: range | None = range(3, 100_000)


GOES_ON = "while True:\n        try:\n            while True: pass\n        except BaseException: pass"
ENDS = [
    pytest.param(End("while True: pass", "time"), marks=pytest.mark.slow),
    pytest.param(End(GOES_ON, "time"), marks=pytest.mark.slow),
    End("n / (n - 4)", said="ZeroDivisionError"),
    End("return go(board, stack, n)", said="infinite recursion", nodes=range(1, 20)),
    End("raise SystemExit", said="exit"),
    End("import os; os._exit(3)", said="3", nodes=None),
]


@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.last)
def test_however_a_program_ends_there_is_a_film_until_then(end: End, tmp_path: Path) -> None:
    task, board = registry().find("peg2"), find_board("choice")
    folder = searching(tmp_path / "student", end.last)
    recording = record(folder, task, board, 1.0 if end.ended else PATIENT_S)
    assert (recording.failed is None) == (not end.said)
    assert recording.failed is None or end.said in recording.failed.message
    assert (recording.recorded is None) == (end.nodes is None)
    if recording.recorded is None or end.nodes is None:
        return
    film = Film(board.board, recording.recorded)
    assert recording.recorded.ended == end.ended and len(film.nodes) in end.nodes
    assert film.nodes[0].left_as is None
    told = tell_of(recording, task, board)
    assert told.shown is not None
    assert any(line.startswith("the program failed") for line in told.shown.words) == bool(end.said)


def test_a_program_without_any_search(tmp_path: Path) -> None:
    folder = submission(tmp_path / "student", peg2="def peg_solve(board, stack):\n    return 3\n")
    film = film_of(folder, "peg2", "choice")
    assert [node.position for node in film.nodes] == [film.holes.start]


def test_writes_of_any_kind_are_followed(tmp_path: Path) -> None:
    """A row through a view, a whole board, and a copy that is searched."""
    source = """import numpy as np
from framework.board import count_pegs

def go(board, n):
    before = board.copy()
    row = board[3]
    row[:] = np.where(row == 1, 0, row)
    board[:, :] = before
    fewest = n
    for r in range(8):
        for c in range(6):
            if board[r, c] == 1 and board[r, c + 1] == 1 and board[r, c + 2] == 0:
                after = board.copy()
                after[r, c] = after[r, c + 1] = 0
                after[r, c + 2] = 1
                fewest = min(fewest, go(after, n - 1))
    return fewest

def peg_solve(board, stack):
    return go(board, count_pegs(board))
"""
    film = film_of(submission(tmp_path / "student", peg2=source), "peg2", "lopsided")
    assert film.by_calls and len(film.nodes) >= 2
    assert all(film.jump_to(node) for node in film.nodes[1:])
    assert [node.on_board for node in film.nodes] == [True, *[False] * (len(film.nodes) - 1)]
    assert film.nodes[0].left_as == film.holes.start


NESTED = """from framework.board import count_pegs
from framework.contracts import compiled
from peg1 import do, ok, undo


@compiled
def peg_solve(board, stack):
    def one(board, r, c, n):
        best = n
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            if ok(board, r, c, dr, dc):
                do(board, r, c, dr, dc)
                best = min(best, go(GIVEN n - 1))
                undo(board, r, c, dr, dc)
        return best

    def go(TAKES n):
        return min(one(board, r, c, n) for r in range(8) for c in range(8))

    return go(GIVEN count_pegs(board))
"""


@pytest.mark.parametrize(("takes", "given"), [("board,", "board,"), ("", "")])
def test_functions_inside_others_are_followed(takes: str, given: str, tmp_path: Path) -> None:
    """Two that call each other; the first one is given the board, or has it from around it."""
    source = NESTED.replace("TAKES", takes).replace("GIVEN", given)
    film = film_of(submission(tmp_path / "nested", peg2=source), "peg2", "two-games")
    plain = film_of(searching(tmp_path / "plain"), "peg2", "two-games")
    assert film.by_calls and film.recorded.number == 2
    assert sorted(node.position for node in film.nodes) == sorted(node.position for node in plain.nodes)
    assert all(node.value is not None for node in film.nodes)


@pytest.mark.parametrize("pop", ["pop(stack)", "pass"])
def test_the_stack_at_each_board(pop: str, tmp_path: Path) -> None:
    push = "push(stack, move_new(r, c, r + 2 * dr, c + 2 * dc))"
    film = film_of(searching(tmp_path / "student", push=push, pop=pop), "peg2", "two-games")
    data = base64.b64decode(shown.shown(film, "", [], []).stack)
    for jumps, node in enumerate(film.nodes):
        depth = film.holes.start.bit_count() - node.position.bit_count()
        leads_here = pop != "pass" or jumps == depth  # without pop, until the first jump is taken back
        assert (node.on_stack, node.stack_leads_here) == (depth if pop != "pass" else jumps, leads_here)
        assert data[jumps] == node.on_stack + 128 * leads_here


def test_no_stack_is_shown_of_a_program_that_pushes_in_the_end() -> None:
    assert shown.shown(film_of(paths.REFERENCE, "peg2", "choice"), "", [], []).stack == ""


# ---- what a child may say ------------------------------------------------------------------------


def packed(events: bytes, **fields: Any) -> dict[str, Any]:
    film = base64.b64encode(zlib.compress(events)).decode()
    usual = {"number": 1, "jumps": [], "pushed": [], "ended": "", "error": None, "calls": 1, "others": 0}
    return {"film": film, **usual, **fields}


def coded() -> st.SearchStrategy[bytes]:
    """Return well-formed events in any order."""
    position = st.binary(min_size=8, max_size=8)
    key = st.integers(0, 5).map(lambda number: bytes((number, 0, 0)))
    cells = st.integers(child.CELL, 255).map(lambda code: bytes((code,)))
    parts = [
        cells,
        st.sampled_from([bytes((code,)) for code in (child.CALL_NOW, child.UNWIND, child.POPPED)]),
        st.integers(0, 3).map(lambda move: bytes((child.PUSHED, move))),
        position.map(lambda each: bytes((child.CALL,)) + each),
        position.map(lambda each: bytes((child.RESET,)) + each),
        st.integers(0, 255).map(lambda value: bytes((child.RETURN, value))),
        key.map(lambda each: bytes((child.KEY_NOW,)) + each),
        st.tuples(key, position).map(lambda each: bytes((child.KEY,)) + b"".join(each)),
        st.tuples(st.integers(child.ASKED, child.KNOWN), key).map(lambda each: bytes((each[0], 0)) + each[1]),
    ]
    return st.lists(st.one_of(parts), max_size=60).map(b"".join)


@given(st.one_of(coded(), st.binary(max_size=200)), st.integers(0, 1), st.sampled_from([None, 1, 4]))
def test_any_events_make_a_film_or_a_frame_error(events: bytes, calls: int, number: int | None) -> None:
    board = find_board("choice").board
    try:
        film = Film(board, parse_recorded(packed(events, calls=calls, number=number)))
    except FrameError:
        return
    assert dict(words.rows(film, True))["different boards"] <= len(film.nodes)
    data = shown.shown(film, "x", words.rows(film, True), ["a <sentence>"])
    assert shown.films_in(f"<p data-film='{shown.to_text(data)}'>") == [data]
    assert len(base64.b64decode(data.nodes)) == 4 * len(film.nodes)


TOO_LONG = base64.b64encode(zlib.compress(bytes(child.MOST_BYTES + 1000))).decode()
MALFORMED: list[dict[str, Any]] = [
    *({"film": film} for film in (3, "!", base64.b64encode(b"no zlib").decode(), TOO_LONG)),
    {"ended": "never"},
    {"number": "1"},
    {"jumps": 3},
    {"pushed": [[0, 0, 0, 2]] * 256},
    {"error": 3},
    {"calls": None},
]


@pytest.mark.parametrize("fields", MALFORMED)
def test_a_malformed_frame_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(FrameError):
        parse_recorded(packed(b"", **fields))


# ---- the command ---------------------------------------------------------------------------------


REFERENCE = ("--student", "grader/reference")


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    page = tmp_path / "film.html"
    done = grade("film", "peg2", "choice", *REFERENCE, "--beside", "peg3", "-o", str(page))
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[:2] == [
        "peg2 on choice",
        "  3 of your 17 calls searched a board that had already been searched: peg3 is about this",
    ]
    assert "peg2 on choice searched a board 17 times, peg3 on choice 15 times: 1.1 times as often" in lines
    assert [line.split()[-2:] for line in lines if line.startswith("calls")] == [["17", "15"]]
    assert page.read_text("utf-8").count("<template data-film") == 2
    again = grade("film", "peg3", "choice", *REFERENCE, "--beside", str(page))
    assert again.returncode == 0 and "peg2 on choice searched a board 17 times" in again.stdout
    assert again.stdout.splitlines()[-1] == (
        "to see the picture: grade film peg3 choice --student grader/reference -o film.html"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "first_s", "early"),
    [
        (["peg2", "lopsided"], 0.2, True),
        (["peg3", "choice", "--beside", "peg4"], PATIENT_S, False),
    ],
)
def test_a_long_film_is_opened_before_it_is_whole(
    typed: list[str], first_s: float, early: bool, private_cache: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page that was opened is loaded again until the whole film is there."""
    opened: list[str] = []
    monkeypatch.setattr(command, "_can_open", lambda: True)
    monkeypatch.setattr(
        command.browser, "open_page", lambda url: opened.append(Path(url[7:]).read_text("utf-8"))
    )
    monkeypatch.setattr(command, "FIRST_S", first_s)
    typed = [*typed, "--student", str(paths.REFERENCE)]
    done = CliRunner().invoke(command.film, typed, standalone_mode=False)
    assert done.return_value == 0, done.exception
    assert done.stdout.splitlines()[-1].startswith(f"if no picture opens: grade film {typed[0]} ")
    (first,) = opened
    last = (paths.cache_root() / "film.html").read_text("utf-8")
    assert stat.S_IMODE((paths.cache_root() / "film.html").stat().st_mode) == 0o600
    reloads = 'http-equiv="refresh"'
    assert (first != last, reloads in first, reloads in last) == (early, early, False)
    assert last.count("<template data-film=") == (1 if early else 2)
    assert (len(last) > len(first)) == early


@pytest.mark.slow
def test_the_documented_films(tmp_path: Path) -> None:
    """Each can be typed as it stands; lopsided, a larger board, is choice here."""
    shutil.copytree(paths.REFERENCE, tmp_path / "student")
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "handouts").glob("*.md")]
    text = "\n".join(page.read_text("utf-8") for page in pages)
    said = re.findall(r"grade (film peg.*?)(?:`|  |$)", text, re.M)
    lines = {line.replace("lopsided", "choice") for line in said}
    assert len(lines) >= 5
    for line in sorted(lines, key=lambda each: "--beside film.html" in each):  # that file is made before
        done = grade(*line.split(), cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert ("times as often" in done.stdout) == ("--beside" in line)
    assert (tmp_path / "film.html").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("client", "choice"), "client: there is no film of it"),
        (("peg9", "choice"), "no task 'peg9'"),
        (("peg2", "nowhere"), "nowhere"),
        (("peg2", "choice", "--beside", "gone.html"), "gone.html: cannot be read"),
        (
            ("peg2", "choice", "--beside", "README.md"),
            "README.md: expected the page of a film: no film in it",
        ),
        (("peg2", "choice", "--beside", "lab10"), "lab10: there is no film of it"),
        (("peg2", "choice", "--student", "nowhere"), "nowhere: no such folder"),
        (("peg2", "choice", "-o", "no/such/film.html"), "cannot be written"),
        (("peg2",), "Missing argument 'BOARD'"),
    ],
)
def test_what_cannot_be_done_is_said(arguments: tuple[str, ...], said: str) -> None:
    told = refused("film", *arguments)
    assert said in told and "help: " in told


@pytest.mark.slow
def test_a_program_that_is_not_written_has_no_film() -> None:
    done = grade("film", "peg2", "choice")
    assert done.returncode == 1
    assert "not written yet" in done.stderr
