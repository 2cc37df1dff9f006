"""How long one waits: for `grade --help`, and from an edit to the table.

    python tests/bench/bench_wait.py [RUNS]

Each command in turn with a bare `python -c pass`, A B A B ..., so that the ratio holds on a noisy machine;
medians are printed. Cold: the file has just been changed, so it is compiled. Warm: compiled code is there.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tabulate import tabulate

ROOT = Path(__file__).resolve().parents[2]
GRADE = str(Path(sys.executable).with_name("grade"))
BARE = [sys.executable, "-c", "pass"]


def _seconds(command: list[str], folder: Path, environment: dict[str, str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True)
    return time.perf_counter() - start


class _Watched:
    """A folder of its own with `grade watch` in it."""

    def __init__(self, scratch: Path, environment: dict[str, str]) -> None:
        folder = scratch / "watched"
        shutil.copytree(ROOT / "grader" / "reference", folder / "student")
        self._source = folder / "student" / "peg3.py"
        self._text = self._source.read_text("utf-8")
        self.process = subprocess.Popen(
            [GRADE, "watch", "peg3", "--board", "english"],
            cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self._await_table()

    def seconds_from_save(self, edit: str) -> float:
        """Save the file with an edit; return how long it takes until the table is there."""
        start = time.perf_counter()
        self._source.write_text(f"{self._text}{edit}", "utf-8")
        self._await_table()
        return time.perf_counter() - start

    def _await_table(self) -> None:
        assert self.process.stdout is not None
        while not self.process.stdout.readline().startswith("graded at"):
            pass


def main() -> None:
    """Measure and print one table."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        shutil.copytree(ROOT / "grader" / "reference", folder / "student")
        environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
        english = [GRADE, "peg3", "--board", "english"]
        source = folder / "student" / "peg3.py"
        text = source.read_text("utf-8")
        _seconds(english, folder, environment)  # once for the bytecode of the libraries
        watched = _Watched(folder, environment)
        times: dict[str, list[float]] = {}
        for run in range(runs):
            for name, command in (
                ("python -c pass", BARE),
                ("grade --help", [GRADE, "--help"]),
                ("grade", [GRADE]),
                ("grade peg3 --board english, cold", english),
                ("grade peg3 --board english, warm", english),
                ("grade peg3 -d --board plus", [GRADE, "peg3", "-d", "--board", "plus"]),
                ("grade peg1, warm (13 boards)", [GRADE, "peg1"]),
            ):
                if name.endswith("cold"):
                    source.write_text(f"{text}# edit {run}\n", "utf-8")
                times.setdefault(name, []).append(_seconds(command, folder, environment))
            for name, edit in (
                ("cold", f"# watched {run}\n"),
                ("warm", "# watched\n" + "# again\n" * (run % 2)),
            ):
                times.setdefault(f"grade watch, from the save to the table, {name}", []).append(
                    watched.seconds_from_save(edit)
                )
        watched.process.terminate()  # SIGINT is ignored where the benchmark runs in the background
        watched.process.wait()
    bare = times["python -c pass"]
    rows = [
        [
            name,
            f"{statistics.median(taken):.3f} s",
            f"{min(taken):.3f} s",
            f"{statistics.median(a / b for a, b in zip(taken, bare, strict=True)):.1f}",
        ]
        for name, taken in times.items()
    ]
    print(tabulate(rows, ["command", "median", "least", "x bare python"], tablefmt="plain"))


if __name__ == "__main__":
    main()
