"""Find the causes of a task's failures: decide which questions to ask, and in which order."""

from collections.abc import Iterator

from grader.catalog.tasks import Asked, Task
from grader.judging.causes.ask import Ask
from grader.judging.causes.endless import endless
from grader.judging.causes.near_end import may_be_near_end, near_end
from grader.judging.causes.order import order
from grader.judging.causes.rules import rules
from grader.judging.causes.search import Explain, Judged, is_exact, is_followed, search, without_jump
from grader.judging.causes.table import recorded, use_of_table
from grader.messages import python_errors
from grader.messages.failure_context import message_at
from grader.messages.lost_answers import lost_answer
from grader.messages.phrases import LOOK_AT_HASH, Message
from grader.result import Result, Verdict
from grader.submissions.submission import Submission

EXPLAINED = (
    Verdict.WRONG_ANSWER,
    Verdict.ILLEGAL_MOVE,
    Verdict.BAD_RETURN,
    Verdict.CONTRACT,
    Verdict.TIMEOUT,
)
NAMED = (Verdict.CONTRACT, Verdict.ILLEGAL_MOVE)  # their messages name a line, or a jump


def causes(
    task: Task, submission: Submission, judged: Judged, explain: Explain, ask: Ask
) -> Iterator[tuple[int, Message]]:
    """Yield the causes found, each as the index of a failed check in `judged` and the message for that check.

    Args:
        task: the task.
        submission: what was run.
        judged: its checks that students can see, each with its result.
        explain: returns the message for a failure of the program when run as plain Python.
        ask: asks a child a question.
    """
    failed = [place for place, (_, result) in enumerate(judged) if may_be_explained(result)]
    if not failed:
        return
    planned = [judged[place][0] for place in failed]
    planned += [asked for place, (asked, _) in enumerate(judged) if place not in failed]
    told = rules(task, planned, ask) or use_of_table(task, ask)
    if told is not None:
        yield from ((place, told) for place in failed)
        return
    lost = lost_answer(submission.sources) if is_exact(task) else None
    if lost is not None:
        told = message_at(submission, lost.file, lost.line, lost.message, lost.help)
        yield from ((place, told) for place in failed if _answers_too_many(*judged[place]))
        return
    slow = [place for place in failed if judged[place][1].verdict == Verdict.TIMEOUT]
    told = None
    if slow:
        told = endless(task, ask) or recorded(task, planned, ask) or _long_chain(judged)
        told = told or order(task, planned, ask)
    if told is not None:
        yield from ((place, told) for place in slow)
        return
    tables = [result.full for asked, result in judged if asked.check.variant]
    for place in [each for each in failed if may_be_near_end(*judged[each])][:1]:
        told = near_end(judged[place][0], bool(tables) and all(tables), ask)
        if told is not None:
            yield place, told
            return
    small = [place for place, each in enumerate(judged) if is_followed(*each)]
    those = [place for place in small if place in failed and judged[place][1].verdict not in NAMED]
    others = [judged[place][0] for place in small if place not in failed]
    found = search([judged[place] for place in those], others, explain, ask)
    if found is not None:
        yield those[found[0]], found[1]
        return
    impossible = [place for place in failed if judged[place][1].verdict == Verdict.BAD_RETURN]
    told = without_jump(task, ask) if impossible else None
    if told is not None:
        yield from ((place, told) for place in impossible)


def _long_chain(judged: Judged) -> Message | None:
    """Return the message for a slow search whose table has a long chain on a board; None if none has."""
    for asked, result in judged:
        if result.help == LOOK_AT_HASH:
            return Message(
                f"too slow: {result.message}, as seen on the board {asked.check.name}", result.help
            )
    return None


def _answers_too_many(asked: Asked, result: Result) -> bool:
    """Return whether a search answers the pegs at the start; with `-d`, whether a contract shows it."""
    if result.verdict == Verdict.CONTRACT:
        return "stack_empty(stack)" in result.message
    return asked.board is not None and result.pegs_left == asked.board.pegs


def may_be_explained(result: Result) -> bool:
    """Return whether to look for a result's cause: yes for a failure, but not for a crash at a known line."""
    named = result.place and python_errors.MAY_BE_INSIDE not in result.help
    return result.verdict in EXPLAINED or (result.verdict == Verdict.CRASHED and not named)
