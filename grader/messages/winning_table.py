"""Messages about peg5's table of boards that can win."""

from collections.abc import Sequence

from framework.board import Board
from grader.messages.message import Message
from grader.messages.phrases import are, count, drawn

COMPLETE = (
    "begin with a single peg, on each hole in turn; a backward jump needs a peg and two empty holes in line, "
    "and every board that it leads to is one jump further back"
)
TOO_MANY = (
    "does a backward jump check for two empty HOLES? a blocked cell is not one; and does the same board "
    "always get the same key?"
)


def other_question(function: str) -> Message:
    """Return the message for an answer to a question that was not asked."""
    return Message(
        "other-question",
        "this is the answer to another question",
        f"{function} was asked: nothing but its own answer counts",
    )


def wrong(
    size: int, expected: int, jumps: int, board: Board | None, left: int | None, alike: Sequence[bool]
) -> Message:
    """Return the message for a table that lacks a board, or has one that does not belong there.

    Args:
        size: the number of keys in the student's table.
        expected: the number of boards that can win in at most `jumps` jumps.
        jumps: how many jumps `fill_winning` was asked to go back.
        board: a board that is missing, or that should not be there; None if none was found.
        left: the number of jumps in which that board can win; None if it cannot.
        alike: of the boards looked up, those that need `left` jumps: whether each is in the table.
    """
    most = count(jumps, "jump")
    head = f"found {count(size, 'board')}, expected the {expected:,} that can win in at most {most}"
    if size and left == 0:
        some = f"only {sum(alike)}" if any(alike) else "none"
        head = f"{some} of the {len(alike)} boards with one peg {are(sum(alike) or 1)} in your table: {head}"
    id, help = ("fill-too-many", TOO_MANY) if size > expected else ("fill-too-few", COMPLETE)
    if size and left and not any(alike):
        head = f"your table goes back {count(left - 1, 'jump')} instead of {jumps}: {head}"
        id = "fill-not-far-enough"
        help = f"is a board inserted before the jumps are counted? {COMPLETE}"
    if board is None:
        return Message(id, head, help)
    if left is None:
        said = "this board is in your table, but cannot win in so few jumps"
    elif left == 0:
        said = "this board is already solved, but is not in your table"
    else:
        said = f"this board can win in {count(left, 'jump')}, but is not in your table"
    return Message(id, "\n".join([head, said, *drawn(board)]), help)


def shared_key() -> Message:
    """Return the message for a table in which different boards share a key."""
    return Message(
        "shared-key",
        "board_key gives two different boards the same key",
        "fix the check keys first: grade client",
    )


def slow(boards: int, jumps: int) -> Message:
    """Return the message for a `fill_winning` that takes too long."""
    return Message(
        "fill-slow",
        f"{count(boards, 'board')} can win in at most {count(jumps, 'jump')}",
        "go on from a board only if it was not yet in the table",
    )
