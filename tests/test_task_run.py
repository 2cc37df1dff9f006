"""What is left out once checks have run out of time; the outcomes are made here, so no program runs."""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from framework.lab_table import NONE
from grader import paths
from grader.catalog.tasks import registry
from grader.judging import task_run
from grader.judging.board_sets import OwnBoardsAnd
from grader.judging.grading import Choice, Grading
from grader.judging.private_boards import PrivateBoards
from grader.reports.report import Report, for_students
from grader.result import Result, Verdict, first_failure
from grader.sandbox.asking import End, Load, Outcome

TASKS = ("peg1", "peg2", "peg3", "peg4", "peg5", "lab10", "fewest")


Slow = Callable[[dict[str, Any], float], bool]  # of a question and its limit


class Made:
    """A place where a program runs out of time in the checks that are `slow`, and exits in the others."""

    has_compiled_code = True

    tier = 0

    def __init__(self, slow: Slow) -> None:
        self.stop = threading.Event()
        self.limits: list[float] = []  # the limits of the checks that were run, in order
        self._slow = slow

    def warm(self) -> None:
        """Start nothing."""

    @contextmanager
    def runner(self, load: Load, hidden: bool) -> Iterator["Made"]:
        """Return this place, which asks nobody."""
        yield self

    def run(self, request: dict[str, Any], cpu_s: float, more: dict[str, Any] | None = None) -> Outcome:
        """Return an outcome without a process."""
        self.limits.append(cpu_s)
        if self._slow(request, cpu_s):
            return Outcome(End.CPU_LIMIT, cpu_s=1.1 * cpu_s, wall_s=1.1 * cpu_s)
        return Outcome(End.DIED, returncode=1)

    def compile(self, request: dict[str, Any]) -> Outcome:
        """Compile nothing."""
        return Outcome(End.ANSWERED)


def graded(
    task: str, slow: Slow = lambda *_: True, cores: int = 1, factor: float = 1.0, **choice: Any
) -> tuple[list[Result], list[float]]:
    """Return the results of a task, and the limits of the checks that were run."""
    place = Made(slow)
    chosen = Choice(paths.REFERENCE, time_factor=factor, **choice)
    grading = Grading(chosen, registry(), lambda *_: None, place, cores=cores)
    results = grading.results([registry().find(task)])
    return results, place.limits


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_a_program_that_never_answers_costs_little(task: str) -> None:
    results, limits = graded(task)
    waited_s = sum(limits[: len(results)])
    left_out = [each for each in results if each.verdict == Verdict.NOT_RUN]
    assert left_out and all(each.answer == "not run: the same" for each in left_out)
    assert waited_s <= 15 or task == "fewest"
    assert max(limits) <= 30


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_neither_cores_nor_speed_decide_what_is_left_out(task: str) -> None:
    verdicts = [
        [each.verdict for each in graded(task, cores=cores, factor=factor)[0]]
        for cores, factor in ((1, 1.0), (3, 1.0), (1, 0.6), (2, 4.0))
    ]
    assert all(each == verdicts[0] for each in verdicts)


@pytest.mark.parametrize("task", ["peg2", "peg4"])
def test_cheap_boards_have_their_chance_first(task: str) -> None:
    _, limits = graded(task)
    ran = limits[1:]  # the first check also shows whether the program runs at all
    assert ran[:8] == sorted(ran[:8])


@pytest.mark.parametrize("slow_s", [20, 0])
def test_a_long_check_waits_until_the_others_are_right(slow_s: int) -> None:
    """Who is wrong or slow on a small board need not wait two minutes for the English one."""
    results, _ = graded("fewest", lambda _, cpu_s: cpu_s == slow_s, cores=2)
    [left_out] = [each for each in results if each.verdict == Verdict.NOT_RUN]
    assert (left_out.board, left_out.code) == ("english:3,3", "failed-before")
    assert left_out.message == "not run: it may take 120 s, and one-peg:any failed before"


def test_other_failures_leave_out_no_short_check() -> None:
    results, _ = graded("peg3", lambda _, cpu_s: cpu_s > 2)  # big-diamond
    assert Verdict.NOT_RUN not in {each.verdict for each in results}


def test_a_search_without_a_table_is_expected_to_run_out_of_time() -> None:
    def without_table(request: dict[str, Any], cpu_s: float) -> bool:
        return cpu_s > 1 and any(kind == NONE for _, kind in request["searches"])

    results, _ = graded("lab10", without_table)
    assert Verdict.NOT_RUN not in {each.verdict for each in results}


def test_named_boards_are_run() -> None:
    boards = tuple(check.name for check in registry().find("peg3").checks)
    results, _ = graded("peg3", boards=boards)
    assert {each.verdict for each in results} == {Verdict.TIMEOUT}


def test_the_message_says_how_to_run_it_nevertheless() -> None:
    left_out = [each for each in graded("peg3")[0] if each.verdict == Verdict.NOT_RUN]
    assert re.fullmatch(r"not run: \d checks ran out of time before", left_out[0].message)
    assert left_out[0].command == f"grade peg3 --board {left_out[0].board}"


def test_what_was_left_out_is_not_the_next_thing_to_mend() -> None:
    left_out, slow, part = (
        Result("peg3", verdict, verdict, 1)
        for verdict in (Verdict.NOT_RUN, Verdict.TIMEOUT, Verdict.ACCEPTED)
    )
    assert first_failure([part, left_out, slow]) == slow
    assert first_failure([part, left_out]) == part


@pytest.mark.parametrize(("earned", "too_few"), [(3, True), (4, False)])
def test_private_boards_are_run_beside_more_than_half_of_the_own_points(earned: int, too_few: bool) -> None:
    own = [Result("peg3", "key", Verdict.ACCEPTED, 5, points=earned), Result("peg3", "x", Verdict.TIMEOUT, 1)]
    assert task_run._earned_too_few(own) == too_few
    assert not task_run._earned_too_few([])  # its own boards are not graded


def test_private_boards_that_cannot_count_take_no_time(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text((paths.BOARDS / "plus.txt").read_text("utf-8"), "utf-8")
    (tmp_path / "index.yaml").write_text("boards: {mine: {points: 4}}", "utf-8")
    private = PrivateBoards(tmp_path)
    (*own, shown), limits = graded("peg3", lambda *_: False, board_set=OwnBoardsAnd(private))
    assert len(limits) == len(own) and not sum(each.points for each in own)
    assert (shown.board, shown.verdict, shown.points) == ("mine", Verdict.NOT_RUN, 0)
    (*_, told) = for_students(Report([registry().find("peg3")], [*own, shown], "student")).results
    assert (told.board, told.code, told.message) == ("hidden-1", "beside-own", shown.message)
