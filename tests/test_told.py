"""Feedback as platforms and mail programs take it: read back as Moodle, Canvas, spreadsheets and mail readers do."""

import csv
import io
import json
import re
import zipfile
from dataclasses import replace
from decimal import Decimal
from email import message_from_bytes
from email.policy import SMTP
from pathlib import Path

import pytest

from grader.catalog.tasks import registry
from grader.cli import cli
from grader.course.records import Attempt, Student
from grader.course.reports.all_reports import write_reports
from grader.course.rules.grades import Adjustment, Place
from grader.course.rules.policies import Policies
from grader.course.store import ClassStore
from grader.errors import InputError
from grader.exports.feedback_files import Told, _message, feedback_files, read_address, read_told
from grader.result import Verdict
from support.class_store import DUE, put, right
from support.hostile import ATTACKS

TASKS = ("client", "peg1")
STUDENTS = [
    Student("ada", "Ada_M. Löwe", "ada@x.org", "A", True, "Participant 101"),
    Student("ben", "Ben", "ben@x.org", "A", True, "202"),
    Student("cleo", "=cmd()", "no address"),
    Student("dan", "Dan", "dan@x.org", "B", True, "Teilnehmer/in404"),
]
LONG = f"dean@x.org, all@x.org, Eve {'of the long name ' * 5}"


def graded(folder: Path, formats: tuple[str, ...] = ("table",), students: list[Student] = STUDENTS) -> Path:
    """Make a folder as `grade class` does: ada has all right, ben's peg1 is wrong, dan handed in nothing."""
    wrong = [
        each if number else each.__class__("peg1", each.board, Verdict.WRONG_ANSWER, 1, message="=1 is wrong")
        for number, each in enumerate(right("peg1"))
    ]
    with ClassStore(folder, create=True) as store:
        attempts = [
            (Attempt(each.id, 1, DUE, each.id), {
                "client": ({"client.py": "1"}, right("client")),
                "peg1": ({"peg1.py": each.id}, right("peg1") if each.id == "ada" else wrong),
            })
            for each in students if each.id != "dan"
        ]  # fmt: skip
        put(store, students, attempts, TASKS)
        write_reports(store, Policies.none([registry().find(task) for task in TASKS]), folder, formats)
    return folder


def test_what_the_rules_took_is_told(tmp_path: Path) -> None:
    graded(tmp_path)
    given = Adjustment("ben", Place("adjustments.csv"), "a swap", tasks=("peg1",), more=Decimal(-1))
    rules = Policies.none([registry().find(task) for task in TASKS])
    with ClassStore(tmp_path, create=True) as store:
        write_reports(store, replace(rules, adjustments=(given,)), tmp_path, ("table",))
    (ben,) = (each for each in read_told(tmp_path).students if each.student.id == "ben")
    assert any("a swap" in each and "adjustments.csv" in each for each in ben.account)
    assert feedback_files(read_told(tmp_path))


def rows_of(text: str | bytes) -> list[list[str]]:
    assert isinstance(text, str)
    return list(csv.reader(io.StringIO(text, newline="")))


def unzipped(raw: str | bytes) -> dict[str, str]:
    assert isinstance(raw, bytes)
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_each_platform_reads_its_file(tmp_path: Path) -> None:
    folder = graded(tmp_path / "run")
    files = feedback_files(read_told(folder))
    assert files == feedback_files(read_told(folder))  # the same bytes
    own = {who: (folder / "feedback" / f"{who}.txt").read_text("utf-8") for who in ("ada", "ben", "cleo")}

    found = {}
    for name, text in unzipped(files["moodle-feedback.zip"]).items():  # as importziplib.php does
        _, number, subtype, plugin, rest = name.split("_", 4)
        assert (subtype, plugin, rest) == ("assignfeedback", "file", "feedback.txt")
        found[int(number)] = text
    assert found == {101: own["ada"], 202: own["ben"]}

    head, possible, *rows = rows_of(files["canvas-tasks.csv"])
    assert head == [
        "Student",
        "ID",
        "SIS User ID",
        "SIS Login ID",
        "Section",
        "Peg Solitaire client",
        "Peg Solitaire peg1",
    ]
    assert possible == ["Points Possible", "", "", "", "", "10", "15"]
    assert [(row[1], row[2], row[5:]) for row in rows] == [
        ("", "ada", ["10", "15"]), ("202", "", ["10", "14"]), ("", "cleo", ["10", "14"]), ("", "dan", ["", ""]),
    ]  # fmt: skip
    comments = json.loads(files["canvas-comments.json"])["grade_data"]
    assert comments == {
        "sis_user_id:ada": {"posted_grade": "25", "text_comment": own["ada"]},
        "202": {"posted_grade": "24", "text_comment": own["ben"]},
        "sis_user_id:cleo": {"posted_grade": "24", "text_comment": own["cleo"]},
    }
    head, *rows = rows_of(files["brightspace.csv"])
    titles = ["Peg Solitaire", "Peg Solitaire client", "Peg Solitaire peg1"]
    assert head == ["Username", *(f"{title} Points Grade" for title in titles), "End-of-Line Indicator"]
    assert rows[1] == ["ben", "24", "10", "14", "#"] and rows[3] == ["dan", "", "", "", "#"]
    head, *rows = rows_of(files["blackboard.csv"])
    assert head[2:] == ["Peg Solitaire [Total Pts: 25 Score]", "Grading Notes", "Notes Format", "Feedback to Learner", "Feedback Format"]  # fmt: skip
    assert rows[1] == ["ben", "Ben", "24", "", "SMART_TEXT", "client: 10 / 10; peg1: 14 / 15", "SMART_TEXT"]
    assert rows[2][1] == "'=cmd()" and rows[3][2:6] == ["", "", "SMART_TEXT", ""]
    assert str(files["README.md"]).endswith(
        "Students without feedback here: dan. With feedback, but no e-mail address that can be used: cleo.\n"
    )


def test_the_commands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    graded(tmp_path / "run", ("html", "table"))
    typed = ["export", "feedback", "run", "out", "--from", "me@x.org"]
    assert cli.main(typed, standalone_mode=False) == 0
    assert capsys.readouterr().out == "out/README.md: what to do with the files\n"
    assert sorted(path.name for path in (tmp_path / "out" / "mail").iterdir()) == ["ada.eml", "ben.eml"]
    raw = (tmp_path / "out" / "mail" / "ada.eml").read_bytes()
    message = message_from_bytes(raw, policy=SMTP)
    assert (message["To"], message["From"]) == ('"Ada_M. Löwe" <ada@x.org>', "me@x.org")
    assert (message["Subject"], message["X-Unsent"]) == ("Peg Solitaire: your feedback", "1")
    body = message.get_body(("plain",))
    assert body is not None
    text = (tmp_path / "run/feedback/ada.txt").read_text("utf-8")
    assert body.get_content().replace("\r\n", "\n") == text
    assert read_address("eve", "eve@\u0435x.org") is None
    long = Told(Student("eve", LONG), {}, "", [], "", "")
    raw = _message(long, read_address(LONG, "eve@x.org"), None)
    assert [each.addr_spec for each in message_from_bytes(raw, policy=SMTP)["To"].addresses] == ["eve@x.org"]
    (page,) = message.iter_attachments()
    assert page.get_filename() == "feedback.html" and "<!doctype html>" in page.get_content()
    head, ada, _ = rows_of((tmp_path / "out" / "mail.csv").read_bytes().decode())
    assert head == ["email", "name", "subject", "text"]
    assert ada[:3] == ["ada@x.org", "Ada_M. Löwe", "Peg Solitaire: your feedback"] and "\npeg1  " in ada[3]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["none", "out"], "none: expected a folder that `grade class` made"),
        (["run", "run"], "run: is not an empty folder"),
        (["run", "out", "--from", "me"], "--from: expected an e-mail address, found me"),
        (["pages", "out"], "pages: expected feedback as text, found html"),
        (["begun", "out"], "begun: expected a finished run, found no totals"),
    ],
)  # fmt: skip
def test_what_cannot_be_told(
    typed: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = typed[0]
    if name != "none":
        graded(tmp_path / "run")
    if name == "pages":
        graded(tmp_path / "pages")
        graded(tmp_path / "pages", ("html",))  # the texts of the first run are out of date
    elif name == "begun":
        ClassStore(tmp_path / "begun", create=True).close()
    with pytest.raises(InputError, match=re.escape(said)) as raised:
        cli.main(["export", "feedback", *typed], standalone_mode=False)
    assert raised.value.help
    assert not (tmp_path / "out").exists()


def test_an_id_ends_no_code_in_the_readme(tmp_path: Path) -> None:
    graded(tmp_path, students=[Student("`<b>`@all", "Ann"), Student("`", "Ben")])
    said = "no e-mail address that can be used: `` ` ``, `` `<b>`@all ``.\n"
    assert str(feedback_files(read_told(tmp_path))["README.md"]).endswith(said)


def test_hostile_names_stay_in_their_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    coded = "=?utf-8?q?=0d=0aBcc:_b@x.org=0d=0a=0d=0aHello?="  # which Python's library decodes
    names = [*(text.encode("utf-8", "replace").decode() for text in ATTACKS), coded]
    students = [
        student
        for number, name in enumerate(names)
        for student in (
            Student(f"s{number}", name, f"{name}@x.org", name, True, f"Participant {number}"),
            Student(name, name, "x@x.org"),
        )
    ]
    graded(tmp_path / "run", students=students)
    files = feedback_files(read_told(tmp_path / "run"))
    for file in ("canvas-tasks.csv", "brightspace.csv", "blackboard.csv"):
        rows = rows_of(files[file])
        assert {len(row) for row in rows} == {len(rows[0])}
    zipped = unzipped(files["moodle-feedback.zip"])
    assert len(zipped) == len(names)
    assert all("/" not in each and each.count("_") == 4 for each in zipped)
    assert cli.main(["export", "feedback", "run", "out"], standalone_mode=False) == 0
    headers = {"X-Unsent", "To", "Subject", "Content-Type", "Content-Transfer-Encoding", "MIME-Version"}
    mails = [message_from_bytes(file.read_bytes(), policy=SMTP) for file in (tmp_path / "out/mail").iterdir()]
    assert len(mails) >= len(names) and all(set(mail.keys()) <= headers for mail in mails)
