"""Find what is wrong with a program's rules for jumps."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from framework.arrays import np
from framework.board import Board, format_board, parse_board
from framework.jumps import Jump, cell_between, jump_fault, legal_jumps, play_jump
from grader.catalog.tasks import Asked, Task
from grader.judging.causes.ask import Ask
from grader.messages.catalogue import say
from grader.messages.illegal_jumps import with_fault
from grader.messages.jump_functions import JumpFunctions, jump_functions
from grader.messages.jump_kinds import STEPS, in_common
from grader.messages.message import FROM, OVER, TO, Message, picture, with_jump
from grader.messages.phrases import count
from grader.sandbox import answers
from grader.sandbox.answers import Rules

RULES_FILE = "peg1.py"
MOST_BOARDS = 100  # that the rules are asked about


def rules(task: Task, planned: Sequence[Asked], ask: Ask, sources: Mapping[str, str]) -> Message | None:
    """Return what is wrong with the program's rules for jumps; None if nothing was found.

    The program is asked about each board, and about those reached by always playing the first legal jump.
    """
    if RULES_FILE not in task.files:
        return None
    boards: dict[str, Board] = {}
    for asked in planned:
        if asked.board is not None and len(boards) < MOST_BOARDS:
            boards |= _line(asked.board.name, format_board(asked.board.board))
    names = jump_functions(sources)
    request = {
        "kind": "rules",
        **names._asdict(),
        "module": RULES_FILE.removesuffix(".py"),
        "boards": [*map(format_board, boards.values())],
    }
    found = ask(request, answers.parse_rules)
    return None if found is None else wrong(boards, found, names)


def wrong(boards: Mapping[str, Board], rules: Rules, names: JumpFunctions) -> Message | None:
    """Return the message about what is wrong with the student's rules of a jump; None if nothing is.

    Args:
        boards: the boards that the student's functions were asked about, and what each is.
    """
    if len(rules.allowed) != len(boards) or not STEPS.keys() >= set(rules.steps):
        return None
    asked = [(where, boards[where], jumps) for where, jumps in zip(boards, rules.allowed, strict=True)]
    for where, board, jumps in asked:
        for jump in jumps:
            fault = jump_fault(board, jump)
            if fault is not None:
                shown = with_fault(board, jump, fault)
                return say(
                    "can-jump-allows", shown, function=names.test, jump=jump, why=fault.reason, where=where
                )
    missing = [name for step, name in STEPS.items() if step not in rules.steps]
    if missing:
        return say("directions-left-out", missing=" and ".join(missing))
    played = [(asked[place], jump, after, back) for place, jump, after, back in rules.played]
    told = [
        _played(where, board, jump, after, back, names)
        for (where, board, _), jump, after, back in played
        if not jump_fault(board, jump)
    ]
    faults = sorted((each for each in told if each.id), key=lambda each: not each.facts["others"])
    return next(iter([*_refused(asked, names.test), *faults]), None)


def _refused(asked: Sequence[tuple[str, Board, Sequence[Jump]]], function: str) -> Iterator[Message]:
    """Yield the message for jumps that a function refuses and the rules allow, if there are any.

    If the refused jumps have something in common that no allowed jump has, the message says so.
    """
    refused = [
        (where, board, jump)
        for where, board, jumps in asked
        for jump in legal_jumps(board)
        if jump not in jumps
    ]
    if refused:
        where, board, jump = refused[0]
        allowed = (jump for *_, jumps in asked for jump in jumps)
        which = in_common((jump for *_, jump in refused), allowed)
        shown = with_jump(board, jump)
        yield say("can-jump-refuses", shown, function=function, jump=jump, which=which, where=where)


def _played(where: str, start: Board, jump: Jump, after: Board, back: Board, names: JumpFunctions) -> Message:
    """Return the message if making a jump or taking it back sets cells wrongly; nothing if both are right."""
    played = start.copy()
    play_jump(played, jump)
    id, function, wanted, found = "play-sets-cells-wrongly", names.play, played, after
    if (played == after).all():
        id, function, wanted, found = "take-back-sets-cells-wrongly", names.take_back, start, back
    wrong = [(row, col) for row, col in np.argwhere(wanted != found).tolist()]
    cells = dict(zip((FROM, OVER, TO), (jump[:2], cell_between(jump), jump[2:]), strict=True))
    at: dict[str, Any] = {mark: cell in wrong for mark, cell in cells.items()} | {"function": function}
    others = [cell for cell in wrong if cell not in cells.values()]
    return say(id, picture(found), jump=jump, others=others, where=where, **at) if wrong else Message()


@cache  # a class fails on the same boards again and again
def _line(name: str, start: str) -> dict[str, Board]:
    """Return a board and those reached by always playing the first legal jump, by what each is."""
    line = {name: parse_board(start)}
    board = line[name]
    while jumps := legal_jumps(board):
        line[f"{name} after {count(len(line), 'jump')}"] = board = board.copy()
        play_jump(board, jumps[0])
    return line
