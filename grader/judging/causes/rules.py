"""Find what is wrong with a program's rules for jumps."""

import ast
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from framework.arrays import np
from framework.board import BLOCKED, Board, format_board, parse_board
from framework.jumps import Jump, cell_between, jump_fault, legal_jumps, play_jump
from grader.catalog.tasks import Asked, Task
from grader.judging.check_run import Ask
from grader.messages.catalogue import FROM, OVER, TO, Message, picture, say, with_jump
from grader.messages.illegal_jumps import with_fault
from grader.messages.in_source import JumpFunctions, jump_functions
from grader.messages.phrases import STEPS, count, in_common
from grader.sandbox import answers
from grader.sandbox.answers import Rules
from grader.submissions.syntax import nodes_in

RULES_FILE = "peg1.py"
MOST_BOARDS = 100  # that the rules are asked about


def rules(
    task: Task, planned: Sequence[Asked], ask: Ask, sources: Mapping[str, str], alone: bool = False
) -> Message | None:
    """Return what is wrong with the program's rules for jumps; None if nothing was found.

    The program is asked about each board, and about those reached by always playing the first legal jump;
    if `alone`, also about cells without a peg.
    """
    if RULES_FILE not in task.files:
        return None
    boards: dict[str, Board] = {}
    for asked in planned:
        if asked.board is not None and len(boards) < MOST_BOARDS:
            boards |= _line(asked.board.name, format_board(asked.board.board))
    names = jump_functions(sources)
    names = names._replace(alone=names.alone or alone)
    request = {
        "kind": "rules",
        **names._asdict(),
        "module": RULES_FILE.removesuffix(".py"),
        "boards": [*map(format_board, boards.values())],
    }
    found = ask(request, answers.parse_rules)
    told = None if found is None else wrong(boards, found, names)
    return told if told and told.facts.get("function", "") in {"", *_used(sources)} else None


def _used(sources: Mapping[str, str]) -> set[str]:
    """Return the names that a program uses, in whatever way: a function among the others harms nothing."""
    used: set[str] = set()
    for _, node in nodes_in(sources):
        match node:
            case ast.Name(name) | ast.Attribute(attr=name) | ast.alias(name, str()):
                used.add(name)
    return used


def wrong(boards: Mapping[str, Board], rules: Rules, names: JumpFunctions) -> Message | None:
    """Return the message about what is wrong with the rules of a jump on named boards; None if nothing is."""
    if len(rules.allowed) != len(boards) or not STEPS.keys() >= set(rules.steps):
        return None
    asked = [(where, boards[where], jumps) for where, jumps in zip(boards, rules.allowed, strict=True)]
    for where, board, jumps in asked:
        for jump in jumps:
            if fault := jump_fault(board, jump):
                facts: dict[str, Any] = {"function": names.test, "why": fault.reason, "where": where}
                facts["start"] = [jump[:2]] if fault.cell == jump[:2] else []
                return say("can-jump-allows", with_fault(board, jump, fault), jump=jump, **facts)
    if missing := [name for step, name in STEPS.items() if step not in rules.steps]:
        return say("directions-left-out", missing=" and ".join(missing))
    refused = [
        (where, board, jump)
        for where, board, jumps in asked
        for jump in legal_jumps(board)
        if jump not in jumps
    ]
    for where, board, jump in refused[:1]:
        # What they have in common that no allowed jump has.
        which = in_common((jump for *_, jump in refused), (jump for *_, jumps in asked for jump in jumps))
        facts = {"function": names.test, "jump": jump, "which": which, "where": where}
        return say("can-jump-refuses", with_jump(board, jump), **facts)
    told = [
        _played(*asked[place][:2], jump, after, back, names)
        for place, jump, after, back in rules.played
        if not jump_fault(asked[place][1], jump)
    ]
    return next(iter(sorted(filter(None, told), key=lambda each: not each.facts["others"])), None)


def _played(
    where: str, start: Board, jump: Jump, after: Board, back: Board, names: JumpFunctions
) -> Message | None:
    """Return the message if making a jump or taking it back sets cells wrongly; None if both are right."""
    played = start.copy()
    play_jump(played, jump)
    id, function, wanted, found = "play-sets-cells-wrongly", names.play, played, after
    if (played == after).all():
        id, function, wanted, found = "take-back-sets-cells-wrongly", names.take_back, start, back
    wrong = [(row, col) for row, col in np.argwhere(wanted != found).tolist()]
    cells = dict(zip((FROM, OVER, TO), (jump[:2], cell_between(jump), jump[2:]), strict=True))
    blocked = [cell for cell in cells.values() if found[cell] == BLOCKED]
    at: dict[str, Any] = {mark: cell in wrong and cell not in blocked for mark, cell in cells.items()}
    at |= {"function": function, "blocked": blocked}
    others = [cell for cell in wrong if cell not in cells.values()]
    return say(id, picture(found), jump=jump, others=others, where=where, **at) if wrong else None


@cache  # a class fails on the same boards again and again
def _line(name: str, start: str) -> dict[str, Board]:
    """Return a board and those reached by always playing the first legal jump, by what each is."""
    line = {name: parse_board(start)}
    board = line[name]
    while jumps := legal_jumps(board):
        line[f"{name} after {count(len(line), 'jump')}"] = board = board.copy()
        play_jump(board, jumps[0])
    return line
