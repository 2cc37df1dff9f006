"""One search of the hashing lab: the child's answer, and its judgement by moves played on the judge's board.

Size, capacity and probes are reported by the student's table: they are shown, but earn nothing. The points
are lost if the table's arrays do not hold as many keys as its size says, if one of these is no position of
the board, or if a position is missing that must be remembered.
"""

from dataclasses import dataclass, replace

from framework.board import Board
from framework.cells49 import MOVES, Triple, jump_of, number_of
from framework.verify import Verification, verify
from grader.catalog.boards import NamedBoard
from grader.catalog.tasks import Asked
from grader.judging.kinds import lab_positions, lab_rounds, lab_tables, table_truth
from grader.judging.kinds.kind import ruled
from grader.judging.kinds.lab_rounds import Kept, parse_kept
from grader.messages import illegal_jumps, phrases
from grader.messages.message import Message
from grader.messages.phrases import are, count
from grader.result import Result, Verdict
from grader.sandbox import answers, frame_parts
from grader.sandbox.child.lab_questions import CAPACITY, MOST, MOST_KEPT
from grader.sandbox.child.questions import MAX_JUMPS
from grader.sandbox.frame_parts import FrameError

GIVEN_UP = "insert a board when none of its moves wins, before search returns False"
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
    """Return the outcome of a search from a part of the child's answer.

    Raises:
        FrameError: it has another form.
    """
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
        return Message(
            "lab-table-too-small",
            f"this board has {count(board.facts.positions or 0, 'different position')} and no solution, but "
            f"{count(found.size, 'board')} {are(found.size)} in the table",
            GIVEN_UP,
        )
    facts, kind = board.facts, lab_rounds.KINDS[asked.check.variant]
    if not lab_tables.may_have(found.capacity, CAPACITY, MOST, found.size):
        return lab_tables.grown_apart(kind, found.capacity, found.size)
    if found.kept is None and found.size > MOST_KEPT and not lab_positions.is_listed(facts):
        return None  # on such a board a search that is unlucky gives up on so many
    told = lab_tables.kept_as_many(found.kept, found.size)
    if told is not None or found.kept is None or not lab_positions.is_listed(facts):
        return told
    known, keys = lab_positions.positions(number_of(board.board)), found.kept.keys.values()
    stray = known.stray(keys)
    if stray is not None:
        return Message(
            "lab-stray-key",
            f"the table has the key {stray}, which is no position of this board",
            "insert the boards that your search gives up on, as they are, and nothing else",
        )
    if found.moves is None and facts.solvable is False and (missing := known.missing({*keys})) is not None:
        return Message(
            "lab-missing-key",
            f"expected every board that was given up on in the table, found none for {missing}",
            GIVEN_UP,
        )
    return None


def _judge_none(board: NamedBoard, asked: Asked, found: Searched, result: Result) -> Result:
    """Judge the answer that the board cannot be solved."""
    if board.facts.solvable:
        told = Message(
            "lab-found-none",
            "found None, expected a solution: this board can be solved",
            "are all 76 moves tried on every board, and is a board recorded only after that? "
            "if a lookup returns True for a board that is not in the table, its solutions are lost too",
        )
        if asked.check.variant == "none":
            told = replace(
                told,
                id="lab-found-none-without-table",
                help="are all 76 moves tried on every board, each from the unchanged board?",
            )
        return ruled(result, Verdict.WRONG_ANSWER, told)
    if board.facts.solvable is None:
        told = Message(
            "lab-not-judged",
            "whether this board can be solved is not known here, so the answer is not judged",
            "a solution would be checked move by move",
        )
        return ruled(result, Verdict.ACCEPTED, told)
    told = Message()
    if asked.check.variant != "none":
        told = phrases.claim(answers.Answer(2, [], found.size, None, board.board), board.facts)
    return ruled(replace(result, points=asked.check.points), Verdict.ACCEPTED, told)


def _judge_moves(board: NamedBoard, moves: list[Triple], points: int, result: Result) -> Result:
    """Play the moves of a solution on the judge's own board."""
    for number, move in enumerate(moves, start=1):
        if move not in LEGAL:
            told = Message(
                "lab-no-move",
                f"move {number} of your solution, {_written(move)}, is not one of the 76 moves",
                "a move is the row of MOVES that was made: from, over, to",
            )
            return ruled(replace(result, answer="illegal move"), Verdict.ILLEGAL_MOVE, told)
    jumps = [jump_of(move) for move in moves]
    seen = verify(board.board, jumps)
    result = replace(result, jumps=jumps, answer="solved")
    if seen.fault is not None:
        told = _illegal(board.board, moves, seen)
        return ruled(replace(result, answer="illegal move"), Verdict.ILLEGAL_MOVE, told)
    if seen.pegs != 1:  # on any hole, whatever wins elsewhere
        left = "\n".join(phrases.drawn(seen.board))
        told = Message(
            "lab-not-solved",
            f"solve returned {count(len(moves), 'move')}, which leave {seen.pegs} pegs\n{left}",
            "push a move when the board after it is solved; do not return 1 for a board in the table",
        )
        return ruled(result, Verdict.WRONG_ANSWER, told)
    return ruled(replace(result, pegs_left=1, points=points), Verdict.ACCEPTED)


def _illegal(board: Board, moves: list[Triple], seen: Verification) -> Message:
    told = illegal_jumps.illegal_jump(board, [jump_of(move) for move in moves], seen, of_client=False)
    _, *lines = told.lines
    return Message(
        "lab-illegal-move",
        "\n".join(
            [f"move {seen.legal + 1} of your solution, {_written(moves[seen.legal])}, is illegal", *lines]
        ),
        "the first move popped is the first one played: push each move after the moves that follow it; "
        "and does can_move look at all three cells?",
    )


def _written(move: Triple) -> str:
    return f"({' '.join(str(cell) for cell in move)})"
