"""Both wheels, the instructor's and the student's: built, looked into, and installed into empty environments.

Nothing is fetched: the libraries come from the environment of the tests.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from framework.board import draw_board
from grader import paths
from grader.catalog.boards import find_board
from grader.errors import InputError
from grader.release.packing import build_wheel, not_released, wheel_files
from grader.release.release import release_files
from support.command import ROOT, grade

pytestmark = pytest.mark.slow

INSTRUCTORS = ("reference", "oracle", "making", "course", "research", "exports", "release")
LIBRARIES = sysconfig.get_path("purelib")
NO_LIBRARY = "click icontract numba numpy psutil pyseccomp pyyaml tabulate flask jinja2 watchfiles"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with both wheels, and the student's folder as released."""
    folder = tmp_path_factory.mktemp("wheels")
    done = grade("release", str(folder / "made"), "--wheel")
    assert done.returncode == 0, done.stderr
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    return folder


def wheel(built: Path, name: str) -> Path:
    (found,) = built.glob(f"{name}-*.whl")
    return found


def in_folder(folder: Path, *words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run a command in a folder, as from a terminal in which no environment is active."""
    kept = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")}
    return subprocess.run(
        words, cwd=folder, capture_output=True, text=True, check=False, env={**kept, **environment}
    )


def tool(name: str) -> str:
    """Return the path of a command that the tests' environment has, such as uv."""
    found = shutil.which(name, path=sysconfig.get_path("scripts"))
    assert found is not None, f"{name} is missing: make .venv/installed-dev"
    return found


def installed(folder: Path, file: Path, by: str) -> Path:
    """Return the folder of commands of a new environment in which a wheel alone is installed.

    The libraries are found in the tests' own environment, but not what is installed there by a path: that
    would be this very project.
    """
    if by == "uv":
        made = in_folder(
            folder, tool("uv"), "venv", "--quiet", "--offline", "--python", sys.executable, "env"
        )
        assert made.returncode == 0, made.stderr
        words = [tool("uv"), "pip", "install", "--offline", "--python", "env"]
    else:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "env")], check=True)
        words = [sys.executable, "-m", "pip", "--python", "env", "install"]
    done = in_folder(folder, *words, "--quiet", "--no-index", "--no-deps", str(file))
    assert done.returncode == 0, done.stderr
    (site,) = folder.glob("env/lib/python*/site-packages")
    assert {path.name for path in site.iterdir() if not path.name.startswith("_virtualenv")} == {
        "framework", "grader", f"{file.name.removesuffix('-py3-none-any.whl')}.dist-info"
    }  # fmt: skip
    (site / "libraries.pth").write_text(LIBRARIES)
    return folder / "env" / "bin"


# ---- what is in them ---------------------------------------------------------------------------


def test_the_student_s_wheel_has_what_the_release_has(built: Path) -> None:
    """And so no solution, no oracle, no course: what is released is listed, and checked for leaks."""
    inside = wheel_files(wheel(built, "peg_solitaire_course").read_bytes())
    assert not [name for name in inside if name.startswith(tuple(f"grader/{room}" for room in INSTRUCTORS))]
    assert {name.partition("/")[0] for name in inside} == {
        "framework", "grader", f"peg_solitaire_course-{version()}.dist-info"
    }  # fmt: skip
    files = release_files()
    for name in ("framework/board.py", "grader/cli.py", "grader/stubs/peg5.py", "grader/handed_out.txt"):
        assert inside[name] == files[name]
    for name in ("boards/english.txt", "boards/index.yaml", "handouts/peg1.md", "LICENSE"):
        assert inside[f"grader/{name}"] == files[name]
    assert {name for name in files if name.startswith(("framework/", "grader/"))} < set(inside)
    assert "grade = grader.cli:main" in inside[f"peg_solitaire_course-{version()}.dist-info/entry_points.txt"]


def version() -> str:
    return grade("--version").stdout.split()[1]


def test_the_instructor_s_wheel_keeps_the_rest(built: Path) -> None:
    with zipfile.ZipFile(wheel(built, "peg_solitaire")) as archive:
        names = archive.namelist()
    for room in INSTRUCTORS:
        assert any(name.startswith(f"grader/{room}/") for name in names)
    assert "grader/release/files/files.txt" in names and "grader/handouts/instructor/course.md" in names
    assert {name.partition("/")[0] for name in names} == {
        "framework", "grader", f"peg_solitaire-{version()}.dist-info"
    }  # fmt: skip


def test_what_is_not_released_stops_a_wheel() -> None:
    files = {"framework/board.py": "a", "boards/english.txt": "b", "README.md": "c"}
    inside = {"framework/board.py": "a", "grader/boards/english.txt": "b", "x-1.dist-info/METADATA": "d"}
    assert list(not_released(inside, files)) == []
    for name, text in (
        ("grader/oracle/walk.py", "a"),
        ("framework/board.py", "b"),
        ("grader/README.md", "c"),
    ):
        (fault,) = not_released({**inside, name: text}, files)
        assert fault.message == f"{name}: is in the wheel, but not in the release"


def test_a_private_board_stops_a_wheel(tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    shutil.copy(paths.BOARDS / "key.txt", tmp_path / "private")
    done = grade("release", str(tmp_path / "made"), "--wheel", "--private", str(tmp_path / "private"))
    assert done.returncode == 2 and "is the private board" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["private"]


def test_without_hatchling_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hatchling.builders.wheel", None)
    with pytest.raises(InputError) as told:
        build_wheel({})
    assert told.value.help == "pip install hatchling"


# ---- installed ---------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["pip", pytest.param("uv", marks=pytest.mark.whole)])
def test_a_student_s_first_commands(by: str, built: Path, tmp_path: Path) -> None:
    """From the wheel to full marks for a task, in an environment that nothing is written into."""
    bin = installed(tmp_path, wheel(built, "peg_solitaire_course"), by)
    command = str(bin / "grade")
    before = files_of(tmp_path / "env")
    done = in_folder(tmp_path, command, "start", "my-pegs")
    assert (done.returncode, done.stderr) == (0, "")
    assert draw_board(find_board("english").board) in done.stdout
    assert done.stdout.splitlines()[-1] == f"next: cd my-pegs, then: {command}"
    mine = tmp_path / "my-pegs"
    done = in_folder(mine, command)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == (
        "0 / 100   next: open student/client.py (handouts/client.md), then: grade client"
    )
    shutil.copy(paths.REFERENCE / "client.py", mine / "student")
    shutil.copy(paths.REFERENCE / "peg1.py", mine / "student")
    done = in_folder(mine, command, "client", "peg1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "not as handed out" not in done.stdout
    done = in_folder(mine, command, "peg1", "-d", "--board", "german")
    assert done.returncode == 0, done.stderr
    for words in (["show", "english"], ["hint", "peg1"], ["replay", "peg1", "german"], ["pegmark"]):
        done = in_folder(mine, command, *words)
        assert (done.returncode, done.stderr) == (0, ""), words
    assert in_folder(mine, command, "--version").stdout == f"grade {version()} (peg-solitaire-course)\n"
    for words in (["release", "x"], ["class", "x"], ["peg1", "--reference"]):
        done = in_folder(mine, command, *words)
        assert done.returncode == 2 and "not part of this release" in done.stderr
    assert files_of(tmp_path / "env") == before


def files_of(folder: Path) -> dict[str, float]:
    """Return when each file was last changed; Python's own bytecode does not count."""
    return {
        str(path): path.stat().st_mtime
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.parametrize("by", [pytest.param("pip", marks=pytest.mark.whole), "uv"])
def test_an_instructor_s_first_commands(by: str, built: Path, tmp_path: Path) -> None:
    bin = installed(tmp_path, wheel(built, "peg_solitaire"), by)
    done = in_folder(tmp_path, str(bin / "grade"), "client", "--reference")
    assert (done.returncode, done.stderr) == (0, "")
    done = in_folder(tmp_path, str(bin / "grade"), "release", "made", "--wheel")
    assert done.returncode == 0, done.stderr
    name = wheel(built, "peg_solitaire_course").name
    assert (tmp_path / name).read_bytes() == (built / name).read_bytes()
    done = in_folder(tmp_path, str(bin / "grade"), "start", "my-pegs")
    assert done.returncode == 0 and (tmp_path / "my-pegs" / "student" / "client.py").is_file()


def test_uvx_makes_the_folder_and_says_how_to_keep_the_command(built: Path, tmp_path: Path) -> None:
    """Without a network, so that the libraries are left out, and found in the tests' environment."""
    file = wheel(built, "peg_solitaire_course")
    (tmp_path / "none.txt").write_text(
        "".join(f"{each}; python_version < '3'\n" for each in NO_LIBRARY.split())
    )
    words = (
        "--offline",
        "--no-index",
        "--overrides",
        "none.txt",
        "--python",
        sys.executable,
        "--from",
        str(file),
    )
    done = in_folder(
        tmp_path, tool("uvx"), *words, "grade", "start", "my-pegs",
        UV_CACHE_DIR=str(tmp_path / "cache"), PYTHONPATH=LIBRARIES,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert draw_board(find_board("english").board) in done.stdout
    assert done.stdout.splitlines()[-2] == f"  uv tool install {file}"
    assert done.stdout.splitlines()[-1] == "next: cd my-pegs, then: grade"
    assert (tmp_path / "my-pegs" / "student" / "peg5.py").is_file()
