"""A made class, graded in one run: how fast, in how much memory, and the same whatever happens meanwhile.

    python tests/bench/bench_class.py COUNT [plain] [killed] [full-disk] [cluster] [--seed N] [--times N]

    plain       nothing happens
    killed      killed with -9, --times times (default 50), each at a random moment, and resumed
    full-disk   its folder on a small tmpfs, which is enlarged each time that it is full (needs root)
    cluster     on a Dask cluster of two worker processes, one of which is killed --times times

Each of these grades the whole class from nothing, client, peg1 and peg2, which for a class of 1,000 is about
27,000 checks and takes two cores 20 minutes. Printed for each: the wall seconds; checks a second, of those that
were run; the memory of the run itself and of all its processes, the most in its first and in its last tenth; how
many points are not as the submission was made (see support/made_class.py); whether the gradebook is byte by byte that of the
first; what a second run took, which has nothing to grade; and a third, after one student edited peg2.py; processes
of it that are left.
"""

import contextlib
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from csv import DictReader
from dataclasses import dataclass, field
from pathlib import Path

import click
from tabulate import tabulate

from grader import paths
from grader.sandbox.confine import limits

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.made_class import TASKS, MadeClass, make_class

MIB = 1 << 20
GRADE = [sys.executable, "-c", "from grader.cli import main; main()"]
QUIET = subprocess.DEVNULL
HEADERS = (
    "way", "s", "ended", "checks", "checks/s", "MiB at first", "MiB at last", "wrong points", "gradebook", "again s",
    "edit s", "left",
)  # fmt: skip
SMALL_MIB, LARGER = 0.25, 1.5  # the small disk, and how much larger it becomes each time


@dataclass
class Run:
    """One class run, from nothing to its end, in as many processes as it takes."""

    made: MadeClass  # the class
    out: Path  # where its results are kept
    options: tuple[str, ...] = ()  # more arguments of the command
    # wall time, of the run itself and of all its processes, in MiB
    memory: list[tuple[float, float]] = field(default_factory=list)
    ended: int = 0  # how many times it was ended before its end

    def start(self) -> "subprocess.Popen[str]":
        """Start it, or resume it."""
        what = ["class", str(self.made.submissions), *TASKS]
        command = [*GRADE, *what, "-o", str(self.out), *self.options]
        process = subprocess.Popen(
            command,
            cwd=self.made.roster.parent,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "CI": "true"},
        )
        threading.Thread(target=self._watch, args=[process], daemon=True).start()
        return process

    def finish(self) -> str:
        """Run it to its end and return what it says."""
        process = self.start()
        said = process.communicate()[1]
        assert process.returncode == 0, said
        return said

    def _watch(self, process: "subprocess.Popen[str]") -> None:
        while process.poll() is None:
            time.sleep(1)
            together = limits.usage(process.pid)
            with contextlib.suppress(OSError, IndexError):  # it has just ended
                text = Path(f"/proc/{process.pid}/status").read_text("ascii", "replace")
                own = int(text.partition("VmRSS:")[2].split()[0]) / 1024
                if together is not None:
                    self.memory.append((own, together.resident_mib))


def killed(run: Run, times: int, rng: random.Random, seconds: float) -> None:
    """Kill it, each time within `seconds`, and resume it."""
    for _ in range(times):
        process = run.start()
        time.sleep(rng.uniform(0.2, seconds))
        run.ended += process.poll() is None
        process.kill()
        process.communicate()
    run.finish()


def on_a_small_disk(run: Run) -> None:
    """Give it a disk too small, and more each time."""
    size = int(SMALL_MIB * MIB)
    run.out.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", run.out], check=True)
    while True:
        process = run.start()
        said = process.communicate()[1]
        size = int(size * LARGER)
        subprocess.run(["mount", "-o", f"remount,size={size}", run.out], check=True)
        if process.returncode == 0:
            return
        assert process.returncode == 2, said
        assert "free some space there" in said, said
        run.ended += 1


@contextlib.contextmanager
def cluster(place: Path) -> Iterator[tuple[str, Callable[[], None]]]:
    """Start a scheduler and two workers; give its address and what kills one worker, which is started anew."""
    file = place / "scheduler.json"
    dask = [sys.executable, "-m", "dask"]
    address = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    worker = [
        *dask,
        "worker",
        "--scheduler-file",
        str(file),
        "--nthreads",
        "1",
        "--no-dashboard",
        "--no-nanny",
    ]
    started = [subprocess.Popen([*dask, "scheduler", *address], cwd=place, stdout=QUIET, stderr=QUIET)]
    try:
        while not file.exists() or not file.read_text():
            time.sleep(0.2)
        started += [subprocess.Popen(worker, cwd=place, stdout=QUIET, stderr=QUIET) for _ in range(2)]

        def kill_one() -> None:
            started[1].kill()
            started[1].wait()
            started[1] = subprocess.Popen(worker, cwd=place, stdout=QUIET, stderr=QUIET)

        yield json.loads(file.read_text())["address"], kill_one
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait()


def on_a_cluster(run: Run, place: Path, times: int, rng: random.Random, seconds: float) -> None:
    """Run it on a cluster and kill a worker, each time within `seconds`."""
    with cluster(place) as (address, kill_one):
        run.options += ("--scheduler", address)
        process = run.start()
        for _ in range(times):
            time.sleep(rng.uniform(0.2, seconds))
            if process.poll() is None:
                run.ended += 1
                kill_one()
        said = process.communicate()[1]
        assert process.returncode == 0, said
        run.options = run.options[:-2]


def wrong_points(run: Run) -> int:
    """Return how many points differ from those the submissions were made for."""
    with (run.out / "gradebook.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["id"]: row for row in DictReader(file)}
    return sum(
        float(rows[student][f"{task} raw"] or 0) != points
        for student, expected in run.made.expected.items()
        for task, points in expected.items()
    )


def checks_run(run: Run) -> int:
    """Return how many checks were run."""
    with contextlib.closing(sqlite3.connect(run.out / "class.sqlite")) as store:
        (count,) = store.execute("SELECT count(*) FROM checks WHERE verdict != 'not-run'").fetchone()
    return int(count)


def measured(run: Run, start: Callable[[Run], object], first: bytes) -> tuple[list[object], bytes]:
    """Run it and return its row of the table, and the gradebook."""
    before, earlier = time.monotonic(), set(_ours())
    start(run)
    seconds = time.monotonic() - before
    gradebook = (run.out / "gradebook.csv").read_bytes()
    tenth = max(1, len(run.memory) // 10)
    memory = [
        f"{max(own for own, _ in part):.0f} / {max(together for _, together in part):.0f}"
        for part in (run.memory[:tenth], run.memory[-tenth:])
    ]
    again = time.monotonic()
    assert "nothing to grade" in run.finish()
    second = time.monotonic() - again
    edited = next(each.student for each in run.made.made if each.kind == "correct")
    file = run.made.submissions / edited / "peg2.py"
    original = file.read_bytes()
    file.write_bytes(original + b"# edited\n")
    again = time.monotonic()
    assert "graded 1 task " in run.finish()
    third = time.monotonic() - again
    file.write_bytes(original)
    checks, is_same = checks_run(run), first in (b"", gradebook)
    row = [seconds, run.ended, checks, checks / seconds, *memory, wrong_points(run)]
    return [*row, "same" if is_same else "OTHER", second, third, len(set(_ours()) - earlier)], gradebook


def _ours() -> list[int]:
    """Return the processes that run code of this checkout."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if os.fsencode(paths.PACKAGE) in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return found


@click.command(help=__doc__)
@click.argument("count", type=int)
@click.argument("ways", nargs=-1, type=click.Choice(["plain", "killed", "full-disk", "cluster"]))
@click.option("--seed", default=7)
@click.option("--times", default=50)
def main(count: int, ways: tuple[str, ...], seed: int, times: int) -> None:
    """Make a class, grade it in each way and print a table, row by row."""
    rng = random.Random(seed)
    expected_s = count * 27 / 20  # some 27 checks a submission, some 20 a second
    every_s = 2 * expected_s / max(1, times)
    rows, first = [], b""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        os.environ["XDG_CACHE_HOME"] = str(place / "cache")
        made = make_class(place / "class", count, seed)
        starts: dict[str, Callable[[Run], object]] = {
            "plain": Run.finish,
            "killed": lambda run: killed(run, times, rng, every_s),
            "full-disk": on_a_small_disk,
            "cluster": lambda run: on_a_cluster(run, place, times, rng, every_s),
        }
        for way in ways or ("plain",):
            run = Run(made, place / way)
            try:
                row, gradebook = measured(run, starts[way], first)
            finally:
                if way == "full-disk":
                    subprocess.run(["umount", run.out], check=False)
            first = first or gradebook
            rows.append([way, *row])
            click.echo(tabulate(rows, HEADERS, floatfmt=".1f"))
            shutil.rmtree(run.out, ignore_errors=True)


if __name__ == "__main__":
    main()
