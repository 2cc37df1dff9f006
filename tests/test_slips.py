"""Slips of handing in: what was found, what it was taken for, and who reads it."""

import contextlib
import io
import json
import tarfile
import time
import zipfile
from collections.abc import Collection
from datetime import UTC
from pathlib import Path
from random import Random

import pytest

from grader.catalog.tasks import registry
from grader.course import class_run
from grader.course.handins.intake import take_in
from grader.course.reports import class_summary, gradebook
from grader.course.reports.class_numbers import class_numbers
from grader.course.reports.feedback import about
from grader.course.reports.standings import Standings
from grader.course.store import ClassStore, Graded, Todo
from grader.exports.platform_run import lay_out
from grader.judging import board_sets
from grader.judging.private_boards import PrivateBoards
from grader.result import Result, Verdict
from grader.submissions import cutting, locate, slips
from grader.submissions.source_file import MAX_BYTES, SubmissionFault, decode_source
from grader.submissions.submission import submission_from
from grader.submissions.trees import FolderTree, Parts
from support.archives import lay, zip_of
from support.class_store import standings_of
from support.slip_class import CASES, CLIENT, CLIENT_STUB, LAYOUTS, PEG1, STUB, Laid
from support.zoo_rows import STUBS

TASKS = [registry().find(name) for name in ("client", "peg1")]
STUDENTS = 160  # in each layout


def laid_out(handed_in: Path, work: Path, names: Collection[str] = ("client.py", "peg1.py")) -> list[str]:
    """Lay out in the new folder `work` what was handed in, and return what is told of it."""
    work.mkdir()
    return lay_out(handed_in, work, names)


def class_of(store: ClassStore, folder: Path, *graded: tuple[str, Verdict]) -> Standings:
    """Take a class into a store, with these verdicts on the given tasks of everybody."""
    class_run.take_class(store, take_in(folder), TASKS, None)
    verdicts = dict(graded)
    for task, sources, setting in store.read(
        "SELECT DISTINCT answers.task, sources, setting FROM answers JOIN tasks ON tasks.name = answers.task"
    ):
        if task in verdicts:
            todo = Todo(task, sources, setting)
            store.keep(Graded(todo, 2, 1.0, [Result(task, "hash", verdicts[task], 1)]))
    return standings_of(store)


def test_who_hands_in_nothing_is_told_the_files_of_the_run(store: ClassStore, tmp_path: Path) -> None:
    (tmp_path / "class" / "ada").mkdir(parents=True)
    class_of(store, tmp_path / "class")
    ((help,),) = store.read("SELECT DISTINCT help FROM sources")
    assert help == "hand in the tasks' files: client.py, peg1.py"


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_slip_in_every_layout(layout: str, store: ClassStore, tmp_path: Path) -> None:
    names = {f"{1000 + number}": list(CASES)[number % len(CASES)] for number in range(STUDENTS)}
    laid = LAYOUTS[layout]({who: CASES[name] for who, name in names.items()})
    standings = class_of(store, lay(tmp_path / "class", laid))
    ids = [each.student.id.removesuffix("@x.edu").removeprefix("s") for each in standings.students]
    by_number = dict(zip(ids, standings.students, strict=True))
    assert by_number.keys() == names.keys()
    for who, name in names.items():
        case, standing = CASES[name], by_number[who]
        assert tuple(standing.slips) == case.told, (who, name)
        assert store.sources(standing.student.id, 1) == case.taken, (who, name)
    listed = class_numbers(standings).slips
    assert len(listed) == sum(bool(CASES[name].told) for name in names.values())


def test_the_student_and_the_staff_read_the_same(store: ClassStore, tmp_path: Path) -> None:
    laid = LAYOUTS["a folder for each student"]({"1": CASES["case"], "2": CASES["empty"]})
    folder, right = lay(tmp_path / "class", laid), Verdict.ACCEPTED
    standings = class_of(store, folder, ("client", right), ("peg1", right))
    summary = class_summary.format_summary(standings, class_numbers(standings))
    assert "## Remarks on the files" in summary
    assert "- s1: Peg1.py is taken for peg1.py\n" in summary.replace("`", "")
    assert "- s2: the submission is empty\n" in summary.replace("`", "")
    rows = gradebook.format_gradebook(standings).splitlines()
    assert rows[1].endswith("Peg1.py is taken for peg1.py")
    assert "your files: Peg1.py is taken for peg1.py" in about(standings.students[0], UTC, "x")
    assert "attempt 1 cannot be read: the submission is empty" in about(standings.students[1], UTC, "x")


def test_the_same_files_are_the_same_bytes(store: ClassStore, tmp_path: Path) -> None:
    """Neither the same fault nor the same absence makes two hand-ins copies of one another."""
    files = {
        "a/client.py": b"\xe9 1", "b/client.py": b"\xe9 2", "c/client.py": b"\xe9 2",
        "d/peg1.py": b"1", "e/peg1.py": b"2", "f": None, "g": None,
        "h/hw.zip": zip_of({})[:-4], "i/hw.zip": zip_of({})[:-4],
    }  # fmt: skip
    folder = lay(tmp_path / "class", files)
    standings = class_of(store, folder, ("client", Verdict.CRASHED), ("peg1", Verdict.CRASHED))
    assert [each.students for each in class_numbers(standings).alike] == [("b", "c")]


def test_what_was_not_handed_in_is_not_written(store: ClassStore, tmp_path: Path) -> None:
    files = {"a/client.py": b"", "b/peg1.py": b"\xe9", "b/client.py": b"x = 1", "c/x.txt": b""}
    class_of(store, lay(tmp_path / "class", files))
    query = "SELECT student, missing FROM answers JOIN sources ON digest = sources WHERE task = 'peg1'"
    assert dict(store.read(query)) == {"a": 1, "b": 0, "c": 1}


@pytest.mark.parametrize("name", ["case", "split", "second-download", "five-deep", "right"])
def test_a_platform_takes_the_same_files(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    for number, handed_in in enumerate((lay(tmp_path / "folder", dict(case.files)), tmp_path / "hw.zip")):
        if not handed_in.exists():
            handed_in.write_bytes(zip_of(case.files))
        work = tmp_path / str(number)
        assert tuple(laid_out(handed_in, work)) == case.told
        assert {file.name: file.read_text() for file in (work / "student").glob("*.py")} == case.taken
    alone = tmp_path / "Peg1.py"
    alone.write_bytes(b"x")
    assert laid_out(alone, tmp_path / "alone", ["peg1.py"]) == ["Peg1.py is taken for peg1.py"]
    assert (tmp_path / "alone/student/peg1.py").read_bytes() == b"x"


WORK = {"client.py": CLIENT, "peg1.py": PEG1}
BESIDE = " taken together with what lies in the top folder"


@pytest.mark.parametrize(
    ("files", "taken", "told"),
    [
        ({"client.py": CLIENT, "a.zip": zip_of(WORK)}, ["client.py", "peg1.py"], [f"peg1.py in a.zip{BESIDE}"]),
        ({**WORK, "peg1.py": STUB, "a.zip": zip_of(WORK)}, ["client.py", "peg1.py"],
         ["peg1.py in a.zip taken: nothing of it is written in the top folder"]),
        ({**WORK, "a.zip": zip_of(WORK)}, ["client.py", "peg1.py"], []),
        ({**WORK, "a.zip": zip_of({**WORK, "peg1.py": b"x"})}, ["client.py", "peg1.py"],
         ["peg1.py in a.zip left aside for what lies in the top folder"]),
        ({"client.py": b"x", "a.zip": zip_of(WORK)}, ["client.py", "peg1.py"],
         ["client.py in a.zip taken: less of it is written in the top folder", f"peg1.py in a.zip{BESIDE}"]),
        ({"1/client.py": CLIENT, "2/client.py": b"x", "2/peg1.py": PEG1}, ["client.py", "peg1.py"],
         ["client.py in 1 taken: less of it is written in 2"]),
        ({"1/client.py": b"x", "2/hw/student/client.py": CLIENT, "2/hw/student/peg1.py": PEG1}, ["client.py", "peg1.py"],
         ["client.py in 1 left aside for what lies in 2/hw/student"]),
        ({"hw/client.py": CLIENT, "hw/peg1.py": PEG1, "hw/old/student/client.py": b"x", "x/y/client.py": b"y"},
         ["client.py", "peg1.py"], ["client.py in hw/old/student left aside for what lies in hw",
                                    "client.py in x/y left aside for what lies in hw"]),
        ({"draft/client.py": CLIENT, "final/Client.py": CLIENT + b"#", "final/peg1 (1).py": PEG1}, ["client.py", "peg1.py"],
         ["Client.py is taken for client.py", "peg1 (1).py is taken for peg1.py", "client.py in draft left aside for what lies in final"]),
        ({"client.py": CLIENT, "peg1.py": STUB, "peg1 (1).py": PEG1}, ["client.py", "peg1.py"],
         ["peg1 (1).py is taken for peg1.py: nothing of it is written there"]),
        ({"client.py": CLIENT, "a.zip": zip_of(WORK), "b.zip": zip_of(WORK)}, ["client.py", "peg1.py"], [f"peg1.py in a.zip{BESIDE}"]),
        ({"1.zip": zip_of({"client.py": CLIENT}), "2.zip": zip_of({"peg1.py": PEG1}), "3.zip": zip_of({"a.png": b"x"})},
         ["client.py", "peg1.py"], ["peg1.py in 2.zip taken together with what lies in 1.zip"]),
        ({"client.py": CLIENT, **{f"{number}.zip": zip_of({"a.png": b""}) for number in range(41)}}, ["client.py"],
         ["0.zip: more archives than 40 are not opened"]),
        ({"client.py": CLIENT, "a/b/peg1.py": PEG1}, ["client.py", "peg1.py"],
         ["peg1.py in a/b taken together with what lies in the top folder"]),
        ({"client.py": CLIENT, "a/student/peg1.py": PEG1}, ["client.py", "peg1.py"],
         ["peg1.py in a/student taken together with what lies in the top folder"]),
        ({"client.py": CLIENT, "a/b.zip": zip_of(WORK), "a/._b.zip": b"x"}, ["client.py", "peg1.py"], [f"peg1.py in a/b.zip{BESIDE}"]),
        ({"client.py": CLIENT, "a/b.zip": zip_of(WORK)}, ["client.py", "peg1.py"], [f"peg1.py in a/b.zip{BESIDE}"]),
        ({"1.zip": zip_of({"client.py": b"x"}), "2.zip": zip_of({"client.py": b"y", "peg1.py": STUB}), "3.zip": zip_of(WORK)},
         ["client.py", "peg1.py"], ["client.py in 1.zip left aside for what lies in 3.zip", "client.py in 2.zip left aside for what lies in 3.zip"]),
        ({"handout.zip": zip_of({"client.py": CLIENT_STUB, "peg1.py": STUB}), "solution/peg.zip": zip_of(WORK)},
         ["client.py", "peg1.py"], []),
        ({"screenshots.zip": zip_of({"a.png": b""}), "hw/peg.zip": zip_of(WORK)}, ["client.py", "peg1.py"], []),
        ({"hw.zip": zip_of({"peg.zip": zip_of(WORK)}), "report.zip": zip_of({"a.pdf": b""})}, ["client.py", "peg1.py"], []),
        ({"notes.zip": zip_of({"a.md": b""}), "hw/peg1.py": PEG1, "hw/client.zip": zip_of({"client.py": CLIENT})},
         ["client.py", "peg1.py"], ["client.py in hw/client.zip taken together with what lies in hw"]),
        ({"client.py": CLIENT, "a/client.py": CLIENT, "a/peg1_final.py": PEG1}, ["client.py"],
         ["peg1_final.py is left aside: expected a name such as peg1.py"]),
        ({"1/client.py": b"x", "1/peg1.py": STUB, "2/client.py": CLIENT, "2/peg1.py": PEG1}, ["client.py", "peg1.py"],
         ["client.py in 1 left aside for what lies in 2"]),
        ({"1.zip": zip_of(WORK).replace(b"\x14\0\0\0", b"\x14\0\1\0"), "2.zip": zip_of(WORK)}, ["client.py", "peg1.py"],
         []),
        ({"0.zip": zip_of({"client.py": CLIENT, "peg1.py": STUB}), "1.zip": zip_of({"peg1.py": PEG1}).replace(b"\x14\0\0\0", b"\x14\0\1\0")},
         ["client.py"], ["peg1.py in 1.zip taken: nothing of it is written in 0.zip", "peg1.py: the archive is encrypted"]),
        ({"a.zip": zip_of({"client.py": CLIENT, "/peg1.py": PEG1})}, ["client.py"],
         ["/peg1.py in a.zip left aside: no name of a file"]),
        ({"student/client.py": CLIENT, "student/peg1.py": b"# f\xfcr\n" + PEG1, "peg1.py": PEG1}, ["client.py", "peg1.py"],
         ["peg1.py in the top folder taken: it cannot be read in student"]),
        ({"client.py": CLIENT, "peg1.py": b"<html>" + PEG1, "peg1 (1).py": PEG1}, ["client.py", "peg1.py"],
         ["peg1 (1).py is taken for peg1.py: it cannot be read there"]),
        ({"client.py": CLIENT, **{f"{number}/x": b"" for number in range(101)}}, ["client.py"],
         ["of the folders, only the first 100 are looked into"]),
        ({"a.7z": b"7z"}, [], "a.7z: expected a .zip, .tar or .tar.gz, found something else"),
        ({**{f"{number:03}/x": b"" for number in range(100)}, "z/peg1.py": PEG1}, [],
         "the submission: expected a few files, found too many to look through"),
    ],
    ids=range(32),
)  # fmt: skip
def test_what_is_left_aside_is_told(
    files: dict[str, bytes], taken: list[str], told: list[str] | str, tmp_path: Path
) -> None:
    """In a class and on a platform alike."""
    laid, work = lay(tmp_path / "student", files), tmp_path / "work"
    if isinstance(told, str):
        with pytest.raises(SubmissionFault) as fault:
            laid_out(laid, work)
        assert fault.value.message == told
        return
    assert laid_out(laid, work) == told
    assert sorted(name for name in WORK if (work / "student" / name).exists()) == taken
    assert (work / "student/peg1.py").read_bytes() == PEG1 if "peg1.py" in taken else True


def _at_random(drawn: Random, depth: int, packed: int, right: set[str]) -> dict[str, bytes]:
    """Return stubs, right files and notes in folders and archives, and add to `right` which are right."""
    choices = {"client.py": (CLIENT_STUB, CLIENT), "peg1.py": (STUB, PEG1), "notes.txt": (b"", b"x")}
    files = {name: drawn.choice(texts) for name, texts in choices.items() if drawn.random() < 0.25}
    right |= {name for name in WORK if files.get(name) == WORK[name]}
    for folder in ("student", "a", "b") if depth else ():
        if drawn.random() < 0.3:
            below = _at_random(drawn, depth - 1, packed, right)
            files |= {f"{folder}/{name}": content for name, content in below.items()}
    for archive in ("x.zip", "y.zip") if packed else ():
        if drawn.random() < 0.25:
            files[archive] = zip_of(_at_random(drawn, min(depth, 1), packed - 1, right))
    return files


@pytest.mark.parametrize("seed", range(100))
def test_no_work_is_lost_wherever_it_lies(seed: int, tmp_path: Path) -> None:
    """The right file is taken if it is in any folder or archive, and never a stub in place of it."""
    right: set[str] = set()
    laid = lay(tmp_path / "student", _at_random(Random(seed), 3, 2, right))
    with contextlib.suppress(SubmissionFault):
        laid_out(laid, tmp_path / "work")
    work = tmp_path / "work/student"
    assert {
        name for name, text in WORK.items() if (work / name).exists() and (work / name).read_bytes() == text
    } == right


def test_work_beside_an_empty_stub_is_told(tmp_path: Path) -> None:
    """And neither an archive that is opened, nor what lies beside a file that is written."""
    files = {"peg1.py": STUB, "peg1_final.py": PEG1, "client_old.py": b"1", "tests/test_client.py": b"1"}
    laid = lay(tmp_path / "top", {**files, "client.zip": zip_of({"client.py": CLIENT})})
    assert laid_out(laid, tmp_path / "work") == [
        f"client.py in client.zip{BESIDE}",
        "peg1_final.py is left aside: expected a name such as peg1.py",
    ]
    laid = lay(tmp_path / "all", {**files, "client.py": CLIENT})
    assert laid_out(laid, tmp_path / "work2") == [
        "peg1_final.py is left aside: expected a name such as peg1.py"
    ]


def test_boards_say_nothing_of_an_encoding() -> None:
    text = "# Decoding: what each board catches\nboards: []\n"
    assert decode_source("examples.yaml", text.encode()) == text


def test_a_link_of_a_task_s_name_gives_way(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "hw.tar", "w") as archive:
        link, file = tarfile.TarInfo("peg1.py"), tarfile.TarInfo("src/peg1.py")
        link.type, link.linkname, file.size = tarfile.SYMTYPE, "src/peg1.py", len(PEG1)
        archive.addfile(file, io.BytesIO(PEG1))
        archive.addfile(link)
    told = laid_out(tmp_path / "hw.tar", tmp_path / "work", ["peg1.py"])
    assert told == ["peg1.py in src taken: it cannot be read in the top folder"]
    assert (tmp_path / "work/student/peg1.py").read_bytes() == PEG1


def test_a_stub_beside_a_written_file_costs_no_other_file(tmp_path: Path) -> None:
    """The release unpacked anew for each task, or its stubs left in `student/`."""
    stubs = {name: (STUBS / name).read_text("utf-8") for name in WORK}
    handed_in = {"top": stubs | {"peg1.py": "1\n"}, "top/student": stubs | {"client.py": "1\n"}}
    for folder, texts in handed_in.items():
        lay(tmp_path / folder, {name: text.encode() for name, text in texts.items()})
    assert laid_out(tmp_path / "top", tmp_path / "work") == [
        "peg1.py in the top folder taken: nothing of it is written in student"
    ]
    taken = {path.name: path.read_text() for path in (tmp_path / "work/student").iterdir()}
    assert taken == dict.fromkeys(WORK, "1\n")


def test_what_python_and_tools_left_is_nobodys_work(tmp_path: Path) -> None:
    left = ("__pycache__/client.cpython-311.pyc", "venv/lib/python3.11/site-packages/docker/client.py")
    lay(tmp_path / "top", dict.fromkeys(("peg1.py", *left, "node_modules/x/client.py"), b"1\n"))
    assert laid_out(tmp_path / "top", tmp_path / "work") == []
    assert [path.name for path in (tmp_path / "work/student").iterdir()] == ["peg1.py"]


def test_a_later_file_that_cannot_be_read_is_told(store: ClassStore, tmp_path: Path) -> None:
    """Though of the attempt that it is in nothing counts."""
    files = {"ada@x.edu_1_hw.zip": zip_of(WORK), "ada@x.edu_2_peg1.py": PEG1 + b"\xe9"}
    class_run.take_class(store, take_in(lay(tmp_path, files), merges=True), TASKS, None)
    (ada,) = standings_of(store).students
    assert ada.slips == ["an earlier peg1.py is kept: it cannot be read in attempt 2"]


def test_what_is_written_is_no_stub(tmp_path: Path) -> None:
    """A line of the stub is left below the solution, or one of several functions is not written yet."""
    stub = (STUBS / "peg2.py").read_text("utf-8")
    left = '    raise NotImplementedError("peg2: solve is not written yet"'
    assert left in stub
    partly = (STUBS / "client.py").read_text("utf-8").replace("raise NotImplementedError", "return 0 #", 1)
    files = {"peg2.py": stub.replace(left, f"    return 1\n{left}"), "client.py": partly}
    lay(tmp_path / "top/student", {name: text.encode() for name, text in files.items()})
    lay(tmp_path / "top/old", {name: text.encode() + b"0\n" for name, text in files.items()})
    (tmp_path / "work").mkdir()
    assert lay_out(tmp_path / "top", tmp_path / "work", [*files]) == [
        "client.py, peg2.py in old left aside for what lies in student"
    ]
    assert {path.name: path.read_text() for path in (tmp_path / "work/student").iterdir()} == files


def test_work_in_the_courses_own_folders_is_told(tmp_path: Path) -> None:
    top, work = tmp_path / "top", tmp_path / "work"
    lay(top, {"framework/peg1.py": b"1\n", "grader/client.py": b"2\n"})
    work.mkdir()
    with pytest.raises(SubmissionFault) as caught:
        lay_out(top, work, WORK)
    assert "found framework (one of the course's folders), grader" in str(caught.value)
    lay(top, {"student/client.py": b"3\n"})
    told = lay_out(top, work, WORK)
    assert "peg1.py in framework left aside: framework is one of the course's folders" in told


def test_what_lacks_its_client_is_written_all_the_same() -> None:
    needed, own = "hand in client.py: peg1.py needs it", "hand in peg1.py"
    for there, is_missing, help in [("peg1.py", False, needed), ("client.py", True, own), ("", True, own)]:
        with pytest.raises(SubmissionFault, match="no such file") as fault:
            submission_from("student", tuple(WORK), {there: b"1"}.get, handed_in=True)
        assert (fault.value.missing, fault.value.help) == (is_missing, help)


def test_a_long_name_is_not_looked_at_for_long() -> None:
    began = time.process_time()
    assert not any(slips.meant(f"1f{' 1' * 490}y{number}.x", {"peg1.py"}) for number in range(2000))
    assert time.process_time() - began < 1


@pytest.mark.parametrize("as_folder", [False, True])
def test_a_member_that_is_not_read_costs_no_other_file(as_folder: bool, tmp_path: Path) -> None:
    packed, work = tmp_path / "in" / "hw.zip", tmp_path / "work"
    packed.parent.mkdir()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, how in (("client.py", zipfile.ZIP_BZIP2), ("peg1.py", zipfile.ZIP_DEFLATED)):
            archive.writestr(name, PEG1, how)
    told = laid_out(packed.parent if as_folder else packed, work)
    assert told == ["client.py: packed in a way that is not read"]
    assert [each.name for each in (work / "student").iterdir()] == ["peg1.py"]


def test_of_very_many_look_alikes_few_are_read_and_told(
    store: ClassStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locate, "MAX_LOOKED", 200 * len(PEG1))
    copies = {f"{folder}/peg1 ({number}).py": PEG1 for folder in "abcd" for number in range(100)}
    files = {f"{folder}/peg1.py": PEG1 for folder in "abcd"} | copies
    files |= {f"a/client_x{number}.py": b"" for number in range(50)}
    read: list[Parts] = []

    class Counting(FolderTree):
        def read(self, at: Parts, place: str, most: int = MAX_BYTES) -> bytes | None:
            read.append(at)
            return super().read(at, place, most)

    laid = lay(tmp_path / "ada", files)
    found = locate.locate(Counting(laid), [()], ["client.py", "peg1.py"], "ada")
    assert len(read) <= 200 and found.files == {"peg1.py": ("a", "peg1.py")}
    told = laid_out(laid, tmp_path / "work")
    assert len(told) == 11 and told[-1].endswith(" more remarks such as these")
    class_ = lay(tmp_path / "class", {"bob": None, **{f"ada/{name}": raw for name, raw in files.items()}})
    class_run.take_class(store, take_in(class_), TASKS, None)
    assert len(standings_of(store).students[0].slips) == 11
    names = {f"peg1 ({number}).py": (f"{number}",) for number in range(100)}
    remarks: list[str] = []
    locate.taken(lambda at, name: None, names, ["peg1.py"], remarks)
    assert remarks == [
        "peg1 (0).py and peg1 (1).py and peg1 (10).py and peg1 (11).py and peg1 (12).py and 95 more are left aside: "
        "each may be meant for peg1.py"
    ]


def test_few_bytes_of_a_submission_are_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    monkeypatch.setattr(cutting, "nodes_in", lambda sources: parsed.extend(sources.values()) or ())
    laid = lay(tmp_path, {f"peg1 ({number}).py": b"%d\n" % number * 5_000 for number in range(100)})
    locate.locate(FolderTree(laid), [()], ["peg1.py"], "ada")
    assert 0 < sum(map(len, parsed)) < 1.1 * (1 << 20)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("# coding: latin-1\nx = 'é'\n".encode("latin-1"), "# coding: utf-8\nx = 'é'\n"),
        (
            "#!python\r\n# -*- coding: cp1252 -*-\r\nx = '€'\r\n".encode("cp1252"),
            "#!python\n# -*- coding: utf-8 -*-\nx = '€'\n",
        ),
        ("# vim: fileencoding=gbk\n# 棋\n".encode("gbk"), "# vim: fileencoding=utf-8\n# 棋\n"),
        (b"x = 1\n# coding: latin-1\n\xc3\xa9", "x = 1\n# coding: latin-1\né"),  # after code it is a comment
        ("# coding: utf-8\né".encode(), "# coding: utf-8\né"),
        ("# -*- coding: utf-8-unix -*-\né".encode(), "# -*- coding: utf-8 -*-\né"),
        ("# coding: utf-8-sig\né".encode(), "# coding: utf-8\né"),
        (b"# coding: rot13\nx", None),
        (b"\xef\xbb\xbf# coding: utf-7\n# +AAo-", None),  # Python would refuse it
        (b"#\x81coding: shift_jis coding: utf-7\n# +AAo-", None),  # decoded, it says utf-7
        (b"# coding: nonsense\nx", None),
        (b"# coding: ascii\n\xe9", None),
    ],
)
def test_what_a_file_says_of_its_encoding(raw: bytes, text: str | None) -> None:
    if text is None:
        with pytest.raises(SubmissionFault, match=r"^peg1\.py: expected (UTF-8|ascii) text, found"):
            decode_source("peg1.py", raw)
    else:
        assert decode_source("peg1.py", raw) == text


def test_tasks_that_the_boards_are_not_for_are_named_at_once(tmp_path: Path) -> None:
    board = b"* * o * * . . .\n" + b". . . . . . . .\n" * 7
    lay(tmp_path, {"index.yaml": b"boards:\n  mine: {}\n", "mine.txt": board})
    tasks = [registry().find(name) for name in ("client", "peg1", "peg2")]
    exam = PrivateBoards(tmp_path)
    for boards, options in ((exam, ""), (board_sets.OwnBoardsAnd(exam), " --boards own")):
        assert board_sets.not_judged(tasks, boards, f"{options} --boards exam") == [
            "--boards exam: no board that peg1 can judge",
            "--boards exam: client takes no boards, and is graded on its own checks",
        ]
    assert board_sets.not_judged(tasks, None, "") == []


@pytest.mark.parametrize(
    ("name", "file"),
    [
        *((name, "peg1.py") for name in (
            "Peg1.py", "peg1 (1).py", "peg1(1)(1).py", "peg1 (1).py.txt", "peg1.py (1)", "peg1.py ", "peg1.py.txt",
            "peg1-1.py", "peg1 2.py", "peg1_2.py", "Peg01.py",
        )),
        ("client-1-1.py", "client.py"), ("lab10 (2).py", "lab10.py"), ("examples.yaml.txt", "examples.yaml"),
        *((name, "") for name in (
            "client_peg1.py", "peg10.py", "peg12.py", "1.py", "peg.py", "lab1.py", "peg1.docx", "peg1.bak.py", ".py", "",
        )),
    ],
)  # fmt: skip
def test_names_that_can_mean_one_file(name: str, file: str) -> None:
    assert slips.meant(name, {"client.py", "peg1.py", "peg2.py", "lab10.py", "examples.yaml"}) == file


@pytest.mark.parametrize(
    "name",
    ["client.rtf", "client.docx", "client.pdf", "client.bak", "\u0441lient.py", "client_peg1.py", "notes.md"],
)
def test_what_may_have_been_a_missing_file_is_named(name: str, store: ClassStore, tmp_path: Path) -> None:
    """The first letter of the fifth is Cyrillic."""
    files: Laid = {f"class/ada/{name}": b"x = 1\n", "class/ada/peg1.py": b"x = 1\n"}
    class_of(store, lay(tmp_path, files) / "class")
    ((said,),) = store.read("SELECT slips FROM attempts")
    assert name in "".join(json.loads(said))


def test_remarks_are_made_only_for_names_that_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    def counted(text: str, most: int = 200) -> str:
        shown.append(text)
        return text

    monkeypatch.setattr(locate, "one_line", counted)
    many = [f"{number}_peg1.py" for number in range(2_000)]
    remarks = locate.misnamed(lambda at, name: None, locate.Located(loose=many), ["peg1.py"])
    assert len(remarks) == 2_000 and len(shown) == slips.MOST
