"""Messages about a student's own boards: which claims are not true, and how many bugs the boards catch."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tabulate import tabulate

from framework.board import Board
from grader.messages.message import Message
from grader.messages.phrases import are, count, drawn


class Claimed(NamedTuple):
    """A board of a student, for messages.

    Attributes:
        name: its name.
        board: the board.
        claims: what the student says of it, as written: `fewest: 2`.
        wrong: the names of the claims that are not true.
        solvable, fewest: what is true of it; None if it is too large to be judged.
        same_as, image_of: the name of an earlier board that is the same, or an image; empty if there is none.
        of_course: the name of a board of the course with the same play; empty if it is the student's own.
        catches: how many bugs it catches.
        only: how many of these no other board catches.
        too_slow: whether the programs try too many jumps on it.
    """

    name: str
    board: Board
    claims: Sequence[str]
    wrong: Sequence[str]
    solvable: bool | None
    fewest: int | None
    same_as: str
    image_of: str
    of_course: str
    catches: int
    only: int
    too_slow: bool


def no_boards(hint: str) -> Message:
    """Return the message for a file without boards."""
    return Message("no-boards", "there is no board in it yet", hint)


def cannot_be_read(problem: str, help: str) -> Message:
    """Return the message for a file that is not in the form."""
    return Message("examples-unreadable", problem, help)


# ---- claims --------------------------------------------------------------------------------------


def wrong_claims(boards: Sequence[Claimed], most_positions: int) -> Message:
    """Return the message for boards of which a claim is not true, or cannot be judged."""
    lines = []
    for board in boards:
        if board.fewest is None:
            lines.append(
                f"{board.name} is too large to be judged: more than {most_positions:,} different boards can "
                "be reached from it"
            )
        for wrong in board.wrong:
            said = next(claim for claim in board.claims if claim.startswith(f"{wrong}: "))
            lines.append(f"of {board.name} you say {said}, but {_truth(board, wrong, said)}")
        if board.wrong:
            lines += drawn(board.board)
    first, *rest = lines
    id = "wrong-claims" if any(board.wrong for board in boards) else "boards-too-large"
    if id == "wrong-claims":
        help = "play the board on paper, jump by jump, and correct what you say of it, or change the board"
    else:
        help = "take pegs or holes away: small boards catch as many bugs, and show them better"
    return Message(id, "\n".join([first, *rest]), f"{help}; it catches nothing until then")


def _truth(board: Claimed, wrong: str, said: str) -> str:
    """Return what is true instead of a claim, without showing how."""
    if wrong == "forced":
        true = said.endswith("true")
        return (
            "somewhere on the way there are two jumps to choose from" if true else "there is never a choice"
        )
    if board.solvable:
        return "it can be solved: some line of play leaves a single peg"
    if wrong == "solvable":
        return "it cannot be solved: no line of play leaves a single peg"
    fewer = int(said.rpartition(" ")[2]) > (board.fewest or 0)
    left = count(board.fewest or 0, "peg")
    return f"some line of play leaves only {left}" if fewer else f"every line of play leaves {left} or more"


def none_own(boards: Sequence[Claimed]) -> Message:
    """Return the message for a file in which every board is one of the course's."""
    return Message("none-own", "\n".join(map(_copied, boards)), DRAW_YOUR_OWN)


DRAW_YOUR_OWN = "draw boards of your own: the course's boards earn nothing here, nor do their images"


def _copied(board: Claimed) -> str:
    return f"{board.name} is the course's board {board.of_course}, or an image of it: it counts for nothing"


# ---- bugs ----------------------------------------------------------------------------------------


def caught(
    boards: Sequence[Claimed], in_all: int, number: int, bugs: int, needed: int, missed: Mapping[int, int]
) -> Message:
    """Return the message on the bugs that a set of boards catches.

    Args:
        boards: those that count.
        in_all: how many boards there are.
        number: how many bugs are caught.
        bugs: how many there are.
        needed: how many are needed for the points.
        missed: how many bugs are not caught, by the number of their kind.
    """
    asked = f"; {needed} earn these points" if number < needed else ""
    heads = ["board", "you say", "", "catches", "only it"]
    rows = [[each.name, _short(each), _state(each), each.catches, each.only] for each in boards]
    table = tabulate(
        rows,
        heads,
        tablefmt="plain",
        colalign=["left", "left", "left", "right", "right"],
        disable_numparse=True,
    )
    lines = [f"{number} of {count(bugs, 'bug')} {are(number)} caught{asked}", *table.splitlines()]
    if in_all > len(boards):
        lines.append(f"only the first {len(boards)} of {in_all:,} boards count")
    lines += [_copied(each) for each in boards if each.of_course]
    lines += [
        f"{each.name} is an image of {each.image_of}: it catches only what depends on directions and edges"
        for each in boards
        if each.image_of and not each.of_course
    ]
    lines += [
        f"{each.name} is too slow to be judged: it leaves so much to try that the programs with a bug take "
        "too long; it catches nothing until you take pegs or holes away"
        for each in boards
        if each.too_slow
    ]
    if not missed:
        return Message("bugs-caught", "\n".join(lines))
    kinds = ", ".join(f"{times} of kind {kind}" for kind, times in sorted(missed.items()))
    lines.append(f"not caught: {kinds}, numbered as the hints are")
    return Message(
        "bugs-missed",
        "\n".join(lines),
        "a small board on which one thing can go wrong often catches what large ones miss; to get hints at "
        "these kinds: grade hint examples",
        facts={"kinds": [*(["copied"] if any(each.of_course for each in boards) else []), *sorted(missed)]},
    )


def _short(board: Claimed) -> str:
    """Return in a few words what a student says of a board."""
    words = {
        "solvable: true": "solvable",
        "solvable: false": "unsolvable",
        "fewest: 1": "solvable",
        "forced: true": "forced",
        "forced: false": "a choice",
    }
    said = [words.get(claim, f"{claim.removeprefix('fewest: ')} left") for claim in board.claims]
    if len(said) > 1 and said[0] == "unsolvable" and said[1].endswith("left"):
        del said[0]
    return ", ".join(dict.fromkeys(said))


def _state(board: Claimed) -> str:
    if board.fewest is None:
        return "too large"
    if board.wrong:
        return "not true"
    if board.of_course:
        return "the course's"
    if board.too_slow:
        return "too slow"
    return f"same as {board.same_as}" if board.same_as else "true"
