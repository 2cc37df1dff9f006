"""What a class handed in, in every layout, with rosters right and wrong, and with everything done to break it.

pytest tests/test_intake.py --fuzz-archives 10000 --fuzz-seed 7        that many broken archives, from that seed
"""

import contextlib
import errno
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
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader import folders
from grader.catalog.tasks import registry
from grader.course import class_run
from grader.course.handins.intake import Handin, Intake, take_in
from grader.course.handins.named_files import _canvas_readings
from grader.course.handins.roster_file import read_roster
from grader.course.records import Attempt, file_name_of
from grader.errors import InputError
from grader.exports.platform_run import lay_out
from grader.submissions import archives, unpacked
from grader.submissions.archives import MAX_ARCHIVE, MAX_UNPACKED, ArchiveTree, archive_tree
from grader.submissions.gather import gather
from grader.submissions.locate import STUDENT
from grader.submissions.source_file import MAX_BYTES, SubmissionFault, decode_source
from grader.submissions.submission import read_submission, submission_from
from grader.submissions.trees import MAX_ENTRIES, FolderTree
from support.archives import Files, tar_of, zip_of
from support.archives import lay as lay_in
from support.zoo_rows import STUBS

Lay = Callable[[Files], Path]
Write = Callable[[str | bytes], Path]
plain_tar = partial(tar_of, mode="w")


@pytest.fixture
def as_folder(tmp_path: Path) -> Lay:
    return partial(lay_in, tmp_path / "class")


@pytest.fixture(params=["folder", "zip"])
def lay(request: pytest.FixtureRequest, tmp_path: Path, as_folder: Lay) -> Lay:
    def zipped(files: Files) -> Path:
        (tmp_path / "class.zip").write_bytes(zip_of(files))
        return tmp_path / "class.zip"

    return as_folder if request.param == "folder" else zipped


@pytest.fixture
def roster(tmp_path: Path) -> Write:
    def write(text: str | bytes) -> Path:
        file = tmp_path / "list.csv"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    return write


def laid(*paths: str) -> dict[str, bytes]:
    """Return files that hold their own path; what is in an archive, as of `ada.zip/peg1.py`, is packed."""
    files: dict[str, bytes] = {}
    packed: defaultdict[str, dict[str, bytes]] = defaultdict(dict)
    for path in paths:
        archive, ending, inside = re.fullmatch(r"(?:(.*?(\.zip|\.tar\.gz|\.tar))/)?(.*)", path, re.S).groups()
        (packed[archive] if ending else files)[inside] = path.encode()
    for name, members in packed.items():
        mode = "w:gz" if name.endswith("gz") else "w"
        files[name] = zip_of(members) if name.endswith("zip") else tar_of(members, mode)
    return files


def taken_from(intake: Intake) -> dict[str, list[str]]:
    """Return what each attempt has in client.py, peg1.py and peg2.py."""
    return {
        f"{each.attempt.student} {each.attempt.number}": [
            raw.decode()
            for name in ("client.py", "peg1.py", "peg2.py")
            if (raw := each.read(name)) is not None
        ]
        for each in intake.handins
    }


def ids(intake: Intake) -> list[str]:
    """Return the students' ids, with `!` behind those who are not on the roster."""
    return [student.id + "!" * (not student.on_roster) for student in intake.students]


def one(intake: Intake, student: str) -> Handin:
    return next(handin for handin in intake.handins if handin.attempt.student == student)


def refused(folder: Path, roster: Path | None = None) -> str:
    with pytest.raises(InputError) as caught:
        take_in(folder, roster)
    assert caught.value.help
    return caught.value.message


# ---- layouts -----------------------------------------------------------------------------------

UNTIMED = (
    "no submission has a hand-in time, so no rule about lateness can apply; `times: FILE` in course.yaml takes a platform's "
    "export of them, and a roster may have a column handed_in"
)
COMMITS = "times are those of the commits, which are what a student's own machine says"
MOODLE, CANVAS, AUTOLAB = "a Moodle download", "a Canvas download", "an Autolab download"
CLONES, CLASSROOM50 = "a folder of clones", "a Classroom 50 download"


@dataclass(frozen=True)
class Case:
    """What was handed in, and what becomes of it."""

    files: Sequence[str]  # see `laid`; `more` has those that hold something else
    taken: Mapping[str, Sequence[str]]  # the files of each attempt, by student and number
    notes: Sequence[str] = ()  # all but UNTIMED
    layout: str = "a folder for each student"
    roster: str = ""
    more: Files = field(default_factory=dict)
    # by student and number, the problem or the slips of an attempt that has any
    told: Mapping[str, str] = field(default_factory=dict)
    # id, name and the platform's id of each student, where they matter
    people: Sequence[tuple[str, str, str]] = ()
    late: Sequence[str] = ()  # who is late by the platform
    merges: bool = False


def no_file(found: str) -> str:
    return f"the submission has no task file, found {found}"


def moodle_folders(end: str) -> Case:
    ada, bob, cyd = (f"{who}_assignsubmission_" for who in ("Ada King_1234", "Bob Lee_1235", "Cyd_1236"))
    return Case(
        (f"{ada}file{end}/peg1.py", f"{ada}onlinetext{end}/onlinetext.html",
         f"{bob}file{end}/hw.zip/hw/student/peg1.py", f"{cyd}onlinetext{end}/onlinetext.html"),
        {"1234 1": [f"{ada}file{end}/peg1.py"], "1235 1": [f"{bob}file{end}/hw.zip/hw/student/peg1.py"], "1236 1": []},
        layout=MOODLE,
        told={"1236 1": no_file("onlinetext.html")},
        people=[("1234", "Ada King", "Participant 1234"), ("1235", "Bob Lee", "Participant 1235"),
                ("1236", "Cyd", "Participant 1236")],
    )  # fmt: skip


COPIES = (" (10)", " (9)", " (1)", "")  # of a browser, the last one first
CASES = {
    "a folder each": Case(
        ("ada/peg1.py", "bob/student/peg1.py", "bob/student/client.py", "bob/peg1.py",
         "cyd/peg-solitaire/student/peg2.py", "cyd/peg-solitaire/framework/board.py", "roster.csv",
         "class-graded/class.sqlite", "class-graded/feedback/peg1.py", ".DS_Store"),
        {"ada 1": ["ada/peg1.py"], "bob 1": ["bob/student/client.py", "bob/student/peg1.py"],
         "cyd 1": ["cyd/peg-solitaire/student/peg2.py"]},
        ["left aside, no folder: roster.csv", "left aside, a store of results is in it: class-graded"],
        told={"bob 1": "peg1.py in the top folder left aside for what lies in student"},
    ),
    "a hidden folder": Case(
        ("ada/.hw/peg1.py", "ada/.DS_Store", "bob/peg1.py"), {"ada 1": [], "bob 1": ["bob/peg1.py"]},
        told={"ada 1": no_file(".hw (folder)")},
    ),
    "in a folder": Case(
        ("class/ada/peg1.py", "class/bob/peg1.py", "notes.txt"),
        {"ada 1": ["class/ada/peg1.py"], "bob 1": ["class/bob/peg1.py"]},
        ["left aside, not in the folder of the class: notes.txt"],
    ),
    "around, without a roster": Case(
        ("submissions/proj/student/peg1.py", "submissions/docs/notes.txt"),
        {"docs 1": [], "proj 1": ["submissions/proj/student/peg1.py"]}, told={"docs 1": no_file("notes.txt")},
    ),
    "around, on the roster": Case(
        ("submissions/proj/student/peg1.py", "submissions/docs/notes.txt"),
        {"submissions 1": ["submissions/proj/student/peg1.py"]}, roster="id\nsubmissions\n",
    ),
    "called as a store": Case(
        ("ada/class.sqlite", "ada/peg1.py", "bob/class.sqlite", "bob/hw/peg1.py", "old/class.sqlite"),
        {"ada 1": ["ada/peg1.py"], "bob 1": ["bob/hw/peg1.py"]},
        ["left aside, a store of results is in it: old", "1 not on the roster, graded all the same: ada"],
        roster="id\nbob\n",
    ),
    "the only student": Case(
        ("ada/student/peg1.py", "ada/framework/board.py", "ada/README.md"), {"ada 1": ["ada/student/peg1.py"]},
    ),
    "an archive each": Case(
        ("ada.zip/peg1.py", "ada.zip/peg2.py", "bob.tar.gz/hw/student/peg1.py", "cyd/hw.tar/./student/peg1.py"),
        {"ada 1": ["ada.zip/peg1.py", "ada.zip/peg2.py"], "bob 1": ["bob.tar.gz/hw/student/peg1.py"],
         "cyd 1": ["cyd/hw.tar/./student/peg1.py"]},
    ),
    "two archives": Case(
        ("ada/1.zip/peg1.py", "ada/2.zip/x", "bob/peg1.py", "cyd/1.zip/x", "cyd/2.zip/y"),
        {"ada 1": ["ada/1.zip/peg1.py"], "bob 1": ["bob/peg1.py"], "cyd 1": []},
        told={"cyd 1": no_file("x, y")},
    ),
    "copies of a browser": Case(
        ("cyd/client.py",
         *(f"{who}h{copy}.zip/peg1.py" for who in ("ada/", "bob/hw/", "cyd/hw/") for copy in COPIES)),
        {"ada 1": ["ada/h (10).zip/peg1.py"], "bob 1": ["bob/hw/h (10).zip/peg1.py"],
         "cyd 1": ["cyd/client.py", "cyd/hw/h (10).zip/peg1.py"]},
        told={f"{who} 1": together + "; ".join(
                f"peg1.py in {at}h{copy}.zip left aside for what lies in {at}h (10).zip" for copy in COPIES[1:])
              for who, at, together in (
                ("ada", "", ""), ("bob", "hw/", ""),
                ("cyd", "hw/", "peg1.py in hw/h (10).zip taken together with what lies in the top folder; "))},
    ),
    "packed by Windows": Case(
        (), {"ada 1": ["1"]}, more={"ada/hw.zip": zip_of({"student\\": b"", "student\\peg1.py": b"1"})},
    ),
    "spaces around names": Case(
        ("x/peg1.py", "x\r/peg1.py", "lead/peg1.py", " lead/peg1.py"),
        {"' lead' 1": [" lead/peg1.py"], r"'x\r' 1": ["x\r/peg1.py"], "lead 1": ["lead/peg1.py"], "x 1": ["x/peg1.py"]},
        [r"spaces around a name are taken for part of it: ' lead' (not lead), 'x\r' (not x)"],
    ),
    "another form of a name": Case(
        ("zoe\u0308/peg1.py",), {"zo\u00eb 1": ["zoe\u0308/peg1.py"]}, roster="id\nzo\u00eb\n"
    ),
    "one student twice": Case(
        ("ada@X.edu/peg1.py", "ADA/peg1.py"), {"ada 1": ["ADA/peg1.py"], "ada 2": ["ada@X.edu/peg1.py"]},
        ["ada is there 2 times, kept as attempts: ADA, ada@X.edu"], roster="id,email\nada,Ada@x.edu\n",
    ),
    "Gradescope without its list": Case(
        ("assignment_5_export/submission_11/peg1.py", "assignment_5_export/submission_12/peg1.py"),
        {f"submission_{number} 1": [f"assignment_5_export/submission_{number}/peg1.py"] for number in (11, 12)},
        ["this looks like a Gradescope export without its submission_metadata.yml: nobody's name is known"],
    ),
    "Moodle": moodle_folders(""),
    "Moodle before": moodle_folders("_"),
    "Moodle without folders": Case(
        ("Ada King_1234_assignsubmission_file_peg1.py", "marks.xlsx",
         "Ada King_1234_assignsubmission_file_x_99_assignsubmission_file_peg2.py",  # somebody else's, she says
         "Bob Lee_1235_assignsubmission_file_peg1.py", "Bob Lee_1235_assignsubmission_file_h.zip/peg1.py",
         "Cyd_1236_assignsubmission_file_hw/peg1.py", "Cyd_1236_assignsubmission_file_peg2.py"),
        {"1236 1": ["Cyd_1236_assignsubmission_file_hw/peg1.py"], "1234 1": ["Ada King_1234_assignsubmission_file_peg1.py"],
         "1235 1": ["Bob Lee_1235_assignsubmission_file_peg1.py"]},
        ["left aside, not named as the platform names them: marks.xlsx",
         "left aside, beside a folder of the same student: Cyd_1236_assignsubmission_file_peg2.py"], MOODLE,
        told={"1234 1": "x_99_assignsubmission_file_peg2.py is left aside: expected a name such as peg2.py",
              "1235 1": "peg1.py in h.zip left aside for what lies in the top folder"},
    ),
    "Canvas": Case(
        ("kingada_17_900_peg1.py", "kingada_17_901_client-1.py", "leebob_LATE_18_903_peg1-12.py",
         "moe_cyd_19_904_my hw.zip/peg1.py", "zed_20_text.html", "late_22_905_peg1.py"),
        {"17 1": ["kingada_17_901_client-1.py", "kingada_17_900_peg1.py"], "18 1": ["leebob_LATE_18_903_peg1-12.py"],
         "19 1": ["moe_cyd_19_904_my hw.zip/peg1.py"], "20 1": [], "22 1": ["late_22_905_peg1.py"]},
        layout=CANVAS, late=["18"], told={"20 1": no_file("text.html")},
        people=[("17", "kingada", "17"), ("18", "leebob", "18"), ("19", "moe_cyd", "19"), ("20", "zed", "20"),
                ("22", "late", "22")],
    ),
    "Canvas, packed again": Case(
        ("submissions (1)/kingada_17_1_peg1.py", "submissions (1)/leebob_18_2_peg1.py"),
        {"17 1": ["submissions (1)/kingada_17_1_peg1.py"], "18 1": ["submissions (1)/leebob_18_2_peg1.py"]},
        layout=CANVAS,
    ),
    "Canvas, in a folder of the assignment": Case(
        ("peg-submissions/kingada_17_1_peg1.py", "peg-submissions/leebob_18_2_peg1.py"),
        {"17 1": ["peg-submissions/kingada_17_1_peg1.py"], "18 1": ["peg-submissions/leebob_18_2_peg1.py"]},
        layout=CANVAS,
    ),
    "Canvas with files like Autolab's": Case(
        ("leeann_99_701_peg1.py", "bob_55_702_peg1.py", *(f"mal_200_95{each}_a@b_1_x{each}.py" for each in range(4))),
        {"200 1": [], "55 1": ["bob_55_702_peg1.py"], "99 1": ["leeann_99_701_peg1.py"]}, layout=CANVAS,
        told={"200 1": no_file("a@b_1_x0.py, a@b_1_x1.py, a@b_1_x2.py and 1 more")},
    ),
    "Autolab": Case(
        ("ada_k@x.edu_1_handin.tar/./peg1.py", "bob@x.edu_3_peg1.py", "cyd@x.edu_1_handin.py",
         "dan@x.edu_1_a@b.c_2_handin.zip/peg1.py"),
        {"ada_k@x.edu 1": ["ada_k@x.edu_1_handin.tar/./peg1.py"], "ada_k@x.edu 10": ["at last"],
         "bob@x.edu 3": ["bob@x.edu_3_peg1.py"], "cyd@x.edu 1": [],
         "dan@x.edu 1": ["dan@x.edu_1_a@b.c_2_handin.zip/peg1.py"]},
        layout=AUTOLAB, told={"cyd@x.edu 1": no_file("handin.py")},
        more={"ada_k@x.edu_10_handin.tar": tar_of({"hw/student/peg1.py": b"at last"})},
    ),
    # One without any task file, or that cannot be read, adds nothing, and takes nothing away.
    "attempts that are merged": Case(
        ("ada@x.edu_1_hw.zip/peg1.py", "ada@x.edu_1_hw.zip/client.py", "ada@x.edu_2_hw.zip/peg2.py",
         "ada@x.edu_3_peg1.py", "bob@x.edu_1_peg1.py", "bob@x.edu_2_notes.txt", "cyd@x.edu_1_peg1.py",
         "cyd@x.edu_3_peg2.py"),
        {"ada@x.edu 1": ["ada@x.edu_1_hw.zip/client.py", "ada@x.edu_1_hw.zip/peg1.py"],
         "ada@x.edu 2": ["ada@x.edu_1_hw.zip/client.py", "ada@x.edu_1_hw.zip/peg1.py", "ada@x.edu_2_hw.zip/peg2.py"],
         "ada@x.edu 3": ["ada@x.edu_1_hw.zip/client.py", "ada@x.edu_3_peg1.py", "ada@x.edu_2_hw.zip/peg2.py"],
         "bob@x.edu 1": ["bob@x.edu_1_peg1.py"], "bob@x.edu 2": [], "cyd@x.edu 1": ["cyd@x.edu_1_peg1.py"],
         "cyd@x.edu 2": [], "cyd@x.edu 3": ["cyd@x.edu_1_peg1.py", "cyd@x.edu_3_peg2.py"]},
        layout=AUTOLAB, merges=True, more={"cyd@x.edu_2_hw.zip": b"no zip"},
        told={"ada@x.edu 2": "peg2.py",
              "ada@x.edu 3": "peg1.py", "bob@x.edu 2": no_file("notes.txt"),
              "cyd@x.edu 2": "hw.zip: expected a .zip, .tar or .tar.gz, found something else",
              "cyd@x.edu 3": "peg2.py"},
    ),
    "clones": Case(
        ("peg-submissions/peg-ada/.git/HEAD", "peg-submissions/peg-ada/student/peg1.py",
         "peg-submissions/peg-bob-lee/.git/config", "peg-submissions/peg-bob-lee/peg1.py"),
        {"ada 1": ["peg-submissions/peg-ada/student/peg1.py"], "bob-lee 1": ["peg-submissions/peg-bob-lee/peg1.py"]},
        ["a student's login is what follows peg- in the repository's name"], CLONES,
    ),
    "clones in a folder of another name, and what was mailed": Case(
        (*(f"hw-{login}/{file}" for login in ("ada", "bob", "cyd", "dan", "eve", "fay", "gus-gee")
           for file in (".git/HEAD", "peg1.py")), "hal.zip/peg1.py", "hw-ian/peg1.py"),
        {**{f"{login} 1": [f"hw-{login}/peg1.py"] for login in ("ada", "bob", "cyd", "dan", "eve", "fay", "gus-gee")},
         "hal 1": ["hal.zip/peg1.py"], "ian 1": ["hw-ian/peg1.py"]},
        ["no clones, taken by their names: hal.zip, hw-ian",
         "a student's login is what follows hw- in the repository's name"], CLONES,
    ),
    "clones beside the template's own": Case(
        tuple(f"{name}/{file}" for name in ("hw", "hw-ada", "hw-bob") for file in (".git/HEAD", "peg1.py")),
        {"ada 1": ["hw-ada/peg1.py"], "bob 1": ["hw-bob/peg1.py"], "hw 1": ["hw/peg1.py"]},
        ["a student's login is what follows hw- in the repository's name"], CLONES,
    ),
    "clones of which one may be the template's own": Case(
        ("hw-ada/.git/HEAD", "hw-ada/peg1.py", "hw-ada-lee/.git/HEAD", "hw-ada-lee/peg1.py"),
        {"ada 1": ["hw-ada/peg1.py"], "ada-lee 1": ["hw-ada-lee/peg1.py"]},
        ["a student's login is what follows hw- in the repository's name"], CLONES,
    ),
    "a few clones among others": Case(
        ("eve/.git/HEAD", "eve/peg1.py", "ann.zip/peg1.py", "bob.zip/peg1.py", "cat.tar.gz/peg1.py"),
        {"ann 1": ["ann.zip/peg1.py"], "bob 1": ["bob.zip/peg1.py"], "cat 1": ["cat.tar.gz/peg1.py"],
         "eve 1": ["eve/peg1.py"]},
    ),
    "more clones than others, but not many more": Case(
        ("2026-anna/.git/HEAD", "2026-anna/peg1.py", "2026-bob/.git/HEAD", "2026-bob/peg1.py", "2026-cleo/peg1.py"),
        {f"2026-{who} 1": [f"2026-{who}/peg1.py"] for who in ("anna", "bob", "cleo")},
    ),
    "clones beside what is nobody's": Case(
        ("x-ada/.git/HEAD", "x-ada/peg1.py", "x-bob/.git/HEAD", "x-bob/peg1.py", "notes.txt", "graded/class.sqlite"),
        {"ada 1": ["x-ada/peg1.py"], "bob 1": ["x-bob/peg1.py"]},
        ["left aside, no clones: graded, notes.txt",
         "a student's login is what follows x- in the repository's name"], CLONES,
    ),
    "no login takes another's clone": Case(
        tuple(f"cs-hw-{login}/{file}" for login in ("ann", "bob", "eve") for file in (".git/HEAD", "peg1.py")),
        {"ann 1": ["cs-hw-ann/peg1.py"], "bob 1": ["cs-hw-bob/peg1.py"]},
        ["left aside, not in scores.csv: cs-hw-eve", COMMITS], CLASSROOM50,
        more={"scores.csv": b"username,datetime,submission_tag\nann,,\nhw-ann,,\nbob,,\n"},
    ),
    "a clone that may be either's": Case(
        ("cs-hw-ann/.git/HEAD", "cs-hw-ann/peg1.py"), {},
        ["left aside, which part of the name is the login can be read in 2 ways: cs-hw-ann", COMMITS], CLASSROOM50,
        more={"scores.csv": b"username,datetime,submission_tag\nann,,\nhw-ann,,\n"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_a_class_handed_in(case: Case, lay: Lay, roster: Write) -> None:
    known = roster(case.roster) if case.roster else None
    intake = take_in(lay(laid(*case.files) | case.more), known, merges=case.merges)
    assert intake.layout == case.layout
    for _ in range(2):  # one archive at a time is open
        assert taken_from(intake) == case.taken
    attempts = [handin.attempt for handin in intake.handins]
    told = {
        f"{each.student} {each.number}": each.problem
        or "; ".join(each.slips if each.new is None else each.new)
        for each in attempts
    }
    assert {who: said for who, said in told.items() if said} == case.told
    assert [note for note in intake.notes if note != UNTIMED] == [*case.notes]
    assert (UNTIMED in intake.notes) == bool(attempts)
    assert [each.student for each in attempts if each.late_by_platform] == [*case.late]
    assert not case.people or [(s.id, s.name, s.platform_id) for s in intake.students] == case.people


def test_the_place_of_a_submission_is_the_folder_with_its_files(lay: Lay) -> None:
    intake = take_in(lay(laid(*CASES["a folder each"].files)))
    places = ("/ada", "/bob/student", "/cyd/peg-solitaire/student")
    for handin, place in zip(intake.handins, places, strict=True):
        assert handin.attempt.place.endswith(place)


@pytest.mark.parametrize("around", ["", "class/", "submissions/"])
def test_every_entry_has_a_row_or_a_note(around: str, lay: Lay) -> None:
    names = ("ada/peg1.py", "bob/peg1.py", "..foo/peg1.py", ".cyd/peg1.py", "._dan/peg1.py", ".eve.zip", "._ada", ".git",
             "__MACOSX/ada/._peg1.py")  # fmt: skip
    intake = take_in(lay({around + name: b"" for name in names}))
    assert ids(intake) == ["ada", "bob"]
    assert intake.notes == ["left aside, hidden: ..foo, ._dan, .cyd, .eve.zip", UNTIMED]


def test_members_of_a_class_s_zip_that_are_nowhere_are_told(tmp_path: Path) -> None:
    (tmp_path / "class.zip").write_bytes(zip_of({"ada/peg1.py": b"", "bob/x": b"", "../cyd/peg1.py": b""}))
    assert take_in(tmp_path / "class.zip").notes[0] == "left aside, no name of a file: ../cyd/peg1.py"


ON_IT = "id,group\nada,A\nbob,A\ncyd,B\ndan,B\n"


@pytest.mark.parametrize(
    "sections",
    [
        ("A/ada/peg1.py", "A/bob/peg1.py", "B/cyd/peg1.py", "B/dan/peg2.py"),
        tuple(f"{who[0]}/{who}_assignsubmission_file_/peg1.py" for who in ("Ada_1", "Al_2", "Bob_3", "Bo_4")),
        ("A.zip/A/ada/peg1.py", "A.zip/A/bob/peg1.py", "B.zip/B/cyd/peg1.py", "B.zip/B/dan/peg2.py"),
        tuple(
            f"{who[0]}.zip/{who}_assignsubmission_file_/peg1.py" for who in ("Ada_1", "Al_2", "Bob_3", "Bo_4")
        ),
    ],
)
def test_folders_of_sections_are_no_students(sections: tuple[str, ...], roster: Write, lay: Lay) -> None:
    told = refused(lay(laid(*sections)), roster(ON_IT)).replace("A.zip", "A")
    assert "A: expected a student's folder, found what looks like" in told


def test_one_student_may_have_folders_named_like_others(roster: Write, lay: Lay) -> None:
    """Or one of theirs that Canvas named, in a class that was sorted by hand."""
    take_in(lay(laid("ada/peg1.py", "eve/ada/peg1.py", "eve/bob/peg1.py")), roster(ON_IT))
    sorted_ = ("bob/bob_2_4_peg1.py", "cyd/cyd_3_5_peg1.py", "dan/dan_4_6_peg1.py")
    intake = take_in(lay(laid("ada/peg1.py", "eve/ada/peg1.py", "eve/bob/peg1.py", *sorted_)), roster(ON_IT))
    assert ids(intake) == ["ada", "bob", "cyd", "dan", "eve!"]


def test_a_class_s_zip_that_cannot_be_read_costs_nobody_points(tmp_path: Path) -> None:
    packed = zip_of({"ada/peg1.py": b"1" * 99, "bob/peg1.py": b"2" * 99})
    folder = tmp_path / "class.zip"
    entry = packed.index(b"PK\1\2") + 8  # its flags; then the method
    for at, value, said in (
        (entry, 1, "the archive is encrypted"),
        (entry + 2, 12, "packed in a way that is not read"),
    ):
        folder.write_bytes(packed[:at] + bytes([value]) + packed[at + 1 :])
        other = packed.rindex(b"PK\1\2") + at - packed.index(b"PK\1\2")
        both = bytearray(folder.read_bytes())
        both[other] = value
        with pytest.raises(SubmissionFault, match=f"peg1.py: {said}") as fault:
            one(take_in(folder), "ada").read("peg1.py")
        assert fault.value.ours
        folder.write_bytes(both)
        with pytest.raises(InputError, match=f"class.zip: {said}"):
            take_in(folder)
    damaged = packed.index(b"peg1.py") + len("peg1.py")
    folder.write_bytes(packed[:damaged] + b"?" + packed[damaged + 1 :])
    with pytest.raises(SubmissionFault, match="the archive is broken") as fault:
        one(take_in(folder), "ada").read("peg1.py")
    assert fault.value.ours


@pytest.mark.parametrize(
    ("files", "layout"),
    [
        (["Bob Builder_77_assignsubmission_file_/client.py"], MOODLE),
        (["bob_77_1_client.py", "ann_78_2_client.py"], CANVAS),
        (["bob@x.edu_1_client.py"], AUTOLAB),
        (["submission_metadata.yml", "submission_1/client.py"], "a Gradescope download"),
        (["proj/.git/HEAD", "proj/student/client.py"], CLONES),
        (["proj/student/client.py", "docs/notes.txt"], "a folder around students' folders"),
    ],
)
@pytest.mark.parametrize("text", ["", "id,name\neve,Eve\nbob,Bob Builder\nann,Ann\n", "id\nbob\nann\n"])
def test_what_is_in_the_only_student_s_folder_names_nobody(
    files: list[str], layout: str, text: str, roster: Write, lay: Lay
) -> None:
    whose = {f"eve/{name}": b"submission_1:\n  :submitters:\n  - :sid: zed\n" for name in files}
    if "eve" in text:
        intake = take_in(lay(whose), roster(text))
        assert [handin.attempt.student for handin in intake.handins] == ["eve"]
    else:
        with pytest.raises(InputError, match=f"expected a student's folder, found what looks like {layout}$"):
            take_in(lay(whose), roster(text) if text else None)


def test_an_archive_around_a_class_is_no_student(roster: Write, lay: Lay) -> None:
    folder = lay(laid("peg.zip/submissions/ada/peg1.py", "peg.zip/submissions/bob/peg1.py", "roster.csv"))
    said = "peg.zip: expected a student's files, found what looks like a folder around students' folders"
    assert refused(folder).endswith(said)
    assert ids(take_in(folder, roster("id\npeg\n"))) == ["peg"]


def test_stubs_of_two_versions_keep_nothing_back(lay: Lay) -> None:
    stub = (STUBS / "peg1.py").read_bytes()
    mine = {"client.py": b"mine", "peg1.py": stub + b"# note"}
    given = {"client.py": (STUBS / "client.py").read_bytes(), "peg1.py": stub}
    handed_in = {"ada/mine": mine, "ada/student": given, "bob": given}
    files = {f"{folder}/{name}": text for folder, of in handed_in.items() for name, text in of.items()}
    intake = take_in(lay(files | {"bob/hw.zip": zip_of(mine)}))
    assert [one(intake, who).read("client.py") for who in ("ada", "bob")] == [b"mine", b"mine"]


def test_a_later_file_that_this_machine_cannot_read_stays() -> None:
    """Unlike one that nobody can read, which gives way to the attempt before."""
    before = Handin(Attempt("ada", 1, None, ""), {"peg1.py": b"1"})
    for ours in (False, True):
        later = Handin(Attempt("ada", 2, None, ""), {"peg1.py": SubmissionFault("no", "", ours=ours)})
        with pytest.raises(SubmissionFault) if ours else contextlib.nullcontext():
            assert later.after(before).read("peg1.py") == b"1"


def test_a_later_stub_keeps_what_was_written(lay: Lay) -> None:
    stub = (STUBS / "peg1.py").read_bytes()
    files = {
        "ada@x.edu_1_peg1.py": b"mine",
        "ada@x.edu_2_hw.zip": zip_of({"client.py": b"2", "peg1.py": stub}),
    }
    files |= {"bob@x.edu_1_peg1.py": stub, "bob@x.edu_2_peg1.py": stub + b"# note"}
    files |= {"cyd@x.edu_1_peg1.py": b"a\nb\n", "cyd@x.edu_2_peg1.py": b"\xef\xbb\xbfa\r\nb\r\n"}
    intake = take_in(lay(files), merges=True)
    later = [each for each in intake.handins if each.attempt.number == 2]
    assert [(each.read("peg1.py"), each.attempt.new) for each in later] == [
        (b"mine", ("client.py",)), (stub, ()), (b"a\nb\n", ())
    ]  # fmt: skip
    said = "an earlier peg1.py is kept: nothing of it is written in attempt 2"
    assert [each.attempt.slips for each in later] == [(said,), (), ()]


# ---- Gradescope's list -------------------------------------------------------------------------

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
    **laid(*(f"assignment_5_export/submission_{number}/peg1.py" for number in (11, 8, 12, 13))),
    "assignment_5_export/submission_metadata.yml": METADATA,
    "assignment_5_export/..foo/peg1.py": b"",
    "__MACOSX/assignment_5_export/._submission_11": b"",
    ".mine/x": b"",
}


def test_gradescope(lay: Lay) -> None:
    intake = take_in(lay(GRADESCOPE))
    assert intake.layout == "a Gradescope download"
    assert [(s.id, s.name, s.email) for s in intake.students] == [
        ("0017", "Ada King", "ada@x.edu"), ("0019", "Cŷd", "cyd@x.edu"),
        ("bob@x.edu", "Bob Lee", "bob@x.edu"), ("submission_13", "submission_13", ""),
    ]  # fmt: skip
    found = {whose: [path.split("/")[1] for path in files] for whose, files in taken_from(intake).items()}
    assert found == {
        "0017 2": ["submission_8"], "0017 3": ["submission_11"], "0019 1": ["submission_12"],
        "bob@x.edu 1": ["submission_12"], "submission_13 1": ["submission_13"],
    }  # fmt: skip
    first, last = datetime(2026, 11, 20, 8, tzinfo=UTC), datetime(2026, 11, 20, 17, 34, 0, 861687, tzinfo=UTC)
    assert [handin.attempt.handed_in for handin in intake.handins] == [first, last, None, None, None]
    assert intake.notes == [
        "whose they are is not in submission_metadata.yml: submission_13",
        "left aside, hidden: ..foo, .mine",
        "no time from 2000 to 2099 with its zone says when these were handed in: 0019, bob@x.edu, submission_13",
    ]


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


def test_a_student_s_list_among_folders_of_students_is_no_gradescope_s(lay: Lay) -> None:
    exchanged = "".join(
        f"{whose}:\n  :submitters:\n  - :sid: {who}\n" for whose, who in (("ada", "eve"), ("eve", "ada"))
    )
    files = {"submission_metadata.yml": exchanged.encode(), **laid("ada/peg1.py", "eve/peg1.py")}
    intake = take_in(lay(files))
    assert taken_from(intake) == {"ada 1": ["ada/peg1.py"], "eve 1": ["eve/peg1.py"]}
    assert "left aside, no folder: submission_metadata.yml" in intake.notes


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("name", ["submission_metadata.yml", "scores.csv"])
def test_a_list_of_somebody_else_s_where_others_may_write(name: str, as_folder: Lay) -> None:
    files = OF_CLASSROOM50 if name == "scores.csv" else GRADESCOPE
    [file] = (as_folder(files) / path for path in files if path.endswith(name))
    around, whole = file.parent, file.parents[1]
    os.chown(file, 65534, -1)
    for mode, owner, is_refused in (
        (0o1777, 0, True), (0o2770, 0, True), (0o755, 0, False), (0o1777, 65534, False)
    ):  # fmt: skip
        os.chown(around, owner, -1)
        around.chmod(mode)
        if is_refused:
            assert refused(whole).endswith(f"{name}: somebody else's, in a folder where others may write")
        else:
            assert take_in(whole).handins


def test_gradescope_objects_of_ruby_are_plain_text(lay: Lay) -> None:
    text = b"submission_1: !ruby/object:Evil\n  :submitters:\n  - :sid: !!python/name:os.system 5\n"
    assert ids(take_in(lay({"submission_metadata.yml": text}))) == ["5"]


@pytest.mark.parametrize(
    "time", ["0001-01-01 00:00:00 +0500", "9999-12-31 23:59:59 Z", "1970-01-01 00:00:00 Z"]
)
def test_gradescope_times_of_other_ages_are_none(time: str, lay: Lay) -> None:
    other = METADATA.replace(b"2026-11-20 17:34:00.861687000 Z", time.encode())
    intake = take_in(lay({**GRADESCOPE, "assignment_5_export/submission_metadata.yml": other}))
    assert [handin.attempt.handed_in for handin in intake.handins if handin.attempt.number == 3] == [None]


# ---- Canvas ------------------------------------------------------------------------------------

CANVAS_ROSTER = """\
Student,ID,SIS User ID,SIS Login ID,Section
"Lee, Ann",99,s99,ann,A
"Mallory_99",123,s123,mal,A
"x_12-4_80-0_y",124,s124,xy,A
"Old Name",125,s125,old,A
"""


def test_canvas_without_names(lay: Lay, roster: Write) -> None:
    folder = lay(laid("LATE_anon_Q1w2_21_906_7_8_peg1.py", "anon_123_22_907_peg1.py"))
    intake = take_in(folder, roster(CANVAS_ROSTER))
    assert taken_from(intake) == {"anon_Q1w2 1": [], "anon_123 1": []}  # of 7_8_peg1.py nobody knows
    late = {each.attempt.student: each.attempt.late_by_platform for each in intake.handins}
    assert late == {"anon_Q1w2": True, "anon_123": False}
    assert {each.platform_id for each in intake.students if each.id.startswith("anon")} == {""}


def test_whom_canvas_names_is_nobody_else(lay: Lay, roster: Write) -> None:
    """A student chooses the name there, and may take one that another download would have."""
    own = ("leeann_99_701_h.zip/peg1.py", "mallory99_123_702_h.zip/peg1.py")
    for name in ("anon_99_200_703_h.zip", "leeann_99_1_200_703_h.zip", "lee_ann_99_1_200_703_h.zip"):
        intake = take_in(lay(laid(*own, f"{name}/peg1.py")), roster(CANVAS_ROSTER))
        assert taken_from(intake) == {"s123 1": [own[1]], "s99 1": [own[0]]}
        assert any(name in note for note in intake.notes)


def test_of_two_names_of_one_file_canvas_takes_the_later(lay: Lay) -> None:
    """A new download may be unpacked over an old one; `-1` is in the name of what was uploaded again."""
    names = ("leebob_18_901_peg1.py", "leebob_18_902_peg1-1.py", "kay_19_903_client-2.py", "moe_20_904_peg-1.py",
             "moe_20_905_peg-2.py", "dan_21_906_peg1-1.py", "dan_21_907_peg1-2.py", "eve_22_908_h.zip/peg1.py",
             "eve_22_909_h-1.zip/peg1.py", "fay_23_910_client.py", "fay_23_911_peg1.py", "fay_23_912_h.zip/peg1.py",
             "fay_23_912_h.zip/client.py", "fay_23_913_client-1.py")  # fmt: skip
    intake = take_in(lay(laid(*names)))
    assert taken_from(intake) == {
        "18 1": [names[1]], "19 1": [names[2]], "20 1": [], "21 1": [names[6]], "22 1": [names[8]],
        "23 1": [names[13], names[11]],
    }  # fmt: skip
    (told,) = [note for note in intake.notes if "uploaded again" in note]
    older = ", ".join(sorted([names[0], names[5], names[9]]))
    assert told.endswith(f"the same file was uploaded again, which is taken: {older}")
    assert one(intake, "23").attempt.slips == (
        "client.py in h.zip left aside for what lies in the top folder",
        "peg1.py in h.zip taken together with what lies in the top folder",
        "peg1.py in the top folder left aside for what lies in h.zip",
    )
    assert one(intake, "20").attempt.problem.startswith(no_file("peg-1.py, peg-2.py"))


def test_a_stub_is_known_by_what_canvas_calls_it(lay: Lay) -> None:
    stub = (STUBS / "peg1.py").read_bytes()
    intake = take_in(lay({"leebob_18_901_peg1.py": stub, "leebob_18_902_peg1 (1).py": b"own = 1"}))
    assert taken_from(intake) == {"18 1": ["own = 1"]}
    assert one(intake, "18").attempt.slips == (
        "peg1 (1).py is taken for peg1.py: nothing of it is written there",
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
        ("_55_777_x_99_123_h.zip", "", False),  # a name of which Canvas leaves nothing
        ("annlee_99_777_h.zip", "", False),  # another name of one number
    ],
)
def test_canvas_names_with_numbers_in_them(
    name: str, whose: str, late: bool, roster: Write, lay: Lay
) -> None:
    plain = {"leeann_99_701_client.py": b"", "bob_55_703_client.py": b""}
    folder = lay({**plain, name: zip_of({"peg1.py": b"1"})})
    by_name = "annlee" in name
    for known in (roster(CANVAS_ROSTER), None):
        intake = take_in(folder, known)
        ann = "s99" if known else "99"
        sure = bool(whose and (known or whose == "126" or name.startswith("mallory99")))
        own = whose if known or whose == "126" else "123"
        expected = {"55", *([] if by_name else [ann]), *([own] if sure else [])}
        assert {handin.attempt.student for handin in intake.handins} == expected
        lates = [handin.attempt.student for handin in intake.handins if handin.attempt.late_by_platform]
        assert lates == ([own] if sure and late else [])
        assert by_name or one(intake, ann).names == ["client.py"]
        told = "one user's number with two names" if by_name else "whose it is can be read in several ways"
        assert any(told in note and name in note for note in intake.notes) == (not sure)


def test_few_readings_of_a_name_are_looked_at() -> None:
    """One of hundreds of numbers, thousands of times in an archive, would take minutes."""
    assert len(_canvas_readings("a" + "_1" * 400, False)) <= 8


# ---- Classroom 50's list -----------------------------------------------------------------------

SCORES = (
    b"username,first_name,last_name,email,section,score,max_score,datetime,submission_tag,submitted_by,review_url,late,override\n"
    b"ada,Ada,King,ada@x.edu,B,5,9,2026-11-20T10:00:00Z,submit/2,ada,,true,false\n"
    b"ada,Ada,King,ada@x.edu,B,4,9,2026-11-19T10:00:00Z,submit/1,ada,,false,false\n"
    b"bob-lee,,,,,,,,,,,,\n"
    b"lee,,,,,7,9,2026-11-18T10:00:00Z,submit/1,lee,,false,false\n"
)
AROUND = "cs-peg_submissions_2026_11_21_T_08_00_00"
OF_CLASSROOM50 = {
    **laid(f"{AROUND}/cs-peg-Ada/.git/HEAD", f"{AROUND}/cs-peg-Ada/student/peg1.py",
           f"{AROUND}/cs-peg-bob-lee/.git/HEAD", f"{AROUND}/cs-peg-bob-lee/peg1.py"),
    f"{AROUND}/cs-peg-Ada/result.json": b'{"owner": "eve", "datetime": "2020-01-01T00:00:00Z"}',
    f"{AROUND}/scores.csv": SCORES,
}  # fmt: skip


def test_classroom50(lay: Lay, tmp_path: Path) -> None:
    folder = lay(OF_CLASSROOM50)
    intake = take_in(folder)
    assert intake.layout == CLASSROOM50
    assert taken_from(intake) == {
        "ada 1": [f"{AROUND}/cs-peg-Ada/student/peg1.py"], "bob-lee 1": [f"{AROUND}/cs-peg-bob-lee/peg1.py"],
    }  # fmt: skip
    ada, bob = intake.students
    assert (ada.name, ada.email, bob.name) == ("Ada King", "ada@x.edu", "bob-lee")
    attempt = one(intake, "ada").attempt
    assert (attempt.handed_in, attempt.late_by_platform) == (datetime(2026, 11, 20, 10, tzinfo=UTC), True)
    assert one(intake, "bob-lee").attempt.handed_in is None  # not handed in, by the list
    assert "in scores.csv with a submission, but without a clone: lee" in intake.notes
    (tmp_path / "times.csv").write_text("github_username,submission_timestamp\nada,2026-11-21T08:00:00Z\n")
    told = take_in(folder, None, tmp_path / "times.csv")  # which is believed rather than commits
    assert one(told, "ada").attempt.handed_in == datetime(2026, 11, 21, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("clones", "known", "whose"),
    [
        (["st-1001", "st-1002"], "id\nst-1001\nst-1002\n", ["st-1001", "st-1002"]),
        (["s-001", "s-002"], "id\ns-001\ns-002\n001\n002\n", ["001", "002", "s-001", "s-002"]),
        (["hw-s-ann", "hw-s-bob"], "id,github_username\n1,s-ann\n2,S-bob\n", ["1", "2"]),
        (["anna-lee", "anna-may"], "id\nx\n", ["lee!", "may!", "x"]),
        (["hw-1-ann"], "id\n1-ann\n", ["1-ann"]),
        (["hw-team-1", "hw-team-2"], "id,group\n1,team-2\n2,team-1\n", ["1", "2"]),
        (["peg-hw", "peg-hw-ann", "peg-hw-bob"], "id\nann\nbob\n", ["ann", "bob", "peg-hw!"]),
        (["admin", "hw-1-ann", "hw-1-bob"], "id\nann\nbob\n", ["admin!", "ann", "bob"]),
        (
            ["admin-of-all-labs", "hw-1-ann", "hw-1-bob"],
            "id\nx\n",
            ["admin-of-all-labs!", "ann!", "bob!", "x"],
        ),
    ],
)
@pytest.mark.parametrize("around", ["", "submissions/", "peg-submissions/"])
def test_a_clone_is_called_by_a_login_on_the_roster(
    around: str, clones: list[str], known: str, whose: list[str], lay: Lay, roster: Write
) -> None:
    """Whatever else their names have in common."""
    laid = {f"{around}{name}/{file}": name.encode() for name in clones for file in (".git/HEAD", "peg1.py")}
    intake = take_in(lay(laid), roster(known))
    assert ids(intake) == whose
    assert sorted(each.read("peg1.py").decode() for each in intake.handins) == clones
    assert all(
        each.attempt.student in whose[-len(clones) :] or f"{each.attempt.student}!" in whose
        for each in intake.handins
    )


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        (SCORES + b"a,b\xff\n", "scores.csv:6: expected UTF-8 text"),
        (SCORES + b"," * 13 + b"\n", "scores.csv:6: expected 13 cells, found more"),
        (SCORES + b'"', "scores.csv: not CSV: "),
    ],
)
def test_classroom50s_list_is_broken(scores: bytes, said: str, lay: Lay) -> None:
    assert said in refused(lay({**OF_CLASSROOM50, f"{AROUND}/scores.csv": scores}))
    other = take_in(lay({**OF_CLASSROOM50, f"{AROUND}/scores.csv": b"id,points\nada,3\n"}))
    assert other.layout == CLONES  # another program's list


# ---- the folder itself -------------------------------------------------------------------------


def test_a_folder_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("empty", "files", "hidden/..foo"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "files" / "notes.txt").write_text("hello")
    (tmp_path / "text.txt").write_text("hello")
    whole = zip_of(laid("ada/peg1.py", "bob/peg1.py"))
    (tmp_path / "cut.zip").write_bytes(whole[:-3])
    (tmp_path / "changed.zip").write_bytes(whole.replace(b"PK\1\2", b"PK\1\3"))
    os.mkfifo(tmp_path / "pipe")
    other = "another file"
    kinds = {"missing": "nothing", "pipe": "something else", "text.txt": other, "cut.zip": other}
    for name, found in kinds.items():
        assert refused(Path(name)) == f"{name}: expected a folder or a .zip file, found {found}"
    assert refused(Path("changed.zip")).startswith("changed.zip: the archive is broken: ")
    for name, found in (("empty", "nothing"), ("files", "other files"), ("hidden", "other files")):
        assert refused(Path(name)).endswith(f"Autolab or Classroom 50; found {found}")


def test_downloads_that_are_not_a_class() -> None:
    for files, said in (
        (("student/peg1.py", "framework/board.py"), "expected a folder for each student, found one student's files"),
        (("roster.csv", "CS101-Peg-4711/ada/peg1.py", "CS101-Peg-4711/bob/peg1.py"),
         "CS101-Peg-4711: expected a student's folder, found what looks like a folder around students' folders"),
        (("12345-67890 - Ada King - Oct 21, 2026 1056 AM/peg1.py",),
         "this looks like a download of Brightspace, which is not read"),
        (("peg_ada_attempt_2026-10-21-10-56-00.txt", "peg_ada_attempt_2026-10-21-10-56-00_peg1.py"),
         "this looks like a download of Blackboard, which is not read"),
    ):  # fmt: skip
        with TemporaryDirectory() as place:
            (Path(place) / "class.zip").write_bytes(zip_of(laid(*files)))
            assert refused(Path(place) / "class.zip").endswith(said)


# ---- rosters -----------------------------------------------------------------------------------

ROSTER = "Student ID,Name,E-Mail,Section,Canvas ID\n7,Ada Marie King,Ada@x.edu,A,\n8,Bob Lee,bob@x.edu,B,18\n"


def of_moodle(*people: str) -> dict[str, bytes]:
    """Return what people with a name and a number, such as `Ada_7`, handed in at Moodle."""
    return {f"{who}_assignsubmission_file_/peg1.py": who.encode() for who in people}


@pytest.mark.parametrize(
    "text",
    [
        ROSTER,
        "\ufeff" + ROSTER.replace(",", ";").replace("\n", "\r\n"),
        "\ufeffsep=;\r\n" + ROSTER.replace(",", ";"),
        ROSTER.replace(",", "\t") + "\n\n",
        'login,last name,first name,EMAIL,sections,platform_id\n7,King,"Ada Marie",Ada@x.edu,A,\n8,Lee,Bob,bob@x.edu,B,18\n',
        "Student,ID,SIS User ID,SIS Login ID,Section,email\n  Points Possible,,,,,\n"
        '"King, Ada Marie",,7,ada,A,Ada@x.edu\n"Student, Test",5,,,,\n"Lee, Bob",18,8,bob,B,bob@x.edu\n',
    ],
)
def test_rosters_as_people_write_them(text: str, roster: Write, as_folder: Lay) -> None:
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
def test_only_canvas_has_rows_that_are_no_students(
    text: str, students: list[str], roster: Write, lay: Lay
) -> None:
    assert sorted(read_roster(roster(text)).students) == students
    if "King" in text:
        (handin,) = take_in(lay({"kingada_17_1_peg1.py": b"1"}), roster(text)).handins
        assert handin.attempt.student in students


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
def test_whose_it_is_by_the_roster(files: list[str], whose: str, roster: Write, lay: Lay) -> None:
    intake = take_in(lay(dict.fromkeys(files, b"# name: Bob Lee\nid = 8")), roster(ROSTER))
    student = next(s for s in intake.students if s.id == intake.handins[0].attempt.student)
    assert student.id + "!" * (not student.on_roster) == whose
    if not student.on_roster:
        assert any("not on the roster, graded all the same" in note for note in intake.notes)
        assert "nobody who handed in is on the roster: is it this class's?" in intake.notes


@pytest.mark.parametrize(
    ("text", "file", "expected", "note"),
    [
        ("id,name\n17,Zoe\n", "zoe_17_1_peg1.py", ["17"], "1 found on the roster by the platform's number, taken for the id: zoe as 17"),
        ('Identifier,"Full name","Email address",Status\nParticipant 99,Ada,ada@x.edu,Submitted\n',
         "Ada K_99_assignsubmission_file_/peg1.py", ["ada@x.edu"], ""),
        ('"identifier","github_username","github_id","name"\n"ada@x.edu","adak","12",""\n',
         "peg-submissions/peg-AdaK/.git/HEAD", ["ada@x.edu"], ""),
        # Two students of one name are not told apart by it.
        ("id,name\na,Ann Lee\nb,Lee Ann\n", "Ann Lee_55_assignsubmission_file_/peg1.py", ["55!", "a", "b"], ""),
        # Of the rest who handed in nothing, and who is known by less than an id, is told.
        (ROSTER + "9,Cyd,,,\n", "Bob Lee_55_assignsubmission_file_/peg1.py", ["7", "8", "9"], "1 found on the roster by the name: Bob Lee as 8"),
        (ROSTER + "9,Cyd,,,\n", "8/peg1.py", ["7", "8", "9"], "2 on the roster handed in nothing: 7, 9"),
        # Names that do not contradict a number, and such that do; names in two scripts are not to be compared.
        *((f'id,name,platform id\nx,"{own}",42\n', f"{shown}_42_assignsubmission_file_/peg1.py", ["x"], "")
          for own, shown in (("Lee, Robert", "bobleejr"), ("José Núñez", "Jose Nunez"), ("王小明", "Wang Xiaoming"))),
        *((f'id,name,platform id\nx,"{own}",42\n', f"{shown}_42_assignsubmission_file_/peg1.py", ["42!", "x"],
           f"42 is the number of x {own} on the roster, and {shown} is not")
          for own, shown in (("Ada Lovelace", "Team Alpha"), ("Bo Li", "Ann Ray"))),
        # Marks within a name keep nobody from the roster.
        *((f"id,name\n7,{name}\n", f"{name}_11_assignsubmission_file_/peg1.py", ["7"], "")
          for name in ("\u0639\u0644\u06cc\u200c\u0631\u0636\u0627 M", "Bo\xa0Lee", "So\xadfia K")),
        # A number is the same however a spreadsheet wrote it.
        *((f'id\n"{written}"\n', "0012345/peg1.py", ["0012345"], "") for written in ("0012345", '=""0012345""', "'0012345")),
        *((f"id\n{written}\n", "0012345/peg1.py", ["12345"], "1 found on the roster by the id, but for zeros before it: 0012345 as 12345")
          for written in ("12345", "12345.0")),
        ("id,name,section,role\n1,Ada,L1,TA\n1,Ada,B2,student\n2,Bob,B2,Étudiant\n3,Cyd,B2,student assistant\n", "1/peg1.py", ["1", "2"],
         "in several sections of the roster, the first is taken: 1"),
    ],
)  # fmt: skip
def test_whom_a_roster_lists(
    text: str, file: str, expected: list[str], note: str, roster: Write, lay: Lay
) -> None:
    intake = take_in(lay({file: b""}), roster(text))
    assert ids(intake) == expected
    assert not note or note in intake.notes


def test_what_a_platform_knows_of_a_student_is_added(roster: Write, as_folder: Lay) -> None:
    files = of_moodle("Bob Lee_55", "Eve_56", "Dan_57")
    intake = take_in(as_folder(files), roster(ROSTER + "9,Dan,,,\n10,,,,\n"))
    assert [(s.id, s.name, s.platform_id) for s in intake.students] == [
        ("10", "10", ""), ("56", "Eve", "Participant 56"), ("7", "Ada Marie King", ""), ("8", "Bob Lee", "18"),
        ("9", "Dan", "Participant 57"),
    ]  # fmt: skip
    assert "1 not on the roster, graded all the same: 56" in intake.notes


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
        ([("17", "Ada", ""), ("17", "Eve", "")], "", ["Ada", "Eve"],
         "several accounts stand for 17, told apart by e-mail or name: Ada, Eve"),
        # She has no id, and her e-mail is the id of another.
        ([("", "Ada", "ada@x.edu"), ("ada@x.edu", "Eve", "eve@x.edu")], "", ["ada@x.edu", "eve@x.edu"],
         SAME.replace("17", "ada@x.edu")),
        # And whoever is told apart by an e-mail may find it taken, too.
        ([ADA, EVE, ("eve@x.edu", "Mal", "mal@x.edu")], "", ["ada@x.edu", "eve@x.edu", "mal@x.edu"], SAME),
        ([("", "Ada", "ada@x.edu"), EVE], "id,email\n17,ada@x.edu\n", ["17", "eve@x.edu"], SAME),
        ([EVE], "id,email\n17,ada@x.edu\n18,eve@x.edu\n", ["18"],
         "1 found on the roster by the e-mail, though the id is another's: Eve as 18"),
        ([EVE], "id,email\n17,ada@x.edu\n", ["17"],
         "1 found on the roster by the id, though the e-mail is another: Eve as 17"),
        # Without e-mails on the roster a name may contradict, and with both nobody has the id.
        ([ADA, EVE], "id,name\n17,Ada King\n", ["17", "eve@x.edu"], SAME),
        ([EVE], "id,name,email\n17,Ada,ada@x.edu\n", ["17 (not on the roster)"],
         "17 is the id of 17 Ada on the roster, and Eve is not"),
        # Nor is the first part of an e-mail a proof where all of it, and the name, are another's.
        ([("17@zz", "Eve", "eve@x.edu")], "id,name,email\n17,Ada,ada@x.edu\n", ["17@zz"], ""),
        ([("", "Eve", "17@evil.com")], "id,name,email\n17,Ada,ada@x.edu\n", ["17@evil.com"], ""),
        ([EVE, ("17 (not on the roster)", "Mal", "mal@x.edu")], "id,name,email\n17,Ada,ada@x.edu\n",
         ["17 (not on the roster)", "17 (not on the roster) (not on the roster)"],
         "17 is the id of 17 Ada on the roster, and Eve is not"),
    ],
)  # fmt: skip
def test_an_id_that_several_accounts_give_is_nobody_s_by_itself(
    people: list[tuple[str, str, str]], text: str, whose: list[str], note: str, roster: Write, lay: Lay
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
    told = [note for note in intake.notes if re.search("several accounts|though| is the id of ", note)]
    assert told[:1] == [note][: len(told)] and bool(told) == bool(note)


def test_the_surest_of_several_accounts_has_the_row(roster: Write, lay: Lay) -> None:
    intake = take_in(lay(of_moodle("Rob Lee_18", "Bob Lee_19")), roster(ROSTER))
    assert [handin.attempt.student for handin in intake.handins] == ["19", "8"]
    assert "1 not on the roster, graded all the same: 19" in intake.notes  # 8 has another number


TAKEN = "alice may be any of these on the roster, so it is taken for none: alice, eve"
APART = "told apart by e-mail or name"
CHOSEN = (
    "1 found on the roster by a login at GitHub, which anybody may choose (a roster's github_username would prove it): "
    "ann as ann"
)
GITHUB = "id,email,github username\nann,ann-cs@x.edu,\nbob,b@x.edu,bob-cs\n"


@pytest.mark.parametrize(
    ("text", "logins", "whose", "notes"),
    [
        ("id,github username\nalice,adams\neve,Alice\n", ["hw-adams", "hw-alice"], ["alice", "eve"], []),
        ("id,login\nalice,adams\neve,alice\n", ["hw-adams", "hw-alice"], ["alice", "eve"], []),
        # Her name on GitHub is not on the roster, but Alice's is, and is another.
        ("id,github username\nalice,adams\neve,\n", ["hw-adams", "hw-alice"], ["alice", "alice (not on the roster)"], []),
        # Logins at GitHub are chosen: of two clones that may be one student's, neither is.
        (GITHUB, ["hw-ann", "hw-ann-cs", "hw-bob", "hw-bob-cs"],
         ["ann (not on the roster)", "ann-cs", "bob", "bob (not on the roster)"],
         [f"several accounts stand for ann, {APART}: ann at GitHub, ann-cs at GitHub"]),
        # Nor is it an attempt beside what Bob mailed.
        ("id\nann\nbob\n", ["bob", *(f"hw-{login}" for login in ("ann", "bob", "cyd", "dan"))],
         ["ann", "bob", "bob (not on the roster)", "cyd", "dan"],
         [f"several accounts stand for bob, {APART}: bob, bob at GitHub", CHOSEN]),
        ("id,netid\nalice,adams\neve,alice\n", ["adams", "alice"], ["alice", "alice (not on the roster)"], [TAKEN]),
        ("id,email\nalice,adams\neve,alice\n", ["adams", "alice"], ["alice", "alice (not on the roster)"], [TAKEN]),
        ("id,sid,login\n1,alice,adams\n2,,alice\n", ["adams", "alice"], ["1", "alice"], [TAKEN.replace("alice, eve", "1, 2")]),
    ],
)  # fmt: skip
def test_a_login_that_is_another_s_id(
    text: str, logins: list[str], whose: list[str], notes: list[str], roster: Write, lay: Lay
) -> None:
    files = {f"{login}{'/.git' * login.startswith('hw-')}/peg1.py": b"" for login in logins}
    intake = take_in(lay(files), roster(text))
    assert sorted(handin.attempt.student for handin in intake.handins) == whose
    assert [note for note in intake.notes if re.search("may be any|GitHub", note)] == notes


def test_the_roster_may_say_when_something_was_handed_in(roster: Write, lay: Lay) -> None:
    """Of a student's last submission, and nothing against a platform that knows it."""
    names = ("ada@x.edu_1_peg1.py", "ada@x.edu_2_peg1.py", "bob@x.edu_1_peg1.py", "eve@x.edu_1_peg1.py")
    times = "id,Handed_in\nada,2026-10-09T23:59:00-04:00\nbob,\neve,2026-10-01 08:00Z\n"
    intake = take_in(lay(laid(*names)), roster(times))
    found = [(each.attempt.student, each.attempt.number, each.attempt.handed_in) for each in intake.handins]
    assert found == [
        ("ada", 1, None), ("ada", 2, datetime(2026, 10, 10, 3, 59, tzinfo=UTC)), ("bob", 1, None),
        ("eve", 1, datetime(2026, 10, 1, 8, tzinfo=UTC)),
    ]  # fmt: skip
    assert "no time from 2000 to 2099 with its zone says when these were handed in: ada, bob" in intake.notes


def test_a_platform_that_knows_a_time_is_believed_rather_than_the_roster(roster: Write, lay: Lay) -> None:
    def times(intake: Intake) -> dict[str, datetime | None]:
        return {handin.attempt.student: handin.attempt.handed_in for handin in intake.handins}

    folder = lay(GRADESCOPE)
    known = times(take_in(folder))
    text = "id,submitted at\n" + "".join(f"{student},2001-01-01T00:00Z\n" for student in known)
    other = datetime(2001, 1, 1, tzinfo=UTC)
    assert times(take_in(folder, roster(text))) == {student: time or other for student, time in known.items()}


def test_rows_of_a_roster_that_are_told(roster: Write, lay: Lay) -> None:
    text = (
        "SID,Name,Email,Role\n1,Ada,ada@x.edu,Student\n1,Ada,ada@x.edu,Student\n"
        ",Bob,bob@x.edu,\n3,Tim,tim@x.edu,TA\n4,Lea,lea@x.edu,Instructor\n5,Cyd,cyd@x.edu,Learner\n"
        "6,Pat,pat@x.edu,Project Manager\n"
    )
    intake = take_in(lay({"1/peg1.py": b"", "bob@x.edu/peg1.py": b"", "3/peg1.py": b""}), roster(text))
    assert ids(intake) == ["1", "5", "6", "bob@x.edu"]
    assert "of the roster, left out for their role: 3 (TA), 4 (Instructor)" in intake.notes
    assert "left aside, handed in by these: 3" in intake.notes
    assert "without SID on the roster, known by what else is there: bob@x.edu" in intake.notes


def test_a_platform_s_number_is_no_student_number(roster: Write, lay: Lay, tmp_path: Path) -> None:
    """Canvas's number of Bob is the student number of Ada."""
    (tmp_path / "times.json").write_text(
        '[{"user_id": 1001, "submitted_at": "2026-10-14T12:00:00Z"},'
        '{"user_id": 1002, "submitted_at": "2026-10-08T12:00:00Z"}]'
    )
    people = roster("sis user id,name\n1001,Ada King\n1002,Cyd Ray\n7,Bob Lee\n")
    folder = lay(laid("leebob_1001_1_peg1.py", "kingada_1002_2_peg1.py"))
    intake = take_in(folder, people, tmp_path / "times.json")
    assert taken_from(intake) == {"1001 1": ["kingada_1002_2_peg1.py"], "7 1": ["leebob_1001_1_peg1.py"]}
    days = [handin.attempt.handed_in and handin.attempt.handed_in.day for handin in intake.handins]
    assert days == [8, 14]
    assert "1001 is the number of 1001 Ada King on the roster, and leebob is not" in intake.notes


@pytest.mark.parametrize(
    ("group", "own"),
    [
        ("Team Alpha_42_assignsubmission_file_/peg1.py", ""),
        ("teamalpha_42_9_hw.zip/peg1.py", "leebob_43_10_peg1.py"),  # who is there alone counts by that
    ],
)
def test_what_a_group_handed_in_is_its_members(group: str, own: str, roster: Write, lay: Lay) -> None:
    text = "id,name,platform id,group\nada,Ada Lovelace,42,{0}\nbob,Bob Lee,43,{0}\ncyd,Cyd,44,Beta\n"
    by_name = re.sub(",(platform id|4.)", "", text)
    folder = lay(laid(group))
    intake = take_in(folder, roster(text.format("Team Alpha")))
    assert taken_from(intake) == {"ada 1": [group], "bob 1": [group]}
    assert any(" is a group, credited to ada, bob" in note for note in intake.notes)
    intake = take_in(folder, roster(text.format("")))
    assert not any(each.on_roster for each in intake.students if each.id not in ("ada", "bob", "cyd"))
    assert any(note.startswith("42 is the number of ada Ada Lovelace on the roster") for note in intake.notes)
    for listed in [text, by_name] if own else ():
        intake = take_in(lay(laid(group, own)), roster(listed.format("Team Alpha")))
        assert taken_from(intake) == {"ada 1": [group], "bob 1": [own]}


GROUPS = "id,name,group,platform id\nann,Ann Ode,Group 7,31\nben,Ben Pye,Group 7,32\nmal,Eve Mallory,,99\nzoe,Zoe,,40\n"


@pytest.mark.parametrize(
    ("mals", "others", "theirs"),
    [
        ("Group 7_99", ["Group 7_77"], ["Group 7_77"]),  # whose number is somebody's is no group
        ("Group 7_99", ["Group 7_31"], ["Group 7_31"]),  # but for a member's
        ("Group 7_99", [], None),
        ("Group 7_98", ["Group 7_77"], None),  # of two accounts neither is
        ("Ann Ode_99", ["Group 7_77"], ["Group 7_77"]),  # nor is who has another's number its owner
        ("Ann Ode_98", ["Group 7_77"], ["Group 7_77"]),
    ],
)
def test_a_name_that_was_changed_takes_no_group_s_work(
    mals: str, others: list[str], theirs: list[str] | None, roster: Write, lay: Lay
) -> None:
    intake = take_in(lay(of_moodle(mals, *others, "Zoe_40")), roster(GROUPS))
    found = taken_from(intake)
    assert (found.get("ann 1"), found.get("ben 1")) == (theirs, theirs)
    assert found[f"{mals.split('_')[1]} 1"] == [mals]
    told = "Group 7 is the name of a group, of which mal is no member"
    assert (told in intake.notes) == (mals == "Group 7_99")


A_TIME = (
    ":3: expected a time from 2000 to 2099 with its offset from UTC such as 2026-10-09T23:59-04:00, found "
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *((f"id,submitted\n7,\n8,{time}\n", A_TIME + time) for time in (
            "2026-10-09 23:59", "yesterday", "0001-01-01T00:00+05:00", "2026-02-30T00:00Z", "9999-12-31T23:59:59+00:00",
            "1999-12-31T23:59Z", "2100-01-01T00:00Z",
        )),
        ("", ": expected a line that names the columns, found nothing"),
        ("name,mark\nAda,5\n", ":1: expected a column id, student id, sid, login, username or email, found name, mark"),
        ("id,name\n", ": expected a line for each student, found only the columns' names"),
        ("id,name\n7,Ada\n,Bob\n", ":3: expected an id in the column id, found nothing"),
        ("id,name\n7,Ada\n8,Bob\n\n7,Eve\n", ":5: expected each id once, found 7 as in line 2"),
        ("id,name\n9.12346E+08,Ada\n", ":2: expected an id, found 9.12346E+08, which a spreadsheet has shortened"),
        ("id,role\n7,TA\n", ": expected students, found staff only"),
        ("id,name\n7,Ada,x\n", ":2: expected 2 cells as in line 1, found 3"),
        ("id,name\n7\n", ":2: expected 2 cells as in line 1, found 1"),
        ("id,ID ,name\n7,7,Ada\n", ":1: expected each column once, found 2 called id"),
        ('id,name\n7,"Ada\n8,Bob\n', ":3: not CSV: unexpected end of data"),
        (b"id,name\n7,Jos\xe9\n", ":2: expected UTF-8 text, found the byte 0xe9"),
        (b"\x00\x01\x02", ":1: expected a CSV file, found zero bytes"),
        (f"id\n{'x' * (20 << 20)}\n", ": expected at most 20 MiB, found 20,481 KiB"),
    ],
)  # fmt: skip
def test_rosters_that_are_broken(text: str | bytes, message: str, roster: Write, as_folder: Lay) -> None:
    file = roster(text)
    assert refused(as_folder({"ada/peg1.py": b""}), file) == f"{file}{message}"


def test_a_roster_that_is_not_there(tmp_path: Path, as_folder: Lay) -> None:
    folder, missing = as_folder({"ada/peg1.py": b""}), tmp_path / "no.csv"
    assert refused(folder, missing) == f"{missing}: cannot be read: No such file or directory"
    assert refused(folder, tmp_path) == f"{tmp_path}: expected a file, found a folder"


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
    bad = (("bob", "peg1.py", "a link"), ("bob", "peg2.py", "a special file"), ("cyd", "peg1.py", "a folder"))
    for who, name, found in bad:
        with pytest.raises(SubmissionFault) as caught:
            one(intake, who).read(name)
        assert caught.value.message == f"student/{name}: expected a file, found {found}" and caught.value.help
    assert one(intake, "dan").attempt.problem == "dan: expected a folder, found a link"
    assert one(intake, "eve").attempt.problem == no_file("student (link)")
    assert one(intake, "fay").attempt.problem.startswith(no_file(""))
    assert one(intake, "ada").read("peg1.py") == b"1 ada"


def test_a_folder_that_becomes_a_link_is_not_followed(as_folder: Lay) -> None:
    """Whoever owns a folder may put a link in its place after it was looked at."""
    folder = as_folder({"ada/student/peg1.py": b"1 ada", "eve/student/peg1.py": b"1 eve"})
    tree = FolderTree(folder)
    assert tree.read(("eve", "student", "peg1.py"), "") == b"1 eve"
    (folder / "eve" / "student").rename(folder / "eve" / "other")
    (folder / "eve" / "student").symlink_to(folder / "ada" / "student")
    with pytest.raises(SubmissionFault, match="cannot be read"):
        tree.read(("eve", "student", "peg1.py"), "")


def test_a_folder_of_very_many_files_is_not_read_to_its_end(
    as_folder: Lay, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = {f"{student}/{index}.txt": b"" for student in ("ada", "bob") for index in range(MAX_ENTRIES + 500)}
    folder = as_folder({**many, "ada/peg1.py": b"1 ada"})
    looked: list[object] = []
    monkeypatch.setattr(os, "lstat", lambda path, lstat=os.lstat: looked.append(path) or lstat(path))
    intake = take_in(folder)
    assert one(intake, "ada").read("peg1.py") == b"1 ada"
    assert one(intake, "bob").attempt.problem.startswith(no_file(""))
    assert 0 < len(looked) < 150


def test_a_folder_that_cannot_be_read(as_folder: Lay, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside what is found, a folder takes nothing away."""
    files = {"ada/hw/peg1.py": b"", "bob/peg1.py": b"1 bob", "eve/peg1.py": b"1 eve", "eve/x/y": b""}
    files |= {"fay/peg1.py": b"", "fay/student/peg1.py": b"1 fay"}
    folder = as_folder(files)

    def opened(
        path: Path, root: Path, flags: int = folders.AS_IT_IS, opened: Callable[..., int] = folders.opened
    ) -> int:
        if path.name in ("ada", "student", "x"):
            raise PermissionError(13, "Permission denied")
        return opened(path, root, flags)

    monkeypatch.setattr(folders, "opened", opened)
    intake = take_in(folder)
    assert one(intake, "ada").attempt.problem == "ada: cannot be read: Permission denied"
    assert one(intake, "bob").read("peg1.py") == b"1 bob"
    assert one(intake, "eve").read("peg1.py") == b"1 eve"
    assert one(intake, "eve").attempt.slips == ("x: cannot be read: Permission denied",)
    assert refused(folder / "ada").endswith("ada: cannot be read: Permission denied")
    assert one(intake, "ada").ours and one(intake, "fay").ours


def test_a_file_that_this_machine_does_not_read_is_nobodys_fault(
    as_folder: Lay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link on the way to it is the student's doing; what the system denies to the grader's account is not."""
    folder = as_folder({"ada/peg1.py": b"1 ada", "eve/peg1.py": b"1 eve", "eve/hw.zip": b"PK"})
    for code, ours in ((errno.EACCES, True), (errno.EIO, True), (errno.EMFILE, True), (errno.ELOOP, False)):

        def opened(
            path: Path, *rest: Any, code: int = code, opened: Callable[..., int] = folders.opened
        ) -> int:
            if path.suffix == ".py":
                raise OSError(code, "denied")
            return opened(path, *rest)

        with monkeypatch.context() as patch:
            patch.setattr(folders, "opened", opened)
            intake = take_in(folder)
        with pytest.raises(SubmissionFault, match="cannot be read: denied") as caught:
            one(intake, "ada").read("peg1.py")
        assert caught.value.ours == ours

    def without_zips(path: Path, *rest: Any, opened: Callable[..., int] = folders.opened) -> int:
        if path.suffix == ".zip":
            raise PermissionError(errno.EACCES, "denied")
        return opened(path, *rest)

    monkeypatch.setattr(folders, "opened", without_zips)
    assert one(take_in(folder), "eve").ours  # the archive may hold another task's file


def test_a_link_is_not_followed_to_list_a_folder(tmp_path: Path) -> None:
    """As when somebody puts it in the place of a folder that was looked at before."""
    (tmp_path / "private/inside").mkdir(parents=True)
    (tmp_path / "class").mkdir()
    (tmp_path / "class/ada").symlink_to(tmp_path / "private")
    for at in (("ada",), ("ada", "inside")):
        with pytest.raises(SubmissionFault, match="cannot be read"):
            FolderTree(tmp_path / "class").entries(at)


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


def padded(name: str) -> zipfile.ZipInfo:
    info = member(name)
    info.extra = bytes(65_532)
    return info


def tar_with(
    *members: tuple[str, bytes, bytes, Mapping[str, str]], format: int = tarfile.PAX_FORMAT
) -> bytes:
    """Return a .tar of members, each with its type, its content or where it links to, and its extra headers."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=format) as archive:
        for name, type, content, headers in members:
            info = tarfile.TarInfo(name)
            info.type, info.pax_headers = type, dict(headers)
            if info.isreg():
                info.size = len(content)
            else:
                info.linkname = content.decode()
            archive.addfile(info, io.BytesIO(content) if info.isreg() else None)
    return packed.getvalue()


def header(name: str, size: int, type: bytes = tarfile.REGTYPE) -> bytes:
    """Return a header of a .tar, with whatever size it is to have."""
    info = tarfile.TarInfo(name)
    info.type = type
    written = info.tobuf(tarfile.GNU_FORMAT)
    size_field = b"\x80" + size.to_bytes(11) if size >= 0 else size.to_bytes(12, signed=True)
    written = written[:124] + size_field + written[136:148] + b" " * 8 + written[156:]
    return written[:148] + b"%06o\0 " % sum(written) + written[156:]


def pax(record: bytes) -> bytes:
    """Return an extended header of one short record, without its length."""
    text = b"%d %b\n" % (len(record) + 4, record)
    return header("x", len(text), tarfile.XHDTYPE) + text.ljust(512, b"\0")


ONE = {"peg1.py": b"1"}
FILE, LINK = tarfile.REGTYPE, tarfile.SYMTYPE
LONG = "hw/" + "n" * 120 + "/student/peg1.py"
BROKEN = "hw.zip: the archive is broken: "
NO_ARCHIVE = "hw.zip: expected a .zip, .tar or .tar.gz, found something else"
NOT_READ = "student/peg1.py: packed in a way that is not read"
TOO_MANY = "hw.zip: expected a few files, found too many to look through"


def is_a(kind: str) -> str:
    return f"student/peg1.py: expected a file, found a {kind}"


@pytest.mark.parametrize(
    ("archive", "found"),
    [
        (zip_of({"peg1.py": bytes(MAX_BYTES)}), bytes(MAX_BYTES)),
        (plain_tar({"peg1.py": bytes(MAX_BYTES + 1)}), "student/peg1.py: expected at most 256 KiB, found 257 KiB"),
        (zip_with((member("peg1.py", stat.S_IFLNK), b"/etc/passwd")), is_a("link")),
        (zip_with((member("peg1.py", stat.S_IFIFO), b"")), is_a("special file")),
        (zip_of({"peg1.py/x": b"", "client.py": b""}), is_a("folder")),
        (zip_with((member("peg1.py"), bytes(1000)), method=zipfile.ZIP_BZIP2), NOT_READ),
        (zip_with((member("peg1.py"), bytes(1000)), method=zipfile.ZIP_LZMA), NOT_READ),
        (zip_of(ONE).replace(b"\x14\0\0\0", b"\x14\0\1\0"), "student/peg1.py: the archive is encrypted"),
        *((tar_with(("student/peg1.py", type, b"/etc/passwd", {})), is_a("link")) for type in (LINK, tarfile.LNKTYPE)),
        *((tar_with(("student/peg1.py", type, b"/etc/passwd", {})), is_a("special file"))
          for type in (tarfile.CHRTYPE, tarfile.FIFOTYPE)),
        (tar_with(("student/peg1.py", b"S", b"", {})), is_a("special file")),
        (header("peg1.py/", 0, tarfile.AREGTYPE), is_a("folder")),  # a folder without a type
        (pax(b"GNU.sparse.name=peg1.py") + header("x", 0), is_a("special file")),
        (b"", NO_ARCHIVE),
        (b"Rar!\x1a\x07\x01\x00", NO_ARCHIVE),
        (zip_of(ONE)[:-10], f"{BROKEN}File is not a zip file"),
        (zip_of({"n\u00e9/peg1.py": b"1"}).replace("n\u00e9".encode(), b"n\xe9\xe9"), BROKEN),
        (gzip.compress(b"no tar"), BROKEN),
        (tar_of({"peg1.py": bytes(5000)})[:-40], BROKEN),
        (b"\x1f\x8b\x08\x08" + b"n" * (1 << 20), f"{BROKEN}it ends too early"),  # a header that never ends
        (gzip.compress(b"") * 1_001, "hw.zip: packed in too many pieces"),
        (gzip.compress(bytes(512) + bytes(100 << 20)), "hw.zip: unpacks to more than 32 MiB"),
        (zip_of({"a.zip": zip_of({"b.zip": zip_of({"c.zip": zip_of(ONE)})})}), "c.zip: archives in 3 others are not opened"),
        (zip_of({"PEG9.PY": b""}), no_file("PEG9.PY")),
        (zip_of({"__MACOSX/peg1.py": b"no", "a/" * 9 + "peg1.py": b"too deep"}), no_file("")),
        (zip_of({".old/peg1.py": b"hidden", "x/y/peg1.py": b"1"}), b"1"),
        (zip_of({"old/peg1.py": b"old", "student/peg1.py": b"1"}), b"1"),
        (tar_of({"a/b/student/peg1.py": b"1", "a/b/c/student/peg1.py": b"deeper"}), b"1"),
        # Python's zipfile copies what is left of all extra fields at each: 32 MiB took 7 s.
        *((zip_with((member("peg1.py"), b"1"), *((padded(f"{number}.txt"), b"") for number in range(others))), found)
          for others, found in ((1, b"1"), (70, TOO_MANY))),
        # Names as Windows, GNU and PAX write them; the last of two members counts.
        (zip_of({"hw\\student\\peg1.py": b"1"}), b"1"),
        *((tar_with((LONG if format != tarfile.USTAR_FORMAT else LONG.replace("hw", "h" * 20), FILE, b"1", {}), format=format), b"1")
          for format in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT)),
        (plain_tar({"peg1.py": b"first", "./peg1.py": b"last"}), b"last"),
        (tar_with(("x", FILE, b"1", {"path": "peg1.py"})), b"1"),
        (tar_with(("peg1.py", FILE, b"1", {"path": "../../peg1.py"}), ("client.py", FILE, b"c", {})), None),
    ],
    ids=map(str, range(44)),  # not the archives: a gzip has the time in it
)  # fmt: skip
def test_what_an_archive_has(archive: bytes, found: bytes | str | None) -> None:
    assert told(archive).startswith(found) if isinstance(found, str) else taken(archive) == found


def test_of_two_members_with_one_name_the_last_counts() -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        archive = zip_with((member("peg1.py"), b"first"), (member("peg1.py"), b"last"))
    assert taken(archive) == b"last"


@pytest.mark.slow
def test_a_zip_bomb_is_not_unpacked() -> None:
    for method, said in (
        (zipfile.ZIP_DEFLATED, "student/peg1.py: the archive is broken: Bad CRC-32"),
        (zipfile.ZIP_BZIP2, NOT_READ),  # these unpack a block at a time, however large
        (zipfile.ZIP_LZMA, NOT_READ),
    ):
        bomb = zip_with((member("peg1.py"), bytes(40 << 20)), method=method)
        lie = bomb.replace((40 << 20).to_bytes(4, "little"), (1000).to_bytes(4, "little"))
        assert lie != bomb and len(bomb) < 100_000
        tracemalloc.start()
        try:
            assert method != zipfile.ZIP_DEFLATED or told(bomb).endswith("at most 256 KiB, found 40960 KiB")
            assert told(lie).startswith(said)
            assert tracemalloc.get_traced_memory()[1] < 20 << 20
        finally:
            tracemalloc.stop()


@pytest.mark.parametrize("pack", [zip_of, plain_tar, tar_of])
@pytest.mark.parametrize(
    "name",
    [
        "../peg1.py", "/peg1.py", "a/../../peg1.py", "..foo/peg1.py", "..peg1.py", "peg1.py/..", "C:peg1.py",
        "C:\\peg1.py", "..\\peg1.py", "a/" * 9 + "peg1.py", "a/" * 30 + "peg1.py", "\u202epeg1.py", "\uff50eg1.py",
    ],
)  # fmt: skip
def test_names_that_lead_elsewhere(name: str, pack: Callable[[Files], bytes]) -> None:
    said = (no_file(""), "hw.zip: found only names that lead out of it or are too deep: ")
    assert told(pack({name: b"secret"})).startswith(said)


@pytest.mark.parametrize("pack", [zip_of, plain_tar, tar_of])
def test_archives_of_too_much(pack: Callable[[Files], bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacked, "MOST_MEMBERS", 100)
    monkeypatch.setattr(archives, "MAX_UNPACKED", 1 << 20)
    files = {f"{index}.txt": b"" for index in range(101)}
    assert told(pack(files)) == TOO_MANY
    assert told(pack(dict([*files.items()][1:]))).startswith(no_file(""))
    halves = zip_of({f"{half}.zip": pack({f"{index}.txt": b"" for index in range(51)}) for half in "ab"})
    assert told(halves) == TOO_MANY.replace("hw", "b")  # all together
    deep = {f"{number}/a/b/c/d/e/f/x": b"" for number in range(20)}
    assert told(pack(deep)) == TOO_MANY  # with their folders
    if pack is tar_of:
        assert told(pack({**ONE, "data.bin": bytes(2 << 20)})) == "hw.zip: unpacks to more than 1 MiB"
        assert taken(pack({**ONE, "data.bin": bytes(1000)})) == b"1"


@pytest.mark.parametrize("pack", [zip_of, plain_tar])
def test_a_name_that_is_too_long(pack: Callable[[Files], bytes]) -> None:
    for length, said in ((1_000, None), (1_001, "1,001"), (60_000, "60,000")):
        archive = pack({"\x01" * (length - 10) + "_peg1_v.py": b"", **ONE})
        if said is None:
            assert taken(archive) == b"1"
        else:
            assert told(archive) == f"hw.zip: expected names of at most 1,000 characters, found one of {said}"


def test_a_very_deep_name_takes_no_memory() -> None:
    archive = zip_of({"a/" * 5_000 + "peg1.py": b""})
    tracemalloc.start()
    try:
        assert told(archive) == "hw.zip: expected names of at most 1,000 characters, found one of 10,007"
        assert tracemalloc.get_traced_memory()[1] < 20 << 20
    finally:
        tracemalloc.stop()


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

    empty = header("g", 0, tarfile.XGLTYPE) * (4 << 15)
    assert taken(empty[512:] + header("peg1.py", 0)) == b""
    assert told(empty + header("g", 0, tarfile.XGLTYPE)).endswith("about other members")


def test_a_gz_of_many_pieces() -> None:
    tar = plain_tar(ONE)
    pieces = b"".join(gzip.compress(tar[at : at + 100]) for at in range(0, len(tar), 100))
    assert taken(pieces) == taken(pieces + b"what gzip leaves aside") == b"1"


def test_sparse_files_of_gnu_tar() -> None:
    holes = bytearray(header("peg1.py", 512, tarfile.GNUTYPE_SPARSE))
    holes[482] = 1
    holes[148:156] = b"%06o\0 " % (sum(holes[:148]) + sum(holes[156:]) + 8 * 32)
    behind = header("client.py", 1) + b"c".ljust(512, b"\0")
    assert taken(bytes(holes) + bytes(1024) + behind, file="client.py") == b"c"
    assert told(bytes(holes)).startswith("hw.zip: the archive is broken: a member of 512 bytes")


@pytest.mark.slow
@pytest.mark.parametrize("pack", [zip_of, plain_tar])
def test_an_archive_in_an_archive(pack: Callable[[Files], bytes]) -> None:
    for packed in (zip_of({"hw/peg1.py": b"1"}), tar_of(ONE)):
        assert taken(pack({"my/inner.zip": packed, "notes.txt": b""})) == b"1"
    broken = pack({"inner.tgz": gzip.compress(bytes(512) + bytes(100 << 20))})
    assert told(broken) == "inner.tgz: unpacks to more than 32 MiB"


def test_an_archive_with_large_files_beside_the_student_s() -> None:
    """Such as the project with its .venv, which may be packed twice."""
    packed = zip_of({".venv/numba.so": random.Random(1).randbytes(MAX_UNPACKED), "student/peg1.py": b"1"})
    assert taken(packed) == taken(zip_of({"upload.zip": packed})) == b"1"


def test_of_archives_that_cannot_be_read_the_newest_is_told(tmp_path: Path) -> None:
    for name in ("hw1.rar", "hw2.rar"):
        (tmp_path / name).write_bytes(b"Rar!")
    with pytest.raises(SubmissionFault, match=r"^hw2\.rar: expected a \.zip, \.tar or \.tar\.gz, found"):
        gather(FolderTree(tmp_path), (), [], frozenset({"peg1.py"}))


def test_an_archive_that_cannot_be_read_counts_as_a_large_one(tmp_path: Path) -> None:
    """What it unpacks to is not known, and takes time."""
    allowance = unpacked.Allowance()
    (tmp_path / "a.zip").symlink_to("b.zip")
    (tmp_path / "b.zip").touch()
    os.truncate(tmp_path / "b.zip", MAX_ARCHIVE + 1)
    for name, left in (("a.zip", MAX_ARCHIVE), ("b.zip", MAX_ARCHIVE), ("a.zip", 0)):
        with pytest.raises(SubmissionFault):
            allowance.open(FolderTree(tmp_path), (name,), frozenset())
        assert allowance.unpacked == left


def test_each_archive_is_opened_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def noted(raw: bytes, place: str, wanted: Collection[str], most: int) -> ArchiveTree:
        opened.append(place)
        return archive_tree(raw, place, wanted, most)

    monkeypatch.setattr(unpacked, "archive_tree", noted)
    more = [b"# " * number for number in range(8)]  # of which nothing is written
    weeks = {f"hw{number}.zip": zip_of({"client.py": more[number], "peg1.py": b"1"}) for number in range(8)}
    (tmp_path / "hw.zip").write_bytes(zip_of(weeks))
    found = gather(FolderTree(tmp_path), (), [], frozenset({"client.py", "peg1.py"}))
    assert found.files == {"client.py": more[0], "peg1.py": b"1"}
    assert sorted(opened) == ["hw.zip", *weeks]


def test_a_file_that_a_tar_names_twice_is_there() -> None:
    """GNU tar writes it again as a hard link to itself."""
    link = tarfile.LNKTYPE, b"student/peg1.py", {}
    copies = [(f"student/{name}", *link) for name in ("peg1.py", "peg2.py")]
    packed = tar_with(("student/peg1.py", FILE, b"1 a", {}), *copies)
    tree = archive_tree(packed, "", {"peg1.py", "peg2.py"})
    assert [tree.read(("student", name), "") for name in ("peg1.py", "peg2.py")] == [b"1 a", b"1 a"]


def test_hard_links_take_no_memory() -> None:
    """Each is the same archive again, and may be read; but not all of them are copied."""
    links = [(f"{number}.zip", tarfile.LNKTYPE, b"a.zip", {}) for number in range(97)]
    packed = tar_with(("a.zip", FILE, bytes(4 << 20), {}), *links, ("peg1.py", FILE, b"1", {}))
    tracemalloc.start()
    try:
        tree = archive_tree(gzip.compress(packed), "", {"peg1.py"})
        assert tree.read(("peg1.py",), "") == b"1"
        assert tree.read(("96.zip",), "", MAX_ARCHIVE) == bytes(4 << 20)
        assert tracemalloc.get_traced_memory()[1] < 20 << 20
    finally:
        tracemalloc.stop()


def test_a_zip_whose_files_share_their_bytes_is_not_read() -> None:
    members = (member("peg1.py"), b"1" * 200_000), (member("peg1 (1).py"), b"")
    archive = zip_with(*members, method=zipfile.ZIP_STORED)
    second = archive.rindex(b"PK\1\2")
    size = (200_000).to_bytes(4, "little")
    overlaid = archive[: second + 20] + size * 2 + archive[second + 28 :]
    assert told(overlaid) == "hw.zip: the archive is broken: its files lie over each other"


def test_a_small_file_packed_as_a_large_one_is_not_read() -> None:
    archive = zip_with((member("peg1.py"), bytes(400 << 10)), method=zipfile.ZIP_STORED)
    size = archive.rindex(b"PK\1\2") + 24
    assert "expected at most 256 KiB, found 400 KiB" in told(archive[:size] + bytes(4) + archive[size + 4 :])


def test_what_is_read_of_a_zip_is_bounded() -> None:
    tree = archive_tree(zip_of({"peg1.py": bytes(200_000)}), "hw.zip", {"peg1.py"})
    for _ in range(archives.MAX_UNPACKED // 200_000):
        assert tree.read(("peg1.py",), "peg1.py")
    with pytest.raises(SubmissionFault, match="too many"):
        tree.read(("peg1.py",), "peg1.py")


def test_names_that_are_no_text_are_written_as_some(as_folder: Lay) -> None:
    folder = as_folder({"a\nb\x1b[1m/peg1.py": b"", "=1+1/peg1.py": b""})
    (folder / os.fsdecode(b"caf\xe9")).mkdir()
    intake = take_in(folder)
    assert ids(intake) == ["=1+1", "a\\nb\\x1b[1m", "caf\\xe9"]
    for line in [*intake.notes, *(handin.attempt.place for handin in intake.handins)]:
        assert line.isprintable() and line.encode()


# ---- properties --------------------------------------------------------------------------------

_part = st.sampled_from(["..", ".", "", "ada", "bob", "hw", "student", "peg1.py", "C:", "~"])
_name = st.lists(_part, min_size=1, max_size=6).map(tuple)


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


ODD_SIZES = (
    0, 1, 7, -1, -512, 511, 513, 1 << 16, (1 << 16) - 1, MAX_BYTES + 1, 1 << 31, (1 << 32) - 1, 1 << 33, 1 << 50,
    (1 << 63) - 1, 1 << 80,
)  # fmt: skip
ODD_MEMBERS = (
    "peg1.py", "student/peg1.py", "client.py/", "../peg1.py", "/peg1.py", "C:peg1.py", "a\\peg1.py", "..foo/peg1.py",
    "n" * 300 + "/peg1.py", "d/" * 30 + "peg1.py", "\u00e9/peg1.py", "inner.zip", "", ".", "x\ny", "__MACOSX/._peg1.py",
)  # fmt: skip
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
        self.pick = self.random.choice

    def archive(self) -> bytes:
        """Return an archive with some odd members, some odd headers and some damage."""
        make = self.pick((self._zip, self._tar, self._gz, self._gz))
        return self._damaged(make())

    def _members(self) -> list[tuple[str, bytes]]:
        names = self.random.choices(ODD_MEMBERS, k=self.random.randrange(1, 9))
        return [(name, self.pick((b"", b"x = 1\n", bytes(5_000)))) for name in names]

    def _zip(self) -> bytes:
        method = self.pick((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA))
        packed = io.BytesIO()
        with warnings.catch_warnings(), zipfile.ZipFile(packed, "w", method) as archive:
            warnings.simplefilter("ignore")  # a name twice
            for name, content in self._members():
                mode = self.pick((0, 0, stat.S_IFREG, stat.S_IFLNK, stat.S_IFIFO))
                info = member(name or "peg1.py", mode)
                info.extra = self.pick((b"", bytes(400), b"\x01\0\x08\0" + b"\xff" * 8))
                archive.writestr(info, content, method)
            archive.comment = bytes(self.pick((0, 0, 60_000)))
        raw = bytearray(packed.getvalue())
        for _ in range(self.pick((0, 0, 1, 3))):
            magic = self.pick((b"PK\1\2", b"PK\3\4", b"PK\5\6"))
            at = self.pick([found.start() for found in re.finditer(re.escape(magic), raw)])
            width, field = self.pick((2, 4)), at + self.random.randrange(4, 44, 2)
            size = self.pick(ODD_SIZES) % (1 << 8 * width)
            raw[field : field + width] = size.to_bytes(width, "little")
        return bytes(raw)

    def _tar(self) -> bytes:
        packed = io.BytesIO()
        format = self.pick((tarfile.GNU_FORMAT, tarfile.PAX_FORMAT))
        with tarfile.open(fileobj=packed, mode="w", format=format) as archive:
            for name, content in self._members():
                info = tarfile.TarInfo(name)
                info.type = self.pick((b"0", b"0", b"0", b"2", b"5", b"S"))
                info.size = len(content) if info.isreg() else 0
                if format == tarfile.PAX_FORMAT and self.random.random() < 0.3:
                    key = self.pick(("size", "path", "GNU.sparse.major", "GNU.sparse.map", "hdrcharset"))
                    info.pax_headers = {key: self.pick(("", "1", "-1", "9" * 30, "peg1.py", "\u00e9" * 200))}
                archive.addfile(info, io.BytesIO(content))
        raw = bytearray(packed.getvalue())
        for _ in range(self.pick((0, 0, 1, 3))):
            at = 512 * self.random.randrange(len(raw) // 512)
            if self.random.random() < 0.5:
                raw[at + 156] = self.pick(b"\x00012567ADSVxgLKX?")
            else:
                size = self.pick(ODD_SIZES)
                octal = b"%011o\0" % (abs(size) % (1 << 33))
                written = (octal, size.to_bytes(12, signed=True), b"\x80" + octal[1:])
                raw[at + 124 : at + 136] = self.pick(written)
            if self.random.random() < 0.2:
                raw[at + 482] = 1  # of a sparse file: its map goes on
            checksum = sum(raw[at : at + 148]) + sum(raw[at + 156 : at + 512]) + 8 * 32
            raw[at + 148 : at + 156] = b"%06o\0 " % checksum
        return bytes(raw)

    def _gz(self) -> bytes:
        tar = self._tar()
        cuts = sorted(self.random.randrange(len(tar)) for _ in range(self.pick((0, 0, 2, 1_200))))
        pieces = [tar[start:end] for start, end in pairwise([0, *cuts, len(tar)])]
        packed = bytearray(b"".join(gzip.compress(piece, 1) for piece in pieces))
        if self.random.random() < 0.2:
            packed[3] = self.pick((2, 4, 8, 16, 31, 255))  # what else there is in its header
        return bytes(packed) + self.pick((b"", b"", bytes(1_000), b"garbage", b"\x1f\x8b"))

    def _damaged(self, raw: bytes) -> bytes:
        for _ in range(self.pick((0, 0, 1, 2, 5))):
            at, end = sorted(self.random.randrange(len(raw) + 1) for _ in range(2))
            noise = self.random.randbytes(self.pick((1, 4, 100)))
            magic = self.pick((b"\0" * 512, b"PK\1\2", b"\x1f\x8b\x08", b"\xff" * 8))
            start = raw[:at]  # cut there, cut out, twice, other bytes, or more of them
            ways = (start, start + raw[end:], raw[:end] + raw[at:], start + noise + raw[at + 4 :])
            raw = self.pick((*ways, start + magic + raw[at:]))
        return raw


@pytest.mark.slow
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
    sources = submission_from("student", names, good.get).sources
    assert sources == {"client.py": "x = 1\n", "peg2.py": "y = 2\n"}
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
    assert read_submission(tmp_path, names).sources == sources
    (tmp_path / "peg1.py").symlink_to("client.py")
    with pytest.raises(SubmissionFault, match=r"peg1\.py: expected a file, found a link"):
        read_submission(tmp_path, names)


@pytest.mark.parametrize(("user", "mode"), [(1000, 0o700), (0, 0o711)])
def test_what_is_kept_of_submissions_is_closed_to_others(
    user: int, mode: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A child of root has a user id of its own, and must come through."""
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    kept = submission_from("student", ("client.py",), {"client.py": b"x = 1\n"}.get).clean_folder().parent
    assert kept.name == "submissions" and stat.S_IMODE(kept.stat().st_mode) == mode


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
