"""Time the report's search against the same search written by hand in C.

Use: python tests/bench/bench_engine.py [--all] [--rounds N]

Both run in turn, each time in a new process, so that the peak memory of each is its own. Compiling
either of them is not timed. The ratio is the median of those of the rounds: below 1 the engine
takes less CPU time than the C program.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROWS = [(board, directions) for board in ("french3", "french2") for directions in ("DRUL", "DRLU")]
MORE_ROWS = [("french3", "UDLR"), ("french2", "UDLR")] + [
    ("french1", directions) for directions in ("DRUL", "DRLU", "UDLR")
]


def start_peak() -> int:
    """Bytes of memory in use now, from which on the peak is measured."""
    try:
        Path("/proc/self/clear_refs").write_text("5")  # Linux: forget the peak while compiling
        return peak()
    except OSError:
        return peak()


def peak() -> int:
    """Bytes of memory at the peak."""
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def run_engine(board_file: str, directions: str) -> None:
    """The engine's side, in a process of its own: prints what the C program prints."""
    sys.path.insert(0, str(ROOT))
    import numpy as np

    from grader.research import report_search

    signs = [sign for sign in Path(board_file).read_text() if sign in ".*o"]
    board = np.array([".o*".index(sign) - 1 for sign in signs], np.int8).reshape(8, 8)
    report_search.warm_up()
    before = start_peak()
    start = time.process_time()
    outcome = report_search.memoized_search(board, "normal", directions)
    cpu = time.process_time() - start
    print(int(outcome.solved), outcome.unsolvable, cpu, (peak() - before) / 2**20)


def measured(command: list[str]) -> tuple[str, int, float, float]:
    """(solved, unsolvable states, CPU seconds, peak MiB) as printed by either side."""
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    solved, states, cpu, mib = done.stdout.split()
    return solved, int(states), float(cpu), float(mib)


def compare(program: str, board: str, directions: str, rounds: int) -> None:
    """Print one row of the table."""
    board_file = str(ROOT / "boards" / f"{board}.txt")
    c_command = [program, board_file, "normal", directions]
    engine_command = [sys.executable, __file__, "--engine", board_file, directions]
    pairs = [(measured(c_command), measured(engine_command)) for _ in range(rounds)]
    for c, engine in pairs:
        if c[:2] != engine[:2]:
            raise SystemExit(f"{board} {directions}: C gives {c[:2]}, the engine {engine[:2]}")
    states = pairs[0][0][1]
    c_cpu = statistics.median(c[2] for c, _ in pairs)
    engine_cpu = statistics.median(engine[2] for _, engine in pairs)
    ratio = statistics.median(engine[2] / c[2] for c, engine in pairs)
    c_bytes, engine_bytes = (max(pair[i][3] for pair in pairs) * 2**20 / states for i in (0, 1))
    print(
        f"{board:8} {directions:10} {states:12,} {c_cpu:9.2f} {engine_cpu:9.2f} {ratio:6.2f}"
        f" {c_bytes:8.1f} {engine_bytes:8.1f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--all", action="store_true", help="also french1 and UDLR (minutes)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each side (default: 3)")
    parser.add_argument("--engine", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.engine:
        run_engine(*options.engine)
        return
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "plain_search")
        source = str(Path(__file__).with_name("plain_search.c"))
        subprocess.run([os.environ.get("CC", "cc"), "-O3", "-o", program, source], check=True)
        print("                                    CPU seconds             bytes per state")
        print("board    directions       states         C    engine  ratio        C   engine")
        for board, directions in ROWS + (MORE_ROWS if options.all else []):
            compare(program, board, directions, options.rounds)


if __name__ == "__main__":
    main()
