"""Run the command as a user types it, in a process of its own."""

import importlib.util
import os
import pty
import subprocess
import sys
from pathlib import Path
from types import ModuleType

from grader import paths

ROOT = Path(__file__).resolve().parents[2]
GRADE = [sys.executable, "-c", "from grader.cli import main; main()"]
IN_FOLDER = "import sys; sys.path.insert(0, sys.argv.pop(1)); from grader.cli import main; main()"
WITHOUT_LANDLOCK = [sys.executable, str(ROOT / "tests/support/without_landlock.py")]  # before a command
PATIENT = """
from grader.cli import main
from grader.judging import calibration
from grader.play import hints

calibration.factor = lambda: 100.0  # a program without end ends because it is cancelled, not at its limit
hints.SILENCE_S = hints.CANCEL_S = 3600.0  # however slow the machine, no page counts as gone
main()
"""
PLAY = [sys.executable, "-c", PATIENT, "play"]


def grade(*arguments: str, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `grade` to its end; fail if it shows a traceback."""
    return _ended([*GRADE, *arguments], cwd, environment)


def grade_in(root: Path, *arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the grader whose packages are in `root`, on a console with the encoding that is asked for."""
    return _ended([sys.executable, "-P", "-c", IN_FOLDER, str(root), *arguments], cwd, environment)


def _ended(command: list[str], cwd: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    encoding = environment.get("PYTHONIOENCODING", "utf-8")
    environment = {**os.environ, **environment}
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, encoding=encoding, check=False
    )
    assert "Traceback" not in done.stdout + done.stderr
    return done


def refused(*arguments: str, cwd: Path = ROOT) -> str:
    """Return what `grade` says of arguments that it cannot use; it must print nothing else."""
    done = grade(*arguments, cwd=cwd)
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr


def reference(name: str) -> ModuleType:
    """Import a module of the reference as plain Python, under a name of its own."""
    spec = importlib.util.spec_from_file_location(f"{name}_reference", paths.REFERENCE / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Terminal:
    """A run of `grade` at a terminal; use it in a `with` block, whose end waits for the command's."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._ours, theirs = pty.openpty()
        self._process = subprocess.Popen(
            [*GRADE, *arguments], cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True
        )
        os.close(theirs)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, failed: object, *_: object) -> None:
        if failed is not None:
            self._process.kill()
        status = self._process.wait()
        os.close(self._ours)
        assert failed is not None or status == 0

    def type(self, line: str) -> None:
        os.write(self._ours, f"{line}\n".encode())

    def until(self, wanted: str) -> str:
        """Return what is shown from now on, up to where `wanted` stands in it."""
        text = b""
        while wanted.encode() not in text:
            text += os.read(self._ours, 1 << 16)
        return text.decode()
