"""What the engine keeps on disk is believed only when it is whole, and nothing depends on it."""

import errno
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from framework.board import Board, read_board
from framework.jumps import Jump
from grader import oracle, paths
from grader.oracle import endings, keep

pytestmark = pytest.mark.slow

BOARDS = Path(__file__).resolve().parent.parent / "boards"
ARRAYS = {
    "bits": np.array([0, 5, 0, 0, 1 << 63, 0, 7], dtype=np.uint64),
    "square": np.array([[1, 0], [-3, 4]], dtype=np.int16),
    "flags": np.array([True, False, True]),
    "nothing": np.zeros(0, dtype=np.uint32),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test an empty cache and the first warning."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(keep, "_reported", [])
    return tmp_path / "peg-grade" / "oracle"


def only_file(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def assert_same(found: dict[str, np.ndarray] | None) -> None:
    assert found is not None
    assert list(found) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array, strict=True)


# --- One file -------------------------------------------------------------------------


def test_arrays_come_back_as_they_were(folder: Path) -> None:
    assert keep.load("test", "a") is None
    keep.save("test", "a", ARRAYS)
    assert_same(keep.load("test", "a"))
    assert keep.load("test", "b") is None
    assert keep.load("other", "a") is None
    loaded = keep.load("test", "a")
    assert loaded is not None
    loaded["bits"][0] = 1  # an array of its own, not a view of what cannot be written
    keep.save("test", "a", {"bits": ARRAYS["bits"][:1]})
    replaced = keep.load("test", "a")
    assert replaced is not None and list(replaced) == ["bits"]
    assert len(list(folder.iterdir())) == 1


def test_many_random_arrays_come_back() -> None:
    random = np.random.default_rng(1)
    for size in (0, 1, 7, 8, 9, 63, 64, 65, 1000):
        for share in (0.0, 0.2, 1.0):
            array = random.integers(0, 1 << 63, size, dtype=np.uint64) * (random.random(size) < share)
            keep.save("test", "a", {"bits": array})
            loaded = keep.load("test", "a")
            assert loaded is not None
            np.testing.assert_array_equal(loaded["bits"], array, strict=True)


def test_a_flipped_bit_anywhere_is_noticed(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    keep.save("test", "a", ARRAYS)
    file = only_file(folder)
    whole = file.read_bytes()
    for at in range(len(whole)):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
        assert keep.load("test", "a") is None, at
    assert [record.getMessage() for record in caplog.records] == [
        f"{file}: not used, it is corrupt; it will be rebuilt"
    ]
    file.write_bytes(whole)
    assert_same(keep.load("test", "a"))


def test_a_file_that_is_cut_short_or_goes_on_is_noticed(folder: Path) -> None:
    keep.save("test", "a", ARRAYS)
    file = only_file(folder)
    whole = file.read_bytes()
    for length in range(len(whole)):
        file.write_bytes(whole[:length])
        assert keep.load("test", "a") is None, length
    file.write_bytes(whole + b"\0")
    assert keep.load("test", "a") is None
    assert not file.exists()  # so that the next process need not report it


def test_a_file_of_another_question_is_noticed(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    keep.save("test", "b", ARRAYS)
    other = only_file(folder)
    keep.save("test", "a", ARRAYS)
    (mine,) = set(folder.iterdir()) - {other}
    shutil.copy(other, mine)
    assert keep.load("test", "a") is None
    assert [record.getMessage() for record in caplog.records] == [
        f"{mine}: not used, it answers another question; it will be rebuilt"
    ]
    assert_same(keep.load("test", "b"))


@pytest.mark.parametrize("what", ["FORMAT", "ENGINE"])
def test_another_version_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(keep, what, b"peg-grade kept 0\n" if what == "FORMAT" else "0" * 64)
        keep.save("test", "a", ARRAYS)
        assert_same(keep.load("test", "a"))
    old = only_file(folder)
    assert keep.load("test", "a") is None
    keep.save("test", "a", ARRAYS)
    (mine,) = set(folder.iterdir()) - {old}
    shutil.copy(old, mine)
    assert keep.load("test", "a") is None


def test_every_change_of_the_engine_is_another_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "oracle"
    shutil.copytree(paths.ORACLE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(paths, "ORACLE", copy)
    assert keep._engine() == keep.ENGINE
    with (copy / "kernels.py").open("a") as stream:
        stream.write("#")
    assert keep._engine() != keep.ENGINE


def test_what_is_no_file_is_left_alone(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    keep.save("test", "a", ARRAYS)
    file = only_file(folder)
    file.unlink()
    file.mkdir()
    assert keep.load("test", "a") is None
    keep.save("test", "a", ARRAYS)
    assert list(folder.iterdir()) == [file]
    file.rmdir()
    os.mkfifo(file)
    assert keep.load("test", "a") is None  # without waiting for somebody who writes
    keep.save("test", "a", ARRAYS)
    assert_same(keep.load("test", "a"))
    assert not caplog.records


def test_a_file_that_cannot_be_read_is_reported(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    keep.save("test", "a", ARRAYS)

    refuse = raises(PermissionError(errno.EACCES, os.strerror(errno.EACCES)))
    monkeypatch.setattr(Path, "read_bytes", refuse)
    file = only_file(folder)
    assert keep.load("test", "a") is None
    assert [record.getMessage() for record in caplog.records] == [
        f"{file}: not used, Permission denied; it will be rebuilt"
    ]


# --- No room --------------------------------------------------------------------------


def raises(error: Exception) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        raise error

    return refuse


READ_ONLY = raises(OSError(errno.EROFS, os.strerror(errno.EROFS)))


@pytest.mark.parametrize(
    "patches",
    [
        [(os, "environ", {**os.environ, "XDG_CACHE_HOME": __file__})],  # no folder
        [(os, "environ", {}), (Path, "home", raises(RuntimeError("Could not determine home directory.")))],
        [(tempfile, "mkstemp", READ_ONLY), (os, "utime", READ_ONLY)],
        [(os, "replace", raises(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))))],
        [(keep, "LEFT_FREE", 1 << 62)],
        [(keep, "MOST_BYTES", 100)],
    ],
)
def test_where_nothing_can_be_kept_nothing_is(
    patches: list[tuple[Any, str, Any]],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with monkeypatch.context() as patch:
        for of, name, value in patches:
            patch.setattr(of, name, value)
        keep.save("test", "a", ARRAYS)
        assert keep.load("test", "a") is None
    assert not caplog.records
    assert not folder.exists() or not list(folder.iterdir())


def test_what_was_not_used_for_longest_goes_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep.save("test", "a", ARRAYS)
    first = only_file(folder)
    size = first.stat().st_size
    monkeypatch.setattr(keep, "MOST_BYTES", 2 * size)
    hour_ago = time.time() - 3601
    os.utime(first, (hour_ago, hour_ago))
    keep.save("test", "b", ARRAYS)
    (second,) = set(folder.iterdir()) - {first}
    os.utime(second, (hour_ago, hour_ago))
    assert_same(keep.load("test", "a"))
    left_over, being_written = folder / ".old", folder / ".new"
    left_over.touch()
    os.utime(left_over, (hour_ago, hour_ago))
    being_written.touch()
    keep.save("test", "c", ARRAYS)
    assert not second.exists() and not left_over.exists()
    assert first.exists() and being_written.exists()
    assert_same(keep.load("test", "c"))


WRITER = """
import sys
import numpy as np
from grader.oracle import keep
for _ in range(60):
    keep.save("test", "a", {"bits": np.full(100_000, int(sys.argv[1]), dtype=np.uint64)})
"""


def test_two_processes_may_write_and_a_third_may_read(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, number]) for number in "12"]
    seen = set()
    try:
        written = False
        while not written:
            written = all(writer.poll() is not None for writer in writers)  # then it is read once more
            loaded = keep.load("test", "a")
            if loaded is not None:
                (value,) = np.unique(loaded["bits"])
                assert loaded["bits"].shape == (100_000,)
                seen.add(int(value))
    finally:
        for writer in writers:
            writer.wait(300)
    assert [writer.returncode for writer in writers] == [0, 0]
    assert seen and seen <= {1, 2}
    assert not caplog.records
    assert len(list(folder.iterdir())) == 1


# --- Answers --------------------------------------------------------------------------


@pytest.fixture
def all_kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep every level, however quickly it was made."""
    monkeypatch.setattr(endings, "WORTH_S", 0.0)
    endings.endings_of.cache_clear()
    yield
    endings.endings_of.cache_clear()


def asked_anew(board: Board) -> list[tuple[bool, Jump | None]]:
    """Say of the positions of a game whether they can win, and how, as a new process would."""
    answers = []
    board = np.array(board)
    while True:
        endings.endings_of.cache_clear()
        jump = oracle.hint(board)
        answers.append((oracle.can_win(board), jump))
        following = oracle.successors(board)
        if not following:
            return answers
        row, col, row_end, col_end = jump or following[0][0]
        board[row, col] = board[(row + row_end) // 2, (col + col_end) // 2] = 0
        board[row_end, col_end] = 1


@pytest.fixture(params=["lopsided", "4x5-corner"])
def game(request: pytest.FixtureRequest, all_kept: None, folder: Path) -> tuple[Board, list[Any]]:
    """A board and the answers that were found with nothing kept."""
    board = read_board(BOARDS / f"{request.param}.txt")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keep, "load", lambda kind, key: None)
        patch.setattr(keep, "save", lambda kind, key, arrays: None)
        answers = asked_anew(board)
    assert not folder.exists()
    return board, answers


def grown(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Return a list to which the levels that are grown from now on will be added."""
    found = []
    grow = endings.Endings._grow

    def count(self: endings.Endings, known: int, number: int) -> None:
        found.append((known, number))
        grow(self, known, number)

    monkeypatch.setattr(endings.Endings, "_grow", count)
    return found


def test_what_was_kept_is_not_made_again(
    game: tuple[Board, list[Any]], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, answers = game
    found = grown(monkeypatch)
    assert asked_anew(board) == answers
    made = len(found)
    assert made > 0 and list(folder.iterdir())
    assert asked_anew(board) == answers
    assert len(found) == made


def test_levels_grow_on_from_those_that_are_kept(
    game: tuple[Board, list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    board, answers = game
    pegs = int((board == 1).sum())
    asked_anew(board)
    for file in list((paths.cache_root() / "oracle").iterdir())[::2]:
        file.unlink()
    found = grown(monkeypatch)
    assert asked_anew(board) == answers
    assert found and all(0 <= known < number < pegs for known, number in found)


@pytest.mark.parametrize("harm", ["flip", "cut", "empty", "swap"])
def test_answers_are_right_after_any_harm(
    game: tuple[Board, list[Any]], folder: Path, harm: str, caplog: pytest.LogCaptureFixture
) -> None:
    board, answers = game
    asked_anew(board)
    files = sorted(folder.iterdir())
    contents = [file.read_bytes() for file in files]
    for number, (file, content) in enumerate(zip(files, contents, strict=True)):
        at = (number * 7919) % len(content)
        file.write_bytes(
            {
                "flip": content[:at] + bytes([content[at] ^ 16]) + content[at + 1 :],
                "cut": content[:at],
                "empty": b"",
                "swap": contents[number - 1],
            }[harm]
        )
    assert asked_anew(board) == answers
    assert len(caplog.records) == 1
    assert asked_anew(board) == answers


def test_quick_answers_are_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endings, "WORTH_S", float("inf"))
    asked_anew(read_board(BOARDS / "lopsided.txt"))
    assert not folder.exists()
