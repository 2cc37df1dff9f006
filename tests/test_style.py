"""Remarks on style: what ruff says of students' files, as advice, and for points where course.yaml says so."""

import json
import sys
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import pytest

from grader import paths
from grader.catalog.tasks import registry
from grader.course import style
from grader.course.reports.all_reports import write_reports
from grader.course.reports.standings import read_standings
from grader.course.rules.grades import (
    DropRule,
    Grade,
    Place,
    StyleRule,
    TaskGrade,
    after_style,
    without_lowest,
)
from grader.course.rules.policies import Policies
from grader.course.rules.policy_file import read_policies
from grader.course.store import ClassStore
from grader.errors import InputError
from grader.submissions.syntax import MOST_READ
from support.class_store import Answers, one_attempt_each, right

UNTIDY = """\
from peg1 import play
def f(board):
    l = 3  # noqa
    pegs = 4
    return board == None
"""
COURSE = "style:\n  percent_per_remark: 10\n  at_most: 25\n"


FAILS = "l = 0  # ruff fails on this file\n"


@pytest.fixture
def store(tmp_path: Path) -> ClassStore:
    """Return a store of three students: untidy, tidy, and one whose file is no Python."""
    made = ClassStore(tmp_path / "run", create=True)
    tidy = (paths.REFERENCE / "peg1.py").read_text("utf-8")
    hand_in(made, ada=UNTIDY, ben=tidy, cem="def f(:\n")
    return made


def hand_in(store: ClassStore, **texts: str) -> None:
    """Put a class into a store that handed in these texts of peg1.py, all with full marks."""
    answers: dict[str, Answers] = {
        who: {"peg1": ({"peg1.py": text}, right("peg1"))} for who, text in texts.items()
    }
    one_attempt_each(store, answers, ("peg1",))


def rules(folder: Path, text: str = COURSE) -> Policies:
    """Return the rules of a course.yaml."""
    (folder / "course.yaml").write_text(text, "utf-8")
    return read_policies(folder / "course.yaml", [registry().find("peg1")])


def told(folder: Path, who: str) -> list[str]:
    """Return the lines at the top of a student's feedback."""
    lines: list[str] = json.loads((folder / f"out/feedback/{who}.json").read_text("utf-8"))["about"]
    return lines


def said_of(texts: Sequence[str]) -> list[style.Said]:
    """Return what ruff says of texts, each of another student."""
    return style._said_by_ruff(texts, [(str(number),) for number in range(len(texts))])


def test_what_is_said(store: ClassStore) -> None:
    with store:
        ((remarks, fault),) = [(each.remarks, each.fault) for each in style.styles_in(store).values()]
    assert not fault
    assert [(each.partition(": ")[0], each[-5:-1]) for each in remarks] == [
        ("peg1.py:3", "E741"), ("peg1.py:3", "F841"), ("peg1.py:4", "F841"), ("peg1.py:5", "E711"),
    ]  # fmt: skip
    assert remarks[2] == "peg1.py:4: Local variable `pegs` is assigned to but never used (F841)"


def test_it_is_advice_unless_the_course_says_otherwise(store: ClassStore, tmp_path: Path) -> None:
    of_ada = []
    with store:
        for text in ("attempt: latest\n", COURSE):
            write_reports(store, rules(tmp_path, text), tmp_path / "out", ["json"])
            of_ada.append([line for line in told(tmp_path, "ada") if "style" in line])
            assert not [line for who in ("ben", "cem") for line in told(tmp_path, who) if "style" in line]
        standings = read_standings(store, rules(tmp_path), style.styles_in(store))
    advice, with_rule = of_ada
    assert len(advice) == 4 and all(line.startswith("style: peg1.py:") for line in advice)
    rule = "4 remarks on style: -3.75 (style.percent_per_remark, course.yaml:2)"
    after = f"peg1: 15 / 15, 11.25 after late penalties and other course rules: {rule}"
    assert with_rule == [after, *advice]
    ada, ben, _ = standings.students
    assert (ada.grade.total, ada.grade.max_total, ben.grade.total) == (Decimal("11.25"), 15, 15)


def test_the_lowest_is_dropped_after_style() -> None:
    """19 of 20 points with ten remarks are fewer than 14 of 15."""
    place = Place("style.percent_per_remark")
    tasks = tuple(
        TaskGrade(name, 1, raw, of, Decimal(raw), Decimal(raw), Decimal(of))
        for name, raw, of in (("client", 10, 10), ("peg1", 14, 15), ("peg2", 19, 20))
    )
    styled = after_style(Grade(tasks), StyleRule(Decimal(1), Decimal(50), place), {"peg2": 10})
    grade = without_lowest(styled, DropRule(1, Place("drop_lowest")))
    assert [str(each.counted) for each in grade.tasks] == ["10", "14", "0.00"]
    assert (grade.total, grade.max_total) == (24, 25)


def test_what_ruff_fails_on_costs_nothing_and_is_told(
    store: ClassStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others have their remarks; the student and the staff read that the file could not be checked."""
    run = style._run
    failed = "ruff ended with SIGABRT"
    runs = []

    def counted(texts: Sequence[str], cpu_s: int) -> list[style.Said] | str:
        runs.append(texts)
        return failed if FAILS in texts else run(texts, cpu_s)

    monkeypatch.setattr(style, "_run", counted)
    policies = rules(tmp_path)
    with store:
        hand_in(store, ada=UNTIDY, dan=FAILS, eve="l = 0\n" * MOST_READ)
        for _ in range(2):  # what ruff said before is kept, and on which file it failed
            write_reports(store, policies, tmp_path / "out", ["json"])
            standings = read_standings(store, policies, style.styles_in(store))
            found = {each.student.id: each for each in standings.students}
            assert found["ada"].grade.total == Decimal("11.25")
            for who, why in (("dan", failed), ("eve", "it has more than 50,000 characters")):
                said = f"peg1: style could not be checked: {why}"
                assert found[who].grade.total == 15
                assert said in told(tmp_path, who) and said in found[who].problems
                assert said in (tmp_path / "out" / "gradebook.csv").read_text("utf-8")
            assert len(runs) == 4  # all, an empty file, and each by itself


@pytest.mark.slow
def test_a_file_that_overflows_ruff_takes_no_other_with_it() -> None:
    """Whether ruff can read such a file depends on its stack; what it says of the others must not."""
    texts = [UNTIDY, "x = a" + ".b" * 24_000 + "\n", "l = 0\n", "x = " + "-" * 48_000 + "1\n"]
    alone = [said_of([text]) for text in (UNTIDY, "l = 0\n")]
    assert [[found] for found in said_of(texts)[::2]] == alone
    assert all(isinstance(found, list) and found for (found,) in alone)


@pytest.mark.slow
def test_no_fix_is_made() -> None:
    """Each of these remarks has a fix as long as the file: half a gigabyte in all; and they are counted so far only."""
    text = "a" + "=" + "==".join(["None"] * 8000)
    found = said_of([UNTIDY, *[text] * 8])
    assert [found[0]] == said_of([UNTIDY])
    assert [len(each) for each in found[1:]] == [style.MOST_KEPT] * 8


def test_a_failure_costs_little_and_only_its_own_file(monkeypatch: pytest.MonkeyPatch) -> None:
    run, runs = style._run, []

    def counted(texts: Sequence[str], cpu_s: int) -> list[style.Said] | str:
        runs.append((len(texts), cpu_s))
        return "it failed" if FAILS in texts else run(texts, cpu_s)

    monkeypatch.setattr(style, "_run", counted)
    found = said_of([*["l = 0\n"] * 40, FAILS, *["l = 0\n"] * 23])
    assert [isinstance(each, str) for each in found] == [*[False] * 40, True, *[False] * 23]
    assert runs[:2] == [(64, style.CPU_S), (1, style.CPU_S_OF_ONE)] and runs[-1] == (1, style.CPU_S_OF_ONE)
    assert len(runs) == 2 + 2 * 6 and max(limit for _, limit in runs[1:]) == style.CPU_S // 2


def test_what_one_student_hands_in_keeps_no_others_from_being_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However many files ruff fails on, and however short they are; nor does one's own slip cost more."""
    clock = 0.0

    def run(texts: Sequence[str], cpu_s: int) -> list[style.Said] | str:
        nonlocal clock
        fails = any("-" in text for text in texts)
        clock += 1 if fails else 0.3
        return "it failed" if fails else [[(1, "E741", text)] for text in texts]

    monkeypatch.setattr(style, "_run", run)
    monkeypatch.setattr(style.time, "monotonic", lambda: clock)
    tidy = [(f"l = {number}  # longer\n", (f"h{number // 6}",)) for number in range(600)]
    bad = [(f"x=-{number}", ("eve",)) for number in range(1200)]
    slip = [("-", ("fay",)), *[(f"y={number}", ("fay",)) for number in range(5)]]
    stub = [("pass\n", ("eve", "fay", *(f"h{number}" for number in range(100))))]
    texts, whose = zip(*bad, *tidy, *slip, *stub, strict=True)
    found = style._said_by_ruff(texts, whose)
    failed = [text for text, each in zip(texts, found, strict=True) if isinstance(each, str)]
    assert failed == [*(text for text, _ in bad), "-"]
    assert {*map(str, found[: len(bad)])} == {style.TOO_OFTEN}
    assert clock < style.MOST_S


def test_a_failure_is_kept_where_no_other_file_is_new(
    store: ClassStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[Sequence[str]] = []
    works = False

    def run(texts: Sequence[str], cpu_s: int) -> list[style.Said] | str:
        runs.append(texts)
        return "it failed" if FAILS in texts or not works else [[] for _ in texts]

    monkeypatch.setattr(style, "_run", run)
    hand_in(store, dan=FAILS)
    with store:
        style.styles_in(store)
        assert {text for texts in runs for text in texts} >= {FAILS}
        works = True  # what a ruff said that fails always was not kept
        for again in ([[FAILS], [""]], []):
            runs.clear()
            style.styles_in(store)
            assert runs == again


LOOPS, SLEEPS = "while True: pass", "import time; time.sleep(600)"
LIMITED = "import resource as r, time\nwhile r.getrlimit(r.{})[0] < 0: time.sleep(0.01)\n{}"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only its time is limited")
@pytest.mark.parametrize(
    ("limit", "most", "program", "failed"),
    [
        ("CPU_S", 1, LOOPS, "ruff ended with SIGKILL"),
        ("WALL_S", 0.5, SLEEPS, "ruff took more than 0.5 s"),
        ("SAID_BYTES", 1000, LIMITED.format("RLIMIT_FSIZE", "print('[]' * 1000)"), "ruff ended with status"),
        ("MEMORY_BYTES", 1 << 29, LIMITED.format("RLIMIT_AS", "bytes(1 << 30)"), "ruff ended with status 1"),
    ],
)
def test_ruff_has_limits(
    limit: str, most: float, program: str, failed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(style, limit, most)
    monkeypatch.setattr(style, "_command", lambda: [sys.executable, "-c", program])
    (found,) = said_of([""])
    assert isinstance(found, str) and found.startswith(failed)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("style: {percent_per_remark: 1}", "1:8: style: expected at_most, found nothing"),
        (
            "style: {percent_per_remark: 101, at_most: 5}",
            "1:29: style.percent_per_remark: expected a number from 0 to 100",
        ),
        ("style: {percent: 1}", "1:9: style: no field 'percent'"),
        ("style: yes", "1:8: style: expected a mapping, found yes"),
    ],
)
def test_a_rule_that_is_wrong(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        rules(tmp_path, text)
    assert f"course.yaml:{said}" in raised.value.message and raised.value.help


def test_without_ruff(store: ClassStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(style, "is_there", lambda: False)
    with store:
        assert style.styles_in(store) == {}
    with pytest.raises(InputError, match="needs ruff, which is not installed"):
        rules(tmp_path)


def test_what_is_handed_out_is_tidy(tmp_path: Path) -> None:
    """A student is not told of what the course wrote."""
    for folder in (paths.PACKAGE.parent / "student", paths.REFERENCE):
        texts = [
            (folder / task.file).read_text("utf-8")
            for task in registry().tasks.values()
            if task.file.endswith(".py")
        ]
        assert not any(said_of(texts))
