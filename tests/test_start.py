"""`grade start`: the folder it makes, what it never touches, and that it works on poor machines."""

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import MagicMock, mock_open

import pytest

from framework.board import draw_board
from grader import folders, paths
from grader.catalog.boards import find_board
from grader.commands import new_folder
from grader.commands.start import ROOMS, drawn, fill, own_command
from grader.errors import InputError
from grader.release.release import release_files
from support.command import IN_FOLDER, ROOT, grade, grade_in

FILES = {"student/peg1.py": b"# stub\n", "handouts/peg1.md": b"# peg1\n", "LICENSE": b"free\n"}


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a student's folder as released; it must not be changed."""
    folder = tmp_path_factory.mktemp("released") / "made"
    new_folder.write(folder, release_files())
    return folder


def content(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


# ---- a new folder ------------------------------------------------------------------------------


def test_it_makes_what_a_student_edits_and_reads(released: Path, tmp_path: Path) -> None:
    done = grade_in(released, "start", "my pegs", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    wanted = {name: text.encode() for name, text in release_files().items() if name.startswith(ROOMS)}
    assert {"student/client.py", "handouts/start.md", "framework/board.py", "boards/index.yaml"} < set(wanted)
    assert content(tmp_path / "my pegs") == wanted
    assert draw_board(find_board("english").board) in done.stdout
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"my pegs: made {len(wanted)} files")
    assert lines[-2] == "open   my pegs/handouts/start.md, then my pegs/student/client.py"
    assert lines[-1].startswith("next: cd 'my pegs', then: ")
    done = grade_in(released, "client", cwd=tmp_path / "my pegs")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].startswith("next: open student/client.py")


@pytest.mark.slow
def test_the_stubs_are_fresh_where_a_student_has_written(tmp_path: Path) -> None:
    """Also from a release folder whose own student/ is no longer what was handed out."""
    files = release_files()
    new_folder.write(tmp_path / "made", {**files, "student/client.py": "# mine\n"})
    grade_in(tmp_path / "made", "start", "again", cwd=tmp_path)
    assert (tmp_path / "again" / "student" / "client.py").read_text() == files["student/client.py"]


def test_that_another_course_ran_than_the_folder_s_is_told(released: Path, tmp_path: Path) -> None:
    """Where the .venv of an older release is active, it would silently grade with that one."""
    told = (
        f"this ran the course in {ROOT}, not the one in this folder\n"
        "help: to run this folder's: rm -rf .venv && make && .venv/bin/grade\n"
    )
    for words, status in ((), 1), (("show", "english"), 0):
        done = grade_in(ROOT, *words, cwd=released, CI="")
        assert (done.returncode, done.stderr) == (status, told)
    assert grade_in(released, cwd=released, CI="").stderr == ""
    assert grade_in(ROOT, cwd=released, CI="true").stderr == "", "a platform grades what students hand in"


@pytest.mark.slow
def test_the_course_s_own_command_hands_out_the_same(tmp_path: Path, released: Path) -> None:
    done = grade("start", str(tmp_path / "one"))
    assert done.returncode == 0, done.stderr
    grade_in(released, "start", str(tmp_path / "two"), cwd=tmp_path)
    assert content(tmp_path / "one") == content(tmp_path / "two")


@pytest.mark.parametrize("name", ["english", "one-jump", "key"])
def test_a_board_is_drawn_as_grade_show_does(name: str) -> None:
    assert drawn((paths.BOARDS / f"{name}.txt").read_text()) == draw_board(find_board(name).board)


def test_nothing_heavy_is_imported(released: Path, tmp_path: Path) -> None:
    """It is the first command that is typed; numpy takes a tenth of a second, numba a whole one."""
    told = "import atexit, sys; atexit.register(lambda: print(*sorted(sys.modules), file=sys.stderr));"
    done = subprocess.run(
        [sys.executable, "-P", "-c", told + IN_FOLDER, str(released), "start", "new"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = set(done.stderr.split())
    assert "grader.commands.start" in found
    assert found.isdisjoint(["numpy", "numba", "icontract", "framework", "yaml", "grader.catalog"])


# ---- a folder that is there --------------------------------------------------------------------


@pytest.mark.slow
def test_nothing_that_is_there_is_lost(released: Path, tmp_path: Path) -> None:
    grade_in(released, "start", "new", cwd=tmp_path)
    mine = tmp_path / "new" / "student" / "client.py"
    mine.write_text("# mine\n")
    (tmp_path / "new" / "notes.txt").write_text("mine, too\n")
    (tmp_path / "new" / "handouts" / "peg1.md").unlink()
    stub = tmp_path / "new" / "student" / "peg1.py"
    stub.write_bytes(stub.read_bytes().replace(b"\n", b"\r\n"))
    before = content(tmp_path / "new")
    done = grade_in(released, "start", ".", cwd=tmp_path / "new")
    after = content(tmp_path / "new")
    assert {name: after[name] for name in before} == before
    assert set(after) - set(before) == {"handouts/peg1.md"}
    count = len(before)  # without the notes, with the page
    assert done.stdout.startswith(
        f".: created 1 of {count} files; these differ from the originals and were left unchanged:\n"
        "  student/client.py\n\n"
    )
    assert done.stdout.splitlines()[-1].startswith("next: ") and "cd " not in done.stdout
    done = grade_in(released, "start", "new", cwd=tmp_path)
    assert done.stdout.startswith("new: created no files; these differ ")
    mine.write_text(release_files()["student/client.py"])
    done = grade_in(released, "start", "new", cwd=tmp_path)
    assert done.stdout.startswith("new: created no files; all are there, as handed out\n")


def test_a_link_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "new" / "student").mkdir(parents=True)
    (tmp_path / "new" / "student" / "peg1.py").symlink_to(tmp_path / "elsewhere.py")
    _, others = fill(tmp_path / "new", FILES)
    assert others == ["student/peg1.py"] and not (tmp_path / "elsewhere.py").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "new" / "student").mkdir(parents=True)
    os.mkfifo(tmp_path / "new" / "student" / "peg1.py")
    assert fill(tmp_path / "new", FILES)[1] == ["student/peg1.py"]


@pytest.mark.parametrize("at", ["", "student"])
def test_a_file_where_a_folder_should_be(at: str, tmp_path: Path) -> None:
    place = tmp_path / "new" / at
    place.parent.mkdir(exist_ok=True)
    place.write_text("mine")
    with pytest.raises(InputError) as told:
        fill(tmp_path / "new", FILES)
    assert told.value.message == f"{place}: expected a folder, found a file"
    assert place.read_text() == "mine" and content(tmp_path / "new") in ({}, {at: b"mine"})


def test_half_a_file_is_not_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be taken for the student's own, and never be mended."""

    def on_full_disk(path: Path, mode: str) -> MagicMock:
        path.touch(exist_ok=False)
        file = mock_open()()
        file.write.side_effect = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return file

    monkeypatch.setattr(Path, "open", on_full_disk)
    with pytest.raises(InputError) as told:
        fill(tmp_path / "new", FILES)
    assert told.value.message.endswith("student/peg1.py: cannot be written: No space left on device")
    assert content(tmp_path / "new") == {}


# ---- poor machines -----------------------------------------------------------------------------


@pytest.mark.slow
def test_a_console_with_few_letters(released: Path, tmp_path: Path) -> None:
    """What a console cannot show is written as an escape, in a folder's name as in a program's output."""
    console = {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    done = grade_in(released, "start", "Übung пег", cwd=tmp_path, **console)
    assert (done.returncode, done.stderr) == (0, "")
    assert draw_board(find_board("english").board) in done.stdout
    assert done.stdout.startswith("Übung \\u043f\\u0435\\u0433: made ")
    shutil.copytree(paths.REFERENCE, tmp_path / "пег")
    done = grade_in(released, "client", "--student", "пег", cwd=tmp_path, **console)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u043f" in done.stdout


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root makes folders of another user")
def test_a_cache_folder_of_another_user_is_not_used(released: Path, tmp_path: Path) -> None:
    """Compiled code in it would be run, and what is old would be deleted."""
    (tmp_path / "peg-grade").symlink_to(tmp_path)
    os.chown(tmp_path / "peg-grade", 65534, -1, follow_symlinks=False)
    done = grade_in(released, "client", cwd=released, XDG_CACHE_HOME=str(tmp_path))
    assert f"{tmp_path / 'peg-grade'}: another user's; no result is kept" in done.stderr
    assert {each.name for each in tmp_path.rglob("*")} == {"peg-grade"}


def test_a_cache_folder_that_others_can_exchange_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They would rename it, and put a folder of their own there; also where a link leads."""
    (tmp_path / "open/.cache").mkdir(parents=True)
    (tmp_path / "link").symlink_to("open/.cache")
    for name in ("open/.cache", "link"):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / name))
        for mode, fault in ((0o777, "others may write there"), (0o1777, ""), (0o755, "")):
            (tmp_path / "open").chmod(mode)
            assert folders.make_cache() == (fault and f"{tmp_path / 'open'}: {fault}")
    if os.getuid() == 0:
        os.chown(tmp_path / "open", 1001, -1)
        assert folders.make_cache() == f"{tmp_path / 'open'}: another user's"


def test_a_cache_that_others_may_write_is_neither_made_nor_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They would put compiled code there, which is run, or a factor for all time limits."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "new" / "cache"))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "of-a-group"))
    umask = os.umask(0)
    try:
        assert folders.make_cache() == ""
    finally:
        os.umask(umask)
    root = tmp_path / "new" / "cache" / "peg-grade"
    assert os.environ["NUMBA_CACHE_DIR"] == str(root / "numba")
    made = [*(tmp_path / "new").rglob("*"), tmp_path / "new"]
    assert {each.name for each in made} == {"peg-grade", "numba", "cache", "new"}
    assert all(each.stat().st_mode & 0o066 == 0 for each in made)
    root.chmod(0o2775)  # as a former version made it
    assert (folders.make_cache(), root.stat().st_mode & 0o066) == ("", 0)
    for mode in (0o777, 0o1777):
        root.chmod(mode)
        assert folders.make_cache() == f"{root}: others may write there"
    root.chmod(0o700)
    monkeypatch.setattr(folders, "ROOM", 1 << 60)
    assert folders.make_cache() == f"{root}: the disk is full"


@pytest.mark.parametrize("lacks", ["a home", "a cache folder"])
def test_a_cache_folder_that_cannot_be_written(lacks: str, released: Path, tmp_path: Path) -> None:
    """Everything works but what needs the last results, and that is told."""
    (tmp_path / "file").write_text("")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    poor = {"TMPDIR": str(temporary), "XDG_CACHE_HOME": str(tmp_path / "file")}
    if lacks == "a home":
        poor |= {"HOME": str(tmp_path / "file"), "XDG_CACHE_HOME": ""}
    root = Path(poor["XDG_CACHE_HOME"] or tmp_path / "file" / ".cache") / "peg-grade"
    told = (
        f"{root}: cannot be written: Not a directory; no result is kept for the next command\n"
        "help: set XDG_CACHE_HOME to a folder that can be written\n"
    )
    done = grade_in(released, "start", "new", cwd=tmp_path, **poor)
    assert (done.returncode, done.stderr) == (0, told)
    shutil.copy(paths.REFERENCE / "client.py", tmp_path / "new" / "student")
    done = grade_in(released, "client", cwd=tmp_path / "new", **poor)
    assert (done.returncode, done.stderr) == (0, told)
    assert "client  10 / 10" in done.stdout
    done = grade_in(released, cwd=tmp_path / "new", **poor)
    assert "not graded yet" in done.stdout
    done = grade_in(released, "replay", "client", cwd=tmp_path / "new", **poor)
    assert (done.returncode, done.stderr.endswith(told)) == (2, True)
    assert list(temporary.iterdir()) == []


def test_a_folder_below_a_file(released: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = grade_in(released, "start", "file/new", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("file: expected a folder, found a file\nhelp: move it away, ")


# ---- what to type next -------------------------------------------------------------------------


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have this process believe that it is in a virtual environment of its own; return the environment."""
    environment = tmp_path / "tools" / "peg"
    (environment / "bin").mkdir(parents=True)
    (environment / "bin" / "grade").write_text("#!/bin/sh\n")
    (environment / "bin" / "grade").chmod(0o755)
    monkeypatch.setattr(sys, "prefix", str(environment))
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(environment / "bin"))
    monkeypatch.setenv("PATH", "/nowhere")
    for name in ("VIRTUAL_ENV", "UV"):
        monkeypatch.delenv(name, raising=False)
    wheel = {"url": "file:///home/ada/my%20files/x.whl", "archive_info": {}}
    monkeypatch.setattr(
        "importlib.metadata.distribution", lambda _: SimpleNamespace(read_text=lambda _: json.dumps(wheel))
    )
    return environment


def test_what_stays_is_typed_by_its_name(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert own_command() == (str(installed / "bin" / "grade"), "")  # not activated
    monkeypatch.setenv("PATH", str(installed / "bin"))
    assert own_command() == ("grade", "")
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("VIRTUAL_ENV", str(installed))
    assert own_command() == ("grade", "")
    monkeypatch.delenv("VIRTUAL_ENV")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "grade").symlink_to(installed / "bin" / "grade")
    monkeypatch.setenv("PATH", f"{installed / 'bin'}{os.pathsep}{tmp_path / 'bin'}")
    monkeypatch.setenv("UV", "/bin/uv")
    assert own_command() == ("grade", "")


def test_what_ran_once_is_to_be_installed(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(installed / "bin"))  # as uvx does
    monkeypatch.setenv("UV", "/bin/uv")
    assert own_command() == ("grade", "uv tool install '/home/ada/my files/x.whl'")
    monkeypatch.delenv("UV")
    (tmp_path / "pipx").mkdir()
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "pipx" / "cafe"))
    assert own_command() == ("grade", "pipx install '/home/ada/my files/x.whl'")
    monkeypatch.setattr(
        "importlib.metadata.distribution", lambda _: SimpleNamespace(read_text=lambda _: None)
    )
    assert own_command()[1] == "pipx install peg-solitaire"
