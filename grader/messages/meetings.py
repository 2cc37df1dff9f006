"""Messages about peg5's search for a board of a table, and about where a board can end by its colours."""

from framework.board import Board
from grader.catalog.tasks import Task
from grader.messages.message import Message
from grader.messages.phrases import count, drawn


def not_met(board: Board, jumps: int) -> Message:
    """Return the message for a search that did not meet a board that it could have met.

    Args:
        board: a board in the table.
        jumps: how many jumps lead to it.
    """
    head = f"meet returned False, but {count(jumps, 'jump')} lead to this board, which is in `winning`"
    help = "look each board with `pegs` pegs up in `winning`; try every jump, and take it back"
    return Message("not-met", "\n".join([head, *drawn(board)]), help)


def not_in_table(board: Board, jumps: int) -> Message:
    """Return the message for a search that ended on a board that is not in the table."""
    if jumps == 0:
        head = "meet returned True without a move on the stack, but the board is not in `winning`"
    else:
        head = f"the {count(jumps, 'move')} on the stack lead to this board, which is not in `winning`"
    help = "return True only on a board that ht_lookup finds in `winning`, and push each jump that led there"
    return Message("met-outside-table", "\n".join([head, *(drawn(board) if jumps else ())]), help)


def slow(jumps: int) -> Message:
    """Return the message for a `meet` that takes too long."""
    return Message(
        "meet-slow",
        f"the boards in `winning` are {count(jumps, 'jump')} away",
        "go no further than `pegs` pegs, and record in `unsolvable` each board that you give up",
    )


def wrong_end(board: Board, cell: tuple[int, int], allowed: bool) -> Message:
    """Return the message for a hole on which `can_end_at` is wrong."""
    row, col = cell
    head = f"can_end_at returned {not allowed} for {row}:{col}, expected {allowed} on this board"
    help = (
        "compare with a single peg on that hole: two colours that are both odd or both even there must be so "
        "on the board, and the others not; by (row + col) % 3, and again by (row - col) % 3"
    )
    return Message("wrong-end", "\n".join([head, *drawn(board)]), help)


def too_few_ends(found: int, expected: int) -> Message:
    """Return the message for an answer about too few boards."""
    return Message(
        "too-few-ends", f"answered for {count(found, 'board')}, expected {expected}", "grade it again"
    )


def slow_ends() -> Message:
    """Return the message for a `can_end_at` that takes too long."""
    return Message(
        "ends-slow", "no search is needed: 64 cells are to be counted", "count the pegs of each colour once"
    )


def count_colours(task: Task) -> str:
    """Return what to do about a slow search of an unsolvable board."""
    return (
        "its pegs counted by colour can show without a search that a board has no solution: ask can_end_at "
        f"about every hole first ({task.handout})"
    )


def withheld(function: str, solved: bool) -> Message:
    """Return the message for a right answer of `peg_solve` that earns nothing until a part is right."""
    how = (
        "found without both ends, as far as can be seen"
        if solved
        else "a program that gives up would be, too"
    )
    return Message(
        "part-withheld", f"right, but {how}", f"its points count once every check of {function} is passed"
    )
