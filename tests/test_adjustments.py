"""Decisions about single students: thirty worked by hand, what each report says of them, and mistakes in the file."""

import csv
import io
from dataclasses import replace
from datetime import UTC
from pathlib import Path

import pytest

from grader.catalog.tasks import registry
from grader.course.records import Attempt, Student
from grader.course.reports import gradebook
from grader.course.reports.feedback import about, write_feedback
from grader.course.rules.adjustments_file import read_adjustments
from grader.course.rules.policies import Policies, unknown_students
from grader.course.rules.policy_file import read_policies
from grader.course.store import ClassStore
from grader.errors import InputError
from grader.reports.formats import FORMATS
from support.archives import lay
from support.class_store import DUE, put, right, standings_of
from support.command import ROOT, grade

EXAMPLE = ROOT / "grader/course/rules/example/adjustments.yaml"
TASKS = ("client", "peg1", "peg2")  # 10, 15 and 20 points

# The decisions on a student, and then what the points of the three tasks, the total, what it is out of, and the cell of
# canvas.csv must be. All but `none` and `gone` have 10, 15 and 20 points; `gone` handed in nothing.
BY_HAND = {
    "s01": ([], "10 15 20 45 45 45"),
    "s02": (["tasks: peg1, excused: true"], "10 excused 20 30 30 45"),
    "s03": (["tasks: [client, peg1], excused: true"], "excused excused 20 20 20 45"),
    "s04": (["tasks: [client, peg1, peg2], excused: true"], "excused excused excused 0 0 "),
    "s05": (["tasks: peg1, plus: 2"], "10 17 20 47 45 47"),
    "s06": (["tasks: peg1, minus: 2.5"], "10 12.5 20 42.5 45 42.5"),
    "s07": (["tasks: peg1, minus: 100"], "10 0 20 30 45 30"),
    "s08": (["tasks: peg1, score: 7.25"], "10 7.25 20 37.25 45 37.25"),
    "s09": (["tasks: peg1, plus: 1", "tasks: peg1, score: 7"], "10 8 20 38 45 38"),
    "s10": (["tasks: peg1, score: 0"], "10 0 20 30 45 30"),
    "s11": (["hold: true"], "10 15 20 45 45 "),
    "s12": (["tasks: peg2, hold: true"], "10 15 20 45 45 "),
    "s13": (["tasks: lab10, hold: true"], "10 15 20 45 45 45"),
    "s14": (["tasks: peg2, regrade: requested"], "10 15 20 45 45 45"),
    "s15": (["tasks: peg2, regrade: declined"], "10 15 20 45 45 45"),
    "s16": (["tasks: peg2, regrade: granted, plus: 0.5"], "10 15 20.5 45.5 45 45.5"),
    "s17": (["tasks: peg2, regrade: granted, score: 19"], "10 15 19 44 45 44"),
    "s18": (["tasks: peg2, minus: 20", "tasks: peg2, plus: 3"], "10 15 3 28 45 28"),
    "s19": (["tasks: [client, peg1], minus: 1"], "9 14 20 43 45 43"),
    "s20": (["tasks: peg1, excused: true", "tasks: peg2, minus: 5"], "10 excused 15 25 30 37.5"),
    "s21": (["tasks: peg1, excused: true", "hold: true"], "10 excused 20 30 30 "),
    "s22": (["tasks: peg1, excused: false, plus: 1"], "10 16 20 46 45 46"),
    "s23": (["tasks: client, minus: 3.33"], "6.67 15 20 41.67 45 41.67"),
    "gone": (["tasks: peg1, score: 12"], " 12  12 45 12"),
    "gone2": (["tasks: [client, peg1, peg2], excused: true"], "excused excused excused 0 0 "),
    "gone3": (["tasks: peg2, plus: 4"], "  4 4 45 4"),
    "gone4": (["hold: true"], "   0 45 "),
    "s24": (["excused: true"], "excused excused excused 0 0 "),
}


def make(store: ClassStore, tmp_path: Path) -> Policies:
    students = [Student(name, name.title(), f"{name}@x.edu") for name in BY_HAND]
    answers = {task: ({f"{task}.py": task}, right(task)) for task in TASKS}
    put(store, students, [(Attempt(s.id, 1, DUE, "x"), answers) for s in students if s.id[0] == "s"], TASKS)
    file = tmp_path / "adjustments.yaml"
    lines = [
        f"  - {{student: {name if number % 2 else name.upper() + '@X.edu'}, {decision}, reason: 'why {name}'}}\n"
        for number, (name, (decisions, _)) in enumerate(BY_HAND.items())
        for decision in decisions
    ]
    assert len(lines) == 31
    file.write_text("adjustments:\n" + "".join(lines), "utf-8")
    policies = Policies.none([registry().find(name) for name in TASKS])
    return replace(policies, adjustments=read_adjustments(file))


@pytest.mark.slow
def test_by_hand(store: ClassStore, tmp_path: Path) -> None:
    policies = make(store, tmp_path)
    standings = standings_of(store, policies)
    text = gradebook.format_gradebook(standings).removeprefix("\ufeff")
    rows = {row["id"]: row for row in csv.DictReader(io.StringIO(text))}
    canvas = {row[2]: row[5] for row in csv.reader(io.StringIO(gradebook.format_canvas(standings)))}
    assert unknown_students(policies, [standing.student for standing in standings.students]) == []
    for name, (decisions, expected) in BY_HAND.items():
        row = rows[name]
        found = [*(row[task] for task in TASKS), row["total"], row["of"], canvas[name]]
        assert " ".join(found) == expected, name
        told = row["rules"] + row["problems"]
        for decision in decisions:
            if "lab10" not in decision:
                assert f"why {name} (adjustments." in told and "adjustments.yaml:" in told, (name, told)


def test_each_decision_is_cited_with_its_line(store: ClassStore, tmp_path: Path) -> None:
    standings = standings_of(store, make(store, tmp_path))
    said = {each.student.id: "\n".join(about(each, UTC, "x")) for each in standings.students}
    after = "after late penalties and other course rules"
    for who, told in {
        "s02": "peg1: 15 / 15, no part of the total: excused: why s02 (adjustments.1, adjustments.yaml:2)",
        "s06": f"12.5 {after}: -2.50: why s06",
        "s17": f"peg2: 20 / 20, 19 {after}: regrade granted, 19 instead of 20: why s17",
        "s14": f"peg2: 20 / 20, 20 {after}: regrade requested: why s14",
        "s11": "held back: the whole course; ask the course staff (adjustments.",
        "gone": f"peg1: 0 / 15, 12 {after}: 12 instead of 0: why gone",
    }.items():
        assert told in said[who]
    assert "client: 10 / 10" not in said["s01"]
    assert "why s11" not in said["s11"]  # the reason of a hold is for the staff


def test_who_handed_in_nothing_reads_the_decision(store: ClassStore, tmp_path: Path) -> None:
    standings = standings_of(store, make(store, tmp_path))
    gone = [each for each in standings.students if each.student.id == "gone3"]
    standings = replace(standings, students=gone)
    formats = [format for format in FORMATS if format != "classroom50"]  # which has no place for it
    for file in write_feedback(standings, tmp_path / "out", formats, DUE):
        assert file.suffix == ".xml" or "why gone3" in file.read_text("utf-8"), file.name
    assert len(list((tmp_path / "out").iterdir())) == len(formats)


def test_the_rules_come_first(tmp_path: Path, store: ClassStore) -> None:
    """A score replaces what lateness left; an excused task is part of nothing and spends no late day."""
    (tmp_path / "course.yaml").write_text("due: 2026-10-01 00:00Z\nlate: {days: 2, percent_per_day: 10}\n")
    tasks = [registry().find(name) for name in TASKS]
    make(store, tmp_path)
    adjusted = read_adjustments(tmp_path / "adjustments.yaml")
    rules = read_policies(tmp_path / "course.yaml", tasks)
    standings = standings_of(store, replace(rules, adjustments=adjusted))
    grades = {each.student.id: each.grade for each in standings.students}
    assert [str(task.adjusted) for task in grades["s01"].tasks] == ["10.00", "12.00", "16.00"]
    assert [str(task.counted) for task in grades["s02"].tasks] == ["10.00", "0.00", "16.00"]
    assert [str(task.counted) for task in grades["s03"].tasks] == ["0.00", "0.00", "20.00"]
    assert str(grades["s08"].tasks[1].adjusted) == "7.25"


def test_the_example() -> None:
    found = read_adjustments(EXAMPLE)
    assert [each.student for each in found] == ["ada", "ben@example.edu", "cleo", "dan", "eve", "fay", "guy"]
    assert str(found[0].where) == "adjustments.1, adjustments.yaml:11"


MISTAKES = [
    ("- x\n", ":1:1: expected a mapping, found a list"),
    ("adjustments: x\n", ":1:14: adjustments: expected a list, found 'x'"),
    ("adjustment: []\n", ":1:1: no field 'adjustment'"),
    ("schema: 7\n", ":1:9: schema: expected peg-adjustments/v1, found 7"),
    (["tasks: peg1, plus: 1"], "expected student, found nothing"),
    (["student: a, tasks: peg1, plus: 1"], "expected reason, found nothing"),
    (["student: a, reason: b"], "decides nothing"),
    (["student: a, reason: b, plus: 1"], "expected tasks, found nothing"),
    (["student: a, reason: b, task: peg1, plus: 1"], "no field 'task'"),
    (["student: a, reason: b, tasks: peg7, plus: 1"], "tasks: no task 'peg7'"),
    (["student: a, reason: b, tasks: [], plus: 1"], "expected names of tasks, found a list"),
    (["student: a, reason: b, tasks: peg1, plus: -1"], "plus: expected a number from 0 to 1000 with at most two"),
    (["student: a, reason: b, tasks: peg1, plus: 1, minus: 1"], "minus: plus is set, too"),
    (["student: a, reason: b, tasks: peg1, excused: true, score: 1"], "score: excused is set, too"),
    (["student: a, reason: b, tasks: peg1, excused: maybe"], "excused: expected true or false, found 'maybe'"),
    (["student: a, reason: b, tasks: peg1, regrade: yes"], "regrade: expected one of requested, granted, declined"),
    (["student: a, reason: b, tasks: peg1, regrade: granted"], "regrade: changes no points"),
    (["student: a, reason: b, tasks: peg1, regrade: declined, plus: 1"], "plus: regrade is declined"),
    (
        ["student: a, reason: b, tasks: peg1, score: 1",
         "student: A, reason: b, tasks: [peg2, peg1], score: 2"],
        ":3:5: adjustments.2: peg1 of A is settled already (adjustments.1, adjustments.yaml:2)",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), MISTAKES, ids=range(len(MISTAKES)))
def test_mistake(
    text: str | list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if not isinstance(text, str):
        text = "adjustments:\n" + "".join(f"  - {{{each}}}\n" for each in text)
    Path("adjustments.yaml").write_text(text)
    with pytest.raises(InputError) as caught:
        read_adjustments(Path("adjustments.yaml"))
    assert message in caught.value.message and caught.value.message.startswith("adjustments.yaml:")
    assert caught.value.help


@pytest.mark.parametrize("raw", [b"\xff\xfe", b"a: ["])
def test_a_file_that_is_no_yaml(raw: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(raw)
    with pytest.raises(InputError, match=r"a\.yaml") as caught:
        read_adjustments(tmp_path / "a.yaml")
    assert "example/adjustments.yaml" in caught.value.help


@pytest.mark.parametrize("raw", [b"", b"# none\n", b"{}", b"adjustments: []\n"])
def test_a_file_with_none(raw: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(raw)
    assert read_adjustments(tmp_path / "a.yaml") == ()


@pytest.mark.slow
def test_the_course_names_its_files(tmp_path: Path) -> None:
    """In the folder with course.yaml, `grade class DIR TASK` is the whole command."""
    lay(tmp_path, {
        "class/ada/client.py": b"raise NotImplementedError('client: x is not written yet')\n",
        "roster.csv": b"id,name\nada,Ada\nben,Ben\n",
        "course.yaml": b"roster: roster.csv\nadjustments: a.yaml\nfeedback: [markdown, json]\n"
                       b"leaderboard: names\nboards: [own, turned:5]\n",
        "a.yaml": b"adjustments:\n- {student: ada, tasks: client, score: 4, reason: exam}\n",
    })  # fmt: skip

    def run() -> tuple[str, str]:
        done = grade("class", "class", "client", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return (tmp_path / "class-graded/gradebook.csv").read_text("utf-8"), done.stderr

    gradebook, said = run()
    assert "4 instead of 0: exam (adjustments.1, a.yaml:2)" in gradebook and "\nben,Ben," in gradebook
    assert "course.yaml: the course's rules\n" in said
    assert {file.name for file in (tmp_path / "class-graded/feedback").iterdir()} == {"ada.json", "ada.md"}
    (tmp_path / "course.yaml").unlink()
    gradebook, said = run()
    assert "exam" not in gradebook
    none = "this one has no roster: roster.csv, adjustments: a.yaml, course.yaml, boards: own turned:5\n"
    assert none in said
