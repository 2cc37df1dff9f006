"""Judge `fill_winning`: the table of boards that can win in a few jumps."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product
from random import Random
from typing import Any

from framework.board import SIZE, Board, format_board
from grader.catalog.boards import Facts, NamedBoard, course_boards, find_board
from grader.catalog.tasks import Asked
from grader.judging.holes import Holes, bits_of, kept, pegs_of, possible_jumps
from grader.judging.kinds import client, table_truth
from grader.judging.kinds.kind import Part, accepted, chance, depends_on_more, ruled
from grader.judging.numbers_sent import KeySet
from grader.messages.catalogue import Message, picture, say
from grader.messages.phrases import count
from grader.result import Result, Verdict
from grader.sandbox.answers import ClientAnswer, WinningTable, parse_winning_table
from grader.sandbox.child.questions import MAX_KEYS

COMPILING_JUMPS = 2
MOST_KEPT = 100  # positions from which another jump back is made
# Boards that can win, and at most as many that cannot: of so many keys that are made up, some are alike.
MOST_ASKED = 2000
# What may be said of a wrong table.
CLAUSES = ("over_edges", "none_held", "deepest", "of_pegs", "up_to_last", "one_single")
MOST_TRIED = 3  # boards for which a jump over an edge is looked for


class FillPart(Part):
    """A check called `BOARD:back-N` asks `fill_winning` for a table that goes back N jumps from the end."""

    function = "fill_winning"
    variant = re.compile(r"back-(?P<number>\d{1,2})", re.ASCII)
    answer = WinningTable
    verified_by = ClientAnswer

    def request(self, asked: Asked) -> dict[str, Any]:
        return _fills(format_board(asked.the_board.board), self.number(asked))

    def compiling(self, board: NamedBoard) -> list[dict[str, Any]]:
        text = format_board(board.board)
        return [_fills(text, COMPILING_JUMPS), client.question([], [text], False)]

    def more_requests(self, asked: Asked, answer: WinningTable) -> list[dict[str, Any]]:
        """Ask for the keys of some boards in two halves that overlap, after the keys in the table are known.

        A program that knew the boards could search forwards from each to see whether it can win. So the judge
        takes the table before it names the boards; fresh children must then give keys that fit the table. A
        key made up from the other boards asked about, such as a rank, differs from one half to the other.
        """
        truth = self._truth(asked)
        texts = [truth.text(position) for position in _asked_of(truth, answer)]
        halves = table_truth.halves(len(texts), "winning") if texts else []
        return [client.question([], [texts[each] for each in half], False) for half in halves]

    def judge(self, asked: Asked, answer: WinningTable, more: Sequence[Any] | None, result: Result) -> Result:
        """Judge the table by looking up the boards whose keys were asked for, or else by its size."""
        truth = self._truth(asked)
        positions = _asked_of(truth, answer)
        if more is None and positions:
            return result
        halves = table_truth.halves(len(positions), "winning") if more else []
        if any(len(each.keys) != len(half) for half, each in zip(halves, more or (), strict=True)):
            return ruled(result, Verdict.BAD_RETURN, say("other-question", function=self.function))
        keys = table_truth.joined(halves, [each.keys for each in more or ()])
        if keys is None:
            return depends_on_more("board_key", result)
        return self._compared(asked, answer, dict(zip(positions, keys, strict=False)), result)

    def truth(self, asked: Asked) -> str:
        return count(len(self._truth(asked).needed), "board")

    def slow(self, asked: Asked) -> Message:
        return say("fill-slow", boards=len(self._truth(asked).needed), jumps=self.number(asked))

    def _clause(self, asked: Asked, truth: "Winning", held: dict[int, bool]) -> str:
        """Return which of CLAUSES is true of a wrong table; empty if none is.

        Args:
            held: of the positions that were looked up, whether the table holds each.
        """
        needed = {each: jumps for each, jumps in truth.needed.items() if each in held}
        singles = [each for each in needed if each.bit_count() == 1]
        lacking = [each for each in singles if not held[each]]
        extra = [each for each, there in held.items() if there and each not in truth.needed]
        number = self.number(asked)
        if extra and all(truth.wins_over_edges(each, number) for each in extra[:MOST_TRIED]):
            return "over_edges"
        if not any(held.values()):
            return "none_held"
        if number and not extra and all(held[each] == (jumps == number) for each, jumps in needed.items()):
            return "deepest"
        if lacking and sum(lacking) == truth.start:
            return "of_pegs"
        if lacking and all(held[each] == (each.bit_length() >= truth.start.bit_length()) for each in singles):
            return "up_to_last"  # a loop over the holes takes each peg of `board` away when it comes to it
        return "one_single" if len(singles) - len(lacking) == 1 < len(lacking) else ""

    def _truth(self, asked: Asked) -> "Winning":
        return _winning(asked.the_board.board, self.number(asked))

    def _compared(self, asked: Asked, table: WinningTable, keys: dict[int, int], result: Result) -> Result:
        """Return the result of a check of a table, judged by its size and the keys of some positions."""
        truth, known = self._truth(asked), KeySet(table.keys)
        result = replace(result, answer=count(table.size, "board"))
        off_holes = {each: keys.pop(each) for each in truth.off_holes if each in keys}
        there = [each for each, key in off_holes.items() if key in known and key not in keys.values()]
        differ = [each for each, key in keys.items() if (key in known) != (each in truth.needed)]
        if table.size > MAX_KEYS:  # what is among those that were not handed over is not known
            differ = [each for each in differ if each not in truth.needed]
        wrong = next(iter(there or differ), None)
        if wrong is not None or table.size != len(truth.needed):
            left = None if wrong is None else truth.needed.get(wrong)
            is_short = left and 0 < table.size < len(truth.needed)
            held = {each: key in known for each, key in keys.items()}
            clause = self._clause(asked, truth, held) if table.size and not there else ""
            alike = [key in known for each, key in keys.items() if truth.needed.get(each, -1) == left]
            about: dict[str, Any] = {each: each == clause for each in CLAUSES}
            told = say(
                "fill-not-far-enough" if is_short and not any(alike) else "fill-wrong",
                *([] if wrong is None else [picture(truth.board(wrong))]),
                size=table.size,
                expected=len(truth.needed),
                jumps=self.number(asked),
                left=left,
                lacks=left is not None,
                goes_back=(left or 0) - 1,
                last=left == self.number(asked),
                more=left == 0 and not clause,
                off_holes=[divmod(cell, SIZE) for each in there[:1] for cell in truth.blocked(each)[:1]],
                **about,
            )
            return ruled(result, Verdict.WRONG_ANSWER, told)
        if len(set(keys.values())) < len(keys):
            return ruled(result, Verdict.WRONG_ANSWER, say("shared-key"))
        return accepted(result)


# ---- the truth -----------------------------------------------------------------------------------


class Winning(Holes):
    """The positions on a board's holes that can win in at most a given number of jumps."""

    def __init__(self, board: Board, most: int) -> None:
        super().__init__(board)
        latest = self.won
        self.needed = dict.fromkeys(latest, 0)  # how many jumps each of these positions needs to win
        for jumps in range(1, most + 1):
            latest = [position for position in self.before(latest) if position not in self.needed]
            self.needed.update(dict.fromkeys(latest, jumps))
        draw = chance(f"winning {self.text(0)} {most}")
        few_first = list(self.needed)
        near, far = few_first[: MOST_ASKED // 2], few_first[MOST_ASKED // 2 :]
        can = near + draw.sample(far, min(len(far), MOST_ASKED - len(near)))
        # the positions to look up: some that can win, with few pegs first, then some that cannot
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

    @cached_property
    def off_holes(self) -> list[int]:
        """The positions one jump before a single peg on a hole, if that jump needs a blocked cell as well."""
        found = []
        for jump in possible_jumps():
            start, over, end = bits_of(jump)
            if end in self.bits and self.blocked(start | over):
                found.append(start | over)
        return [*dict.fromkeys(found)]

    def blocked(self, position: int) -> list[int]:
        """Return the blocked cells that have a peg in a position, each as 8 * row + col."""
        return [*pegs_of(position & ~sum(self.bits))]

    def wins_over_edges(self, position: int, jumps: int) -> bool:
        """Return whether a position can win in so many jumps if some go over an edge of the memory.

        Compiled code takes a negative index from the other end, and goes on in the next row beyond column 7.
        """
        if position.bit_count() == 1:
            return True
        return position.bit_count() <= jumps + 1 and any(  # a jump takes one peg
            self.wins_over_edges(position ^ start ^ over ^ end, jumps - 1)
            for start, over, end in self._over_edges
            if position & start and position & over and not position & end
        )

    @cached_property
    def _over_edges(self) -> list[tuple[int, int, int]]:
        """The bits of the three cells of each jump that begins, or ends, on a cell of the board."""
        found = []
        for place, (row_step, col_step) in product(range(SIZE * SIZE), ((1, 0), (-1, 0), (0, 1), (0, -1))):
            row, col = divmod(place, SIZE)
            cells = [(row + step * row_step, col + step * col_step) for step in range(3)]
            places = [
                SIZE * (row % SIZE if row < 0 else row) + (col % SIZE if col < 0 else col)
                for row, col in cells
            ]
            bits = [1 << place for place in places]
            if {*bits} <= {*self.bits}:
                found += [(bits[0], bits[1], bits[2]), (bits[2], bits[1], bits[0])]
        return found


def made_backwards(board: NamedBoard, jumps: int) -> NamedBoard | None:
    """Return a board on the same holes that can win in `jumps` jumps; None if none was found."""
    holes, draw = Holes(board.board), Random(jumps)
    positions = holes.won
    for _ in range(jumps):
        positions = sorted(holes.before(draw.sample(positions, min(MOST_KEPT, len(positions)))))
    return NamedBoard("", holes.board(draw.choice(positions)), Facts(solvable=True)) if positions else None


_winning = kept(32)(Winning)


def why_slow(
    ask: Callable[[dict[str, Any], Callable[[dict[str, Any]], WinningTable]], WinningTable | None],
) -> Message | None:
    """Return the message about a table that goes back further than it should; None if it does not."""
    board = find_board("forced-hops", course_boards()).board
    table = ask(_fills(format_board(board), 1), parse_winning_table)
    expected = len(_winning(board, 1).needed)
    if table is None or table.size <= expected:
        return None
    return say("fill-goes-on", size=table.size, expected=expected)


# ---- what is asked -------------------------------------------------------------------------------


def _fills(board: str, jumps: int) -> dict[str, Any]:
    return {"kind": "winning", "board": board, "jumps": jumps}


def _asked_of(truth: Winning, table: WinningTable) -> list[int]:
    """Return the positions to look up; none if the table cannot be sent as a whole.

    Pegs on blocked cells are looked for only in a table that is too large, so they do not decide a verdict.
    """
    more = truth.off_holes if table.size > len(truth.needed) else []
    return [*truth.asked, *more] if len(truth.needed) <= MAX_KEYS else []
