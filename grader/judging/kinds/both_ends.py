"""Judge tasks that search from both ends: `peg_solve`'s answers, and the table of boards that can win."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any

from framework.board import Board, format_board, parse_board
from grader.catalog.boards import Facts, NamedBoard, course_boards, find_board
from grader.catalog.tasks import Asked, Registry, Task
from grader.judging.holes import Holes
from grader.judging.kinds import client
from grader.judging.kinds.kind import chance, chance_order, depends_on_more, in_own_order, ruled
from grader.judging.kinds.solve import AnyAboveOne
from grader.messages import winning_table
from grader.messages.phrases import Message, count
from grader.result import Result, Verdict
from grader.sandbox import answers
from grader.sandbox.answers import Answer, ClientAnswer, WinningTable
from grader.sandbox.child.questions import MAX_KEYS

BACK = re.compile(r"back-(?P<jumps>\d{1,2})", re.ASCII)
COMPILING_JUMPS = 2
Said = Answer | WinningTable | ClientAnswer
MOST_KEPT = 100  # positions from which another jump back is made
MOST_ASKED = 500  # boards that can win, and at most as many that cannot


class BothEnds(AnyAboveOne):
    """Tasks that search from both ends.

    `peg_solve` is judged as in `AnyAboveOne`. A check called `BOARD:back-N` asks `fill_winning` for a table
    that goes back N jumps from the end.
    """

    asks_other_functions = True
    in_table = "; when a board is in the table of boards that can win, push the last jumps from it too"
    plain_functions = ("peg_solve", "fill_winning")
    answer_bytes = 4 << 20  # the keys of a table
    tells_unused_table = False  # the time may have gone into the other table
    shows_facts = False

    # ---- what is asked -------------------------------------------------------------------------

    def is_variant(self, text: str) -> bool:
        """Return whether `text` is `back-N`."""
        return BACK.fullmatch(text) is not None

    def request(self, asked: Asked) -> dict[str, Any]:
        """Ask the child to run `peg_solve`, or to fill a table of boards that can win."""
        if not asked.check.variant:
            return super().request(asked)
        assert asked.board is not None
        return _fills(asked.board, _jumps(asked))

    def more_requests(self, asked: Asked, answer: Said) -> list[dict[str, Any]]:
        """Ask for the keys of some boards in two orders, after the keys in the table are known.

        A program that knew the boards could search forwards from each to see whether it can win. So the judge
        takes the table before it names the boards; fresh children must then give keys that fit the table.
        """
        texts = [_truth(asked).text(position) for position in _asked_of(asked, answer)]
        orders = _orders(len(texts)) if texts else []
        return [client.question([], [texts[each] for each in order], False) for order in orders]

    def compiling(self, task: Task, registry: Registry) -> dict[str, Any]:
        """Ask to solve the registry's small boards, to fill a small table, and to make a key."""
        questions = list(super().compiling(task, registry)["questions"])
        board = find_board(registry.compile_boards[0], course_boards())
        key = client.question([], [format_board(board.board)], False)
        return {"kind": "several", "questions": [*questions, _fills(board, COMPILING_JUMPS), key]}

    def parse(self, loaded: dict[str, Any]) -> Said:
        """Return what `peg_solve` answered, what is in the table, or the keys of boards."""
        if "table" in loaded:
            return answers.parse_winning_table(loaded)
        return answers.parse_client_answer(loaded) if "keys" in loaded else super().parse(loaded)

    # ---- an answer -----------------------------------------------------------------------------

    def judge(self, asked: Asked, answer: Said, result: Result) -> Result:
        """Judge the answer of `peg_solve`, or the size of a table in which no board can be looked up."""
        if isinstance(answer, Answer) and not asked.check.variant:
            return super().judge(asked, answer, result)
        if isinstance(answer, WinningTable) and asked.check.variant:
            return result if _asked_of(asked, answer) else _compared(asked, answer, {}, result)
        return ruled(result, Verdict.BAD_RETURN, winning_table.other_question())

    def tried(self, asked: Asked, answer: WinningTable, more: Sequence[Said], result: Result) -> Result:
        """Judge the table by looking up the boards whose keys were asked for."""
        positions = _asked_of(asked, answer)
        said = [
            each.keys for each in more if isinstance(each, ClientAnswer) and len(each.keys) == len(positions)
        ]
        if len(said) < len(more):
            return ruled(result, Verdict.BAD_RETURN, winning_table.other_question())
        keys, again = (
            in_own_order(keys, order) for keys, order in zip(said, _orders(len(positions)), strict=True)
        )
        if keys != again:
            return depends_on_more("board_key", result)
        return _compared(asked, answer, dict(zip(positions, keys, strict=True)), result)

    def boards_to_look_up(self, asked: Asked, answer: Said) -> list[str]:
        """Return no boards for a table of boards that can win, since its keys are already known."""
        return super().boards_to_look_up(asked, answer) if isinstance(answer, Answer) else []

    def settle(self, results: list[Result], boards: Sequence[NamedBoard | None]) -> list[Result]:
        """Withhold the points of unsolvable boards, as `Solve` does, and also if a table is wrong.

        Without a right table of boards that can win, a program cannot know that a board is unsolvable: it may
        only have given up.
        """
        is_table = [self.board_of(result.board)[1] != "" for result in results]
        solved = [None if table else board for table, board in zip(is_table, boards, strict=True)]
        settled = super().settle(results, solved)
        if all(result.full for result, table in zip(settled, is_table, strict=True) if table):
            return settled
        return [
            ruled(replace(result, points=0), result.verdict, winning_table.withheld())
            if board is not None and board.facts.solvable is False and result.points and not result.jumps
            else result
            for result, board in zip(settled, solved, strict=True)
        ]

    # ---- words ---------------------------------------------------------------------------------

    def truth(self, asked: Asked) -> str:
        """Return the number of boards that can win, if the check asks for the table."""
        return count(len(_truth(asked).needed), "board") if asked.check.variant else super().truth(asked)

    def slow(self, asked: Asked) -> Message:
        """Return how many boards belong in the table, if the check asks for the table."""
        if not asked.check.variant:
            return super().slow(asked)
        return winning_table.slow(len(_truth(asked).needed), _jumps(asked))


# ---- the truth -----------------------------------------------------------------------------------


class Winning(Holes):
    """The positions on a board's holes that can win in at most a given number of jumps.

    Attributes:
        needed: how many jumps each of these positions needs to win.
        asked: the positions to look up: some that can win, with few pegs first, then some that cannot.
    """

    def __init__(self, board: Board, most: int) -> None:
        super().__init__(board)
        latest = self.won
        self.needed = dict.fromkeys(latest, 0)
        for jumps in range(1, most + 1):
            latest = [position for position in self.before(latest) if position not in self.needed]
            self.needed.update(dict.fromkeys(latest, jumps))
        draw = chance(f"winning {self.text(0)} {most}")
        few_first = list(self.needed)
        near, far = few_first[: MOST_ASKED // 2], few_first[MOST_ASKED // 2 :]
        can = near + draw.sample(far, min(len(far), MOST_ASKED - len(near)))
        self.asked = [*can, *self._changed(can, draw)]

    def _changed(self, positions: list[int], draw: Random) -> list[int]:
        """Move one peg of each position to an empty hole, and return the new positions that cannot win."""
        changed = set()
        for position in positions:
            pegs = [hole for hole in self.bits if position & hole]
            empty = [hole for hole in self.bits if not position & hole]
            moved = position ^ draw.choice(pegs) ^ (draw.choice(empty) if empty else 0)
            if moved and moved not in self.needed:
                changed.add(moved)
        return sorted(changed)


def made_backwards(board: NamedBoard, jumps: int) -> NamedBoard | None:
    """Return a board on the same holes that can win in `jumps` jumps; None if none was found."""
    holes, draw = Holes(board.board), Random(jumps)
    positions = holes.won
    for _ in range(jumps):
        positions = sorted(holes.before(draw.sample(positions, min(MOST_KEPT, len(positions)))))
    return NamedBoard("", holes.board(draw.choice(positions)), Facts(solvable=True)) if positions else None


def _truth(asked: Asked) -> Winning:
    assert asked.board is not None
    return _winning(format_board(asked.board.board), _jumps(asked))


@lru_cache(32)
def _winning(board: str, most: int) -> Winning:
    return Winning(parse_board(board), most)


def _jumps(asked: Asked) -> int:
    match = BACK.fullmatch(asked.check.variant)
    assert match is not None
    return int(match["jumps"])


def _compared(asked: Asked, table: WinningTable, keys: dict[int, int], result: Result) -> Result:
    """Return the result of a check of a table, judged by its size and the keys of some positions."""
    truth, known = _truth(asked), set(table.keys)
    result = replace(result, answer=count(table.size, "board"))
    wrong = next((each for each, key in keys.items() if (key in known) != (each in truth.needed)), None)
    if wrong is not None or table.size != len(truth.needed):
        shown = None if wrong is None else truth.board(wrong)
        left = None if wrong is None else truth.needed.get(wrong)
        alike = [key in known for each, key in keys.items() if truth.needed.get(each, -1) == left]
        told = winning_table.wrong(table.size, len(truth.needed), _jumps(asked), shown, left, alike)
        return ruled(result, Verdict.WRONG_ANSWER, told)
    if len(set(keys.values())) < len(keys):
        return ruled(result, Verdict.WRONG_ANSWER, winning_table.shared_key())
    return ruled(replace(result, points=asked.check.points), Verdict.ACCEPTED)


# ---- what is asked -------------------------------------------------------------------------------


def _fills(board: NamedBoard, jumps: int) -> dict[str, Any]:
    return {"kind": "winning", "board": format_board(board.board), "jumps": jumps}


def _asked_of(asked: Asked, answer: Said) -> list[int]:
    """Return the positions to look up; none if the table cannot be sent as a whole."""
    if not asked.check.variant or not isinstance(answer, WinningTable):
        return []
    truth = _truth(asked)
    return truth.asked if len(truth.needed) <= MAX_KEYS else []


def _orders(count: int) -> list[Sequence[int]]:
    return [chance_order(count, what) for what in ("winning", "again")]
