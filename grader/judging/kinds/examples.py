"""Judge a student's own boards: is what they say of each true, and which bugs do the boards catch?

No program of the student is run: the check `claims` is about what they say, and `caught:N` asks for N bugs.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from tabulate import tabulate

from grader.catalog.tasks import Asked
from grader.errors import InputError
from grader.judging.examples.bugs import BUGS
from grader.judging.examples.catching import MOST_POSITIONS, Judged, JudgedSet, judged_set
from grader.judging.kinds.kind import Kind, accepted, ruled
from grader.messages.catalogue import Message, picture, say
from grader.messages.phrases import count
from grader.result import Result, Verdict

NUMBER = re.compile(r"[1-9]\d?", re.ASCII)


class Examples(Kind):
    """Tasks in which students write boards, and say what is true of them."""

    takes_boards = False
    is_search = False
    runs_programs = False

    def is_variant(self, text: str) -> bool:
        return NUMBER.fullmatch(text) is not None

    def where(self, check: str) -> str:
        return "in what you say of your boards"

    def judge_text(self, asked: Asked, text: str, file: Path, result: Result) -> Result:
        try:
            judged = judged_set(text, file)
        except InputError as error:
            told = say("examples-unreadable", problem=error.message, todo=error.help)
            return ruled(replace(result, answer="cannot be read"), Verdict.WRONG_ANSWER, told)
        if not judged.boards:
            return ruled(result, Verdict.NOT_WRITTEN, say("no-boards", hint=asked.task.hint))
        return _caught(asked, judged, result) if asked.check.variant else _claims(judged, result)

    def _no_program(*given: Any, **named: Any) -> NoReturn:
        raise AssertionError("no program is run")

    request = compiling = parse = judge = slow = loop_help = _no_program


# ---- what is said of the boards ------------------------------------------------------------------


def _claims(judged: JudgedSet, result: Result) -> Result:
    """Return the result of the check of what is said of the boards."""
    boards = judged.boards
    bad = [board for board in boards if board.wrong or board.truth is None]
    if bad:
        said = f"{len(bad)} of {count(len(boards), 'board')} wrong"
        return ruled(replace(result, answer=said), Verdict.WRONG_ANSWER, _not_true(bad))
    if all(board.of_course for board in boards):
        told = say("none-own", copied=_copied(boards))
        return ruled(replace(result, answer="none is your own"), Verdict.WRONG_ANSWER, told)
    said = f"{count(len(boards), 'board')}, all true"
    return accepted(replace(result, answer=said))


def _not_true(boards: Sequence[Judged]) -> Message:
    """Return the message for boards of which a claim is not true, or cannot be judged."""
    large = [board.example.name for board in boards if board.truth is None]
    told = say("boards-too-large", most=MOST_POSITIONS, boards=large) if large else Message()
    for board in boards:
        for wrong in board.wrong:
            told = _truth(board, wrong).under(told)
    untrue = [board.example for board in boards if board.wrong]
    drawn = [picture(each.board, caption=each.name) for each in untrue]
    return say("wrong-claims", *drawn).under(told) if untrue else told


def _truth(board: Judged, wrong: str) -> Message:
    """Return what is true instead of a claim, without showing how."""
    said, truth = board.example.claims, board.truth
    assert truth is not None
    if wrong == "forced":
        id = "play-leaves-a-choice" if said.forced else "play-is-forced"
    elif truth.solvable or wrong == "solvable":
        id = "board-can-be-solved" if truth.solvable else "board-cannot-be-solved"
    else:
        id = "fewer-can-be-left" if (said.fewest or 0) > truth.fewest else "more-are-left"
    claim = next(claim for claim in said.as_written() if claim.startswith(wrong))
    return say(id, board=board.example.name, claim=claim, fewest=truth.fewest)


def _copied(boards: Sequence[Judged]) -> list[str]:
    return [f"{each.example.name} ({each.of_course})" for each in boards if each.of_course]


# ---- bugs ----------------------------------------------------------------------------------------


def _caught(asked: Asked, judged: JudgedSet, result: Result) -> Result:
    """Return the result of a check that asks for a number of bugs; its last one shows the boards anyway."""
    needed, number = int(asked.check.variant), len(judged.caught)
    enough = number >= needed
    is_last = asked.check.name == asked.task.checks[-1].name
    result = replace(result, answer=f"{number} of {count(len(BUGS), 'bug')}")
    result = replace(result, points=result.max_points if enough else 0)
    return ruled(result, Verdict.ACCEPTED, Message() if enough and not is_last else _bugs(judged, needed))


def _bugs(judged: JudgedSet, needed: int) -> Message:
    """Return the message on the bugs that a set of boards catches."""
    boards, number = judged.boards, len(judged.caught)
    copied = _copied(boards)
    missed = sorted(Counter(int(bug.kind) for bug in judged.missed).items())
    return say(
        "bugs-missed",
        caught=number,
        bugs=len(BUGS),
        needed=needed if number < needed else None,
        table=_table(judged),
        more=judged.in_all > len(boards),
        counted=len(boards),
        in_all=judged.in_all,
        copied=copied,
        images=[
            f"{each.example.name} ({each.image_of})"
            for each in boards
            if each.image_of and not each.of_course
        ],
        slow=[each.example.name for each in boards if each.catches is None],
        missed=[f"{times} of kind {kind}" for kind, times in missed],
        kinds=[*(["copied"] if copied else []), *(kind for kind, _ in missed)],
    )


def _table(judged: JudgedSet) -> str:
    """Return a row for each board: what is said of it, whether it counts, and how many bugs it catches."""
    rows = [
        [each.example.name, _short(each), _state(each), len(each.catches or ()), judged.only(each)]
        for each in judged.boards
    ]
    align = ["left", "left", "left", "right", "right"]
    heads = ["board", "you say", "", "catches", "only it"]
    return tabulate(rows, heads, tablefmt="plain", colalign=align, disable_numparse=True)


def _short(board: Judged) -> str:
    """Return in a few words what a student says of a board."""
    claims, words = board.example.claims, []
    if claims.solvable or claims.fewest == 1:
        words.append("solvable")
    if claims.fewest not in (None, 1):
        words.append(f"{claims.fewest} left")
    elif claims.solvable is False:
        words.append("unsolvable")
    if claims.forced is not None:
        words.append("forced" if claims.forced else "a choice")
    return ", ".join(words)


def _state(board: Judged) -> str:
    if board.truth is None:
        return "too large"
    if board.wrong:
        return "not true"
    if board.of_course:
        return "the course's"
    if board.catches is None:
        return "too slow"
    return f"same as {board.same_as}" if board.same_as else "true"
