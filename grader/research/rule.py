"""Play the greedy rule of docs/rule.md on all vacancies of four boards, and on boards made at random.

    python -m grader.research.rule        a minute; exit status 0 if all English and French games are won

A game is won if one peg is left whichever of equal jumps is played.
"""

import sys
from collections import Counter
from collections.abc import Iterator

from framework.board import PEG
from grader.catalog.boards import find_board
from grader.making.made_boards import made_boards
from grader.oracle.rule import ends
from grader.oracle.shape import Shape, shape_of

ENGLISH = shape_of(find_board("english").board)
SHAPES = {
    "french": [(row, col) for row in range(7) for col in range(7) if abs(row - 3) + abs(col - 3) <= 4],
    "square": [(row, col) for row in range(6) for col in range(6)],
    "diamond": [(row, col) for row in range(9) for col in range(9) if abs(row - 4) + abs(col - 4) <= 4],
}
PERFECT = ("english", "french")  # where every game is won
PEGS, MADE, SEED = (8, 12, 16, 20, 24), 50, 1  # solvable boards made for each number of pegs


def vacancies(shape: Shape) -> Iterator[set[int]]:
    """Yield how many pegs may be left, for each vacancy from which its class allows a single peg."""
    holes = frozenset(shape.holes)
    for number, hole in enumerate(shape.holes):
        if shape.ends_of_class(shape.full ^ 1 << number):
            yield ends(holes - {hole}, holes)


def made(pegs: int) -> Iterator[set[int]]:
    """Yield how many pegs may be left, for solvable boards that `grade generate` could make."""
    for each in made_boards("solvable", ENGLISH, [pegs], MADE, SEED):
        yield ends(
            frozenset(hole for hole in ENGLISH.holes if each.board[hole] == PEG), frozenset(ENGLISH.holes)
        )


def main() -> int:
    """Print for each kind of game how many are won, and how many pegs the others leave at worst."""
    shapes = {"english": ENGLISH} | {name: Shape(holes) for name, holes in SHAPES.items()}
    asked = {name: vacancies(shape) for name, shape in shapes.items()}
    asked |= {f"{pegs} pegs made": made(pegs) for pegs in PEGS}
    status = 0
    print(f"{'board':<14}{'games':>6}{'won':>5}   the others leave")
    for name, games in asked.items():
        left = Counter(max(pegs) for pegs in games)
        others = ", ".join(f"{pegs} pegs: {count}" for pegs, count in sorted(left.items()) if pegs > 1)
        print(f"{name:<14}{left.total():>6}{left[1]:>5}   {others or '-'}", flush=True)
        if name in PERFECT and left[1] < left.total():
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
