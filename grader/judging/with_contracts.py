"""Run a program that has full marks once more with its contracts checked, as with -d, on its smallest boards.

What a contract finds there costs no points, since the answers were right. But it may cost some in a later
task, or on other boards.
"""

import time
from dataclasses import replace
from functools import partial

from grader.catalog.boards import find_board
from grader.catalog.tasks import Asked, Check, Task
from grader.judging import kinds
from grader.judging.judge import Judge
from grader.result import Result, Verdict
from grader.sandbox.asking import Load, Place
from grader.sandbox.confine.limits import most_mib
from grader.submissions.submission import Submission

CPU_S, WALL_S = 1.0, 1.0  # for all boards of a run
FIRST_FAILS = "choice"
FAILURES = (Verdict.CONTRACT, Verdict.CRASHED, Verdict.BAD_RETURN, Verdict.WRONG_ANSWER, Verdict.ILLEGAL_MOVE)


def failure_with_contracts(
    task: Task, submission: Submission, place: Place, tier: int, share: float = 1.0
) -> Result | None:
    """Return the first failure of a program as plain Python; None if there is none while the time lasts.

    Args:
        task: the task.
        submission: the program.
        place: where it runs, as plain Python.
        tier: the sandbox tier of `place`.
        share: of the time, since a run may be about several tasks.
    """
    kind = kinds.of(task)
    if not kind.runs_programs:
        return None
    judge = Judge(task, submission, tier)
    memory_mib = min(task.memory_mib, most_mib(1))
    load = Load(submission.clean_folder(), task.module, memory_mib, kind.answer_bytes)
    left_s, end = share * CPU_S, time.monotonic() + share * WALL_S
    with place.runner(load, hidden=False) as runner:
        for asked in sorted(map(partial(_asked, task), _checks(task)), key=_positions):
            now_s = min(left_s, end - time.monotonic())
            if now_s <= 0:
                break
            outcome = runner.run(kind.request(asked), now_s)
            left_s -= outcome.cpu_s
            result = judge.judge(asked, outcome)
            if result.verdict in FAILURES:
                return result
    return None


def _checks(task: Task) -> list[Check]:
    """Return the task's checks, and for a search with a table one on a won board whose first jump fails.

    There it shows whether boards are recorded too early.
    """
    boards = {check.board for check in task.checks}
    like = [check for check in task.checks if not check.variant and kinds.of(task).has_board(check)]
    more = [replace(like[0], board=FIRST_FAILS)] if task.table and like and FIRST_FAILS not in boards else []
    return [*task.checks, *more]


def _asked(task: Task, check: Check) -> Asked:
    board = find_board(check.board) if kinds.of(task).has_board(check) else None
    return Asked(check, board, task, debug=True)


def _positions(asked: Asked) -> float:
    """Return how many positions a check's board has: with many or unknown ones, it is among the last."""
    positions = asked.board.facts.positions if asked.board else 0
    return float("inf") if positions is None else positions
