"""How long the quick search takes to find a solution, beside the 150 ms it may take.

    python tests/bench/bench_beam.py [--rounds N]

Compiled and warm: each family is solved once before. Each question is asked N times, the best time counts. A
vacancy from which its class lets one peg be left but no solution is found shows as missing, with the time it took.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tabulate import tabulate

from grader.oracle.beam import find_solution
from grader.oracle.shape import Shape
from support.problems import DIAMOND_NEVER_FOUND, ENGLISH_MOVES, FAMILIES, any_peg, feasible, replay, vacancy

TARGET = 150  # ms

Question = tuple[Shape, int, list[int]]


def questions() -> Iterator[tuple[str, list[Question]]]:
    """The families of questions, each with its name."""
    for name, (holes, _, never) in FAMILIES.items():
        shape = Shape(holes)
        solvable = [hole for hole in feasible(holes) if hole not in never]
        yield f"{name}, any peg", [(shape, vacancy(shape, hole), any_peg(shape)) for hole in solvable]
        if name == "english":
            pairs = list(ENGLISH_MOVES)
        else:
            pairs = [(hole, end) for hole in solvable for end in shape.ends_of_class(vacancy(shape, hole))]
        if name != "diamond":  # most of its pairs have no known solution
            yield (
                f"{name}, each peg",
                [(shape, vacancy(shape, hole), [1 << shape.number[end]]) for hole, end in pairs],
            )


def best_time(question: Question, rounds: int) -> tuple[float, bool]:
    """The milliseconds of a question, and whether a solution was found."""
    shape, start, goals = question
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        jumps = find_solution(shape, start, goals, seconds=1.0)
        times.append(1000 * (time.perf_counter() - began))
    if jumps is not None:
        end = replay(shape, start, jumps)
        assert end in goals if goals else end.bit_count() == 1
    return min(times), jumps is not None


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()

    rows = []
    for name, asked in questions():
        find_solution(*asked[0], seconds=1.0)
        measured = [best_time(question, chosen.rounds) for question in asked]
        times = [each for each, _ in measured]
        rows.append(
            (name, len(asked), sum(not found for _, found in measured), min(times), statistics.median(times),
             max(times), TARGET)
        )  # fmt: skip
    holes, _, _ = FAMILIES["diamond"]
    shape = Shape(holes)
    measured = [
        best_time((shape, vacancy(shape, hole), any_peg(shape)), 1) for hole in sorted(DIAMOND_NEVER_FOUND)
    ]
    times = [each for each, _ in measured]
    rows.append(("diamond, never found", len(times), sum(not found for _, found in measured), min(times),
                 statistics.median(times), max(times), None))  # fmt: skip
    headers = ["board", "questions", "missing", "min ms", "median ms", "max ms", "target ms"]
    print(tabulate(rows, headers, floatfmt=".1f"))


if __name__ == "__main__":
    main()
