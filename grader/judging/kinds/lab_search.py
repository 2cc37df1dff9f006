"""One search of the hashing lab: the child's answer, and its judgement by moves played on the judge's board.

Size, capacity and probes are reported by the student's table: they are shown, but earn nothing. The points
are lost if the table's arrays do not hold as many keys as its size says, if one of these is no position of
the board, or if a position is missing that must be remembered.
"""

from dataclasses import dataclass, replace

from framework.cells49 import MOVES, Triple, jump_of, number_of
from framework.verify import verify
from grader.catalog.boards import NamedBoard
from grader.catalog.tasks import Asked
from grader.judging.kinds import lab_positions, lab_rounds, lab_tables, table_truth
from grader.judging.kinds.kind import ruled
from grader.judging.kinds.lab_rounds import Kept, parse_kept
from grader.messages import illegal_jumps, phrases
from grader.messages.catalogue import say
from grader.messages.message import Message, picture
from grader.result import Result, Verdict
from grader.sandbox import answers, frame_parts
from grader.sandbox.child.lab_questions import CAPACITY, MOST, MOST_KEPT
from grader.sandbox.child.questions import MAX_JUMPS
from grader.sandbox.frame_parts import FrameError

LEGAL = {tuple(int(cell) for cell in move) for move in MOVES}


@dataclass(frozen=True)
class Searched:
    """The claimed outcome of one search, not yet verified.

    Attributes:
        moves: the triples of the solution; None for an unsolvable board.
        size, capacity: the table's size and capacity, as the table reports them.
        probes: how many keys were read to look up `asked` keys that are in the table.
        kept: what the table's arrays hold; None if that is too much.
    """

    moves: list[Triple] | None
    size: int
    capacity: int
    probes: int
    asked: int
    kept: Kept | None


def parse_searched(said: object) -> Searched:
    """Return the outcome of a search from a part of the child's answer, or raise FrameError."""
    if not isinstance(said, dict):
        raise FrameError("a search that is not an object")
    size = frame_parts.table_size(said.get("size"))
    capacity, probes, asked = (
        frame_parts.integer(said.get(name)) for name in ("capacity", "probes", "asked")
    )
    if min(probes, asked) < 0:
        raise FrameError("a number of keys below 0")
    kept = parse_kept(said.get("kept"))
    if said.get("moves") is None:
        return Searched(None, size, capacity, probes, asked, kept)
    listed = frame_parts.listed(said, "moves")
    if len(listed) > MAX_JUMPS or any(not isinstance(move, list) or len(move) != 3 for move in listed):
        raise FrameError("moves that are not three numbers each")
    moves = [(frame_parts.integer(a), frame_parts.integer(b), frame_parts.integer(c)) for a, b, c in listed]
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
        result = _judge_moves(board, found.moves, asked.check.points, result)
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
    if found.kept is None and found.size > MOST_KEPT and not lab_positions.is_listed(facts):
        return None  # on such a board a search that is unlucky gives up on so many
    made = f"{asked.check.variant}_new({CAPACITY}, {MOST})"
    told = lab_tables.kept_as_many(found.kept, found.size, made)
    if told is not None or found.kept is None or not lab_positions.is_listed(facts):
        return told
    known, keys = lab_positions.positions(number_of(board.board)), found.kept.keys.values()
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
    return ruled(replace(result, points=asked.check.points), Verdict.ACCEPTED, told)


def _judge_moves(board: NamedBoard, moves: list[Triple], points: int, result: Result) -> Result:
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
    return ruled(replace(result, pegs_left=1, points=points), Verdict.ACCEPTED)


def _written(move: Triple) -> str:
    return " ".join(map(str, move))
