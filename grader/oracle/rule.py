"""A greedy rule for peg solitaire: six features of a board, six whole-number weights, no jump taken back.

The rule plays the jump after which the board has the lowest value; among equals any will do. It wins all 33
English and all 16 French games of one vacancy that can be won. docs/rule.md tells how it was found, and
`python -m grader.research.rule` plays these games.
"""

from collections import Counter
from collections.abc import Callable, Set
from fractions import Fraction

from framework.board import PEG, Board
from framework.jumps import Jump, cell_between
from grader.oracle.shape import Hole, shape_of

Pegs = frozenset[Hole]
Feature = Callable[[Pegs, list[Jump]], Fraction | int]

_SIDES = ((0, 1), (1, 0), (0, -1), (-1, 0))


def spread(pegs: Pegs, jumps: list[Jump]) -> Fraction:
    """Return the sum of the pegs' squared distances, in cells, from their own centre of gravity."""
    squares = sum(row * row + col * col for row, col in pegs)
    rows, cols = sum(row for row, _ in pegs), sum(col for _, col in pegs)
    return squares - Fraction(rows * rows + cols * cols, len(pegs))


def largest_kind(pegs: Pegs, jumps: list[Jump]) -> int:
    """Return how many pegs the largest kind has; no jump changes the parities of row and column."""
    return max(Counter((row % 2, col % 2) for row, col in pegs).values())


def groups(pegs: Pegs, jumps: list[Jump]) -> int:
    """Return the number of groups of pegs, in which each touches another by a side or a corner."""
    left, found = set(pegs), 0
    while left:
        found += 1
        near = [left.pop()]
        while near:
            row, col = near.pop()
            touching = {(r, c) for r in range(row - 1, row + 2) for c in range(col - 1, col + 2)} & left
            left -= touching
            near += touching
    return found


def rows_of_three(pegs: Pegs, jumps: list[Jump]) -> int:
    """Return how many times three pegs stand side by side, in a row or a column."""
    across = sum({(row, col + 1), (row, col + 2)} <= pegs for row, col in pegs)
    return across + sum({(row + 1, col), (row + 2, col)} <= pegs for row, col in pegs)


def idle(pegs: Pegs, jumps: list[Jump]) -> int:
    """Return how many pegs take part in no jump."""
    return len(pegs - {jump[:2] for jump in jumps} - {cell_between(jump) for jump in jumps})


def in_reach(pegs: Pegs, jumps: list[Jump]) -> int:
    """Return how many pegs can be taken by the next jump."""
    return len({cell_between(jump) for jump in jumps})


WEIGHTS: dict[Feature, int] = {
    spread: 61,
    largest_kind: 405,
    groups: 26,
    rows_of_three: 9,
    idle: 27,
    in_reach: -96,
}


def value(pegs: Pegs, holes: Set[Hole]) -> Fraction | int:
    """Return the value of a position with at least one peg; the lower, the better."""
    jumps = _jumps(pegs, holes)
    return sum(weight * feature(pegs, jumps) for feature, weight in WEIGHTS.items())


def best_jumps(pegs: Pegs, holes: Set[Hole]) -> list[Jump]:
    """Return the jumps that lead to the lowest value; none if no jump is legal."""
    values = {jump: value(_after(pegs, jump), holes) for jump in _jumps(pegs, holes)}
    return [jump for jump, each in values.items() if each == min(values.values())]


def play(board: Board) -> list[Jump]:
    """Return the game that the rule plays on `board`; of equal jumps it plays the first."""
    holes = frozenset(shape_of(board).holes)
    pegs = frozenset(hole for hole in holes if board[hole] == PEG)
    played: list[Jump] = []
    while best := best_jumps(pegs, holes):
        played.append(best[0])
        pegs = _after(pegs, best[0])
    return played


def ends(pegs: Pegs, holes: Set[Hole]) -> set[int]:
    """Return how many pegs the rule can leave, whichever of equal jumps it plays."""
    found: set[int] = set()
    positions = {pegs}
    while positions:
        after = {each: {_after(each, jump) for jump in best_jumps(each, holes)} for each in positions}
        found |= {len(each) for each, following in after.items() if not following}
        positions = set().union(*after.values())
    return found


def _jumps(pegs: Pegs, holes: Set[Hole]) -> list[Jump]:
    return [
        (row, col, *end)
        for row, col in sorted(pegs)
        for down, right in _SIDES
        if (row + down, col + right) in pegs
        and (end := (row + 2 * down, col + 2 * right)) in holes
        and end not in pegs
    ]


def _after(pegs: Pegs, jump: Jump) -> Pegs:
    return pegs - {jump[:2], cell_between(jump)} | {jump[2:]}
