"""Messages about a search that was followed jump by jump: what it did not try, or did not take back."""

from collections.abc import Sequence

from framework.board import Board
from framework.jumps import Jump, format_jump
from grader.messages.illegal_jumps import marked
from grader.messages.jump_kinds import BEYOND
from grader.messages.phrases import Message, are, count, drawn
from grader.messages.wrong_answers import TAKE_BACK

MOST_NEAR = 3  # pegs: every table that is checked goes back so far
_EVERY = (
    "look from every peg in all four directions; if a jump fails, take it back and go on to the next jump"
)

_INSIDE_LOOP = (
    "does the search return inside its loops, after one row or column? it may give a board up only after "
    "looking at all cells"
)


def not_taken_back(jumps: Sequence[Jump], after: Board) -> Message:
    """Return the message for a search that does not take all its jumps back."""
    shown = ", ".join(map(format_jump, jumps[:3])) + (" ..." if len(jumps) > 3 else "")
    head = f"{count(len(jumps), 'jump')} {are(len(jumps))} never taken back: {shown}; the board at the end is"
    return Message("jumps-not-taken-back", "\n".join([head, *drawn(after)]), TAKE_BACK)


def never_tried(board: Board, jump: Jump, common: str, only_first: bool) -> Message:
    """Return the message for a search that never tries some jumps.

    Args:
        board: a board with such a jump.
        jump: the jump.
        common: what all jumps that are never tried have in common, in words; empty if there is nothing.
        only_first: whether only the first jump of each board is tried.
    """
    head = f"your search tries no jump {common}, such as" if common else "a jump is never tried:"
    if only_first and not common:
        head = "only the first jump of each board is tried, and not"
    help = _INSIDE_LOOP if common in BEYOND else _EVERY
    return Message(
        "never-tried", "\n".join([f"{head} {format_jump(jump)}", *drawn(board, *marked(jump))]), help
    )


def some_searched(board: Board, jump: Jump, searched: int, made: int) -> Message:
    """Return the message for a search that gives up a board of which it searched only some jumps.

    Args:
        board: the board.
        jump: a jump that was made, but not searched.
        searched: how many of the board's jumps were searched.
        made: how many were made.
    """
    head = f"only {searched} of this board's {made} jumps {are(searched)} searched before it is given up"
    return Message(
        "some-searched",
        "\n".join([f"{head}, and not {format_jump(jump)}", *drawn(board, *marked(jump))]),
        "begin with the most promising jump, but try all of them before you give the board up",
    )


def given_up(board: Board, jump: Jump, from_both_ends: bool) -> Message:
    """Return the message for a search that gives up a board without trying any of its jumps."""
    head = f"your search gives up on this board without trying any jump, not even {format_jump(jump)}"
    help = _GOES_BACK if from_both_ends else "which condition ends the search before its loop?"
    return Message("given-up-at-once", "\n".join([head, *drawn(board, *marked(jump))]), help)


def wrong_without_jump(pegs: int, number: int) -> Message:
    """Return the message for a search whose answer is too large for a board on which no jump is possible."""
    return Message(
        "wrong-without-jump",
        f"your search answers {number} for a board of {count(pegs, 'peg')} on which no jump is possible",
        "what does your search return when no jump is found? begin with the number of pegs on the board",
    )


def given_up_first(board: Board, pegs: int, solved: int, complete: bool) -> Message:
    """Return the message for a search that gives up a board that has few pegs and can win.

    Args:
        board: the board.
        pegs: its number of pegs.
        solved: the number of pegs of a smaller board that the search did solve; 1 if there was none.
        complete: whether the program's tables of boards that can win were right wherever they were checked.
    """
    wins = f"can win in {count(pegs - 1, 'jump')}"
    head = f"your search gives up on this board of {count(pegs, 'peg')}, which {wins}"
    help = _GOES_BACK
    if solved == pegs - 1 > 1:
        head += f", but solves one of {count(solved, 'peg')}"
        help = (
            f"does your table go back {count(pegs - 1, 'jump')}? if not, a board of {pegs} pegs that is not "
            "in it must still be searched"
        )
    elif complete and pegs <= MOST_NEAR:
        head += (
            ", though your table has such boards, as if a test before the lookup, such as one of colours, "
            "ruled it out"
        )
        help = "what gives the board up before the table is asked? check how you count pegs by their colours"
    return Message("given-up-near-end", "\n".join([head, *drawn(board)]), help)


_GOES_BACK = (
    "start your table from the boards with a single peg, one for each hole; give up a board that is not in "
    "it only if the table goes back far enough: a board of 5 pegs, for example, is 4 jumps from the end"
)


def in_fixed_order(name: str, measured: bool) -> Message:
    """Return the message for a slow search that tries the jumps in the same order on every board.

    Args:
        name: a board on which this was seen.
        measured: whether the search makes each jump once before it searches them.
    """
    if measured:
        return Message(
            "measured-but-fixed-order",
            "too slow: your search makes each jump once to measure it, but then tries the jumps in the same "
            f"order on every board, as seen on the board {name}",
            "a sum of one number for each cell changes as much whenever the same jump is made: measure what "
            "the pegs are to each other, too; or is the board measured after the jump is taken back?",
        )
    return Message(
        "fixed-order",
        "too slow: your search tries the jumps in the same order on every board, as seen on the board "
        f"{name}",
        "give each board after a jump a number that says how promising it is, computed while the jump is "
        "made, and search the boards in the order of these numbers (handouts/peg4.md)",
    )


def scattered_first(name: str) -> Message:
    """Return the message for a slow search that tries the least promising boards first."""
    return Message(
        "scattered-first",
        "too slow: your search first tries the jumps that leave the pegs far from each other, as seen on the "
        f"board {name}",
        "is your order reversed? boards whose pegs are close together are more often solvable",
    )


def number_lost(number: int, met: int, at_start: int, last: int | None) -> Message:
    """Return the message for a search that reached fewer pegs than it answered.

    Args:
        number: its answer.
        met: the fewest pegs that it reached.
        at_start: the number of pegs at the start.
        last: the pegs of the last board on which it made no jump; None if there was none.
    """
    what = "a solved board" if met == 1 else f"a board of {count(met, 'peg')}"
    head = f"your search reached {what}, but answered {number}"
    if number == at_start:
        return Message(
            "number-not-counted-down",
            f"{head}, the number of pegs at the start, as if no jump had removed a peg",
            "does the number of pegs drop by one with each jump, and is the smallest number kept?",
        )
    if number == at_start - 1:
        return Message(
            "first-jump-only-counted",
            f"{head}, one fewer than at the start: only the first jump is counted",
            "is the number that the recursive call returns used?",
        )
    if number == last:
        head += ", the pegs left at the end of the last line of play"
    return Message(
        "number-lost",
        head,
        "return the fewest pegs left on any board that you reached, not the pegs on the last board",
    )
