"""Judge `can_end_at`: on which holes the colours of a board allow the last peg."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from operator import add
from typing import Any

from framework.board import SIZE, Board, format_board, parse_board
from grader.catalog.boards import NamedBoard
from grader.catalog.tasks import Asked
from grader.judging.holes import Holes, kept, pegs_of
from grader.judging.kinds.kind import Part, accepted, chance, ruled
from grader.messages.catalogue import Message, picture, say
from grader.messages.phrases import count
from grader.result import Result, Verdict
from grader.sandbox.answers import Ends

Counts = Sequence[int]  # of the pegs of each colour, by (row + col) % 3 and then by (row - col) % 3
Rule = Callable[[Counts, Counts], bool]
_COLOURINGS = {"(row + col) % 3": slice(2), "(row - col) % 3": slice(2, 4)}  # and what `_class` says of each
ASKED = 40  # positions, drawn by chance
FEW = 4  # pegs of some of them, which tell more rules apart


class EndsPart(Part):
    """A check called `BOARD:ends` asks `can_end_at` about every hole of random positions.

    Most of them no search settles, and the colours allow many ends that no play comes to: neither a search
    nor a list of answers will do.
    """

    function = "can_end_at"
    variant = re.compile(r"ends")
    answer = Ends

    def request(self, asked: Asked) -> dict[str, Any]:
        return {"kind": "ends", "boards": list(_positions(asked.the_board.board))}

    def compiling(self, board: NamedBoard) -> list[dict[str, Any]]:
        return [{"kind": "ends", "boards": [format_board(board.board)]}]

    def judge(self, asked: Asked, answer: Ends, more: Sequence[Any] | None, result: Result) -> Result:
        """Compare with the classes; told is a hole that differs, on a board of few pegs."""
        expected = _positions(asked.the_board.board)
        right = sum(said == truth for said, truth in zip(answer.allowed, expected.values(), strict=False))
        result = replace(result, answer=f"{right} of {count(len(expected), 'board')} right")
        differ = [
            (text, cell, cell in truth)
            for (text, truth), said in zip(expected.items(), answer.allowed, strict=False)
            for cell in sorted(set(said) ^ set(truth))
        ]
        if differ and answer.changed:
            return ruled(result, Verdict.WRONG_ANSWER, say("ends-changes-board"))
        if differ:
            text, cell, allowed = min(differ, key=lambda each: (each[2], each[0].count("*")))
            seems: dict[str, Any] = {
                name: any(_is_so(rule, expected, answer) for rule in rules)
                for name, rules in _WRONG_RULES.items()
            }
            holes = Holes(parse_board(text))
            seems["every_hole"] = {*map(len, answer.allowed)} <= {0, len(holes.bits)}
            is_one = len(set(map(tuple, answer.allowed))) == 1
            seems["same"] = is_one and not seems["every_hole"]
            against = "" if allowed or any(seems.values()) else _against(holes.start, 1 << cell)
            shown, where = picture(parse_board(text)), divmod(cell, SIZE)
            told = say("wrong-end", shown, cell=where, allowed=allowed, against=against, **seems)
            return ruled(result, Verdict.WRONG_ANSWER, told)
        if right < len(expected):
            told = say("other-question", function=self.function)
            return ruled(result, Verdict.BAD_RETURN, told)
        return accepted(result)

    def truth(self, asked: Asked) -> str:
        return count(ASKED, "board")

    def slow(self, asked: Asked) -> Message:
        return say("ends-slow")


def allowed_ends(board: Board) -> list[int]:
    """Return the holes on which a board's colours allow the last peg, each as 8 * row + col.

    The cells are coloured by (row + col) % 3 and by (row - col) % 3. A jump changes the number of pegs of
    each of the three colours by one, so whether two of them are both odd or both even never changes (N. G. de
    Bruijn, 1972): the same must hold for the last peg alone.
    """
    holes = Holes(board)
    ours = _class(holes.start)
    return [place for hole in holes.bits for place in pegs_of(hole) if _class(hole) == ours]


def _counts(position: int) -> Counts:
    """Return the pegs of each colour, by (row + col) % 3 and then by (row - col) % 3."""
    counts = [0] * 6
    for place in pegs_of(position):
        row, col = divmod(place, SIZE)
        counts[(row + col) % 3] += 1
        counts[3 + (row - col) % 3] += 1
    return counts


def _class(position: int) -> tuple[bool, ...]:
    return _parities(_counts(position))


def _parities(counts: Counts) -> tuple[bool, ...]:
    """Return of each two colours of each colouring whether both are odd or both even."""
    return tuple((counts[one] + counts[two]) % 2 == 0 for one, two in ((0, 1), (1, 2), (3, 4), (4, 5)))


def _as_many(counts: Counts) -> list[bool]:
    """Return of each two colours of one colouring whether they have equally many pegs."""
    return [counts[one] == counts[two] for one, two in ((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3))]


def _all_alike(counts: Counts) -> bool:
    """Return whether the three colours of each colouring have equally many pegs."""
    return len({*counts[:3]}) == len({*counts[3:]}) == 1


def _two_numbers(ours: Counts, hole: Counts) -> bool:
    """Return whether there are more or fewer pegs of the last peg's colours than of the other two."""
    own = hole.index(1), hole.index(1, 3)
    return all(ours[at] != ours[at // 3 * 3 + (at + step) % 3] for at in own for step in (1, 2))


def _two_colours(one: int, two: int, alike: bool) -> Rule:
    """Return the rule that compares two colours, each counted on from that of the last peg, and no third."""

    def allows(ours: Counts, hole: Counts) -> bool:
        own = hole.index(1), hole.index(1, 3)
        pegs = [[ours[at // 3 * 3 + (at + step) % 3] for step in (one, two)] for at in own]
        return all((sum(each) % 2 == 0) == alike for each in pegs)

    return allows


def _without_pair(left_out: int) -> Rule:
    """Return the rule without one of the pairs of `_parities`."""
    rest = [each for each in range(4) if each != left_out]
    return lambda ours, hole: all(_parities(ours)[each] == _parities(hole)[each] for each in rest)


# By the pegs of each colour on a board and on one with a single peg, whether it may end so: rules that
# programs follow in place of the true one.
_WRONG_RULES: dict[str, Sequence[Rule]] = {
    "sum_alone": [lambda ours, hole: _parities(ours)[:2] == _parities(hole)[:2]],
    "difference_alone": [lambda ours, hole: _parities(ours)[2:] == _parities(hole)[2:]],
    "same_counts": [lambda ours, hole: _as_many(ours) == _as_many(hole), _two_numbers],
    "equal_counts": [
        lambda ours, hole: _all_alike([a - b for a, b in zip(ours, hole, strict=True)]),
        lambda ours, hole: _all_alike([a + b for a, b in zip(ours, hole, strict=True)]),
    ],
    "each_colour": [lambda ours, hole: [each % 2 for each in ours] == [each % 2 for each in hole]],
    "turned_round": [lambda ours, hole: _parities(ours) == _parities([*hole[:4], hole[5], hole[4]])],
    "end_by_sum": [lambda ours, hole: _parities(ours) == _parities([*hole[:3], *hole[:3]])],
    "end_by_difference": [lambda ours, hole: _parities(ours) == _parities([*hole[3:], *hole[3:]])],
    "not_reset": [
        lambda ours, hole: _parities([*ours[:3], *map(add, ours[:3], ours[3:])]) == _parities(hole),
        lambda ours, hole: _parities([*map(add, ours[:3], ours[3:]), *ours[3:]]) == _parities(hole),
    ],
    "end_left_out": [_two_colours(1, 2, alike=True)],
    "third_left_out": [
        _two_colours(0, 1, alike=False),
        _two_colours(0, 2, alike=False),
        *map(_without_pair, range(4)),
    ],
}


def _against(position: int, hole: int) -> str:
    """Return the colouring that does not allow an end, if the other one does."""
    ours, end = _class(position), _class(hole)
    excluding = [rule for rule, part in _COLOURINGS.items() if ours[part] != end[part]]
    return excluding[0] if len(excluding) == 1 else ""


def _is_so(rule: Rule, boards: Iterable[str], answer: Ends) -> bool:
    """Return whether a program follows a rule on all boards."""
    for text, said in zip(boards, answer.allowed, strict=False):
        holes = Holes(parse_board(text))
        ours = _counts(holes.start)
        if {place for hole in holes.bits if rule(ours, _counts(hole)) for place in pegs_of(hole)} != {*said}:
            return False
    return True


@kept(32)
def _positions(board: Board) -> dict[str, list[int]]:
    """Return random positions on a board's holes, each with the holes on which it can end."""
    return {text: allowed_ends(parse_board(text)) for text in _drawn(board)}


def _drawn(board: Board) -> Iterator[str]:
    """Yield positions; each second one is of the class of some single peg, since few are by chance."""
    holes, draw = Holes(board), chance(f"ends {format_board(board)}")
    found = 0
    while found < ASKED:
        most = FEW if found % 8 == 0 else len(holes.bits) - 1
        position = sum(draw.sample(holes.bits, draw.randint(1, min(most, len(holes.bits)))))
        if found % 2 == 0 or any(_class(position) == _class(hole) for hole in holes.bits):
            found += 1
            yield holes.text(position)
