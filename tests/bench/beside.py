"""A command in this checkout beside the same command in another one, in turns, since machines are noisy.

    python tests/bench/beside.py [-n RUNS] OTHER COMMAND...
    git worktree add /tmp/before HEAD~9 && make -C /tmp/before .venv/installed-dev
    python tests/bench/beside.py /tmp/before tests/bench/bench_wait.py

OTHER is a folder with its own `.venv`; COMMAND is what its Python runs, in either folder. It runs once in each,
which compiles, then RUNS times in turns, A B A B. Printed are the medians of wall time, of CPU seconds with
those of all processes that were started, and the medians of the ratios of each pair, this checkout over the other.
"""

import argparse
import os
import statistics
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

from tabulate import tabulate

HERE = Path(__file__).resolve().parents[2]


class Spent(NamedTuple):
    """What a run of the command took, in seconds."""

    wall: float
    cpu: float


def run(tree: Path, command: list[str]) -> Spent:
    """Run the command in a checkout."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    began, before = time.perf_counter(), os.times()
    subprocess.run(
        [tree / ".venv/bin/python", *command], cwd=tree, env=environment, check=True, capture_output=True
    )
    after = os.times()
    cpu = after.children_user - before.children_user + after.children_system - before.children_system
    return Spent(time.perf_counter() - began, cpu)


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("other", type=Path)
    parser.add_argument("-n", type=int, default=5, dest="runs")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    asked = parser.parse_args()
    trees = HERE, asked.other.resolve()
    spent: list[list[Spent]] = [[], []]
    for number in range(asked.runs + 1):
        for tree, runs in zip(trees, spent, strict=True):
            took = run(tree, asked.command)
            if number:
                runs.append(took)
    rows = []
    for what in Spent._fields:
        ours, others = ([getattr(each, what) for each in runs] for runs in spent)
        ratios = [one / other for one, other in zip(ours, others, strict=True)]
        cells = (f"{statistics.median(ours):.2f}", f"{statistics.median(others):.2f}")
        rows.append(
            (
                f"{what} s",
                *cells,
                f"{statistics.median(ratios):.2f}",
                f"{min(ratios):.2f} to {max(ratios):.2f}",
            )
        )
    print(tabulate(rows, ("median of", "this", "other", "ratio", "of the pairs"), disable_numparse=True))
    print(f"{asked.runs} pairs, load {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main()
