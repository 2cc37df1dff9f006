"""What the sandbox costs: a check in each tier, beside a bare Python child that runs the same code.

    python tests/bench/bench_sandbox.py [ROUNDS]

One board of peg3, which is solved within a millisecond, so that all of the time is the way to it. Bare: what a
grader without a sandbox does, `python -O` with a script that imports numba and the submission, whose code is
compiled already, and solves the board. All take turns, A B C A B C ...; medians are printed. Then checks a second
with as many at a time as there are cores.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tabulate import tabulate

from framework.board import format_board
from grader import paths
from grader.catalog.boards import find_board
from grader.catalog.tasks import registry
from grader.sandbox.asking import End
from grader.sandbox.confine import tiers
from grader.sandbox.confine.limits import usable_cores
from grader.sandbox.parent.runner import Load, Runner
from grader.sandbox.parent.sandbox import Sandbox
from grader.sandbox.parent.zygote import write_bytecode
from grader.submissions.submission import read_submission

BOARD, CHECKS = "plus", 200
BARE = """
import sys
sys.path[:0] = sys.argv[1:3]
import client, peg3
from framework import board, hash_table, stack
hash_table.link_key_hash(client.key_hash)
position = board.read_board(sys.argv[3])
assert peg3.peg_solve(position, stack.stack_new(), hash_table.ht_new(1)) == 4
"""


def main() -> None:
    """Measure and print two tables."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    task = registry().find("peg3")
    request = {
        "kind": "solve",
        "board": format_board(find_board(BOARD).board),
        "table": True,
        "arguments": [],
    }
    write_bytecode()
    with tempfile.TemporaryDirectory() as cache, ExitStack() as stack:
        os.environ["XDG_CACHE_HOME"] = cache
        folder = read_submission(paths.REFERENCE, task.files).clean_folder()
        runners = {}
        for tier in (tier.number for tier in tiers.TIERS if tiers.missing(tier.number) is None):
            sandbox = stack.enter_context(Sandbox(tier, False, threading.Event()))
            load = Load(folder, task.module, task.memory_mib)
            runners[tier] = stack.enter_context(Runner(load, sandbox))
            runners[tier].compile(request)
        ways: dict[str, Callable[[], object]] = {
            "python -c pass": lambda: subprocess.run([sys.executable, "-c", "pass"], check=True),
            "bare child": lambda: _bare(folder, cache),
            **{f"check in tier {tier}": _check_of(runner, request) for tier, runner in runners.items()},
        }
        times: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(rounds):
            for name, way in ways.items():
                start = time.perf_counter()
                way()
                times[name].append(time.perf_counter() - start)
        print(
            tabulate(
                [
                    [name, f"{statistics.median(taken) * 1e3:.1f} ms", f"{min(taken) * 1e3:.1f} ms"]
                    for name, taken in times.items()
                ],
                ["a board", "median", "least"],
                tablefmt="plain",
            )
        )
        cores = usable_cores()
        rows = []
        for tier in runners:
            count = CHECKS if tier < 3 else CHECKS // 4
            with ThreadPoolExecutor(cores) as pool:
                start = time.perf_counter()
                list(pool.map(lambda _, check=ways[f"check in tier {tier}"]: check(), range(count)))
                rows.append([f"tier {tier}", f"{count / (time.perf_counter() - start):.0f}"])
        print("\n" + tabulate(rows, [f"{cores} at a time", "checks a second"], tablefmt="plain"))


def _check_of(runner: Runner, request: dict[str, Any]) -> Callable[[], object]:
    def check() -> None:
        outcome = runner.run(request, 5.0)
        assert outcome.end == End.ANSWERED, outcome

    return check


def _bare(folder: Path, cache: str) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": f"{cache}/bare"}
    board = str(paths.BOARDS / f"{BOARD}.txt")
    command = [sys.executable, "-O", "-c", BARE, str(folder / "code"), str(paths.FRAMEWORK_ROOT), board]
    subprocess.run(command, check=True, env=environment)


if __name__ == "__main__":
    main()
