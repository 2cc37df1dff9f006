"""`grade predict`: a question before a program is written, its answer kept, and compared with what the program does."""

import json
import os
import pty
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from framework.board import Board, format_board
from framework.jumps import format_jump, legal_jumps, play_jump
from grader import last_results, paths
from grader.catalog.boards import find_board
from grader.catalog.questions import WORDS
from grader.catalog.tasks import registry
from grader.judging.kinds.table_truth import positions
from grader.sandbox.answers import parse_frame
from grader.sandbox.child.trace import FIELDS, MOST_EVENTS
from grader.sandbox.confine import tiers
from grader.sandbox.frame_parts import FrameError
from grader.sandbox.parent.sandbox import Sandbox
from grader.sandbox.traces import Trace, parse_trace
from grader.submissions.submission import read_submission
from grader.tracing import predictions
from grader.tracing.program import Program, run_of
from support.command import GRADE, ROOT
from support.made_styles import STEPS, STYLES, program

ASKED = {name: task for name, task in registry().tasks.items() if task.question is not None}


@pytest.fixture
def folder(tmp_path: Path, private_cache: None) -> Path:
    """Return a folder with the stubs, as a student gets it."""
    shutil.copytree(ROOT / "student", tmp_path / "student")
    return tmp_path


@pytest.fixture(scope="module")
def sandbox(private_cache: None) -> Iterator[Sandbox]:
    with Sandbox(tiers.best(), True, threading.Event()) as made:
        yield made


def predict(folder: Path, *arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [*GRADE, "predict", *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stdout + done.stderr
    return done.returncode, done.stdout, done.stderr


def write(folder: Path, **sources: str) -> None:
    for name, text in sources.items():
        (folder / "student" / f"{name}.py").write_text(text, "utf-8")


def write_reference(folder: Path) -> None:
    for file in paths.REFERENCE.glob("*.py"):
        shutil.copy(file, folder / "student")


# ---- asking --------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", ASKED)
def test_each_question_is_shown_with_its_board(folder: Path, task: str) -> None:
    status, text, _ = predict(folder, task)
    question = ASKED[task].question
    assert question is not None and status == 0
    assert text.startswith(question.words.replace("`", "") + "\n\n  0 1 2 3 4 5 6 7\n")
    assert text.endswith(f"\nto answer: grade predict {task} --answer N\n")
    assert max(map(len, text.splitlines())) <= 80
    assert last_results.prediction_of(folder / "student", task) == {}


def test_every_kind_is_asked_by_some_task_on_a_small_board() -> None:
    questions = [task.question for task in ASKED.values() if task.question is not None]
    assert {question.kind for question in questions} == set(WORDS)
    assert all(4 <= (find_board(each.board).facts.positions or 0) <= 8 for each in questions)


def test_an_answer_typed_at_a_terminal(folder: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*GRADE, "predict", "peg3"], cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True
    ) as process:
        os.close(theirs)
        text = b""
        while b"your answer >" not in text:
            text += os.read(ours, 1 << 16)
        os.write(ours, b"5\n")
        while b"again: grade predict peg3\r\n" not in text:
            text += os.read(ours, 1 << 16)
    os.close(ours)
    assert b"you predicted: board 5" in text
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["peg1"],
            "peg1: there is nothing to predict\nhelp: tasks that have a question: peg2, peg3, peg4, peg5\n",
        ),
        (["peg33"], "no task 'peg33'\nhelp: did you mean peg3?"),
        (["peg3", "--answer", "9"], "expected a number from 1 to 8, found '9'\n"),
        (["peg3", "--answer", "0"], "expected a number from 1 to 8, found '0'\n"),
        (["peg2", "--answer", "2:3"], "expected a number from 1 to 5, found '2:3'\n"),
        (["peg5", "--answer", "many"], "expected a number, found 'many'\n"),
        (["peg5", "--answer", "٣"], "expected a number, found '٣'\n"),
        (["peg5", "--answer", ""], "expected a number, found ''\n"),
        (["peg3", "-d"], "No such option '-d'."),
        (["peg3", "--student", "nobody"], "nobody: no such folder\n"),
        ([], "Missing argument 'TASK'."),
    ],
)
def test_wrong_usage(folder: Path, arguments: list[str], message: str) -> None:
    status, text, error = predict(folder, *arguments)
    assert (status, text) == (2, "")
    assert error.startswith(message)


# ---- keeping -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_answer_from_before_the_program_is_compared_with_it_later(folder: Path) -> None:
    kept = (0, "you predicted: board 5\nkept; write peg3, then type again: grade predict peg3\n", "")
    assert predict(folder, "peg3", "--answer", "5") == kept
    assert predict(folder, "peg3") == kept
    status, _, error = predict(folder, "peg3", "--answer", "2")
    assert status == 2 and error.endswith("help: to answer again: grade predict peg3 --again --answer 2\n")
    write_reference(folder)
    assert predict(folder, "peg3")[1] == (
        "you predicted: board 5\nyour program: board 5\n\nright\n"
        "  it makes 2:3 -> 4:3, then 2:5 -> 4:5; no jump is left there, so this board\n"
        "    goes into the table\n"
    )
    status, text, _ = predict(folder, "peg3", "--again", "--answer", "1")
    assert status == 0
    assert text.startswith(
        "you predicted: board 1\nyour program: board 5\n\nnot this time; your program does"
    )
    assert "\n  you predicted:\n    o * * *\n    . * . *\n    . o . o\n" in text
    assert "\n  your program:\n    o o * o\n    . o . o\n    . * . *\n" in text


def test_an_answer_to_another_question_is_not_used(folder: Path) -> None:
    student = folder / "student"
    for kept in ({"kind": "first-tried", "board": "dead-ends", "answer": "x"}, {"answer": 5}, {"kind": []}):
        last_results.keep_prediction(student, "peg3", kept)
        assert "Which board enters your table first" in predict(folder, "peg3")[1]
    question = ASKED["peg3"].question
    assert question is not None
    for answer in ("o" * 64, "no board at all", [], {}):  # of an older version, or damaged
        last_results.keep_prediction(student, "peg3", {**vars(question), "answer": answer})
        assert "Which board enters your table first" in predict(folder, "peg3")[1]


def test_a_prediction_leaves_the_results_alone(folder: Path) -> None:
    student = folder / "student"
    last_results.keep(student, [], {"peg3": "a digest"})
    predict(folder, "peg3", "--answer", "1")
    assert last_results.load(student)["peg3"]["digest"] == "a digest"
    assert last_results.prediction_of(student, "peg3")["board"] == "dead-ends"
    last_results.keep(student, [], {"peg3": "another"})
    assert last_results.prediction_of(student, "peg3")["board"] == "dead-ends"


# ---- comparing -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("task", "right", "told"),
    [
        (
            "peg2",
            "2:5 -> 4:5",
            "it makes 2:3 -> 4:3, then 2:5 -> 4:5; no jump is left there, so it goes back",
        ),
        ("peg4", "2:4 -> 2:2", "a game that goes on from there can be won"),
        ("peg5", "10", "6 boards of one peg, one for each hole, and 4 boards of two pegs can win"),
    ],
)
def test_right_and_wrong(folder: Path, task: str, right: str, told: str) -> None:
    write_reference(folder)
    status, text, _ = predict(folder, task, "--answer", right)
    assert (status, text.splitlines()[:4]) == (
        0, [f"you predicted: {right}", f"your program: {right}", "", "right"]
    )  # fmt: skip
    assert told in text
    status, text, _ = predict(folder, task, "--again", "--answer", "1")
    assert status == 0 and "not this time" in text and told in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def peg_solve(board, stack, unsolvable):\n    return 1 // 0\n", "dead-ends: ZeroDivisionError"),
        (
            "def peg_solve(board, stack, unsolvable):\n    while True:\n        pass\n",
            "dead-ends: still computing",
        ),
        ("import os\nos._exit(0)\n", "dead-ends: "),
        ("def peg_solve(:\n", "dead-ends: "),
    ],
)
def test_a_program_that_fails(folder: Path, source: str, message: str) -> None:
    write(folder, peg3=source)
    status, text, _ = predict(folder, "peg3", "--answer", "1")
    assert status == 1 and f"\n{message}" in text


def test_a_file_that_is_missing_or_no_text(folder: Path) -> None:
    (folder / "student" / "peg3.py").unlink()
    assert predict(folder, "peg3", "--answer", "1")[:2] == (
        1, "you predicted: board 1\nstudent/peg3.py: no such file\n"
        "  help: keep the file's name; for a fresh stub: grade start .\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def peg_solve(board, stack, unsolvable):\n    return 3\n", "it puts no board into the table"),
        (
            "from framework.hash_table import ht_insert\n"
            "def peg_solve(board, stack, unsolvable):\n    ht_insert(unsolvable, 12345)\n    return 3\n",
            "the first key in its table is not what board_key returns for a board of this game",
        ),
    ],
)
def test_nothing_to_compare(folder: Path, source: str, told: str) -> None:
    write_reference(folder)
    write(folder, peg3=source)
    status, text, _ = predict(folder, "peg3", "--answer", "1")
    assert status == 0
    assert text.splitlines()[1] == "nothing to compare:"
    assert told in " ".join(text.split()) and text.endswith("next: grade peg3\n")


def deepest_first(board: Board, order: str) -> tuple[str, Board]:
    """Return the first jump taken back if rows, columns and directions are tried in order, and the board then."""
    now, last = board.copy(), ""
    while jumps := legal_jumps(now):
        step = {STEPS[letter]: place for place, letter in enumerate(order)}
        first = min(
            jumps,
            key=lambda jump: (*jump[:2], step[(jump[2] - jump[0]) // 2, (jump[3] - jump[1]) // 2]),
        )
        play_jump(now, first)
        last = format_jump(first)
    return last, now


@pytest.mark.parametrize("style", [name for name, style in STYLES.items() if style.search])
def test_what_is_found_is_what_a_search_in_that_order_does(
    sandbox: Sandbox, tmp_path: Path, style: str
) -> None:
    for file, text in program(style).items():
        (tmp_path / file).write_bytes(text.encode())
    found = {}
    for name in ("peg2", "peg3"):
        task = ASKED[name]
        assert task.question is not None
        board = find_board(task.question.board)
        with Program(task, read_submission(tmp_path, task.files), sandbox) as asked:
            seen = predictions.found(task.question, board, asked)
        assert seen is not None
        assert seen.answer in predictions.choices(task.question, board)
        found[name] = seen.answer
    last, after = deepest_first(board.board, STYLES[style].order)
    assert found == {"peg2": last, "peg3": "".join(format_board(after).split())}


# ---- what a child may send -----------------------------------------------------------------------

WHOLE = {
    "number": 3,
    "functions": ["peg3.py solve"],
    "calls": [1],
    "events": [0, 0, 7, 30],
    "board": format_board(find_board("dead-ends").board),
    "error": None,
}


def test_a_whole_answer_is_parsed() -> None:
    parsed = parse_frame(json.dumps(WHOLE).encode(), parse_trace)
    assert isinstance(parsed, Trace)
    assert parsed.is_whole and parsed.number == 3 and len(parsed.events) == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"number": "3"},
        {"functions": [3]},
        {"functions": ["f"] * 101, "calls": [1] * 101},
        {"calls": []},
        {"calls": ["1"]},
        {"events": [0, 0, 7]},
        {"events": [7, 0, 7, 30]},
        {"events": [-1, 0, 7, 30]},
        {"events": [0, 0, 576, 30]},
        {"events": [0, 0, 10**20, 30]},
        {"events": [5, 1, -1, 30]},
        {"events": [6, -1, -1, 30]},
        {"events": [0] * FIELDS * (MOST_EVENTS + 1)},
        {"board": "o"},
        {"error": "no"},
    ],
)
def test_a_malformed_answer_is_refused(changed: dict[str, object]) -> None:
    with pytest.raises(FrameError):
        parse_frame(json.dumps(WHOLE | changed).encode(), parse_trace)


EVENTS = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 5), st.integers(-2, 600), st.integers(-1, 99)), max_size=60
)


@given(EVENTS)
def test_no_events_make_the_judge_fail(events: list[tuple[int, int, int, int]]) -> None:
    said = WHOLE | {"functions": ["peg3.py solve"] * 6, "calls": [1] * 6, "events": sum(events, ())}
    try:
        parsed = parse_frame(json.dumps(said).encode(), parse_trace)
    except FrameError:
        return
    assert isinstance(parsed, Trace)
    run = run_of(positions(find_board("dead-ends").board), parsed)
    if run is not None:
        assert run.line(run.first_end) is not None and run.put is not None
