"""When work was handed in, as each platform says it: worksheets in many languages, exports, and commits."""

import csv
import io
import json
import os
import shutil
import struct
import subprocess
import sys
import time
import zlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from grader.course.handins import named_files
from grader.course.handins.intake import Intake, take_in
from grader.course.handins.moments import dates_in_words, moment
from grader.course.handins.roster_file import read_roster
from grader.course.handins.times_file import read_times
from grader.course.records import Attempt, Student
from grader.course.reports import gradebook
from grader.course.store import ClassStore
from grader.errors import InputError
from support.archives import lay
from support.class_store import put, right, standings_of

BERLIN = ZoneInfo("Europe/Berlin")
ENGLISH = """\
Identifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed","Last modified (submission)",\
"Online text","Last modified (grade)","Feedback comments"
"Participant 7","Ada King",ada@x.edu,"Submitted for grading",-,45.00,Yes,"Friday, 9 October 2026, 11:59 PM",,-,
"Participant 8","Bob Lee",bob@x.edu,"Submitted for grading",40.00,45.00,Yes,"Saturday, 10 October 2026, 12:05 AM",,\
"Monday, 12 October 2026, 9:00 AM","well done"
"Participant 9",Cyd,cyd@x.edu,"No submission",-,45.00,Yes,-,,-,
"""
GERMAN = """\
Kennung,"Vollständiger Name",Matrikelnummer,E-Mail-Adresse,Status,Bewertung,Bestwertung,"Bewertung kann geändert werden",\
"Zuletzt geändert (Abgabe)","Zuletzt geändert (Bewertung)","Feedback als Kommentar"
Teilnehmer/in7,"Ada King",m0017,ada@x.edu,"Zur Bewertung abgegeben",-,"45,00",Ja,"Freitag, 9. Oktober 2026, 23:59",-,
Teilnehmer/in8,"Bob Lee",m0018,bob@x.edu,"Zur Bewertung abgegeben","40,00","45,00",Ja,\
"Samstag, 10. Oktober 2026, 00:05","Montag, 12. Oktober 2026, 09:00",gut
Teilnehmer/in9,Cyd,m0019,cyd@x.edu,"Keine Abgabe",-,"45,00",Ja,-,-,
"""
CHINESE = """\
标识符,全名,状态,成绩,最高分,成绩可以更改,最后修改\uff08提交\uff09,最后修改\uff08成绩\uff09,反馈评论
参与者 7,Ada King,已提交,-,45.00,是,2026年10月9日 星期五 23:59,-,
参与者 8,Bob Lee,已提交,40.00,45.00,是,2026年10月10日 星期六 00:05,2026年10月12日 星期一 09:00,好
参与者 9,Cyd,没有提交,-,45.00,是,-,-,
"""
DOWNLOAD = {f"{name}_assignsubmission_file/client.py": b"" for name in ("Ada King_7", "Bob Lee_8")}
TOLD = [datetime(2026, 10, 9, 21, 59, tzinfo=UTC), datetime(2026, 10, 9, 22, 5, tzinfo=UTC)]


def times_of(intake: Intake) -> list[datetime | None]:
    return [handin.attempt.handed_in for handin in intake.handins]


# ---- Moodle ------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "ids"),
    [
        (ENGLISH, ["ada@x.edu", "bob@x.edu", "cyd@x.edu"]),
        (GERMAN, ["m0017", "m0018", "m0019"]),
        (CHINESE, ["7", "8", "9"]),
    ],
    ids=["English", "German", "Chinese"],
)
def test_a_worksheet_gives_times_and_takes_grades(
    text: str, ids: list[str], store: ClassStore, tmp_path: Path
) -> None:
    """The students, when they handed in, and the worksheet again with two cells changed in the rows with a grade."""
    given = text.replace("Cyd", "Cyd\u200cda").replace('PM",,-', f'PM",{"words " * 30_000}end,-')
    (tmp_path / "worksheet.csv").write_text("\ufeff" + given, "utf-8")
    intake = take_in(lay(tmp_path / "class", DOWNLOAD), tmp_path / "worksheet.csv", zone=BERLIN)
    assert [student.id for student in intake.students] == ids
    assert times_of(intake) == TOLD
    students = intake.students[:2]
    answers = {"client": ({}, right("client"))}
    put(store, students, [(Attempt(each.id, 1, None, "x"), answers) for each in students], ["client"])
    rows = list(csv.reader(io.StringIO(gradebook.format_moodle(standings_of(store), intake.worksheet))))
    assert gradebook.other_maximum(standings_of(store), intake.worksheet) == (
        "moodle.csv: the worksheet's maximum grade is 45, the course's total 10: in Moodle set the "
        "assignment's maximum to 10, and download the worksheet again"
    )
    before = list(csv.reader(io.StringIO(given)))
    assert [row[0] for row in rows] == [row[0] for row in before]  # Moodle finds rows and columns again
    assert rows[0] == before[0] and rows[3] == before[3]
    grade = before[0].index({ENGLISH: "Grade", GERMAN: "Bewertung", CHINESE: "成绩"}[text])
    feedback = len(before[0]) - 1
    for row, old in zip(rows[1:3], before[1:3], strict=True):
        changed = {index for index in range(len(old)) if row[index] != old[index]}
        assert changed == {grade, feedback}
        assert row[grade] == "10" and row[feedback] == "client: 10 / 10"
    assert any("tick the box" in note for note in intake.notes) == (text is not ENGLISH)
    with (tmp_path / "again.csv").open("w", encoding="utf-8", newline="") as again:
        csv.writer(again).writerows(rows)
    second = take_in(tmp_path / "class", tmp_path / "again.csv", zone=BERLIN)
    assert second.worksheet is not None and second.worksheet.header == before[0]


@pytest.mark.parametrize("workflow", [[], ["Not marked"]])
@pytest.mark.parametrize("called", ["Participant", "G1-Teilnehmer in"])
def test_names_that_moodle_hides(called: str, workflow: list[str], tmp_path: Path) -> None:
    head, *rows = ([row[0], row[3], *workflow, *row[4:]] for row in csv.reader(io.StringIO(ENGLISH)))
    more = [[f"Participant 1{number}", *row[1:]] for number, row in enumerate(rows)]
    with (tmp_path / "worksheet.csv").open("w", encoding="utf-8", newline="") as worksheet:
        csv.writer(worksheet).writerows([head, *rows, *more])
    download = {f"{called}_{number}_assignsubmission_file/client.py": b"" for number in (7, 8)}
    intake = take_in(lay(tmp_path / "class", download), tmp_path / "worksheet.csv", zone=BERLIN)
    students = {each.id: (each.name, each.platform_id) for each in intake.students}
    assert students == {id: (id, f"Participant {id}") for id in ("7", "8", "9", "10", "11", "12")}
    assert times_of(intake) == TOLD


def test_without_a_zone_the_times_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "worksheet.csv").write_text(ENGLISH)
    intake = take_in(lay(tmp_path / "class", DOWNLOAD), tmp_path / "worksheet.csv")
    assert times_of(intake) == [None, None]
    said = "2 hand-in times do not say their zone, and cannot count: add timezone to course.yaml"
    assert said in intake.notes


@pytest.mark.parametrize("text", [ENGLISH, GERMAN, CHINESE])
def test_who_submitted_without_a_file_is_told(text: str, tmp_path: Path) -> None:
    submitted, not_submitted = text.splitlines()[1].split(",-,")[0].split(",")[-1], text.splitlines()[-1]
    all_submitted = text.replace(not_submitted.split(",-,")[0].split(",")[-1], submitted)
    for given, number in ((text, 0), (all_submitted, 1)):
        (tmp_path / "worksheet.csv").write_text(given)
        intake = take_in(lay(tmp_path / "class", DOWNLOAD), tmp_path / "worksheet.csv", zone=BERLIN)
        told = [note for note in intake.notes if "without a file in the download" in note]
        assert len(told) == number
        assert all(note.startswith(f"the worksheet says {submitted.strip(chr(34))} of ") for note in told)


def test_a_worksheet_in_words_that_nobody_knows(tmp_path: Path) -> None:
    (tmp_path / "worksheet.csv").write_text(ENGLISH.replace("October", "Octember").replace("day,", "tag,"))
    intake = take_in(lay(tmp_path / "class", DOWNLOAD), tmp_path / "worksheet.csv", zone=BERLIN)
    assert times_of(intake) == [None, None]
    assert any("in no language that can be read" in note for note in intake.notes)


@pytest.mark.parametrize(
    "text",
    [
        "id,name\n7,Ada\n",
        ENGLISH.replace(" (grade)", ""),  # no longer as Moodle writes it
        ENGLISH.replace("Participant 8", "8"),
    ],
)
def test_other_tables_are_no_worksheets(text: str, tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text(text)
    assert read_roster(tmp_path / "roster.csv", BERLIN).worksheet is None


@pytest.mark.parametrize(
    ("cells", "times"),
    [
        (["Friday, 9 October 2026, 11:59 PM", "-"], ["2026-10-09T23:59", ""]),
        (["Friday, 9 October 2026, 12:00 AM"], ["2026-10-09T00:00"]),
        (["9 October 2026, 12:00 PM"], ["2026-10-09T12:00"]),
        (["vendredi 9 octobre 2026, 23:59"], ["2026-10-09T23:59"]),
        (["piątek, 9 października 2026, 23:59"], ["2026-10-09T23:59"]),
        (["pátek, 9. října 2026, 23.59"], ["2026-10-09T23:59"]),
        (["2026年10月9日 星期五 下午11:59"], ["2026-10-09T23:59"]),
        (["2026년 10월 9일 금요일 오후 11:59"], ["2026-10-09T23:59"]),
        (["Friday, 10 October 2026, 11:59 PM"], None),  # that was a Saturday
        (["Friday, 9 October 2026"], None),
        (["soon, at 11:59"], None),
        (["-"], None),
    ],
)
def test_dates_in_words(cells: list[str], times: list[str] | None) -> None:
    read = dates_in_words(cells)
    assert (read and [time.isoformat(timespec="minutes") if time else "" for time in read]) == times


@pytest.mark.parametrize(
    ("text", "zone", "time"),
    [
        ("2026-10-09 23:59:00 UTC", None, "2026-10-09T23:59"),
        ("2026-10-09T23:59Z", None, "2026-10-09T23:59"),
        ("2026-10-09 23:59:00 -0400", None, "2026-10-10T03:59"),
        ("2026-10-09 23:59", None, None),
        ("2026-10-09 23:59", BERLIN, "2026-10-09T21:59"),
        ("2026-10-25 02:30", BERLIN, "2026-10-25T00:30"),  # the earlier of two
    ],
)
def test_the_zone_of_a_time(text: str, zone: ZoneInfo | None, time: str | None) -> None:
    assert moment(text, zone) == (time and datetime.fromisoformat(f"{time}+00:00"))


def test_a_long_text_is_no_time() -> None:
    began = time.process_time()
    assert moment("2026-10-09 23:59" + " " * 100_000 + "x") is None
    assert time.process_time() - began < 1  # the square of it takes longer


# ---- exports -----------------------------------------------------------------------------------------

CANVAS = {"king_7_1_client.py": b"", "lee_8_2_client.py": b"", "cyd_9_3_client.py": b""}
AUTOLAB = {"ada@x.edu_1_client.py": b"", "ada@x.edu_2_client.py": b"", "bob@x.edu_1_client.py": b""}
API = [
    {"id": 70, "user_id": 7, "attempt": 2, "submitted_at": "2026-10-09T21:59:00Z",
     "submission_history": [{"user_id": 7, "attempt": 1, "submitted_at": "2026-10-01T00:00:00Z"}]},
    {"id": 9, "user_id": 99, "user": {"id": 8, "name": "Bob"}, "submitted_at": "2026-10-09T22:05:00Z"},
    {"id": 71, "user_id": 9, "submitted_at": None},
]  # fmt: skip
VERSIONS = "email,version,created_at\nADA@x.edu,1,2026-10-09 23:59\nada@x.edu,2,2026-10-10 00:05\nbob@x.edu,2,2026-10-01 00:00\n"


LATE = datetime(2026, 10, 14, 10, tzinfo=UTC)


@pytest.mark.parametrize("column", ["sid", "login"])
def test_a_name_is_looked_for_among_those_of_its_kind_first(column: str, tmp_path: Path) -> None:
    rows = [f"{name},{LATE + timedelta(days=at)}\n" for at, name in enumerate(("1", "king", "lee"))]
    (tmp_path / "times").write_text(f"{column},submitted at\n" + "".join(rows))
    times = read_times(tmp_path / "times", BERLIN)
    students = [Student("1", "One"), Student("king", "King"), Student("2", "Two")]
    assert times.find_owners(students, {"1": {"king"}, "king": {"lee"}, "2": {"1"}}) == []
    days = {"sid": {"1": 0, "king": 2}, "login": {"1": 1, "king": 2, "2": 0}}[column]
    for id in ("1", "king", "2"):
        assert times.of(id, None) == (LATE + timedelta(days=days[id]) if id in days else None)


CLONES = {"peg-king-gh/.git/HEAD": b"", "peg-lee-gh/.git/HEAD": b""}


@pytest.mark.parametrize(
    ("columns", "roster", "owners", "nobodys"),
    [
        ("login", "id,login\n1,king\n2,lee\n", {"king": "1", "LEE": "2"}, 0),
        ("username", "id,GitHub username\n1,king\n2,lee\n", {"king": "1", "lee": "2"}, 0),
        ("sid,email", "id,email\n1,a@x\n2,b@x\n", {"1,": "1", "1,b@x": ""}, 0),
        ("github_username,roster_identifier", "", {"king-gh,King": "king-gh", "lee-gh,": "lee-gh"}, 0),
        ("github_username,roster_identifier", "id\nking\n2\n", {"king,Lee": "", "king-gh,2": "2"}, 1),
        # A name that a student chose is nobody else's id.
        ("github_username,roster_identifier", "id\nada\neve\n", {"ada-gh,ada": "ada", "ada,eve": "eve"}, 0),
        ("Student,Email", "id\nada\neve\n", {"ada-gh,ada": "ada", "ada,eve": "eve"}, 0),
        ("Student,SID", "id\nada\neve\n", {"Ada King,ada": "ada", "ada,": "", "eve,": "eve"}, 1),
    ],
)
def test_whose_a_time_is(
    columns: str, roster: str, owners: dict[str, str], nobodys: int, tmp_path: Path
) -> None:
    """A name is looked for among those of its own kind, and a clone is known by its login."""
    rows = [f"{row},2026-10-{14 + at}T10:00Z\n" for at, row in enumerate(owners)]
    (tmp_path / "roster.csv").write_text(roster)
    (tmp_path / "times.csv").write_text(f"{columns},submitted at\n" + "".join(rows))
    ids = [line.partition(",")[0] for line in roster.splitlines()[1:]]
    class_ = lay(tmp_path / "class", {f"{id}/client.py": b"" for id in ids} or CLONES)
    intake = take_in(class_, tmp_path / "roster.csv" if roster else None, tmp_path / "times.csv", BERLIN)
    found = {each.attempt.student: each.attempt.handed_in for each in intake.handins}
    expected = {id: LATE + timedelta(days=at) for at, id in enumerate(owners.values()) if id}
    assert {id: time for id, time in found.items() if time} == expected
    assert sum("row of nobody here" in note for note in intake.notes) == nobodys
    of_two = sum("row of two students" in note for note in intake.notes)
    assert of_two == list(owners.values()).count("") - nobodys


@pytest.mark.parametrize(
    ("files", "export", "times"),
    [
        (CANVAS, json.dumps(API), [*TOLD, None]),
        (CANVAS, "Student,ID,Submitted At\nAda,7,2026-10-09T21:59:00Z\nBob,8,2026-10-09 22:05:00 UTC\n,9,-\n", [*TOLD, None]),
        (AUTOLAB, VERSIONS, [*TOLD, None]),
        (AUTOLAB, json.dumps([{"email": "ada@x.edu", "version": 2, "created_at": "2026-10-10T00:05:00.000+02:00"}]), [None, TOLD[1], None]),
        (
            {"peg-ada/.git/HEAD": b"", "peg-bob/.git/HEAD": b""},
            "assignment_name,github_username,submission_timestamp\npeg,Ada,2026-10-09 21:59:00 UTC\npeg,bob,2026-10-09 22:05:00 UTC\n",
            TOLD,
        ),
    ],
    ids=["Canvas's API", "CSV", "Autolab", "Autolab's API", "GitHub Classroom"],
)  # fmt: skip
def test_a_platform_s_export_of_times(
    files: dict[str, bytes], export: str, times: list[datetime | None], tmp_path: Path
) -> None:
    (tmp_path / "export").write_text(export)
    assert times_of(take_in(lay(tmp_path / "class", files), None, tmp_path / "export", BERLIN)) == times


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", ": expected a line that names the columns, found nothing"),
        (b"\xff\n", ":1: expected UTF-8 text, found the byte 0xff"),
        (b"id,mark\n7,1\n", ":1: expected a column for a time, such as submitted_at, found id, mark"),
        (b"submitted_at,mark\n7,1\n", ":1: expected a column for who it is, such as id or email, found submitted_at, mark"),
        (b"id,submitted_at\n7\n", ":2: expected 2 cells as in line 1, found 1"),
        (b"id,submitted_at\n7,soon\n", ":2: expected a time from 2000 to 2099 such as 2026-10-09T23:59:00Z, found soon"),
        (b"id,submitted_at\n,2026-10-09T23:59Z\n", ":2: expected who handed in, such as an id or an e-mail"),
        (b"[1]", ": expected a list of submissions, found something else"),
        (b"[{]", ":1: not JSON: "),
        (b"[" * 100_000, ": not JSON: nested too deeply"),
        (b'[{"user_id": ' + b"7" * 5000 + b"}]", ": not JSON: a number has thousands of digits"),
        (b'["\xff"]', ": not JSON: expected UTF-8 text"),
        (b'{"errors": [{"message": "Invalid access token."}]}', ": expected a list of submissions, found something else"),
        (b'[{"user_id": 7, "submitted_at": "soon"}]', ": submission 1: expected a time from 2000"),
        (b'[{"submitted_at": "2026-10-09T23:59Z"}]', ": submission 1: expected who handed in"),
    ],
    ids=range(15),
)  # fmt: skip
def test_exports_that_are_broken(raw: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "times").write_bytes(raw)
    with pytest.raises(InputError) as caught:
        read_times(tmp_path / "times", BERLIN)
    assert caught.value.message.startswith(f"{tmp_path / 'times'}{message}")
    assert "nothing was graded" in caught.value.help


def test_an_export_without_zones(tmp_path: Path) -> None:
    (tmp_path / "times.csv").write_text(VERSIONS)
    times = read_times(tmp_path / "times.csv", None)
    assert times.zoneless == 3 and times.of(Student("ada@x.edu", "Ada"), None) is None


# ---- commits -----------------------------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
def test_the_last_commit_s_time_is_a_claim(tmp_path: Path) -> None:
    """It is read without the clone's configuration, packed or not; what is no clone has no time."""
    folder = tmp_path / "peg-submissions"
    for name in ("ada", "bob"):
        clone = folder / f"peg-{name}"
        clone.mkdir(parents=True)
        names = (f"GIT_{who}_{what}" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL"))
        when = {"GIT_COMMITTER_DATE": "2026-10-09T23:59:00+0200", "GIT_CONFIG_GLOBAL": os.devnull}
        env = {**os.environ, **dict.fromkeys(names, "a@b"), **when}
        subprocess.run(["git", "init", "-q"], cwd=clone, check=True, env=env)
        subprocess.run(["git", "commit", "-q", "--allow-empty", "-m", "done"], cwd=clone, check=True, env=env)
        if name == "bob":
            subprocess.run(["git", "gc", "-q"], cwd=clone, check=True, env=env)
        with (clone / ".git/config").open("a") as config:
            config.write(f"[core]\n\tfsmonitor = touch {tmp_path}/run\n[broken\n")
    (folder / "peg-eve/.git/objects").mkdir(parents=True)
    (folder / "peg-eve/.git/HEAD").write_text("ref: refs/heads/../../../peg-ada/.git/HEAD\n")
    (folder / "peg-fay/.git").mkdir(parents=True)
    (folder / "peg-fay/.git/HEAD").write_text("0" * 40 + "\n")
    intake = take_in(folder)
    assert times_of(intake) == [TOLD[0], TOLD[0], None, None]
    assert any("their claim" in note for note in intake.notes)
    assert not (tmp_path / "run").exists()
    (tmp_path / "roster.csv").write_text("id,handed_in\nada,2026-10-10T00:05+02:00\nbob,\n")
    (tmp_path / "times.csv").write_text("id,handed_in\nada,2026-10-14T10:00Z\n")
    for times, adas in ((None, TOLD[1]), (tmp_path / "times.csv", LATE)):
        assert times_of(take_in(folder, tmp_path / "roster.csv", times))[:2] == [adas, TOLD[0]]


def numbers(of: int) -> bytes:
    """Return a number in groups of seven bits, the lowest first, as git writes sizes."""
    return bytes([of & 127]) if of < 128 else bytes([of & 127 | 128]) + numbers(of >> 7)


def write_pack(git: Path, size: int) -> None:
    """Write the pack of a commit; it is a part of another one of `size` bytes, which git must unpack first."""
    head = b"tree %s\ncommitter a <a@b> 1791583140 +0000\n\n" % (b"0" * 40)
    whole = bytes([0x90 | size & 15]) + numbers(size >> 4) + zlib.compress(head.ljust(size, b"a"), 1)
    copied = numbers(size) + numbers(len(head)) + bytes([0x90, len(head)])
    back = [len(whole) & 127]
    rest = len(whole) >> 7
    while rest:
        back.insert(0, 128 | (rest - 1) & 127)
        rest = (rest - 1) >> 7
    part = bytes([0x60 | len(copied)]) + bytes(back) + zlib.compress(copied)
    (git / "objects/pack").mkdir(parents=True)
    end = bytes(20)  # where digests are that git does not look at
    (git / "objects/pack/pack-1.pack").write_bytes(b"PACK" + struct.pack(">II", 2, 2) + whole + part + end)
    names = bytes(20), b"\x01" * 20
    index = b"\xfftOc" + struct.pack(">257I", 2, 1, *[2] * 255) + b"".join(names) + bytes(8)
    index += struct.pack(">II", 12, 12 + len(whole)) + end + end
    (git / "objects/pack/pack-1.idx").write_bytes(index)
    (git / "HEAD").write_text(names[1].hex())


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux" or shutil.which("git") is None, reason="no git, or no limits")
def test_a_clone_on_which_git_takes_too_much_has_no_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small, large, pipe = (tmp_path / name for name in ("small", "large", "pipe"))
    write_pack(small / ".git", 1 << 20)
    write_pack(large / ".git", 300 << 20)
    (pipe / ".git/objects/00").mkdir(parents=True)
    (pipe / ".git/HEAD").write_text("0" * 40)
    os.mkfifo(pipe / ".git/objects/00" / ("0" * 38))  # git waits for who writes to it
    monkeypatch.setattr(named_files, "MEMORY_BYTES", 200 << 20)
    began = time.monotonic()
    assert [*named_files.last_commits([small, large, pipe])] == [small]
    assert time.monotonic() - began < 3 * named_files.SECONDS


@pytest.mark.parametrize("text", ["[]", "id,handed_in\n", "id,handed_in\nzed,2026-10-01T00:00Z\n"])
def test_a_file_of_times_that_says_nothing_of_the_class_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "class" / "ada").mkdir(parents=True)
    (tmp_path / "times").write_text(text)
    with pytest.raises(InputError, match=r"none of [01] rows? with a time belongs to anybody here"):
        take_in(tmp_path / "class", None, tmp_path / "times")
    (tmp_path / "times").write_text("SID,handed in\nada,2026-10-01T00:00Z\nzed,2026-10-01T00:00Z\n")
    intake = take_in(tmp_path / "class", None, tmp_path / "times")
    assert any(note.endswith("times, 1 row of nobody here: zed") for note in intake.notes)
