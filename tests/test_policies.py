"""A course's policies: a table of cases worked by hand, what always holds, and files with mistakes."""

import contextlib
import os
from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.catalog.tasks import registry
from grader.course.records import Attempt, Student
from grader.course.rules import times
from grader.course.rules.applying import attempts_that_may_count, grade_of
from grader.course.rules.grades import Grade, Place, without_lowest
from grader.course.rules.lateness import LateRule
from grader.course.rules.policies import ATTEMPTS, Given, Policies, TaskPolicy, unknown_students
from grader.course.rules.policy_file import read_policies
from grader.course.rules.times import Length, days_between, hours_between, plus
from grader.errors import InputError
from grader.judging.board_choice import BoardChoice

HERE = Path(__file__).parent
EXAMPLE = HERE.parent / "grader" / "course" / "rules" / "example" / "course.yaml"
TASKS = registry().tasks
ADA = Student("ada", "Ada", "ada@example.edu")
SHEET: dict[str, Any] = yaml.load((HERE / "policies/cases.yaml").read_text("utf-8"), yaml.BaseLoader)


def attempt_of(number: int, case: Mapping[str, str]) -> Attempt:
    at = datetime.fromisoformat(case["at"]) if "at" in case else None
    late = case.get("platform") == "late"
    return Attempt("ada", number, at, f"ada/{number}", case.get("problem", ""), late_by_platform=late)


def points_of(case: Mapping[str, str]) -> dict[str, tuple[int, int]]:
    pairs = {task: case[task].split("/") for task in TASKS if task in case}
    return {task: (int(points), int(most)) for task, (points, most) in pairs.items()}


def read(text: str, folder: Path, *tasks: str) -> Policies:
    file = folder / "course.yaml"
    file.write_text(text, "utf-8")
    return read_policies(file, [TASKS[name] for name in tasks or TASKS])


@pytest.mark.parametrize("case", SHEET["cases"], ids=lambda case: case["name"])
def test_case(case: dict[str, Any], tmp_path: Path) -> None:
    more = dict(case["expect"])
    expected = {task: more.pop(task) for task in TASKS if task in more}
    graded = [TASKS[name] for name in expected]
    policies = read_policies(None, graded)
    if "policy" in case:
        text = SHEET["policies"][case["policy"]]
        if "attempt" in case:
            text = text.replace("attempt: latest", f"attempt: {case['attempt']}")
        policies = read(text, tmp_path, *expected)
    attempts = [attempt_of(number, each) for number, each in enumerate(case["attempts"], 1)]
    points = {number: points_of(each) for number, each in enumerate(case["attempts"], 1)}

    grade = grade_of(policies, ADA, attempts, points)
    if policies.dropping is not None:
        grade = without_lowest(grade, policies.dropping)

    for found in grade.tasks:
        wanted = expected[found.task]
        number = wanted.get("attempt")
        assert found.attempt == (number and int(number))
        assert (str(found.raw), str(found.adjusted)) == (wanted.get("raw", "0"), wanted["adjusted"])
        assert times.in_words(found.late) == wanted.get("late", "0 s")
        assert list(map(str, found.rules)) == wanted.get("rules", [])
        assert str(found.counted) == wanted.get("counted", str(found.counted))
        assert str(found.max) == wanted.get("max", str(found.max))
    assert f"{grade.total} / {grade.max_total}" == more.pop("total")
    assert str(grade.raw_total) == more.pop("raw_total", str(grade.raw_total))
    assert str(grade.late_days_used) == more.pop("late_days", "0")
    assert list(grade.notes) == more.pop("notes", [])
    assert not more, "an expectation that is not looked at"


def test_every_policy_of_the_table_is_used() -> None:
    assert set(SHEET["policies"]) == {case["policy"] for case in SHEET["cases"] if "policy" in case}


# ---- what always holds ---------------------------------------------------------------------------

DUE = datetime(2026, 10, 30, 22, tzinfo=UTC)  # the night when New York's clocks are put back is in reach
ZONES = st.sampled_from(["America/New_York", "Europe/Berlin", "Australia/Lord_Howe"]).map(ZoneInfo)
SPANS = st.integers(-3 * 86_400, 9 * 86_400).map(lambda seconds: timedelta(seconds=seconds))
NAMES = ("peg1", "peg2", "peg3")


@st.composite
def late_rules(draw: st.DrawFn) -> LateRule:
    days = draw(st.none() | st.integers(0, 4))
    return LateRule(
        percent=draw(st.none() | st.decimals(0, 100, places=2)),
        hourly=draw(st.booleans()),
        started=draw(st.booleans()),
        floor=draw(st.decimals(0, 100, places=2)),
        accepted_until=draw(
            st.none()
            | st.builds(Length, st.integers(0, 5))
            | st.integers(0, 5).map(lambda days: DUE + timedelta(days=days))
        ),
        days=days,
        days_per_task=None if days is None else draw(st.none() | st.integers(0, 3)),
        places=defaultdict(lambda: Place("late")),
    )


@st.composite
def courses(draw: st.DrawFn, names: tuple[str, ...] = NAMES) -> Policies:
    tasks = tuple(
        TaskPolicy(
            name,
            20,
            due=draw(st.none() | st.integers(0, 3).map(lambda days: DUE + timedelta(days=days))),
            attempt=draw(st.sampled_from(list(ATTEMPTS))),
            weight=draw(st.none() | st.decimals(0, 100, places=2)),
        )
        for name in names
    )
    grace = timedelta(minutes=draw(st.sampled_from([0, 10, 3000])))
    return Policies(tasks, draw(ZONES), grace, late=draw(st.none() | late_rules()))


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[Attempt], dict[int, dict[str, tuple[int, int]]]]:
    spans = draw(st.lists(st.none() | SPANS, max_size=4))
    problem = st.sampled_from(["", "", "no"])
    attempts = [
        Attempt("ada", number, None if span is None else DUE + span, "", draw(problem))
        for number, span in enumerate(spans, 1)
    ]
    points = {each.number: {name: (draw(st.integers(0, 20)), 20) for name in NAMES} for each in attempts}
    return attempts, points


@pytest.mark.slow
@settings(max_examples=200)
@given(courses(), histories(), st.randoms())
def test_lateness_takes_what_it_says_and_no_more(policies: Policies, history: Any, random: Any) -> None:
    attempts, points = history
    grade = grade_of(policies, ADA, attempts, points)
    for each in grade.tasks:
        assert each.adjusted == each.raw + sum(rule.change for rule in each.rules)
        assert 0 <= each.adjusted <= each.raw <= each.max
        assert 0 <= each.counted <= each.weight
    assert 0 <= grade.total <= grade.raw_total <= grade.max_total
    assert grade.total == sum(each.counted for each in grade.tasks)
    budget = policies.late.days if policies.late else None
    assert 0 <= grade.late_days_used <= (budget or 0)
    shuffled = list(attempts)
    random.shuffle(shuffled)
    assert grade_of(policies, ADA, shuffled, points) == grade


@pytest.mark.slow
@settings(max_examples=200)
@given(courses(("peg1",)), SPANS, SPANS, st.integers(0, 20))
def test_later_never_earns_more(policies: Policies, one: timedelta, other: timedelta, earned: int) -> None:
    def adjusted(span: timedelta) -> Decimal:
        attempt = Attempt("ada", 1, DUE + span, "")
        return grade_of(policies, ADA, [attempt], {1: {"peg1": (earned, 20)}}).tasks[0].adjusted

    assert adjusted(max(one, other)) <= adjusted(min(one, other))


def test_a_file_that_is_kept_keeps_its_time(tmp_path: Path) -> None:
    policies = read(SHEET["policies"]["percent"], tmp_path, "peg1", "peg2")
    due = policies.tasks[0].due
    assert due is not None
    attempts = [Attempt("ada", 1, due, ""), Attempt("ada", 2, due + timedelta(2), "", new=("peg2.py",))]
    points = {number: {"peg1": (15, 15), "peg2": (20, 20)} for number in (1, 2)}
    of_peg1, of_peg2 = grade_of(policies, ADA, attempts, points).tasks
    assert (of_peg1.attempt, of_peg1.adjusted) == (1, 15)
    assert of_peg2.attempt == 2 and of_peg2.adjusted < 20


@pytest.mark.slow
@given(courses(), histories())
def test_only_attempts_that_may_count_do(policies: Policies, history: Any) -> None:
    attempts, points = history
    needed = attempts_that_may_count(policies, ADA, attempts)
    grade = grade_of(policies, ADA, attempts, points)
    assert {each.attempt for each in grade.tasks if each.attempt is not None} <= needed
    fewer = {number: points[number] for number in needed}
    assert grade_of(policies, ADA, attempts, fewer) == grade


@given(ZONES, st.datetimes(datetime(2025, 1, 1), datetime(2027, 1, 1)), st.integers(0, 400))
def test_days_are_counted_as_they_are_added(zone: ZoneInfo, start: datetime, days: int) -> None:
    begin = start.replace(microsecond=0, tzinfo=UTC)
    end = plus(begin, Length(days), zone)
    second = timedelta(seconds=1)
    assert abs(end - begin - timedelta(days=days)) <= timedelta(hours=1)
    assert days_between(begin, end, zone, True) == days_between(begin, end, zone, False) == days
    assert days_between(begin, end + second, zone, True) == days + 1
    assert days_between(begin, end + second, zone, False) == days
    if days:
        assert days_between(begin, end - second, zone, False) == days - 1


def test_hours() -> None:
    seconds = [-7200, 0, 1, 3599, 3600, 3601]
    ends = [DUE + timedelta(seconds=each) for each in seconds]
    assert [hours_between(DUE, end, True) for end in ends] == [0, 0, 1, 1, 1, 2]
    assert [hours_between(DUE, end, False) for end in ends] == [0, 0, 0, 0, 1, 1]


def test_a_time_at_the_end_of_all_times(tmp_path: Path) -> None:
    policies = read(SHEET["policies"]["percent"], tmp_path, "peg1")
    for at in (datetime.max.replace(tzinfo=UTC), datetime.min.replace(tzinfo=UTC)):
        grade = grade_of(policies, ADA, [Attempt("ada", 1, at, "")], {1: {"peg1": (15, 15)}})
        assert grade.total == (0 if at.year > 2026 else 15)


def test_where_nobody_has_a_time_no_note_says_so_again(tmp_path: Path) -> None:
    policies, points = read(SHEET["policies"]["percent"], tmp_path, "peg1"), {1: {"peg1": (15, 15)}}
    attempts = [Attempt("ada", 1, None, "")]
    notes = [grade_of(policies, ADA, attempts, points, timed=timed).notes for timed in (True, False)]
    assert notes == [("no time is known for attempt 1: counted as on time",), ()]


def test_points_there_are_where_nothing_was_handed_in() -> None:
    grade = grade_of(Policies.none([TASKS["peg1"]]), ADA, [], {}, {"peg1": 7})
    assert (grade.tasks[0].max, str(grade.max_total)) == (7, "7.00")


# ---- the example, private boards, extensions for nobody ------------------------------------------


def example_grade(student: Student, at: str) -> Grade:
    policies = read_policies(EXAMPLE, list(TASKS.values()))
    full = {name: (task.max_points, task.max_points) for name, task in TASKS.items()}
    attempt = Attempt(student.id, 1, datetime.fromisoformat(at), "")
    return grade_of(policies, student, [attempt], {1: full})


def test_the_example() -> None:
    policies = read_policies(EXAMPLE, list(TASKS.values()))
    on_time = example_grade(ADA, "2026-10-01T12:00:00Z")
    # client 10, peg1 15, peg2 20, peg3 25, peg4 and peg5 12.5 each, and 5 for fewest
    assert (str(on_time.total), str(on_time.max_total)) == ("100.00", "95.00")
    # peg2 a day late: one of four late days; client and peg1 are no longer accepted
    late = example_grade(Student("eve", "Eve"), "2026-10-24T12:00:00Z")
    assert (str(late.total), late.late_days_used) == ("75.00", 1)
    students = [ADA, Student("cleo", "Cleo"), Student("b", "Ben", "BEN@example.edu")]
    nobody = "no student 'dan'; did you mean ada? write the id or the e-mail address"
    assert unknown_students(policies, students) == [f"extensions.4, course.yaml:64: {nobody}"]
    # nobody hands in after 2026-12-11 23:59, seven days after the last due date
    assert policies.private_boards_visible == datetime(2027, 2, 1, 5, tzinfo=UTC)


def test_an_extension_for_a_misspelt_student(tmp_path: Path) -> None:
    policies = read(SHEET["policies"]["somebody-else"], tmp_path)
    assert unknown_students(policies, [ADA, Student("ben", "Ben")]) == [
        "extensions.1, course.yaml:5: no student 'ada@example.com'; did you mean ada@example.edu? "
        "write the id or the e-mail address"
    ]


AFTER_DUE = "private_boards: {visible: after due}\n"


@pytest.mark.parametrize(
    ("lines", "visible"),
    [
        ("", None),
        ("private_boards: {visible: never}", None),
        ("private_boards: {visible: 2026-12-24 12:00 +01:00}", "2026-12-24 11:00"),
        (f"{AFTER_DUE}late: {{accepted_until: 0 days}}", "2026-10-09 23:59"),
        (f"{AFTER_DUE}late: {{accepted_until: 0 days}}\ngrace: 1 minute", "2026-10-10 00:00"),
        (f"{AFTER_DUE}late: {{accepted_until: 2 days}}", "2026-10-11 23:59"),
        (f"{AFTER_DUE}late: {{accepted_until: 2026-10-11 00:00Z}}", "2026-10-11 00:00"),
        (f"{AFTER_DUE}attempt: latest\nlate: {{accepted_until: 0 days}}\ntasks: {{peg5: {{due: 2026-11-01 00:00Z}}}}", "2026-11-01 00:00"),
        (f"{AFTER_DUE}late: {{accepted_until: 0 days}}\nextensions: [{{student: a, more: 1 hour}}, {{student: b, due: 2026-10-20 12:00Z}}]",
         "2026-10-20 12:00"),
    ],
)  # fmt: skip
def test_when_private_boards_are_visible(lines: str, visible: str | None, tmp_path: Path) -> None:
    found = read(f"due: 2026-10-09 23:59Z\n{lines}\n", tmp_path).private_boards_visible
    assert (found and f"{found:%Y-%m-%d %H:%M}") == visible


@pytest.mark.parametrize("count", ["started", "whole"])
@pytest.mark.parametrize(
    "late",
    [
        "days: 4", "days: 4, days_per_task: 2", "days: 0", "percent_per_day: 30", "percent_per_hour: 20",
        "percent_per_day: 100", "days: 2, percent_per_day: 50", "days: 1, percent_per_hour: 3",
    ],
)  # fmt: skip
def test_private_boards_are_visible_when_late_work_earns_nothing_any_more(
    late: str, count: str, tmp_path: Path
) -> None:
    more = "extensions: [{student: ben, late_days: 1}, {student: ada, late_days: 2}]\n" * ("days:" in late)
    rules = f"due: 2026-10-09 23:59Z\nlate: {{{late}, count: {count}}}\n{more}private_boards: {{visible: "
    policies = read(f"{rules}after due}}\n", tmp_path, "peg1")
    visible, second = policies.private_boards_visible, timedelta(seconds=1)
    assert visible is not None

    def total(at: datetime) -> Decimal:
        return grade_of(policies, ADA, [Attempt("ada", 1, at, "")], {1: {"peg1": (15, 15)}}).total

    assert total(visible + second) == 0 < total(visible - second)
    assert read(f"{rules}{visible:%Y-%m-%d %H:%MZ}}}\n", tmp_path).private_boards_visible == visible
    with pytest.raises(InputError, match="work can be handed in until"):
        read(f"{rules}{visible - second:%Y-%m-%d %H:%M:%SZ}}}\n", tmp_path)


# ---- files with mistakes -------------------------------------------------------------------------

A_TIME = "a time such as 2026-10-09 23:59"
A_LENGTH = "a length of time such as 10 minutes or 2 days 12 hours"
CORRECT = "correct that field"
FIELDS = "fields: schema, timezone, due, grace, attempt, attempts, late, drop_lowest, tasks, extensions, private_boards, style, roster, times, adjustments, boards, feedback, leaderboard"
TASK_NAMES = "tasks: client, peg1, peg2, peg3, peg4, peg5, lab10, fewest, examples"
DUE_LINE = "due: 2026-10-09 23:59Z\n"

LONG = "1" + "0" * 11 + "..." + "0" * 13  # 10**400 in a message
MISTAKES = [  # the file, where and what, what to do
    ("- due\n", "1:1: expected a mapping, found a list", CORRECT),
    ("due\n", "1:1: expected a mapping, found 'due'", CORRECT),
    ("schema: peg-course/v2\n", "1:9: schema: expected peg-course/v1, found 'peg-course/v2'", "use a file of this version"),
    ("graze: 5 minutes\n", "1:1: no field 'graze'", f"did you mean grace? {FIELDS}"),
    ("late:\n  flor: 5\n", "2:3: late: no field 'flor'", "did you mean floor? fields: percent_per_day, percent_per_hour, count, floor, accepted_until, days, days_per, days_per_task"),
    (f"{DUE_LINE}grace: 1 h\n{DUE_LINE}", "3:1: due: appears twice, first in line 1", "keep one of the two"),
    ("tasks:\n  peg1: {weight: 1}\n  peg1: {weight: 2}\n", "3:3: tasks.peg1: appears twice, first in line 2", "keep one of the two"),
    ("? [a]\n: b\n", "1:3: expected a text as name, found a list", CORRECT),
    ("timezone: Europe/Berln\n", "1:11: timezone: no time zone 'Europe/Berln'", "did you mean Europe/Berlin? time zones: America/New_York, Europe/Berlin, UTC …"),
    ("timezone: ../../etc/passwd\n", "1:11: timezone: no time zone '../../etc/passwd'", "time zones: America/New_York, Europe/Berlin, UTC …"),
    ("timezone: [UTC]\n", "1:11: timezone: expected a time zone such as Europe/Berlin, found a list", CORRECT),
    ("due: 2026-10-09 23:59\n", "1:6: due: expected a time zone, found none", "add timezone: Europe/Berlin, say; or write 2026-10-09 23:59 +02:00"),
    ("due: 2026-10-09\n", f"1:6: due: expected {A_TIME}, found '2026-10-09'", CORRECT),
    ("due: 23:59\n", f"1:6: due: expected {A_TIME}, found '23:59'", CORRECT),
    ("due: 2026-02-30 12:00Z\n", f"1:6: due: expected {A_TIME}, found '2026-02-30 12:00Z'", CORRECT),
    ("due: 2026-10-09 24:00Z\n", f"1:6: due: expected {A_TIME}, found '2026-10-09 24:00Z'", CORRECT),
    ("due: 9 October\n", f"1:6: due: expected {A_TIME}, found '9 October'", CORRECT),
    ("due: 9999-12-31 23:59 -12:00\n", f"1:6: due: expected {A_TIME}, found '9999-12-31 23:59 -12:00'", CORRECT),
    ("due: {peg1: 5}\n", f"1:6: due: expected {A_TIME}, found a mapping", CORRECT),
    ("timezone: Europe/Berlin\ndue: 2026-03-29 02:30\n", "2:6: due: 2026-03-29 02:30 does not exist in Europe/Berlin, where clocks are put forward", "write 2026-03-29 01:30 or 2026-03-29 03:30"),
    ("timezone: Europe/Berlin\ndue: 2026-10-25 02:30\n", "2:6: due: 2026-10-25 02:30 comes twice in Europe/Berlin, where clocks are put back", "write 2026-10-25 02:30 +02:00 for the first, 2026-10-25 02:30 +01:00 for the second"),
    ("grace: 15\n", f"1:8: grace: expected {A_LENGTH}, found 15", CORRECT),
    ("grace: -5 minutes\n", f"1:8: grace: expected {A_LENGTH}, found '-5 minutes'", CORRECT),
    ("attempt: last\n", "1:10: attempt: expected one of latest, best, first, latest-before-due, found 'last'", CORRECT),
    ("feedback: [html, pdf]\n", "1:18: feedback.2: expected one of table, json, gradescope, autolab, classroom50, github, junit, markdown, html, found 'pdf'", CORRECT),
    ("leaderboard: yes\n", "1:14: leaderboard: expected one of pseudonyms, names, found yes", CORRECT),
    ("attempt: true\n", "1:10: attempt: expected one of latest, best, first, latest-before-due, found true", CORRECT),
    ("late: {percent_per_day: 10}\n", "1:7: late: nothing is due", "add due: for the course, or for tasks"),
    (f"{DUE_LINE}tasks: {{peg5: {{due: 2026-11-01 00:00Z}}}}\nlate: {{percent_per_day: 10}}\n", "3:7: late: tasks are due at different times, and it is not said which attempt counts", "add attempt: and one of latest, best, first, latest-before-due; with latest, a hand-in for a later task is also the latest for the earlier ones"),
    (f"{DUE_LINE}late: 10\n", "2:7: late: expected a mapping, found 10", CORRECT),
    (f"{DUE_LINE}late: {{percent_per_day: 120}}\n", "2:25: late.percent_per_day: expected a number from 0 to 100 with at most two decimals, found 120", CORRECT),
    (f"{DUE_LINE}late: {{percent_per_day: 10%}}\n", "2:25: late.percent_per_day: expected a number from 0 to 100 with at most two decimals, found '10%'", CORRECT),
    (f"{DUE_LINE}late: {{percent_per_day: .nan}}\n", "2:25: late.percent_per_day: expected a number from 0 to 100 with at most two decimals, found '.nan'", CORRECT),
    (f"{DUE_LINE}late: {{percent_per_day: 1, percent_per_hour: 1}}\n", "2:46: late.percent_per_hour: percent_per_day is set, too", "keep one of the two"),
    (f"{DUE_LINE}late: {{percent_per_day: 1, count: all}}\n", "2:35: late.count: expected started or whole, found 'all'", CORRECT),
    (f"{DUE_LINE}late: {{floor: 50}}\n", "2:15: late.floor: needs percent_per_day or percent_per_hour beside it", "add one, or take it out"),
    (f"{DUE_LINE}late: {{days_per_task: 1}}\n", "2:23: late.days_per_task: needs days beside it", "add one, or take it out"),
    (f"{DUE_LINE}late: {{days: 1.5}}\n", "2:14: late.days: expected a whole number from 0 to 999, found 1.5", CORRECT),
    (f"{DUE_LINE}late: {{accepted_until: 3}}\n", f"2:24: late.accepted_until: expected {A_LENGTH}, or {A_TIME}, found 3", CORRECT),
    (f"{DUE_LINE}late: {{accepted_until: 2026-10-08 12:00Z}}\n", "2:24: late.accepted_until: expected a time after the last due date, 2026-10-09 23:59 UTC (client), found '2026-10-08 12:00Z'", CORRECT),
    (f"{DUE_LINE}late: {{days_per: hand-in}}\n", "2:18: late.days_per: needs days beside it", "add one, or take it out"),
    (f"{DUE_LINE}late: {{days: 1, days_per: week}}\n", "2:27: late.days_per: expected one of task, hand-in, found 'week'", CORRECT),
    ("timezone: EST\n", "1:11: timezone: EST has no daylight saving time", "write America/New_York, or Etc/GMT+5 for a whole year without it"),
    ("drop_lowest: all\n", "1:14: drop_lowest: expected a whole number from 0 to 8, found 'all'", CORRECT),
    ("attempts: all\n", "1:11: attempts: expected one of merge, apart, found 'all'", CORRECT),
    ("boards: {own: a}\n", "1:9: boards: expected a path, found a mapping", CORRECT),
    ("boards: [a, b]\n", "1:9: boards: expected one set, and own beside it, found a and b", "grade on one set at a time"),
    ("tasks: {peg9: {weight: 5}}\n", "1:9: tasks: no task 'peg9'", f"did you mean peg5? {TASK_NAMES}"),
    ("tasks: {peg1: 15}\n", "1:15: tasks.peg1: expected a mapping, found 15", CORRECT),
    ("tasks: {peg1: {weight: -1}}\n", "1:24: tasks.peg1.weight: expected a number from 0 to 1000 with at most two decimals, found -1", CORRECT),
    ("tasks: {peg1: {weight: 33.333}}\n", "1:24: tasks.peg1.weight: expected a number from 0 to 1000 with at most two decimals, found 33.333", CORRECT),
    ("tasks: {fewest: {bonus: true}}\n", "1:25: tasks.fewest.bonus: needs a weight beside it", "add weight: what full marks add"),
    ("tasks: {peg1: {weight: 1, bonus: maybe}}\n", "1:34: tasks.peg1.bonus: expected true or false, found 'maybe'", CORRECT),
    (f"{DUE_LINE}extensions: {{student: ada}}\n", "2:13: extensions: expected a list, found a mapping", CORRECT),
    (f"{DUE_LINE}extensions:\n  - {{more: 3 days}}\n", "3:5: extensions.1: expected student, found nothing", "add student: an id or an e-mail address"),
    (f"{DUE_LINE}extensions:\n  - {{student: ada}}\n", "3:5: extensions.1: gives nothing", "add due, more, late_days or waived: true"),
    (f"{DUE_LINE}extensions:\n  - {{student: ada, waived: false}}\n", "3:5: extensions.1: gives nothing", "add due, more, late_days or waived: true"),
    (f"{DUE_LINE}extensions:\n  - {{student: ada, due: 2026-10-10 12:00Z, more: 1 day}}\n", "3:50: extensions.1.more: due is set, too", "keep one of the two"),
    (f"{DUE_LINE}extensions:\n  - {{student: ada, task: peg1}}\n", "3:20: extensions.1: no field 'task'", "did you mean tasks? fields: student, tasks, due, more, late_days, waived"),
    (f"{DUE_LINE}extensions:\n  - {{student: ada, tasks: [peg1, pge2], more: 1 day}}\n", "3:34: extensions.1.tasks.2: no task 'pge2'", f"did you mean peg2? {TASK_NAMES}"),
    (f"{DUE_LINE}extensions:\n  - {{student: ada, tasks: [], more: 1 day}}\n", "3:27: extensions.1.tasks: expected names of tasks, found a list", "take it out where all tasks are meant"),
    (f"{DUE_LINE}extensions:\n  - {{student: ada, late_days: 2}}\n", "3:31: extensions.1.late_days: the course has no late days", "add late.days, or use more"),
    (f"{DUE_LINE}late: {{days: 1}}\nextensions:\n  - {{student: ada, late_days: 2, tasks: peg1}}\n", "4:31: extensions.1.late_days: late days are for the whole course, not for tasks", "take tasks out, or use more"),
    ("extensions:\n  - {student: ada, more: 1 day}\n", "2:5: extensions.1: there is no due date to extend", "add due: for the course, or for tasks"),
    ("private_boards: never\n", "1:17: private_boards: expected a mapping, found 'never'", CORRECT),
    ("private_boards: {}\n", "1:17: private_boards: expected visible, found nothing", "add visible: never, after due, or a time"),
    ("private_boards: {visible: after due}\n", "1:27: private_boards.visible: nothing is due", "add due: for the course, or for tasks"),
    (f"{DUE_LINE}private_boards: {{visible: after due}}\n", "2:27: private_boards.visible: work can be handed in for ever: late.accepted_until is missing", "give a time, or never"),
    *((f"{DUE_LINE}late: {{{late}}}\nprivate_boards: {{visible: after due}}\n", "3:27: private_boards.visible: work can be handed in for ever: late.accepted_until is missing", "give a time, or never")
      for late in ("days: 2, percent_per_day: 1, floor: 5", "days: 2, percent_per_hour: 0")),
    (f"{DUE_LINE}late: {{percent_per_day: 10, floor: 65}}\nprivate_boards: {{visible: 2026-10-12 23:58Z}}\n", "3:27: private_boards.visible: work can be handed in until 2026-10-12 23:59 UTC", "give a later time, or never"),
    (f"{DUE_LINE}late: {{accepted_until: 1 day}}\nextensions: [{{student: dan, waived: true}}]\nprivate_boards: {{visible: after due}}\n", "4:27: private_boards.visible: work can be handed in for ever: dan is waived", "give a time, or never"),
    ("tasks: {peg1: {due: 2026-10-02 23:59Z}}\nlate: {accepted_until: 1 day}\nprivate_boards: {visible: after due}\n", "3:27: private_boards.visible: work can be handed in for ever: client is never due", "give a time, or never"),
    (f"{DUE_LINE}late: {{accepted_until: 1 day}}\nprivate_boards: {{visible: 2026-10-10 12:00Z}}\n", "3:27: private_boards.visible: work can be handed in until 2026-10-10 23:59 UTC", "give a later time, or never"),
    (f"{DUE_LINE}private_boards: {{visible: 2026-10-08 12:00Z}}\n", "2:27: private_boards.visible: work can be handed in until 2026-10-09 23:59 UTC", "give a later time, or never"),
    ("timezone: Europe/Berlin\ndue: 2026-10-09 23:59\nlate: {accepted_until: 1 day}\nprivate_boards: {visible: 2026-10-10 12:00}\n", "4:27: private_boards.visible: work can be handed in until 2026-10-10 23:59 CEST", "give a later time, or never"),
    ("private_boards: {visible: soon}\n", f"1:27: private_boards.visible: expected never, after due, or {A_TIME}, found 'soon'", CORRECT),
    (f"tasks: {{peg1: {{weight: {10**400}}}}}\n", f"1:24: tasks.peg1.weight: expected a number from 0 to 1000 with at most two decimals, found {LONG}", CORRECT),
    (f"{DUE_LINE}late: {{days: {10**400}}}\n", f"2:14: late.days: expected a whole number from 0 to 999, found {LONG}", CORRECT),
    (f"{DUE_LINE}late: {{percent_per_day: 1, floor: {10**400}}}\n", f"2:35: late.floor: expected a number from 0 to 100 with at most two decimals, found {LONG}", CORRECT),
    (f"grace: {10**400} days\n", f"1:8: grace: expected {A_LENGTH}, found '{LONG[:15]}00000000 days'", CORRECT),
    (f"{DUE_LINE}late: {{days: {10**4000}}}\n", "2:14: late.days: expected a whole number from 0 to 999, found '100000000000...0000000000000'", CORRECT),
    ("due: [\n", "2:1: did not find expected node content", "grader/course/rules/example/course.yaml shows what it may say"),
    ("a: " + "[" * 60 + "]" * 60, "1:53: more than 50 levels deep", "grader/course/rules/example/course.yaml shows what it may say"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message", "help"), MISTAKES, ids=range(len(MISTAKES)))
def test_mistake(text: str, message: str, help: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for tasks in ((), ("peg1",)):  # whichever are graded now
        with pytest.raises(InputError) as caught:
            read(text, tmp_path, *tasks)
        assert (caught.value.message, caught.value.help) == (f"course.yaml:{message}", help)


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("name", ["roster", "times", "adjustments"])
def test_a_file_of_somebody_else_s_where_others_may_write(name: str, tmp_path: Path) -> None:
    (tmp_path / "drop").mkdir()
    (tmp_path / "drop/list").touch()
    os.chown(tmp_path / "drop/list", 65534, -1)
    assert read(f"{name}: drop/list", tmp_path)
    (tmp_path / "drop").chmod(0o1777)
    with pytest.raises(InputError, match=r"drop/list: somebody else's, in a folder where others may write$"):
        read(f"{name}: drop/list", tmp_path)


def test_a_file_that_is_missing_or_not_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path("course.yaml")
    with pytest.raises(InputError, match=r"^course.yaml: cannot be read: No such file or directory$"):
        read_policies(file, [])
    file.write_bytes(b"due: \xff\xfe")
    with pytest.raises(InputError, match=r"^course.yaml: expected UTF-8 text$"):
        read_policies(file, [])


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "{}", "due:\nlate:\n", "schema: peg-course/v1\n"])
def test_a_file_without_a_rule_is_told(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"course\.yaml: no rule is in it$"):
        read(text, tmp_path)


def test_files_begin_at_the_folder_of_the_rules(tmp_path: Path) -> None:
    given = read("roster: lists/all.csv\nboards: [own, private]\n", tmp_path).given
    boards = BoardChoice(tmp_path / "private", with_own=True)
    assert given == Given(roster=tmp_path / "lists/all.csv", boards=boards)


def test_names_stay_as_they_are_written(tmp_path: Path) -> None:
    policies = read(f"{DUE_LINE}extensions: [{{student: 007, more: 1 week 2 days 30min}}]\n", tmp_path)
    extension = policies.extensions[0]
    assert (extension.student, extension.more) == ("007", Length(9, timedelta(minutes=30)))


@pytest.mark.slow
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=80))
def test_no_text_is_more_than_a_mistake(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    folder = tmp_path_factory.mktemp("any")
    extension = "extensions: [{{student: {}, more: 1 day}}]"
    for place in ("{}", "due: {}", "late: {{accepted_until: {}}}", extension):
        with contextlib.suppress(InputError):
            read(place.replace("{}", text, 1), folder)
