"""The line that compares how many states a search gave up on: its numbers are facts, and yours is a claim."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader import last_results, paths
from grader.catalog.tasks import COMPARED, registry
from grader.judging.grading import Choice
from grader.reports.content import states_compared
from grader.reports.report import Report, render
from grader.result import Result, Verdict
from support.grading import results_of

COUNTED = [task.name for task in registry().tasks.values() if task.states is not None]
FIRST = COUNTED[0]


def solved(task: str, states: int | None = 4120) -> Result:
    return Result(task, COMPARED, Verdict.ACCEPTED, 1, 32, points=1, jumps=[(0, 0, 0, 2)], unsolvable=states)


def compared(result: Result, **report: object) -> str:
    task = registry().find(result.task)
    return states_compared(task, replace(Report([task], [result], "student"), **report))


@pytest.mark.slow
@pytest.mark.parametrize("task", COUNTED)
def test_the_reference_s_states_are_those_in_the_registry(task: str) -> None:
    results = results_of(Choice(paths.REFERENCE, (COMPARED,)), task)
    result = next(each for each in results if each.board == COMPARED)
    assert result.unsolvable == registry().find(task).states


def test_the_tasks_with_a_table_of_states_are_compared() -> None:
    assert COUNTED == ["peg3", "peg4", "peg5"]


def test_one_line_compares() -> None:
    plain, reference = (registry().find(task).states for task in (FIRST, "peg5"))
    assert compared(solved("peg5")) == (
        f"{COMPARED} 4,120 states claimed; plain order {plain:,}; the reference {reference:,}"
    )
    assert compared(solved("peg5"), last_states={"peg5": 1}).endswith("; yours last time 1")
    assert compared(solved(FIRST)) == f"{COMPARED} 4,120 states claimed; plain order {plain:,}"
    text = render("table", Report([registry().find("peg5")], [solved("peg5")], "student"))
    assert text.splitlines()[-3] == compared(solved("peg5"))


def test_there_is_none_where_nothing_was_solved_or_counted() -> None:
    assert not compared(replace(solved("peg4"), jumps=[]))
    assert not compared(replace(solved("peg4"), verdict=Verdict.ILLEGAL_MOVE))
    assert not compared(solved("peg4", states=None))
    assert not compared(solved("peg2"))
    assert not compared(replace(solved("peg4"), board="choice"))
    assert not compared(replace(solved("peg4"), hidden=True))
    assert not compared(solved("peg4"), board_set=" --boards turned:1")


def test_the_states_of_the_last_solution_are_kept(tmp_path: Path) -> None:
    assert last_results.states_of(tmp_path, COMPARED) == {}
    wrong = replace(solved("peg4"), verdict=Verdict.ILLEGAL_MOVE)
    last_results.keep(tmp_path, [solved("peg3", 7), wrong, solved("peg5")], {})
    assert last_results.states_of(tmp_path, COMPARED) == {"peg3": 7, "peg5": 4120}
