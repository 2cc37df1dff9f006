"""The time of every timed board beside its limit: the reference, a plain student's program, a search without memory.

    python tests/bench/bench_limits.py [TASK ...]

A limit is good when the plain program has a factor of 3 to spare, and no memory does not pass where memory is
the point. Times are CPU seconds, compiled, each the best of two runs in turn; they go beside the limits in
grader/tasks.yaml. Without TASK: peg1 to peg5; fewest takes ten minutes more, at the limit of english:3,3.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from tabulate import tabulate

from grader.catalog.tasks import Registry, Task, registry
from grader.judging.grading import Choice, Grading
from grader.result import Result, Verdict

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "grader" / "reference"
PLAIN = ROOT / "tests" / "students" / "plain"


def _without_memory(folder: Path) -> Path:
    """Make a submission whose peg3 is the plain program's peg2, and whose fewest forgets: no memory."""
    shutil.copytree(PLAIN, folder)
    source = (folder / "peg2.py").read_text("utf-8")
    (folder / "peg3.py").write_text(
        source.replace("def peg_solve(board, stack):", "def peg_solve(board, stack, unsolvable):"), "utf-8"
    )
    # The same for fewest: nothing is ever found in the table.
    source = (folder / "fewest.py").read_text("utf-8")
    (folder / "fewest.py").write_text(source.replace("    ht_insert(table, key)\n", ""), "utf-8")
    return folder


def _grade(task: Task, folder: Path, known: Registry) -> list[Result]:
    grading = Grading(Choice(folder), known, lambda name, done, total: None)
    return grading.results([task])


def _shown(results: list[Result], limit: float) -> str:
    best = min(results, key=lambda result: result.cpu_s)
    if best.verdict != Verdict.ACCEPTED:
        return str(best.verdict)
    return f"{best.cpu_s:.2f} s  (limit x {limit / max(best.cpu_s, 0.001):,.0f})"


def main() -> None:
    """Measure and print a table a task."""
    names = sys.argv[1:] or ["peg1", "peg2", "peg3", "peg4", "peg5"]
    known = registry()
    with tempfile.TemporaryDirectory() as scratch:
        naive = _without_memory(Path(scratch) / "naive")
        for name in names:
            task = known.find(name)
            columns = {"reference": REFERENCE}
            if name in ("peg1", "peg2", "peg3", "fewest"):
                columns["plain"] = PLAIN
            if name in ("peg3", "fewest"):
                columns["no memory"] = naive
            runs = {
                title: [_grade(task, folder, known) for _ in range(2)] for title, folder in columns.items()
            }
            rows = [
                [
                    check.name,
                    f"{check.cpu_s:.0f} s",
                    *(_shown([run[number] for run in runs[title]], check.cpu_s) for title in columns),
                ]
                for number, check in enumerate(task.checks)
            ]
            print(f"\n{name}\n{tabulate(rows, ['board', 'limit', *columns], tablefmt='plain')}", flush=True)


if __name__ == "__main__":
    main()
