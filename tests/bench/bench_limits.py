"""The time of every timed board beside its limit: the reference, a student's program, and one without the idea.

    python tests/bench/bench_limits.py [--orders N] [TASK ...]

Times are CPU seconds, compiled, each the best of two runs; they go beside the limits in grader/tasks.yaml. The
program without the idea (peg3: no memory; peg4 and peg5: peg3's search; fewest: it forgets) is run in N of its 48
orders of directions and cells (default: 6), with three times the limit. A limit is marked CHANCE, and the exit
status is 1, if one of them ends within a factor of 3 of it, or the student's program does not keep a factor of 3.
Without TASK: peg1 to peg5; fewest takes ten minutes more, at the limit of english:3,3.
"""

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tabulate import tabulate

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from grader.catalog.tasks import Registry, Task, registry
from grader.judging.grading import Choice
from grader.result import Result, Verdict
from support import idea_programs
from support.grading import results_of

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "grader" / "reference"
SPARE = 3  # between a limit and any program that people write


def _without_the_idea(task: str, folder: Path, orders: int) -> Iterator[Path]:
    """Yield submissions that lack the task's idea, in several orders."""
    if task == "fewest":
        source = idea_programs.plain("fewest.py").replace("    ht_insert(table, key)\n", "")
        yield idea_programs.submission(folder / "fewest", fewest=source)  # nothing is ever found in the table
        return
    make = {"peg3": idea_programs.no_memory}.get(task, idea_programs.no_order)
    all_orders = [(order, by) for by in (False, True) for order in idea_programs.ORDERS]
    for order, by_columns in random.Random(1).sample(all_orders, min(orders, len(all_orders))):
        yield make(folder / f"{order}-{by_columns}", order, by_columns)


def _grade(task: Task, folder: Path, known: Registry, factor: float = 1.0) -> list[Result]:
    return results_of(Choice(folder, time_factor=factor), task.name, known=known)


def _fastest(runs: list[list[Result]], number: int) -> float | None:
    """Return the best time of a check's right answers, or None."""
    times = [run[number].cpu_s for run in runs if run[number].verdict == Verdict.ACCEPTED]
    return min(times, default=None)


def _shown(cpu_s: float | None) -> str:
    return "-" if cpu_s is None else f"{cpu_s:.2f} s"


def main() -> None:
    """Measure and print a table a task."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--orders", type=int, default=6)
    parser.add_argument("tasks", nargs="*", default=["peg1", "peg2", "peg3", "peg4", "peg5"])
    given = parser.parse_args()
    known, by_chance = registry(), False
    with tempfile.TemporaryDirectory() as scratch:
        student = idea_programs.with_ideas(Path(scratch) / "student")
        for name in given.tasks:
            task = known.find(name)
            reference = [_grade(task, REFERENCE, known) for _ in range(2)]
            ours = [_grade(task, student, known) for _ in range(2)]
            without = []
            if name in ("peg3", "peg4", "peg5", "fewest"):
                folders = _without_the_idea(name, Path(scratch) / name, given.orders)
                without = [_grade(task, folder, known, SPARE) for folder in folders]
            rows = []
            for number, check in enumerate(task.checks):
                times = [_fastest(runs, number) for runs in (reference, ours)]
                others = [run[number].cpu_s for run in without if run[number].verdict == Verdict.ACCEPTED]
                near = any(each is None or each > check.cpu_s / SPARE for each in times)
                near |= any(check.cpu_s / SPARE < each for each in others)
                by_chance |= near
                solved = f"{sum(each <= check.cpu_s for each in others)} of {len(without)}" if without else ""
                least = _shown(min(others, default=None)) if without else ""
                rows.append(
                    [check.name, f"{check.cpu_s:g} s", *map(_shown, times), solved, least, "CHANCE" * near]
                )
            columns = ["board", "limit", "reference", "student", "without", "least", ""]
            print(f"\n{name}\n{tabulate(rows, columns, tablefmt='plain')}", flush=True)
    sys.exit(by_chance)


if __name__ == "__main__":
    main()
