"""Messages for wrong answers about the fewest moves; see `wrong_answers` for the rest."""

from collections.abc import Sequence

from framework.jumps import Jump, format_jump, moves_of
from grader.catalog.boards import NamedBoard
from grader.messages.message import Message
from grader.messages.phrases import INDEX_IS_WRONG, are, count

MAX_SHOWN = 20  # moves of a solution
_A_MOVE = "consecutive jumps of one peg are one move"


def _listed(jumps: Sequence[Jump]) -> list[str]:
    """Return a line for each move: its number and the holes that its peg visits."""
    lines = []
    moves = moves_of(jumps)
    for number, move in enumerate(moves[:MAX_SHOWN], 1):
        holes = [f"{move[0][0]}:{move[0][1]}", *(f"{row}:{col}" for _, _, row, col in move)]
        lines.append(f"  {number:>2}  {' -> '.join(holes)}")
    return [*lines, "  ..."] if len(moves) > MAX_SHOWN else lines


def said(number: int) -> str:
    """Return the program's answer as the start of a sentence."""
    return f"your program answered {count(number, 'move')}"


def impossible_number(number: int, board: NamedBoard) -> Message:
    """Return the message for an answer that is impossible with this number of pegs."""
    return Message(
        "impossible-moves",
        f"expected a number of moves from -1 to {board.pegs - 1}, found {number}",
        "peg_solve returns the fewest moves: 0 if the board is solved already, -1 if it cannot be solved",
    )


def stack_not_empty(number: int, jumps: Sequence[Jump]) -> Message:
    """Return the message for jumps that are on the stack though the answer is 0 or -1."""
    return Message(
        "jumps-left-on-stack",
        f"your program answered {number}, but {count(len(jumps), 'jump')} "
        f"{are(len(jumps))} left on the stack\nthe one on top: {format_jump(jumps[0])}",
        "push a jump only once it is known to lead to a solution; a jump that is taken back must leave the "
        "stack",
    )


def wrong_number(number: int, fewest: int | None, variant: str) -> Message:
    """Return the message for a wrong answer of 0 or -1."""
    where = "" if variant == "any" else f" with the last peg on {variant.replace(',', ':')}"
    if number == 0:
        expected = "-1 (no solution)" if fewest is None else count(fewest, "move")
        return Message(
            "not-solved-yet",
            f"found 0, expected {expected}: this board is not solved yet{where}",
            "0 is for a board with one peg, on the hole that is asked for; -1 is for a board that cannot be "
            "solved",
        )
    if fewest == 0:
        return Message(
            "solved-already",
            f"found -1, expected 0: this board is solved already{where}",
            "check whether one peg is left before you look for jumps",
        )
    assert fewest is not None
    return Message(
        "moves-can-be-solved",
        f"found -1, expected {count(fewest, 'move')}: this board can be solved{where}",
        "some state is abandoned too early: does its key include the hole of the moving peg, is the lower "
        "bound admissible, and does each search allow more moves than the one before?",
    )


def ends_elsewhere(goal: tuple[int, int], jumps: Sequence[Jump]) -> Message:
    """Return the message for a last peg that is not on the hole that was asked for."""
    _, _, row, col = jumps[-1]
    return Message(
        "ends-elsewhere",
        f"expected the last peg on {goal[0]}:{goal[1]}, found it on {row}:{col}",
        "row and col say where the last peg must be; it may be anywhere only if both are -1",
    )


def miscounted(number: int, moves: int, jumps: Sequence[Jump]) -> Message:
    """Return the message for a number of moves that does not match the jumps."""
    head = f"{said(number)}, but the {count(len(jumps), 'jump')} on the stack"
    return Message(
        "moves-miscounted",
        "\n".join([f"{head} {are(len(jumps))} {count(moves, 'move')}:", *_listed(jumps)]),
        f"{_A_MOVE}: a new move begins when a jump does not start where the jump before it landed",
    )


def too_many(moves: int, fewest: int, jumps: Sequence[Jump]) -> Message:
    """Return the message for a solution with more moves than necessary."""
    return Message(
        "too-many-moves",
        "\n".join([f"solved in {count(moves, 'move')}, but {fewest} {are(fewest)} enough:", *_listed(jumps)]),
        "the search misses a solution with fewer moves: can a move end after any of its jumps "
        "as well as go on, does the key of a state include the hole of the moving peg, and is the lower "
        "bound admissible?",
    )


def better_than_known(moves: int, fewest: int | None) -> Message:
    """Return the message for a solution with fewer moves than the index of the boards gives as the fewest."""
    known = "there is no solution" if fewest is None else f"{count(fewest, 'move')} are the fewest"
    return Message(
        "better-than-known",
        f"right: solved in {count(moves, 'move')}, but the index of the boards says that {known}",
        INDEX_IS_WRONG,
    )


def truth_unknown() -> Message:
    """Return the remark on an answer without a solution, if it is not known whether there is a solution."""
    return Message(
        "truth-unknown",
        "it is not known here whether the board can be solved in this way, so the answer is not judged",
        "a solution would be checked jump by jump",
    )


def fewest_unknown(moves: int) -> Message:
    """Return the remark on a solution of a board whose fewest moves are not known."""
    return Message(
        "moves-unknown",
        f"solved in {count(moves, 'move')}; it is not known here whether fewer are enough, so this is not "
        "judged",
        "try a smaller board, or one of the task's own",
    )
