"""peg4 and peg5 of the reference on the vacancies: solved with few states, and what they record is unsolvable."""

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest

from framework.board import BLOCKED, SIZE, Board
from grader import oracle
from grader.catalog.boards import course_boards, find_board
from grader.catalog.tasks import registry
from grader.commands.experiment import solvable_vacancies
from grader.research import task_experiment
from grader.research.task_experiment import SOLVED, UNSOLVABLE, TaskRow
from support.command import grade, reference

pytestmark = pytest.mark.slow

TASKS = ("peg4", "peg5")
# The most states of any vacancy that can be solved, as measured. Again:
#   grade experiment --task peg4 --task peg5 --board vacancies
MOST_STATES = {
    ("peg4", "english"): 226_194,
    ("peg4", "french"): 4_669,
    ("peg5", "english"): 217_918,
    ("peg5", "french"): 3_382,
}
LOOKED_AT = 150  # boards of each task and family
NTH = 18  # only every 18th vacancy is searched, without --whole
Rows = dict[str, list[TaskRow]]


@pytest.fixture(scope="module")
def names(request: pytest.FixtureRequest) -> list[str]:
    """Return the vacancies to search."""
    return solvable_vacancies()[:: 1 if request.config.getoption("--whole") else NTH]


@pytest.fixture(scope="module")
def rows(names: list[str]) -> Rows:
    """Return what each task does on these vacancies, with the boards it records."""
    boards = [find_board(name) for name in names]
    return {
        name: list(task_experiment.search(registry().find(name), boards, recorded=True)) for name in TASKS
    }


def test_every_vacancy_once() -> None:
    names = course_boards().vacancies
    assert len(names) == len(set(names)) == 33 + 37
    assert names[0] == "english@0,2" and names[-1] == "french@6,4"
    truth = [find_board(name).facts.solvable for name in names]
    assert truth.count(True) == 33 + 16 and truth.count(False) == 21


@pytest.mark.parametrize("task", TASKS)
def test_few_states(task: str, rows: Rows) -> None:
    most: dict[tuple[str, str], int] = {}
    for row in rows[task]:
        key = task, row.family
        most[key] = max(most.get(key, 0), row.unsolvable)
    assert most.keys() == {key for key in MOST_STATES if key[0] == task}
    assert all(most[key] <= MOST_STATES[key] for key in most), most


@pytest.mark.parametrize("task", TASKS)
def test_answers(task: str, names: list[str], rows: Rows) -> None:
    """All are solved, with jumps that were verified."""
    assert [row.board for row in rows[task]] == names
    for row in rows[task]:
        # Every board that is given up on was opened, and so was each on the way to the solution.
        assert row.answer == SOLVED
        assert row.opened >= row.unsolvable + find_board(row.board).pegs - 1


@pytest.mark.whole
def test_the_others_are_known_by_their_class() -> None:
    boards = [find_board(name) for name in course_boards().vacancies if name not in solvable_vacancies()]
    found = list(task_experiment.search(registry().find("peg5"), boards))
    assert len(found) == 21
    for row in found:
        assert (row.answer, row.unsolvable, row.opened) == (UNSOLVABLE, 0, 0)


# ---- recorded boards are unsolvable --------------------------------------------------------------


@pytest.mark.parametrize("task", TASKS)
def test_recorded_boards_are_unsolvable(task: str, rows: Rows) -> None:
    for family in ("english", "french"):
        start = find_board(course_boards().vacancies[0 if family == "english" else -1]).board
        keys = sorted({key for row in rows[task] if row.family == family for key in row.recorded})
        drawn = Random(1).sample(keys, min(len(keys), LOOKED_AT))
        assert drawn
        wrong = [key for key in drawn if oracle.can_win(board_of(key, start))]
        assert not wrong, wrong[:3]


def board_of(key: int, start: Board) -> Board:
    """Return the board that a key of the reference stands for, on the holes of `start`."""
    pegs = np.array([*f"{key % 2**64:064b}"], dtype=np.int8).reshape(SIZE, SIZE)
    return np.where(np.asarray(start) == BLOCKED, BLOCKED, pegs).astype(np.int8)


@pytest.mark.parametrize("name", ["english", "french1", "forced-relay", "stuck-full", "corner-top-left"])
def test_the_board_of_a_key(name: str) -> None:
    board = find_board(name).board
    assert (board_of(reference("client").board_key(board), board) == board).all()


# ---- the command -------------------------------------------------------------------------------


@pytest.mark.whole
def test_on_some_boards(tmp_path: Path) -> None:
    """Each board once, in the order typed; a place for kept code is left alone."""
    boards = ["english@3,3", "french@3,3", "forced-stuck-two", "english@3,3"]
    kept = tmp_path / "kept"
    typed = [word for board in boards for word in ("--board", board)]
    words = ["experiment", "--task", "peg5", *typed, "--format", "json"]
    done = grade(*words, NUMBA_CACHE_DIR=str(kept))
    assert (done.returncode, done.stderr) == (0, "")
    said = json.loads(done.stdout)
    assert said["schema"] == "peg-task-experiment/v1"
    assert [(row["task"], row["board"], row["answer"]) for row in said["rows"]] == [
        ("peg5", "english@3,3", SOLVED),
        ("peg5", "french@3,3", UNSOLVABLE),
        ("peg5", "forced-stuck-two", UNSOLVABLE),
    ]
    assert said["rows"][0].keys() == {"task", "board", "answer", "unsolvable", "opened", "cpu_s"}
    assert not kept.exists()


ROWS = [
    TaskRow("peg4", "english@0,2", SOLVED, 4, 64, 0.004),
    TaskRow("peg4", "english@0,3", SOLVED, 1116, 9160, 0.02),
    TaskRow("peg4", "french@0,3", UNSOLVABLE, 0, 0, 0.0),
    TaskRow("peg5", "english@0,2", SOLVED, 0, 31, 0.1, (1, 2)),
    TaskRow("peg5", "english@0,3", SOLVED, 5, 59, 0.06),
    TaskRow("peg5", "french@0,3", UNSOLVABLE, 0, 0, 0.0),
]
TABLE = """\
                             peg4                         peg5
board        answer        states    opened    CPU s    states    opened    CPU s
english@0,2  solved             4        64     0.00         0        31     0.10
english@0,3  solved         1,116     9,160     0.02         5        59     0.06
french@0,3   unsolvable         0         0     0.00         0         0     0.00

                                  states              opened              CPU s
family    answer        task        most    median      most    median     most    median
english   2 solved      peg4       1,116       560     9,160     4,612     0.02      0.01
english   2 solved      peg5           5       2.5        59        45     0.10      0.08
french    1 unsolvable  peg4           0         0         0         0     0.00      0.00
french    1 unsolvable  peg5           0         0         0         0     0.00      0.00

states  unsolvable states: the size of the program's table
opened  how often a board's jumps were listed; 0: a table of winning boards decided it
"""


def test_table() -> None:
    assert task_experiment.format_rows(ROWS, "table") == TABLE


def test_csv() -> None:
    assert task_experiment.format_rows(ROWS[:2], "csv") == (
        "task,board,answer,unsolvable,opened,cpu_s\n"
        'peg4,"english@0,2",solved,4,64,0.004\n'
        'peg4,"english@0,3",solved,1116,9160,0.02\n'
    )
