"""Choose the message for a wrong answer: what was expected, where on the board, and what to check."""

from collections.abc import Sequence
from typing import Any

from framework.arrays import np
from framework.board import BLOCKED, PEG, Board, count_pegs
from framework.jumps import Jump, legal_jumps, play_jump
from framework.verify import Verification, verify
from grader.catalog.boards import NamedBoard, course_boards
from grader.catalog.tasks import Task, has_earlier_search, registry
from grader.messages.catalogue import Message, picture, say, with_jump
from grader.messages.phrases import has_few_keys
from grader.sandbox.answers import Answer
from grader.sandbox.child.questions import MAX_JUMPS


def not_solved(
    answer: Answer, seen: Verification, board: NamedBoard, task: Task, moves: bool = False
) -> Message:
    """Return the message for a solution that does not win; with `moves`, the answer is a number of moves."""
    jumps, both_ends = answer.jumps, has_earlier_search(task)
    about: dict[str, Any] = {"answer": answer.number, "moves": moves, "pegs": seen.pegs}
    about |= {"both_ends": both_ends, "none": board.facts.solvable is False}
    about["table"] = task.table and not both_ends
    if not jumps and seen.pegs > 1:
        return say("no-move-pushed", **about)
    if seen.pegs == 1:
        return say("ends-off-goal", picture(seen.board), cell=_cells(seen.board == PEG)[0], **about)
    about["dead"] = not (moves or both_ends or legal_jumps(seen.board))
    return say("not-solved", picture(seen.board), jumps=len(jumps), last=jumps[-1], **about)


def solvable(number: int, board: NamedBoard, task: Task, debug: bool, *, exact: bool) -> Message:
    """Return the message for giving up a board that can be solved; if `exact`, the number tells where."""
    if exact and board.facts.forced:
        return _gave_up_early(1, number, board, task)
    if exact and number == board.pegs:
        return say("pegs-never-drop", answer=number, expected=1, **again(board, task, debug))
    id = "can-be-solved" if exact else "gives-up-solvable"
    id = "both-ends-give-up" if has_earlier_search(task) else id
    return say(id, answer=number, **again(board, task, debug))


def wrong_number(answer: Answer, board: NamedBoard, task: Task, debug: bool) -> Message:
    """Return the message for a wrong number of pegs left on a board that cannot be solved."""
    number, fewest = answer.number, board.facts.fewest
    assert fewest is not None
    about: dict[str, Any] = {"answer": number, "expected": fewest, **again(board, task, debug)}
    if number < fewest and not legal_jumps(board.board):
        return say("too-few-pegs-no-jump", one_fewer=number == fewest - 1, **about)
    if number < fewest:
        return say("too-few-pegs", table=task.table, **about)
    if board.facts.forced:
        return _gave_up_early(fewest, number, board, task)
    if number == board.pegs:
        return say("pegs-never-drop", **about)
    if has_few_keys(answer, board.facts):
        return say("keys-too-few", keys=answer.states, positions=board.facts.positions, **about)
    return say("fewer-pegs-possible", **about)


def again(board: NamedBoard, task: Task, debug: bool) -> dict[str, Any]:
    """Return the facts of the command that checks each step on a board; or of none: it ran, or is large."""
    takes = not debug and registry().debug.takes(board) and board.name in course_boards().names
    return {"task": task.name, "board": board.name if takes else ""}


def _gave_up_early(expected: int, number: int, board: NamedBoard, task: Task) -> Message:
    """Return the message for a program that stopped early though play is forced, with the jump it missed."""
    played = board.board.copy()
    jumps = legal_jumps(played)
    while jumps and count_pegs(played) > number:
        play_jump(played, jumps[0])
        jumps = legal_jumps(played)
    missed = jumps[0] if jumps else None  # else a jump was not counted
    shown = [with_jump(played, missed)] if missed else []
    at_once = task.table and number == board.pegs
    return say("gave-up-early", *shown, answer=number, expected=expected, jump=missed, at_once=at_once)


def stack_not_empty(number: int, jumps: Sequence[Jump], held: int, board: NamedBoard) -> Message:
    """Return the message for moves on the stack, `jumps` on top, though the answer is not 1."""
    if len(jumps) == held and verify(board.board, jumps).solved:
        return say("solution-on-stack", answer=number)
    return say("stack-not-empty", answer=number, held=held, full=held >= MAX_JUMPS, top=jumps[:1])


def board_changed(answer: int | str, before: NamedBoard, after: Board, **again: str) -> Message:
    """Return the message for a board that came back changed, with the facts of a command from `again`."""
    changed = _cells(before.board != after)
    about: dict[str, Any] = {"task": "", "board": "", "answer": answer, "changed": changed, **again}
    no_hole = _cells((before.board == BLOCKED) & (after != BLOCKED))
    if no_hole:
        return say("blocked-changed", picture(after), cell=no_hole[0], **about)
    return say("board-changed", picture(after), **about)


def _cells(those: Board) -> list[Sequence[int]]:
    return [*np.argwhere(those).tolist()]
