"""Reports for platforms: against their schemas, read by programs that are not ours, and with hostile text.

tests/schemas has the schemas, each with the document it was written from; tests/expected/reports has the whole
text of one mixed report in each format, and `pytest --update-expected` writes it anew.
"""

import json
import os
import re
import stat
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite
from markdown_it import MarkdownIt
from xmlschema import XMLSchema

from grader import folders
from grader.catalog.tasks import registry
from grader.cli import cli
from grader.errors import InputError
from grader.messages.catalogue import say
from grader.reports.autolab import NOTHING
from grader.reports.content import causes, command_again
from grader.reports.formats import FOR_STUDENTS, FORMATS, IN_LOGS
from grader.reports.markdown import CUT, MOST_BYTES
from grader.reports.report import Report, check_environment, for_students, render
from grader.result import Result, Verdict, first_failure
from support.hostile import is_plain
from support.platform_places import schema

HERE = Path(__file__).parent
TASKS = registry().tasks
RUNNER = {  # what Classroom 50's runner sets
    "CLASSROOM": "games", "ASSIGNMENT": "peg", "ASSIGNMENT_TYPE": "individual", "OWNER": "ada",
    "SUBMISSION_TAG": "submit/2026-06-01T14-32-05Z-a1b2c3d",
    "COMMIT_URL": "https://github.com/games/peg-ada/commit/a1b2c3d",
    "RELEASE_URL": "https://github.com/games/peg-ada/releases/tag/submit",
}  # fmt: skip
STAMPED = {"datetime": "2026-06-01T14:32:05Z", "graded_at": "2026-06-01T14:33:00Z"}  # what it adds afterwards

MIXED = [
    Result("client", "moves", Verdict.ACCEPTED, 3, cpu_s=0.01, wall_s=0.01, points=3),
    Result("client", "hash", Verdict.CRASHED, 4, code="division-by-zero", facts={"inside": "spread"}, message="ZeroDivisionError: division by zero\n  student/client.py:31: return 1 // 0", help="find out when the divisor is 0", place="student/client.py:31", printed="3\n2\n1\n0\n"),
    Result("peg3", "one-jump", Verdict.ACCEPTED, 1, 2, "solvable", "solved, 1 jump", 1, [(0, 0, 0, 2)], 0, 0.01, 0.01, 60.0, 1),
    Result("peg3", "english", Verdict.ILLEGAL_MOVE, 3, 32, "solvable", "illegal move", 1, [(1, 3, 3, 3)], 10813, 0.02, 0.03, 70.0, code="jump-illegal-when-played", message="jump 2 of your solution is illegal\n  2:0 -> 2:2 jumps over 2:1, which is empty", help="take the move back, too: 50% of all, see *"),
    Result("peg3", "stuck", Verdict.TIMEOUT, 2, 3, "3 left", cpu_s=2.0, wall_s=2.1, code="search-slow", message="stopped at the limit of 2.0 s", help="remember positions", printed="::error::x\n"),
    Result("peg3", "plus", Verdict.TIMEOUT, 2, 3, "3 left", cpu_s=2.0, wall_s=2.1, code="search-slow", message="stopped at the limit of 2.0 s", help="remember positions"),
    Result("peg4", "english", Verdict.ACCEPTED, 5, 32, "solvable", "solved, 31 jumps", 1, [], 900, 0.04, 0.05, 70.0, 2, code="fewer-states", message="right, and 900 states: 3 more points for at most 263", help="look at promising jumps first"),
    Result("peg4", "french1", Verdict.GRADER_ERROR, 5, code="grader-fault", message="the grader could not run this check: no process", help="send the file to your instructor"),
    Result("peg5", "english", Verdict.NOT_WRITTEN, 5, code="not-written", message="solve is not written yet", help="start from peg3; see handouts/peg5.md", place="student/peg5.py:20"),
    Result("peg5", "french1", Verdict.NOT_RUN, 5, code="needs-check", message="not run: needs english to run first"),
]  # fmt: skip


def test_a_command_with_an_odd_name_can_be_pasted() -> None:
    result = Result("peg1", "a$(id).txt", Verdict.TIMEOUT, 1)
    assert command_again(result, report_of([result])) == "grade peg1 --board 'a$(id).txt'"


def report_of(results: list[Result], **more: Any) -> Report:
    tasks = [TASKS[name] for name in dict.fromkeys(result.task for result in results)]
    return Report(tasks, results, "student", environment=RUNNER, **more)


def harmless(report: Report) -> Report:
    return replace(report, results=[result.harmless() for result in report.results])


# ---- one report, as it stands ------------------------------------------------------------------


@pytest.mark.parametrize("format", [each for each in FORMATS if each != "html"])  # see test_html_report
def test_a_mixed_report(format: str, request: pytest.FixtureRequest) -> None:
    text = render(format, report_of(MIXED, time_factor=1.5))
    expected = HERE / "expected/reports" / f"mixed.{format}"
    if request.config.getoption("--update-expected"):
        expected.write_text(text, "utf-8")
    assert text == expected.read_text("utf-8")


def test_all_visible_checks_passed() -> None:
    """Only a report of other boards than the tasks' own may say more than that the visible checks passed."""
    right = [replace(result, verdict=Verdict.ACCEPTED, points=result.max_points) for result in MIXED[:4]]
    for format in ("gradescope", "autolab", "github", "markdown"):
        assert "11 / 11: all visible checks passed" in render(format, report_of(right)), format
        turned = report_of(right, board_set=" --boards turned")
        assert "11 / 11: all checks passed" in render(format, turned), format
        assert "passed" not in render(format, report_of(MIXED)).replace('"passed"', ""), format


SECRET = "the-secret-board"


def secret(result: Result) -> Result:
    """Return a result on a private board; whatever could tell of the board says so."""
    return replace(
        result, board=f"{SECRET}-1", hidden=True, truth=SECRET, answer=SECRET, message=f"{SECRET}\n{SECRET}",
        help=SECRET, place=f"{SECRET}.py:3", printed=SECRET, figures=(("load", SECRET),), code=SECRET, facts={"condition": SECRET},
    )  # fmt: skip


def test_gradescope_keeps_private_boards_until_the_due_date() -> None:
    public = json.loads(render("gradescope", report_of(MIXED)))
    assert public["visibility"] == "visible"
    assert {each["visibility"] for each in public["tests"]} == {"visible"}
    results = [secret(result) if result.task == "peg3" else result for result in MIXED]
    for when in ("after_due_date", "hidden"):
        both = json.loads(render("gradescope", report_of(results, hidden_until=when)))
        schema("gradescope").validate(both)
        assert both["visibility"] == "visible"  # that is the text about the whole, which tells of the others
        assert both["score"] == public["score"]
        assert both["leaderboard"] == [{"name": "Points", "value": 5, "order": "desc"}]
        assert SECRET not in both["output"] and "peg3" not in both["output"]
        assert "5 / 27: " in both["output"] and "\n4 checks not shown" in both["output"]
        for result, each in zip(results, both["tests"], strict=True):
            assert each["visibility"] == (when if result.hidden else "visible")
    only_private = json.loads(render("gradescope", report_of([secret(result) for result in MIXED])))
    assert only_private["visibility"] == "after_due_date"
    assert only_private["leaderboard"] == []


def test_a_run_that_was_stopped_says_so() -> None:
    late = replace(MIXED[0], verdict=Verdict.NOT_RUN, points=0, **say("not-graded").fields)
    report = report_of([MIXED[0], late, replace(late, hidden=True)])
    for format in ("gradescope", "autolab", "github", "markdown"):
        stopped = "stopped before 2 checks could be made: this score is not final"
        assert stopped in render(format, report), format
        assert "stopped before" not in render(format, report_of(MIXED)), format
        said = replace(late, verdict=Verdict.NOT_WRITTEN)  # in the text of a NotImplementedError
        assert "is not final" not in render(format, report_of([said])), format


@pytest.mark.slow
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("verdict", Verdict)
def test_only_verdict_and_points_of_a_private_board_are_told(verdict: Verdict, format: str) -> None:
    """A program may know the board, so whatever it says, and however long it takes, the text is the same."""
    points = 2 * (verdict == Verdict.ACCEPTED)
    quick = Result("peg3", "a", verdict, 3, 5, wall_s=0.1, points=points, hidden=True)
    told = replace(
        secret(quick), pegs=32, pegs_left=7, jumps=[(0, 0, 0, 2)], unsolvable=9999, cpu_s=98.76, wall_s=987.6,
        peak_mib=987.6,
    )  # fmt: skip
    texts = set()
    options = {"board_set": f" --boards {SECRET}", "options": f" --student x --boards {SECRET}"}
    for result in (quick, told, replace(told, wall_s=98.77), replace(told, message="")):
        results = [*MIXED[:3], result, result, replace(result, task="peg4")]
        report = report_of(results, verbose=True, time_factor=1.5, **options)
        shown = for_students(report)
        assert shown.results[3].tier == result.tier and not shown.results[3].is_timed
        assert shown.score == report.score
        texts |= {render(format, shown), render(format, report if format in FOR_STUDENTS else shown)}
        assert result != told or SECRET in render("json", report)
    (text,) = texts
    assert not any(secret in text for secret in ("98.7", "987", "9,999", SECRET))
    assert "hidden-2" in text or verdict == Verdict.ACCEPTED  # the second of a task
    if format in CHECKS:
        CHECKS[format](text, shown)


@pytest.mark.parametrize("format", FORMATS)
def test_how_a_hidden_check_failed_is_not_told(format: str) -> None:
    """What stays apart was not decided by a program that was shown a hidden board, or is the grader's fault."""
    blank = Result("peg3", "a", Verdict.NOT_RUN, 3, 5, hidden=True)
    passed = Verdict.ACCEPTED, Verdict.GRADER_ERROR
    results = [replace(blank, verdict=verdict) for verdict in Verdict if verdict not in passed]
    results.append(replace(blank, message="not run: a hidden board decided it", help="wait less"))
    texts = {render(format, for_students(report_of([*MIXED[:3], result]))) for result in results}
    assert len(texts) == 1 and "ailed" in texts.pop()
    others = [
        replace(blank, verdict=Verdict.GRADER_ERROR),
        replace(blank, before=True),
        replace(blank, **say("not-graded").fields),
        replace(blank, verdict=Verdict.CRASHED, before=True, message="peg3.py:1: no Python"),
    ]
    told = [for_students(report_of([result])) for result in others]
    assert [each.results[0].verdict for each in told] == [result.verdict for result in others]
    assert told == [for_students(each) for each in told]  # a student's feedback in a format for students
    assert told[-1].results[0].message == "peg3.py:1: no Python"


def test_an_instructor_sees_the_times_of_private_boards() -> None:
    slow = replace(MIXED[4], hidden=True, cpu_s=2.34, wall_s=3.45, peak_mib=67.0)
    text = render("table", report_of([slow], verbose=True))
    assert "stopped at 2.3 s  2.34 s  3.45 s    67 MiB" in text
    students = render("table", for_students(report_of([slow, replace(slow, task="peg4")], verbose=True)))
    assert re.search(r"FAIL +hidden-1 +- +failed +- +- +- +- +0 / 2", students)
    assert re.search(r"\npeg4  .* -   +0 / 2\n", students)


def test_no_sum_has_a_figure_of_a_private_board() -> None:
    right = [result for result in MIXED if result.verdict == Verdict.ACCEPTED]
    hidden = replace(right[-1], hidden=True, cpu_s=77.0, wall_s=77.0)
    board = json.loads(render("gradescope", report_of([*right, hidden])))
    assert board["execution_time"] == 0.07
    assert last_line(render("autolab", report_of([*right, hidden])))["scoreboard"] == [8, 900, 0.06]
    assert last_line(render("autolab", report_of([hidden])))["scoreboard"] == [2, NOTHING, NOTHING]
    assert "77" not in render("junit", report_of([*right, hidden]))


def test_only_right_programs_compete() -> None:
    right = [result for result in MIXED if result.verdict == Verdict.ACCEPTED]
    board = json.loads(render("gradescope", report_of(right)))["leaderboard"]
    assert [(each["name"], each["value"], each["order"]) for each in board] == [
        ("Points", 6, "desc"), ("Unsolvable states", 900, "asc"), ("CPU seconds", 0.06, "asc")
    ]  # fmt: skip
    assert last_line(render("autolab", report_of(right)))["scoreboard"] == [6, 900, 0.06]
    assert last_line(render("autolab", report_of(right[:1])))["scoreboard"] == [3, NOTHING, 0.01]
    assert last_line(render("autolab", report_of(MIXED)))["scoreboard"] == [6, NOTHING, NOTHING]
    assert len(json.loads(render("gradescope", report_of(MIXED)))["leaderboard"]) == 1


def test_autolab_sorts_nothing_after_every_number() -> None:
    """As `scoreboardOrderSubmissions` of Autolab does, which compares the numbers that texts begin with."""

    def to_f(cell: str | float) -> float:
        number = re.match(r"-?\d+(\.\d+)?", str(cell))
        return float(number[0]) if number else 0.0

    right = [result for result in MIXED if result.verdict == Verdict.ACCEPTED]
    counted = replace(right[-1], unsolvable=99_999_999, cpu_s=86_400.0)
    of_others, of_none = (
        last_line(render("autolab", report_of(results)))["scoreboard"] for results in ([counted], MIXED)
    )
    assert all(to_f(one) < to_f(other) for one, other in zip(of_others[1:], of_none[1:], strict=True))


def test_markdown_fits() -> None:
    """However much there is to tell, the text has room in a comment, and what is there is whole."""
    long = replace(MIXED[3], message="x" * 100_000, printed="é" * 100_000)
    many = [replace(MIXED[2], board=f"random-{number}") for number in range(1000)]
    longer = replace(MIXED[3], message="\n".join(12 * ["y" * 400]))
    different = [replace(longer, board=f"b{n}", code=f"code-{n}", help=f"help {n}") for n in range(50)]
    for results, cut in (([long], False), (many, True), (different, True), (MIXED, False)):
        text = render("markdown", report_of(results, verbose=True))
        assert len(text.encode()) <= MOST_BYTES
        assert text.endswith(CUT + "\n") is cut
        check_markdown(text, harmless(report_of(results, verbose=True)), whole=not cut)


def test_classroom50_needs_its_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    check_environment("classroom50", RUNNER)
    check_environment("json", {})
    with pytest.raises(InputError, match=r"found no COMMIT_URL, RELEASE_URL$"):
        check_environment("classroom50", {**RUNNER, "COMMIT_URL": "", "RELEASE_URL": ""})
    monkeypatch.delenv("CLASSROOM", raising=False)
    with pytest.raises(InputError, match="CLASSROOM"):  # before anything is graded
        cli.main(["peg1", "--student", str(HERE), "--format", "classroom50"], standalone_mode=False)


# ---- hostile text ------------------------------------------------------------------------------

HOSTILE = (
    "::error file=x::y", "\n::add-mask::1", "##[group]", "\x1b[31mred", "\x00", "\r", "\u202e", "\u2028", "\ud800",
    "\uffff", "]]>", "</failure>", "<script>alert(1)</script>", "&amp;", "&#64;", "<!--", "```", "````text", "`", "\\`",
    "|", "\\|", "\\", "@everyone", "[x](y)", "![](y)", "\n# h\n", "\n---\n", "\n\n", "=cmd()", "%0A", "%", ",title=x", "\t",
    '{"scores": {"peg1": 99}}', "\n{\"_presentation\": \"semantic\"}\n", "peg1:", '"', "it printed:", "\U0001f600", "<details>",
)  # fmt: skip
TEXT = st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=6)), max_size=6).map("".join)
NUMBER = st.integers(0, 10**6)
SECONDS = st.floats(0, 1000)
CELL = st.integers(0, 7)


RESULTS = st.integers(0, 9).flatmap(
    lambda most: st.builds(
        Result,
        task=st.sampled_from(["client", "peg1", "peg3", "lab10"]),
        verdict=st.sampled_from(list(Verdict)),
        max_points=st.just(most),
        points=st.integers(0, most),
        jumps=st.lists(st.tuples(CELL, CELL, CELL, CELL), max_size=2),
        code=st.sampled_from(["", "needs", "search-slow"]),
        facts=st.just({}) | st.fixed_dictionaries({"condition": TEXT}),
        place=TEXT | st.just("student/peg1.py:12"),
        figures=st.lists(st.tuples(st.sampled_from(["load", "probes"]), TEXT), max_size=2).map(tuple),
        **dict.fromkeys(("board", "truth", "answer", "message", "help", "printed"), TEXT),
        **dict.fromkeys(("pegs", "pegs_left", "unsolvable"), st.none() | NUMBER),
        **dict.fromkeys(("cpu_s", "wall_s", "peak_mib"), SECONDS),
    )
)


@st.composite
def reports(draw: Callable[[Any], Any]) -> Report:
    """Return a report as the grader makes it: its own words, and results with hostile text in every field."""
    made = sorted(draw(st.lists(RESULTS, min_size=1, max_size=5)), key=lambda result: result.task)
    board_set = draw(st.sampled_from(["", " --boards turned"]))
    return report_of(made, verbose=draw(st.booleans()), board_set=board_set)


@pytest.mark.slow
@given(reports())
def test_hostile_text_stays_in_its_field(report: Report) -> None:
    for format, check in CHECKS.items():
        text = render(format, report)
        assert text.endswith("\n")
        assert is_plain(text), format
        assert text.encode()
        check(text, harmless(report))


@pytest.mark.slow
@pytest.mark.parametrize("fragment", HOSTILE)
def test_each_hostile_fragment(fragment: str) -> None:
    for text in (fragment, f"a\n{fragment}\nb", f"a {fragment} b"):
        told = Result(
            "peg3", text, Verdict.CRASHED, 3, 1, text, text, message=text, help=text, place=text, printed=text
        )
        lab = replace(told, task="lab10", figures=(("load", text),))
        report = report_of([told, replace(told, verdict=Verdict.NOT_RUN), lab])
        for format, check in CHECKS.items():
            check(render(format, report), harmless(report))


@pytest.mark.parametrize("format", FORMATS)
def test_whatever_it_is_made_of_the_whole_is_safe(format: str) -> None:
    """Not only what programs said: also what came with the folder, the platform or the course's rules."""
    text = "\ud800\x1b[2J\u202e\x85\r\n::error::x\n  ::x\n##[group]"
    told = replace(MIXED[1], board=text, truth=text, printed=text)
    environment = dict.fromkeys(RUNNER, text)
    report = replace(
        report_of([told, replace(told, task="peg1")], about=[text, f"a {text}"], options=text, board_set=text),
        folder=text, environment=environment, color=True, verbose=True,
    )  # fmt: skip
    shown = render(format, report).replace("\x1b[31m", "").replace("\x1b[0m", "")
    assert shown.encode() and is_plain(shown)
    for line in shown.splitlines():
        own = format == "github" and ("title=client" in line or "title=peg1" in line)
        if format != "html":  # which has style
            assert own or not line.lstrip().startswith("::")
        assert format not in IN_LOGS or "##[" not in line


def test_colors_are_the_only_codes_for_a_terminal() -> None:
    told = replace(MIXED[1], message="\x1b[31mred\x1b[0m", printed="\x1b[32m")
    text = render("table", report_of([told], color=True, verbose=True))
    assert text.count("\x1b") == 2 and "\x1b[31mFAIL\x1b[0m" in text
    assert "\x1b" not in render("table", report_of([told]))


def test_every_format_is_checked() -> None:
    assert set(FORMATS) == {"table", "json", "html", *CHECKS}


def check_gradescope(text: str, report: Report) -> None:
    data = json.loads(text)
    schema("gradescope").validate(data)
    assert data["score"] == sum(each["score"] for each in data["tests"])
    assert len({each["number"] for each in data["tests"]}) == len(data["tests"])
    assert data["extra_data"] == json.loads(render("json", report))
    for result, each in zip(report.results, data["tests"], strict=True):
        assert (each["score"], each["max_score"]) == (result.points, result.max_points)
        assert (each["status"] == "passed") == result.full
        assert is_plain(each["name"] + each["output"])
        assert result.harmless().message.strip("\n") in each["output"]


def check_autolab(text: str, report: Report) -> None:
    scores = last_line(text)
    schema("autolab").validate(scores)
    points = {task.name: sum(result.points for result in report.of(task)) for task in report.tasks}
    assert scores["scores"] == points
    assert sum(line.startswith("{") for line in text.splitlines()) == 1


def last_line(text: str) -> dict[str, Any]:
    """Return the autoresult as Autolab reads it, which first puts a word before a colon between quotes."""
    line = text.rstrip().splitlines()[-1]
    read: dict[str, Any] = json.loads(re.sub(r"([a-zA-Z0-9]+):", r'"\1":', line))
    assert read == json.loads(line)
    return read


def check_classroom50(text: str, report: Report) -> None:
    data = json.loads(text)
    schema("classroom50").validate({**data, **STAMPED})
    assert data["score"] == sum(each["score"] for each in data["tests"]) <= data["max-score"]
    for result, each in zip(report.results, data["tests"], strict=True):
        assert each["passed"] == result.full and each["score"] <= each["max-score"]
        assert is_plain(each["test-name"] + each["message"] + each["output"])


def check_github(text: str, report: Report) -> None:
    lines = text.splitlines()
    told = [(cause.first, task) for task in report.tasks for cause in causes(report.of(task))]
    expected = [(first, f"student/{task.file}") for first, task in told if not first.full]
    commands, rest = lines[: len(expected)], lines[len(expected) :]
    assert not any(line.lstrip().startswith(("::", "##[")) for line in rest)
    assert len(rest) <= len(report.tasks) + 2
    for (result, file), line in zip(expected, commands, strict=True):
        name, properties, message = read_command(line)
        assert name in ("error", "notice")
        assert list(properties) == [key for key in ("file", "line", "title") if key in properties]
        assert properties["title"].startswith(result.task)
        if "line" not in properties:
            assert properties["file"] == file
        elif result.place == "student/peg1.py:12":
            assert (properties["file"], properties["line"]) == ("student/peg1.py", "12")
        assert message.startswith(result.harmless().message.strip("\n"))


def read_command(line: str) -> tuple[str, dict[str, str], str]:
    """Read a workflow command as GitHub's runner does.

    https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
    """
    _, head, message = line.split("::", 2)
    name, _, listed = head.partition(" ")
    properties = dict(each.split("=", 1) for each in listed.split(","))
    assert len(properties) == listed.count(",") + 1
    return name, {key: unescaped(value) for key, value in properties.items()}, unescaped(message)


def unescaped(text: str) -> str:
    for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, character)
    return text


@cache
def jenkins() -> XMLSchema:
    """Return a schema written from that of Jenkins' xUnit plugin, junit-10.xsd."""
    return XMLSchema(HERE / "schemas" / "jenkins-junit.xsd")


def check_junit(text: str, report: Report) -> None:
    jenkins().validate(text)
    assert ElementTree.fromstring(text.encode()).tag == "testsuites"
    read = JUnitXml.fromstring(text.encode())
    assert read.tests == len(report.results)
    assert read.failures + read.errors + read.skipped == sum(not result.full for result in report.results)
    suites = [suite for suite in read if isinstance(suite, TestSuite)]
    assert [suite.name for suite in suites] == [task.name for task in report.tasks]
    cases = [case for suite in suites for case in suite if isinstance(case, TestCase)]
    kinds = {Verdict.GRADER_ERROR: Error, Verdict.NOT_RUN: Skipped}
    for result, case in zip(report.results, cases, strict=True):
        assert case.classname == result.task
        kind = kinds.get(result.verdict, Failure)
        assert [type(each) for each in case.result] == [kind] * (not result.full)
        assert (case.system_out or "") == result.harmless().printed
        for each in case.result:
            assert each.type == result.verdict
            assert result.harmless().message.strip("\n") in (each.text or "")
    for suite in suites:
        assert suite.tests == len([case for case in suite if isinstance(case, TestCase)])


def check_markdown(text: str, report: Report, whole: bool = True) -> None:
    """Read it as GitHub does: only our headings, tables and fences are there, and hostile text is code."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    found = [token.type for token in tokens]
    assert set(found) <= {
        *(f"{name}_{end}" for name in ("heading", "paragraph", "table", "thead", "tbody", "tr", "th", "td") for end in ("open", "close")),
        "inline",
        "fence",
    }  # fmt: skip
    written = [child for token in tokens for child in token.children or []]
    assert {child.type for child in written} <= {"text", "code_inline", "strong_open", "strong_close", "em_open", "em_close"}  # fmt: skip
    assert not any(set(child.content) & set("@<[|") for child in written if child.type == "text")
    for first, second in pairwise(tokens):
        assert first.type != "heading_open" or first.tag in ("h2", "h3"), second.content
    if not whole:
        return
    assert found.count("heading_open") == 1 + len(report.tasks)
    assert found.count("table_open") == len(report.tasks)
    assert found.count("tr_open") == len(report.results) + len(report.tasks)
    told = [first for task in report.tasks for first, *_ in causes(report.of(task), report.verbose)]
    fences = [token.content for token in tokens if token.type == "fence"]
    for result, content in zip(told, fences, strict=True):
        assert content.startswith(result.harmless().message.strip("\n")[:6000])


CHECKS: dict[str, Callable[[str, Report], None]] = {
    "gradescope": check_gradescope,
    "autolab": check_autolab,
    "classroom50": check_classroom50,
    "github": check_github,
    "junit": check_junit,
    "markdown": check_markdown,
}


@pytest.mark.parametrize("format", ["junit", "html"])
def test_what_a_program_printed_is_shown_in_part(format: str) -> None:
    report = report_of([replace(MIXED[3], printed="\n".join(["\\x01" * 5000] * 100))])
    assert len(render(format, report)) - len(render(format, report_of([MIXED[3]]))) < 20_000


# ---- one cause -----------------------------------------------------------------------------------


def test_a_task_is_told_one_cause() -> None:
    """What is known to be the cause comes first, then what failed at once on the smallest board."""
    late = Result("peg3", "key", Verdict.TIMEOUT, 5, code="slow", message="no answer", pegs=25)
    wrong = replace(
        late, board="plus", verdict=Verdict.WRONG_ANSWER, code="wrong", message="found 5", pegs=12
    )
    large = replace(wrong, board="triangle", code="other", message="found 3", pegs=20)
    right = replace(late, board="stuck", verdict=Verdict.ACCEPTED, code="few", message="right, but", points=0)
    full = replace(right, board="one-jump", points=5)
    results = [full, late, large, wrong, right]
    (told,) = causes(results)
    assert (told.first, told.alike, told.others) == (wrong, [], [large, late, right])
    (line,) = told.folded("; -v shows each")
    assert line == "3 more checks without full marks: triangle, key, stuck; -v shows each"
    assert first_failure(results) == wrong
    known = replace(late, is_cause=True)
    (told,) = causes([full, known, large, wrong, right])
    assert told.first == known
    (line,) = told.folded()
    assert line == "3 more checks without full marks, probably for the same reason: plus, triangle, stuck"
    (told,) = causes([late, replace(right, facts={"family": "withheld"})])
    assert told.folded() == [
        "right, and counted once half of the points for solvable boards are earned: stuck"
    ]
    assert [each.first for each in causes(results, every=True)] == [wrong, large, late, right]
    private = [
        replace(known, board=name, verdict=Verdict.NOT_RUN, hidden=True, **say("beside-own").fields)
        for name in ("one", "two")
    ]
    (told, apart) = causes([*private, full, known, large, wrong, right])
    assert told.folded() == [line]
    assert (apart.first, apart.folded()) == (private[0], ["the same on: two"])


def test_functions_that_are_asked_by_themselves_have_a_cause_each() -> None:
    moves = Result("client", "moves", Verdict.WRONG_ANSWER, 3, code="moves", message="found 5")
    keys = replace(moves, board="keys", code="keys")
    assert [each.first for each in causes([moves, keys])] == [moves, keys]


def test_a_report_is_for_whom_the_umask_or_its_former_mode_lets(tmp_path: Path) -> None:
    file = tmp_path / "report"
    before = os.umask(0o027)
    try:
        folders.write_whole(file, "1")
        first = stat.S_IMODE(file.stat().st_mode)
        file.chmod(0o600)
        folders.write_whole(file, "2")
    finally:
        os.umask(before)
    assert (first, stat.S_IMODE(file.stat().st_mode), file.read_text()) == (0o640, 0o600, "2")
