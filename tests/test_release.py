"""The student's folder: what is in it, what never is, and that its bytes are the same wherever it is made."""

import errno
import hashlib
import io
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import time
import tomllib
import zipfile
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest

from framework.board import draw_board, format_board
from framework.cells49 import format_cells
from grader import paths
from grader.catalog.boards import find_board
from grader.catalog.images import image_of
from grader.commands import new_folder
from grader.errors import InputError
from grader.release.packing import TOP, zip_bytes
from grader.release.release import LIST, release_files
from grader.release.release_check import faults
from grader.reports.formats import FORMATS
from support.command import ROOT, grade_in
from support.processes import in_child

pytestmark = pytest.mark.slow

LEAK = "        and board[row + row_step, col + col_step] == PEG\n"  # a line of peg1's solution


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    return release_files()


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Return a copy of the course, to change; without what a release has no use for."""
    for name in ("framework", "grader", "boards", "handouts"):
        shutil.copytree(ROOT / name, tmp_path / "course" / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "LICENSE", tmp_path / "course")
    return tmp_path / "course"


# ---- what is in it -----------------------------------------------------------------------------


def test_a_newcomer_finds_everything(files: dict[str, str]) -> None:
    assert {"README.md", "Makefile", "pyproject.toml", "student/peg5.py", "handouts/start.md"} <= set(files)
    assert files["LICENSE"] == (ROOT / "LICENSE").read_text()
    assert {"boards/english.txt", "boards/index.yaml", "handouts/lab10.md", "student/lab10.py"} <= set(files)
    for module in FORMATS.values():
        assert f"grader/reports/{module}.py" in files
    assert list(faults(files)) == []
    for word in ("make", ". .venv/bin/activate", "pip install -e .", "macOS", "Windows"):
        assert word in files["README.md"]


def test_it_can_be_installed_as_the_course_is(files: dict[str, str]) -> None:
    theirs = tomllib.loads(files["pyproject.toml"])["project"]
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for field in ("version", "requires-python", "license", "license-files", "scripts"):
        assert theirs[field] == ours[field]
    extras = ours["optional-dependencies"]
    assert set(theirs["dependencies"]) == {*ours["dependencies"], *extras["play"], *extras["watch"]}
    assert "optional-dependencies" not in theirs


def test_the_editor_starts_nothing(files: dict[str, str]) -> None:
    settings = json.loads(files[".vscode/settings.json"])
    assert settings["python.defaultInterpreterPath"].endswith("/.venv/bin/python")
    assert settings["python.testing.pytestEnabled"] is settings["python.testing.unittestEnabled"] is False
    assert settings["task.allowAutomaticTasks"] == "off"
    assert json.loads(files[".vscode/extensions.json"])["recommendations"]
    of_editor = {name for name in files if name.startswith(".vscode/")}
    assert of_editor == {".vscode/settings.json", ".vscode/extensions.json"}


def test_only_what_is_named_is_released(course: Path, tmp_path: Path) -> None:
    """Backups, bytecode and old copies beside the named files stay behind, whatever is in them."""
    strays = [
        "grader/commands/peg1_old.py", "grader/commands/check.py~", "grader/.cli.py.swp", "framework/notes.py",
        "grader/__pycache__/peg1.cpython-311.pyc", "grader/web/static/play.js.orig", "boards/secret.txt",
        "grader/play/templates/answers.html", "handouts/for-instructors.md", "handouts/#peg1.md#", "boards/.x.txt",
    ]  # fmt: skip
    for name in strays:
        (course / name).parent.mkdir(exist_ok=True)
        (course / name).write_text(LEAK)
    done = grade_in(course, "release", "made", "--zip", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "made"
    made = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert made == set(release_files())
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755
    with zipfile.ZipFile(tmp_path / "made.zip") as archive:
        assert {name.removeprefix(f"{TOP}/") for name in archive.namelist()} == made


def test_a_link_in_the_place_of_a_folder_being_written_is_not_followed(tmp_path: Path) -> None:
    """Where everybody can write, somebody else may move the folder away and put a link there at any time."""
    theirs = tmp_path / "theirs"
    theirs.mkdir()

    class Files(dict[str, str]):
        def items(self) -> Any:
            yield "first", "private"
            draft = next(tmp_path.glob(".made.*"))
            draft.rename(tmp_path / "moved")
            draft.symlink_to(theirs)
            yield "boards/second", "private"

    new_folder.write(tmp_path / "made", Files())
    assert list(theirs.iterdir()) == []
    assert stat.S_IMODE((tmp_path / "moved").stat().st_mode) == 0o700
    assert (tmp_path / "moved/boards/second").read_text() == "private"


def test_a_folder_that_cannot_be_written_or_replaced_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (".", str(tmp_path)):
        with pytest.raises(InputError, match="is the current folder"):
            new_folder.check(Path(name))
    Path("file").write_text("")
    with pytest.raises(InputError, match="file/a/b: cannot be written: Not a directory"):
        new_folder.check(Path("file/a/b"))  # before hours of work
    read_only = OSError(errno.EROFS, os.strerror(errno.EROFS))
    monkeypatch.setattr(new_folder.tempfile, "TemporaryFile", MagicMock(side_effect=read_only))
    with pytest.raises(InputError, match="new: cannot be written: Read-only file system"):
        new_folder.check(Path("new"))


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root becomes another user")
def test_who_may_not_enter_the_current_folder_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.chdir(tmp_path)

    def tries() -> None:
        os.setresuid(65534, 65534, 65534)
        new_folder.check(Path("/new"))

    assert in_child(tries) == "the current folder may not be entered"


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root makes folders of another user")
def test_a_folder_of_another_user_is_not_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    os.chown(theirs, 65534, -1)
    monkeypatch.setattr(new_folder.tempfile, "mkdtemp", lambda **_: str(theirs))
    with pytest.raises(InputError, match="another user's"):
        new_folder.write(tmp_path / "made", {"first": "private"})


def test_a_student_has_no_command_of_the_instructor(files: dict[str, str], tmp_path: Path) -> None:
    new_folder.write(tmp_path / "made", files)
    help = grade_in(tmp_path / "made", "--help", cwd=tmp_path).stdout
    assert "turned:SEED" in help and "doctor" in help
    ours = ("release", "variant", "--reference", "random", "instructor")
    assert not [word for word in ours if word in help]
    for typed in (["release", "x"], ["experiment"], ["generate", "x"], ["doctor", "--course"]):
        done = grade_in(tmp_path / "made", *typed, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        what = typed[-1] if typed[-1][0] == "-" else typed[0]
        assert done.stderr.startswith(f"{what}: not part of this release\nhelp: ")


def test_what_a_student_changed_of_the_course_is_told(files: dict[str, str], tmp_path: Path) -> None:
    """In every report that students read, and nothing of files that are theirs, or ended as on Windows."""
    made = tmp_path / "made"
    new_folder.write(made, files)
    (made / "framework" / "stack.py").write_bytes(files["framework/stack.py"].replace("\n", "\r\n").encode())
    (made / "README.md").write_text("mine")
    with (made / "student" / "client.py").open("a") as mine:
        mine.write("\n# mine\n")
    assert "not as handed out" not in grade_in(made, "client", cwd=made).stdout
    (made / "boards" / "plus.txt").unlink()
    told = "boards/plus.txt is not as handed out, and the course grades with its own copy; to restore it"
    by_hand = ", unpack the course's archive as NEW, then: cp -r NEW/framework NEW/grader NEW/boards ."
    assert " ".join(grade_in(made, "client", cwd=made).stdout.split()).startswith(told + by_hand)
    (made / ".git").mkdir()
    by_git = ": git restore framework grader boards"
    assert " ".join(grade_in(made, "client", cwd=made).stdout.split()).startswith(told + by_git)
    for name in ("board", "jumps", "stack"):
        with (made / "framework" / f"{name}.py").open("a") as changed:
            changed.write("\n# faster\n")
    formats = ("table", "markdown", "json", "github", "html", "gradescope", "junit", "autolab")
    wanted = [word for each in formats for word in ("--format", each, "-o", str(tmp_path / each))]
    assert grade_in(made, "client", *wanted, cwd=made).returncode == 1
    for each in formats:
        said = " ".join((tmp_path / each).read_text("utf-8").split())
        assert "boards/plus.txt, framework/board.py, framework/jumps.py and 1 more are not" in said, each


# ---- the same bytes ----------------------------------------------------------------------------


def test_the_zip_has_the_same_bytes_wherever_it_is_made(
    files: dict[str, str], course: Path, tmp_path: Path
) -> None:
    """In this process; in a copy whose files are of another time, made under another umask; from a wheel."""
    wanted = hashlib.sha256(zip_bytes(files, TOP)).hexdigest()
    for path in course.rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    umask = os.umask(0o077)
    try:
        roots = (course, tmp_path / "site")
        told = [grade_in(root, "release", f"{root}-made", "--zip", cwd=tmp_path) for root in roots]
    finally:
        os.umask(umask)
    for each in told:
        assert f"sha256 {wanted}" in each.stdout, each.stderr
    with zipfile.ZipFile(tmp_path / "course-made.zip") as archive:
        entries = archive.infolist()
        assert {entry.external_attr >> 16 for entry in entries} == {0o100644}
        texts = {each.filename.removeprefix(f"{TOP}/"): archive.read(each).decode() for each in entries}
        assert texts == files


def test_a_release_that_is_unpacked_over_an_older_one_replaces_it(
    files: dict[str, str], tmp_path: Path
) -> None:
    """Also where a changed file has its former size; `unzip` gives each its date in the archive."""

    def unpack(release: dict[str, str]) -> None:
        with zipfile.ZipFile(io.BytesIO(zip_bytes(release))) as archive:
            for entry in archive.infolist():
                moment = time.mktime((*entry.date_time, 0, 0, -1))
                os.utime(archive.extract(entry, tmp_path), (moment, moment))

    unpack(files)
    written = {"PYTHONDONTWRITEBYTECODE": ""}
    assert "Peg Solitaire: grade" in grade_in(tmp_path, "--help", cwd=tmp_path, **written).stdout
    assert list((tmp_path / "grader").glob("__pycache__/cli.*.pyc"))
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "installed").write_text(files["pyproject.toml"])
    make = ["make", "--question"]  # whether there is something to do
    assert subprocess.run(make, cwd=tmp_path, check=False).returncode == 0
    changed = {"grader/cli.py": ("Peg Solitaire:", "Pegs and Holes"), "pyproject.toml": ('"numpy', '"numba')}
    unpack(files | {name: files[name].replace(*words) for name, words in changed.items()})
    assert "Pegs and Holes grade" in grade_in(tmp_path, "--help", cwd=tmp_path, **written).stdout
    assert subprocess.run(make, cwd=tmp_path, check=False).returncode == 1


# ---- what never is -----------------------------------------------------------------------------


def first(files: dict[str, str], private: list[Path] | None = None) -> str:
    """Return the first fault of a release."""
    return next(iter(faults(files, private or []))).message


def test_a_line_of_a_solution_stops_it(files: dict[str, str]) -> None:
    for name in ("grader/judging/grading.py", "handouts/peg1.md", "README.md"):
        lines = len(files[name].splitlines())
        said = f"{name}:{lines + 1}: a line of the solution of peg1.py: {LEAK.strip()}"
        assert first({**files, name: files[name] + LEAK}) == said


@pytest.mark.parametrize(
    "line",
    [
        "  student/peg1.py:27: %s",
        "| 27 | `%s` |",
        "> %s",
        "27  %s",
        "Then write `%s`, and so on.",
        "+%s  # 1",
    ],
)
def test_a_line_of_a_solution_is_found_anywhere_in_a_line(files: dict[str, str], line: str) -> None:
    told = first({**files, "handouts/new.md": "# A page\n\n" + line % LEAK.strip() + "\n"})
    assert told == f"handouts/new.md:3: a line of the solution of peg1.py: {LEAK.strip()}"


@pytest.mark.parametrize("source", ["oracle/explore.py", "research/report_search.py"])
def test_lines_of_the_instructor_s_programs_stop_it(files: dict[str, str], source: str) -> None:
    lines = (paths.PACKAGE / source).read_text("utf-8").splitlines()
    some = "\n".join(lines[40:60])
    found = list(faults({**files, "grader/copied.py": f"'''\n{some}\n'''\n"}))
    assert any(f": a line of grader/{source}: " in fault.message for fault in found)
    assert all(fault.message.startswith("grader/copied.py:") for fault in found)


def test_a_missing_module_stops_it(files: dict[str, str]) -> None:
    without = {name: text for name, text in files.items() if name != "grader/judging/calibration.py"}
    found = list(faults(without))
    (said,) = {fault.message.partition(": ")[2] for fault in found}
    assert said == "imports grader.judging.calibration, which is not released"
    assert found[0].help.startswith("add grader/judging/calibration.py to grader/release/files/files.txt")
    late = "def run():\n    from grader.course import records\n"
    early = "from grader.course import records\n"
    table = files["grader/commands/__init__.py"]
    assert 'Entry("variant"' in table
    told = first({**files, "grader/commands/__init__.py": table.replace('not solve.", True', 'not solve."')})
    lacks = r"grader/commands/__init__\.py:\d+: imports grader\.commands\.variant, which .*"
    assert re.fullmatch(lacks, told)
    assert list(faults({**files, "grader/late.py": late})) == []
    assert first({**files, "grader/early.py": early}).startswith("grader/early.py:1: imports grader.course")


def test_a_dead_link_stops_it(files: dict[str, str]) -> None:
    page = "# A page\n\n[one](peg1.md), [two](https://example.org/a.md), [three](../README.md), [four](answers.md#a)\n"
    (fault,) = faults({**files, "handouts/start.md": page})
    assert fault.message == "handouts/start.md:3: a link to handouts/answers.md, which is not released"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("grader/reference/peg1.py", "grader/reference/peg1.py is the instructor's"),
        ("grader/oracle/index.py", "grader/oracle/index.py is the instructor's"),
        ("grader/gone.py", "grader/gone.py is not there"),
        ("tests/students/plain/peg1.py", "expected a file of framework, grader or handouts, found tests/"),
        ("grader/../tests/conftest.py", "expected a file of framework, grader or handouts, found grader/.."),
    ],
)  # fmt: skip
def test_a_wrong_line_in_the_list_stops_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, line: str, told: str
) -> None:
    text = LIST.read_text("utf-8")
    (tmp_path / "files.txt").write_text(f"{text}{line}\n")
    monkeypatch.setattr("grader.release.release.LIST", tmp_path / "files.txt")
    with pytest.raises(InputError) as raised:
        release_files()
    assert f"files.txt:{len(text.splitlines()) + 1}: {told}" in raised.value.message


def test_nothing_is_left_of_a_release_that_leaks(course: Path, tmp_path: Path) -> None:
    with (course / "grader" / "judging" / "judge.py").open("a") as stream:
        stream.write(LEAK.strip() + "\n")
    done = grade_in(course, "release", "made", "--zip", cwd=tmp_path)
    assert done.returncode == 2
    assert "a line of the solution of peg1.py" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["course"]
    (tmp_path / "made.zip").touch()
    done = grade_in(ROOT, "release", "made", "--zip", cwd=tmp_path)
    there = "made.zip: is there already\nhelp: remove it, or name a new folder\n"
    assert (done.returncode, done.stderr) == (2, there)
    assert not (tmp_path / "made").exists()


# ---- private boards ----------------------------------------------------------------------------


def private(folder: Path, name: str, text: str) -> list[Path]:
    """Make a private set of one board, and return what names it."""
    (folder / "private").mkdir()
    (folder / "private" / name).write_text(text)
    return [folder / "private"]


def test_a_private_board_is_found_turned(files: dict[str, str], tmp_path: Path) -> None:
    folder = private(tmp_path, "a.txt", format_board(image_of(find_board("key").board, "flip-r90")))
    assert first(files, folder).startswith("boards/key.txt:1: is the private board ")


def test_a_private_board_is_found_where_it_is_drawn(files: dict[str, str], tmp_path: Path) -> None:
    board = find_board("lab-15").board
    turned = image_of(board, "r180")
    turned[3, 3] = 1 - turned[3, 3]
    folder = private(tmp_path, "a.txt", format_board(turned))
    assert list(faults(files, folder)) == []
    page = f"# A page\n\n```\n{draw_board(turned)}\n```\n"
    told = first({**files, "handouts/peg1.md": page}, folder)
    assert told.startswith("handouts/peg1.md:5: is the private board")


def test_a_private_board_of_49_cells_is_found(files: dict[str, str], tmp_path: Path) -> None:
    cells = format_cells(find_board("english@0,2").board)
    folder = private(tmp_path, "a.cells", cells + "\n")
    assert first(files, folder).startswith("boards/index.yaml: english@0,2 is the private board ")
    told = first({**files, "README.md": f"try\n{cells}\n"}, folder)
    assert told.startswith("README.md:2: is the private board ")


def test_a_private_folder_without_boards_is_told(files: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no boards in it"):
        list(faults(files, [tmp_path]))
