"""Judge a student's own boards: is what they say of each true, and which bugs do the boards catch?

No program of the student is run: the check `claims` is about what they say, and `caught:N` asks for N bugs.
"""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from grader.catalog.tasks import Asked, Registry, Task
from grader.errors import InputError
from grader.judging.examples.bugs import BUGS
from grader.judging.examples.catching import MOST_POSITIONS, Judged, JudgedSet, judged_set
from grader.judging.kinds.kind import Kind, ruled
from grader.messages import example_boards
from grader.messages.example_boards import Claimed
from grader.messages.message import Message
from grader.messages.phrases import count
from grader.result import Result, Verdict

NUMBER = re.compile(r"[1-9]\d?", re.ASCII)


class Examples(Kind):
    """Tasks in which students write boards, and say what is true of them."""

    takes_boards = False
    is_search = False
    runs_programs = False

    def is_variant(self, text: str) -> bool:
        """Return whether `text` is a number of bugs."""
        return NUMBER.fullmatch(text) is not None

    def where(self, check: str) -> str:
        """Return the words that say where a fault is."""
        return "in what you say of your boards"

    def judge_text(self, asked: Asked, text: str, file: Path, result: Result) -> Result:
        """Return `result` with the verdict on the boards in the text of the student's file."""
        try:
            judged = judged_set(text, file)
        except InputError as error:
            told = Message("examples-unreadable", error.message, error.help)
            return ruled(replace(result, answer="cannot be read"), Verdict.WRONG_ANSWER, told)
        if not judged.boards:
            return ruled(result, Verdict.NOT_WRITTEN, example_boards.no_boards(asked.task.hint))
        return _caught(asked, judged, result) if asked.check.variant else _claims(asked, judged, result)

    # ---- a program, which there is not ---------------------------------------------------------

    def request(self, asked: Asked) -> NoReturn:
        """Ask nothing: no program is run."""
        raise AssertionError("no program is run")

    def compiling(self, task: Task, registry: Registry) -> NoReturn:
        """Compile nothing."""
        raise AssertionError("no program is run")

    def parse(self, loaded: dict[str, Any]) -> NoReturn:
        """Expect no answer."""
        raise AssertionError("no program is run")

    def judge(self, asked: Asked, answer: Any, result: Result) -> NoReturn:
        """Judge no answer; see `judge_text`."""
        raise AssertionError("no program is run")

    def slow(self, asked: Asked) -> Message:
        """Return nothing: there is no program that could be slow."""
        return Message()

    def loop_help(self, task: Task) -> str:
        """Return nothing: there is no program that could be endless."""
        return ""


def _claims(asked: Asked, judged: JudgedSet, result: Result) -> Result:
    """Return the result of the check of what is said of the boards."""
    boards = [_claimed(board, judged) for board in judged.boards]
    bad = [board for board in boards if board.wrong or board.fewest is None]
    if bad:
        told = example_boards.wrong_claims(bad, MOST_POSITIONS)
        said = f"{len(bad)} of {count(len(boards), 'board')} wrong"
        return ruled(replace(result, answer=said), Verdict.WRONG_ANSWER, told)
    if all(board.of_course for board in boards):
        return ruled(
            replace(result, answer="none is your own"), Verdict.WRONG_ANSWER, example_boards.none_own(boards)
        )
    said = f"{count(len(boards), 'board')}, all true"
    return ruled(replace(result, answer=said, points=asked.check.points), Verdict.ACCEPTED)


def _caught(asked: Asked, judged: JudgedSet, result: Result) -> Result:
    """Return the result of a check that asks for a number of bugs; its last one shows the boards anyway."""
    needed, number = int(asked.check.variant), len(judged.caught)
    told = example_boards.caught(
        [_claimed(board, judged) for board in judged.boards],
        judged.in_all,
        number,
        len(BUGS),
        needed,
        Counter(int(bug.kind) for bug in judged.missed),
    )
    enough = number >= needed
    is_last = asked.check.name == asked.task.checks[-1].name
    result = replace(result, answer=f"{number} of {count(len(BUGS), 'bug')}")
    result = replace(result, points=asked.check.points if enough else 0)
    return ruled(result, Verdict.ACCEPTED, Message() if enough and not is_last else told)


def _claimed(board: Judged, judged: JudgedSet) -> Claimed:
    return Claimed(
        name=board.example.name,
        board=board.example.board,
        claims=board.example.claims.as_written(),
        wrong=board.wrong,
        solvable=board.truth.solvable if board.truth else None,
        fewest=board.truth.fewest if board.truth else None,
        same_as=board.same_as,
        image_of=board.image_of,
        of_course=board.of_course,
        catches=len(board.catches or ()),
        too_slow=board.catches is None,
        only=judged.only(board),
    )
