"""Find what is wrong with a program's rules for jumps."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from framework.arrays import np
from framework.board import BLOCKED, Board, format_board, parse_board
from framework.jumps import Jump, JumpFault, cell_between, jump_fault, legal_jumps, play_jump
from grader.catalog.tasks import Asked, Task
from grader.judging.causes.ask import Ask
from grader.messages.catalogue import say
from grader.messages.illegal_jumps import with_fault
from grader.messages.jump_kinds import STEPS, in_common
from grader.messages.message import FROM, OVER, TO, Message, picture, with_jump
from grader.sandbox import answers
from grader.sandbox.answers import Rules

RULES_FILE = "peg1.py"
MOST_BOARDS = 100  # that the rules are asked about


def rules(task: Task, planned: Sequence[Asked], ask: Ask) -> Message | None:
    """Return what is wrong with the program's rules for jumps; None if nothing was found.

    The program is asked about each board, and about those reached by always playing the first legal jump.
    """
    boards, found = _asked(task, planned, ask)
    return None if found is None else wrong(boards, found)


def are_right(task: Task, planned: Sequence[Asked], ask: Ask) -> bool:
    """Return whether the program's rules are known to be right, on the boards that `rules` asks about."""
    boards, found = _asked(task, planned, ask)
    return found is not None and wrong(boards, found) is None


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
            fault = jump_fault(board, jump)
            if fault is not None:
                return _allowed(board, jump, fault)
    missing = [name for step, name in STEPS.items() if step not in rules.steps]
    if missing:
        return say("directions-left-out", missing=" and ".join(missing))
    played = [each for each in rules.played if not jump_fault(boards[each[0]], each[1])]
    told = [_played(boards[place], jump, after, back) for place, jump, after, back in played]
    faults = sorted((each for each in told if each.id), key=lambda each: not each.facts["others"])
    return next(iter([*_refused(asked), *faults]), None)


def _allowed(board: Board, jump: Jump, fault: JumpFault) -> Message:
    """Return the message for a jump that `can_jump` allows and the rules do not."""
    id = "can-jump-allows"
    if fault.cell is None:
        id = "can-jump-allows-off-board"
    elif fault.cell == jump[2:] and board[fault.cell] == BLOCKED:
        id = "can-jump-allows-blocked"
    return say(id, with_fault(board, jump, fault), jump=jump, why=fault.reason)


def _refused(asked: Sequence[tuple[Board, Sequence[Jump]]]) -> Iterator[Message]:
    """Yield the message for jumps that `can_jump` refuses and the rules allow, if there are any.

    If the refused jumps have something in common that no allowed jump has, the message says so.
    """
    refused = [(board, jump) for board, jumps in asked for jump in legal_jumps(board) if jump not in jumps]
    if refused:
        board, jump = refused[0]
        allowed = (jump for _, jumps in asked for jump in jumps)
        which = in_common((jump for _, jump in refused), allowed)
        yield say("can-jump-refuses", with_jump(board, jump), jump=jump, which=which)


def _played(start: Board, jump: Jump, after: Board, back: Board) -> Message:
    """Return the message for a `play` or `take_back` that sets cells wrongly; nothing if both are right."""
    played = start.copy()
    play_jump(played, jump)
    id, wanted, found = "play-sets-cells-wrongly", played, after
    if (played == after).all():
        id, wanted, found = "take-back-sets-cells-wrongly", start, back
    wrong = [(row, col) for row, col in np.argwhere(wanted != found).tolist()]
    cells = dict(zip((FROM, OVER, TO), (jump[:2], cell_between(jump), jump[2:]), strict=True))
    at: dict[str, Any] = {mark: cell in wrong for mark, cell in cells.items()}
    others = [cell for cell in wrong if cell not in cells.values()]
    return say(id, picture(found), jump=jump, others=others, **at) if wrong else Message()


def _asked(task: Task, planned: Sequence[Asked], ask: Ask) -> tuple[list[Board], Rules | None]:
    """Return the boards that the program is asked about, and what it answers."""
    if RULES_FILE not in task.files:
        return [], None
    starts = [format_board(asked.board.board) for asked in planned if asked.board is not None]
    boards = [board for start in starts for board in _line(start)][:MOST_BOARDS]
    request = {
        "kind": "rules",
        "module": RULES_FILE.removesuffix(".py"),
        "boards": [format_board(board) for board in boards],
    }
    return boards, ask(request, answers.parse_rules)


@cache  # a class fails on the same boards again and again
def _line(start: str) -> list[Board]:
    """Return a board, followed by the boards reached by always playing the first legal jump."""
    line = [parse_board(start)]
    while jumps := legal_jumps(line[-1]):
        line.append(line[-1].copy())
        play_jump(line[-1], jumps[0])
    return line
