"""One search of the hashing lab: the child's answer, and its judgement by moves played on the judge's board.

Size, capacity and probes are reported by the student's table: they are shown, but earn nothing. The points
are lost if the table's arrays do not hold as many keys as its size says, if one of these is no position of
the board, or if a position is missing that must be remembered.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from framework.cells49 import CELLS, MOVES, WIDTH, Triple, jump_of, number_of
from framework.verify import verify
from grader.catalog.boards import Facts, NamedBoard
from grader.catalog.tasks import Asked
from grader.judging.kinds import lab_rounds, lab_tables, table_truth
from grader.judging.kinds.kind import accepted, ruled
from grader.judging.kinds.lab_rounds import Kept, parse_kept
from grader.messages import illegal_jumps, phrases
from grader.messages.catalogue import Message, picture, say
from grader.result import Result, Verdict
from grader.sandbox import answers
from grader.sandbox.answers import FrameError
from grader.sandbox.child.lab_questions import CAPACITY, MOST, MOST_KEPT
from grader.sandbox.child.questions import MAX_JUMPS

LEGAL = {tuple(int(cell) for cell in move) for move in MOVES}


@dataclass(frozen=True)
class Searched:
    """The claimed outcome of one search, not yet verified."""

    moves: list[Triple] | None  # the triples of the solution; None for an unsolvable board
    # size, capacity: the table's size and capacity, as the table reports them
    size: int
    capacity: int
    probes: int  # how many keys were read to look up `asked` keys that are in the table
    asked: int
    kept: Kept | None  # what the table's arrays hold; None if that is too much


def parse_searched(said: object) -> Searched:
    """Return the outcome of a search from a part of the child's answer, or raise FrameError."""
    if not isinstance(said, dict):
        raise FrameError("a search that is not an object")
    size = answers.table_size(said.get("size"))
    capacity, probes, asked = (answers.integer(said.get(name)) for name in ("capacity", "probes", "asked"))
    if min(probes, asked) < 0:
        raise FrameError("a number of keys below 0")
    kept = parse_kept(said.get("kept"))
    if said.get("moves") is None:
        return Searched(None, size, capacity, probes, asked, kept)
    listed = answers.listed(said, "moves")
    if len(listed) > MAX_JUMPS or any(not isinstance(move, list) or len(move) != 3 for move in listed):
        raise FrameError("moves that are not three numbers each")
    moves = [(answers.integer(a), answers.integer(b), answers.integer(c)) for a, b, c in listed]
    return Searched(moves, size, capacity, probes, asked, kept)


def judge(asked: Asked, board: NamedBoard, found: Searched, result: Result) -> Result:
    """Play the moves, or compare the answer that there are none with what is known of the board."""
    if asked.check.variant != "none":
        load = f"{found.size / found.capacity:.2f}" if found.capacity > 0 else "-"
        probes = f"{found.probes / found.asked:.2f}" if found.asked > 0 else "-"
        figures = (("load/probes", f"{load} / {probes}"),)
        result = replace(result, unsolvable=found.size, figures=figures)
    if found.moves is None:
        result = _judge_none(board, asked, found, replace(result, answer="no solution"))
    else:
        result = _judge_moves(board, found.moves, result)
    told = _in_table(board, asked, found)
    if result.verdict == Verdict.ACCEPTED and told is not None:
        return ruled(replace(result, points=0), Verdict.WRONG_ANSWER, told)
    return result


def _in_table(board: NamedBoard, asked: Asked, found: Searched) -> Message | None:
    """Return what is wrong with the table that a search leaves, if anything."""
    if asked.check.variant == "none":
        return None
    if found.moves is None and table_truth.is_too_small(found.size, board.facts):
        return say("lab-table-too-small", positions=board.facts.positions, size=found.size)
    facts, kind = board.facts, lab_rounds.KINDS[asked.check.variant]
    if not lab_tables.may_have(found.capacity, CAPACITY, MOST, found.size):
        return lab_tables.grown_apart(kind, found.capacity, found.size)
    if found.kept is None and found.size > MOST_KEPT and not is_listed(facts):
        return None  # on such a board a search that is unlucky gives up on so many
    made = f"{asked.check.variant}_new({CAPACITY}, {MOST})"
    told = lab_tables.kept_as_many(found.kept, found.size, made)
    if told is not None or found.kept is None or not is_listed(facts):
        return told
    known, keys = positions(number_of(board.board)), found.kept.keys.values()
    stray = known.stray(keys)
    if stray is not None:
        return say("lab-stray-key", key=str(stray))
    if found.moves is None and facts.solvable is False and (missing := known.missing({*keys})) is not None:
        return say("lab-missing-key", key=str(missing))
    return None


def _judge_none(board: NamedBoard, asked: Asked, found: Searched, result: Result) -> Result:
    """Judge the answer that the board cannot be solved."""
    if board.facts.solvable:
        alone = asked.check.variant == "none"
        told = say("lab-found-none", alone=alone)
        return ruled(result, Verdict.WRONG_ANSWER, told)
    if board.facts.solvable is None:
        return ruled(result, Verdict.ACCEPTED, say("lab-not-judged"))
    told = Message()
    if asked.check.variant != "none":
        told = phrases.claim(answers.Answer(2, [], found.size, None, board.board), board.facts)
    return accepted(result, told)


def _judge_moves(board: NamedBoard, moves: list[Triple], result: Result) -> Result:
    """Play the moves of a solution on the judge's own board."""
    for number, move in enumerate(moves, start=1):
        if move not in LEGAL:
            told = say("lab-no-move", number=number, move=_written(move))
            return ruled(replace(result, answer="illegal move"), Verdict.ILLEGAL_MOVE, told)
    jumps = [jump_of(move) for move in moves]
    seen = verify(board.board, jumps)
    result = replace(result, jumps=jumps, answer="solved")
    if seen.fault is not None:
        told = say("lab-illegal-move", number=seen.legal + 1, move=_written(moves[seen.legal]))
        told = told.under(illegal_jumps.where_illegal(jumps, seen))
        return ruled(replace(result, answer="illegal move"), Verdict.ILLEGAL_MOVE, told)
    if seen.pegs != 1:  # on any hole, whatever wins elsewhere
        told = say("lab-not-solved", picture(seen.board), moves=len(moves), pegs=seen.pegs)
        return ruled(result, Verdict.WRONG_ANSWER, told)
    return accepted(replace(result, pegs_left=1))


def _written(move: Triple) -> str:
    return " ".join(map(str, move))


# ---- the positions of a board, as numbers, to find what is wrong with a table ------------------------------


@dataclass(frozen=True)
class Listed:
    """The positions of a board."""

    reached: Set[int]  # all positions that can be reached, and the board itself
    # those on which a move is possible and that several moves lead to: a search must remember them
    again: Set[int]

    def stray(self, keys: Iterable[int]) -> int | None:
        """Return a key that is no position, nor an image of one; None if all are."""
        others = (key for key in keys if key not in self.reached)
        return next((key for key in others if self.reached.isdisjoint(images(key))), None)

    def missing(self, keys: Set[int]) -> int | None:
        """Return a position to remember that is not among the keys, nor an image of it; None if all are."""
        others = self.again - keys
        return next((each for each in others if keys.isdisjoint(images(each))), None)


def is_listed(facts: Facts) -> bool:
    """Return whether a board has few enough positions to list them, which takes a second at most."""
    return facts.positions is not None and facts.positions <= MOST_KEPT


@lru_cache(maxsize=4)
def positions(board: int) -> Listed:
    """Return the positions that can be reached from a board."""
    moves = [(1 << int(a) | 1 << int(b) | 1 << int(c), 1 << int(a) | 1 << int(b)) for a, b, c in MOVES]
    reached, again = {board}, set[int]()
    level = Counter([board])
    while level:
        ways: Counter[int] = Counter()
        for position, number in level.items():
            after = [position ^ cells for cells, pegs in moves if position & cells == pegs]
            ways.update(after)
            if after and number > 1:
                again.add(position)
        reached |= ways.keys()
        level = ways
    return Listed(reached, again)


def images(key: int) -> Iterator[int]:
    """Yield the seven turned and mirrored images of a board; none of a number that is no board."""
    if key >> CELLS == 0:
        lines = [key >> WIDTH * row & (1 << WIDTH) - 1 for row in range(WIDTH)]
        for turned in _turned_lines():
            yield sum(turned[row][line] for row, line in enumerate(lines))


@cache
def _turned_lines() -> list[list[list[int]]]:
    """Return, for each turn, for each row and all that may be in it, where that comes to be."""
    return [
        [
            [
                sum(1 << _turned(row, col, turn) for col in range(WIDTH) if line >> col & 1)
                for line in range(1 << WIDTH)
            ]
            for row in range(WIDTH)
        ]
        for turn in range(1, 8)
    ]


def _turned(row: int, col: int, turn: int) -> int:
    """Return the cell to which one of the eight turns and mirrorings moves a cell."""
    row, col = (col, row) if turn & 4 else (row, col)
    return WIDTH * (WIDTH - 1 - row if turn & 1 else row) + (WIDTH - 1 - col if turn & 2 else col)
