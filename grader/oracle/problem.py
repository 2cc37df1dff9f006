"""A question about a board as numbers: its holes, its pegs and its goals; or what is wrong with it."""

from collections.abc import Iterable

from framework.board import Board
from framework.jumps import Jump
from grader.oracle.shape import MOST_HOLES, Hole, Shape, shape_of


class OracleError(Exception):
    """A question that cannot be answered."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message)
        self.message = message
        self.help = help


def check_size(shape: Shape) -> None:
    """Raise OracleError when a shape has more holes than the engine can handle."""
    if len(shape.holes) > MOST_HOLES:
        raise OracleError(
            f"the board has {len(shape.holes)} holes; the exact engine takes up to {MOST_HOLES}",
            "take some pegs off, or block some cells",
        )


def with_pegs(board: Board) -> tuple[Shape, int]:
    """Return the holes and the pegs of a board, which must have a peg."""
    shape = shape_of(board)
    position = shape.position(board)
    if not position:
        raise OracleError("the board has no peg", "put a peg on it")
    return shape, position


def checked(board: Board) -> tuple[Shape, int]:
    """Return the holes and the pegs of a board that the exact engine takes."""
    shape, position = with_pegs(board)
    check_size(shape)
    return shape, position


def goal_positions(shape: Shape, goals: Iterable[Hole] | None) -> tuple[int, ...]:
    """Return goals as positions with a single peg, in ascending order; None: those of the course."""
    if goals is None:
        return shape.goals
    positions = []
    for row, col in goals:
        if (row, col) not in shape.number:
            raise OracleError(
                f"goal {row},{col} is not a hole of the board",
                f"rows {shape.holes[0][0]} to {shape.holes[-1][0]}; see the board: grade show",
            )
        positions.append(1 << shape.number[row, col])
    return tuple(sorted(set(positions)))


def goals_of_class(shape: Shape, start: int, goals: Iterable[Hole] | None) -> tuple[int, ...]:
    """Return the goals, as positions, that have the parity class of the start."""
    wanted = shape.class_of(start)
    return tuple(goal for goal in goal_positions(shape, goals) if shape.class_of(goal) == wanted)


def jump_of(shape: Shape, start: int, end: int) -> Jump:
    """Return the jump between two holes, given by their numbers, as rows and columns."""
    return (*shape.holes[start], *shape.holes[end])
