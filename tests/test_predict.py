"""`grade predict`: a question before a program is written, its answer kept, and compared with what the program does."""

import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from framework.board import format_board
from framework.jumps import format_jump
from grader import last_results
from grader.catalog.boards import find_board
from grader.catalog.tasks import QUESTIONS, registry
from grader.sandbox.answers import FrameError, parse_frame
from grader.sandbox.child.trace import FIELDS, MOST_EVENTS
from grader.sandbox.confine import tiers
from grader.sandbox.parent.sandbox import Sandbox
from grader.submissions.submission import read_submission
from grader.tracing import predictions
from grader.tracing.program import Program, Trace, parse_trace
from support.command import ROOT, Terminal, grade
from support.made_styles import STYLES, write_style
from support.plain_search import PlainSearch

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
    done = grade("predict", *arguments, cwd=folder)
    return done.returncode, done.stdout, done.stderr


def write(folder: Path, source: str) -> None:
    (folder / "student" / "peg3.py").write_text(source, "utf-8")


# ---- asking --------------------------------------------------------------------------------------


@pytest.mark.slow
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
    assert {question.kind for question in questions} == set(QUESTIONS)
    assert all(4 <= (find_board(each.board).facts.positions or 0) <= 8 for each in questions)


@pytest.mark.slow
def test_an_answer_typed_at_a_terminal(folder: Path) -> None:
    with Terminal(folder, "predict", "peg3") as terminal:
        terminal.until("your answer >")
        terminal.type("5")
        assert "you predicted: board 5" in terminal.until("then: grade predict peg3\r\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["peg1"], "peg1: there is nothing to predict\nhelp: tasks that have a question: peg2, peg3, peg4, peg5\n"),
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
)  # fmt: skip
def test_wrong_usage(folder: Path, arguments: list[str], message: str) -> None:
    status, text, error = predict(folder, *arguments)
    assert (status, text) == (2, "")
    assert error.startswith(message)


# ---- keeping -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_answer_from_before_the_program_is_compared_with_it_later(folder: Path) -> None:
    kept = (0, "you predicted: board 5\nkept; write peg3, then: grade predict peg3\n", "")
    assert predict(folder, "peg3", "--answer", "5") == kept
    assert predict(folder, "peg3") == kept
    write_style(folder / "student", "reference")
    assert predict(folder, "peg3")[1] == (
        "you predicted: board 5\nyour program: board 5\n\nright\n"
        "  it makes 2:3 -> 4:3, then 2:5 -> 4:5; no jump is left there, so this board\n"
        "    goes into the table\n"
    )
    status, text, _ = predict(folder, "peg3", "--answer", "1")
    assert status == 0
    assert text.startswith(
        "you predicted: board 1\nyour program: board 5\n\nnot this time; your program does"
    )
    assert "\n  you predicted:\n    o * * *\n    . * . *\n    . o . o\n" in text
    assert "\n  your program:\n    o o * o\n    . o . o\n    . * . *\n" in text


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_prediction_leaves_the_results_alone(folder: Path) -> None:
    student = folder / "student"
    last_results.keep(student, [], {"peg3": "a digest"})
    predict(folder, "peg3", "--answer", "1")
    assert last_results.load(student)["peg3"]["digest"] == "a digest"
    assert last_results.prediction_of(student, "peg3")["board"] == "dead-ends"
    last_results.keep(student, [], {"peg3": "another"})
    assert last_results.prediction_of(student, "peg3")["board"] == "dead-ends"


# ---- comparing -----------------------------------------------------------------------------------


@pytest.mark.slow
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
    write_style(folder / "student", "reference")
    status, text, _ = predict(folder, task, "--answer", right)
    assert (status, text.splitlines()[:4]) == (
        0, [f"you predicted: {right}", f"your program: {right}", "", "right"]
    )  # fmt: skip
    assert told in text
    status, text, _ = predict(folder, task, "--answer", "1")
    assert status == 0 and "not this time" in text and told in text


SOLVE = "def peg_solve(board, stack, unsolvable):\n    "


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "message"),
    [
        (SOLVE + "return 1 // 0\n", "dead-ends: ZeroDivisionError"),
        (SOLVE + "while True:\n        pass\n", "dead-ends: still computing"),
        ("import os\nos._exit(0)\n", "dead-ends: "),
        ("def peg_solve(:\n", "dead-ends: "),
    ],
)
def test_a_program_that_fails(folder: Path, source: str, message: str) -> None:
    write(folder, source)
    status, text, _ = predict(folder, "peg3", "--answer", "1")
    assert status == 1 and f"\n{message}" in text


@pytest.mark.slow
def test_a_file_that_is_missing_or_no_text(folder: Path) -> None:
    (folder / "student" / "peg3.py").unlink()
    assert predict(folder, "peg3", "--answer", "1")[:2] == (
        1, "you predicted: board 1\nstudent/peg3.py: no such file\n"
        "  help: put it back; for a fresh stub: grade start .\n",
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "told"),
    [
        (SOLVE + "return 3\n", "it puts no board into the table"),
        (
            f"from framework.hash_table import ht_insert\n{SOLVE}ht_insert(unsolvable, 12345)\n    return 3\n",
            "the first key in its table is not what board_key returns for a board of this game",
        ),
    ],
)
def test_nothing_to_compare(folder: Path, source: str, told: str) -> None:
    write_style(folder / "student", "reference")
    write(folder, source)
    status, text, _ = predict(folder, "peg3", "--answer", "1")
    assert status == 0
    assert text.splitlines()[1] == "nothing to compare:"
    assert told in " ".join(text.split()) and text.endswith("next: grade peg3\n")


@pytest.mark.slow
@pytest.mark.parametrize("style", [name for name, style in STYLES.items() if style.search])
def test_what_is_found_is_what_a_search_in_that_order_does(
    sandbox: Sandbox, tmp_path: Path, style: str
) -> None:
    write_style(tmp_path, style)
    for name in ("peg2", "peg3"):
        task = ASKED[name]
        assert task.question is not None
        board = find_board(task.question.board)
        with Program(task, read_submission(tmp_path, task.files), sandbox) as asked:
            seen = predictions.found(task.question, board, asked)
        search = PlainSearch(board.board, STYLES[style].order)
        before, end = search.came_to[search.first_end - 1 : search.first_end + 1]
        expected = format_jump(search.jump(before, end)) if name == "peg2" else search.holes.text(end)
        assert seen is not None and seen.answer == expected
        assert expected in predictions.choices(task.question, board)


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


MALFORMED: list[dict[str, object]] = [
    {"number": "3"}, {"functions": [3]}, {"functions": ["f"] * 101, "calls": [1] * 101}, {"calls": []},
    {"calls": ["1"]}, {"events": [0, 0, 7]}, {"events": [7, 0, 7, 30]}, {"events": [-1, 0, 7, 30]},
    {"events": [0, 0, 576, 30]}, {"events": [0, 0, 10**20, 30]}, {"events": [5, 1, -1, 30]},
    {"events": [6, -1, -1, 30]}, {"events": [0] * FIELDS * (MOST_EVENTS + 1)}, {"board": "o"},
    {"error": "no"},
]  # fmt: skip


@pytest.mark.parametrize("changed", MALFORMED)
def test_a_malformed_answer_is_refused(changed: dict[str, object]) -> None:
    with pytest.raises(FrameError):
        parse_frame(json.dumps(WHOLE | changed).encode(), parse_trace)
