"""A class, as the command grades it: once, again, killed, with a full disk, and on a cluster."""

import contextlib
import csv
import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.command import GRADE, ROOT
from support.processes import below

pytestmark = pytest.mark.slow

PLAIN = ROOT / "tests" / "students" / "plain"
EXPECTED = {"ada": "15", "bob": "15", "cat": "15", "dan": "0", "eve": "0", "fay": "0", "gil": "0"}


@pytest.fixture(scope="module")
def submissions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a small class: two that are right, a copy, a stub, one that is no Python, an empty one, a hostile one."""
    folder = tmp_path_factory.mktemp("class") / "submissions"
    for name in EXPECTED:
        (folder / name).mkdir(parents=True)
        source = ROOT / "student" if name == "dan" else PLAIN
        for file in ("client.py", "peg1.py") if name != "fay" else ():
            shutil.copy(source / file, folder / name)
    kills = "import os\nos.kill(os.getppid(), 9)\nos._exit(0)\n"
    for name, added in {"bob": "# this is all my own work\n", "eve": "def solve(:\n", "gil": kills}.items():
        with (folder / name / "peg1.py").open("a", encoding="utf-8") as file:
            file.write(added)
    return folder


def grade(
    *arguments: str | Path, limit: Callable[[], None] | None = None, cwd: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*GRADE, "class", *map(str, arguments)], cwd=cwd, capture_output=True, text=True, check=False,
        preexec_fn=limit,
    )  # fmt: skip
    assert "Traceback" not in done.stdout + done.stderr
    return done


def begun(submissions: Path, out: Path, *options: str, stderr: int) -> subprocess.Popen[str]:
    """Begin to grade it, and do not wait."""
    typed = [*GRADE, "class", submissions, "peg1", "-o", out, *options]
    return subprocess.Popen(typed, cwd=ROOT, stderr=stderr, text=True)


def points(out: Path) -> dict[str, str]:
    """Return each student's points in peg1, as the gradebook has them."""
    with (out / "gradebook.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["id"]: row["peg1"].removesuffix(".00") for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def graded(submissions: Path) -> Path:
    """Grade it once, undisturbed."""
    out = submissions.with_name("graded")
    done = grade(submissions, "peg1", "-o", out)
    assert done.returncode == 0, done.stderr
    assert "7 students, 7 submissions" in done.stderr
    assert "graded 6 tasks" in done.stderr  # the copy is graded with what it was copied from
    return out


def test_everybody_has_what_they_earned(graded: Path) -> None:
    assert points(graded) == EXPECTED


def test_nothing_is_imported_from_the_folder_where_it_is_typed(submissions: Path, tmp_path: Path) -> None:
    for name in ("multiprocessing", "socket", "json"):
        shutil.copytree(submissions / "dan", tmp_path / "class" / name)
        (tmp_path / "class" / name / "__init__.py").write_text("1 / 0\n", "utf-8")
    script = tmp_path / "grade"  # as pip installs it: its own folder is searched, not the current one
    script.write_text("from grader.cli import main\n\nif __name__ == '__main__':\n    main()\n", "utf-8")
    grade = [sys.executable, str(script), "class", ".", "peg1", "-o", str(tmp_path / "out")]
    environment = {
        **os.environ,
        "PYTHONPATH": f"{os.pathsep}/nowhere{os.pathsep}.",
    }  # two of its parts are the current folder
    done = subprocess.run(
        grade, cwd=tmp_path / "class", env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "ZeroDivisionError" in done.stderr) == (0, False), done.stderr


def test_a_second_run_grades_nothing(submissions: Path, graded: Path, tmp_path: Path) -> None:
    before = (graded / "gradebook.csv").read_bytes()
    done = grade(submissions, "peg1", "-o", graded)
    assert done.returncode == 0
    assert "nothing to grade" in done.stderr
    assert (graded / "gradebook.csv").read_bytes() == before


def test_only_what_changed_is_graded_again(submissions: Path, graded: Path, tmp_path: Path) -> None:
    changed, out = tmp_path / "submissions", tmp_path / "out"
    shutil.copytree(submissions, changed)
    shutil.copytree(graded, out)
    shutil.copy(PLAIN / "peg1.py", changed / "dan")
    shutil.copy(PLAIN / "client.py", changed / "dan")
    shutil.copy(submissions / "dan" / "peg1.py", changed / "ada")
    done = grade(changed, "peg1", "-o", out)
    # dan's files were ada's, so they are graded already; only ada's mixture of the two is new
    assert "graded 1 task " in done.stderr
    assert points(out) == {**EXPECTED, "ada": "0", "dan": "15"}
    fresh = tmp_path / "fresh"  # the same results, and nothing else that a run leaves for the next one
    fresh.mkdir()
    with sqlite3.connect(out / "class.sqlite") as store:
        store.execute("VACUUM INTO ?", (str(fresh / "class.sqlite"),))
    with sqlite3.connect(fresh / "class.sqlite") as store:
        key = store.execute("DELETE FROM notes WHERE key IN ('files written', 'style')")
        assert key.rowcount == 2
    assert "nothing to grade" in grade(changed, "peg1", "-o", fresh).stderr
    files = [file.relative_to(fresh) for file in fresh.rglob("*.*") if file.suffix in (".csv", ".md", ".txt")]
    assert len(files) == 5 + len(EXPECTED)
    assert all((fresh / file).read_bytes() == (out / file).read_bytes() for file in files)


def test_regrade_and_only(submissions: Path, graded: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(graded, out)
    done = grade(submissions, "peg1", "-o", out, "--only", "bob", "--regrade", "bob")
    assert "graded 1 task of 1 student" in done.stderr
    assert points(out) == EXPECTED
    before = (out / "class.sqlite").read_bytes()
    done = grade(submissions, "peg1", "client", "-o", out, "--only", "bib")
    assert (out / "class.sqlite").read_bytes() == before  # nor is the class taken in anew
    assert done.returncode == 2
    assert "no student 'bib'" in done.stderr
    assert "did you mean bob?" in done.stderr


def test_only_leaves_the_others_as_they_are(submissions: Path, graded: Path, tmp_path: Path) -> None:
    some, out = tmp_path / "submissions", tmp_path / "out"
    shutil.copytree(graded, out)
    for name in ("ada", "bob"):
        shutil.copytree(submissions / "dan", some / name)
    feedback = (out / "feedback" / "bob.txt").read_bytes()
    done = grade(some, "peg1", "-o", out, "--only", "ada")  # nor do those who are not in the folder go
    assert points(out) == {**EXPECTED, "ada": "0"}
    assert (out / "feedback" / "bob.txt").read_bytes() == feedback
    assert "(what was graded is kept)" not in done.stderr


def test_students_and_tasks_that_are_left_out_are_told(
    submissions: Path, graded: Path, tmp_path: Path
) -> None:
    some, out = tmp_path / "submissions", tmp_path / "out"
    shutil.copytree(graded, out)
    shutil.copytree(submissions / "dan", some / "dan")
    done = grade(some, "client", "-o", out)
    assert "this run does not grade peg1, as the last one did" in done.stderr
    assert "ada, bob, cat, eve, fay and 1 more handed in nothing this time" in done.stderr
    assert "(what was graded is kept)" not in grade(some, "client", "-o", out).stderr
    done = grade(submissions, "peg1", "-o", out)
    assert "nothing to grade" in done.stderr
    assert points(out) == EXPECTED


def test_two_runs_do_not_meet(submissions: Path, tmp_path: Path) -> None:
    with begun(submissions, tmp_path, stderr=subprocess.PIPE) as first:
        assert first.stderr is not None
        lock = tmp_path / ".class.sqlite.lock"
        deadline = time.monotonic() + 600
        while not lock.exists() or lock.read_text() != f"{first.pid}\n":
            assert first.poll() is None and time.monotonic() < deadline, "it does not begin"
            time.sleep(0.01)
        for line in first.stderr:
            if " of 6 tasks" in line:
                break
        first.send_signal(signal.SIGSTOP)  # it would be done before the second begins, on a busy machine
        done = grade(submissions, "peg1", "-o", tmp_path)
        assert done.returncode == 2
        assert f"another `grade class` is at work there (process {first.pid})" in done.stderr
        first.send_signal(signal.SIGINT)
        first.send_signal(signal.SIGCONT)
        assert first.wait(300) == 130
        assert "what was graded is kept" in first.stderr.read()
    assert grade(submissions, "peg1", "-o", tmp_path).returncode == 0
    assert points(tmp_path) == EXPECTED


# ---- what must not matter ------------------------------------------------------------------------


def test_killed_and_resumed(
    submissions: Path, graded: Path, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """The gradebook is the same however often the run is killed, and no process is left behind."""
    chance = random.Random(pytestconfig.getoption("--fuzz-seed"))
    left: set[int] = set()
    for _ in range(pytestconfig.getoption("--class-kills")):
        run = begun(submissions, tmp_path, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.1, 5))
        left |= set(below(run.pid))
        run.kill()
        run.wait()
    done = grade(submissions, "peg1", "-o", tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "gradebook.csv").read_bytes() == (graded / "gradebook.csv").read_bytes()
    deadline = time.monotonic() + 600
    while any(_runs(pid, bytes(ROOT)) for pid in left) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(_runs(pid, bytes(ROOT)) for pid in left)


def _runs(pid: int, what: bytes) -> bool:
    """Return whether a process has this in its command."""
    try:
        return what in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


@pytest.mark.whole
def test_a_full_disk(submissions: Path, graded: Path, tmp_path: Path) -> None:
    """What is kept is kept; when there is room again the same command goes on."""

    def no_large_files() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (140_000, resource.RLIM_INFINITY))

    done = grade(submissions, "peg1", "-o", tmp_path, limit=no_large_files)
    assert done.returncode == 2
    assert "class.sqlite: cannot be used: " in done.stderr
    assert "what was graded is kept" in done.stderr
    done = grade(submissions, "peg1", "-o", tmp_path)
    assert done.returncode == 0
    assert (tmp_path / "gradebook.csv").read_bytes() == (graded / "gradebook.csv").read_bytes()


# ---- a cluster -----------------------------------------------------------------------------------


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """Start a scheduler and two workers of Dask; give its address and the workers."""
    file = tmp_path / "scheduler.json"
    dask = [sys.executable, "-m", "dask"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    scheduler = subprocess.Popen(
        [*dask, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)],
        **quiet,
    )  # fmt: skip
    started = [scheduler]
    try:
        worker = [*dask, "worker", "--scheduler-file", str(file), "--nthreads", "1", "--no-dashboard"]
        address = _address_in(file)
        started += [subprocess.Popen(worker, **quiet) for _ in range(2)]
        yield address, started[1:]
    finally:
        for process in reversed(started):
            children = below(process.pid)
            process.kill()
            process.wait()
            for child in children:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)


def _address_in(file: Path) -> str:
    """Return the scheduler's address as soon as it is written, whole."""
    deadline = time.monotonic() + 600
    while True:
        try:
            return str(json.loads(file.read_text())["address"])
        except (OSError, ValueError):
            assert time.monotonic() < deadline, "the scheduler does not start"
            time.sleep(0.1)


def test_a_cluster_that_loses_a_worker(cluster, submissions, graded, tmp_path, pytestconfig) -> None:
    address, workers = cluster
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=300)
    out = tmp_path / "out"
    with begun(submissions, out, "--scheduler", address, stderr=subprocess.PIPE) as run:
        for _ in range(max(1, pytestconfig.getoption("--class-kills") // 10)):
            time.sleep(2)
            for child in below(workers[0].pid)[:]:
                if _runs(child, b"spawn_main"):  # in it a worker's nanny has it work
                    os.kill(child, signal.SIGKILL)
        assert run.stderr is not None
        said = run.stderr.read()
    assert run.returncode == 0, said
    assert (out / "gradebook.csv").read_bytes() == (graded / "gradebook.csv").read_bytes()


def test_nobody_answers_there(submissions: Path, tmp_path: Path) -> None:
    done = grade(submissions, "peg1", "-o", tmp_path, "--scheduler", "tcp://127.0.0.1:1")
    assert done.returncode == 2
    assert "no Dask scheduler answers there" in done.stderr


def test_what_is_left_out_is_told(submissions: Path, graded: Path, tmp_path: Path) -> None:
    out, roster = tmp_path / "out", tmp_path / "roster.csv"
    shutil.copytree(graded, out)
    roster.write_text("id,name\nada,Ada\nhal,Hal\n")
    (tmp_path / "course.yaml").write_text("roster: roster.csv\n")
    assert grade(submissions, "peg1", "-o", out, cwd=tmp_path).returncode == 0
    done = grade(submissions, "peg1", "-o", out)
    assert "unlike the last run, this one has no roster: roster.csv, course.yaml\n" in done.stderr
    assert "unlike the last run" not in grade(submissions, "peg1", "-o", out).stderr
    done = grade(submissions, "peg1", "-o", out, "--regrade", "peg3")
    assert done.returncode == 2
    assert "--regrade peg3: this run does not grade that task" in done.stderr
