"""Levels in files: what is kept is what was computed, or it is refused; and the counts that come of it."""

import errno
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

from framework.board import BLOCKED, EMPTY, PEG
from framework.jumps import moves_of
from framework.verify import verify
from grader.oracle import memory
from grader.oracle.errors import OracleError
from grader.oracle.sets import Field, PositionSet
from grader.oracle.shape import Shape, image, shape_of
from grader.research import counts, level_files, watch, winnable
from grader.research.class_set import ClassSet, Layout
from grader.research.large_boards import SHAPES
from grader.research.level_files import (
    HEAD_BYTES,
    LevelFiles,
    ask_for_disk,
    load_record,
    make_room_in,
    save_record,
)
from support.plain_truth import random_shape_board, truth

BOARDS = Path(__file__).resolve().parent.parent / "boards"
RECTANGLE = Shape((row, col) for row in range(4) for col in range(5))


def silent(what: str, level: int, size: int) -> None:
    pass


@pytest.fixture
def some() -> PositionSet:
    field = Field(RECTANGLE, RECTANGLE.symmetries[:1])
    return field.of([0b111, 0b1011 << 3 ^ 0b111 << 3 ^ 0b111])


def damage(file: Path, at: int) -> None:
    text = bytearray(file.read_bytes())
    text[at] ^= 1
    file.write_bytes(text)


# ---- files -------------------------------------------------------------------------------------------------------


def test_a_level_is_read_as_it_was_written(tmp_path: Path, some: PositionSet) -> None:
    files = LevelFiles(tmp_path, "kind", "a question")
    assert not files.has(3)
    files.save(3, some)
    assert files.has(3) and files.count(3) == some.count
    read = files.load(3, some.level)
    assert read.count == some.count and np.array_equal(read.bits, some.bits)
    assert [file.name for file in files.folder.iterdir()] == ["03.level"]


def test_a_level_with_an_empty_megabyte_takes_no_space_for_it(tmp_path: Path, some: PositionSet) -> None:
    class Large:
        words, size = 5 * level_files.CHUNK + 3, 64 * (5 * level_files.CHUNK + 3)

    bits = np.zeros(Large.words, dtype=np.uint64)
    bits[[7, -1]] = 5
    files = LevelFiles(tmp_path, "kind", "a question")
    files.save(0, PositionSet(Large, bits, 4))  # type: ignore[arg-type]
    assert np.array_equal(files.load(0, Large).bits, bits)  # type: ignore[arg-type]
    assert (files.folder / "00.level").stat().st_blocks * 512 < 3 << 20


@pytest.mark.parametrize(
    "harm",
    [
        lambda file: damage(file, 20),
        lambda file: damage(file, HEAD_BYTES),
        lambda file: damage(file, file.stat().st_size - 1),
        lambda file: file.write_bytes(file.read_bytes()[:-8]),
        lambda file: file.write_bytes(file.read_bytes()[:100]),
        lambda file: file.write_bytes(b""),
        lambda file: shutil.copy(file, file.with_name("04.level")) and file.unlink(),
    ],
    ids=["head", "first byte", "last byte", "shorter", "half a head", "empty", "another level"],
)
def test_a_damaged_level_is_refused(
    harm: Callable[[Path], object], tmp_path: Path, some: PositionSet
) -> None:
    files = LevelFiles(tmp_path, "kind", "a question")
    files.save(3, some)
    harm(files.folder / "03.level")
    number = 3 if files.has(3) else 4
    with pytest.raises(OracleError, match=r"0\d\.level: not used: it") as error:
        files.load(number, some.level)
    assert error.value.help == f"remove {files.folder}; it is computed again"


def test_a_level_of_another_engine_is_refused(
    tmp_path: Path, some: PositionSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = LevelFiles(tmp_path, "kind", "a question")
    files.save(3, some)
    monkeypatch.setattr("grader.oracle.keep.ENGINE", "another")
    with pytest.raises(OracleError, match="another version of the engine"):
        files.count(3)


def test_a_full_disk_leaves_no_file(
    tmp_path: Path, some: PositionSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, target: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    files = LevelFiles(tmp_path, "kind", "a question")
    with pytest.raises(OracleError, match=r"03\.level: not written: No space left on device"):
        files.save(3, some)
    with pytest.raises(OracleError, match=r"row\.json: not written"):
        save_record(tmp_path / "row.json", {})
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == []


def test_an_array_on_a_full_disk_is_refused_before_it_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = make_room_in(tmp_path / "levels")((5, 2))
    room[:] = 7
    assert room.dtype == np.uint64 and room.sum() == 70 and list((tmp_path / "levels").iterdir()) == []

    def full(file: int, offset: int, size: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.posix_fallocate", full)
    with pytest.raises(OracleError, match=r"levels: not written: No space left on device"):
        make_room_in(tmp_path / "levels")((5, 2))


def test_a_damaged_record_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "row.json"
    assert load_record(file) is None
    save_record(file, {"solutions": 12})
    assert load_record(file) == {"solutions": 12}
    file.write_text(file.read_text().replace("12", "13"))
    with pytest.raises(OracleError, match=r"row\.json: not used"):
        load_record(file)


def test_disk_and_memory_are_asked_for_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ask_for_disk(tmp_path / "not" / "there", 1)
    free = shutil.disk_usage(tmp_path).free
    with pytest.raises(OracleError, match=r"this may need .* MiB, and .* MiB are free"):
        ask_for_disk(tmp_path / "not" / "there", 2 * free)
    monkeypatch.setattr(memory, "available", lambda: 1000)
    (pair, *_) = counts.pairs_of(Shape(SHAPES["square"]))
    with pytest.raises(OracleError, match=r"MiB of memory"):
        list(counts.count_pair(Shape(SHAPES["square"]), pair, tmp_path, watch.Watch(1)))
    assert list(tmp_path.iterdir()) == []


def test_time_left_is_told_by_the_pace_so_far(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter([0.0, 0.0, 30.0, 40.0, 300.0])
    monkeypatch.setattr(watch.time, "monotonic", lambda: next(clock))
    progress = watch.Watch(1000)
    progress.title = "1/2"
    for level, size in enumerate((100, 50, 100, 1)):
        progress("reached", level, size)  # the third comes too soon to be shown
    assert capsys.readouterr().err.splitlines() == [
        "1/2: reached, level 0; 0 s",
        "1/2: reached, level 1; 30 s, about 4 min left",
        "1/2: reached, level 3; 5 min, about 15 min left",
    ]


def test_large_counts_are_printed_to_the_last_digit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {"problem": "0,0-0,0", "winning": [1, 1], "solutions": 87_453_945_590_436_520_992_624, "moves": 16,
           "best": 137_028, "cpu_s": 119.7, "peak_mib": 7291.3}  # fmt: skip
    monkeypatch.setattr(counts, "count_pair", lambda *_: iter([row]))
    monkeypatch.setattr(
        sys, "argv", ["counts", str(BOARDS / "one-jump.txt"), str(tmp_path), "--only", "3,2-3,2"]
    )
    assert counts.main() == 0
    assert capsys.readouterr().out.splitlines()[2].split() == [
        "0,0-0,0", "16", "87,453,945,590,436,520,992,624", "137,028", "2", "120", "7,291",
    ]  # fmt: skip


def test_problems_stand_with_their_reverse() -> None:
    french = Shape(SHAPES["french"])
    pairs = counts.pairs_of(french)
    assert [len(pair) for pair in pairs] == [2, 2, 1, 1, 2, 1, 1]
    assert sum(map(len, counts.pairs_of(Shape(SHAPES["square"])))) == 21
    (goals,) = winnable.solvable_classes(Shape(SHAPES["diamond"]))
    assert len(goals) == 5


# ---- counts beside the plain truth -------------------------------------------------------------------------------


def counted(shape: Shape, root: Path) -> dict[str, dict[str, object]]:
    clock = watch.Watch(1)
    return {
        row["problem"]: row
        for pair in counts.pairs_of(shape)
        for row in counts.count_pair(shape, pair, root, clock)
    }


def true_row(shape: Shape, problem: str) -> dict[str, object]:
    """What the plain search says of the problem ROW,COL-ROW,COL."""
    vacancy, last = (tuple(map(int, hole.split(","))) for hole in problem.split("-"))
    board = shape.board(shape.full)
    board[vacancy] = EMPTY
    known = truth(board, [last])
    return {
        "winning": known.winning.raw,
        "solutions": known.solutions,
        "moves": known.fewest_moves,
        "best": known.optimal_solutions,
    }


def small_shapes() -> list[Shape]:
    random = Random(41)
    found = [Shape((row, col) for row in range(4) for col in range(4)), Shape(SHAPES["square"][:18])]
    while len(found) < 12:
        board = random_shape_board(random)
        shape = shape_of(board)
        if 10 <= len(shape.holes) <= 16 and counts.pairs_of(shape):
            found.append(shape)
    return found


@pytest.mark.slow
def test_every_problem_of_small_boards_beside_the_plain_truth(tmp_path: Path) -> None:
    """Forwards and backwards, read again from files, too; some of the problems have solutions."""
    solved = 0
    for number, shape in enumerate(small_shapes()):
        rows = counted(shape, tmp_path / str(number))
        for name, row in rows.items():
            wanted = true_row(shape, name)
            assert {each: row[each] for each in wanted} == wanted, (shape.holes, name)
            solved += row["moves"] is not None
        assert counted(shape, tmp_path / str(number)) == rows
    assert solved > 10


# ---- all positions that can win ----------------------------------------------------------------------------------


def winning_by_pegs(shape: Shape, goals: list[int]) -> list[tuple[int, int]]:
    """Count the positions that can be played to the goals, by taking jumps back from each one."""
    known, waiting = set(goals), list(goals)
    while waiting:
        complement = shape.full ^ waiting.pop()
        for after in shape.after_jumps(complement):
            if shape.full ^ after not in known:
                known.add(shape.full ^ after)
                waiting.append(shape.full ^ after)
    group = shape.symmetries_that_keep(goals)
    least = {min(image(symmetry, position) for symmetry in group) for position in known}
    return [
        tuple(sum(each.bit_count() == pegs for each in some) for some in (least, known))
        for pegs in range(len(shape.holes) + 1)
    ]


def shapes_of_all_sizes() -> list[Shape]:
    """From three holes on, with and without holes that no jump goes over, in one piece and in several."""
    random = Random(59)
    cells = [(row, col) for row in range(5) for col in range(5)]
    plus = [(row, col) for row, col in cells if row in (1, 2, 3) or col in (1, 2, 3)]
    small = [Shape(cells[:3]), Shape((row, col) for row in range(2) for col in range(4)), Shape(plus)]
    return small + [Shape(random.sample(cells, size)) for size in range(4, 18)]


def test_positions_that_can_win_beside_jumps_taken_back() -> None:
    """One by one on small boards, for every class of a single peg."""
    one_pass = []
    for shape in shapes_of_all_sizes():
        for class_ in sorted({*shape.codes}):
            goals = [1 << hole for hole, code in enumerate(shape.codes) if code == class_]
            assert ClassSet(shape, goals, silent).count() == winning_by_pegs(shape, goals), shape.holes
        one_pass.append(Layout(shape).weights()[1])
    assert set(one_pass) == {True, False}


def test_the_diamond_needs_one_pass() -> None:
    """Each jump lowers the weights' sum, so no block comes before one that it depends on."""
    layout = Layout(Shape(SHAPES["diamond"]))
    weights, once = layout.weights()
    assert once
    for _, _, needed, cells in layout.shape.jumps:
        signs = [(needed >> hole & 1) * 2 - 1 if cells >> hole & 1 else 0 for hole in layout.outer]
        assert sum(sign * weight for sign, weight in zip(signs, weights, strict=True)) > 0


def test_the_square_can_be_solved_in_16_moves() -> None:
    """The solution that the command found for 0,0 to 0,0, played by the rules alone."""
    cells = """
        0200 0402 2101 0103 2321 2022 2523 2321 0020 2022 2202 0204 0424 4121 3331 3111 3533
        5232 3234 5535 0525 2545 5355 5535 3533 3353 5052 5254 5434 3414 1412 1210 4020 2000
    """
    jumps = [tuple(map(int, each)) for each in cells.split()]
    board = np.full((8, 8), BLOCKED, dtype=np.int8)
    board[:6, :6] = PEG
    board[0, 0] = EMPTY
    seen = verify(board, jumps)
    assert seen.solved and jumps[-1][2:] == (0, 0) and len(moves_of(jumps)) == 16


# ---- the command -------------------------------------------------------------------------------------------------


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "grader.research.counts", *map(str, arguments)]


@pytest.mark.slow
def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    """Killed after its first large level, it reads that one again; a damaged one is refused, with exit status 2."""
    asked = command(BOARDS / "english.txt", tmp_path / "levels", "--only", "0,3-3,3")
    with subprocess.Popen(asked, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        deadline = time.monotonic() + 600
        while not (large := list(tmp_path.rglob("10.level"))):
            assert run.poll() is None and time.monotonic() < deadline
            time.sleep(0.01)
        run.send_signal(signal.SIGKILL)
    written = large[0].stat().st_mtime_ns
    again = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert large[0].stat().st_mtime_ns == written
    assert "10,215,411,760,019,992" in again.stdout
    assert [line.split()[:2] for line in again.stdout.splitlines()[2:]] == [
        ["0,3-3,3", "18"],
        ["3,3-0,3", "17"],
    ]
    (tmp_path / "levels" / "3,3-0,3.json").unlink()
    damage(large[0], large[0].stat().st_size - 1)
    refused = subprocess.run(asked, capture_output=True, text=True)
    assert refused.returncode == 2 and refused.stdout == ""
    assert "10.level: not used: its bits" in refused.stderr and "Traceback" not in refused.stderr


def test_wrong_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = tmp_path / "pair.txt"
    pair.write_text("* * . . . . . .\n" + ". . . . . . . .\n" * 7)
    for arguments, message in (
        ([str(tmp_path / "none.txt"), str(tmp_path)], "none.txt: No such file"),
        (
            ["square", str(tmp_path), "--only", "0,0-0,1"],
            "--only 0,0-0,1: no such problem\nhelp: name one of 1,1-",
        ),
        ([str(pair), str(tmp_path)], "the classes exclude every problem"),
    ):
        monkeypatch.setattr(sys, "argv", ["counts", *arguments])
        assert counts.main() == 2
        assert message in capsys.readouterr().err
    lonely = tmp_path / "lonely.txt"
    lonely.write_text("* . . . . . . .\n" + ". . . . . . . .\n" * 7)
    for board, message in (
        (str(lonely), "no class has both a single peg and a single vacancy\nhelp: choose another board"),
        (
            "octagon",
            "octagon: No such file or directory\nhelp: name french, square, diamond, or a board's file",
        ),
    ):
        monkeypatch.setattr(sys, "argv", ["winnable", board])
        assert winnable.main() == 2
        assert message in capsys.readouterr().err


def test_positions_that_can_win_are_printed_by_their_pegs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["winnable", str(BOARDS / "plus.txt")])
    assert winnable.main() == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "positions from which one peg can be left at 2,4, 5,4"
    assert lines[1].split("  ")[-1].strip() == "of the class" and lines[6].split() == ["5", "11", "19", "164"]
    assert len(lines) == 12  # 1 to 10 pegs
