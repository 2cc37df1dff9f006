"""Compiled code that submissions with some of the same files share: it comes from these files alone."""

import shutil
from pathlib import Path

import pytest

from grader.catalog.tasks import registry
from grader.judging.grading import Choice
from grader.result import Result
from grader.sandbox.confine import tiers
from grader.submissions.submission import Submission, functions_used, read_submission
from support.grading import results_of

PLAIN = Path(__file__).parent / "students" / "plain"
TASK = registry().find("peg3")
# Where it may write, it puts its own text into all code that is there and in what it knows will be there.
WRITES_INTO_THE_COMPILED_CODE = """
import os

for _folder, _, _names in os.walk(os.environ.get("NUMBA_CACHE_DIR", "/nonexistent")):
    for _name in {*_names, "peg1.planted-1.py311.nbi"}:
        try:
            with open(os.path.join(_folder, _name), "wb") as _file:
                _file.write(b"\\x80\\x04\\x8c\\x07planted\\x94." * 2)
        except OSError:
            pass
"""


@pytest.fixture
def student(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of files that no other test has had compiled."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    shutil.copytree(PLAIN, tmp_path / "student")
    return tmp_path / "student"


def graded(student: Path, more: str) -> Result:
    """Return the result on a small board, with more text at the end of the task's own file."""
    (student / TASK.file).write_text(f"{(PLAIN / TASK.file).read_text('utf-8')}{more}", "utf-8")
    choice = Choice(student, ("one-jump",), tier=tiers.best())
    [result] = results_of(choice, TASK.name)
    return result


def kept(student: Path, own: bool) -> dict[str, bytes]:
    """Return the compiled code of the submission, or of what it shares with others."""
    submission = read_submission(student, TASK.files)
    folder = (submission if own else submission.without(TASK.file)).folder
    return {path.name: path.read_bytes() for path in folder.glob("compiled/*/*")}


@pytest.mark.slow
def test_an_edit_leaves_the_other_files_code_and_no_other_submission_changes_it(student: Path) -> None:
    graded(student, WRITES_INTO_THE_COMPILED_CODE)
    poisoned = kept(student, own=True)
    assert b"planted" in poisoned["peg1.planted-1.py311.nbi"], "it could write nothing"
    shared = kept(student, own=False)
    assert not any(b"planted" in data for data in shared.values())
    functions = {name.split("-")[0] for name in shared}
    assert functions >= {"client.board_key", "client.key_hash", "hash_table.ht_insert"}
    assert not any(name.startswith("peg3") for name in functions)
    for edit in ("# one\n", "# two\n"):
        assert graded(student, edit).full
        own = kept(student, own=True)
        assert kept(student, own=False) == shared
        assert {name: own[name] for name in shared} == shared, "it compiled again what it shares"
        assert "peg1.planted-1.py311.nbi" not in own


def test_the_functions_that_a_file_uses_are_those_outside_of_its_contracts() -> None:
    sources = {
        "client.py": "def board_key(board): pass\ndef move_new(a): pass\n",
        "peg1.py": "def can_jump(board): pass\ndef solve(board): pass\n",
        "peg3.py": "import peg1\nfrom client import board_key\n@ensures(lambda board: ht_size(board))\n"
        "def solve(board):\n    return peg1.can_jump(board) and board_key(board) and solve(board)\n",
    }
    assert functions_used(Submission("", sources), "peg3.py") == {"board_key", "can_jump"}
