"""Messages about the rules of a jump, as the functions of peg1.py apply them."""

from collections.abc import Sequence
from typing import NamedTuple

from framework.board import BLOCKED, EMPTY, PEG, SIZE, Board
from framework.jumps import (
    Jump,
    cell_between,
    format_jump,
    jump_fault,
    legal_jumps,
    play_jump,
)
from grader.messages.illegal_jumps import marked
from grader.messages.jump_kinds import STEPS, in_common
from grader.messages.message import Message
from grader.messages.phrases import drawn
from grader.sandbox.answers import Rules

CELLS = [(row, col) for row in range(SIZE) for col in range(SIZE)]
_RULES = "check the rules in can_jump: a peg, a peg next to it, and an empty hole beyond that"
_LANDING = "check in can_jump that the landing cell is EMPTY: a blocked cell is not a hole"
_PLAY_HELP = "a jump empties its start cell and the cell it jumps over, and puts the peg on the landing cell"
_PLAY_FAULTS = (
    "leaves the peg on its start cell",
    "leaves the peg that is jumped over on the board",
    "puts no peg on the landing cell",
)
_BACK_HELP = "take_back sets the three cells to what they were before the jump: peg, peg, empty hole"
_BACK_FAULTS = (
    "does not put the peg back on its start cell",
    "does not put back the peg that was jumped over",
    "leaves the peg on the landing cell",
)


def wrong(boards: Sequence[Board], rules: Rules) -> Message | None:
    """Return the message about what is wrong with the student's rules of a jump; None if nothing is.

    Args:
        boards: the boards that the student's functions were asked about.
        rules: what these functions answered.
    """
    if len(rules.allowed) != len(boards) or not STEPS.keys() >= set(rules.steps):
        return None
    asked = list(zip(boards, rules.allowed, strict=True))
    for board, jumps in asked:
        for jump in jumps:
            if jump_fault(board, jump):
                return _allowed(board, jump)
    told = _directions(rules.steps) or _refused(asked)
    if told is not None:
        return told
    played = [each for each in rules.played if not jump_fault(boards[each[0]], each[1])]
    found = [(boards[place], jump, after, back) for place, jump, after, back in played]
    wrong = [fault for each in found if (fault := _played(*each)) is not None]
    return min(wrong, key=lambda each: not each.changed_other, default=_NOTHING).told


def _allowed(board: Board, jump: Jump) -> Message:
    """Return the message for a jump that `can_jump` allows and the rules do not."""
    fault = jump_fault(board, jump)
    assert fault is not None
    if fault.cell is None:
        help = "check in can_jump first whether the landing cell is on the board"
        return Message("can-jump-allows", f"can_jump allows a jump off the board: {format_jump(jump)}", help)
    start, over, landing = _cells(jump)
    role = {start: "from", over: "over", landing: "onto"}[fault.cell]
    state = {BLOCKED: "a blocked cell", EMPTY: "an empty hole", PEG: "a peg"}[int(board[fault.cell])]
    help = _LANDING if (role, board[fault.cell]) == ("onto", BLOCKED) else _RULES
    head = f"can_jump allows a jump {role} {state}: {format_jump(jump)} on this board"
    return Message("can-jump-allows", "\n".join([head, *drawn(board, *marked(jump))]), help)


def _directions(steps: Sequence[tuple[int, int]]) -> Message | None:
    """Return the message about missing directions; None if all four are there."""
    missing = [name for step, name in STEPS.items() if step not in steps]
    if not missing:
        return None
    return Message(
        "directions-left-out",
        f"DIRECTIONS, ROW_STEP and COL_STEP leave out the jumps {' and '.join(missing)}",
        "a peg can jump in all four directions: leave these three as they were given",
    )


def _refused(asked: Sequence[tuple[Board, Sequence[Jump]]]) -> Message | None:
    """Return the message for jumps that `can_jump` refuses and the rules allow; None if there are none.

    If the refused jumps have something in common that no allowed jump has, the message says so.
    """
    refused = [(board, jump) for board, jumps in asked for jump in legal_jumps(board) if jump not in jumps]
    if not refused:
        return None
    board, jump = refused[0]
    common = in_common((jump for _, jump in refused), (jump for _, jumps in asked for jump in jumps))
    which = f"every jump {common}, such as" if common else "a legal jump:"
    head = f"can_jump refuses {which} {format_jump(jump)} on this board"
    return Message("can-jump-refuses", "\n".join([head, *drawn(board, *marked(jump))]), _RULES)


class _Played(NamedTuple):
    """What is wrong after a jump was played and taken back; whether a cell beside the jump was changed."""

    told: Message | None
    changed_other: bool


_NOTHING = _Played(None, changed_other=False)


def _played(start: Board, jump: Jump, after: Board, back: Board) -> _Played | None:
    """Return the message for a `play` or `take_back` that sets cells wrongly; None if both are right."""
    played = start.copy()
    play_jump(played, jump)
    for done, wanted, found, faults, help in (
        ("making", played, after, _PLAY_FAULTS, _PLAY_HELP),
        ("taking back", start, back, _BACK_FAULTS, _BACK_HELP),
    ):
        if (wanted == found).all():
            continue
        wrong = [
            fault for cell, fault in zip(_cells(jump), faults, strict=True) if found[cell] != wanted[cell]
        ]
        id, function = ("play", "play") if wanted is played else ("take-back", "take_back")
        others = [cell for cell in CELLS if found[cell] != wanted[cell] and cell not in _cells(jump)]
        wrong += ["changes {}:{}, which is not part of the jump".format(*cell) for cell in others[:1]]
        head = f"{function} {' and '.join(wrong)}: after {done} {format_jump(jump)} the board is"
        return _Played(
            Message(f"{id}-sets-cells-wrongly", "\n".join([head, *drawn(found)]), help), bool(others)
        )
    return None


def _cells(jump: Jump) -> tuple[tuple[int, int], ...]:
    return (jump[0], jump[1]), cell_between(jump), (jump[2], jump[3])
