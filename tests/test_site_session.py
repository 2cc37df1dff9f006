"""The judge of the page without a browser: what it asks, spares and says; the answers are made here."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader import paths
from grader.catalog.boards import find_board
from grader.catalog.tasks import Asked, registry
from grader.judging import kinds
from grader.site.browser.judge import Session, card_of
from grader.site.browser.page import START_S, button, limit_s, link, on_page

ENDLESS = {"end": "CPU_LIMIT", "frame": "", "peak_mib": 0, "head": "", "tail": ""}


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def session(task: str, contracts: bool) -> Session:
    """Return a run of the reference's files; no code of them runs, since the answers are made here."""
    files = {name: (paths.REFERENCE / name).read_text("utf-8") for name in registry().find(task).files}
    return Session({"task": task, "files": files, "contracts": contracts, "boards": None})


def answered(run: Session, outcome: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Answer every question of a run with one outcome, and return the questions."""
    questions, answer = [], ""
    while (said := json.loads(run.step(answer)))["question"] is not None:
        questions.append(said["question"])
        answer = json.dumps({**outcome, "cpu_s": said["question"]["cpu_s"]})
    return questions


@pytest.mark.parametrize("end", ["OUTPUT_LIMIT", "MEMORY_LIMIT"])
def test_a_flood_spares_the_rest_as_an_endless_loop_does(end: str) -> None:
    run = session("peg2", False)
    answered(run, {**ENDLESS, "end": end})
    verdicts = [row["verdict"] for row in json.loads(run.report())["rows"]]
    assert verdicts == [end.removesuffix("_LIMIT").lower()] * 2 + ["not-run"] * (len(verdicts) - 2)


@pytest.mark.slow
@pytest.mark.parametrize("contracts", [True, False])
@pytest.mark.parametrize("task", ["client", "peg1", "peg2", "peg3", "peg4", "peg5"])
def test_two_boards_at_their_limit_spare_the_rest(task: str, contracts: bool) -> None:
    run = session(task, contracts)
    answered(run, ENDLESS)
    report = json.loads(run.report())
    rows = [row for row in report["rows"] if not row["headline"].startswith("needs compiled code")]
    assert [row["verdict"] for row in rows] == ["timeout"] * 2 + ["not-run"] * (len(rows) - 2)
    first, second = (row["board"] for row in rows[:2])
    said = {row["headline"] for row in rows[2:]}
    assert said <= {f"not run: {task} ends at its limit on {first}, {second}"}
    assert said or len(rows) == 2
    assert report["points"] == 0 and report["next"].startswith("next: fix the timeout ")


def test_a_help_names_the_handout_that_is_there() -> None:
    run = session("peg2", False)
    run.step()
    (asked, *_) = run.results()
    told = replace(asked, help="see handouts/peg2.md", command="")
    assert card_of(told)["help"] == "see handouts/peg2.html"


def test_an_endless_loop_costs_seconds() -> None:
    for task in ("peg1", "peg2", "peg3", "peg4"):
        for contracts in (True, False):
            questions = answered(session(task, contracts), ENDLESS)
            assert sum(question["cpu_s"] for question in questions) < 15, (task, contracts)


def test_a_limit_follows_the_work() -> None:
    """At least four times what the reference takes in a browser; with contracts twelve, and at most what -d has."""
    for task, name, took_s, with_contracts_s in (
        ("peg1", "one-peg", 0.01, 0.02),
        ("peg2", "two-forks", 0.01, 0.13),
        ("peg2", "plus", 0.05, 0.53),
        ("peg2", "backtrack-needle", 14.4, None),
        ("peg3", "plus", 0.02, 0.23),
        ("peg3", "horseshoe", 4.4, None),
        ("peg4", "lopsided", 0.03, None),
        ("peg5", "choice", 0.04, 0.09),
        ("peg5", "lopsided", 0.3, None),
        ("lab10", "closed-grows", 4.5, 0.1),
        ("lab10", "lab-15:open", 1.1, None),
        ("client", "hash", 1.5, 0.07),
    ):
        known = registry().find(task)
        check = next(each for each in known.checks if each.name == name)
        board = find_board(check.board) if kinds.of(known).has_board(check) else None
        assert limit_s(Asked(check, board, known, False)) >= max(START_S, 4 * took_s), name
        if with_contracts_s is not None:
            most_s = registry().debug.cpu_s
            limit = limit_s(Asked(replace(check, cpu_s=most_s), board, known, True))
            assert max(START_S, 12 * with_contracts_s) <= limit <= most_s, name


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("next: fix the crash on plus, then: grade peg3", "next: fix the crash on plus, then: press Grade"),
        ("next: fix the crash on plus, then: grade peg3 -d", "next: fix the crash on plus, then: press Run"),
        ("next: open student/peg3.py (handouts/peg3.md), then: grade peg3", "next: write what is missing, then: press Grade"),
        ("to see where: grade peg3 -d --board plus", "to see where: press Run"),
        ("all points   next: grade peg4", "all points   next: open peg4"),
        ("all points, but -d earns none   next: grade peg3", "all points, but Run earns none   next: press Grade"),
        ("is it right? to test client.py: grade client", "is it right? to test client.py: open client"),
        ("look at your hash function: grade pegmark", "look at your hash function"),
        ("mix the bits; to see the chains: grade pegmark", "mix the bits"),
        ("mix the bits, see handouts/peg-1.md; to see the chains: grade pegmark", "mix the bits, see handouts/peg-1.html"),
        ("fix that line; to see whether it can be read: python -m py_compile student/peg1.py", "fix that line"),
        ("return the number, not the pegs", "return the number, not the pegs"),
    ],
)  # fmt: skip
def test_a_command_is_what_the_page_does(said: str, shown: str) -> None:
    assert on_page(said, "peg3") == shown


@pytest.mark.parametrize(
    ("command", "does"),
    [
        ("grade peg3", {"does": "Grade", "task": "peg3", "boards": []}),
        ("grade peg3 -d --board plus", {"does": "Run", "task": "peg3", "boards": ["plus"]}),
        ("grade peg4 -d", {"does": "Open", "task": "peg4", "boards": []}),
        ("grade show plus", None),
        ("grade peg3 --boards turned", None),
        ("grade peg3 --board mine.txt", None),
        ("python -m py_compile student/peg3.py", None),
        ("", None),
    ],
)
def test_a_command_is_a_button(command: str, does: dict[str, Any] | None) -> None:
    assert button(command, "peg3") == does


@pytest.mark.parametrize(
    ("command", "words", "address"),
    [
        ("grade peg3 -d --board plus", "Run peg3 on plus", "work.html#peg3/Run/plus"),
        ("grade film peg2 choice", "the film of peg2 on choice", "film.html#peg2/choice"),
        ("grade show plus", "the board plus", "play.html#plus"),
        ("grade predict peg2", "the question's page", "predict.html#peg2"),
        ("grade predict peg1", None, None),
        ("grade hint peg3", None, None),
        ("grade film peg3 lopsided --beside peg2", None, None),
        ("grade show mine.txt", None, None),
    ],
)
def test_a_command_is_a_link(command: str, words: str | None, address: str | None) -> None:
    assert link(command) == (words and (words, address))
