"""What a program saw of a hidden board reaches no text, number or file that a student or another program reads.

A program sends the 64 cells of a random hidden board by every way of tests/covert/peg1.py; afterwards it, and
another submission, receive on a board that is not hidden. docs/sandbox.md lists the ways.

    pytest tests/test_covert.py --covert-tries 1000
    pytest tests/test_covert.py --covert-tries 100 --covert-cold     library files that nobody has read for long
"""

import json
import math
import os
import random
import shutil
import statistics
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy
import pytest

from framework.board import format_board
from grader import folders, paths
from grader.catalog.boards import Facts, NamedBoard, find_board
from grader.catalog.tasks import Check, Task, registry
from grader.judging.grading import Choice, Grading
from grader.reports.formats import FORMATS
from grader.reports.report import Report, for_students, render
from grader.result import Result
from grader.sandbox.asking import Load, Outcome
from grader.sandbox.confine import tiers
from grader.sandbox.parent.runner import Runner
from grader.sandbox.parent.sandbox import Sandbox
from grader.submissions.submission import read_submission
from support.grading import results_of
from support.zoo_rows import STUBS

pytestmark = pytest.mark.slow

PROGRAM = Path(__file__).with_name("covert") / "peg1.py"
MOST_BITS = 1.0  # a check


class OneHidden:
    """A board that is not hidden, and one that is."""

    names = ("shown", "hidden")
    where_listed = "there are two"

    def __init__(self, cells: list[int], points: int = 0) -> None:
        self._points = points  # of the board that is not hidden
        shown, hidden = find_board("stuck"), numpy.array(cells, dtype=numpy.int8).reshape(8, 8)
        self._boards = {
            "shown": NamedBoard("shown", shown.board, shown.facts),
            "hidden": NamedBoard("hidden", hidden, Facts(True, 1), unlisted=True, hidden=True),
        }

    def find(self, name: str) -> NamedBoard | None:
        return self._boards.get(name)

    def checks(self, task: Task) -> list[Check]:
        # The hidden one first, as it might stand in a set: it is still run last.
        return [Check("hidden", 1, 5.0), Check("shown", self._points, 5.0)]


class Course:
    """Two students whose program is the same."""

    def __init__(self, folder: Path, sandbox: Callable[[], AbstractContextManager[Sandbox]]) -> None:
        self._sandbox = sandbox
        self._folder = folder
        for name in ("sender", "other"):
            (folder / name).mkdir()
            text = PROGRAM.read_text("utf-8").replace("READS = True", f"READS = {name == 'other'}")
            (folder / name / "peg1.py").write_text(f"{text}# {name} {folder}\n", "utf-8")
            shutil.copy(paths.REFERENCE / "client.py", folder / name)

    def grade(self, name: str, cells: list[int], boards: tuple[str, ...]) -> list[Result]:
        with self._sandbox() as sandbox:
            choice = Choice(self._folder / name, boards, OneHidden(cells), tier=sandbox.tier)
            grading = Grading(choice, registry(), lambda *_: None, sandbox)
            return grading.results([registry().find("peg1")])

    def received(self, name: str, cells: list[int]) -> dict[str, Any]:
        [result] = self.grade(name, cells, ("shown",))
        assert result.full, result.message
        loaded: dict[str, Any] = json.loads(result.printed)
        return loaded


@pytest.fixture
def course(
    tmp_path: Path, private_cache: None, tier: int, request: pytest.FixtureRequest
) -> Iterator[Course]:
    if tiers.missing(tier):
        pytest.skip(f"tier {tier} is not available")
    made = partial(Sandbox, tier, False, threading.Event())
    if request.config.getoption("--covert-cold"):  # a new one at each try, which reads them once
        yield Course(tmp_path, made)
        return
    with made() as sandbox:
        sandbox.zygote()  # by this thread, with which it ends
        yield Course(tmp_path, partial(nullcontext, sandbox))


def bits_through(sent: list[str], received: list[str]) -> float:
    """Return how many of 64 bits came through on average: the capacity of a channel with so many wrong bits."""
    pairs = [pair for each in zip(sent, received, strict=True) for pair in zip(*each, strict=True)]
    right = sum(one == other for one, other in pairs) / len(pairs)
    both = list(zip(sent, received, strict=True))
    alike = [{one[at] == other[at] for one, other in both} for at in range(64)]
    always = len(sent) >= 20 and sum(len(each) == 1 for each in alike)
    entropy = -sum(share * math.log2(share) for share in (right, 1 - right) if share)
    return max(64 * (1 - entropy), always)


def number_through(sent: list[int], received: list[float]) -> float:
    """Return how many bits of a number came through on average, as far as the two lie on a line."""
    if len(set(received)) < 2:
        return 0.0
    return -0.5 * math.log2(max(1e-9, 1 - statistics.correlation(sent, received) ** 2))


@pytest.mark.parametrize("tier", [2, 3])
def test_no_word_comes_from_a_hidden_check(course: Course, tier: int, request: pytest.FixtureRequest) -> None:
    tries, cold = (request.config.getoption(name) for name in ("--covert-tries", "--covert-cold"))
    chance = random.Random(tier)
    sent, numbers = [], []
    received: defaultdict[str, list[Any]] = defaultdict(list)
    told = set()
    for _ in range(tries):
        cells = [chance.randrange(2) for _ in range(64)]
        if cold:
            forget_library_files()
        hidden, before = course.grade("sender", cells, ())
        assert hidden.board == "hidden" and str(hidden.verdict) == "wrong-answer", hidden
        told.add(for_students_alone(hidden))
        sent.append("".join(map(str, cells)))
        numbers.append(sum(cell << at for at, cell in enumerate(cells[:4])))
        for name in ("sender", "other"):
            for way, found in course.received(name, cells).items():
                if isinstance(found, int | float):
                    found -= json.loads(before.printed)[way]
                received[f"{way}, {name}"].append(found)
    assert len(told) == 1, "the report tells more than pass or fail"
    widths = {}
    for way, all_found in received.items():
        if all(isinstance(found, str) and found for found in all_found):
            widths[way] = bits_through(sent, all_found)
        elif all(isinstance(found, int | float) for found in all_found):
            widths[way] = number_through(numbers, all_found)
    for way in sorted(received):
        print(f"tier {tier}  {way:50}", f"{widths[way]:.2f} bits" if way in widths else "refused")
    assert len(widths) >= 10
    wide = {way for way, width in widths.items() if width > MOST_BITS}
    assert wide == set()


def for_students_alone(hidden: Result) -> str:
    """Return all reports that a student may get of a hidden check."""
    task = registry().find("peg1")
    report = for_students(Report([task], [hidden], "student"))
    return "\n".join(render(format, report) for format in FORMATS if format != "classroom50")


def forget_library_files() -> None:
    """Have nothing of the files that the program reads in memory, and say that they were read days ago."""
    long_ago = time.time() - 3 * 86400
    for folder, _, names in os.walk(Path(numpy.__file__).parent):
        for name in names:
            if name.endswith(".py"):
                path = os.path.join(folder, name)
                os.utime(path, (long_ago, os.stat(path).st_mtime))
                with open(path, "rb") as file:
                    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


# ---- hidden checks come last, alone ----------------------------------------------------------------------------------


@pytest.mark.parametrize("in_turn", [False, True])
def test_hidden_checks_come_after_all_others(
    in_turn: bool, tmp_path: Path, private_cache: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[bool, str]] = []
    folders = set()

    class Spied(Runner):
        def run(self, request: dict[str, Any], cpu_s: float) -> Outcome:
            asked.append((request["board"] == secret, str(self._load.folder)))
            folders.add(self._load.folder)
            return super().run(request, cpu_s)

        def compile(self, request: dict[str, Any]) -> Outcome:
            assert secret not in json.dumps(request)
            asked.append((False, str(self._load.folder)))
            return super().compile(request)

    cells = [0, 1] * 32
    boards = OneHidden(cells)
    secret = format_board(boards.find("hidden").board)  # type: ignore[union-attr]
    monkeypatch.setattr(Sandbox, "runner", lambda sandbox, load, hidden: Spied(load, sandbox, hidden))
    choice = Choice(paths.REFERENCE, (), boards, tier=tiers.best())
    tasks = [registry().find(name) for name in ("peg1", "peg2", "peg3")]
    with Sandbox(tiers.best(), False, threading.Event()) as sandbox:
        grading = Grading(choice, registry(), lambda *_: None, sandbox)
        results = grading.in_turn(tasks, lambda _: None) if in_turn else grading.results(tasks)
    wanted = [(task.name, board) for task in tasks for board in ("hidden", "shown")]
    assert [(each.task, each.board) for each in results] == wanted
    kinds = [hidden for hidden, _ in asked]
    assert kinds == sorted(kinds)
    assert sum(kinds) == len(tasks)
    assert not {where for hidden, where in asked if hidden} & {where for hidden, where in asked if not hidden}
    assert not any(Path(where).exists() for hidden, where in asked if hidden)


def test_halves_that_are_run_apart_make_the_same_whole(tmp_path: Path, private_cache: None) -> None:
    """As in a class, where another process may run the hidden checks; points are settled over both."""
    tasks = [registry().find(name) for name in ("peg1", "peg2")]
    for file in ("client.py", "peg1.py"):
        shutil.copy(paths.REFERENCE / file, tmp_path)
    (tmp_path / "peg2.py").write_text("def peg_solve(board, stack):\n    return 3\n", "utf-8")
    boards = OneHidden([0, 1] * 32, points=1)
    boards._boards = {
        "shown": replace(find_board("one-jump"), name="shown"),
        "hidden": replace(find_board("stuck"), name="hidden", hidden=True),
    }
    choice = Choice(tmp_path, (), boards, tier=tiers.best())

    def grading(sandbox: Sandbox) -> Grading:
        return Grading(choice, registry(), lambda *_: None, sandbox)

    with Sandbox(tiers.best(), False, threading.Event()) as sandbox:
        whole = grading(sandbox).in_turn(tasks, lambda _: None)
        visible = [run.begun for run in grading(sandbox).half(tasks, [None, None])]
        assert [[result.board for result in each or ()] for each in visible] == [["shown"], ["shown"]]
        folders.remove(paths.cache_root())  # with what was compiled: another machine
        runs = grading(sandbox).half(tasks, visible)
    assert all(run.begun is None for run in runs)
    results = [result for run in runs for result in run.results()]
    assert [as_judged(result) for result in results] == [as_judged(result) for result in whole]
    stuck = results[2]  # which is not run, as peg2 has not half of the visible points
    assert (stuck.board, stuck.hidden, str(stuck.verdict), stuck.code) == (
        "hidden",
        True,
        "not-run",
        "beside-own",
    )


def as_judged(result: Result) -> Result:
    """Return a result without what was measured."""
    return replace(result, cpu_s=0.0, wall_s=0.0, peak_mib=0.0)


def test_what_is_said_beside_others_hidden_checks_is_not_told(tmp_path: Path, private_cache: None) -> None:
    """A program may fail only then, while it is compiled, and name what it heard."""
    shutil.copy(paths.REFERENCE / "client.py", tmp_path)
    (tmp_path / "peg1.py").write_text("raise ValueError('heard')\n", "utf-8")
    task = registry().find("peg1")
    choice = Choice(tmp_path, ("hidden",), OneHidden([0, 1] * 32), tier=tiers.best())
    with Sandbox(tiers.best(), False, threading.Event()) as sandbox:
        for begun, heard in ((None, True), ([], False)):
            folders.remove(paths.cache_root())  # as on another machine
            [run] = Grading(choice, registry(), lambda *_: None, sandbox).half([task], [begun])
            [result] = run.results()
            assert result.hidden and "heard" in result.message
            told = render("markdown", Report([task], [result], "student"))
            assert ("heard" in told) == heard


def test_a_task_that_is_not_written_says_so_though_its_checks_are_all_hidden(
    tmp_path: Path, private_cache: None
) -> None:
    choice = Choice(STUBS, ("hidden",), OneHidden([0, 1] * 32), tier=tiers.best())
    [result] = results_of(choice, "peg2")
    [told] = for_students(Report([registry().find("peg2")], [result], "student")).results
    assert (told.verdict, told.board) == ("not-written", "hidden-1")


def test_what_is_compiled_in_the_hidden_half_is_a_hidden_run(tmp_path: Path, private_cache: None) -> None:
    """A compile run beside others' hidden checks must not see them, nor keep what it heard."""
    asked = []

    class Spied(Sandbox):
        def runner(self, load: Load, hidden: bool) -> Runner:
            asked.append(hidden)
            return super().runner(load, hidden)

    for name in ("client.py", "peg1.py"):  # files that no other test has had compiled
        text = (paths.REFERENCE / name).read_text("utf-8")
        (tmp_path / name).write_text(f"{text}# {tmp_path}\n", "utf-8")
    choice = Choice(tmp_path, ("hidden",), OneHidden([0, 1] * 32), tier=tiers.best())
    with Spied(tiers.best(), False, threading.Event()) as sandbox:
        (run,) = Grading(choice, registry(), lambda *_: None, sandbox).prepared([registry().find("peg1")])
        run.run(sandbox, hidden=True)
    assert asked == [True]
    clean = read_submission(tmp_path, registry().find("peg1").files).folder
    assert list((clean / "compiled").rglob("*.nb?")) == []


def test_a_task_whose_checks_are_all_hidden_is_graded(tmp_path: Path, private_cache: None) -> None:
    choice = Choice(paths.REFERENCE, ("hidden",), OneHidden([0, 1] * 32), tier=tiers.best())
    [result] = results_of(choice, "peg2")
    assert (result.board, result.hidden) == ("hidden", True)
    assert str(result.verdict) in ("accepted", "wrong-answer"), result.message


def test_what_no_board_was_needed_for_is_told(tmp_path: Path, private_cache: None) -> None:
    """A file that is not there or cannot be read is no secret, also where all boards are hidden."""
    for name, text in {"missing": None, "broken": "def peg_solve(board, stack:\n"}.items():
        (tmp_path / name).mkdir()
        shutil.copy(paths.REFERENCE / "client.py", tmp_path / name)
        if text is not None:
            (tmp_path / name / "peg1.py").write_text(text, "utf-8")
        with Sandbox(tiers.best(), False, threading.Event()) as sandbox:
            choice = Choice(tmp_path / name, ("hidden",), OneHidden([0, 1] * 32), tier=sandbox.tier)
            grading = Grading(choice, registry(), lambda *_: None, sandbox)
            [result] = grading.in_turn([registry().find("peg1")], lambda _: None)
        told = render("markdown", Report([registry().find("peg1")], [result], "student"))
        assert result.hidden
        assert {"missing": "no such file", "broken": "peg1.py:1"}[name] in told
        assert "hidden-1" in told
