"""Judge `meet`: a search that ends on a board of a table that the judge has filled."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from framework.board import Board, format_board, parse_board
from framework.verify import verify
from grader.catalog.boards import NamedBoard
from grader.catalog.tasks import Asked
from grader.judging.holes import Holes
from grader.judging.kinds.kind import chance, ruled
from grader.judging.kinds.part import Part, board_text
from grader.messages import illegal_jumps, meetings, wrong_answers
from grader.messages.phrases import Message, count
from grader.result import Result, Verdict
from grader.sandbox.answers import Met

OTHERS = 50  # boards in the table beside the one that can be met
TRIES = 1000  # random games until one has enough jumps


class MeetPart(Part):
    """A check called `BOARD:meet-N` asks `meet` for a board that random play came to in N jumps.

    No such board is on the way to a solution that a program may know, and the table holds others that chance
    made. So only a search that looks boards up in its table comes to one of them.
    """

    function = "meet"
    variant = re.compile(r"meet-(?P<number>\d{1,2})", re.ASCII)
    answer = Met

    def request(self, asked: Asked) -> dict[str, Any]:
        """Ask the child to search for the boards in a table."""
        return _meets(board_text(asked), self._meeting(asked))

    def compiling(self, board: NamedBoard) -> list[dict[str, Any]]:
        """Ask for a board of as many pegs as there are, which is the board itself or none."""
        text = format_board(board.board)
        return [{"kind": "meet", "board": text, "winning": [text], "pegs": board.pegs}]

    def judge(self, asked: Asked, answer: Met, more: Sequence[Any] | None, result: Result) -> Result:
        """Play the jumps; they must lead to a board of the table, and the board must be as it was."""
        assert asked.board is not None
        meeting, board = self._meeting(asked), asked.board.board
        result = replace(
            result, answer=f"met, {count(len(answer.jumps), 'jump')}" if answer.met else "not met"
        )
        if not answer.met:
            told = meetings.not_met(meeting.board(meeting.met), self.number(asked))
            return ruled(result, Verdict.WRONG_ANSWER, told)
        seen = verify(board, answer.jumps)
        if seen.fault is not None:
            told = illegal_jumps.illegal_jump(board, answer.jumps, seen)
            return ruled(replace(result, answer="illegal move"), Verdict.ILLEGAL_MOVE, told)
        if "".join(format_board(seen.board).split()) not in meeting.table:
            told = meetings.not_in_table(seen.board, len(answer.jumps))
            return ruled(result, Verdict.WRONG_ANSWER, told)
        if (answer.board != board).any():
            told = wrong_answers.board_changed("meet returned True", asked.board, answer.board)
            return ruled(result, Verdict.WRONG_ANSWER, told)
        return ruled(replace(result, points=asked.check.points), Verdict.ACCEPTED)

    def truth(self, asked: Asked) -> str:
        """Return that a board can be met."""
        return f"met, {count(self.number(asked), 'jump')}"

    def slow(self, asked: Asked) -> Message:
        """Return how deep the search goes."""
        return meetings.slow(self.number(asked))

    def _meeting(self, asked: Asked) -> "Meeting":
        return _meeting(board_text(asked), self.number(asked))


class Meeting(Holes):
    """A table of boards, one of which can be met.

    Attributes:
        met: the position to which random play came.
        table: that position and others of as many pegs, in a random order, as texts.
    """

    def __init__(self, board: Board, jumps: int) -> None:
        super().__init__(board)
        draw = chance(f"meet {self.text(self.start)} {jumps}")
        for _ in range(TRIES):
            self.met = self.start
            for _ in range(jumps):
                after = self.positions_after(self.met)
                self.met = draw.choice(after) if after else 0
            if self.met:
                break
        pegs = self.start.bit_count() - jumps
        others = [sum(draw.sample(self.bits, pegs)) for _ in range(OTHERS)]
        self.table = [self.text(position) for position in draw.sample([self.met, *others], OTHERS + 1)]


@lru_cache(32)
def _meeting(board: str, jumps: int) -> Meeting:
    return Meeting(parse_board(board), jumps)


def _meets(board: str, meeting: Meeting) -> dict[str, Any]:
    return {"kind": "meet", "board": board, "winning": meeting.table, "pegs": meeting.met.bit_count()}
