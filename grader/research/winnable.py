"""Count all positions of a board from which one peg can be left, by their pegs.

    python -m grader.research.winnable diamond      all positions of 41 holes: 17 GiB, two minutes

The board is `french` (37 holes), `square` (36), `diamond` (41) or the file of a board; only the holes count.

Exit status: 0 when all is counted, 2 when there is too little memory, or no such board.
"""

import argparse
import sys

from grader.oracle import memory
from grader.oracle.errors import OracleError
from grader.oracle.shape import Shape
from grader.research.class_set import ClassSet, Layout
from grader.research.large_boards import SHAPES, exit_status, shape_asked
from grader.research.watch import Watch


def solvable_classes(shape: Shape) -> list[list[int]]:
    """Return the goals of each class that has both a single peg and a single vacancy, one of all images."""
    found: dict[int, list[int]] = {}
    seen: set[int] = set()
    for hole in range(len(shape.holes)):
        goals = [1 << shape.number[end] for end in shape.ends_of_class(shape.full ^ 1 << hole)]
        if goals and goals[0] not in seen:
            found[goals[0]] = goals
            seen |= {1 << symmetry[goal.bit_length() - 1] for symmetry in shape.symmetries for goal in goals}
    return list(found.values())


def print_counts(shape: Shape) -> None:
    """Print a table for each class in which a board with one vacancy may leave one peg.

    Raises:
        OracleError: there is no such class, or too little memory.
    """
    classes = solvable_classes(shape)
    if not classes:
        raise OracleError("no class has both a single peg and a single vacancy", "choose another board")
    sizes = memory.level_sizes(shape)
    watch = Watch(len(classes) << len(Layout(shape).outer))
    for goals in classes:
        class_ = shape.class_of(goals[0])
        ends = (shape.holes[goal.bit_length() - 1] for goal in goals)
        watch.title = f"class {class_}"
        print(f"positions from which one peg can be left at {', '.join(f'{row},{col}' for row, col in ends)}")
        print(f"{'pegs':>5}{'up to symmetry':>20}{'all':>20}{'of the class':>20}", flush=True)
        for pegs, (canonical, raw) in enumerate(ClassSet(shape, goals, watch).count()):
            if raw:
                print(f"{pegs:>5}{canonical:>20,}{raw:>20,}{sizes[class_, pegs]:>20,}", flush=True)


def main() -> int:
    """Count all positions from which one peg can be left, by their pegs."""
    parser = argparse.ArgumentParser(prog="python -m grader.research.winnable", description=main.__doc__)
    parser.add_argument("board", help=f"{', '.join(SHAPES)}, or a board's file")
    asked = parser.parse_args()
    return exit_status(lambda: print_counts(shape_asked(asked.board)))


if __name__ == "__main__":
    sys.exit(main())
