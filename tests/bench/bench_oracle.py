"""What the exact engine takes for what it is asked, and a C program for the same winning set.

    python tests/bench/bench_oracle.py [--rounds N]

The winning set is found N times by each side, in turns, each time in a new process: the ratio is the median of the
pairs. Everything else is compiled before, and asked N times in this process. Each answer is verified.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from tabulate import tabulate

from framework.jumps import Jump, play_jump
from grader import oracle
from grader.catalog.boards import find_board
from grader.oracle.analysis import peak_mib
from grader.oracle.beam import find_solution
from grader.oracle.moves import Solutions
from grader.oracle.shape import Shape, shape_of
from grader.oracle.winning_set import find_winning
from support.problems import FAMILIES, any_peg, feasible, replay, vacancy

# The winning positions of the English central game after 0 to 15 jumps, up to symmetry; then the same backwards.
CENTRAL = [1, 1, 2, 8, 38, 164, 635, 2089, 6174, 16020, 35749, 68326, 112788, 162319, 204992, 230230]
CENTRAL_SOLUTIONS = 40_861_647_040_079_968
CENTRAL_MOVES = 18
HINTED = 1_000  # boards


def check(what: str, found: object, wanted: object) -> None:
    """End it all when an answer is wrong."""
    if found != wanted:
        raise SystemExit(f"{what}: the answer is {found}, not {wanted}")


def timed(run: Callable[[], Any]) -> tuple[Any, float]:
    """What comes of `run`, and the seconds."""
    began = time.perf_counter()
    outcome = run()
    return outcome, time.perf_counter() - began


def central() -> Any:
    """The English board, but for its middle."""
    return find_board("english").board


def find_central() -> Any:
    """The winning set of the English central game."""
    board = central()
    shape = shape_of(board)
    return find_winning(shape, shape.position(board), [1 << shape.number[3, 3]])


# ---- the winning set -----------------------------------------------------------------------------


def in_this_process() -> None:
    """The engine's side: print what the C program prints."""
    shape = Shape(FAMILIES["english"][0])
    three = shape.threes[0]
    find_winning(shape, 1 << three.first | 1 << three.middle, [1 << three.last])  # loads what is compiled
    cpu = time.process_time()
    found, wall = timed(find_central)
    cpu = time.process_time() - cpu
    counts = [level.count for level in found.levels]
    check("winning set", counts, CENTRAL + CENTRAL[::-1])
    print(*counts[: len(CENTRAL)])
    print(sum(counts), wall, cpu, peak_mib())


def winning_set(rounds: int) -> Iterator[list[Any]]:
    """The engine and the C program in turns, on two threads each."""
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "winning_set")
        source = str(Path(__file__).with_name("winning_set.c"))
        compiler = os.environ.get("CC", "cc")
        subprocess.run([compiler, "-O3", "-march=native", "-pthread", "-o", program, source], check=True)
        sides = {"engine": [sys.executable, __file__, "--winning-set"], "C": [program, "2"]}
        spent: dict[str, list[list[float]]] = {side: [] for side in sides}
        for number in range(rounds + 1):
            for side, command in sides.items():
                done = subprocess.run(command, check=True, capture_output=True, text=True)
                counts, sums = done.stdout.splitlines()
                check(f"winning set, {side}", [int(each) for each in counts.split()], CENTRAL)
                if number:  # the first one compiles
                    spent[side].append([float(each) for each in sums.split()[1:]])
    for side, each in spent.items():
        wall, cpu, peak = (statistics.median(column) for column in zip(*each, strict=True))
        yield [f"winning set, English central game: {side}", wall, f"{cpu:.2f} CPU s, {peak:.0f} MiB"]
    ratio = statistics.median(engine[0] / c[0] for engine, c in zip(spent["engine"], spent["C"], strict=True))
    yield ["the engine's time over that of the C program", ratio, "a ratio"]


# ---- everything else -----------------------------------------------------------------------------


def fewest_moves() -> Iterator[list[Any]]:
    """The fewest moves of the English central game, from nothing."""
    found, wall = timed(lambda: Solutions(find_central()))
    check("fewest moves", (found.moves, found.count), (CENTRAL_MOVES, CENTRAL_SOLUTIONS))
    yield ["fewest moves of it proved, from nothing", wall, ""]


def after(board: Any, jump: Jump) -> Any:
    """The board after a jump."""
    board = board.copy()
    play_jump(board, jump)
    return board


def hints() -> Iterator[list[Any]]:
    """`hint` and `can_win` in random play of the English central game."""
    pick, boards = random.Random(1), [central()]
    while len(boards) < HINTED:
        jumps = [jump for jump, _ in oracle.successors(boards[-1])]
        boards.append(after(boards[-1], pick.choice(jumps)) if jumps else central())
    winning, shape = oracle.solutions(boards[0]).winning, shape_of(boards[0])
    hinted = [timed(lambda board=board: oracle.hint(board)) for board in boards]
    asked = [timed(lambda board=board: oracle.can_win(board)) for board in boards]
    for board, (jump, _), (wins, _) in zip(boards, hinted, asked, strict=True):
        check("can_win", wins, winning.holds(shape.position(board)))
        check("a hint, or one peg", jump is not None, wins and np.count_nonzero(board == 1) > 1)
        if jump is not None:
            check("after a hint", winning.holds(shape.position(after(board, jump))), True)
    for name, answers in ("hint", hinted), ("can_win", asked):
        walls = [wall for _, wall in answers]
        yield [
            f"{name}: the mean of {HINTED} boards",
            statistics.mean(walls),
            f"worst {1e3 * max(walls):.2f} ms",
        ]


def first_solutions() -> Iterator[list[Any]]:
    """The first solution of each solvable vacancy, to any peg."""
    for name, (holes, _, never) in FAMILIES.items():
        shape, walls = Shape(holes), []
        for hole in feasible(holes):
            asked = shape, vacancy(shape, hole), any_peg(shape)
            if hole not in never:
                jumps, wall = timed(lambda asked=asked: find_solution(*asked, seconds=1.0))
                check(f"{name}, a solution", jumps is not None and replay(*asked[:2], jumps).bit_count(), 1)
                walls.append(wall)
        yield [
            f"first solution, {name}: the mean of {len(walls)}",
            statistics.mean(walls),
            f"worst {1e3 * max(walls):.0f} ms",
        ]


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--winning-set", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.winning_set:
        in_this_process()
        return
    rows = list(winning_set(chosen.rounds))
    for ask in (fewest_moves, hints, first_solutions):
        measured = [list(ask()) for _ in range(chosen.rounds + 1)][1:]  # the first one compiles
        for same in zip(*measured, strict=True):
            rows.append([same[0][0], statistics.median(wall for _, wall, _ in same), same[-1][2]])
    print(tabulate(rows, ["what", "median s", "beside"], floatfmt=".4f"))


if __name__ == "__main__":
    main()
