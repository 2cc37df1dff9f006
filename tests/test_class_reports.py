"""The reports of a class: what each says, with hostile text in every field, and what differs between two runs.

tests/expected/class has the whole text of each for one small class; `pytest --update-expected` writes it anew.
"""

import ast
import csv
import io
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grader import paths
from grader.catalog.tasks import registry
from grader.cli import cli
from grader.commands.class_plan import SECONDS
from grader.commands.compare import format_json, format_table
from grader.course.csv_text import as_csv
from grader.course.records import Attempt, Student
from grader.course.reports import (
    class_mistakes,
    class_page,
    class_summary,
    compare,
    feedback,
    gradebook,
    leaderboard,
)
from grader.course.reports.all_reports import get_ready, write_reports
from grader.course.reports.answers import (
    NAMED,
    Reason,
    costliest_mistake,
    hardest_task,
    nobody_to_talk_to,
    separating_board,
    what_changed,
    whom_to_talk_to,
)
from grader.course.reports.class_mistakes import first_line, mistakes
from grader.course.reports.class_numbers import Flag, TaskNumbers, class_numbers
from grader.course.reports.standings import BOARDS, UNWRITTEN, Standings
from grader.course.rules.policies import Policies
from grader.course.rules.policy_file import read_policies
from grader.course.store import ClassStore, Graded, Sources, Todo
from grader.errors import InputError
from grader.result import Result, Verdict
from support.browsing import Visits, accessibility_faults, axe_source
from support.class_store import (
    DUE,
    FAILED,
    TASKS,
    Answers,
    class_by_lot,
    hide_boards,
    one_attempt_each,
    put,
    right,
    standings_of,
)
from support.command import ROOT, grade
from support.hostile import ATTACKS, Seen, is_plain

HERE = Path(__file__).parent
MADE = datetime(2026, 11, 28, 3, 46, tzinfo=UTC)  # of the run before
SINCE = " since the run of 2026-11-28 03:46 UTC"
CLASS = 300  # students of the class by lot
PHONE = {"width": 360, "height": 740}
SMALL = ("client", "peg1", "peg3")
ANYWHERE = [format for format in feedback.ENDINGS if format != "classroom50"]  # which needs its runner
POLICY = """\
schema: peg-course/v1
timezone: Europe/Vienna
due: 2026-10-02 18:00
late: {percent_per_day: 10}
"""
HOSTILE = (
    *ATTACKS, "=cmd|'/c calc'!A1", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "a;=1", "a; -1", "\uff1d1", '"=1', ',=1',
    "\x1b[31m", "\u202e", "|", "`", "*x*", "![](http://x)", "\n# h\n", "\n\n| a |\n| - |", "'", "x" * 100_000,
)  # fmt: skip


def failed(task: str, **ended: tuple[Verdict, str]) -> list[Result]:
    """Return right answers but for the checks that are named, with `_` for `-`.

    Messages say the same if they have the same words, whatever their numbers.
    """
    results = right(task, 10 if registry().find(task).table else None)
    for at, result in enumerate(results):
        if found := ended.get(result.board.replace("-", "_")):
            verdict, message = found
            told = {"code": "-".join(re.findall("[a-z]+", message)), "message": message}
            results[at] = replace(
                result, verdict=verdict, points=0, unsolvable=None, jumps=[], cpu_s=2.0, **told
            )
    return results


def all_of(task: str, ended: tuple[Verdict, str], *but: str) -> dict[str, tuple[Verdict, str]]:
    """Return how all checks of a task ended but those that are named, as `failed` takes it."""
    names = (check.name for check in registry().find(task).checks)
    return {name.replace("-", "_"): ended for name in names if name not in but}


def points_of(task: str) -> dict[str, int]:
    """Return the points of each check of a task."""
    return {check.name: check.points for check in registry().find(task).checks}


def each_with(task: str, results: Mapping[str, list[Result]]) -> dict[str, Answers]:
    """Return what each student handed in for a task, a file of their own, with its results."""
    return {who: {task: ({f"{task}.py": who}, of_one)} for who, of_one in results.items()}


def unwritten(task: str) -> list[Result]:
    return [
        replace(result, verdict=Verdict.NOT_WRITTEN, points=0, message="solve is not written yet")
        for result in right(task)
    ]


def small_class(store: ClassStore) -> None:
    """Put a class of some students into a store, each with something of their own."""
    students = [
        Student("ada", "Ada Löwe", "ada@x.org", "A", True, "101"), Student("ben", "Ben", "ben@x.org"),
        Student("cleo", "Cleo"), Student("dan", "Dan", on_roster=False),
        Student("eve", "=cmd()", "@eve", "-1", True, "Participant 7"), Student("fay", "Fay"), Student("guy", "Guy"),
    ]  # fmt: skip
    wrong, crashed = (Verdict.WRONG_ANSWER, "expected 7, found 8"), "IndexError: index {} is out of bounds"
    unfit = {"german": (Verdict.CRASHED, crashed.format(9)), "stuck": (Verdict.CRASHED, crashed.format(12))}
    slow = failed("peg3", big_diamond=(Verdict.TIMEOUT, "stopped at the limit of 3.0 s"))
    fault = failed("peg3", big_diamond=(Verdict.GRADER_ERROR, "the grader could not run this check"))
    hostile = failed("client", hash=(Verdict.CRASHED, "=x | `<b>` *y*\x1b[31m 1"))

    def answers(**given: tuple[str, list[Result]]) -> Answers:
        return {task: ({f"{task}.py": text}, results) for task, (text, results) in given.items()}

    good = answers(client=("1", right("client")), peg1=("1", right("peg1")), peg3=("1", right("peg3", 900)))
    other = answers(client=("2", right("client")), peg1=("1", right("peg1")), peg3=("2", right("peg3", 900)))
    poor = answers(
        client=("3", failed("client", hash=wrong)), peg1=("3", failed("peg1", **unfit)), peg3=("3", slow)
    )
    odd = answers(peg1=("stub", unwritten("peg1")), peg3=("stub", unwritten("peg3")), client=("5", hostile))
    attempts = [
        (Attempt("ada", 1, DUE - timedelta(hours=30), "a"), poor),
        (Attempt("ada", 2, DUE - timedelta(hours=3), "a"), good),
        (Attempt("ben", 1, DUE + timedelta(hours=26, minutes=15, seconds=9), "b"), other),
        (Attempt("dan", 1, DUE + timedelta(seconds=1), "d"), poor),
        (Attempt("eve", 1, None, "e"), odd),
        (Attempt("fay", 1, DUE, "f"), {**poor, **answers(peg3=("4", fault))}),
        (Attempt("guy", 1, DUE, "g"), {**good, **answers(peg3=("6", []))}),
    ]
    put(store, students, attempts, SMALL)
    store.note(leaderboard.KEY, "a key")


@pytest.fixture
def policies(tmp_path: Path) -> Policies:
    file = tmp_path / "course.yaml"
    file.write_text(POLICY, "utf-8")
    return read_policies(file, [registry().find(name) for name in SMALL])


def expect(name: str, text: str, request: pytest.FixtureRequest) -> None:
    file = HERE / "expected/class" / name
    if request.config.getoption("--update-expected"):
        file.write_text(text, "utf-8", newline="")
    assert text == file.read_bytes().decode()


# ---- one class, as it stands --------------------------------------------------------------------


def test_a_small_class(
    store: ClassStore, policies: Policies, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    small_class(store)
    out = tmp_path / "out"
    written = write_reports(store, policies, out, ["table", "json"])
    reports = ["gradebook.csv", "canvas.csv", "moodle.csv", "summary.md", "leaderboard.md", "index.html"]
    students = [
        f"feedback/{who}.{ending}"
        for who in ("ada", "ben", "dan", "eve", "fay", "guy")
        for ending in ("txt", "json")
    ]
    assert [str(file.relative_to(out)) for file in written] == [*reports, *students]
    assert sorted(file for file in out.rglob("*") if file.is_file()) == sorted(written)
    for name in (*reports[:-1], "feedback/ben.txt"):
        expect(name.replace("/", "-"), (out / name).read_bytes().decode(), request)
    expect("table.txt", class_summary.format_table(class_numbers(standings_of(store, policies))), request)
    assert json.loads((out / "feedback/ben.json").read_text("utf-8"))["about"][:2] == [
        "student ben",
        "attempt 1 of 1 counts, handed in 2026-10-03 20:15 CEST, 26:15:09 late (h:mm:ss)",
    ]


@pytest.mark.slow
def test_a_second_run_writes_what_is_different_and_no_more(
    store: ClassStore, policies: Policies, tmp_path: Path
) -> None:
    def run(name: str) -> dict[str, bytes]:
        """Write the reports, and return them without the time at which the page was made."""
        out = tmp_path / name
        return {
            str(file.relative_to(out)): re.sub(rb"\d{4}-\d\d-\d\d \d\d:\d\d CES?T", b"", file.read_bytes())
            for file in write_reports(store, policies, out, ["table", "html"])
        }

    def times() -> dict[str, int]:
        return {file.stem: file.stat().st_mtime_ns for file in (tmp_path / "out/feedback").glob("*.txt")}

    small_class(store)
    first = run("out")
    for file in (tmp_path / "out/feedback").iterdir():
        os.utime(file, (0, 0))  # so that writing it shows, however coarse the file system's clock
    before = times()
    assert run("out") == first and times() == before
    (tmp_path / "out/feedback/ada.txt").write_bytes(b"changed by hand")
    (tmp_path / "out/feedback/ben.txt").unlink()
    new = "result = json_set(result, '$.message', 'new')"
    with store.transaction() as db:
        db.execute(f"UPDATE checks SET {new} WHERE verdict = 'grader-error'")
    second, after = run("out"), times()
    assert {name for name in before if after[name] != before[name]} == {"ada", "ben", "fay"}
    assert b": new\n" in second["feedback/fay.txt"] and b": new\n" not in first["feedback/fay.txt"]
    assert second == run("fresh")
    write_reports(store, policies, tmp_path / "out", ["html"])
    assert {file.suffix for file in (tmp_path / "out/feedback").iterdir()} == {".html"}


def test_files_that_were_changed_by_hand_are_told(
    store: ClassStore, policies: Policies, tmp_path: Path
) -> None:
    small_class(store)
    told: list[str] = []
    for _ in range(2):
        write_reports(store, policies, tmp_path, ["table"], say=told.append)
    assert told == []
    for name in ("gradebook.csv", "feedback/ada.txt"):
        with (tmp_path / name).open("a", encoding="utf-8") as file:
            file.write("well done\n")
    for _ in range(2):
        write_reports(store, policies, tmp_path, ["table"], say=told.append)
    assert told == [
        "written anew, though changed since the last run: gradebook.csv, feedback/ada.txt; "
        "points are changed by adjustments in course.yaml"
    ]


def test_feedback_shows_what_was_graded_after_the_reports_got_ready(
    store: ClassStore, policies: Policies, tmp_path: Path
) -> None:
    def keep(message: str) -> int:
        """Grade fay's peg3 again, and return the number of that grading."""
        store.keep(Graded(todo, 2, 1.0, [replace(each, message=message) for each in results]))
        return store.read("SELECT max(id) FROM graded")[0][0]

    small_class(store)
    row = store.read(
        "SELECT standing.task, sources, setting FROM standing JOIN tasks ON name = standing.task "
        "WHERE student = 'fay' AND task = 'peg3'"
    )
    todo, results = Todo(*row[0]), store.results("fay", 1, "peg3")
    number = keep("old")
    write_reports(store, policies, tmp_path / "out", ["table"])
    get_ready(store)
    assert keep("new") == number  # so it is not told by that
    write_reports(store, policies, tmp_path / "out", ["table"])
    assert ": new\n" in (tmp_path / "out/feedback/fay.txt").read_text("utf-8")


def test_the_gradebook_knows_nothing_of_speed(tmp_path: Path, policies: Policies) -> None:
    """It is the same after a run on a slower machine, in another tier, of which some is to be graded again."""
    texts = []
    for number in (0, 1):
        with ClassStore(tmp_path / str(number), create=True) as store:
            small_class(store)
            if number:
                slower = "cpu_s = cpu_s * 3, result = json_set(result, '$.cpu_s', 9.5, '$.tier', 3)"
                with store.transaction() as db:
                    db.execute(f"UPDATE checks SET {slower}")
                    db.execute("UPDATE graded SET tier = 3, time_factor = 2.5, again = 1")
            standings = standings_of(store, policies)
            formats = (gradebook.format_gradebook, gradebook.format_canvas, gradebook.format_moodle)
            texts.append([format(standings) for format in formats])
    assert texts[0] == texts[1]


# ---- hostile text -------------------------------------------------------------------------------


def attacked(text: str, store: ClassStore) -> Standings:
    """Return a class of two with a text in every field that somebody else writes."""
    other = text + "2"
    students = [Student(who, who, who, who, who == text, who) for who in (text, other)]
    fields = ("board", "message", "help", "place", "printed", "answer", "truth")
    wrong = [replace(right("peg1")[0], verdict=Verdict.CRASHED, points=0, **dict.fromkeys(fields, text))]
    attempts = [
        (Attempt(text, 1, DUE, text), {"peg1": ({"peg1.py": "1"}, wrong), "peg3": ({"peg3.py": "1"}, right("peg3", 5))}),
        (Attempt(text, 2, DUE, text, text, text), {"peg1": ({"peg1.py": "2"}, wrong)}),
        (Attempt(other, 1, DUE, text), {"peg1": ({"peg1.py": "1"}, wrong), "peg3": ({"peg3.py": "2"}, right("peg3", 5))}),
    ]  # fmt: skip
    put(store, students, attempts, ("peg1", "peg3"))
    return standings_of(store)


def check_csv(text: str, rows: int) -> None:
    """A spreadsheet sees so many rows of the same length, and no formula, wherever it splits them."""
    body = text.removeprefix("\ufeff")
    assert all(character.isprintable() or character in "\r\n" for character in body)
    assert body.count("\n") == body.count("\r\n") == rows
    parsed = list(csv.reader(io.StringIO(body, newline="")))
    assert {len(row) for row in parsed} == {len(parsed[0])}
    for delimiter in (",", ";", "\t"):
        for row in csv.reader(io.StringIO(body, newline=""), delimiter=delimiter):
            for cell in row:
                assert cell.strip()[:1] not in tuple("=+-@\t\r\uff1d\uff0b\uff0d\uff20"), (delimiter, cell)
                assert len(cell) < 32_768 or delimiter != ","


def check_markdown_and_lines(text: str) -> None:
    assert is_plain(text)
    for line in text.splitlines():
        outside = re.sub(r"`[^`]*`", "", line)
        assert not re.search(r"<|\]\(|\*[xy]|__|http", outside), line


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_stays_in_its_field(text: str, tmp_path: Path) -> None:
    text = text.encode("utf-8", "replace").decode()  # the store takes no half of a character
    with (
        ClassStore(tmp_path / "run", create=True) as store,
        ClassStore(tmp_path / "plain", create=True) as plain,
    ):
        standings, usual = attacked(text, store), attacked("usual", plain)
        numbers = class_numbers(standings)
        check_csv(gradebook.format_gradebook(standings), 3)
        check_csv(gradebook.format_canvas(standings), 4)
        check_csv(gradebook.format_moodle(standings), 3)
        check_markdown_and_lines(class_summary.format_summary(standings, numbers))
        check_markdown_and_lines(leaderboard.format_leaderboard(standings, named=True))
        page = class_page.format_page(standings, numbers)
        plain_page = class_page.format_page(usual, class_numbers(usual))
        tags = [[tag for tag in Seen(each).tags if tag != ("code",)] for each in (page, plain_page)]
        assert tags[0] == tags[1]  # but for what stands between backticks
        assert is_plain(page) and is_plain(class_summary.format_table(numbers))
        folder, formats = tmp_path / "f" / "g", ["table", "markdown", "json"]
        files = list(feedback.write_feedback(standings, folder, formats, DUE))
        assert len(files) == 6 and {file.parent for file in files} == {folder}
        assert all(is_plain(file.read_text("utf-8")) for file in files)


@pytest.mark.slow
@settings(max_examples=60)
@given(st.lists(st.one_of(st.sampled_from(HOSTILE[:-1]), st.text(max_size=8)), max_size=5).map("".join))
@example(';"=1')
def test_no_cell_is_a_formula(text: str) -> None:
    line = as_csv([[text, f"a{text}", f"a; {text}", 5]])
    check_csv(line, 1)
    assert line.endswith(",5\r\n")


# ---- what is counted ----------------------------------------------------------------------------


def numbers_of(points: list[int], most: int) -> TaskNumbers:
    return TaskNumbers(registry().find("peg1"), sorted(points), most)


def test_the_median_and_full_marks() -> None:
    assert numbers_of([0, 1, 20, 25], 20).full == 2
    assert [numbers_of(points, 9).median for points in ([0, 1, 2, 9], [7], [])] == [1.5, 7, 0]
    quartiles = [numbers_of(points, 9).quartiles for points in ([0, 0, 4, 9, 9], [7], [])]
    assert quartiles == [(0, 9), (7, 7), (0, 0)]


def test_only_attempts_that_count_are_counted(store: ClassStore, policies: Policies) -> None:
    small_class(store)
    numbers = class_numbers(standings_of(store, policies))
    client, peg1, peg3 = numbers.tasks
    assert (numbers.students, numbers.handed_in) == (7, 6)
    assert client.points == [6, 6, 6, 10, 10, 10]
    assert (client.begun, peg1.begun) == (6, 5)
    assert (client.share, peg1.share, len(peg1.ready)) == (80, 100, 3)  # those with full marks in client
    assert [len(task.points) for task in numbers.tasks] == [6, 6, 5]
    assert (peg3.full, peg3.most) == (2, 25)
    assert [(each.task, each.board, each.accepted, each.of) for each in numbers.boards[:3]] == [
        ("peg3", "big-diamond", 2, 5), ("client", "hash", 3, 6), ("peg1", "german", 3, 6),
    ]  # fmt: skip
    alike = [(*each.checks, each.text, each.who, each.lost) for each in numbers.mistakes if len(each.who) > 1]
    assert alike == [
        ("client", "expected 7, found 8", ["dan", "fay"], 8),
        ("peg1", "IndexError: index 9 is out of bounds", ["dan", "fay"], 4),
    ]
    worth_a_look = (numbers.ours, numbers.waiting, numbers.missing, numbers.strangers)
    assert worth_a_look == ([("fay", 1)], ["guy"], ["cleo"], ["dan"])


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("expected 7, found 8", "expected 7, found 8"),
        ("x2 = -1, y_3 = (4, 5)\nmore 7", "x2 = -1, y_3 = (4, 5)"),
        ("after 2:0 -> 2:2 the board is\n  . o .", "after 2:0 -> 2:2 the board is ..."),
        ("x" * 300, "x" * 296 + "..."),
        ("\n", ""),
    ],
)
def test_of_a_message_the_first_line_is_shown(message: str, expected: str) -> None:
    assert first_line(message) == expected


def test_students_with_the_same_mistake(store: ClassStore) -> None:
    """Three are told the same, of other checks and with other numbers, and one is told something else."""
    wrong, crashed = (Verdict.WRONG_ANSWER, "7 pegs are left, not 3"), (Verdict.CRASHED, "IndexError")
    results = {
        "a": failed("peg2", plus=(wrong[0], "8 pegs are left, not 3"), backtrack=crashed),
        "b": failed("peg2", plus=wrong, backtrack=crashed),
        "c": failed("peg2", plus=wrong),
        "d": failed("peg2", plus=(Verdict.TIMEOUT, "stopped")),
        "e": unwritten("peg2"),
        "f": right("peg2"),
    }
    answers: dict[str, Answers] = {}
    for who, of_one in results.items():
        placed = [replace(each, place="student/peg2.py:2" * (each.verdict == wrong[0])) for each in of_one]
        answers[who] = {"peg2": ({"peg2.py": f"# peg2\n  take()  # {who}\n"}, placed)}
    standings = one_attempt_each(store, answers, ("peg2",))
    found = mistakes(standings)
    checks = points_of("peg2")
    lost = 3 * checks["plus"] + 2 * checks["backtrack"]
    pegs, stopped = found
    assert (pegs.text, pegs.who, pegs.checks, pegs.lost, pegs.line) == (
        "7 pegs are left, not 3", ["a", "b", "c"], {"peg2": ["plus", "backtrack"]}, lost, "peg2.py:2: take() # b",
    )  # fmt: skip
    assert pegs.said["peg2"]["a"] == "8 pegs are left, not 3"  # with its number
    summary = class_summary.format_summary(standings, class_numbers(standings))
    assert summary.count(pegs.text) == summary.count(f"{pegs.text} (for example)") == 2
    assert (stopped.text, stopped.who, stopped.lost) == ("stopped", ["d"], checks["plus"])


def test_which_check_separates_and_what_a_section_has(store: ClassStore) -> None:
    """The strong have `key` right and the weak have not; `stuck` is the other way round; all have `plus` right."""
    wrong = (Verdict.WRONG_ANSWER, "no")
    strong = failed("peg3", stuck=wrong)
    weak = failed("peg3", **all_of("peg3", wrong, "stuck", "plus"))
    answers = each_with("peg3", {"a": strong, "b": strong, "c": weak, "d": weak})
    standings = one_attempt_each(store, answers, ("peg3",), a="A", b="A", c="B", d="B", e="")
    numbers = class_numbers(standings)
    by_name = {each.board: each for each in numbers.boards}
    assert by_name["key"].separates == pytest.approx(1)
    assert by_name["stuck"].separates == pytest.approx(-1)
    assert (by_name["plus"].separates, by_name["plus"].lost, by_name["key"].lost) == (None, 0, 2 * 5)
    points = points_of("peg3")
    high, low = 100 * (25 - points["stuck"]) / 25, 100 * (points["stuck"] + points["plus"]) / 25
    ties = len(points) - 2  # all but `stuck` and `plus` separate alike
    best = separating_board(numbers)
    assert best.said.startswith("peg3 ")
    assert best.more.startswith("2 of 4 have full marks and tend to do better elsewhere; likewise peg3 ")
    assert best.more.endswith(f" and {ties - NAMED} more")
    assert separating_board(replace(numbers, boards=[by_name["plus"]])).said.startswith("none: ")
    none, one, other, whole = numbers.sections
    assert (whole.name, whole.students, whole.handed_in) == (None, 5, 4)
    assert whole.shares == [pytest.approx((high + low) / 2)]
    assert (none.name, none.students, none.handed_in, none.shares) == ("", 1, 0, [None])
    assert (one.name, one.shares) == ("A", [pytest.approx(high)])
    assert (other.name, other.shares) == ("B", [pytest.approx(low)])


def test_a_section_is_rated_as_the_whole_class_is(store: ClassStore) -> None:
    """Who fails peg1 says nothing of peg2, of a section no more than of the class."""
    wrong = (Verdict.WRONG_ANSWER, "no")
    poor = {task: ({f"{task}.py": ""}, failed(task, **all_of(task, wrong))) for task in ("peg1", "peg2")}
    good: Answers = {task: ({f"{task}.py": "x"}, right(task)) for task in ("peg1", "peg2")}
    standings = one_attempt_each(
        store, {"a": good, "b": poor, "c": poor}, ("peg1", "peg2"), a="A", b="A", c="B"
    )
    numbers = class_numbers(standings)
    assert [each.shares for each in numbers.sections] == [[50, 100], [0, None], [pytest.approx(100 / 3), 100]]
    assert numbers.sections[-1].shares == [task.share for task in numbers.tasks]


def test_what_never_ran_separates_nobody(store: ClassStore) -> None:
    """Beside three programs that ran, of which one fails `key`, two never ran: all their checks are failed alike."""
    key = failed("peg3", key=(Verdict.WRONG_ANSWER, "no"))
    crashed = failed("peg3", **all_of("peg3", (Verdict.NOT_RUN, "not run")))
    crashed[0] = replace(crashed[0], verdict=Verdict.CRASHED)
    given = {"a": right("peg3"), "b": right("peg3"), "c": key, "d": crashed, "e": unwritten("peg3")}
    standings = one_attempt_each(store, each_with("peg3", given), ("peg3",))
    by_name = {each.board: each for each in class_numbers(standings).boards}
    assert (by_name["key"].accepted, by_name["key"].of) == (2, 5)
    assert {each.separates for each in by_name.values()} == {None}


def test_a_check_that_was_not_run_takes_no_other_away(store: ClassStore) -> None:
    """As private boards beside few points of the own ones, which the weak all have."""
    wrong, unrun = (Verdict.WRONG_ANSWER, "no"), (Verdict.NOT_RUN, "not run")
    weak = failed("peg3", **{**all_of("peg3", wrong), "haystack": unrun})
    given = {"a": right("peg3"), "b": right("peg3"), "c": weak}
    boards = class_numbers(one_attempt_each(store, each_with("peg3", given), ("peg3",))).boards
    assert {each.board for each in boards if each.separates is None} == {"haystack"}


def test_a_mistake_in_several_tasks_is_counted_once(store: ClassStore) -> None:
    """Two students fail checks of client and of peg1 with the same message."""
    lost = (Verdict.WRONG_ANSWER, "no `peg_solve`")
    answers: dict[str, Answers] = {
        who: {
            "client": ({"client.py": who}, failed("client", hash=lost, keys=lost)),
            "peg1": ({"peg1.py": who}, failed("peg1", stuck=lost)),
        }
        for who in "ab"
    }
    standings = one_attempt_each(store, answers, ("client", "peg1"), c="")
    numbers = class_numbers(standings)
    (mistake,) = numbers.mistakes
    assert mistake.checks == {"client": ["keys", "hash"], "peg1": ["stuck"]}
    assert costliest_mistake(numbers).said == "no `peg_solve`"
    assert costliest_mistake(numbers).more == f"client, peg1: {mistake.lost} points lost by 2 students"
    assert numbers.missing == ["c"]
    words = re.findall('data-words="(.*?)"', class_page.format_page(standings, numbers))
    assert "no peg_solve" in words  # which are shown as they are


def test_what_cannot_be_read_says_nothing_of_a_section_but_is_a_mistake(store: ClassStore) -> None:
    """In B, nothing of `lost` can be read, `one` fails a check, and `two` all of them; in A, `top` is right.

    What `two` handed in was taken as meant, and `none` handed in nothing for the task.
    """
    wrong = (Verdict.WRONG_ANSWER, "no")
    every = all_of("peg1", wrong)
    unread = [
        replace(each, verdict=Verdict.CRASHED, code="cannot-be-read", message="peg1.py: expected UTF-8")
        for each in failed("peg1", **every)
    ]
    absent = [replace(each, verdict=Verdict.NOT_WRITTEN) for each in unread]
    answers = {"lost": unread, "none": absent, "one": failed("peg1", stuck=wrong),
               "two": failed("peg1", **every), "top": right("peg1")}  # fmt: skip
    slips = {"lost": ("peg1.py: expected UTF-8",), "two": ("Peg1.py is taken for peg1.py",)}
    put(store, [Student(who, who, section="A" if who == "top" else "B") for who in answers],
        [(Attempt(who, 1, DUE, "", slips=slips.get(who, ())), {"peg1": ({"peg1.py": who}, results)})
         for who, results in answers.items()],
        ("peg1",))  # fmt: skip
    standings = standings_of(store)
    numbers = class_numbers(standings)
    assert [each.who for each in numbers.mistakes] == [["one", "two"], ["lost"]]
    assert [who for who, _ in numbers.slips] == ["lost", "two"]
    stuck = points_of("peg1")["stuck"]
    _, b, whole = numbers.sections
    assert b.shares == [pytest.approx(100 * (15 - stuck) / 30)]
    assert whole.shares == [pytest.approx(100 * (30 - stuck) / 45)]


def test_whom_to_talk_to_and_why(store: ClassStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason is that of the first task; what most of the class has not begun is expected of nobody."""
    wrong, later = (Verdict.WRONG_ANSWER, "too many"), {"peg3": ({"3": ""}, unwritten("peg3"))}
    stuck = failed("peg2", **all_of("peg2", wrong))
    poor = failed("peg1", **all_of("peg1", wrong, next(iter(points_of("peg1")))))

    def crashed(task: str, **told: str) -> list[Result]:
        """Return the results of a task of which nothing can be run."""
        first, *others = failed(task, **all_of(task, (Verdict.NOT_RUN, "not run")))
        return [replace(first, verdict=Verdict.CRASHED, **told), *others]

    no_python = crashed("peg2", code="unreadable", message="no python")
    bracket = {"code": "syntax", "message": "a bracket", "place": "client.py:64"}  # in the client
    good: Answers = {"peg1": ({"1": ""}, right("peg1")), "peg2": ({"2": ""}, right("peg2")), **later}
    answers: dict[str, Answers] = {
        **dict.fromkeys("ghij", good),
        **{who: {**good, "peg2": ({"2": "a"}, no_python)} for who in ("ran", "run")},
        "bracket": {**later, **{task: ({"f": ""}, crashed(task, **bracket)) for task in ("peg1", "peg2")}},
        "stuck": {**good, "peg1": ({"1": "b"}, failed("peg1", stuck=wrong)), "peg2": ({"2": "b"}, stuck)},
        "stopped": {**good, "peg2": ({"2": "c"}, unwritten("peg2"))},
        "poor": {"peg1": ({"1": "e"}, poor), "peg2": ({"2": "e"}, unwritten("peg2")), **later},
        "stub": {"peg1": ({"1": "d"}, unwritten("peg1")), "peg2": ({"2": "d"}, unwritten("peg2")), **later},
    }
    standings = one_attempt_each(store, answers, ("peg1", "peg2", "peg3"), absent="")
    assert whom_to_talk_to(standings, class_numbers(standings)) == [
        Reason("below half in peg1", {"bracket": "0", "poor": "1"}),
        Reason("wrote nothing", {"stub": "0"}),
        Reason("below half in peg2", {"stuck": "14", "ran": "15", "run": "15"}),
        Reason("stopped after peg1", {"stopped": "15"}),
    ]
    numbers = class_numbers(standings)
    said = "<p>Most have not begun peg3.</p>"
    assert numbers.expected == ["peg1", "peg2"] and said in class_page.format_page(standings, numbers)
    hardest = hardest_task(numbers)
    assert hardest.said == "peg2: 67 % of its points on average"
    assert hardest.more == "4 of 6 have full marks"
    monkeypatch.setattr("grader.course.reports.answers.CLOSE", 100)
    assert hardest_task(numbers).more == "4 of 6 have full marks; almost as hard: peg1"
    assert "67 % (n = 6)" in class_page.format_page(standings, class_numbers(standings))


def test_a_class_of_stubs_has_begun_nothing(store: ClassStore) -> None:
    stub: Answers = {"peg1": ({"1": ""}, unwritten("peg1"))}
    numbers = class_numbers(one_attempt_each(store, {"a": stub, "b": stub}, ("peg1",)))
    assert nobody_to_talk_to(numbers) == "Nobody: nothing has been begun yet."
    assert costliest_mistake(numbers).said == "nothing has been begun yet"
    assert separating_board(numbers).said == "nothing has been run yet"


def test_what_changed_when_points_last_did(store: ClassStore) -> None:
    slow = (Verdict.TIMEOUT, "slow")
    poor = {"peg3": ({"p": "2"}, failed("peg3", key=slow, plus=slow))}
    stub = {"peg3": ({"p": ""}, unwritten("peg3"))}
    first = one_attempt_each(store, {"a": GOOD, "b": {**GOOD, **stub}}, ("peg1", "peg3"))
    compare.keep_grades(first, MADE)
    assert what_changed(first).said == "nothing yet: no run has changed anybody's points"
    now: dict[str, Answers] = {"a": {**GOOD, **poor}, "b": GOOD, "c": GOOD}
    standings = one_attempt_each(store, now, ("peg1", "peg3"))
    for _ in range(2):  # a run that changes nothing forgets nothing
        compare.keep_grades(standings, MADE + timedelta(days=1))
        changed = what_changed(standings)
        assert changed.said == "1 gained points, 1 lost points, 1 handed in for the first time"
        assert list(changed.students) == ["a", "b", "c"]
        assert re.fullmatch(rf"[+\u2212]\d+ points in total{SINCE}: a \u2212\d+, b \+\d+", changed.more)
        (reason,) = whom_to_talk_to(standings, class_numbers(standings))
        assert reason.said == "points fell"
        assert list(reason.points) == ["a"]
        assert re.fullmatch(r"\d+ \u2192 \d+", reason.points["a"])
    named = [replace(each, student=replace(each.student, name="Ada")) for each in standings.students]
    assert re.search(
        r": a Ada \u2212\d+, b Ada \+\d+$", what_changed(replace(standings, students=named)).more
    )


def test_points_on_other_boards_are_not_compared(store: ClassStore) -> None:
    compare.keep_grades(one_attempt_each(store, {"a": GOOD}, ("peg1", "peg3")), MADE)
    fewer: dict[str, Answers] = {"a": {**GOOD, "peg1": ({"1": "x"}, right("peg1")[:-1])}}
    standings = one_attempt_each(store, fewer, ("peg1", "peg3"))
    compare.keep_grades(standings, MADE + timedelta(days=1))
    assert what_changed(standings).said == "nobody's points"
    assert not whom_to_talk_to(standings, class_numbers(standings))


def flags_of(result: Result, store: ClassStore) -> list[Flag]:
    standings = one_attempt_each(store, {"a": {result.task: ({"f": "1"}, [result])}}, (result.task,))
    return list(class_numbers(standings).flags)


@pytest.mark.parametrize(
    ("task", "states", "left", "cpu_s", "why"),
    [
        ("peg3", 19_341, 2, 0.1, ""),  # as many as there are
        ("peg3", 19_342, 2, 0.1, "19,342 states claimed, but there are 19,341 positions"),
        ("peg3", 2_418, 2, 0.1, "2,418 states claimed of the 19,341 unsolvable ones; it fits if images are taken for one board"),
        ("peg3", 2_417, 2, 0.1, "2,417 states claimed of the 19,341 unsolvable ones"),
        ("peg5", 0, 2, 0.1, ""),  # it may know without a look
        ("peg4", 19_342, 2, 0.1, "19,342 states claimed, but there are 19,341 positions"),
        ("peg3", 3, 1, 0.9, ""),
        ("peg3", 3, 1, 1.5, "3 states claimed in 1.5 CPU s"),
        ("peg5", 3, 1, 4.9, ""),
        ("peg5", 3, 2, 30.0, "3 states claimed in 30.0 CPU s"),
        ("peg3", 19_000, 1, 4.0, ""),
    ],
)  # fmt: skip
def test_a_count_that_is_hard_to_believe(
    task: str, states: int, left: int, cpu_s: float, why: str, store: ClassStore
) -> None:
    result = replace(right(task)[0], board="horseshoe", unsolvable=states, pegs_left=left, cpu_s=cpu_s)
    assert flags_of(result, store) == ([Flag("a", task, f"horseshoe: {why}", 1)] if why else [])


def test_what_is_not_flagged(store: ClassStore) -> None:
    """A private board is not taken for the course's of its name, and a wrong answer is none."""
    result = replace(right("peg3")[0], board="horseshoe", unsolvable=7, pegs_left=2)
    assert len(flags_of(replace(result, board="horseshoe+r90"), store)) == 1
    assert flags_of(replace(result, hidden=True), store) == []
    assert flags_of(replace(result, verdict=Verdict.WRONG_ANSWER), store) == []


def test_what_a_group_handed_in_is_one_file(store: ClassStore) -> None:
    students = [Student(name, name) for name in "abc"]
    answers: Answers = {"peg1": ({"peg1.py": "same"}, right("peg1"))}
    together = [(Attempt(who, 1, DUE, "submission_1"), answers) for who in "ab"]
    put(store, students, together, ("peg1",))
    assert class_numbers(standings_of(store)).alike == []
    put(store, students, [*together, (Attempt("c", 1, DUE, "submission_2"), answers)], ("peg1",))
    assert [each.students for each in class_numbers(standings_of(store)).alike] == [("a", "b", "c")]


def test_who_is_alike(store: ClassStore) -> None:
    stub = unwritten("peg3")
    wrong = failed("peg3", stuck=(Verdict.WRONG_ANSWER, "no"))
    answers: dict[str, tuple[str, list[Result]]] = {
        "a": ("same", right("peg3", 7)), "b": ("same", right("peg3", 7)), "c": ("other", right("peg3", 7)),
        "d": ("own", right("peg3", 8)), "e": ("its", right("peg3", 7, haystack=4)), "f": ("stub", stub), "g": ("stub", stub),
        "h": ("bad", wrong), "i": ("bad too", wrong),
        **{str(who): (str(who), right("peg3", 9)) for who in range(6)},  # so many have the same answers by chance
    }  # fmt: skip
    handed_in: dict[str, Answers] = {
        name: {"peg1": ({"peg1.py": files}, right("peg1")), "peg3": ({"peg3.py": files}, results)}
        for name, (files, results) in answers.items()
    }
    standings = one_attempt_each(store, handed_in, ("peg1", "peg3"))
    numbers = class_numbers(standings)
    found = [(each.tasks, each.students, each.same_files) for each in numbers.alike]
    assert found == [
        (["peg1", "peg3"], ("a", "b"), True),
        (["peg1"], ("f", "g"), True),  # that of peg3 is not written yet
        (["peg3"], ("a", "b", "c"), False),
    ]
    page = class_page.format_page(standings, numbers)
    assert re.search("The same answers</a> [(]1[)]", page)
    assert re.search('The same answers</h2> <span class="about">1</span>', page)


def test_who_handed_in_the_reference(store: ClassStore) -> None:
    """As it is, or with other names, without comments and in another format; nobody's own program."""
    reference = (paths.REFERENCE / "peg3.py").read_text("utf-8")
    renamed = ast.unparse(ast.parse(re.sub(r"\bboard\b(?!\.| import)", "b2", reference))).replace("'", '"')
    programs = {
        "a": reference,
        "b": renamed,
        "c": (ROOT / "tests/students/plain/peg3.py").read_text("utf-8"),
        "d": (ROOT / "student/peg3.py").read_text("utf-8"),
        "e": reference.replace("ht_lookup(unsolvable, key)", "not ht_lookup(unsolvable, key)"),
        "f": '"""\n#' * 1000,
        "g": reference.replace("if ht_lookup(unsolvable, key)", "if ht_lookup(key, unsolvable)"),
    }
    answers: dict[str, Answers] = {
        name: {"peg3": ({"peg3.py": text}, right("peg3"))} for name, text in programs.items()
    }
    standings = one_attempt_each(store, answers, ("peg3",))
    numbers = class_numbers(standings)
    assert numbers.references == {"a": ["peg3"], "b": ["peg3"]}
    page = class_page.format_page(standings, numbers)
    assert page.count("peg3: a copy of the course&#39;s own solution") == 2  # in the notes on both
    assert 'href="#copies-of-the-courses-own-solution"' in page


# ---- the leaderboard ----------------------------------------------------------------------------


def test_the_leaderboard_ranks_who_has_full_marks(store: ClassStore) -> None:
    claims = {"a": (5, 0.2), "b": (4, 9.0), "c": (5, 0.1), "d": (5, 0.2), "e": (1, 0.1)}
    answers = {
        name: right("peg3", states, cpu_s) if name != "e" else failed("peg3", key=(Verdict.TIMEOUT, "slow"))
        for name, (states, cpu_s) in claims.items()
    }
    put(store, [Student(name, f"Name {name}") for name in claims],
        [(Attempt(name, 1, DUE, ""), {"client": ({"c": name}, right("client")), "peg3": ({"p": name}, answers[name])}) for name in claims],
        ("client", "peg3"))  # fmt: skip
    standings = standings_of(store)
    ((task, ranked),) = leaderboard.places(standings)
    assert task.name == "peg3"
    checks = len(task.checks)
    assert [(place.rank, place.student, place.states) for place in ranked] == [
        (1, "b", 4 * checks), (2, "a", 5 * checks), (2, "c", 5 * checks), (2, "d", 5 * checks),
    ]  # fmt: skip
    with store.transaction() as db:  # what a program claims on a board could tell which board that is
        db.execute("UPDATE checks SET result = json_set(result, '$.hidden', json('true')) WHERE position = 3")
    ((_, shown),) = leaderboard.places(standings, hides=True)
    assert [(place.student, place.states) for place in shown] == [
        (place.student, place.states // checks * (checks - 1)) for place in ranked
    ]
    text = leaderboard.format_leaderboard(standings)
    assert "Name" not in text.replace("Names are", "")
    assert text == leaderboard.format_leaderboard(standings)  # the key is kept
    key = leaderboard.pseudonym_key(store)
    assert f"| 1 | {leaderboard.pseudonym(key, 'b')} | {4 * checks} |" in text
    assert "| 1 | Name b | 48 |" in leaderboard.format_leaderboard(standings, named=True)
    said = feedback.basis_of(standings.students[1], standings, leaderboard.pseudonym(key, "b"), "")
    assert said.about[-1] == f"your name on the leaderboard: {leaderboard.pseudonym(key, 'b')}"
    assert leaderboard.pseudonym(key, "b") != leaderboard.pseudonym("another key", "b")


# ---- feedback -----------------------------------------------------------------------------------


def test_feedback_in_every_format(store: ClassStore, policies: Policies, tmp_path: Path) -> None:
    small_class(store)
    standings = standings_of(store, policies)
    files = list(feedback.write_feedback(standings, tmp_path / "feedback", ANYWHERE, DUE))
    assert len(set(files)) == len(files) == 6 * len(ANYWHERE)
    for file in files:
        if file.name.startswith("ben.") and file.suffix != ".xml":
            assert "26:15:09 late" in file.read_text("utf-8"), file
    with pytest.raises(InputError, match="CLASSROOM"):
        write_reports(store, policies, tmp_path / "out", ["classroom50"])
    assert not (tmp_path / "out").exists()


def test_private_boards_are_hidden_until_the_rules_show_them(
    store: ClassStore, policies: Policies, tmp_path: Path
) -> None:
    small_class(store)
    visible = replace(policies, private_boards_visible=DUE)

    def told(policies: Policies, when: timedelta) -> str:
        standings = standings_of(store, policies)
        list(feedback.write_feedback(standings, tmp_path, ["table"], DUE + when))
        return (tmp_path / "dan.txt").read_text("utf-8")

    own = told(policies, timedelta())
    assert "german: IndexError: index 9" in own
    store.note(BOARDS, " --boards exam")
    hide_boards(store)
    for hidden in (told(policies, timedelta(days=9)), told(visible, timedelta(seconds=-1))):
        assert "german" not in hidden and "index 9" not in hidden and "big-diamond" not in hidden
        assert "exam" not in hidden
        assert "FAIL  hidden-4" in hidden and "peg1  13 / 15" in hidden
        assert "hash: expected 7, found 8" in hidden  # not about a board
    shown = told(visible, timedelta())
    assert "german: IndexError: index 9" in shown
    assert not re.search("(next|again): .*--boards exam", shown)


@pytest.mark.parametrize("format", ["table", "html", "markdown"])
def test_students_are_given_no_command_with_boards_of_the_staff(
    format: str, store: ClassStore, policies: Policies, tmp_path: Path
) -> None:
    """They have neither the set nor its boards, hidden or shown; without such boards the commands are there."""
    small_class(store)
    for visible, is_private in ((None, False), (None, True), (DUE, True)):
        if is_private:
            store.note(BOARDS, " --boards own --boards exam")
            hide_boards(store)
        standings = standings_of(store, replace(policies, private_boards_visible=visible))
        list(feedback.write_feedback(standings, tmp_path, [format], DUE))
        texts = (next(tmp_path.glob(f"{who}.*")).read_text("utf-8") for who in ("ada", "dan"))
        text = "".join(texts)
        commands = re.findall(r"grade (?:\w+ )?peg\d --board [\w-]+|grade peg\d[^\n<`]* --boards \w+", text)
        assert not is_private or not commands, commands
        assert is_private or format == "markdown" or commands


def test_nothing_that_students_get_depends_on_what_was_said_of_private_boards(
    store: ClassStore, policies: Policies, tmp_path: Path
) -> None:
    small_class(store)
    store.note(BOARDS, " --boards exam")
    hide_boards(store)

    def told() -> dict[str, str]:
        standings = standings_of(store, policies)
        files = list(feedback.write_feedback(standings, tmp_path, ANYWHERE, DUE))
        board = leaderboard.format_leaderboard(standings, hides=True)
        return {file.name: file.read_text("utf-8") for file in files} | {"leaderboard": board}

    before = told()
    with store.transaction() as db:
        db.execute(
            "UPDATE checks SET unsolvable = 987654, cpu_s = 98.76, message = 'said', result = json_set(result, "
            "'$.unsolvable', 987654, '$.cpu_s', 98.76, '$.wall_s', 987.6, '$.peak_mib', 987.6, '$.message', "
            "'said', '$.help', 'said', '$.place', 'said.py:3', '$.printed', 'said', '$.answer', 'said', "
            "'$.jumps', json('[[0, 0, 0, 2]]'), '$.figures', json('[[\"load\", \"98.76\"]]')) "
            "WHERE json_extract(result, '$.hidden')"
        )
        db.execute(
            "UPDATE checks SET verdict = 'memory', result = json_set(result, '$.verdict', 'memory') "
            "WHERE json_extract(result, '$.hidden') AND verdict NOT IN ('accepted', 'grader-error')"
        )
        assert db.execute("SELECT count(*) FROM checks WHERE verdict = 'memory'").fetchone()[0] > 1
    assert told() == before and "hidden-1" in before["dan.txt"]
    assert "98.76" not in "".join(before.values())


def test_without_jinja2_nothing_is_graded(tmp_path: Path) -> None:
    (tmp_path / "class" / "ada").mkdir(parents=True)
    without = "import sys; sys.modules['jinja2'] = None; from grader.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", without, "class", "class", "client"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert "class: needs jinja2, which is not installed; nothing was graded" in done.stderr
    assert "the extra `class`" in done.stderr and "pip install '.[class]'" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["class"]


def test_a_dry_run_says_what_would_be_done_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for who, text in {"ada": "a", "ben": "a", "cleo": "c"}.items():
        (tmp_path / "class" / who).mkdir(parents=True)
        (tmp_path / "class" / who / "client.py").write_text(text, "utf-8")
    (tmp_path / "class" / "dan").mkdir()
    (tmp_path / "roster.csv").write_text("id,name\nada,Ada\nben,Ben\ncleo,Cleo\neve,Eve\n", "utf-8")
    (tmp_path / "course.yaml").write_text("roster: roster.csv\n", "utf-8")
    typed = ["class", "class", "client", "--dry-run", "-j", "3"]
    assert cli.main(typed, standalone_mode=False) == 0
    told = capsys.readouterr().out
    assert re.search(r"^ada +Ada +class/ada +1 +client *$", told, re.MULTILINE), told
    dan = r"^dan +dan +class/dan +1 +client +the submission is empty; not on the roster$"
    assert re.search(dan, told, re.MULTILINE)
    assert re.search(r"^eve +Eve +0 +handed in nothing$", told, re.MULTILINE)
    wanted = "would grade 3 tasks of 4 students in about 2 s, 3 at a time (2.0 s a task on one core, a guess"
    assert wanted in told and told.endswith("nothing was graded, and nothing was written\n")
    with ClassStore(tmp_path / "class-graded", create=True) as store:
        store.note(SECONDS, "30.00")
    before = (tmp_path / "class-graded" / "class.sqlite").read_bytes()
    assert cli.main(typed, standalone_mode=False) == 0
    wanted = "in about 30 s, 3 at a time (30.0 s a task on one core, as in the last run)"
    assert wanted in capsys.readouterr().out
    assert (tmp_path / "class-graded" / "class.sqlite").read_bytes() == before
    with pytest.raises(InputError, match=r"^--roster: is not an option; course\.yaml says it$"):
        cli.main([*typed, "--roster", "roster.csv"], standalone_mode=False)
    with pytest.raises(InputError, match="-j is for processes"):
        cli.main([*typed, "--scheduler", "tcp://x:1"], standalone_mode=False)


def test_no_feedback_names_the_boards_of_a_run_that_hides_them(store: ClassStore, tmp_path: Path) -> None:
    """Nor that of a student of whom nothing was graded on them: the seed of random boards is as good as they are."""
    small_class(store)
    store.note(BOARDS, " --boards random:4:90210")
    files = list(feedback.write_feedback(standings_of(store), tmp_path, ["table", "json", "html"], DUE))
    assert len(files) > 3
    assert [file.name for file in files if "90210" in file.read_text("utf-8")] == []


def test_feedback_of_who_handed_in_nothing_any_more_is_taken_away(store: ClassStore, tmp_path: Path) -> None:
    small_class(store)
    before = {file.name for file in feedback.write_feedback(standings_of(store), tmp_path, ["table"], DUE)}
    put(store, [Student("ada", "Ada")], [], SMALL)
    assert list(feedback.write_feedback(standings_of(store), tmp_path, ["table"], DUE)) == []
    assert "ada.txt" in before and not (tmp_path / "ada.txt").exists()


def test_a_folder_that_cannot_be_written_is_told(store: ClassStore, tmp_path: Path) -> None:
    small_class(store)
    (tmp_path / "file").write_text("x")
    rules = Policies.none([registry().find(name) for name in SMALL])
    with pytest.raises(InputError, match="cannot be written"):
        write_reports(store, rules, tmp_path / "file", ["table"])


# ---- two runs -----------------------------------------------------------------------------------

LATE_DAYS = POLICY.replace("10}", "10, days: 1}")
GOOD: Answers = {"peg1": ({"peg1.py": "a"}, right("peg1")), "peg3": ({"peg3.py": "a"}, right("peg3", 7))}
SLOW: Answers = {**GOOD, "peg3": ({"peg3.py": "a"}, failed("peg3", key=(Verdict.TIMEOUT, "stopped")))}


def a_run(
    folder: Path,
    answers: dict[str, list[Answers]],
    policy: str = POLICY,
    hours: float = -2,
    tasks: tuple[str, ...] = ("peg1", "peg3"),
    **more: Any,
) -> Path:
    """Make a run: by student the answers of each attempt."""
    file = folder.with_suffix(".yaml")
    file.write_text(policy, "utf-8")
    attempts = [
        (Attempt(name, number, DUE + timedelta(hours=hours + number), name), each)
        for name, all_of in answers.items()
        for number, each in enumerate(all_of, 1)
    ]
    with ClassStore(folder, create=True) as store:
        put(store, [Student(name, name) for name in answers], attempts, tasks, **more)
        policies = read_policies(file, [registry().find(name) for name in tasks])
        compare.keep_grades(standings_of(store, policies), MADE)
    return folder


CASES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "nothing": ({}, []),
    "the line of a rule": ({"hours": 30, "policy": "# a comment\n" + POLICY}, []),
    "the files": (
        {"answers": {"ada": [{**SLOW, "peg3": ({"peg3.py": "b"}, SLOW["peg3"][1])}]}},
        ["25 / 25 -> 20 / 25 points", "key: accepted -> timeout (0.01 s -> 2.00 s of CPU)", "why: peg3.py is different"],
    ),
    "the boards": ({"answers": {"ada": [SLOW]}, "boards": "2"}, ["why: the boards are different"]),
    "the grader": ({"answers": {"ada": [SLOW]}, "grader": "2"}, ["why: the grader or the framework is different"]),
    "the limits": ({"answers": {"ada": [SLOW]}, "checks": "2", "grader": "2"}, ["why: points, limits or the list of checks are different", "why: the grader or the framework is different"]),
    "the tier": ({"answers": {"ada": [SLOW]}, "tier": 0}, ["why: tier 2 -> 0"]),
    "the machine": ({"answers": {"ada": [SLOW]}, "time_factor": 1.5}, ["why: time limits x 1.00 -> x 1.50: the machines are not equally fast"]),
    "noise": ({"answers": {"ada": [SLOW]}}, [f"why: {compare.NOISE}"]),
    "chance": ({"answers": {"ada": [{**GOOD, "peg3": ({"peg3.py": "a"}, unwritten("peg3"))}]}}, [f"why: {compare.CHANCE}"]),
    "another attempt": ({"answers": {"ada": [GOOD, GOOD]}}, ["attempt 1 -> 2", "why: the attempts are different"]),
    "the rules": ({"hours": 30, "policy": POLICY.replace("10}", "20}")}, ["12 -> 9 after late penalties and other course rules", "why: the course's rules are different"]),
    "the choice of attempts": (
        {"answers": {"ada": [GOOD, SLOW]}, "policy": POLICY + "attempt: first\n"},
        ["attempt 2 -> 1", "why: the course's rules choose another attempt"],
    ),
    "late days": (
        {"hours": 10, "policy": LATE_DAYS, "answers": {"ada": [{**GOOD, "peg1": ({"peg1.py": "b"}, unwritten("peg1"))}]}},
        ["peg3: 22.5 -> 25 after late penalties and other course rules; no more: 10 % for 1 late day", "why: late days are spent on other tasks"],
    ),
    "the time": ({"hours": 40}, ["no more: ", "why: handed in at another time"]),
    "a task more": ({"tasks": ("peg1",), "answers": {"ada": [{"peg1": GOOD["peg1"]}]}}, ["25 / 25 -> nothing", "why: graded only in the first run"]),
    "a student": ({"answers": {"ada": [GOOD], "ben": [GOOD]}}, ["only in the second run: ben"]),
    "nothing handed in": ({"answers": {"ada": []}}, ["15 / 15 -> nothing", "why: handed in only in the first run"]),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_what_differs_and_why(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed, expected = CASES[case]
    hours = 13 if case == "the time" else changed.get("hours", -2)
    policy = LATE_DAYS if case == "late days" else POLICY
    attempts = [GOOD, SLOW] if case == "the choice of attempts" else [GOOD]
    one = a_run(tmp_path / "one", {"ada": attempts}, policy, hours)
    other = a_run(tmp_path / "other", **{"answers": {"ada": [GOOD]}, **changed})
    typed = ["compare", str(one), str(other)]
    assert cli.main(typed, standalone_mode=False) == (1 if expected else 0)
    text = capsys.readouterr().out
    for line in expected:
        assert line in text
    assert ("nothing is different" in text) == (not expected)
    assert cli.main([*typed, "--format", "json"], standalone_mode=False) == (1 if expected else 0)
    data = json.loads(capsys.readouterr().out)
    assert data["schema"] == "peg-compare/v1"
    assert bool(data["changes"] or data["only"][1]) == bool(expected)


def test_the_whole_text_of_a_comparison(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    a_run(tmp_path / "one", {"ada": [GOOD], "ben": [GOOD], "cleo": [GOOD]})
    other = {**SLOW, "peg3": ({"peg3.py": "b"}, SLOW["peg3"][1])}
    a_run(tmp_path / "other", {"ada": [GOOD], "ben": [GOOD, other], "dan": [GOOD]}, hours=19, grader="0.2.0")
    comparison = compare.compare(Path("one"), Path("other"))
    expect("compare.txt", format_table(comparison), request)
    expect("compare.json", format_json(comparison), request)


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE[:-1], ids=range(len(HOSTILE) - 1))
def test_hostile_text_in_a_comparison(text: str, tmp_path: Path) -> None:
    name = text.encode("utf-8", "replace").decode()
    result = [replace(each, board=name, verdict=Verdict.CRASHED, points=0) for each in right("peg1")[:1]]
    one = a_run(tmp_path / "one", {name: [GOOD]})
    other = a_run(tmp_path / "other", {name: [{**GOOD, "peg1": ({name: "b"}, result)}], name + "2": [GOOD]})
    shown = format_table(compare.compare(one, other))
    assert is_plain(shown)
    whys = [line for line in shown.splitlines() if line.startswith("  why: ")]
    assert len(whys) == 2  # peg1.py is gone, another is there
    json.loads(format_json(compare.compare(one, other)))


def test_extra_tasks_with_a_weight_are_graded(tmp_path: Path) -> None:
    (tmp_path / "class/ada").mkdir(parents=True)
    for name in ("peg1.py", "fewest.py", "lab10.py"):
        (tmp_path / "class/ada" / name).write_text("x = 1\n")
    (tmp_path / "adjustments.yaml").write_text(
        "adjustments: [{student: ada, tasks: [peg1, fewest], plus: 2, reason: x}]\n"
    )
    rules = "tasks: {fewest: {weight: 5, bonus: true}}\nadjustments: adjustments.yaml\n"
    (tmp_path / "course.yaml").write_text(rules)
    done = grade("class", "class", "--dry-run", cwd=tmp_path)
    assert " fewest" in done.stdout and " lab10" not in done.stdout
    assert "does not grade" not in done.stderr
    done = grade("class", "class", "peg1", "--dry-run", cwd=tmp_path)
    assert "course.yaml: has weights of tasks that this run does not grade: fewest\n" in done.stderr
    told = "adjustments.1, adjustments.yaml:1: about tasks that this run does not grade: fewest\n"
    assert told in done.stderr


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "class/ada").mkdir(parents=True)
    (tmp_path / "class/ada/peg1.py").write_text("")
    (tmp_path / "summary.md").write_text("mine")
    done = grade("class", "class", "peg1", "-o", ".", cwd=tmp_path)
    assert done.returncode == 2 and "-o .: holds other files\n" in done.stderr
    assert (tmp_path / "summary.md").read_text() == "mine"
    (tmp_path / "out").mkdir()
    (tmp_path / "out/.class.sqlite.lock").touch()  # as a first run leaves it whose disk is full
    assert grade("class", "class", "peg1", "-o", "out", "--dry-run", cwd=tmp_path).returncode == 0
    (tmp_path / "Course.yml").write_text("")
    done = grade("class", "class", "peg1", cwd=tmp_path)
    assert done.returncode == 2 and "Course.yml: the course's rules are read from course.yaml" in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root makes folders of another user")
def test_an_output_folder_of_another_user_is_refused(tmp_path: Path) -> None:
    (tmp_path / "class/ada").mkdir(parents=True)
    (tmp_path / "class/ada/peg1.py").write_text("")
    for name, user in (("class-graded", 65534), ("ours", os.getuid())):
        (tmp_path / name).mkdir()
        os.chown(tmp_path / name, user, -1)
    done = grade("class", "class", "peg1", "--dry-run", cwd=tmp_path)
    assert (done.returncode, "it is another user's" in done.stderr) == (2, True)
    assert grade("class", "class", "peg1", "--dry-run", "-o", "ours", cwd=tmp_path).returncode == 0
    os.chown(tmp_path / "class", 65534, -1)  # not even by whose the submissions are
    assert grade("class", "class", "peg1", "--dry-run", cwd=tmp_path).returncode == 2
    os.chown(tmp_path / "class", os.getuid(), -1)
    (tmp_path / "link").symlink_to("ours")
    os.chown(tmp_path / "link", 65534, -1, follow_symlinks=False)
    done = grade("class", "class", "peg1", "--dry-run", "-o", "link", cwd=tmp_path)
    assert (done.returncode, "it is another user's" in done.stderr) == (2, True)
    (tmp_path / "course.yaml").write_text("schema: peg-course/v1\n")
    os.chown(tmp_path / "course.yaml", 65534, -1)
    tmp_path.chmod(0o1777)
    done = grade("class", "class", "peg1", "--dry-run", "-o", "ours", cwd=tmp_path)
    assert (done.returncode, "course.yaml: somebody else's" in done.stderr) == (2, True)
    (tmp_path / "course.yaml").rename(tmp_path / "class/course.yaml")
    for mode, refused in ((0o2770, True), (0o700, False)):  # a drop box of a group; one's own
        (tmp_path / "class").chmod(mode)
        done = grade("class", ".", "peg1", "--dry-run", "-o", "../ours", cwd=tmp_path / "class")
        assert ("course.yaml: somebody else's" in done.stderr) == refused


def test_what_cannot_be_compared(tmp_path: Path) -> None:
    one = a_run(tmp_path / "one", {"ada": [GOOD]})
    with pytest.raises(InputError, match=r"found no class\.sqlite"):
        compare.compare(one, tmp_path / "none")
    ClassStore(tmp_path / "begun", create=True).close()
    with pytest.raises(InputError, match="expected a finished run"):
        compare.compare(one, tmp_path / "begun")


# ---- the page -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standings]:
    with ClassStore(tmp_path_factory.mktemp("large"), create=True) as store:
        class_by_lot(store, CLASS)
        yield standings_of(store)


@pytest.fixture(scope="module")
def large_page(large: Standings, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("page") / "index.html"
    path.write_text(class_page.format_page(large, class_numbers(large)), "utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def small_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("small")
    with ClassStore(folder, create=True) as store:
        small_class(store)
        standings = standings_of(store)
        (folder / "index.html").write_text(
            class_page.format_page(standings, class_numbers(standings)), "utf-8"
        )
    return (folder / "index.html").as_uri()


@pytest.mark.slow
def test_the_page_of_a_large_class_is_small_and_complete(
    large: Standings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert class_page.TALKED == 3  # so that all is read in 20 seconds
    monkeypatch.setattr(class_page, "TALKED", 7)  # no reason of this class has fewer students
    text = class_page.format_page(large, class_numbers(large))
    assert len(text.encode()) < 150_000 + 900 * CLASS  # so 1,000 students have about 1 MB
    rows = re.findall(
        r'<tr id="row-\d+" data-short=.*<th scope="row">(?:<a href="feedback/s\d{4}\.txt">)?(s\d{4})(?:</a>)?<td>',
        text,
    )
    assert rows == [f"s{number:04}" for number in range(CLASS)]
    reasons = text.partition("</ol>")[0].split('class="why"')[1:]
    named = [(each.count('href="#row-'), int(re.search(r"(\d+) student", each)[1])) for each in reasons]
    assert {shown for shown, of in named if of > 7} == {0}
    assert {shown == of for shown, of in named if of <= 7} == {True}
    assert text.count('<a href="feedback/s0000.txt">') >= 1  # who handed in has feedback to read
    assert '<a href="feedback/s0019.txt">' not in text  # who did not has none


@pytest.mark.slow
def test_every_cell_of_the_map_is_drawn_once(large: Standings) -> None:
    drawn = class_page.outcomes(large)
    row = drawn["row"]
    heights = {
        outcome: sum(float(run) for run in re.findall(r"v([\d.]+)", path)) / row
        for outcome, path in drawn["paths"].items()
    }
    ended = Counter(each.verdict for each in large.checks)
    assert ended.keys() == {Verdict.ACCEPTED, *(verdict for verdict, _, _ in FAILED)}
    assert round(heights["ok"] + heights["part"]) == ended[Verdict.ACCEPTED]
    assert round(heights["slow"]) == ended[Verdict.TIMEOUT]


@pytest.mark.slow
def test_tables_are_sorted_by_a_click(visits: Visits, large_page: str) -> None:
    page = visits.window()
    page.goto(f"{large_page}#students")
    rows = page.locator(".students tbody tr")
    assert rows.count() == CLASS

    def column(number: int) -> list[str]:
        cells: list[str] = page.evaluate(
            "n => [...document.querySelectorAll('.students tbody tr')].map(row => row.cells[n].textContent.trim())",
            number,
        )
        return cells

    page.get_by_role("button", name="total").click()
    totals = [float(cell) for cell in column(4 + len(TASKS))]
    assert totals == sorted(totals, reverse=True)
    assert page.locator("th[aria-sort]").get_attribute("aria-sort") == "descending"
    page.get_by_role("button", name="total").click()
    assert [float(cell) for cell in column(4 + len(TASKS))] == sorted(totals)
    page.locator(".students").get_by_role("button", name="peg1").click()
    points = column(5)
    assert points[-CLASS // 20 :] == [""] * (
        CLASS // 20
    )  # who handed in nothing is last, however it is sorted
    page.locator(".students").get_by_role("button", name="peg1").click()
    assert column(5)[-CLASS // 20 :] == [""] * (CLASS // 20)
    page.get_by_role("button", name="id", exact=True).press("Enter")
    assert column(0) == sorted(column(0))


@pytest.mark.slow
def test_students_are_found_by_what_they_got_wrong(visits: Visits, large: Standings, large_page: str) -> None:
    page = visits.window()
    page.goto(f"{large_page}#students")
    said, rows = page.locator("#shown"), page.locator(".students tbody tr:visible")

    def shown() -> list[str]:
        return [text.strip() for text in page.locator(".students tbody tr:visible th").all_text_contents()]

    assert said.inner_text() == f"{CLASS} of {CLASS} students"
    page.get_by_label("Search").fill("s\u0301017")  # an accent is nothing
    some = list(range(170, 180))
    assert shown() == [f"s{number:04}" for number in some]
    page.get_by_label("Section", exact=True).select_option("2")
    assert shown() == [f"s{number:04}" for number in some if number % 3 == 2]
    page.get_by_role("button", name="Show everybody").click()
    page.get_by_label("Without full marks in").select_option("peg2")
    short = [
        each for each in large.students if any(g.task == "peg2" and g.raw < g.max for g in each.grade.tasks)
    ]
    assert set(shown()) == {each.student.id for each in short} and 0 < len(short) < CLASS
    points = [
        cell for cell in page.locator(".students tbody tr:visible td:nth-child(7)").all_inner_texts() if cell
    ]
    assert list(map(float, points)) == sorted(map(float, points))  # who has the fewest is first
    assert any(re.search("peg2[,:]", text) for text in rows.all_inner_texts()[:5])  # and why
    page.get_by_label("Without full marks in").select_option("peg2 plus")
    failed = {  # not those who never ran it
        each.student
        for each in large.checks
        if (each.task, each.board) == ("peg2", "plus")
        and each.verdict not in UNWRITTEN
        and each.points < each.most
    }
    assert set(shown()) == failed and 0 < len(failed) < CLASS
    assert said.inner_text().endswith("without full marks in peg2 plus, which they ran")
    for handed in ("something", "nothing"):
        page.get_by_role("button", name="Show everybody").click()
        page.get_by_label("Handed in", exact=True).select_option(handed)
        who = [each.student.id for each in large.students if bool(each.counted) == (handed == "something")]
        assert set(shown()) == set(who) and 0 < len(who) < CLASS
        assert said.inner_text() == f"{len(who)} of {CLASS} students who handed in {handed}"
    page.locator("#mistakes > summary").click()
    message = page.locator("#mistakes tbody tr").first
    number = int(message.locator("td").nth(1).inner_text())
    message.get_by_role("button", name="show").click()
    told = f"{number} of {CLASS} students: "
    assert rows.count() == number and said.inner_text().startswith(told)
    assert page.evaluate("document.activeElement.id") == "everybody"
    section = {each.student.id: each.student.section for each in large.students}[shown()[0]]
    page.get_by_label("Section", exact=True).select_option(section)  # both filters are named
    assert 0 < rows.count() <= number
    assert "students: " in said.inner_text() and said.inner_text().endswith(f"; in section {section}")


@pytest.mark.slow
def test_links_lead_to_those_they_speak_of(visits: Visits, large: Standings, large_page: str) -> None:
    page = visits.window()
    page.goto(large_page)
    rows = page.locator(".students tbody tr:visible")
    costliest = class_numbers(large).mistakes[0]
    page.get_by_role("link", name="Show who").first.click()
    assert [row.split()[0] for row in rows.all_inner_texts()] == costliest.who != []
    page.go_back()
    page.get_by_role("button", name="Show everybody").click()
    page.get_by_label("Without full marks in").select_option("peg2")
    short = rows.count()
    rows.locator("a").first.evaluate("link => { link.href = 'about:blank'; link.click(); }")
    page.wait_for_url("about:blank")
    page.go_back()
    page.wait_for_function("document.getElementById('task')?.value === 'peg2'")
    page.wait_for_function(
        f"document.querySelectorAll('.students tbody tr:not([hidden])').length === {short}"
    )
    page.get_by_role("link", name="15 students").click()
    page.locator("#nothing-handed-in a").first.click()
    page.get_by_label("Search").fill("nobody")
    page.locator("#nothing-handed-in a").first.click()
    assert rows.count() == CLASS and page.locator("tr:target").inner_text().startswith("s0019")
    heading = page.get_by_role("button", name="total")
    assert heading.bounding_box()["y"] > 0  # far below the top of a table that is not wider than the page
    page.set_viewport_size({"width": 360, "height": 800})
    page.wait_for_function("document.querySelector('.wide.fits .students')")  # notes stand below the points


@pytest.mark.slow
def test_the_map_says_whose_cell_it_is(visits: Visits, large: Standings, large_page: str) -> None:
    page = visits.window()
    page.goto(large_page)
    best = max(large.students, key=lambda each: each.grade.total).student
    cells = page.get_by_role("region", name="Outcomes of all checks")
    first = registry().find("client").checks[0].name
    cells.press("Home")
    assert (
        page.locator("#cell").inner_text().startswith(f"{best.id}, {best.name}: client {first}: all points")
    )
    cells.press("ArrowDown")
    below = page.locator("#cell").inner_text()
    assert best.id not in below
    box = page.locator("svg.map").bounding_box()
    page.mouse.move(box["x"] + 14, box["y"] + class_page.MAP_TOP + 1)  # the first column, the first row
    assert page.locator("#cell").inner_text().startswith(best.id)
    cells.press("Enter")
    assert page.evaluate("document.activeElement.getAttribute('href')") == f"feedback/{best.id}.txt"
    assert page.locator("tr:target th").inner_text() == best.id
    assert page.locator("#cell").inner_text() == ""


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_easy_to_use_on_a_phone(visits: Visits, small_page: str, scheme: str) -> None:
    axe = axe_source()
    page = visits.window(viewport=PHONE, color_scheme=scheme)
    page.goto(small_page)
    assert accessibility_faults(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", paper))) < 384) == (scheme == "dark")


def test_the_page_can_be_read_without_javascript_and_on_paper(visits: Visits, small_page: str) -> None:
    page = visits.window(java_script_enabled=False)
    page.goto(small_page)
    assert page.locator("button:visible").count() == 0
    assert not page.get_by_text("Click a heading to sort").is_visible()
    page.locator("#students > summary").click()
    assert page.locator(".students tbody tr:visible").count() == 7
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator("svg.map").is_visible()


def test_the_browser_runs_nothing_of_a_hostile_class(visits: Visits, tmp_path: Path) -> None:
    page = visits.window()
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    for number, attack in enumerate(ATTACKS):
        with ClassStore(tmp_path / str(number), create=True) as store:
            standings = attacked(attack.encode("utf-8", "replace").decode(), store)
            path = tmp_path / f"{number}.html"
            path.write_text(class_page.format_page(standings, class_numbers(standings)), "utf-8")
        page.goto(path.as_uri())
        assert page.locator("img, iframe, script:not(body > script)").count() == 0
        assert page.locator(".students tbody tr").count() == 2
    assert dialogs == []


def test_the_line_of_a_mistake_is_counted_as_python_counts() -> None:
    sources = Sources({"peg1.py": "a = 1\n\x0c\x85\u2028b = 2\nc = 3\n"})
    store = SimpleNamespace(sources_called=lambda digest: sources)
    standings: Any = SimpleNamespace(rows=lambda *_: [[sources.digest]], store=store)
    cause = Result("peg1", "plus", Verdict.CRASHED, 1, place="student/peg1.py:3")
    assert class_mistakes._line(standings, class_mistakes.Failed("ada", cause, [])) == "peg1.py:3: c = 3"
