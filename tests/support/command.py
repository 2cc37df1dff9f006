"""Run the command as a user types it, in a process of its own."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GRADE = [sys.executable, "-c", "from grader.cli import main; main()"]
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


def grade(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run `grade` to its end; fail if it shows a traceback."""
    done = subprocess.run([*GRADE, *arguments], cwd=cwd, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stdout + done.stderr
    return done
