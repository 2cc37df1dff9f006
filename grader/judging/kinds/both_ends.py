"""Judge tasks that search from both ends: the parts of the idea, and `peg_solve`, which joins them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from grader.catalog.boards import NamedBoard, course_boards, find_board
from grader.catalog.tasks import Asked, Check, Registry, Task
from grader.judging.kinds.ends_part import EndsPart
from grader.judging.kinds.fill_part import FillPart
from grader.judging.kinds.kind import Part, ruled, unpaid
from grader.judging.kinds.meet_part import MeetPart
from grader.judging.kinds.solve import AnyAboveOne
from grader.messages.catalogue import Message, say
from grader.result import Result, Verdict
from grader.sandbox import answers
from grader.sandbox.answers import Answer

TABLE: tuple[Part, ...] = (FillPart(), MeetPart())  # the parts of a search from both ends
PARTS: tuple[Part, ...] = (*TABLE, EndsPart())


class BothEnds(AnyAboveOne):
    """Tasks that search from both ends.

    `peg_solve` is judged as in `AnyAboveOne`; a check with a variant asks one of PARTS.
    """

    asks_other_functions = True
    plain_functions = ("peg_solve", *(part.function for part in PARTS))
    visits_all = False
    tells_unused_table = False  # the time may have gone into the other table
    shows_facts = False

    # ---- what is asked -------------------------------------------------------------------------

    def is_variant(self, text: str) -> bool:
        return _part(text) is not None

    def asks_part(self, check: Check) -> bool:
        return bool(check.variant)

    def request(self, asked: Asked) -> dict[str, Any]:
        part = _part(asked.check.variant)
        return super().request(asked) if part is None else part.request(asked)

    def more_requests(self, asked: Asked, answer: Any) -> list[dict[str, Any]]:
        part = _part(asked.check.variant)
        if part is None:
            return super().more_requests(asked, answer) if isinstance(answer, Answer) else []
        return part.more_requests(asked, answer) if isinstance(answer, part.answer) else []

    def compiling(self, task: Task, registry: Registry) -> dict[str, Any]:
        board = find_board(registry.compile_boards[0], course_boards())
        questions = [*super().compiling(task, registry)["questions"]]
        return {
            "kind": "several",
            "questions": questions + [q for part in PARTS for q in part.compiling(board)],
        }

    def parse(self, loaded: dict[str, Any]) -> Any:
        for name, parse in _PARSERS.items():
            if name in loaded:
                return parse(loaded)
        return super().parse(loaded)

    # ---- an answer -----------------------------------------------------------------------------

    def judge(self, asked: Asked, answer: Any, result: Result) -> Result:
        part = _part(asked.check.variant)
        if part is None and isinstance(answer, Answer):
            return super().judge(asked, answer, result)
        if part is not None and isinstance(answer, part.answer):
            return part.judge(asked, answer, None, result)
        return _other_question(part, result)

    def tried(self, asked: Asked, answer: Any, more: Sequence[Any], result: Result) -> Result:
        """Judge the answer of a part once what verifies it is known."""
        part = _part(asked.check.variant)
        if part is None or not more or result.verdict == Verdict.BAD_RETURN:
            return result
        if not all(isinstance(each, part.verified_by) for each in more):
            return _other_question(part, result)
        return part.judge(asked, answer, more, result)

    def boards_to_look_up(self, asked: Asked, answer: Any) -> list[str]:
        """Return boards to look up for `peg_solve` alone: the tables of the parts are known."""
        return super().boards_to_look_up(asked, answer) if isinstance(answer, Answer) else []

    def settle(self, results: list[Result], boards: Sequence[NamedBoard | None]) -> list[Result]:
        """Withhold the points of `peg_solve` until the parts that they need are right.

        A solution earns its points once `fill_winning` and `meet` are right: else it was found from one end
        alone. On an unsolvable board a program may only have given up, so there every part must be right.
        """
        results = _stopped(results)
        parts = [_part(self.board_of(result.board)[1]) for result in results]
        solved = [None if part else board for part, board in zip(parts, boards, strict=True)]
        settled = super().settle(results, solved)
        wrong = {part for part, result in zip(parts, settled, strict=True) if part and not result.full}
        return [
            unpaid(result, say("part-withheld", solved=bool(result.jumps), function=needs[0].function))
            if part is None and result.points and (needs := _needed(result, wrong))
            else result
            for part, result in zip(parts, settled, strict=True)
        ]

    # ---- words ---------------------------------------------------------------------------------

    def truth(self, asked: Asked) -> str:
        part = _part(asked.check.variant)
        return part.truth(asked) if part else super().truth(asked)

    def slow(self, asked: Asked) -> Message:
        """Return the message for a check that ran out of time: colours show that a board has no solution."""
        part = _part(asked.check.variant)
        if part is not None:
            return part.slow(asked)
        uncounted = asked.the_board.facts.solvable is False
        return say("colours-not-counted", handout=asked.task.handout) if uncounted else super().slow(asked)


_PARSERS = {
    "table": answers.parse_winning_table,
    "met": answers.parse_met,
    "ends": answers.parse_ends,
    "keys": answers.parse_client_answer,
}


def _stopped(results: list[Result]) -> list[Result]:
    """Say of tables that lack boards that they stop at one size, if that is the same for several boards."""
    lacking = [each for each in results if each.code == "fill-wrong" and each.facts["lacks"]]
    (size, times), *_ = [*Counter(each.facts["size"] for each in lacking).most_common(1), (0, 0)]
    told = say("fill-stops", size=size, tables=times)
    stops = [times > 1 and each in lacking and each.facts["size"] == size for each in results]
    return [
        replace(each, code=told.id, facts=told.facts, message=told.message, help=told.help) if stop else each
        for each, stop in zip(results, stops, strict=True)
    ]


def _other_question(part: Part | None, result: Result) -> Result:
    """Return the result of an answer to a question that was not asked."""
    told = say("other-question", function=part.function if part else "peg_solve")
    return ruled(replace(result, points=0), Verdict.BAD_RETURN, told)


def _part(variant: str) -> Part | None:
    """Return the part that a check's variant asks; None if there is none."""
    return next((part for part in PARTS if part.variant.fullmatch(variant)), None)


def _needed(result: Result, wrong: set[Part]) -> list[Part]:
    """Return which wrong parts the points of `peg_solve` on a board wait for."""
    return [part for part in (TABLE if result.jumps else PARTS) if part in wrong]
