"""What a class handed in, in every layout, with rosters right and wrong, and with everything done to break it.

pytest tests/test_intake.py --fuzz-archives 10000 --fuzz-seed 7        that many broken archives, from that seed
"""

import contextlib
import gzip
import io
import os
import random
import re
import stat
import sys
import tarfile
import tracemalloc
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.catalog.tasks import registry
from grader.course import class_run
from grader.course.handins.handin import Handin
from grader.course.handins.intake import Intake, take_in
from grader.course.handins.named_files import _canvas_readings
from grader.course.handins.roster_file import read_roster
from grader.course.records import file_name_of
from grader.errors import InputError
from grader.exports.platform_run import lay_out
from grader.submissions import archives
from grader.submissions.archives import archive_tree
from grader.submissions.locate import STUDENT
from grader.submissions.source_file import MAX_BYTES, SubmissionFault, decode_source
from grader.submissions.submission import read_submission, submission_from
from grader.submissions.trees import MAX_ENTRIES
from support.zoo_rows import STUBS

Files = Mapping[str, bytes]
Lay = Callable[[Files], Path]

PLAIN = {
    "ada/peg1.py": b"1 ada",
    "bob/student/peg1.py": b"1 bob",
    "bob/student/client.py": b"c bob",
    "bob/peg1.py": b"not this one",
    "cyd/peg-solitaire/student/peg2.py": b"2 cyd",
    "cyd/peg-solitaire/framework/board.py": b"",
    "roster.csv": b"id\nada\n",
    "class-graded/class.sqlite": b"",
    "class-graded/feedback/peg1.py": b"",
    ".DS_Store": b"",
}

METADATA = b"""submission_11:
  :submitters:
  - :name: Ada King
    :sid: '0017'
    :email: ada@x.edu
  :created_at: 2026-11-20 17:34:00.861687000 Z
  :score: 2.0
  :results:
    tests:
    - name: peg1 [board]
      output: |-
        submission_99:
          :submitters:
  :history:
  - :id: 7
    :created_at: 2026-11-19 09:00:00.000000000 +01:00
    :score: 1.0
  - :id: 8
    :created_at: 2026-11-20 09:00:00.000000000 +01:00
submission_12:
  :submitters:
  - :name: Bob Lee
    :sid:
    :email: bob@x.edu
  - :name: "C\\u0177d"
    :sid: '0019'
    :email: cyd@x.edu
  :created_at: 2026-11-20 18:00:00
submission_13:
  :submitters: []
"""
GRADESCOPE = {
    "assignment_5_export/submission_metadata.yml": METADATA,
    "assignment_5_export/submission_11/peg1.py": b"1 ada",
    "assignment_5_export/submission_8/peg1.py": b"1 ada before",
    "assignment_5_export/submission_12/peg1.py": b"1 both",
    "assignment_5_export/submission_13/peg1.py": b"1 nobody",
    "__MACOSX/assignment_5_export/._submission_11": b"",
}


@pytest.fixture
def as_folder(tmp_path: Path) -> Lay:
    def lay(files: Files) -> Path:
        for name, content in files.items():
            file = tmp_path / "class" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        return tmp_path / "class"

    return lay


@pytest.fixture(params=["folder", "zip"])
def lay(request: pytest.FixtureRequest, tmp_path: Path, as_folder: Lay) -> Lay:
    def zipped(files: Files) -> Path:
        (tmp_path / "class.zip").write_bytes(zip_of(files))
        return tmp_path / "class.zip"

    return as_folder if request.param == "folder" else zipped


def zip_of(files: Files) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def tar_of(files: Files, mode: str = "w") -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return packed.getvalue()


def read(intake: Intake) -> dict[tuple[str, int], dict[str, bytes]]:
    """Return what each attempt has in peg1.py, peg2.py and client.py."""
    return {
        (handin.attempt.student, handin.attempt.number): {
            name: raw
            for name in ("client.py", "peg1.py", "peg2.py")
            if (raw := handin.read(name)) is not None
        }
        for handin in intake.handins
    }


def one(intake: Intake, student: str) -> Handin:
    return next(handin for handin in intake.handins if handin.attempt.student == student)


def fault_of(handin: Handin, name: str = "peg1.py") -> str:
    with pytest.raises(SubmissionFault) as caught:
        handin.read(name)
    assert caught.value.help
    return caught.value.message


def refused(folder: Path, roster: Path | None = None) -> str:
    with pytest.raises(InputError) as caught:
        take_in(folder, roster)
    assert caught.value.help
    return caught.value.message


# ---- layouts -----------------------------------------------------------------------------------


def test_a_folder_for_each_student(lay: Lay) -> None:
    intake = take_in(lay(PLAIN))
    assert intake.layout == "a folder for each student"
    assert read(intake) == {
        ("ada", 1): {"peg1.py": b"1 ada"},
        ("bob", 1): {"peg1.py": b"1 bob", "client.py": b"c bob"},
        ("cyd", 1): {"peg2.py": b"2 cyd"},
    }
    assert [student.id for student in intake.students] == ["ada", "bob", "cyd"]
    assert one(intake, "bob").attempt.place.endswith("bob/student")
    assert intake.notes == [
        "left aside, no folder: roster.csv",
        "left aside, a store of results is in it: class-graded",
        "no submission has a hand-in time, so no rule about lateness can apply; --times FILE takes a platform's "
        "export of them, and a roster may have a column handed_in",
    ]


@pytest.mark.parametrize("around", ["", "class/", "submissions/"])
def test_every_entry_has_a_row_or_a_note(around: str, lay: Lay) -> None:
    files = {
        "ada/peg1.py": b"1",
        "bob/peg1.py": b"1",
        "..foo/peg1.py": b"1",
        ".cyd/peg1.py": b"1",
        "._dan/peg1.py": b"1",
        ".eve.zip": b"",
        "._ada": b"",
        ".git": b"",
        "__MACOSX/ada/._peg1.py": b"",
    }
    intake = take_in(lay({around + name: content for name, content in files.items()}))
    assert [student.id for student in intake.students] == ["ada", "bob"]
    assert intake.notes[0] == "left aside, hidden: ..foo, ._dan, .cyd, .eve.zip"
    assert len(intake.notes) == 2


def test_a_download_s_hidden_entries_are_told(lay: Lay) -> None:
    intake = take_in(lay({**GRADESCOPE, "assignment_5_export/..foo/peg1.py": b"", ".mine/x": b""}))
    assert "left aside, hidden: ..foo, .mine" in intake.notes


def test_members_of_a_class_s_zip_that_are_nowhere_are_told(tmp_path: Path) -> None:
    (tmp_path / "class.zip").write_bytes(zip_of({"ada/peg1.py": b"", "bob/x": b"", "../cyd/peg1.py": b""}))
    assert take_in(tmp_path / "class.zip").notes[0] == "left aside, no name of a file: ../cyd/peg1.py"


def test_a_student_s_hidden_folder_is_told(lay: Lay) -> None:
    intake = take_in(lay({"ada/.hw/peg1.py": b"1", "ada/.DS_Store": b"", "bob/peg1.py": b""}))
    expected = "the submission has no task file, found .hw (folder)"
    assert one(intake, "ada").attempt.problem == expected


def test_folders_of_students_may_be_in_a_folder(lay: Lay) -> None:
    inside = {f"class/{name}": content for name, content in PLAIN.items()}
    intake = take_in(lay({**inside, "notes.txt": b""}))
    assert [student.id for student in intake.students] == ["ada", "bob", "cyd"]
    assert "left aside, not in the folder of the class: notes.txt" in intake.notes


@pytest.mark.parametrize(
    ("files", "layout"),
    [
        (["Bob Builder_77_assignsubmission_file_/client.py"], "a Moodle download"),
        (["bob_77_1_client.py", "ann_78_2_client.py"], "a Canvas download"),
        (["bob@x.edu_1_client.py"], "an Autolab download"),
        (["submission_metadata.yml", "submission_1/client.py"], "a Gradescope download"),
        (["proj/.git/HEAD", "proj/student/client.py"], "a folder of clones"),
        (["proj/student/client.py", "docs/notes.txt"], "a folder around students' folders"),
    ],
)
@pytest.mark.parametrize("text", ["", "id,name\neve,Eve\nbob,Bob Builder\nann,Ann\n", "id\nbob\nann\n"])
def test_what_is_in_the_only_student_s_folder_names_nobody(
    files: list[str], layout: str, text: str, roster: Callable[[str], Path], lay: Lay
) -> None:
    whose = {f"eve/{name}": b"submission_1:\n  :submitters:\n  - :sid: zed\n" for name in files}
    if "eve" in text:
        intake = take_in(lay(whose), roster(text))
        assert [handin.attempt.student for handin in intake.handins] == ["eve"]
    else:
        with pytest.raises(InputError, match=f"expected a student's folder, found what looks like {layout}$"):
            take_in(lay(whose), roster(text) if text else None)


def test_who_is_on_the_roster_is_no_folder_around(roster: Callable[[str], Path], lay: Lay) -> None:
    files = {"submissions/proj/student/peg1.py": b"1", "submissions/docs/notes.txt": b""}
    assert [s.id for s in take_in(lay(files)).students] == ["docs", "proj"]
    assert [s.id for s in take_in(lay(files), roster("id\nsubmissions\n")).students] == ["submissions"]


def test_a_student_may_have_a_file_called_as_a_store(roster: Callable[[str], Path], lay: Lay) -> None:
    files = ("ada/class.sqlite", "ada/peg1.py", "bob/class.sqlite", "bob/hw/peg1.py", "old/class.sqlite")
    intake = take_in(lay(dict.fromkeys(files, b"")), roster("id\nbob\n"))
    assert [student.id for student in intake.students] == ["ada", "bob"]
    assert intake.notes[0] == "left aside, a store of results is in it: old"


def test_the_only_student_is_no_folder_around_students(lay: Lay) -> None:
    intake = take_in(lay({"ada/student/peg1.py": b"1", "ada/framework/board.py": b"", "ada/README.md": b""}))
    assert read(intake) == {("ada", 1): {"peg1.py": b"1"}}


def test_an_archive_for_each_student(lay: Lay) -> None:
    files = {
        "ada.zip": zip_of({"peg1.py": b"1 ada", "peg2.py": b"2 ada"}),
        "bob.tar.gz": tar_of({"hw/student/peg1.py": b"1 bob"}, "w:gz"),
        "cyd/hw.tar": tar_of({"./student/peg1.py": b"1 cyd"}),
    }
    intake = take_in(lay(files))
    for _ in range(2):  # one archive at a time is open
        assert read(intake) == {
            ("ada", 1): {"peg1.py": b"1 ada", "peg2.py": b"2 ada"},
            ("bob", 1): {"peg1.py": b"1 bob"},
            ("cyd", 1): {"peg1.py": b"1 cyd"},
        }


def test_several_folders_with_files_are_told(lay: Lay) -> None:
    intake = take_in(lay({"ada/old/peg1.py": b"1", "ada/new/peg1.py": b"2", "bob/peg1.py": b""}))
    assert read(intake)["ada", 1] == {"peg1.py": b"2"}
    assert one(intake, "ada").attempt.slips == (
        "peg1.py in old left aside: another peg1.py is taken from new",
    )


def test_stubs_of_two_versions_keep_nothing_back(lay: Lay) -> None:
    stub = (STUBS / "peg1.py").read_bytes()
    mine = {"client.py": b"mine", "peg1.py": stub + b"# note"}
    given = {"client.py": (STUBS / "client.py").read_bytes(), "peg1.py": stub}
    laid = {
        f"ada/{folder}/{name}": text
        for folder, of in (("mine", mine), ("student", given))
        for name, text in of.items()
    }
    packed = {f"bob/{name}": text for name, text in given.items()}
    found = read(take_in(lay(laid | packed | {"bob/hw.zip": zip_of(mine)})))
    assert {each: files["client.py"] for each, files in found.items()} == {
        ("ada", 1): b"mine",
        ("bob", 1): b"mine",
    }


def test_another_version_in_a_folder_below_is_told(lay: Lay) -> None:
    intake = take_in(lay({"ada/peg1.py": b"1", "ada/final/peg1.py": b"2"}))
    assert read(intake)["ada", 1] == {"peg1.py": b"1"}
    assert one(intake, "ada").attempt.slips == (
        "peg1.py in final left aside: another peg1.py is taken from the top folder",
    )


def test_gradescope(lay: Lay) -> None:
    intake = take_in(lay(GRADESCOPE))
    assert intake.layout == "a Gradescope download"
    assert [(s.id, s.name, s.email) for s in intake.students] == [
        ("0017", "Ada King", "ada@x.edu"),
        ("0019", "Cŷd", "cyd@x.edu"),
        ("bob@x.edu", "Bob Lee", "bob@x.edu"),
        ("submission_13", "submission_13", ""),
    ]
    assert read(intake) == {
        ("0017", 2): {"peg1.py": b"1 ada before"},
        ("0017", 3): {"peg1.py": b"1 ada"},
        ("0019", 1): {"peg1.py": b"1 both"},
        ("bob@x.edu", 1): {"peg1.py": b"1 both"},
        ("submission_13", 1): {"peg1.py": b"1 nobody"},
    }
    times = [handin.attempt.handed_in for handin in intake.handins]
    assert times[:2] == [
        datetime(2026, 11, 20, 8, tzinfo=UTC),
        datetime(2026, 11, 20, 17, 34, 0, 861687, tzinfo=UTC),
    ]
    assert times[2:] == [None, None, None]
    assert intake.notes == [
        "whose they are is not in submission_metadata.yml: submission_13",
        "no time from 2000 to 2099 with its zone says when these were handed in: 0019, bob@x.edu, submission_13",
    ]


def test_gradescope_without_its_list(lay: Lay) -> None:
    files = {name: content for name, content in GRADESCOPE.items() if not name.endswith(".yml")}
    assert any("without its submission_metadata.yml" in note for note in take_in(lay(files)).notes)


def test_gradescope_lists_what_is_not_there(lay: Lay) -> None:
    intake = take_in(lay({"submission_metadata.yml": METADATA + b"..:\n  :submitters: []\n"}))
    assert [handin.attempt.problem for handin in intake.handins] == ["the submission is empty"] * 5
    assert "whose they are is not in submission_metadata.yml: submission_13, .." in intake.notes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"a: [1,\n", ":2:1: did not find expected node content"),
        (b"\xff", ": expected UTF-8 text"),
        (b"- 1\n- 2\n", ": expected a submission, found none"),
        (b"[" * 1_000, ": not YAML"),
        (b"a: &x [*x, *x]\n? [*x]\n: 1\n", ""),
    ],
)
def test_gradescope_list_that_is_broken(text: bytes, message: str, lay: Lay) -> None:
    folder = lay({"submission_metadata.yml": text, "submission_1/peg1.py": b""})
    if message:
        assert message in refused(folder)
    else:
        assert [handin.attempt.problem for handin in take_in(folder).handins] == ["the submission is empty"]


def test_gradescope_objects_of_ruby_are_plain_text(lay: Lay) -> None:
    text = b"submission_1: !ruby/object:Evil\n  :submitters:\n  - :sid: !!python/name:os.system 5\n"
    assert [student.id for student in take_in(lay({"submission_metadata.yml": text})).students] == ["5"]


@pytest.mark.parametrize(
    "time", ["0001-01-01 00:00:00 +0500", "9999-12-31 23:59:59 Z", "1970-01-01 00:00:00 Z"]
)
def test_gradescope_times_of_other_ages_are_none(time: str, lay: Lay) -> None:
    other = METADATA.replace(b"2026-11-20 17:34:00.861687000 Z", time.encode())
    intake = take_in(lay({**GRADESCOPE, "assignment_5_export/submission_metadata.yml": other}))
    assert [handin.attempt.handed_in for handin in intake.handins if handin.attempt.number == 3] == [None]
    expected = "no time from 2000 to 2099 with its zone says when these were handed in: 0017, 0019, bob@x.edu"
    assert any(note.startswith(expected) for note in intake.notes)


@pytest.mark.parametrize("end", ["", "_"])
def test_moodle_in_folders(end: str, lay: Lay) -> None:
    files = {
        f"Ada King_1234_assignsubmission_file{end}/peg1.py": b"1 ada",
        f"Ada King_1234_assignsubmission_onlinetext{end}/onlinetext.html": b"<p>",
        f"Bob Lee_1235_assignsubmission_file{end}/hw.zip": zip_of({"hw/student/peg1.py": b"1 bob"}),
        f"Cyd_1236_assignsubmission_onlinetext{end}/onlinetext.html": b"<p>",
    }
    intake = take_in(lay(files))
    assert intake.layout == "a Moodle download"
    assert [(s.id, s.name, s.platform_id) for s in intake.students] == [
        ("1234", "Ada King", "Participant 1234"),
        ("1235", "Bob Lee", "Participant 1235"),
        ("1236", "Cyd", "Participant 1236"),
    ]
    assert read(intake)["1234", 1] == {"peg1.py": b"1 ada"}
    assert read(intake)["1235", 1] == {"peg1.py": b"1 bob"}
    assert one(intake, "1236").attempt.problem == "the submission has no task file, found onlinetext.html"


def test_moodle_without_folders(lay: Lay) -> None:
    prefix = "Ada King_1234_assignsubmission_file_"
    files = {
        f"{prefix}peg1.py": b"1 ada",
        f"{prefix}x_99_assignsubmission_file_peg2.py": b"2 somebody else's, she says",
        "Bob Lee_1235_assignsubmission_file_peg1.py": b"1 bob",
        "marks.xlsx": b"",
    }
    intake = take_in(lay(files))
    assert read(intake) == {("1234", 1): {"peg1.py": b"1 ada"}, ("1235", 1): {"peg1.py": b"1 bob"}}
    assert "left aside, not named as the platform names them: marks.xlsx" in intake.notes


def test_canvas(lay: Lay) -> None:
    files = {
        "kingada_17_900_peg1.py": b"1 ada",
        "kingada_17_901_client-1.py": b"c ada",
        "leebob_LATE_18_903_peg1-12.py": b"1 bob",
        "moe_cyd_19_904_my hw.zip": zip_of({"peg1.py": b"1 cyd"}),
        "zed_20_text.html": b"<p>",
        "late_22_905_peg1.py": b"1 late",
    }
    intake = take_in(lay(files))
    assert intake.layout == "a Canvas download"
    assert read(intake) == {
        ("17", 1): {"peg1.py": b"1 ada", "client.py": b"c ada"},
        ("18", 1): {"peg1.py": b"1 bob"},
        ("19", 1): {"peg1.py": b"1 cyd"},
        ("20", 1): {},
        ("22", 1): {"peg1.py": b"1 late"},
    }
    assert [each.attempt.student for each in intake.handins if each.attempt.late_by_platform] == ["18"]
    assert [(s.id, s.name, s.platform_id) for s in intake.students][2] == ("19", "moe_cyd", "19")


def test_canvas_without_names(lay: Lay, roster: Callable[[str], Path]) -> None:
    files = {"LATE_anon_Q1w2_21_906_7_8_peg1.py": b"1", "anon_123_22_907_peg1.py": b"2"}
    intake = take_in(lay(files), roster(CANVAS_ROSTER))
    assert read(intake) == {("anon_Q1w2", 1): {}, ("anon_123", 1): {}}  # of 7_8_peg1.py nobody knows
    assert {each.attempt.student: each.attempt.late_by_platform for each in intake.handins} == {
        "anon_Q1w2": True,
        "anon_123": False,
    }
    assert {each.platform_id for each in intake.students if each.id.startswith("anon")} == {""}


def test_whom_canvas_names_is_nobody_else(lay: Lay, roster: Callable[[str], Path]) -> None:
    """A student chooses the name there, and may take one that another download would have."""
    own = {
        "leeann_99_701_h.zip": zip_of({"peg1.py": b"ann"}),
        "mallory99_123_702_h.zip": zip_of({"peg1.py": b"m"}),
    }
    for name in ("anon_99_200_703_h.zip", "leeann_99_1_200_703_h.zip", "lee_ann_99_1_200_703_peg1.py"):
        intake = take_in(lay({**own, name: zip_of({"peg1.py": b"x"})}), roster(CANVAS_ROSTER))
        assert read(intake) == {("s99", 1): {"peg1.py": b"ann"}, ("s123", 1): {"peg1.py": b"m"}}
        assert any(name in note for note in intake.notes)


def test_a_students_files_make_no_other_download(lay: Lay) -> None:
    own = {"leeann_99_701_peg1.py": b"ann", "bob_55_702_peg1.py": b"bob"}
    more = {f"mallory_200_95{each}_a@b_1_x{each}.py": b"" for each in range(4)}
    assert take_in(lay(own | more)).layout == "a Canvas download"


CANVAS_ROSTER = """\
Student,ID,SIS User ID,SIS Login ID,Section
"Lee, Ann",99,s99,ann,A
"Mallory_99",123,s123,mal,A
"x_12-4_80-0_y",124,s124,xy,A
"Old Name",125,s125,old,A
"""


def test_of_two_names_of_one_file_canvas_says_not_which_is_meant(lay: Lay) -> None:
    files = {
        "leebob_18_901_peg1.py": b"right",
        "leebob_18_902_peg1-1.py": b"old",
        "kay_19_903_client-2.py": b"",
    }
    both = {"moe_20_904_peg1-1.py": b"one", "moe_20_905_peg1-2.py": b"two"}
    intake = take_in(lay({**files, **both}))
    assert one(intake, "18").read("peg1.py") == b"right" and one(intake, "20").read("peg1.py") is None
    assert [one(intake, who).attempt.slips for who in ("18", "19")] == [
        ("peg1-1.py left aside: peg1.py is there, too, and is taken",),
        (),
    ]
    assert one(intake, "20").attempt.problem.startswith(
        "the submission has no task file, found peg1-1.py, peg1-2.py"
    )


@pytest.mark.parametrize(
    ("name", "whose", "late"),
    [
        ("mallory_99_123_800_h.zip", "s123", False),
        ("mallory_99_123_text.html", "s123", False),
        ("x_124_800_y_LATE_124_801_h.zip", "s124", True),
        ("leeann_99_702_2026_1_h.zip", "", False),  # 2026 may be somebody who is not on the roster
        ("mallory99_123_800_h.zip", "s123", False),
        ("x99_y2_LATE_126_800_h2.zip", "126", True),
        ("leeann_99_125_800_h.zip", "", False),  # 125 is now called `Lee, Ann_99`
        ("mallory_99_777_800_h.zip", "", False),
        ("annlee_99_777_h.zip", "", False),  # another name of one number
    ],
)
def test_canvas_names_with_numbers_in_them(
    name: str, whose: str, late: bool, roster: Callable[[str], Path], lay: Lay
) -> None:
    folder = lay(
        {"leeann_99_701_client.py": b"c ann", "bob_55_703_client.py": b"", name: zip_of({"peg1.py": b"1"})}
    )
    by_name = "annlee" in name
    for known in (roster(CANVAS_ROSTER), None):
        intake = take_in(folder, known)
        expected = {"bob": "55", "ann": "s99" if known else "99"}
        owners = {handin.attempt.student for handin in intake.handins} - {expected["bob"]}
        sure = whose and (known or whose == "126" or name.startswith("mallory99"))
        own = whose if known or whose == "126" else "123"
        assert owners == (set() if by_name else {expected["ann"], *([own] if sure else [])})
        if sure and own != expected["ann"]:
            assert one(intake, own).attempt.late_by_platform == late
        if not by_name:
            assert not one(intake, expected["ann"]).attempt.late_by_platform
            files = read(intake)[expected["ann"], 1]
            assert files == {"client.py": b"c ann", **({"peg1.py": b"1"} if own == "s99" and sure else {})}
        told = "one user's number with two names" if by_name else "whose it is can be read in several ways"
        assert any(told in note and name in note for note in intake.notes) == (not sure)


def test_autolab(lay: Lay) -> None:
    files = {
        "ada_k@x.edu_1_handin.tar": tar_of({"./peg1.py": b"1 ada"}),
        "ada_k@x.edu_10_handin.tar": tar_of({"hw/student/peg1.py": b"1 ada at last"}, "w:gz"),
        "bob@x.edu_3_peg1.py": b"1 bob",
        "cyd@x.edu_1_handin.py": b"1 cyd",
        "dan@x.edu_1_a@b.c_2_handin.zip": zip_of({"peg1.py": b"1 dan"}),
    }
    intake = take_in(lay(files))
    assert intake.layout == "an Autolab download"
    assert read(intake) == {
        ("ada_k@x.edu", 1): {"peg1.py": b"1 ada"},
        ("ada_k@x.edu", 10): {"peg1.py": b"1 ada at last"},
        ("bob@x.edu", 3): {"peg1.py": b"1 bob"},
        ("cyd@x.edu", 1): {},
        ("dan@x.edu", 1): {"peg1.py": b"1 dan"},
    }
    assert one(intake, "cyd@x.edu").attempt.problem == "the submission has no task file, found handin.py"


def test_clones(lay: Lay) -> None:
    files = {
        "peg-submissions/peg-ada/.git/HEAD": b"ref: refs/heads/main\n",
        "peg-submissions/peg-ada/student/peg1.py": b"1 ada",
        "peg-submissions/peg-bob-lee/.git/config": b"[core]\n\tfsmonitor = touch /tmp/run-by-git\n",
        "peg-submissions/peg-bob-lee/peg1.py": b"1 bob",
    }
    intake = take_in(lay(files))
    assert intake.layout == "a folder of clones"
    assert read(intake) == {("ada", 1): {"peg1.py": b"1 ada"}, ("bob-lee", 1): {"peg1.py": b"1 bob"}}
    assert "a student's login is what follows peg- in the repository's name" in intake.notes


def test_clones_in_a_folder_of_another_name(lay: Lay) -> None:
    intake = take_in(lay(dict.fromkeys(("peg-ada/.git/HEAD", "peg-bob-lee/.git/HEAD"), b"")))
    assert intake.layout == "a folder of clones"
    assert [student.id for student in intake.students] == ["ada", "bob-lee"]


SCORES = (
    b"username,first_name,last_name,email,section,score,max_score,datetime,submission_tag,submitted_by,review_url,late,override\n"
    b"ada,Ada,King,ada@x.edu,B,5,9,2026-11-20T10:00:00Z,submit/2,ada,,true,false\n"
    b"ada,Ada,King,ada@x.edu,B,4,9,2026-11-19T10:00:00Z,submit/1,ada,,false,false\n"
    b"bob-lee,,,,,,,,,,,,\n"
    b"lee,,,,,7,9,2026-11-18T10:00:00Z,submit/1,lee,,false,false\n"
)
CLASSROOM50 = {
    "cs-peg_submissions_2026_11_21_T_08_00_00/cs-peg-Ada/.git/HEAD": b"",
    "cs-peg_submissions_2026_11_21_T_08_00_00/cs-peg-Ada/result.json": b'{"owner": "eve", "datetime": "2020-01-01T00:00:00Z"}',
    "cs-peg_submissions_2026_11_21_T_08_00_00/cs-peg-Ada/student/peg1.py": b"1 ada",
    "cs-peg_submissions_2026_11_21_T_08_00_00/cs-peg-bob-lee/.git/HEAD": b"",
    "cs-peg_submissions_2026_11_21_T_08_00_00/cs-peg-bob-lee/peg1.py": b"1 bob",
    "cs-peg_submissions_2026_11_21_T_08_00_00/scores.csv": SCORES,
}


def test_classroom50(lay: Lay) -> None:
    intake = take_in(lay(CLASSROOM50))
    assert intake.layout == "a Classroom 50 download"
    assert read(intake) == {("ada", 1): {"peg1.py": b"1 ada"}, ("bob-lee", 1): {"peg1.py": b"1 bob"}}
    ada, bob = intake.students
    assert (ada.name, ada.email, bob.name) == ("Ada King", "ada@x.edu", "bob-lee")
    attempt = one(intake, "ada").attempt
    assert (attempt.handed_in, attempt.late_by_platform) == (datetime(2026, 11, 20, 10, tzinfo=UTC), True)
    assert one(intake, "bob-lee").attempt.handed_in is None  # not handed in, by the list
    assert "in scores.csv with a submission, but without a clone: lee" in intake.notes
    assert any(note.startswith("times are those of the commits") for note in intake.notes)


def test_a_file_of_times_is_believed_rather_than_commits(lay: Lay, tmp_path: Path) -> None:
    (tmp_path / "times.csv").write_text("github_username,submission_timestamp\nada,2026-11-21T08:00:00Z\n")
    intake = take_in(lay(CLASSROOM50), None, tmp_path / "times.csv")
    assert one(intake, "ada").attempt.handed_in == datetime(2026, 11, 21, 8, tzinfo=UTC)


def test_no_login_of_classroom50_takes_another_s_clone(lay: Lay) -> None:
    scores = b"username,datetime,submission_tag\nann,,\nhw-ann,,\nbob,,\n"
    clones = [f"cs-hw-{login}" for login in ("ann", "bob", "eve")]
    files = {"scores.csv": scores, **{f"{clone}/.git/HEAD": b"" for clone in clones}}
    intake = take_in(lay(files))
    assert {h.attempt.student: h.attempt.place.rpartition("/")[2] for h in intake.handins} == {
        "ann": "cs-hw-ann",
        "bob": "cs-hw-bob",
    }
    assert "left aside, not in scores.csv: cs-hw-eve" in intake.notes


def test_a_clone_that_may_be_either_s_is_nobody_s(lay: Lay) -> None:
    scores = b"username,datetime,submission_tag\nann,,\nhw-ann,,\n"
    intake = take_in(lay({"scores.csv": scores, "cs-hw-ann/.git/HEAD": b""}))
    assert not intake.handins
    told = "left aside, which part of the name is the login can be read in 2 ways: cs-hw-ann"
    assert told in intake.notes


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        (SCORES + b"a,b\xff\n", "scores.csv:6: expected UTF-8 text"),
        (SCORES + b"," * 13 + b"\n", "scores.csv:6: expected 13 cells, found more"),
        (SCORES + b'"', "scores.csv: not CSV: "),
    ],
)
def test_classroom50s_list_is_broken(scores: bytes, said: str, lay: Lay) -> None:
    place = next(name for name in CLASSROOM50 if name.endswith(".csv"))
    assert said in refused(lay({**CLASSROOM50, place: scores}))
    other = take_in(lay({**CLASSROOM50, place: b"id,points\nada,3\n"}))
    assert other.layout == "a folder of clones"  # another program's list


def test_what_was_mailed_beside_clones_undoes_none(lay: Lay, roster: Callable[[str], Path]) -> None:
    clones = {f"hw-{login}/.git/HEAD": b"" for login in ("ada", "bob", "cyd", "dan", "eve", "fay", "gus")}
    intake = take_in(lay({**clones, "hal.zip": zip_of({"peg1.py": b"1"}), "hw-ian/peg1.py": b"1"}))
    assert intake.layout == "a folder of clones"
    assert [student.id for student in intake.students] == [
        "ada", "bob", "cyd", "dan", "eve", "fay", "gus", "hal", "ian"
    ]  # fmt: skip
    assert "no clones, taken by their names: hal.zip, hw-ian" in intake.notes


@pytest.mark.parametrize(
    ("files", "students"),
    [
        (["eve/.git/HEAD", "ann.zip", "bob.zip", "cat.tar.gz"], ["ann", "bob", "cat", "eve"]),
        (
            ["2026-anna/.git/HEAD", "2026-bob/.git/HEAD", "2026-cleo/peg1.py"],
            ["2026-anna", "2026-bob", "2026-cleo"],
        ),
        (["x-ada/.git/HEAD", "x-bob/.git/HEAD", "notes.txt", "graded/class.sqlite"], ["ada", "bob"]),
    ],
)
def test_a_few_clones_make_no_download_of_github(files: list[str], students: list[str], lay: Lay) -> None:
    intake = take_in(lay(dict.fromkeys(files, b"")))
    assert [student.id for student in intake.students] == students


def test_folders_of_the_same_student_are_attempts(lay: Lay, tmp_path: Path) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("id,email\nada,Ada@x.edu\n")
    intake = take_in(lay({"ada@X.edu/peg1.py": b"by mail", "ADA/peg1.py": b"by id"}), roster)
    assert read(intake) == {("ada", 1): {"peg1.py": b"by id"}, ("ada", 2): {"peg1.py": b"by mail"}}
    assert any(
        re.match("ada is there 2 times, kept as attempts: .*ADA, .*ada@X.edu$", note) for note in intake.notes
    )


def test_an_attempt_may_keep_the_files_of_those_before_it(lay: Lay) -> None:
    """One without any task file, or that cannot be read, adds nothing, and takes nothing away."""
    files = {
        "ada@x.edu_1_hw.zip": zip_of({"peg1.py": b"1", "client.py": b"c"}),
        "ada@x.edu_2_hw.zip": zip_of({"peg2.py": b"2"}),
        "ada@x.edu_3_peg1.py": b"1 again",
        "bob@x.edu_1_peg1.py": b"1",
        "bob@x.edu_2_notes.txt": b"",
        "cyd@x.edu_1_peg1.py": b"1",
        "cyd@x.edu_2_hw.zip": b"no zip",
        "cyd@x.edu_3_peg2.py": b"2",
    }
    intake = take_in(lay(files), merges=True)
    assert read(intake) == {
        ("ada@x.edu", 1): {"peg1.py": b"1", "client.py": b"c"},
        ("ada@x.edu", 2): {"peg1.py": b"1", "client.py": b"c", "peg2.py": b"2"},
        ("ada@x.edu", 3): {"peg1.py": b"1 again", "client.py": b"c", "peg2.py": b"2"},
        ("bob@x.edu", 1): {"peg1.py": b"1"},
        ("bob@x.edu", 2): {},
        ("cyd@x.edu", 1): {"peg1.py": b"1"},
        ("cyd@x.edu", 2): {},
        ("cyd@x.edu", 3): {"peg1.py": b"1", "peg2.py": b"2"},
    }
    told = [(each.attempt.slips[-1:], bool(each.attempt.problem)) for each in intake.handins]
    assert told == [
        ((), False), (("client.py, peg1.py: kept from attempt 1",), False),
        (("client.py, peg2.py: kept from attempt 2",), False), ((), False),
        ((), True), ((), False), ((), True), (("peg1.py: kept from attempt 1",), False),
    ]  # fmt: skip


def test_spaces_around_a_name_make_another_student(lay: Lay) -> None:
    names = ("x", "x\r", "lead", " lead")
    intake = take_in(lay({f"{name}/peg1.py": name.encode() for name in names}))
    found = {student: files["peg1.py"] for (student, _), files in read(intake).items()}
    assert found == {"x": b"x", r"'x\r'": b"x\r", "lead": b"lead", "' lead'": b" lead"}
    assert r"spaces around a name are taken for part of it: ' lead' (not lead), 'x\r' (not x)" in intake.notes


# ---- the folder itself -------------------------------------------------------------------------


def test_a_folder_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "notes.txt").write_text("hello")
    (tmp_path / "text.txt").write_text("hello")
    (tmp_path / "cut.zip").write_bytes(zip_of(PLAIN)[:-3])
    (tmp_path / "changed.zip").write_bytes(zip_of(PLAIN).replace(b"PK\1\2", b"PK\1\3"))
    os.mkfifo(tmp_path / "pipe")
    assert refused(Path("missing")) == "missing: expected a folder or a .zip file, found nothing"
    assert refused(Path("pipe")) == "pipe: expected a folder or a .zip file, found something else"
    assert refused(Path("text.txt")) == "text.txt: expected a folder or a .zip file, found another file"
    assert refused(Path("cut.zip")) == "cut.zip: expected a folder or a .zip file, found another file"
    assert refused(Path("changed.zip")).startswith("changed.zip: the archive is broken: ")
    assert refused(Path("empty")).endswith("Autolab or Classroom 50; found nothing")
    assert refused(Path("files")).endswith("Autolab or Classroom 50; found other files")
    (tmp_path / "empty" / "..foo").mkdir()
    assert refused(Path("empty")).endswith("Autolab or Classroom 50; found other files")


def test_the_folder_of_one_student(lay: Lay) -> None:
    message = refused(lay({"student/peg1.py": b"", "framework/board.py": b""}))
    assert message.endswith("expected a folder for each student, found one student's files")


# ---- rosters -----------------------------------------------------------------------------------

ROSTER = "Student ID,Name,E-Mail,Section,Canvas ID\n7,Ada Marie King,Ada@x.edu,A,\n8,Bob Lee,bob@x.edu,B,18\n"


@pytest.fixture
def roster(tmp_path: Path) -> Callable[[str | bytes], Path]:
    def write(text: str | bytes) -> Path:
        file = tmp_path / "list.csv"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    return write


@pytest.mark.parametrize(
    "text",
    [
        ROSTER,
        "\ufeff" + ROSTER.replace(",", ";").replace("\n", "\r\n"),
        ROSTER.replace(",", "\t") + "\n\n",
        'login,last name,first name,EMAIL,sections,platform_id\n7,King,"Ada Marie",Ada@x.edu,A,\n8,Lee,Bob,bob@x.edu,B,18\n',
        "Student,ID,SIS User ID,SIS Login ID,Section,email\n  Points Possible,,,,,\n"
        '"King, Ada Marie",,7,ada,A,Ada@x.edu\n"Student, Test",5,,,,\n"Lee, Bob",18,8,bob,B,bob@x.edu\n',
    ],
)
def test_rosters_as_people_write_them(text: str, roster: Callable[[str], Path], as_folder: Lay) -> None:
    intake = take_in(as_folder({"7/peg1.py": b"", "bob@x.edu/peg1.py": b""}), roster(text))
    assert [(s.id, s.email, s.section, s.platform_id, s.on_roster) for s in intake.students] == [
        ("7", "Ada@x.edu", "A", "", True),
        ("8", "bob@x.edu", "B", "18", True),
    ]
    assert [handin.attempt.student for handin in intake.handins] == ["7", "8"]


@pytest.mark.parametrize(
    ("text", "students"),
    [
        ('id,name\n1,Points Possible\n2,"Student, Test"\n', ["1", "2"]),
        ("id,student\n1,Points Possible\n2,Ada\n", ["1", "2"]),
        ("Student,ID,SIS User ID\nPoints Possible,,\nPoints Possible,5,1\nAda,6,2\n", ["1", "2"]),
        ('Student,ID,SIS Login ID\nPoints Possible,,\n"Student, Test",5,0a\nAda,6,ada\n', ["ada"]),
    ],
)
def test_only_canvas_has_rows_that_are_no_students(
    text: str, students: list[str], roster: Callable[[str], Path]
) -> None:
    assert sorted(read_roster(roster(text)).students) == students


@pytest.mark.parametrize(
    ("files", "whose"),
    [
        (["7/peg1.py"], "7"),
        (["ADA@X.EDU/peg1.py"], "7"),
        (["ada/peg1.py"], "7"),
        (["kingadamarie_99_1_peg1.py"], "7"),
        (["leerob_18_1_peg1.py"], "8"),  # by Canvas's number
        (["somebody_18_1_peg1.py"], "18!"),  # of another name, such as a group's
        (["somebody_8_1_peg1.py"], "8 (not on the roster)!"),  # which is not a student's id
        (["Bob Lee_55_assignsubmission_file_/peg1.py"], "8"),
        (["Bob Lee_55_assignsubmission_file_/peg1.py", "Bob Lee_56_assignsubmission_file_/peg1.py"], "55!"),
        (["bob@x.edu_1_peg1.py"], "8"),
        (["eve/peg1.py"], "eve!"),
    ],
)
def test_whose_it_is_by_the_roster(
    files: list[str], whose: str, roster: Callable[[str], Path], lay: Lay
) -> None:
    intake = take_in(lay(dict.fromkeys(files, b"# name: Bob Lee\nid = 8")), roster(ROSTER))
    student = next(s for s in intake.students if s.id == intake.handins[0].attempt.student)
    assert student.id + "!" * (not student.on_roster) == whose
    if not student.on_roster:
        assert any("not on the roster, graded all the same" in note for note in intake.notes)
        assert "nobody who handed in is on the roster: is it this class's?" in intake.notes


def test_the_number_of_a_platform_may_be_the_only_id(roster: Callable[[str], Path], lay: Lay) -> None:
    intake = take_in(
        lay({"zoe_17_1_peg1.py": b"", "yan_18_2_peg1.py": b""}), roster("id,name\n17,Zoe\n18,Yan\n")
    )
    assert (
        "2 found on the roster by the platform's number, taken for the id: yan as 18, zoe as 17"
        in intake.notes
    )
    assert [(s.id, s.name, s.platform_id) for s in intake.students] == [
        ("17", "Zoe", "17"),
        ("18", "Yan", "18"),
    ]


@pytest.mark.parametrize(
    ("text", "file", "id"),
    [
        (
            'Identifier,"Full name","Email address",Status\nParticipant 99,Ada,ada@x.edu,Submitted\n',
            "Ada K_99_assignsubmission_file_/peg1.py",
            "ada@x.edu",
        ),
        (
            '"identifier","github_username","github_id","name"\n"ada@x.edu","adak","12",""\n',
            "peg-submissions/peg-AdaK/.git/HEAD",
            "ada@x.edu",
        ),
    ],
)
def test_rosters_of_platforms(text: str, file: str, id: str, roster: Callable[[str], Path], lay: Lay) -> None:
    intake = take_in(lay({file: b""}), roster(text))
    assert [(student.id, student.on_roster) for student in intake.students] == [(id, True)]


EVE, ADA = ("17", "Eve", "eve@x.edu"), ("17", "Ada", "ada@x.edu")
SAME = "several accounts stand for 17, told apart by e-mail or name: Ada ada@x.edu, Eve eve@x.edu"


@pytest.mark.parametrize(
    ("people", "text", "whose", "note"),
    [
        ([ADA, EVE], "", ["ada@x.edu", "eve@x.edu"], SAME),
        ([EVE, ADA], "id,email\n17,ada@x.edu\n18,eve@x.edu\n", ["18", "17"], SAME),
        ([ADA, EVE], "id,email\n17,Ada@x.edu\n", ["17", "eve@x.edu"], SAME),
        ([ADA, EVE], "id\n17\n", ["ada@x.edu", "eve@x.edu"], SAME),
        ([ADA, ("17", "Ada", "ADA@x.edu")], "", ["17", "17"], ""),
        (
            [("17", "Ada", ""), ("17", "Eve", "")],
            "",
            ["Ada", "Eve"],
            "several accounts stand for 17, told apart by e-mail or name: Ada, Eve",
        ),
        (  # she has no id, and her e-mail is the id of another
            [("", "Ada", "ada@x.edu"), ("ada@x.edu", "Eve", "eve@x.edu")],
            "",
            ["ada@x.edu", "eve@x.edu"],
            SAME.replace("17", "ada@x.edu"),
        ),
        (  # and whoever is told apart by an e-mail may find it taken, too
            [ADA, EVE, ("eve@x.edu", "Mal", "mal@x.edu")],
            "",
            ["ada@x.edu", "eve@x.edu", "mal@x.edu"],
            SAME,
        ),
        ([("", "Ada", "ada@x.edu"), EVE], "id,email\n17,ada@x.edu\n", ["17", "eve@x.edu"], SAME),
        (
            [EVE],
            "id,email\n17,ada@x.edu\n18,eve@x.edu\n",
            ["18"],
            "1 found on the roster by the e-mail, though the id is another's: Eve as 18",
        ),
        (
            [EVE],
            "id,email\n17,ada@x.edu\n",
            ["17"],
            "1 found on the roster by the id, though the e-mail is another: Eve as 17",
        ),
    ],
)
def test_an_id_that_several_accounts_give_is_nobody_s_by_itself(
    people: list[tuple[str, str, str]],
    text: str,
    whose: list[str],
    note: str,
    roster: Callable[[str], Path],
    lay: Lay,
) -> None:
    """Students may edit their id on Gradescope, not their e-mail."""
    files, lines = {}, []
    for number, (id, name, email) in enumerate(people):
        files[f"submission_{number}/peg1.py"] = f"{number}".encode()
        lines.append(f"submission_{number}:\n  :submitters:\n")
        lines.append(f"  - :name: '{name}'\n    :sid: '{id}'\n    :email: '{email}'\n")
    files["submission_metadata.yml"] = "".join(lines).encode()
    intake = take_in(lay(files), roster(text) if text else None)
    owners = {handin.read("peg1.py"): handin.attempt.student for handin in intake.handins}
    assert [owners[f"{number}".encode()] for number in range(len(people))] == whose
    told = [note for note in intake.notes if "several accounts" in note or "though" in note]
    assert told[:1] == [note][: len(told)] and bool(told) == bool(note)


def test_the_surest_of_several_accounts_has_the_row(roster: Callable[[str], Path], lay: Lay) -> None:
    files = {f"{who}_assignsubmission_file_/peg1.py": b"" for who in ("Rob Lee_18", "Bob Lee_19")}
    intake = take_in(lay(files), roster(ROSTER))
    assert [handin.attempt.student for handin in intake.handins] == ["19", "8"]
    assert "1 not on the roster, graded all the same: 19" in intake.notes  # 8 has another number


TAKEN = "alice may be any of these on the roster, so it is taken for none: alice, eve"


@pytest.mark.parametrize(
    ("text", "git", "whose", "notes"),
    [
        ("id,github username\nalice,adams\neve,Alice\n", "/.git", ["alice", "eve"], []),
        ("id,login\nalice,adams\neve,alice\n", "/.git", ["alice", "eve"], []),
        # her name on GitHub is not on the roster, but Alice's is, and is another
        ("id,github username\nalice,adams\neve,\n", "/.git", ["alice", "alice (not on the roster)"], []),
        ("id,netid\nalice,adams\neve,alice\n", "", ["alice", "alice (not on the roster)"], [TAKEN]),
        ("id,email\nalice,adams\neve,alice\n", "", ["alice", "alice (not on the roster)"], [TAKEN]),
        (
            "id,sid,login\n1,alice,adams\n2,,alice\n",
            "",
            ["1", "alice"],
            [TAKEN.replace("alice, eve", "1, 2")],
        ),
    ],
)
def test_a_login_that_is_another_s_id(
    text: str, git: str, whose: list[str], notes: list[str], roster: Callable[[str], Path], lay: Lay
) -> None:
    files = {
        f"asg-{login}{git}/peg1.py".removeprefix("" if git else "asg-"): b"" for login in ("adams", "alice")
    }
    intake = take_in(lay(files), roster(text))
    assert sorted(handin.attempt.student for handin in intake.handins) == whose
    assert [note for note in intake.notes if "may be any" in note] == notes


def test_who_is_known_by_less_than_an_id_is_told(roster: Callable[[str], Path], as_folder: Lay) -> None:
    files = {"Bob Lee_55_assignsubmission_file_/peg1.py": b"", "Eve_56_assignsubmission_file_/peg1.py": b""}
    intake = take_in(as_folder(files), roster(ROSTER + "9,Cyd,,,\n"))
    assert "1 found on the roster by the name: Bob Lee as 8" in intake.notes
    assert "1 not on the roster, graded all the same: 56" in intake.notes
    assert "2 on the roster handed in nothing: 7, 9" in intake.notes
    assert [(s.id, s.name, s.platform_id) for s in intake.students] == [
        ("56", "Eve", "Participant 56"),
        ("7", "Ada Marie King", ""),
        ("8", "Bob Lee", "18"),
        ("9", "Cyd", ""),
    ]
    assert [handin.attempt.student for handin in intake.handins] == ["56", "8"]


def test_two_students_of_one_name_are_not_told_apart_by_it(roster: Callable[[str], Path], lay: Lay) -> None:
    files = {"Ann Lee_55_assignsubmission_file_/peg1.py": b"", "Bo_56_assignsubmission_file_/peg1.py": b""}
    intake = take_in(lay(files), roster("id,name\na,Ann Lee\nb,Lee Ann\n"))
    assert [(s.id, s.on_roster) for s in intake.students] == [
        ("55", False),
        ("56", False),
        ("a", True),
        ("b", True),
    ]


def test_a_name_in_another_unicode_form_is_the_same(roster: Callable[[str], Path], lay: Lay) -> None:
    intake = take_in(lay({"zoe\u0308/peg1.py": b"1"}), roster("id\nzo\u00eb\n"))
    assert [(s.id, s.on_roster) for s in intake.students] == [("zo\u00eb", True)]


@pytest.mark.parametrize("name", ["\u0639\u0644\u06cc\u200c\u0631\u0636\u0627 M", "Bo\xa0Lee", "So\xadfia K"])
def test_marks_within_a_name_keep_nobody_from_the_roster(
    name: str, roster: Callable[[str], Path], lay: Lay
) -> None:
    files = {f"{name}_11_assignsubmission_file_/peg1.py": b"1", "Ada_12_assignsubmission_file_/peg1.py": b"1"}
    intake = take_in(lay(files), roster(f"id,name\n7,{name}\n8,Ada\n"))
    assert [(each.id, each.on_roster) for each in intake.students] == [("7", True), ("8", True)]


def test_the_roster_may_say_when_something_was_handed_in(roster: Callable[[str], Path], lay: Lay) -> None:
    """Of a student's last submission, and nothing against a platform that knows it."""
    times = "id,Handed_in\nada,2026-10-09T23:59:00-04:00\nbob,\neve,2026-10-01 08:00Z\n"
    files = {
        f"{login}@x.edu_{number}_peg1.py": b""
        for login, number in (("ada", 1), ("ada", 2), ("bob", 1), ("eve", 1))
    }
    intake = take_in(lay(files), roster(times))
    found = [
        (handin.attempt.student, handin.attempt.number, handin.attempt.handed_in) for handin in intake.handins
    ]
    assert found == [
        ("ada", 1, None),
        ("ada", 2, datetime(2026, 10, 10, 3, 59, tzinfo=UTC)),
        ("bob", 1, None),
        ("eve", 1, datetime(2026, 10, 1, 8, tzinfo=UTC)),
    ]
    assert "no time from 2000 to 2099 with its zone says when these were handed in: ada, bob" in intake.notes
    gradescope = take_in(lay(GRADESCOPE))
    known = {handin.attempt.student: handin.attempt.handed_in for handin in gradescope.handins}
    text = "id,submitted at\n" + "".join(f"{student},2001-01-01T00:00Z\n" for student in known)
    again = take_in(lay(GRADESCOPE), roster(text))
    assert {handin.attempt.student: handin.attempt.handed_in for handin in again.handins} == {
        student: moment or datetime(2001, 1, 1, tzinfo=UTC) for student, moment in known.items()
    }


# ---- one identity ------------------------------------------------------------------------------


@pytest.mark.parametrize("written", ["0012345", "12345", "12345.0", '="0012345"', "'0012345"])
def test_a_number_is_the_same_however_a_spreadsheet_wrote_it(
    written: str, roster: Callable[[str], Path], lay: Lay
) -> None:
    text = f'id,name\n"{written.replace(chr(34), chr(34) * 2)}",Ada\n9,Bob\n'
    intake = take_in(lay({"0012345/peg1.py": b"1", "9/peg1.py": b""}), roster(text))
    assert [(each.id.lstrip("0"), each.on_roster) for each in intake.students] == [
        ("12345", True),
        ("9", True),
    ]
    told = "1 found on the roster by the id, but for zeros before it: 0012345 as 12345"
    assert (told in intake.notes) == ("00" not in written)


def test_rows_of_a_roster_that_are_told(roster: Callable[[str], Path], lay: Lay) -> None:
    text = (
        "SID,Name,Email,Role\n1,Ada,ada@x.edu,Student\n1,Ada,ada@x.edu,Student\n"
        ",Bob,bob@x.edu,\n3,Tim,tim@x.edu,TA\n4,Lea,lea@x.edu,Instructor\n5,Cyd,cyd@x.edu,Learner\n"
    )
    intake = take_in(lay({"1/peg1.py": b"", "bob@x.edu/peg1.py": b"", "3/peg1.py": b""}), roster(text))
    assert [(each.id, each.on_roster) for each in intake.students] == [
        ("1", True), ("5", True), ("bob@x.edu", True)
    ]  # fmt: skip
    assert "of the roster, left out for their role: 3 (TA), 4 (Instructor)" in intake.notes
    assert "left aside, handed in by these: 3" in intake.notes
    assert "without SID on the roster, known by what else is there: bob@x.edu" in intake.notes


def test_a_student_may_be_in_two_sections(roster: Callable[[str], Path], lay: Lay) -> None:
    text = (
        "id,name,section,role\n1,Ada,L1,TA\n1,Ada,B2,student\n2,Bob,B2,Étudiant\n3,Cyd,B2,student assistant\n"
    )
    intake = take_in(lay({"1/peg1.py": b""}), roster(text))
    assert [(each.id, each.section) for each in intake.students] == [("1", "L1"), ("2", "B2")]
    assert "in several sections of the roster, the first is taken: 1" in intake.notes


@pytest.mark.parametrize(
    ("text", "students"),
    [
        (  # rows that are no students, and a test student in another language
            "Student,ID,SIS User ID,SIS Login ID,Section,peg (11)\n,,,,,Manual Posting\n"
            '    Points Possible,,,,,100\n"King, Ada",17,s1,ada,A,\n"Lee, Bob",18,,bob,A,\n'
            '"Élève, Test",19,,0123456789abcdef0123456789abcdef01234567,A,\n',
            ["bob", "s1"],
        ),
        (  # without a SIS
            'Student,ID,Section,peg (11)\n    Points Possible,,,100\n"King, Ada",17,A,\n"Student, Test",19,A,\n',
            ["17"],
        ),
        (  # with two columns for a name
            "LastName,FirstName,ID,SIS User ID,Section,peg (11)\n    Points Possible,,,,,100\nKing,Ada,17,s1,A,\n"
            "Student,Test,19,,A,\n",
            ["s1"],
        ),
    ],
)
def test_canvas_s_gradebook_is_a_roster(
    text: str, students: list[str], roster: Callable[[str], Path], lay: Lay
) -> None:
    known = read_roster(roster(text))
    assert sorted(known.students) == students
    intake = take_in(lay({"kingada_17_1_peg1.py": b"1"}), roster(text))
    assert [handin.attempt.student in students for handin in intake.handins] == [True]


def test_a_platform_s_number_is_no_student_number(
    roster: Callable[[str], Path], lay: Lay, tmp_path: Path
) -> None:
    """Canvas's number of Bob is the student number of Ada."""
    (tmp_path / "times.json").write_text(
        '[{"user_id": 1001, "submitted_at": "2026-10-14T12:00:00Z"},'
        '{"user_id": 1002, "submitted_at": "2026-10-08T12:00:00Z"}]'
    )
    files = {"leebob_1001_1_peg1.py": b"bob", "kingada_1002_2_peg1.py": b"ada"}
    people = roster("sis user id,name\n1001,Ada King\n1002,Cyd Ray\n7,Bob Lee\n")
    intake = take_in(lay(files), people, tmp_path / "times.json")
    found = {handin.attempt.student: handin for handin in intake.handins}
    assert {who: handin.read("peg1.py") for who, handin in found.items()} == {"7": b"bob", "1001": b"ada"}
    days = {who: handin.attempt.handed_in and handin.attempt.handed_in.day for who, handin in found.items()}
    assert days == {"7": 14, "1001": 8}
    assert "1001 is the number of 1001 Ada King on the roster, and leebob is not" in intake.notes


@pytest.mark.parametrize("entry", ["Team Alpha_42_assignsubmission_file_", "teamalpha_42_9_hw.zip"])
def test_what_a_group_handed_in_is_its_members(entry: str, roster: Callable[[str], Path], lay: Lay) -> None:
    laid = lay({entry: zip_of({"peg1.py": b"1"})} if entry.endswith("zip") else {f"{entry}/peg1.py": b"1"})
    text = "id,name,platform id,group\nada,Ada Lovelace,42,{}\nbob,Bob Lee,43,{}\ncyd,Cyd,44,Beta\n"
    intake = take_in(laid, roster(text.format("Team Alpha", "Team Alpha")))
    assert [handin.attempt.student for handin in intake.handins] == ["ada", "bob"]
    assert any(" is a group, credited to ada, bob" in note for note in intake.notes)
    if entry.endswith("zip"):
        both = lay({entry: zip_of({"peg1.py": b"1"}), "leebob_43_10_peg1.py": b"own"})
        intake = take_in(both, roster(text.format("Team Alpha", "Team Alpha")))
        found = {handin.attempt.student: handin.read("peg1.py") for handin in intake.handins}
        assert found == {"ada": b"1", "bob": b"own"}
    intake = take_in(laid, roster(text.format("", "")))
    assert not any(each.on_roster for each in intake.students if each.id not in ("ada", "bob", "cyd"))
    assert any(note.startswith("42 is the number of ada Ada Lovelace on the roster") for note in intake.notes)


GROUPS = "id,name,group,platform id\nann,Ann Ode,Group 7,31\nben,Ben Pye,Group 7,32\nmal,Eve Mallory,,99\nzoe,Zoe,,40\n"


@pytest.mark.parametrize(
    ("mals", "anns", "bens"),
    [
        ("Group 7_99", b"right", b"right"),  # whose number is somebody's is no group
        ("Group 7_98", None, None),  # of two accounts neither is
        ("Ann Ode_99", b"right", b"right"),  # nor is who has another's number its owner
        ("Ann Ode_98", b"right", b"right"),
    ],
)
def test_a_name_that_was_changed_takes_no_group_s_work(
    mals: str, anns: bytes | None, bens: bytes | None, roster: Callable[[str], Path], lay: Lay
) -> None:
    files = {
        f"{mals}_assignsubmission_file_/peg1.py": b"stub",
        "Group 7_77_assignsubmission_file_/peg1.py": b"right",
        "Zoe_40_assignsubmission_file_/peg1.py": b"hers",
    }
    intake = take_in(lay(files), roster(GROUPS))
    found = {student: raw["peg1.py"] for (student, _), raw in read(intake).items()}
    assert (found.get("ann"), found.get("ben")) == (anns, bens)
    assert found[mals.split("_")[1]] == b"stub"


def test_a_login_that_may_be_another_s_id_takes_no_row(roster: Callable[[str], Path], lay: Lay) -> None:
    """Logins at GitHub are chosen: of two clones that may be one student's, neither is."""
    text = "id,email,github username\nann,ann-cs@x.edu,\nbob,b@x.edu,bob-cs\n"
    clones = [f"hw-{login}/.git/HEAD" for login in ("ann", "ann-cs", "bob", "bob-cs")]
    intake = take_in(lay(dict.fromkeys(clones, b"")), roster(text))
    assert [each.attempt.student for each in intake.handins] == [
        "ann (not on the roster)", "ann-cs", "bob", "bob (not on the roster)"
    ]  # fmt: skip


def test_few_readings_of_a_name_are_looked_at() -> None:
    """One of hundreds of numbers, thousands of times in an archive, would take minutes."""
    assert len(_canvas_readings("a" + "_1" * 400, False)) <= 8


@pytest.mark.parametrize(
    ("own", "shown", "same"),
    [
        ("Lee, Robert", "bobleejr", True),
        ("José Núñez", "Jose Nunez", True),
        ("王小明", "Wang Xiaoming", True),  # not to be compared
        ("Ada Lovelace", "Team Alpha", False),
        ("Bo Li", "Ann Ray", False),
    ],
)
def test_names_that_contradict_a_number(
    own: str, shown: str, same: bool, roster: Callable[[str], Path], lay: Lay
) -> None:
    laid = lay({f"{shown}_42_assignsubmission_file_/peg1.py": b"1"})
    intake = take_in(laid, roster(f'id,name,platform id\nx,"{own}",42\n'))
    assert (intake.handins[0].attempt.student == "x") == same


@pytest.mark.parametrize(
    ("entries", "platform"),
    [
        (["12345-67890 - Ada King - Oct 21, 2026 1056 AM", "index.html"], "Brightspace"),
        (
            ["peg_ada_attempt_2026-10-21-10-56-00.txt", "peg_ada_attempt_2026-10-21-10-56-00_peg1.py"],
            "Blackboard",
        ),
    ],
)
def test_downloads_that_are_not_read_are_refused_by_name(entries: list[str], platform: str, lay: Lay) -> None:
    files = {name if "." in name else f"{name}/peg1.py": b"" for name in entries if name != "index.html"}
    assert f"this looks like a download of {platform}, which is not read" in refused(lay(files))


@pytest.mark.parametrize("around", ["submissions (1)", "peg-submissions"])
def test_a_download_that_was_packed_again_is_read(around: str, lay: Lay) -> None:
    intake = take_in(
        lay({f"{around}/{name}": b"" for name in ("kingada_17_1_peg1.py", "leebob_18_2_peg1.py")})
    )
    assert intake.layout == "a Canvas download"


def test_an_archive_around_a_class_is_no_student(roster: Callable[[str], Path], lay: Lay) -> None:
    inner = zip_of({"submissions/ada/peg1.py": b"1", "submissions/bob/peg1.py": b"2"})
    laid = lay({"peg.zip": inner, "roster.csv": b""})
    said = "peg.zip: expected a student's files, found what looks like a folder around students' folders"
    assert refused(laid).endswith(said)
    assert [each.id for each in take_in(laid, roster("id\npeg\n")).students] == ["peg"]


def test_a_folder_around_a_class_is_no_student(lay: Lay) -> None:
    for inside in (["kingada_17_1_peg1.py", "leebob_18_2_peg1.py"], ["ada/peg1.py", "bob/peg1.py"]):
        said = refused(lay({"roster.csv": b"", **{f"CS101-Peg-4711/{name}": b"" for name in inside}}))
        assert "expected a student's folder, found what looks like" in said


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *(
            (
                f"id,submitted\n7,\n8,{time}\n",
                f":3: expected a time from 2000 to 2099 with its offset from UTC such as 2026-10-09T23:59-04:00, "
                f"found {time}",
            )
            for time in (
                *("2026-10-09 23:59", "yesterday", "0001-01-01T00:00+05:00", "2026-02-30T00:00Z"),
                *(
                    "0001-01-01T00:00+00:00",
                    "9999-12-31T23:59:59+00:00",
                    "1999-12-31T23:59Z",
                    "2100-01-01T00:00Z",
                ),
            )
        ),
        ("", ": expected a line that names the columns, found nothing"),
        (
            "name,mark\nAda,5\n",
            ":1: expected a column id, student id, sid, login, username or email, found name, mark",
        ),
        ("id,name\n", ": expected a line for each student, found only the columns' names"),
        ("id,name\n7,Ada\n,Bob\n", ":3: expected an id in the column id, found nothing"),
        ("id,name\n7,Ada\n8,Bob\n\n7,Eve\n", ":5: expected each id once, found 7 as in line 2"),
        (
            "id,name\n9.12346E+08,Ada\n",
            ":2: expected an id, found 9.12346E+08, which a spreadsheet has shortened",
        ),
        ("id,role\n7,TA\n", ": expected students, found staff only"),
        ("id,name\n7,Ada,x\n", ":2: expected 2 cells as in line 1, found 3"),
        ("id,name\n7\n", ":2: expected 2 cells as in line 1, found 1"),
        ("id,ID ,name\n7,7,Ada\n", ":1: expected each column once, found 2 called id"),
        ('id,name\n7,"Ada\n8,Bob\n', ":3: not CSV: unexpected end of data"),
        (b"id,name\n7,Jos\xe9\n", ":2: expected UTF-8 text, found the byte 0xe9"),
        (b"\x00\x01\x02", ":1: expected a CSV file, found zero bytes"),
        (f"id\n{'x' * (20 << 20)}\n", ": expected at most 20 MiB, found 20,481 KiB"),
    ],
)
def test_rosters_that_are_broken(
    text: str | bytes, message: str, roster: Callable[[str | bytes], Path], as_folder: Lay
) -> None:
    file = roster(text)
    assert refused(as_folder(PLAIN), file) == f"{file}{message}"


def test_a_roster_that_is_not_there(tmp_path: Path, as_folder: Lay) -> None:
    missing = tmp_path / "no.csv"
    assert refused(as_folder(PLAIN), missing) == f"{missing}: cannot be read: No such file or directory"
    assert refused(as_folder(PLAIN), tmp_path) == f"{tmp_path}: expected a file, found a folder"


# ---- hostile submissions -----------------------------------------------------------------------


def test_links_and_devices_are_never_followed(as_folder: Lay, tmp_path: Path) -> None:
    folder = as_folder({"ada/peg1.py": b"1 ada", "bob/client.py": b"c bob", "cyd/client.py": b"c"})
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "peg1.py").write_text("secret")
    (folder / "bob" / "peg1.py").symlink_to(folder / "ada" / "peg1.py")
    os.mkfifo(folder / "bob" / "peg2.py")
    (folder / "cyd" / "peg1.py").mkdir()
    (folder / "dan").symlink_to(folder / "ada")
    (folder / "eve").mkdir()
    (folder / "eve" / "student").symlink_to(tmp_path / "secret")
    (folder / "fay").mkdir()
    for index in range(3_000):
        (folder / "fay" / f"{index}").symlink_to(folder)
    intake = take_in(folder)
    assert fault_of(one(intake, "bob")) == "student/peg1.py: expected a file, found a link"
    assert fault_of(one(intake, "bob"), "peg2.py") == "student/peg2.py: expected a file, found a special file"
    assert fault_of(one(intake, "cyd")) == "student/peg1.py: expected a file, found a folder"
    assert one(intake, "dan").attempt.problem == "dan: expected a folder, found a link"
    assert one(intake, "eve").attempt.problem == "the submission has no task file, found student (link)"
    assert one(intake, "fay").attempt.problem.startswith("the submission has no task file, found ")
    assert one(intake, "ada").read("peg1.py") == b"1 ada"


def test_a_folder_of_very_many_files_is_not_read_to_its_end(
    as_folder: Lay, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = {f"{student}/{index}.txt": b"" for student in ("ada", "bob") for index in range(MAX_ENTRIES + 500)}
    folder = as_folder({**many, "ada/peg1.py": b"1 ada"})
    looked: list[object] = []
    monkeypatch.setattr(os, "lstat", lambda path, lstat=os.lstat: looked.append(path) or lstat(path))
    intake = take_in(folder)
    assert one(intake, "ada").read("peg1.py") == b"1 ada"
    assert one(intake, "bob").attempt.problem.startswith("the submission has no task file, found ")
    assert 0 < len(looked) < 150


def test_a_folder_that_cannot_be_read(as_folder: Lay, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = as_folder({"ada/hw/peg1.py": b"", "bob/peg1.py": b"1 bob"})

    def scandir(path: str, scandir: Callable[[str], object] = os.scandir) -> object:
        if path.endswith("ada"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", scandir)
    intake = take_in(folder)
    assert one(intake, "ada").attempt.problem == "ada: cannot be read: Permission denied"
    assert one(intake, "bob").read("peg1.py") == b"1 bob"
    assert refused(folder / "ada").endswith("ada: cannot be read: Permission denied")


def taken(archive: bytes, name: str = "hw.zip", file: str = "peg1.py") -> bytes | str | None:
    """Return what one student's archive has in a file, or what is wrong; another's submission stays whole.

    It goes both ways in: of a class, and of a platform, where much is only said when a task is graded.
    """
    with TemporaryDirectory() as place:
        for student, handed_in, content in (("ada", name, archive), ("bob", "peg1.py", b"1 bob")):
            (Path(place) / student).mkdir()
            (Path(place) / student / handed_in).write_bytes(content)
        intake = take_in(Path(place))
        assert one(intake, "bob").read("peg1.py") == b"1 bob"
        handin = one(intake, "ada")
        try:
            found = handin.attempt.problem or handin.read(file)
        except SubmissionFault as fault:
            found = fault.message
        on_platform = taken_by_platform(Path(place) / "ada" / name, file)
    if not isinstance(found, str):
        assert on_platform == found
    elif "expected at most 256 KiB" in found:
        assert isinstance(on_platform, bytes) and len(on_platform) == MAX_BYTES + 1
    else:
        assert on_platform == found.removeprefix("student/")
    return found


def taken_by_platform(handed_in: Path, file: str) -> bytes | str | None:
    """Return what a platform's run finds in a file of what is handed over, or what it says."""
    names = {each for task in registry().tasks.values() for each in task.files}
    with TemporaryDirectory() as work:
        try:
            told = lay_out(handed_in, Path(work), names)
        except SubmissionFault as fault:
            return fault.message
        assert {path.name for path in (Path(work) / STUDENT).iterdir()} <= names
        laid_out = Path(work) / STUDENT / file
        of_file = next((each for each in told if each.startswith(f"{file}: ")), None)
        return laid_out.read_bytes() if laid_out.exists() else of_file


def told(archive: bytes) -> str:
    """Return what is wrong with an archive."""
    message = taken(archive)
    assert isinstance(message, str)
    return message


def member(name: str, mode: int = 0) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    return info


def zip_with(*members: tuple[zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for info, content in members:
            archive.writestr(info, content, method)
    return packed.getvalue()


def test_a_zip_bomb_is_not_unpacked() -> None:
    bomb = zip_of({"peg1.py": bytes(50 << 20), "client.py": b"c"})
    assert len(bomb) < 100_000
    expected = "student/peg1.py: expected at most 256 KiB, found 51200 KiB"
    assert told(bomb) == expected
    lie = bomb.replace((50 << 20).to_bytes(4, "little"), (1000).to_bytes(4, "little"))
    assert lie != bomb
    assert told(lie).startswith("student/peg1.py: the archive is broken: Bad CRC-32")
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):  # which unpack a block at a time, however large
        bomb = zip_with((member("peg1.py"), bytes(40 << 20)), method=method)
        lie = bomb.replace((40 << 20).to_bytes(4, "little"), (1000).to_bytes(4, "little"))
        assert lie != bomb
        tracemalloc.start()
        try:
            assert told(lie) == "student/peg1.py: packed in a way that is not read"
            assert tracemalloc.get_traced_memory()[1] < 20 << 20
        finally:
            tracemalloc.stop()


def test_a_file_may_be_as_large_as_is_said() -> None:
    assert taken(zip_of({"peg1.py": bytes(MAX_BYTES)})) == bytes(MAX_BYTES)
    assert told(tar_of({"peg1.py": bytes(MAX_BYTES + 1)})).endswith("at most 256 KiB, found 257 KiB")


@pytest.mark.parametrize(
    ("archive", "message"),
    [
        (zip_with((member("peg1.py", stat.S_IFLNK), b"/etc/passwd")), "expected a file, found a link"),
        (zip_with((member("peg1.py", stat.S_IFIFO), b"")), "expected a file, found a special file"),
        (zip_of({"peg1.py/x": b"", "client.py": b""}), "expected a file, found a folder"),
        (
            zip_with((member("peg1.py"), bytes(1000)), method=zipfile.ZIP_BZIP2),
            "packed in a way that is not read",
        ),
        (
            zip_with((member("peg1.py"), bytes(1000)), method=zipfile.ZIP_LZMA),
            "packed in a way that is not read",
        ),
        (zip_of({"peg1.py": b"1"}).replace(b"\x14\0\0\0", b"\x14\0\1\0"), "the archive is encrypted"),
    ],
)
def test_members_that_are_no_files(archive: bytes, message: str) -> None:
    assert told(archive) == f"student/peg1.py: {message}"


@pytest.mark.parametrize(
    ("archive", "message"),
    [
        (b"", "hw.zip: expected a .zip, .tar or .tar.gz, found something else"),
        (b"Rar!\x1a\x07\x01\x00", "hw.zip: expected a .zip, .tar or .tar.gz, found something else"),
        (zip_of({"peg1.py": b"1"})[:-10], "hw.zip: the archive is broken: File is not a zip file"),
        (gzip.compress(b"no tar"), "hw.zip: the archive is broken: "),
        (tar_of({"peg1.py": bytes(5000)}, "w:gz")[:-40], "hw.zip: the archive is broken: "),
        (gzip.compress(bytes(512) + bytes(100 << 20)), "hw.zip: unpacks to more than 32 MiB"),
        (
            zip_of({"a.zip": zip_of({"b.zip": zip_of({"peg1.py": b""})})}),
            "b.zip: archives in two others are not opened",
        ),
        (zip_of({"PEG9.PY": b""}), "the submission has no task file, found PEG9.PY"),
    ],
    ids=range(8),  # not the archives: a gzip has the time in it
)
def test_archives_without_a_file(archive: bytes, message: str) -> None:
    assert told(archive).startswith(message)


@pytest.mark.parametrize("pack", [zip_of, tar_of, partial(tar_of, mode="w:gz")])
@pytest.mark.parametrize(
    "name",
    [
        "../peg1.py", "/peg1.py", "a/../../peg1.py", "..foo/peg1.py", "..peg1.py", "peg1.py/..", "C:peg1.py",
        "C:\\peg1.py", "..\\peg1.py", "a/" * 9 + "peg1.py", "a/" * 30 + "peg1.py", "\u202epeg1.py", "\uff50eg1.py",
    ],
)  # fmt: skip
def test_names_that_lead_elsewhere(name: str, pack: Callable[[Files], bytes]) -> None:
    said = (
        "the submission has no task file, found ",
        "hw.zip: found only names that lead out of it or are too deep: ",
    )
    assert told(pack({name: b"secret"})).startswith(said)


def test_archives_of_too_many_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_MEMBERS", 100)
    files = {f"{index}.txt": b"" for index in range(101)}
    for archive in (zip_of(files), tar_of(files), tar_of(files, "w:gz")):
        assert told(archive) == "hw.zip: expected a few files, found too many to look through"
    del files["0.txt"]
    assert told(zip_of({**files, "1.txt": b""})).startswith("the submission has no task file")


@pytest.mark.parametrize("pack", [zip_of, tar_of])
def test_a_name_that_is_too_long(pack: Callable[[Files], bytes]) -> None:
    for length, said in ((1_000, None), (1_001, "1,001"), (60_000, "60,000")):
        archive = pack({"\x01" * (length - 10) + "_peg1_v.py": b"", "peg1.py": b"1"})
        if said is None:
            assert taken(archive) == b"1"
        else:
            assert told(archive) == f"hw.zip: expected names of at most 1,000 characters, found one of {said}"


def test_a_tar_that_unpacks_to_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_UNPACKED", 1 << 20)
    files = {"peg1.py": b"1", "data.bin": bytes(2 << 20)}
    assert told(tar_of(files, "w:gz")) == "hw.zip: unpacks to more than 1 MiB"
    assert taken(tar_of({**files, "data.bin": bytes(1000)}, "w:gz")) == b"1"


def header(name: str, size: int, type: bytes = tarfile.REGTYPE) -> bytes:
    """Return a header of a .tar, with whatever size it is to have."""
    info = tarfile.TarInfo(name)
    info.type = type
    written = info.tobuf(tarfile.GNU_FORMAT)
    field = b"\x80" + size.to_bytes(11) if size >= 0 else size.to_bytes(12, signed=True)
    written = written[:124] + field + written[136:148] + b" " * 8 + written[156:]
    return written[:148] + b"%06o\0 " % sum(written) + written[156:]


def pax(record: bytes) -> bytes:
    """Return an extended header of one short record, without its length."""
    text = b"%d %b\n" % (len(record) + 4, record)
    return header("x", len(text), tarfile.XHDTYPE) + text.ljust(512, b"\0")


@pytest.mark.parametrize(
    "claim",
    [
        header("peg1.py", 1 << 50),
        header("peg1.py", 1),
        header("peg1.py", -512),
        header("data.bin", 1 << 50),
        header("data.bin", 1 << 50, tarfile.GNUTYPE_SPARSE),
        header("data.bin", 1 << 50, b"?"),
        header("name", 1 << 50, tarfile.GNUTYPE_LONGNAME),
        header("link", 1 << 50, tarfile.GNUTYPE_LONGLINK),
        header("x", 1 << 50, tarfile.XHDTYPE),
        header("g", 1 << 50, tarfile.XGLTYPE),
        pax(b"size=1125899906842624") + header("peg1.py", 0),
        pax(b"size=-1048576") + header("peg1.py", 0),
    ],
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_tar_is_not_read_past_its_end(claim: bytes, pack: Callable[[bytes], bytes]) -> None:
    assert re.match(r"hw\.zip: the archive is broken: a member of -?\d+ bytes, where", told(pack(claim)))


def test_what_a_tar_says_of_all_members_costs_nothing() -> None:
    """Python's tarfile copies it for each of them."""
    about_all = b"".join(b"12 %06x=x\n" % number for number in range(40_000))
    start = header("g", len(about_all), tarfile.XGLTYPE) + about_all + bytes(-len(about_all) % 512)
    members = [header(f"{number}.txt", 0) for number in range(100)]
    assert taken(gzip.compress(start + b"".join(members) + header("peg1.py", 0))) == b""
    archive = start * 10 + header("peg1.py", 0)
    assert told(archive) == "hw.zip: the archive is broken: more than 4 MiB of headers about other members"


def test_a_gz_of_too_many_pieces() -> None:
    tar = tar_of({"peg1.py": b"1"})
    pieces = [gzip.compress(tar[at : at + 100]) for at in range(0, len(tar), 100)]
    assert taken(b"".join(pieces)) == b"1"
    assert taken(b"".join(pieces) + b"what gzip leaves aside") == b"1"
    assert told(gzip.compress(b"") * 1_001) == "hw.zip: packed in too many pieces"


def test_a_gz_whose_header_never_ends() -> None:
    assert told(b"\x1f\x8b\x08\x08" + b"n" * (1 << 20)) == "hw.zip: the archive is broken: it ends too early"


def test_a_zip_whose_list_is_all_extra_fields() -> None:
    """Python's zipfile copies what is left of them at each: 32 MiB took 7 s."""
    infos = [member(f"{number}.txt") for number in range(70)]
    for info in infos:
        info.extra = bytes(65_532)
    first, *others = [(info, b"") for info in infos]
    assert taken(zip_with((member("peg1.py"), b"1"), first)) == b"1"
    archive = zip_with((member("peg1.py"), b"1"), first, *others)
    assert told(archive) == "hw.zip: expected a few files, found too many to look through"


def test_folders_that_are_only_in_names_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_MEMBERS", 100)
    files = {f"{number}/a/b/c/d/e/f/x": b"" for number in range(20)}
    for archive in (zip_of(files), tar_of(files), tar_of(files, "w:gz")):
        assert told(archive) == "hw.zip: expected a few files, found too many to look through"


def test_tars_of_other_programs() -> None:
    """Long names of GNU and of PAX, a prefix, a folder without a type, and sparse files."""
    long = "hw/" + "n" * 120 + "/student/peg1.py"
    for format in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT):
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w", format=format) as archive:
            info = tarfile.TarInfo(long if format != tarfile.USTAR_FORMAT else long.replace("hw", "h" * 20))
            info.size = 3
            archive.addfile(info, io.BytesIO(b"abc"))
        assert taken(packed.getvalue()) == b"abc"
    assert told(header("peg1.py/", 0, tarfile.AREGTYPE)).endswith("expected a file, found a folder")
    assert told(pax(b"GNU.sparse.name=peg1.py") + header("x", 0)).endswith("found a special file")
    holes = bytearray(header("peg1.py", 512, tarfile.GNUTYPE_SPARSE))
    holes[482] = 1
    holes[148:156] = b"%06o\0 " % (sum(holes[:148]) + sum(holes[156:]) + 8 * 32)
    behind = header("client.py", 1) + b"c".ljust(512, b"\0")
    assert taken(bytes(holes) + bytes(1024) + behind, file="client.py") == b"c"
    assert told(bytes(holes)).startswith("hw.zip: the archive is broken: a member of 512 bytes")


def test_many_archives_are_not_guessed_at(lay: Lay) -> None:
    intake = take_in(lay({"ada/1.zip": zip_of(PLAIN), "ada/2.zip": b"", "bob/peg1.py": b""}))
    assert one(intake, "ada").attempt.problem == "1.zip, 2.zip: more archives than one are not opened"


@pytest.mark.parametrize("pack", [zip_of, tar_of])
def test_an_archive_in_an_archive(pack: Callable[[Files], bytes]) -> None:
    for packed in (zip_of({"hw/peg1.py": b"1"}), tar_of({"peg1.py": b"1"}, "w:gz")):
        assert taken(pack({"my/inner.zip": packed, "notes.txt": b""})) == b"1"
    broken = pack({"inner.tgz": gzip.compress(bytes(512) + bytes(100 << 20))})
    assert told(broken) == "inner.tgz: unpacks to more than 32 MiB"


def test_of_two_members_with_one_name_the_last_counts() -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        archive = zip_with((member("peg1.py"), b"first"), (member("peg1.py"), b"last"))
    assert taken(archive) == b"last"
    both = tar_of({"peg1.py": b"first", "./peg1.py": b"last"})
    assert taken(both, "hw.tar") == b"last"


def test_names_as_windows_and_others_write_them() -> None:
    assert taken(zip_of({"hw\\student\\peg1.py": b"1"})) == b"1"
    latin = zip_of({"n\u00e9/peg1.py": b"1"}).replace("n\u00e9".encode(), b"n\xe9\xe9")
    assert told(latin).startswith("hw.zip: the archive is broken: ")


@pytest.mark.parametrize("type", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, b"S"])
def test_members_of_a_tar_that_are_no_files(type: bytes) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        info = tarfile.TarInfo("student/peg1.py")
        info.type, info.linkname = type, "/etc/passwd"
        archive.addfile(info)
    kind = "link" if type in (tarfile.SYMTYPE, tarfile.LNKTYPE) else "special file"
    assert told(packed.getvalue()) == f"student/peg1.py: expected a file, found a {kind}"


def test_a_file_that_a_tar_names_twice_is_there() -> None:
    """GNU tar writes it again as a hard link to itself."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        info = tarfile.TarInfo("student/peg1.py")
        info.size = 3
        archive.addfile(info, io.BytesIO(b"1 a"))
        for name in ("student/peg1.py", "student/peg2.py"):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = tarfile.LNKTYPE, "student/peg1.py"
            archive.addfile(info)
    tree = archive_tree(packed.getvalue(), "", {"peg1.py", "peg2.py"})
    assert [tree.read(("student", name), "") for name in ("peg1.py", "peg2.py")] == [b"1 a", b"1 a"]


def test_a_folder_that_windows_packed_is_one(lay: Lay) -> None:
    packed = zip_of({"student\\": b"", "student\\peg1.py": b"1"})
    assert read(take_in(lay({"ada/hw.zip": packed})))["ada", 1] == {"peg1.py": b"1"}


def test_what_a_tar_says_in_its_extra_headers() -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, path in (("peg1.py", "../../peg1.py"), ("x", "peg2.py")):
            info = tarfile.TarInfo(name)
            info.pax_headers, info.size = {"path": path}, 1
            archive.addfile(info, io.BytesIO(b"1"))
    assert taken(packed.getvalue(), file="peg1.py") is None
    assert taken(packed.getvalue(), file="peg2.py") == b"1"


def test_a_very_deep_name_takes_no_memory() -> None:
    archive = zip_of({"a/" * 5_000 + "peg1.py": b""})
    tracemalloc.start()
    try:
        assert told(archive) == "hw.zip: expected names of at most 1,000 characters, found one of 10,007"
        assert tracemalloc.get_traced_memory()[1] < 20 << 20
    finally:
        tracemalloc.stop()


def test_names_that_are_no_text_are_written_as_some(as_folder: Lay) -> None:
    folder = as_folder({"a\nb\x1b[1m/peg1.py": b"", "=1+1/peg1.py": b""})
    (folder / os.fsdecode(b"caf\xe9")).mkdir()
    intake = take_in(folder)
    assert [student.id for student in intake.students] == ["=1+1", "a\\nb\\x1b[1m", "caf\\xe9"]
    for line in [*intake.notes, *(handin.attempt.place for handin in intake.handins)]:
        assert line.isprintable() and line.encode()


# ---- properties --------------------------------------------------------------------------------

_name = st.lists(
    st.sampled_from(["..", ".", "", "ada", "bob", "hw", "student", "peg1.py", "C:", "~"]),
    min_size=1,
    max_size=6,
).map(tuple)


@settings(max_examples=60)
@given(st.sets(st.tuples(_name, st.sampled_from("/\\")), min_size=1, max_size=8))
def test_no_name_leads_out_of_its_folder(names: set[tuple[tuple[str, ...], str]]) -> None:
    written = sorted(separator.join((*parts, "peg1.py")) for parts, separator in names)
    archive = zip_of({name: name.encode() for name in written})
    with TemporaryDirectory() as place:
        (Path(place) / "class.zip").write_bytes(archive)
        try:
            intake = take_in(Path(place) / "class.zip")
        except InputError:
            return  # nobody's file, or the files of one
        for handin in intake.handins:
            with contextlib.suppress(SubmissionFault):
                name = (handin.read("peg1.py") or b"").decode()
                parts = [part for part in re.split(r"[/\\]", name) if part not in ("", ".")]
                assert ".." not in parts and "C:" not in parts[:1]
                assert not parts or handin.attempt.student in parts[:2]  # one folder may be around all


_ARCHIVES = [
    zip_of({"hw/student/peg1.py": b"1" * 50, "hw/x": b""}),
    tar_of({"hw/student/peg1.py": b"1" * 50, "n" * 150: b"long"}),
    tar_of({"hw/student/peg1.py": b"1" * 50}, "w:gz"),
]


@given(
    st.sampled_from(_ARCHIVES),
    st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), max_size=6),
)
@settings(max_examples=150)
def test_a_damaged_archive_is_the_fault_of_one(archive: bytes, damage: list[tuple[float, int]]) -> None:
    damaged = bytearray(archive)
    for place, value in damage:
        damaged[int(place * len(damaged))] = value
    raw = taken(bytes(damaged))
    assert raw is None or len(raw) <= 300


ODD_SIZES = (
    *(0, 1, 7, -1, -512, 511, 513, 1 << 16, (1 << 16) - 1, MAX_BYTES + 1, 1 << 31, (1 << 32) - 1),
    *(1 << 33, 1 << 50, (1 << 63) - 1, 1 << 80),
)
ODD_MEMBERS = (
    *(
        "peg1.py",
        "student/peg1.py",
        "client.py/",
        "../peg1.py",
        "/peg1.py",
        "C:peg1.py",
        "a\\peg1.py",
        "..foo/peg1.py",
    ),
    *(
        "n" * 300 + "/peg1.py",
        "d/" * 30 + "peg1.py",
        "\u00e9/peg1.py",
        "inner.zip",
        "",
        ".",
        "x\ny",
        "__MACOSX/._peg1.py",
    ),
)
WORK = 50_000  # calls of functions for an archive of a few KiB: most need less than 2,000


class TooMuchWork(BaseException):
    """Reading an archive took more calls than its size can explain."""


@contextlib.contextmanager
def bounded_work() -> Iterator[None]:
    """Raise TooMuchWork where there are more calls than WORK: as good as a clock, and the same on each machine."""
    calls = 0

    def count(*_: object) -> None:
        nonlocal calls
        calls += 1
        if calls > WORK:
            sys.setprofile(None)
            raise TooMuchWork

    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(None)


class Packer:
    """Makes archives that are nearly right, from a seed."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)

    def archive(self) -> bytes:
        """Return an archive with some odd members, some odd headers and some damage."""
        make = self.random.choice((self._zip, self._tar, self._gz, self._gz))
        return self._damaged(make())

    def _members(self) -> list[tuple[str, bytes]]:
        names = self.random.choices(ODD_MEMBERS, k=self.random.randrange(1, 9))
        return [(name, self.random.choice((b"", b"x = 1\n", bytes(5_000)))) for name in names]

    def _zip(self) -> bytes:
        method = self.random.choice(
            (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
        )
        packed = io.BytesIO()
        with warnings.catch_warnings(), zipfile.ZipFile(packed, "w", method) as archive:
            warnings.simplefilter("ignore")  # a name twice
            for name, content in self._members():
                info = member(
                    name or "peg1.py", self.random.choice((0, 0, stat.S_IFREG, stat.S_IFLNK, stat.S_IFIFO))
                )
                info.extra = self.random.choice((b"", bytes(400), b"\x01\0\x08\0" + b"\xff" * 8))
                archive.writestr(info, content, method)
            archive.comment = bytes(self.random.choice((0, 0, 60_000)))
        raw = bytearray(packed.getvalue())
        for _ in range(self.random.choice((0, 0, 1, 3))):
            magic = self.random.choice((b"PK\1\2", b"PK\3\4", b"PK\5\6"))
            at = self.random.choice([found.start() for found in re.finditer(re.escape(magic), raw)])
            width, field = self.random.choice((2, 4)), at + self.random.randrange(4, 44, 2)
            size = self.random.choice(ODD_SIZES) % (1 << 8 * width)
            raw[field : field + width] = size.to_bytes(width, "little")
        return bytes(raw)

    def _tar(self) -> bytes:
        packed = io.BytesIO()
        format = self.random.choice((tarfile.GNU_FORMAT, tarfile.PAX_FORMAT))
        with tarfile.open(fileobj=packed, mode="w", format=format) as archive:
            for name, content in self._members():
                info = tarfile.TarInfo(name)
                info.type = self.random.choice((b"0", b"0", b"0", b"2", b"5", b"S"))
                info.size = len(content) if info.isreg() else 0
                if format == tarfile.PAX_FORMAT and self.random.random() < 0.3:
                    key = self.random.choice(
                        ("size", "path", "GNU.sparse.major", "GNU.sparse.map", "hdrcharset")
                    )
                    info.pax_headers = {
                        key: self.random.choice(("", "1", "-1", "9" * 30, "peg1.py", "\u00e9" * 200))
                    }
                archive.addfile(info, io.BytesIO(content))
        raw = bytearray(packed.getvalue())
        for _ in range(self.random.choice((0, 0, 1, 3))):
            at = 512 * self.random.randrange(len(raw) // 512)
            if self.random.random() < 0.5:
                raw[at + 156] = self.random.choice(b"\x00012567ADSVxgLKX?")
            else:
                size = self.random.choice(ODD_SIZES)
                octal = b"%011o\0" % (abs(size) % (1 << 33))
                raw[at + 124 : at + 136] = self.random.choice(
                    (octal, size.to_bytes(12, signed=True), b"\x80" + octal[1:])
                )
            if self.random.random() < 0.2:
                raw[at + 482] = 1  # of a sparse file: its map goes on
            written = sum(raw[at : at + 148]) + sum(raw[at + 156 : at + 512]) + 8 * 32
            raw[at + 148 : at + 156] = b"%06o\0 " % written
        return bytes(raw)

    def _gz(self) -> bytes:
        tar = self._tar()
        cuts = sorted(self.random.randrange(len(tar)) for _ in range(self.random.choice((0, 0, 2, 1_200))))
        pieces = [tar[start:end] for start, end in pairwise([0, *cuts, len(tar)])]
        packed = bytearray(b"".join(gzip.compress(piece, 1) for piece in pieces))
        if self.random.random() < 0.2:
            packed[3] = self.random.choice((2, 4, 8, 16, 31, 255))  # what else there is in its header
        return bytes(packed) + self.random.choice((b"", b"", bytes(1_000), b"garbage", b"\x1f\x8b"))

    def _damaged(self, raw: bytes) -> bytes:
        for _ in range(self.random.choice((0, 0, 1, 2, 5))):
            at, end = sorted(self.random.randrange(len(raw) + 1) for _ in range(2))
            match self.random.randrange(5):
                case 0:
                    raw = raw[:at]
                case 1:
                    raw = raw[:at] + raw[end:]
                case 2:
                    raw = raw[:end] + raw[at:]
                case 3:
                    raw = raw[:at] + self.random.randbytes(self.random.choice((1, 4, 100))) + raw[at + 4 :]
                case _:
                    raw = (
                        raw[:at]
                        + self.random.choice((b"\0" * 512, b"PK\1\2", b"\x1f\x8b\x08", b"\xff" * 8))
                        + raw[at:]
                    )
        return raw


def test_broken_archives_are_told_in_bounded_work(pytestconfig: pytest.Config) -> None:
    packer = Packer(pytestconfig.getoption("--fuzz-seed"))
    outcomes: Counter[str] = Counter()
    registry()  # reading it is no part of the work
    for _ in range(pytestconfig.getoption("--fuzz-archives")):
        archive = packer.archive()
        with bounded_work():
            found = taken(archive)
        if isinstance(found, str):
            assert found.isprintable() and len(found) < 300
        assert not isinstance(found, bytes) or len(found) <= MAX_BYTES
        outcomes["fault" if isinstance(found, str) else "read"] += 1
    assert min(outcomes["fault"], outcomes["read"]) > outcomes.total() // 10


@settings(max_examples=50)
@given(st.sets(st.text() | st.text("ab./\\%~\x00\u00e9", min_size=30, max_size=200), max_size=8))
def test_file_names_are_safe_and_each_id_has_its_own(ids: set[str]) -> None:
    names = {file_name_of(id) for id in ids}
    assert len(names) == len(ids)
    for name in names:
        assert re.fullmatch(r"[\w@+%~-][\w@+%~.-]{0,119}", name, re.ASCII)


def test_file_names_stay_readable() -> None:
    assert [file_name_of(id) for id in ("ada@x.edu", "../etc", ".x", "", "Zo\u00eb", "con\n", "\udcff")] == [
        "ada@x.edu", "%2E.%2Fetc", "%2Ex", "%", "Zo%C3%AB", "con%0A", "%ED%B3%BF",
    ]  # fmt: skip


# ---- what the task's files must be -------------------------------------------------------------


def test_files_from_anywhere_go_through_the_same_checks(tmp_path: Path) -> None:
    names = ("client.py", "peg1.py", "peg2.py")
    good = {"client.py": b"\xef\xbb\xbfx = 1\r\n", "peg2.py": b"y = 2\n"}
    assert submission_from("student", names, good.get).sources == {
        "client.py": "x = 1\n",
        "peg2.py": "y = 2\n",
    }
    for content, message in (
        (None, "student/peg2.py: no such file"),
        (b"\xff", "student/peg2.py: expected UTF-8 text, found the byte 0xff"),
        (b"abcdefgh\0", "student/peg2.py: expected text, found zero bytes"),
    ):
        with pytest.raises(SubmissionFault) as caught:
            submission_from("student", names, {**good, "peg2.py": content}.get)  # type: ignore[arg-type]
        assert caught.value.message == message
    for name, raw in good.items():
        (tmp_path / name).write_bytes(raw)
    assert read_submission(tmp_path, names).sources == submission_from("student", names, good.get).sources
    (tmp_path / "peg1.py").symlink_to("client.py")
    with pytest.raises(SubmissionFault, match=r"peg1\.py: expected a file, found a link"):
        read_submission(tmp_path, names)


def test_a_zip_whose_files_share_their_bytes_is_not_read() -> None:
    archive = zip_with(
        (member("peg1.py"), b"1" * 200_000), (member("peg1 (1).py"), b""), method=zipfile.ZIP_STORED
    )
    second = archive.rindex(b"PK\1\2")
    size = (200_000).to_bytes(4, "little")
    overlaid = archive[: second + 20] + size * 2 + archive[second + 28 :]
    assert told(overlaid) == "hw.zip: the archive is broken: its files lie over each other"


def test_a_small_file_packed_as_a_large_one_is_not_read() -> None:
    archive = zip_with((member("peg1.py"), bytes(400 << 10)), method=zipfile.ZIP_STORED)
    lie = archive[: archive.rindex(b"PK\1\2") + 24] + bytes(4) + archive[archive.rindex(b"PK\1\2") + 28 :]
    assert "expected at most 256 KiB, found 400 KiB" in told(lie)


def test_what_is_read_of_a_zip_is_bounded() -> None:
    tree = archive_tree(zip_of({"peg1.py": bytes(200_000)}), "hw.zip", {"peg1.py"})
    for _ in range(archives.MAX_UNPACKED // 200_000):
        assert tree.read(("peg1.py",), "peg1.py")
    with pytest.raises(SubmissionFault, match="too many"):
        tree.read(("peg1.py",), "peg1.py")


def test_a_file_that_cannot_be_used_is_read_once() -> None:
    reads = []

    def read(name: str) -> bytes:
        reads.append(name)
        raise SubmissionFault("peg1.py: broken", "pack it again")

    once = class_run._once(read)
    for _ in range(3):
        with pytest.raises(SubmissionFault):
            once("peg1.py")
    assert reads == ["peg1.py"]


def test_a_lone_carriage_return_ends_a_line_as_for_python() -> None:
    assert decode_source("peg1.py", b"a = 1\rb = 2\r\nc = 3\n") == "a = 1\nb = 2\nc = 3\n"
