"""A kind of task, a task and a board are added as handouts/instructor/add-a-task.md says, and nothing else."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]

KIND = '''"""Tasks that count the pegs of a board."""

from dataclasses import replace

from grader.catalog.boards import NamedBoard
from grader.catalog.tasks import Asked
from grader.judging.kinds.kind import ruled
from grader.judging.kinds.solve import Solve
from grader.messages.catalogue import Message
from grader.result import Result, Verdict
from grader.sandbox.answers import Answer


class Count(Solve):
    """`peg_solve` returns how many pegs there are."""

    def judge(self, asked: Asked, answer: Answer, result: Result) -> Result:
        """Count them."""
        assert asked.board is not None
        result = replace(result, answer=str(answer.number))
        if answer.number == asked.board.pegs:
            return ruled(replace(result, points=asked.check.points), Verdict.ACCEPTED)
        return ruled(result, Verdict.WRONG_ANSWER, Message("wrong-count", f"expected {asked.board.pegs}", "count again"))
'''

TASK = """
  count:
    title: count the pegs
    kind: count
    files: [client.py, count.py]
    table: false
    cpu_s: 1
    memory_mib: 512
    handout: handouts/count.md
    hint: look at every cell
    extra: true
    # Counted in milliseconds by anybody.
    boards:
      - {board: corner-pair, points: 1, cpu_s: 1}
      - {board: english, points: 2, cpu_s: 1}
"""

SOURCE = '''"""count: how many pegs are on a board?"""

from framework.board import PEG, Board
from framework.contracts import compiled
from framework.stack import Stack


@compiled
def peg_solve(board: Board, stack: Stack) -> int:
    """Return how many pegs are on `board`."""
    # BEGIN SOLUTION count the cells that hold a peg
    pegs = 0
    for row in range(8):
        for col in range(8):
            if board[row, col] == PEG:
                pegs += 1
    return pegs
    # END SOLUTION
'''

PAGE = """# count: count the pegs

| board | points | limit |
|---|---|---|
| `corner-pair` | 1 | 1 s |
| `english` | 2 | 1 s |
"""

HINTS = "# Hints for count\n\n## not-written in count\n\n1. Which cells hold a peg?\n2. Look at each.\n3. Count them.\n"
BOARD = "* . . . . . . .\n* . . . . . . .\no . . . . . . .\n" + ". . . . . . . .\n" * 5
FACTS = "  corner-pair: {teaches: one jump, pegs: 2, holes: 3, solvable: true, fewest: 1, forced: true}\n"


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the checkout that is on the path of what runs in it."""
    unused = shutil.ignore_patterns("__pycache__", ".*", "tests")
    shutil.copytree(ROOT, tmp_path / "copy", ignore=unused)
    monkeypatch.chdir(tmp_path / "copy")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "copy"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "copy"


def grade(*arguments: str) -> tuple[int, str]:
    """Run the copy's `grade` and return its exit status and all it says."""
    command = [sys.executable, "-c", "from grader.cli import main; main()", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    return done.returncode, done.stdout + done.stderr


def inserted(path: Path, before: str, text: str) -> None:
    """Insert text before the first place where a file has `before`; at its end if that is nothing."""
    old = path.read_text("utf-8")
    at = old.index(before) if before else len(old)
    path.write_text(old[:at] + text + old[at:], "utf-8")


def test_a_task_of_a_new_kind_on_a_new_board(copy: Path) -> None:
    inserted(copy / "grader/tasks.yaml", "", TASK)
    assert "expected one of client, forced, " in grade("count")[1]

    (copy / "grader/judging/kinds/count.py").write_text(KIND, "utf-8")
    init = copy / "grader/judging/kinds/__init__.py"
    inserted(init, "from grader.judging.kinds.fewest", "from grader.judging.kinds.count import Count\n")
    inserted(init, '    "fewest"', '    "count": Count(),\n')
    (copy / "boards/corner-pair.txt").write_text(BOARD, "utf-8")
    inserted(copy / "boards/index.yaml", "\nvacancies:", "\n" + FACTS)
    (copy / "grader/reference/count.py").write_text(SOURCE, "utf-8")
    (copy / "handouts/count.md").write_text(PAGE, "utf-8")
    (copy / "grader/messages/words/count.md").write_text(HINTS, "utf-8")
    subprocess.run([sys.executable, "-m", "grader.release.release"], check=True)

    # What is still missing is said, each with the line to add.
    status, text = grade("doctor", "--course")
    row = "| `count` | 3 | [count the pegs](count.md) |"
    assert status == 2 and f"expected a row {row}" in text
    assert "README.md:" in text and "expected a row with [count](handouts/count.md) and 3 points" in text
    assert "add grader/judging/kinds/count.py to grader/release/files/files.txt" in text
    inserted(
        copy / "README.md", "| [fewest](", "| [count](handouts/count.md) | pegs | 3, not part of the 100 |\n"
    )
    inserted(copy / "handouts/start.md", "| `fewest` | ", f"{row}\n")
    inserted(
        copy / "grader/release/files/files.txt",
        "grader/judging/kinds/fewest.py",
        "grader/judging/kinds/count.py\n",
    )
    assert grade("doctor", "--course")[1].startswith("nothing is missing: ")

    status, text = grade("count", "--reference")
    assert (status, "count  3 / 3   all points" in text) == (0, True), text
    status, text = grade("count")
    assert status == 1 and "not written yet" in text and "look at every cell" in text
