"""The student's way where Python offers less than on Linux: the same verdicts and points, and the same limits."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader import paths
from grader.commands.options import NO_COMPILER, PLAIN
from grader.result import Verdict
from support.poorer_system import LACKS
from support.sampling import every

SCRIPT = Path(__file__).parent / "support" / "poorer_system.py"
ALL = ",".join(LACKS)
LOW = "sandbox tier 0, without limits of CPU time, memory and files: no limits by the system, as on Windows"
CONSOLE = {**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "cp1252"}  # as Windows has it
# What a program does, and its verdict on `stuck`; the last line of each is peg_solve's.
PROGRAMS = {
    "right": ("return 3", Verdict.ACCEPTED),
    "wrong": ("return 2", Verdict.WRONG_ANSWER),
    "loops": ("while True: pass", Verdict.TIMEOUT),
    "sleeps": ("import time; time.sleep(1_000)", Verdict.TIMEOUT),
    "prints": ("while True: print('x' * 1_000)", Verdict.OUTPUT),
    "takes memory": ("kept = [bytearray(1 << 24) for _ in range(200)]; return len(kept)", Verdict.MEMORY),
    "exits": ("import os; os._exit(3)", Verdict.EXITED),
    "crashes": ("import ctypes; ctypes.string_at(0)", Verdict.CRASHED),
    "raises": ("return 1 // 0", Verdict.CRASHED),
}


def grade(lacks: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, str(SCRIPT), lacks, *arguments],
        capture_output=True, check=False, encoding="cp1252", env=CONSOLE,
    )  # fmt: skip


def results(done: "subprocess.CompletedProcess[str]") -> list[dict[str, Any]]:
    assert done.stderr == ""
    found: list[dict[str, Any]] = json.loads(done.stdout)["results"]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("lacks", [*every(3, LACKS), ALL])
def test_what_lacks_costs_no_point(lacks: str) -> None:
    boards = [word for board in ("two-games", "choice") for word in ("--board", board)]
    found = results(grade(lacks, "peg2", "--reference", *boards, "--format", "json"))
    assert [(each["verdict"], each["points"] == each["max_points"]) for each in found] == [
        ("accepted", True)
    ] * 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "program",  # one that sleeps runs into its limit of wall time, a minute with -d
    [pytest.param(each, marks=pytest.mark.whole if each == "sleeps" else ()) for each in PROGRAMS],
)
def test_limits_hold_where_everything_lacks(program: str, tmp_path: Path) -> None:
    does, verdict = PROGRAMS[program]
    shutil.copy(paths.REFERENCE / "client.py", tmp_path)
    (tmp_path / "peg1.py").write_text(f"def peg_solve(board, stack):\n    {does}\n", "utf-8")
    student = ("--student", str(tmp_path), "--board", "stuck")
    debug = () if program == "loops" else ("-d",)  # -d saves the run that compiles, but has a long limit
    done = grade(ALL, "peg1", *debug, *student, "--format", "json")
    assert [each["verdict"] for each in results(done)] == [verdict]


@pytest.mark.slow
@pytest.mark.parametrize(
    "task", ["client", "peg3", *(pytest.param(f"peg{n}", marks=pytest.mark.whole) for n in (1, 2, 4, 5))]
)
def test_every_task_has_all_points(task: str) -> None:
    found = results(grade(ALL, task, "--reference", "--format", "json"))
    assert [each["board"] for each in found if each["points"] != each["max_points"]] == []


@pytest.mark.slow
def test_the_student_s_commands(tmp_path: Path) -> None:
    """In a folder whose name has a space and an umlaut, with the line ends and the console of Windows."""
    folder = tmp_path / "Übung 1"
    folder.mkdir()
    for name in ("client.py", "peg1.py", "peg2.py"):
        text = (paths.REFERENCE / name).read_text("utf-8")
        (folder / name).write_bytes(text.replace("\n", "\r\n").encode())
    student = ("--student", str(folder))
    for arguments, said in (
        (("peg2", "-d", *student), "-d earns none"),
        (("peg2", *student), "peg2  20 / 20"),
        (("replay", "peg2", "choice", *student), "@"),
        (("pegmark", *student), "keys compared"),
        (("show", "choice"), "choice"),
        (("hint", "peg2", *student), "no failure"),
        (("doctor",), "tier"),
    ):
        done = grade(ALL, *arguments)
        assert said in done.stdout, done
        assert done.stderr == (f"{LOW}\n" if arguments[0] == "pegmark" else "")


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Callable[..., Callable[[str], None]]]:
    """Return what starts a command that goes on, and returns what waits until it has printed a text."""
    with contextlib.ExitStack() as undo:

        def start(*arguments: str) -> Callable[[str], None]:
            printed = tmp_path / "printed.txt"
            command = [sys.executable, str(SCRIPT), ALL, *arguments]
            output = undo.enter_context(printed.open("wb"))
            running = undo.enter_context(
                subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=CONSOLE)
            )
            undo.callback(running.kill)

            def wait_for(text: str) -> None:
                end = time.monotonic() + 600
                while text not in (said := printed.read_text("cp1252")):
                    assert running.poll() is None and time.monotonic() < end, said
                    time.sleep(0.2)

            return wait_for

        yield start


@pytest.mark.slow
def test_a_save_is_graded(started: Callable[..., Callable[[str], None]], tmp_path: Path) -> None:
    student = tmp_path / "student"
    shutil.copytree(paths.REFERENCE, student)
    wait_for = started("watch", "peg1", "--student", str(student), "--board", "stuck")
    wait_for("graded at")
    (student / "peg1.py").write_text("def peg_solve(board, stack):\n    return 2\n", "utf-8")
    wait_for("stuck: ok -> FAIL")


@pytest.mark.slow
def test_the_page_is_served(started: Callable[..., Callable[[str], None]], tmp_path: Path) -> None:
    started("play", "choice")("press Ctrl-C to stop")
    said, address = (tmp_path / "printed.txt").read_text("cp1252").splitlines()[:2]
    assert said == LOW
    address = address.split()[-1]
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with opener.open(address, timeout=600) as page:
        assert "choice" in page.read().decode("utf-8")


# ---- a new Python, for which numba is not there yet ---------------------------------------------


@pytest.mark.slow
def test_without_numba_programs_run_as_plain_python(tmp_path: Path) -> None:
    """For no points, and every report says why and with which Python there are some."""
    for name in ("client.py", "peg1.py", "peg2.py"):
        shutil.copy(paths.REFERENCE / name, tmp_path)
    student = ("--student", str(tmp_path))
    done = grade("numba", "peg2", *student)
    assert (done.returncode, done.stderr) == (0, "")
    assert " ".join(done.stdout.split()).startswith(f"{PLAIN} ")
    assert "peg2  try every jump, and take it back  (-d)" in done.stdout
    assert "but -d earns none" in done.stdout
    done = grade("numba", "client", "--format", "json", *student)
    assert {each["verdict"] for each in results(done)} == {"accepted"}
    assert json.loads(done.stdout)["about"] == [PLAIN]
    assert "not graded yet" in grade("numba", *student).stdout


@pytest.mark.slow
@pytest.mark.whole
def test_without_numba_all_else_works_and_no_class_is_graded(tmp_path: Path) -> None:
    for name in ("client.py", "peg1.py", "peg2.py"):
        shutil.copy(paths.REFERENCE / name, tmp_path)
    student = ("--student", str(tmp_path))
    for arguments in (("show", "key"), ("doctor",), ("pegmark", *student)):
        done = grade("numba", *arguments)
        assert (done.returncode, done.stderr) == (0, ""), done
    done = grade("numba", "class", str(tmp_path))
    assert (done.returncode, done.stderr) == (2, f"class: needs numba\nhelp: {NO_COMPILER}\n")


def test_the_pythons_that_numba_has_wheels_for_are_said_once() -> None:
    project = tomllib.loads((paths.PACKAGE.parent / "pyproject.toml").read_text("utf-8"))["project"]
    (numba,) = (each for each in project["dependencies"] if each.startswith("numba"))
    most = int(numba.split("python_version < '3.")[1].rstrip("'")) - 1
    least = int(project["requires-python"].removeprefix(">=3."))
    assert f"Python 3.{least} to 3.{most}" in NO_COMPILER
