"""What the engine keeps on disk is believed only when it is whole, and nothing depends on it."""

import errno
import os
import subprocess
import sys
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

ARRAYS = {
    "bits": np.array([0, 5, 0, 0, 1 << 63, 0, 7], dtype=np.uint64),
    "square": np.array([[1, 0], [-3, 4]], dtype=np.int16),
    "nothing": np.zeros(0, dtype=np.uint32),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test an empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "peg-grade" / "oracle"


def only_file(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def is_there(key: str) -> bool:
    """Return whether the arrays are kept, after checking that they are as they were."""
    found = keep.load(key)
    if found is not None:
        assert list(found) == list(ARRAYS)
        for name, array in ARRAYS.items():
            np.testing.assert_array_equal(found[name], array, strict=True)
    return found is not None


# --- One file -------------------------------------------------------------------------


def test_arrays_come_back_as_they_were(folder: Path) -> None:
    assert not is_there("a")
    keep.save("a", ARRAYS)
    assert is_there("a") and not is_there("b")
    keep.save("a", {"bits": ARRAYS["bits"][:1]})
    replaced = keep.load("a")
    assert replaced is not None and list(replaced) == ["bits"]
    assert len(list(folder.iterdir())) == 1


def test_harm_anywhere_is_noticed(folder: Path) -> None:
    keep.save("a", ARRAYS)
    file = only_file(folder)
    whole = file.read_bytes()
    harmed = [whole + b"\0"]
    for at in range(len(whole)):
        harmed += [whole[:at], whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :]]
    for data in harmed:
        file.write_bytes(data)
        assert not is_there("a")
    file.write_bytes(whole)
    assert is_there("a")


def test_every_change_of_the_engine_is_another_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep.save("a", ARRAYS)
    (tmp_path / "new.py").write_text("#")
    monkeypatch.setattr(paths, "ORACLE", tmp_path)
    monkeypatch.setattr(keep, "ENGINE", keep._engine())
    assert not is_there("a")


def test_what_is_no_file_is_left_alone(folder: Path) -> None:
    keep.save("a", ARRAYS)
    file = only_file(folder)
    file.unlink()
    file.mkdir()
    assert not is_there("a")
    keep.save("a", ARRAYS)
    assert list(folder.iterdir()) == [file]
    file.rmdir()
    os.mkfifo(file)
    assert not is_there("a")  # without waiting for somebody who writes
    keep.save("a", ARRAYS)
    assert is_there("a")


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
        [(Path, "mkdir", READ_ONLY), (os, "utime", READ_ONLY)],
        [(os, "replace", raises(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))))],
        [(keep, "LEFT_FREE", 1 << 62)],
        [(keep, "MOST_BYTES", 100)],
    ],
)
def test_where_nothing_can_be_kept_nothing_is(
    patches: list[tuple[Any, str, Any]], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        for of, name, value in patches:
            patch.setattr(of, name, value)
        keep.save("a", ARRAYS)
        assert not is_there("a")
    assert not folder.exists() or not list(folder.iterdir())


def test_what_was_not_used_for_longest_goes_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep.save("a", ARRAYS)
    first = only_file(folder)
    monkeypatch.setattr(keep, "MOST_BYTES", 2 * first.stat().st_size)
    keep.save("b", ARRAYS)
    for file in folder.iterdir():
        os.utime(file, (time.time() - 60,) * 2)
    assert is_there("a")
    keep.save("c", ARRAYS)
    assert [is_there(key) for key in "abc"] == [True, False, True]


WRITER = """
import sys
import numpy as np
from grader.oracle import keep
for _ in range(60):
    keep.save("a", {"bits": np.full(100_000, int(sys.argv[1]), dtype=np.uint64)})
"""


def test_two_processes_may_write_and_a_third_may_read(folder: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, number]) for number in "12"]
    seen = set()
    try:
        written = False
        while not written:
            written = all(writer.poll() is not None for writer in writers)  # then it is read once more
            loaded = keep.load("a")
            if loaded is not None:
                (value,) = np.unique(loaded["bits"])
                assert loaded["bits"].shape == (100_000,)
                seen.add(int(value))
    finally:
        for writer in writers:
            writer.wait(300)
    assert [writer.returncode for writer in writers] == [0, 0]
    assert seen and seen <= {1, 2}
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
    board = read_board(paths.BOARDS / f"{request.param}.txt")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keep, "load", lambda key: None)
        patch.setattr(keep, "save", lambda key, arrays: None)
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


def test_quick_answers_are_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endings, "WORTH_S", float("inf"))
    asked_anew(read_board(paths.BOARDS / "lopsided.txt"))
    assert not folder.exists()
