"""Whatever a user names as a file, it is read in bounded time and memory, or refused by name."""

import json
import os
import resource
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from grader import folders, paths
from grader.catalog.tasks import registry
from grader.errors import InputError
from grader.submissions import submission as submissions
from grader.submissions.source_file import SubmissionFault, decode_source
from grader.submissions.submission import Submission, digest_of

READ_ALL = """
import json, sys
from pathlib import Path
from grader.catalog import boards, yaml_file
from grader.course.handins.roster_file import read_roster
from grader.errors import InputError
readers = {
    "board": boards.read_board_file,
    "index": lambda path: yaml_file.read_mapping(path, "-"),
    "policy": lambda path: yaml_file.read_entry(path, "-"),
    "roster": read_roster,
    "named": lambda path: boards.find_board(str(path)),
}
told = {}
for path in map(Path, sys.argv[1:]):
    for name, read in readers.items():
        try:
            read(path)
        except InputError as error:
            told[f"{name} {path.name}"] = error.message
print(json.dumps(told))
"""
MEMORY = 4 << 30  # bytes of addresses, most of which the libraries take


def test_only_regular_files_of_a_bounded_size_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "folder.txt").mkdir()
    (tmp_path / "zero.txt").symlink_to("/dev/zero")
    (tmp_path / "loop.txt").symlink_to("loop.txt")
    (tmp_path / "large.txt").touch()
    os.truncate(tmp_path / "large.txt", 10 << 30)  # one large hole
    files = sorted(tmp_path.iterdir())
    done = subprocess.run(
        [sys.executable, "-c", READ_ALL, *files],
        capture_output=True,
        timeout=300,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )
    expected = {
        "pipe": "expected a file, found a pipe",
        "folder": "expected a file, found a folder",
        "zero": "expected a file, found a special file",
        "loop": "cannot be read: Too many levels of symbolic links",
        "large": "expected at most 1 MiB, found 10,485,760 KiB",
    }
    told = json.loads(done.stdout)
    assert told.keys() == {
        f"{reader} {file.name}"
        for reader in ("board", "index", "policy", "roster", "named")
        for file in files
    }
    for place, message in told.items():
        reader, _, name = place.partition(" ")
        wanted = expected[name.removesuffix(".txt")]
        if reader == "roster":
            wanted = wanted.replace("1 MiB", "20 MiB")
        assert message == f"{tmp_path / name}: {wanted}"


def test_a_file_that_is_larger_than_it_says(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    assert folders.read_file(tmp_path / "a", "-", 5) == b"12345"
    for name in (tmp_path / "a", Path("/proc/self/status")):  # the size of which is said to be 0
        with pytest.raises(InputError, match=f"^{name}: expected at most 0 KiB, found "):
            folders.read_file(name, "-", 4)


def test_a_student_s_file_of_gigabytes_is_not_read_for_its_digest(tmp_path: Path) -> None:
    missing = digest_of(tmp_path, registry().find("peg1"))
    (tmp_path / "peg1.py").touch()
    os.truncate(tmp_path / "peg1.py", 10 << 30)
    assert digest_of(tmp_path, registry().find("peg1")) == missing


def test_a_digest_depends_on_what_the_course_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else `grade` would say "full marks" of what a new release asks."""
    monkeypatch.setattr(paths, "BOARDS", shutil.copytree(paths.BOARDS, tmp_path / "boards"))
    task = registry().find("peg1")
    found = {digest_of(tmp_path, task), digest_of(tmp_path, replace(task, cpu_s=task.cpu_s / 2))}
    for name in ("haystack.txt", "stuck.txt", "index.yaml"):  # the first is no board of peg1
        with (tmp_path / "boards" / name).open("a") as file:
            file.write("\n")
        found.add(digest_of(tmp_path, task))
    assert len(found) == 4


def test_no_copy_of_the_course_takes_another_copys_compiled_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For numba it belongs to paths and a processor; elsewhere each process would compile all of it again."""
    submission = Submission("", {"peg1.py": "def peg_solve(board, stack): return 1"})
    here = submission.digest
    assert here == submission.digest
    assert replace(submission, kept=tmp_path).digest != here
    monkeypatch.setattr(paths, "FRAMEWORK_ROOT", tmp_path)
    moved = submission.digest
    monkeypatch.setattr(submissions, "what_compiles", lambda: "another processor")
    assert len({here, moved, submission.digest}) == 3


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        (b"", "student/peg2.py: the file is empty"),
        ("x = 1\n".encode("utf-16-le"), "student/peg2.py: expected UTF-8 text, found UTF-16"),
        ("x = 1\n".encode("utf-16"), "student/peg2.py: expected UTF-8 text, found UTF-16"),
        (rb"{\rtf1\ansi x = 1}", "student/peg2.py: expected a Python program, found RTF"),
        (b"<!DOCTYPE html><p>x", "student/peg2.py: expected a Python program, found a page in HTML"),
        (b"\n```python\nx = 1\n```\n", "student/peg2.py: expected a Python program, found Markdown"),
        (b"a = 1\n<<<<<<< HEAD\nb\n", "student/peg2.py: expected a Python program, found markers of a merge"),
    ],
)
def test_what_is_no_program_is_called_by_its_name(raw: bytes, found: str) -> None:
    with pytest.raises(SubmissionFault) as caught:
        decode_source("student/peg2.py", raw)
    assert caught.value.message == found


def test_a_mark_before_a_board_is_no_cell(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_bytes(b"\xef\xbb\xbf" + b". . . * . . . .\n" * 8)
    assert folders.read_file(tmp_path / "b.txt", "").startswith(b". .")
