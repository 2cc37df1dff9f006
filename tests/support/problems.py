"""Hold families of single-vacancy problems, what is known about them, and a plain checker of solutions."""

from collections.abc import Iterable, Sequence
from functools import cache

from grader.oracle.shape import Shape

Hole = tuple[int, int]

ENGLISH = [(row, col) for row in range(7) for col in range(7) if 2 <= row <= 4 or 2 <= col <= 4]
FRENCH = [(row, col) for row in range(7) for col in range(7) if abs(row - 3) + abs(col - 3) <= 4]
DIAMOND = [(row, col) for row in range(9) for col in range(9) if abs(row - 4) + abs(col - 4) <= 4]
WIEGLEB = [(row, col) for row in range(9) for col in range(9) if 3 <= row <= 5 or 3 <= col <= 5]

# By its class, 20 vacancies of the diamond could end on one peg. From these 8 the search never found a solution.
DIAMOND_NEVER_FOUND = {(0, 4), (4, 0), (4, 8), (8, 4), (3, 4), (4, 3), (4, 5), (5, 4)}

# The fewest moves of the English problems, by vacancy and last hole, up to symmetry: proved by the exact search.
ENGLISH_MOVES = {
    ((0, 2), (0, 2)): 16, ((0, 2), (3, 2)): 16, ((0, 2), (3, 5)): 17, ((0, 2), (6, 2)): 16, ((0, 3), (0, 3)): 18,
    ((0, 3), (3, 0)): 17, ((0, 3), (3, 3)): 18, ((0, 3), (6, 3)): 18, ((1, 2), (1, 2)): 16, ((1, 2), (4, 2)): 15,
    ((1, 2), (4, 5)): 16, ((1, 3), (1, 3)): 19, ((1, 3), (4, 0)): 17, ((1, 3), (4, 3)): 17, ((2, 2), (2, 2)): 15,
    ((2, 2), (2, 5)): 16, ((2, 3), (2, 0)): 16, ((2, 3), (2, 3)): 16, ((2, 3), (5, 3)): 17, ((3, 3), (0, 3)): 17,
    ((3, 3), (3, 3)): 18,
}  # fmt: skip


@cache
def shape_of(holes: tuple[Hole, ...]) -> Shape:
    return Shape(holes)


def vacancy(shape: Shape, hole: Hole) -> int:
    return shape.full ^ 1 << shape.number[hole]


def any_peg(shape: Shape) -> list[int]:
    """Return all positions with a single peg."""
    return [1 << hole for hole in range(len(shape.holes))]


def feasible(holes: Sequence[Hole]) -> list[Hole]:
    """Return the vacancies from which a single peg could be left, judging by parity classes alone.

    The board with a peg in every other hole must be in the parity class of some single peg. The classes are
    those of the diagonals' colours.
    """

    def class_of(pegs: Iterable[Hole]) -> tuple[bool, ...]:
        odd = [0] * 6
        for row, col in pegs:
            odd[(row + col) % 3] ^= 1
            odd[3 + (row - col) % 3] ^= 1
        return odd[0] == odd[1], odd[1] == odd[2], odd[3] == odd[4], odd[4] == odd[5]

    ends = {class_of([hole]) for hole in holes}
    return [hole for hole in holes if class_of(set(holes) - {hole}) in ends]


def replay(shape: Shape, start: int, jumps: Sequence[tuple[int, int]]) -> int:
    """Play jumps, check every rule cell by cell, and return the last position."""
    pegs = {hole for number, hole in enumerate(shape.holes) if start >> number & 1}
    for begin, end in jumps:
        (row, col), (to_row, to_col) = shape.holes[begin], shape.holes[end]
        assert sorted((abs(row - to_row), abs(col - to_col))) == [0, 2]
        over = (row + to_row) // 2, (col + to_col) // 2
        assert over in shape.holes
        assert (row, col) in pegs and over in pegs and (to_row, to_col) not in pegs
        pegs -= {(row, col), over}
        pegs.add((to_row, to_col))
    return sum(1 << shape.number[hole] for hole in pegs)


def count_moves(jumps: Sequence[tuple[int, int]]) -> int:
    moves = 0
    last = None
    for start, end in jumps:
        if start != last:
            moves += 1
        last = end
    return moves


FAMILIES = {
    "english": (ENGLISH, 33, set()),
    "french": (FRENCH, 16, set()),
    "diamond": (DIAMOND, 20, DIAMOND_NEVER_FOUND),
    "wiegleb": (WIEGLEB, 45, set()),
}
