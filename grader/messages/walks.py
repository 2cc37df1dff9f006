"""Messages about a search that was followed jump by jump: what it did not try, or did not take back."""

from collections.abc import Sequence

from framework.board import Board
from framework.jumps import Jump, format_jump
from grader.messages.phrases import Message, are, count, drawn
from grader.messages.wrong_answers import TAKE_BACK, marked

_EVERY = (
    "look from every peg in all four directions; if a jump fails, take it back and go on to the next jump"
)


def not_taken_back(jumps: Sequence[Jump], after: Board) -> Message:
    """Return the message for a search that does not take all its jumps back."""
    shown = ", ".join(map(format_jump, jumps[:3])) + (" ..." if len(jumps) > 3 else "")
    head = f"{count(len(jumps), 'jump')} {are(len(jumps))} never taken back: {shown}; the board at the end is"
    return Message("\n".join([head, *drawn(after)]), TAKE_BACK)


def never_tried(board: Board, jump: Jump, common: str, only_first: bool) -> Message:
    """Return the message for a search that never tries some jumps.

    Args:
        board: a board with such a jump.
        jump: the jump.
        common: what all jumps that are never tried have in common, in words; empty if there is nothing.
        only_first: whether only the first jump of each board is tried.
    """
    head = f"no jump {common} is tried, such as" if common else "a jump is never tried:"
    if only_first and not common:
        head = "only the first jump of each board is tried, and not"
    return Message("\n".join([f"{head} {format_jump(jump)}", *drawn(board, *marked(jump))]), _EVERY)


def given_up(board: Board, jump: Jump, from_both_ends: bool) -> Message:
    """Return the message for a search that gives up a board without a jump, though it should try one."""
    head = f"your search gives up on this board without a jump, not even {format_jump(jump)}"
    help = _GOES_BACK if from_both_ends else "which condition ends the search before its loop?"
    return Message("\n".join([head, *drawn(board, *marked(jump))]), help)


def given_up_first(board: Board, pegs: int) -> Message:
    """Return the message for a search that gives up a board of few pegs that can win."""
    wins = f"can win in {count(pegs - 1, 'jump')}"
    head = f"your search gives up on this board of {count(pegs, 'peg')}, which {wins}"
    return Message("\n".join([head, *drawn(board)]), _GOES_BACK)


_GOES_BACK = (
    "begin your table of boards that can win with a single peg, on each hole in turn; give up a board that "
    "is not in it only if the table goes back far enough: a board of 5 pegs, say, is 4 jumps from the end"
)


def number_lost(number: int, met: int, at_start: int) -> Message:
    """Return the message for a search that reached fewer pegs than it answered."""
    what = "a solved board" if met == 1 else f"a board of {count(met, 'peg')}"
    if number == at_start:
        return Message(
            f"your search reached {what}, but answered {number}, as many as at the start",
            "does the number of pegs drop by one with each jump, and is the smallest number kept?",
        )
    return Message(
        f"your search reached {what}, but answered {number}",
        "return the fewest pegs left on any board that you reached, not the pegs on the last board",
    )
