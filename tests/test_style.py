"""Remarks on style: what ruff says of students' files, as advice, and for points where course.yaml says so."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from grader import paths
from grader.catalog.tasks import registry
from grader.course import style
from grader.course.records import Attempt, Student
from grader.course.reports.all_reports import write_reports
from grader.course.reports.standings import read_standings
from grader.course.rules.policy_file import read_policies
from grader.course.store import ClassStore
from grader.errors import InputError
from support.class_store import DUE, put, right

UNTIDY = """\
from peg1 import play
def f(board):
    l = 3  # noqa
    pegs = 4
    return board == None
"""
COURSE = "style:\n  percent_per_remark: 10\n  at_most: 25\n"


@pytest.fixture
def store(tmp_path: Path) -> ClassStore:
    """Return a store of three students: untidy, tidy, and one whose file is no Python."""
    made = ClassStore(tmp_path / "run", create=True)
    texts = {"ada": UNTIDY, "ben": (paths.REFERENCE / "peg1.py").read_text("utf-8"), "cem": "def f(:\n"}
    put(
        made,
        [Student(who, who.title()) for who in texts],
        [(Attempt(who, 1, DUE, who), {"peg1": ({"peg1.py": text}, right("peg1"))}) for who, text in texts.items()],
        ("peg1",),
    )  # fmt: skip
    return made


def test_what_is_said(store: ClassStore) -> None:
    with store:
        (remarks,) = style.remarks_in(store).values()
    assert [(each.file, each.line, each.rule) for each in remarks] == [
        ("peg1.py", 3, "E741"), ("peg1.py", 3, "F841"), ("peg1.py", 4, "F841"), ("peg1.py", 5, "E711"),
    ]  # fmt: skip
    assert str(remarks[2]) == "peg1.py:4: Local variable `pegs` is assigned to but never used (F841)"


def test_it_is_advice_unless_the_course_says_otherwise(store: ClassStore, tmp_path: Path) -> None:
    tasks = [registry().find("peg1")]
    file = tmp_path / "course.yaml"
    told = {}
    with store:
        for text in ("", COURSE):
            file.write_text(text, "utf-8")
            write_reports(store, read_policies(file, tasks), tmp_path / "out", ["json"])
            about = {
                who: json.loads((tmp_path / "out" / "feedback" / f"{who}.json").read_text("utf-8"))["about"]
                for who in ("ada", "ben", "cem")
            }
            told[text] = [line for line in about["ada"] if "style" in line]
            assert not [line for who in ("ben", "cem") for line in about[who] if "style" in line]
        standings = read_standings(store, read_policies(file, tasks), style.remarks_in(store))
    advice = told[""]
    assert len(advice) == 4 and all(line.startswith("style: peg1.py:") for line in advice)
    rule = "4 remarks on style: -3.75 (style.percent_per_remark, course.yaml:2)"
    assert told[COURSE] == [
        f"peg1: 15 / 15, 11.25 after late penalties and other course rules: {rule}",
        *advice,
    ]
    ada, ben, _ = standings.students
    assert (ada.grade.total, ada.grade.max_total, ben.grade.total) == (Decimal("11.25"), 15, 15)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("style: {percent_per_remark: 1}", "course.yaml:1:8: style: expected at_most, found nothing"),
        (
            "style: {percent_per_remark: 101, at_most: 5}",
            "course.yaml:1:29: style.percent_per_remark: expected a number from 0 to 100",
        ),
        ("style: {percent: 1}", "course.yaml:1:9: style: no field 'percent'"),
        ("style: yes", "course.yaml:1:8: style: expected a mapping, found yes"),
    ],
)
def test_a_rule_that_is_wrong(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "course.yaml"
    file.write_text(text, "utf-8")
    with pytest.raises(InputError) as raised:
        read_policies(file, [registry().find("peg1")])
    assert said in raised.value.message and raised.value.help


def test_without_ruff(store: ClassStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(style, "is_there", lambda: False)
    with store:
        assert style.remarks_in(store) == {}
    file = tmp_path / "course.yaml"
    file.write_text(COURSE, "utf-8")
    with pytest.raises(InputError, match="needs ruff, which is not installed"):
        read_policies(file, [registry().find("peg1")])


def test_what_is_handed_out_is_tidy(tmp_path: Path) -> None:
    """A student is not told of what the course wrote."""
    for folder in (paths.PACKAGE.parent / "student", paths.REFERENCE):
        texts = [
            (folder / task.file).read_text("utf-8")
            for task in registry().tasks.values()
            if task.file.endswith(".py")
        ]
        assert style._said_by_ruff(texts) == {}
