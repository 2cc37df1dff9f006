"""How many bugs sets of boards catch, for the thresholds of the task `examples`.

    python tests/bench/bench_examples.py [SETS]      SETS: how many random sets of each kind, usually 20

Measured are the four classic boards, on which a program that is too slow counts as not caught; eight boards of the
course, in the order of the index; the eight of them that together catch most; random sets of eight; a set drawn by
hand; and the reference. All that is true is said of every board.
"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tabulate import tabulate

from framework.board import Board
from grader import paths
from grader.catalog.boards import course_boards, find_board
from grader.catalog.example_file import MOST_COUNTED, Claims, Example
from grader.judging.examples.bugs import BUGS
from grader.judging.examples.catching import answers, catches, fits, judged_set, truth_of
from grader.judging.examples.program import End
from grader.making.random_boards import random_board, random_forced_board

CLASSIC = ("english", "french1", "french2", "french3")
POOL = 200  # random boards of each kind
BY_HAND = Path(__file__).resolve().parents[1] / "students" / "examples" / "by_hand.yaml"


def example(name: str, board: Board) -> Example | None:
    """Return a board of which everything true is said; None if it is too large."""
    truth = truth_of(board)
    return truth and Example(name, board, Claims(truth.solvable, truth.fewest, truth.forced))


def caught_on_classic(name: str) -> frozenset[int]:
    """Return the bugs that a board too large for an example catches."""
    named = find_board(name)
    one = Example(name, named.board, Claims(named.facts.solvable, named.facts.fewest, named.facts.forced))
    return frozenset(
        BUGS.index(bug)
        for bug, said in answers(one, BUGS)
        if said.end != End.SLOW and not fits(said, one, bug.exact)
    )


def best(boards: dict[str, frozenset[int]]) -> list[str]:
    """Return the boards that a greedy search takes, the one that adds most first."""
    chosen: list[str] = []
    caught: frozenset[int] = frozenset()
    while len(chosen) < MOST_COUNTED:
        chosen.append(max(boards, key=lambda name: len(boards[name] - caught)))
        caught |= boards[chosen[-1]]
    return chosen


def together(sets: Sequence[frozenset[int]]) -> int:
    """Return how many bugs some boards catch together."""
    return len(frozenset[int]().union(*sets))


def main() -> None:
    """Measure and print a table."""
    sets = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    chance = Random(1)
    own = {name: made for name in course_boards().names if (made := example(name, find_board(name).board))}
    of_course = {name: catches(made) for name, made in own.items()}
    rows: list[tuple[str, object]] = [
        ("the four classic boards", together([caught_on_classic(name) for name in CLASSIC])),
        ("the first eight boards of the course", together(list(of_course.values())[:MOST_COUNTED])),
        (
            f"the best of the course: {', '.join(best(of_course))}",
            together([of_course[name] for name in best(of_course)]),
        ),
        ("all boards of the course that are small enough", together(list(of_course.values()))),
    ]
    for kind, make in (("with a choice", random_board), ("without a choice", random_forced_board)):
        pool = [example("", make(3, number).board) for number in range(1, POOL + 1)]
        found = [catches(made) for made in pool if made]
        numbers = sorted(together(chance.sample(found, MOST_COUNTED)) for _ in range(sets))
        rows.append(
            (
                f"eight random boards {kind}: least, middle, most",
                f"{numbers[0]}, {numbers[sets // 2]}, {numbers[-1]}",
            )
        )
    for name, file in (("drawn by hand", BY_HAND), ("the reference", paths.REFERENCE / "examples.yaml")):
        began = time.thread_time()
        judged = judged_set(file.read_text("utf-8"), file)
        rows.append((f"{name}, in {time.thread_time() - began:.1f} CPU s", len(judged.caught)))
    print(tabulate(rows, ["set", f"caught of {len(BUGS)}"], tablefmt="plain", disable_numparse=True))


if __name__ == "__main__":
    main()
