"""`grade watch`, at a terminal of its own: what it shows, what keys do, and what is left when it ends."""

import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from grader.catalog.tasks import registry
from grader.commands.watch import changes, digest_when_saved
from grader.commands.watch_keys import Keys
from grader.result import Result, Verdict
from grader.submissions.submission import digest_of
from support.command import GRADE, ROOT, refused
from support.processes import below

pytestmark = pytest.mark.slow

fcntl = pytest.importorskip("fcntl")
pty = pytest.importorskip("pty")
termios = pytest.importorskip("termios")

PATIENCE_S = 600  # on a machine that is very busy
READY = "grading again at each save"
ENDLESS = "\n\ndef peg_solve(board, stack):\n    while True:\n        pass\n"


class Terminal:
    """A pseudo-terminal with `grade watch` in it."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.main, self.theirs = pty.openpty()
        self.before = termios.tcgetattr(self.theirs)
        self.text = ""
        self._at = 0
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment |= {"NO_COLOR": "1", "TMPDIR": str(temporary(folder))}
        self.process = subprocess.Popen(
            [*GRADE, "watch", *arguments], cwd=folder, env=environment,
            stdin=self.theirs, stdout=self.theirs, stderr=self.theirs,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip

    def until(self, wanted: str) -> str:
        """Return what is shown from where the last call ended up to `wanted`."""
        deadline = time.monotonic() + PATIENCE_S
        while wanted not in self.text[self._at :]:
            assert time.monotonic() < deadline, f"no {wanted!r} in {self.text[self._at :]!r}"
            self._read()
        start, self._at = self._at, self.text.index(wanted, self._at) + len(wanted)
        return self.text[start : self._at]

    def _read(self) -> None:
        if select.select([self.main], [], [], 0.2)[0]:
            self.text += os.read(self.main, 1 << 16).decode("utf-8", "replace").replace("\r\n", "\n")

    def press(self, keys: str) -> None:
        os.write(self.main, keys.encode())

    def end(self) -> int:
        """Wait for the end; return the exit status."""
        deadline = time.monotonic() + PATIENCE_S
        while self.process.poll() is None:
            assert time.monotonic() < deadline
            self._read()
        return self.process.returncode


def temporary(folder: Path) -> Path:
    """Return the folder for what the command leaves when it should not: faults told, children's folders."""
    (folder / "tmp").mkdir(exist_ok=True)
    return folder / "tmp"


@contextmanager
def watching(folder: Path, *arguments: str) -> Iterator[Terminal]:
    """Give a terminal; at the end the command must have put it back, and left no process."""
    terminal = Terminal(folder, *arguments)
    try:
        terminal.until(READY)
        processes = descendants(terminal.process.pid)
        yield terminal
        assert terminal.end() == 0
        assert termios.tcgetattr(terminal.theirs) == terminal.before
        assert processes, "there was nothing to leave behind"
        assert not [each for each in processes if is_alive(*each)]
        assert not list(temporary(folder).iterdir())
    finally:
        terminal.process.kill()
        terminal.process.wait()
        os.close(terminal.main)
        os.close(terminal.theirs)


def descendants(pid: int) -> set[tuple[int, str]]:
    """Return the processes that come from one, each with the time it started."""
    return {(each, started(each)) for each in below(pid)}


def started(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        return ""


def is_alive(pid: int, since: str) -> bool:
    return bool(since) and started(pid) == since


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a student's files, of which peg1 has full marks."""
    shutil.copytree(ROOT / "tests" / "students" / "plain", tmp_path / "student")
    return tmp_path


def save(path: Path, text: str) -> None:
    """Save a file in one step, so that nobody can see it empty."""
    draft = path.with_name(f".{path.name}.new")
    draft.write_text(text)
    draft.replace(path)


def save_by_rename(path: Path, text: str) -> None:
    """Save a file as many editors do."""
    draft = path.with_name(f".{path.name}.swp")
    draft.write_text(text)
    path.rename(path.with_name(f"{path.name}~"))
    draft.rename(path)


def test_a_session(folder: Path) -> None:
    file = folder / "student" / "peg1.py"
    good = file.read_text()
    with watching(folder, "peg1", "-d", "--board", "german", "--board", "stuck") as terminal:
        assert "peg1  2 / 2" in terminal.text
        save_by_rename(file, good.replace("return", "retrun", 1))
        shown = terminal.until(
            "since the last run:\n  german: ok -> FAIL\n  stuck: ok -> not run\n  points: 2 -> 0\n"
        )
        assert "python cannot read the file: invalid syntax" in shown
        save(file, good.replace("def peg_solve", "def peg_slove"))
        terminal.until("since the last run:\n  german: FAIL as before, but says something else\n")
        terminal.press("h")
        assert "peg1: go from top to bottom" in terminal.until("see handouts/peg1.md\n")
        terminal.press("r")
        terminal.until("peg1: no solution to replay yet\n")
        save_by_rename(file, good)
        terminal.until("since the last run:\n  german, stuck: FAIL -> ok\n  points: 0 -> 2\n")
        terminal.press("r")
        assert "jump 1 of 1: " in terminal.until("1 peg left")
        terminal.press("q")


def rows(shown: str) -> list[list[str]]:
    """Return the verdict and the board of each row of a table."""
    return [line.split()[:2] for line in shown.splitlines() if " / 1" in line and "peg1" not in line]


def test_the_first_board_that_failed_comes_first(folder: Path) -> None:
    file = folder / "student" / "peg1.py"
    good = file.read_text()
    says_stuck_is_solved = good + (
        "\n\nsolve_right = peg_solve\n\n\ndef peg_solve(board, stack):\n"
        "    return solve_right(board, stack) if (board == 1).sum() != 3 else 2\n"
    )
    save(file, says_stuck_is_solved)
    with watching(folder, "peg1", "-d", "--board", "one-jump", "--board", "stuck") as terminal:
        assert rows(terminal.text) == [["ok", "one-jump"], ["FAIL", "stuck"]]
        save(file, good)
        shown = terminal.until(READY)
        assert rows(shown) == [["ok", "stuck"], ["ok", "one-jump"]]
        assert shown.index("stuck: ok, 3 left") < shown.index("one-jump")
        terminal.press("q")


def test_a_save_ends_a_run_that_is_out_of_date(folder: Path) -> None:
    file = folder / "student" / "peg1.py"
    good = file.read_text()
    with watching(folder, "peg1", "-d", "--board", "german") as terminal:
        save(file, good + ENDLESS)
        terminal.until("grading ...")
        time.sleep(1)
        save(file, good)
        shown = terminal.until(READY)
        assert "stopped" not in shown and "peg1  1 / 1" in shown
        terminal.press("q")


def test_a_file_that_is_just_being_saved_is_waited_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = folder / "student" / "peg1.py"
    good, task = file.read_text(), registry().find("peg1")
    digest = digest_of(file.parent, task)
    file.write_text("")
    monkeypatch.setattr("grader.commands.watch.time.sleep", lambda _: save(file, good))
    assert digest_when_saved(file.parent, task) == digest


@pytest.mark.parametrize("how", ["ctrl-c", "kill", "hang up"])
def test_nothing_is_left_of_it(how: str, folder: Path) -> None:
    file = folder / "student" / "peg1.py"
    with watching(folder, "peg1", "-d", "--board", "german") as terminal:
        save(file, file.read_text() + ENDLESS)
        terminal.until("grading ...")
        time.sleep(0.5)
        if how == "ctrl-c":
            terminal.press("\x03")
        else:
            terminal.process.send_signal({"kill": signal.SIGTERM, "hang up": signal.SIGHUP}[how])


def test_a_terminal_that_is_closed_ends_it(folder: Path) -> None:
    terminal = Terminal(folder, "peg1", "-d", "--board", "german")
    try:
        terminal.until(READY)
        processes = descendants(terminal.process.pid)
        os.close(terminal.theirs)
        os.close(terminal.main)
        terminal.process.wait(PATIENCE_S)
        assert processes and not [each for each in processes if is_alive(*each)]
    finally:
        terminal.process.kill()
    assert not list(temporary(folder).iterdir())


def test_without_a_terminal_it_prints_a_plain_run_at_each_save(folder: Path) -> None:
    file = folder / "student" / "peg1.py"
    with subprocess.Popen(
        [*GRADE, "watch", "peg1", "-d", "--board", "german"],
        cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            shown = [lines_until(process.stdout, "graded at")]
            save(file, file.read_text() + "# saved\n")
            shown.append(lines_until(process.stdout, "graded at"))
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 0
    first = next(line for line in shown[0] if line.strip())
    assert first.startswith("peg1  make the jump that is forced")
    assert shown[1][0] == shown[0][0] and "all as before" in shown[1]
    assert not any("\x1b" in line or "quit" in line for line in shown[0] + shown[1])


def lines_until(stream: object, start: str) -> list[str]:
    found: list[str] = []
    for line in stream:  # type: ignore[attr-defined]
        found.append(line.rstrip("\n"))
        if line.startswith(start):
            return found
    raise AssertionError(f"no {start!r} in {found}")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["pge1"], "no task 'pge1'\nhelp: did you mean peg1?"),
        (["peg1", "--student", "nowhere"], "nowhere: no such folder\nhelp: go to the folder"),
        (["peg1", "--board", "no-such"], "no board 'no-such'\nhelp: "),
        (["client", "-d", "--board", "no-such"], "no board to run\nhelp: "),
    ],
)
def test_what_cannot_be_watched(arguments: list[str], said: str, folder: Path) -> None:
    assert refused("watch", *arguments, cwd=folder).startswith(said)


def test_without_watchfiles_it_says_what_to_install(folder: Path) -> None:
    without = "import sys; sys.modules['watchfiles'] = None; from grader.cli import main; main()"
    command = [sys.executable, "-c", without, "watch", "peg1"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "watch: needs watchfiles, which is not installed\nhelp: pip install watchfiles\n"


# ---- what is different ---------------------------------------------------------------------------


def result(board: str, verdict: Verdict = Verdict.ACCEPTED, **fields: object) -> Result:
    full = Result("peg3", board, verdict, max_points=5, points=5 if verdict == Verdict.ACCEPTED else 0)
    return replace(full, **fields)  # type: ignore[arg-type]


def test_what_is_different() -> None:
    before = [
        result("one"),
        result("two", Verdict.TIMEOUT, cpu_s=2.0),
        result("three", unsolvable=10_813, cpu_s=0.02),
        result("four", Verdict.WRONG_ANSWER, message="3 left"),
        result("five", answer="solved, 31 jumps"),
    ]
    after = [
        result("one", cpu_s=0.09),
        result("two", cpu_s=0.5),
        result("three", unsolvable=1_034, cpu_s=0.01),
        result("four", Verdict.WRONG_ANSWER, message="2 left"),
        result("five", answer="solved, 30 jumps"),
    ]
    assert changes(before, after) == [
        "two: SLOW -> ok, 2.00 s -> 0.50 s",
        "three: 10,813 -> 1,034 states",
        "four: FAIL as before, but says something else",
        "five: solved, 31 jumps -> solved, 30 jumps",
        "points: 15 -> 20",
    ]
    assert changes(after, after) == []


def test_what_is_different_alike_is_told_once() -> None:
    before = [result(str(number)) for number in range(7)]
    after = [result("0", Verdict.CRASHED), *(result(str(number), Verdict.NOT_RUN) for number in range(1, 7))]
    assert changes(before, after) == ["0: ok -> FAIL", "1, 2, 3 and 3 more: ok -> not run", "points: 35 -> 0"]


def test_a_terminal_that_is_not_ours_gives_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """As under `su -c`."""
    _, theirs = pty.openpty()
    with os.fdopen(theirs) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        with Keys() as keys:
            assert keys.descriptor is None
