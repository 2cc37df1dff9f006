"""What is not confined is refused, or said: commands where there is no Landlock."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader import paths
from grader.course.store import ClassStore
from grader.sandbox.confine import landlock, tiers
from support.command import GRADE, ROOT, WITHOUT_LANDLOCK

pytestmark = pytest.mark.skipif(tiers.best() < 2, reason="needs Landlock and libseccomp2, see grade doctor")
WHY = "not available here: tier 2: this kernel has no Landlock, or it is turned off\n"
WAY_OUT = "or request less by --tier 1; "
LOW = "sandbox tier 1, without Landlock and a filter of system calls: this kernel has no Landlock, or it is turned off"


def run(*command: object) -> "subprocess.CompletedProcess[str]":
    done = subprocess.run(
        [str(word) for word in command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr
    return done


def reaches_out(folder: Path, mark: Path) -> Path:
    """Make a right submission that also writes a file outside of its folder; return its folder."""
    shutil.copytree(paths.REFERENCE, folder)
    with (folder / "peg1.py").open("a", encoding="utf-8") as source:
        source.write(f"\n\nopen({str(mark)!r}, 'w').close()\n")
    return folder


@pytest.mark.slow
def test_a_class_is_refused_and_then_graded_again(tmp_path: Path) -> None:
    """Attack 64: what it had in a low tier does not stay, and what it had in a higher one does."""
    mark, submissions, out = tmp_path / "mark", tmp_path / "class", tmp_path / "class-graded"
    reaches_out(submissions / "ada", mark)
    grade_class = [*GRADE, "class", submissions, "peg1", "-j", "1"]

    def points() -> tuple[int, int]:
        with ClassStore(out) as store:
            return store.points("ada")[1]["peg1"]

    refused = run(*WITHOUT_LANDLOCK, *grade_class)
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"a class and private boards need tier 2: {WHY}help: ")
    assert WAY_OUT in refused.stderr
    assert not out.exists() and not mark.exists()

    obeyed = run(*WITHOUT_LANDLOCK, *grade_class, "--tier", "1")
    assert (obeyed.returncode, obeyed.stderr.splitlines()[0]) == (0, LOW)
    assert points() == (15, 15) and mark.exists()
    mark.unlink()

    confined = run(*grade_class, "--tier", "2")
    assert (confined.returncode, points(), mark.exists()) == (0, (0, 15), False)
    assert "sandbox tier" not in confined.stderr
    for options in ([], ["--tier", "1"]):
        assert "everything is graded already" in run(*grade_class, *options).stderr
    assert (points(), mark.exists()) == ((0, 15), False)


@pytest.mark.slow
@pytest.mark.parametrize("boards", ["private", "random:2"])
def test_boards_that_students_must_not_see_are_refused(boards: str, tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir()
    shutil.copy(paths.BOARDS / "one-jump.txt", private / "secret.txt")
    (private / "index.yaml").write_text(
        "boards:\n  secret: {solvable: true, fewest: 1, forced: true}\n", "utf-8"
    )
    check = [*GRADE, "peg1", "--reference", "--boards", private if boards == "private" else boards]
    refused = run(*WITHOUT_LANDLOCK, *check)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert WHY in refused.stderr and WAY_OUT in refused.stderr
    obeyed = run(*WITHOUT_LANDLOCK, *check, "--tier", "1")
    assert obeyed.returncode == 0
    assert obeyed.stdout.startswith("sandbox tier 1, ")


@pytest.mark.slow
def test_a_platforms_run_is_refused(tmp_path: Path) -> None:
    mark, results = tmp_path / "mark", tmp_path / "results.json"
    submission = reaches_out(tmp_path / "student", mark)
    grade = [
        *WITHOUT_LANDLOCK, sys.executable, "-m", "grader.exports.platform_run", "gradescope",
        "--submission", submission, "-o", results, "--seconds", "60", "--task", "peg1",
    ]  # fmt: skip
    refused = run(*grade)
    assert refused.returncode == 2
    assert WHY in refused.stderr and WAY_OUT in refused.stderr
    assert not results.exists() and not mark.exists()
    assert run(*grade, "--tier", "1").returncode == 0
    assert mark.exists()
    told = json.loads(results.read_text("utf-8"))
    assert LOW in told["output"]
    assert {each["tier"] for each in told["extra_data"]["results"]} == {1}


@pytest.mark.slow
def test_a_students_own_run_is_not_refused_and_says_it() -> None:
    """In the report's first line, and in JSON, which stays JSON, in `about` and each result."""
    check = [*WITHOUT_LANDLOCK, *GRADE, "peg1", "--reference", "--board", "stuck"]
    done = run(*check)
    assert (done.returncode, done.stderr) == (0, "")
    assert " ".join(done.stdout.split()).startswith(f"{LOW} ")
    loaded = json.loads(run(*check, "--format", "json").stdout)
    assert loaded["about"] == [LOW]
    assert [result["tier"] for result in loaded["results"]] == [1]
    done = run(*WITHOUT_LANDLOCK, *GRADE, "pegmark", "--student", paths.REFERENCE)
    assert (done.returncode, done.stderr) == (0, f"{LOW}\n")
    assert "sandbox tier" not in run(*GRADE, "peg1", "--reference", "--board", "stuck").stdout


def test_why_a_tier_is_low(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [tiers.note(2), tiers.note(3)] == ["", ""]
    assert tiers.note(1) == "sandbox tier 1, without Landlock and a filter of system calls: as requested"
    monkeypatch.setattr(landlock, "version", lambda: 0)
    assert tiers.note(1) == LOW
    assert tiers.note(0) == "sandbox tier 0, without limits of CPU time, memory and files: as requested"
