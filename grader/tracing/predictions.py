"""What `grade predict` asks: the answers to choose from, and the right one, from the student's program."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from framework.board import Board
from framework.jumps import Jump, format_jump, legal_jumps
from framework.rules import EVERY_CELL_WINS
from grader.catalog.boards import NamedBoard
from grader.catalog.tasks import Question
from grader.judging.kinds import table_truth
from grader.judging.kinds.table_truth import Positions
from grader.messages.phrases import count
from grader.result import Verdict
from grader.tracing.program import Program, Run

ONE_JUMP = 1


class Found(NamedTuple):
    """What a program did."""

    answer: str  # the right answer, one of the choices if there are any; empty if the program gives none
    told: list[str]  # what happened, one sentence a line


@dataclass(frozen=True)
class Comparison:
    """An answer beside what the program does, in words; what shows them wraps them and draws the boards."""

    head: str  # whether the answer was right, or why nothing can be compared
    program: str = ""  # what the program answers; empty if it gives no answer
    told: Sequence[str] = ()  # what happened, one sentence a line
    boards: Sequence[tuple[str, str]] = ()  # whose each board is, and its 64 cells
    help: str = ""
    last: str = ""  # what to do next
    failed: Verdict | None = None  # how the program failed; None also if it is not written yet


def choices(question: Question, board: NamedBoard) -> list[str]:
    """Return the choices: jumps, or boards as texts of 64 cells; none if the answer is a number."""
    if question.kind == "can-win":
        return []
    if question.kind == "first-tried":
        return [format_jump(jump) for jump in legal_jumps(board.board)]
    known = table_truth.positions(board.board)
    if question.kind == "first-recorded":
        return [known.text(position) for position in known.after]
    jumps = {jump for position in known.after for jump in known.jumps_to(position, known.after)}
    return [format_jump(jump) for jump in sorted(jumps)]


def is_board(choice: str) -> bool:
    """Return whether a choice is a board, not a jump or a number."""
    return len(choice) > len("0:0 -> 0:0")


def you_predicted(answer: str, choices: Sequence[str]) -> str:
    """Return what was predicted, in words."""
    return f"you predicted: {_named(answer, choices)}"


def _named(answer: str, choices: Sequence[str]) -> str:
    """Return an answer in words; a board by its number."""
    if is_board(answer):
        return f"board {choices.index(answer) + 1}" if answer in choices else "a board that is no choice"
    return answer


def compare(
    question: Question, board: NamedBoard, answer: str, program: Program, again: str, options: str = ""
) -> Comparison:
    """Return how an answer compares with what the program does.

    Args:
        board: the question's board.
        again: what the student does to compare the answer once more.
        options: what a command needs besides the task.
    """
    next = f"next: grade {program.task.name}{options}"
    seen = found(question, board, program)
    if seen is None:
        return _not_found(question, board, program, again, next)
    if not seen.answer:
        return Comparison("nothing to compare:", told=seen.told, last=next)
    does = f"your program: {_named(seen.answer, choices(question, board))}"
    if answer == seen.answer:
        return Comparison("right", does, seen.told)
    return Comparison(
        "not this time; your program does this:",
        does,
        seen.told,
        [("you predicted", answer), ("your program", seen.answer)] if is_board(seen.answer) else [],
        last="before you go on: where did your prediction and your program diverge?",
    )


def _not_found(question: Question, board: NamedBoard, program: Program, again: str, next: str) -> Comparison:
    """Return why a program gave no answer that can be followed, and what to do."""
    fills = question.kind == "can-win"
    failed = program.why_not_filled(board, ONE_JUMP) if fills else program.why_no_trace(board)
    if failed is None:
        why = f"your program's search cannot be followed on {board.name}, so there is nothing to compare"
        return Comparison(why, last=next)
    if failed.verdict == Verdict.NOT_WRITTEN:
        return Comparison(f"kept; write {program.task.name}, then: {again}")
    return Comparison(f"{board.name}: {failed.message}", help=failed.help, failed=failed.verdict)


def found(question: Question, board: NamedBoard, program: Program) -> Found | None:
    """Return what a program does on the question's board; None if it gave no answer that can be followed."""
    if question.kind == "can-win":
        return _can_win(program, board.board)
    run = program.run(board.board)
    return None if run is None else _FOUND[question.kind](program, run)


def _first_taken_back(program: Program, run: Run) -> Found:
    line = run.line(run.first_end)
    if not line:
        return Found("", ["it makes no jump on this board"])
    return Found(
        format_jump(line[-1]), [f"{_made(line)}; {_why_not_on(run, run.first_end)}, so it goes back"]
    )


def _first_tried(program: Program, run: Run) -> Found:
    if len(run.visits) == 1:
        return Found("", ["it makes no jump on this board"])
    first = run.visits[1]
    assert first.jump is not None
    wins = first.position in run.known.winning
    after = "a game that goes on from there can be won" if wins else "no game that goes on from there is won"
    return Found(format_jump(first.jump), [f"it goes on from {format_jump(first.jump)} first", after])


def _first_recorded(program: Program, run: Run) -> Found:
    known = run.known
    keys = program.keys([known.text(position) for position in known.after])
    if keys is None or not run.put:
        return Found("", ["it puts no board into the table that it is given"])
    position = dict(zip(keys, known.after, strict=True)).get(run.put[0])
    if position is None:
        return Found(
            "", ["the first key in its table is not what board_key returns for a board of this game"]
        )
    there = next((at for at, visit in enumerate(run.visits) if visit.position == position), None)
    told = []
    if there is not None:
        last = there == run.first_end
        more = f"; {_why_not_on(run, there)}, so this board goes into the table" if last else ""
        told = [f"{_made(run.line(there))}{more}" if run.line(there) else "it makes no jump before"]
    return Found(known.text(position), told)


_FOUND: dict[str, Callable[[Program, Run], Found]] = {
    "first-taken-back": _first_taken_back,
    "first-tried": _first_tried,
    "first-recorded": _first_recorded,
}


def _can_win(program: Program, board: Board) -> Found | None:
    size = program.winning(board, ONE_JUMP)
    if size is None:
        return None
    known = Positions(board)
    ends, before = len(known.won), len(known.before(known.won))
    first = f"{count(ends, 'board')} of one peg, one for each {'hole' if EVERY_CELL_WINS else 'goal'}"
    told = [f"{first}, and {count(before, 'board')} of two pegs can win"]
    if size != ends + before:
        told.append(
            f"your table holds {size:,} all the same; to see what is wrong: grade {program.task.name}"
        )
    return Found(str(size), told)


def _made(line: Sequence[Jump]) -> str:
    return f"it makes {', then '.join(map(format_jump, line))}"


def _why_not_on(run: Run, visit: int) -> str:
    position = run.visits[visit].position
    if position.bit_count() == 1:
        return "one peg is left"
    return "it goes no further there" if run.known.after[position] else "no jump is left there"
