"""Judge `meet`: a search that ends on a board of a table that the judge has filled."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from framework.board import Board, format_board, parse_board
from framework.verify import verify
from grader.catalog.boards import NamedBoard, course_boards, find_board
from grader.catalog.tasks import Asked
from grader.judging.holes import Holes, kept
from grader.judging.kinds.kind import Part, accepted, chance, ruled
from grader.messages import illegal_jumps, wrong_answers
from grader.messages.catalogue import Message, picture, say
from grader.messages.phrases import count
from grader.result import Result, Verdict
from grader.sandbox.answers import Met, parse_met

OTHERS = 50  # boards in the table beside the one that can be met, but for those that can be met, too
RARE = 300  # one in so many positions may be drawn: those to which random play comes least often
MOST_KEPT = 20_000  # positions after each jump


class MeetPart(Part):
    """A check called `BOARD:meet-N` asks `meet` for a board to which N jumps lead, though hardly by chance.

    No such board is on the way to a solution that a program may know, and the table holds others that chance
    made. So only a search that looks boards up in its table, and none twice, comes to one of them in time.
    """

    function = "meet"
    variant = re.compile(r"meet-(?P<number>\d{1,2})", re.ASCII)
    answer = verified_by = Met

    def request(self, asked: Asked) -> dict[str, Any]:
        meeting = self._meeting(asked)
        return _meets(format_board(asked.the_board.board), meeting.table, meeting)

    def more_requests(self, asked: Asked, answer: Met) -> list[dict[str, Any]]:
        """Ask about a board from which none can be met, though it is itself in the table."""
        meeting = self._meeting(asked)
        return [_meets(meeting.nothing, meeting.decoys, meeting)] if answer.met else []

    def compiling(self, board: NamedBoard) -> list[dict[str, Any]]:
        """Ask for a board of as many pegs as there are, which is the board itself or none."""
        text = format_board(board.board)
        return [{"kind": "meet", "board": text, "winning": [text], "pegs": board.pegs}]

    def judge(self, asked: Asked, answer: Met, more: Sequence[Any] | None, result: Result) -> Result:
        """Play the jumps; they must lead to a board of the table, and the board must be as it was."""
        meeting, board = self._meeting(asked), asked.the_board.board
        result = replace(
            result, answer=f"met, {count(len(answer.jumps), 'jump')}" if answer.met else "not met"
        )
        if not answer.met:
            told = say("not-met", picture(meeting.board(meeting.met)), jumps=self.number(asked))
            return ruled(result, Verdict.WRONG_ANSWER, told)
        seen = verify(board, answer.jumps)
        if seen.fault is not None:
            told = illegal_jumps.illegal_jump(board, answer.jumps, seen)
            return ruled(replace(result, answer="illegal move"), Verdict.ILLEGAL_MOVE, told)
        if "".join(format_board(seen.board).split()) not in meeting.table:
            shown = [picture(seen.board)] * bool(answer.jumps)
            told = say("met-outside-table", *shown, moves=len(answer.jumps))
            return ruled(result, Verdict.WRONG_ANSWER, told)
        if (answer.board != board).any():
            told = wrong_answers.board_changed("True", asked.the_board, answer.board)
            return ruled(result, Verdict.WRONG_ANSWER, told)
        if more and more[0].met:
            told = say("met-nothing", picture(parse_board(meeting.nothing)), pegs=meeting.pegs)
            return ruled(replace(result, answer="met too much", points=0), Verdict.WRONG_ANSWER, told)
        return accepted(result)

    def truth(self, asked: Asked) -> str:
        return f"met, {count(self.number(asked), 'jump')}"

    def slow(self, asked: Asked) -> Message:
        return say("meet-slow", jumps=self.number(asked))

    def _meeting(self, asked: Asked) -> "Meeting":
        return _meeting(asked.the_board.board, self.number(asked))


class Meeting(Holes):
    """A table of boards, one of which can be met."""

    def __init__(self, board: Board, jumps: int) -> None:
        super().__init__(board)
        draw = chance(f"meet {self.text(self.start)} {jumps}")
        likely = {self.start: 1.0}
        for _ in range(jumps):
            after = list(self._after_a_random_jump(likely).items())
            likely = dict(draw.sample(after, min(MOST_KEPT, len(after))))
        rarest = sorted(likely, key=likely.__getitem__)[: max(1, len(likely) // RARE)]
        # a position to which random play of so many jumps hardly ever comes; 0 if there is none
        self.met = draw.choice(rarest) if rarest else 0
        pegs = self.start.bit_count() - jumps
        others = {sum(draw.sample(self.bits, pegs)) for _ in range(OTHERS)} - likely.keys()
        table = [self.met, *sorted(others)]
        # that position and others of as many pegs that cannot be met, in a random order, as texts
        self.table = [self.text(position) for position in draw.sample(table, len(table))]
        self.pegs = self.met.bit_count()  # the pegs of that position
        before = min(self.before([self.met]), default=self.start)
        met = {self.met, *self.positions_after(before)}
        # a board of one peg more, from which none of `decoys` with that many pegs can be met
        self.nothing = self.text(before)
        # that board, and boards of `table`
        self.decoys = [self.nothing, *(self.text(each) for each in sorted(others - met))]

    def _after_a_random_jump(self, likely: dict[int, float]) -> dict[int, float]:
        """Return the positions after a jump from these, each with the probability of random play."""
        found: dict[int, float] = {}
        for position, probability in likely.items():
            after = self.positions_after(position)
            for each in after:
                found[each] = found.get(each, 0.0) + probability / len(after)
        return found


_meeting = kept(32)(Meeting)


def _meets(board: str, winning: list[str], meeting: Meeting) -> dict[str, Any]:
    return {"kind": "meet", "board": board, "winning": winning, "pegs": meeting.pegs}


def why_not_met(
    ask: Callable[[dict[str, Any], Callable[[dict[str, Any]], Met]], Met | None],
) -> Message | None:
    """Return what `meet` does wrong with a board of its table, or one that it gives up; None if nothing."""
    board = find_board("plus", course_boards())
    text = format_board(board.board)
    request = {"kind": "meet", "board": text, "winning": [text], "pegs": board.pegs}
    at_once = ask(request, parse_met)
    if at_once is not None and not at_once.met:
        return say("not-met-at-once", picture(board.board), pegs=board.pegs, early=False, at_once=True)
    holes = Holes(board.board)
    after = [holes.text(position) for position in holes.positions_after(holes.start)]
    fewer = {**request, "pegs": board.pegs - 1}
    in_a_jump = ask({**fewer, "winning": after}, parse_met)
    if in_a_jump is not None and not in_a_jump.met:
        early = ask(fewer, parse_met)
        is_early = early is not None and early.met
        if is_early or in_a_jump.states > 1 + len(after):
            shown, pegs = picture(board.board), board.pegs - 1
            return say("meets-at-other-size", shown, early=is_early, at_once=False, pegs=pegs)
    given_up = ask({**request, "winning": [], "pegs": 1}, parse_met)
    if given_up is not None and not given_up.met and given_up.states == 0:
        return say("none-recorded", board=board.name, meets=True)
    return None
