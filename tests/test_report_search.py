"""The searches of the report give its counts to the last board."""

from __future__ import annotations

import itertools
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from grader.reference import report_search
from grader.reference.report_search import (
    ORDERS,
    SearchOutcome,
    bidirectional_search,
    memoized_search,
    warm_up,
)

Board = npt.NDArray[np.int8]
Cell = tuple[int, int]

ENGLISH = ["  ***", "  ***", "*******", "***o***", "*******", "  ***", "  ***"]
FRENCH = ["  ***", " *****", "*******", "*******", "*******", " *****", "  ***"]
STEPS = {"D": (1, 0), "U": (-1, 0), "R": (0, 1), "L": (0, -1)}


def board_of(rows: list[str], *, row: int = 0, col: int = 0, hole: Cell | None = None) -> Board:
    """The rows ('*' peg, 'o' hole, else blocked) with their corner at (row, col)."""
    board = np.full((8, 8), -1, np.int8)
    for r, signs in enumerate(rows):
        for c, sign in enumerate(signs):
            board[row + r, col + c] = {"*": 1, "o": 0}.get(sign, -1)
    if hole is not None:
        board[hole] = 0
    return board


FRENCH3 = board_of(FRENCH, hole=(1, 3))


def cells_in_order(order: str) -> list[Cell]:
    cells = [(row, col) for row in range(8) for col in range(8)]
    if order == "normal":
        return cells
    inner = [cell for cell in cells if 7 not in cell]
    depth = {(r, c): min(min(r, 7 - r), min(c, 7 - c)) for r, c in inner}
    levels = range(6) if order == "out-in" else range(5, -1, -1)
    visited = [cell for level in levels for cell in inner if depth[cell] == level]
    return visited + [cell for cell in cells if 7 in cell]


def slow_search(board: Board, order: str, directions: str) -> SearchOutcome:
    """The report's search as simply as can be."""
    holes = {(int(r), int(c)) for r, c in zip(*np.nonzero(board >= 0), strict=True)}
    cells = cells_in_order(order)
    given_up: set[frozenset[Cell]] = set()

    def search(pegs: frozenset[Cell]) -> list[tuple[int, int, int, int]] | None:
        if len(pegs) == 1:
            return []
        if pegs in given_up:
            return None
        for r, c in cells:
            for down, right in (STEPS[direction] for direction in directions):
                over, end = (r + down, c + right), (r + 2 * down, c + 2 * right)
                if (r, c) in pegs and over in pegs and end in holes - pegs:
                    rest = search(pegs - {(r, c), over} | {end})
                    if rest is not None:
                        return [(r, c, *end), *rest]
        given_up.add(pegs)
        return None

    start = frozenset(cell for cell in holes if board[cell] == 1)
    jumps = search(start)
    return SearchOutcome(jumps is not None, len(given_up), jumps or [])


def assert_played_to_one_peg(board: Board, jumps: list[tuple[int, int, int, int]]) -> None:
    board = board.copy()
    for r, c, end_r, end_c in jumps:
        assert sorted((abs(end_r - r), abs(end_c - c))) == [0, 2]
        over = (r + end_r) // 2, (c + end_c) // 2
        assert (board[r, c], board[over], board[end_r, end_c]) == (1, 1, 0)
        board[r, c] = board[over] = 0
        board[end_r, end_c] = 1
    assert np.count_nonzero(board == 1) == 1


@pytest.mark.parametrize(("directions", "count"), [("DRUL", 10_813), ("DRLU", 1_034), ("UDLR", 10_813)])
def test_english_counts(directions: str, count: int) -> None:
    board = board_of(ENGLISH)
    outcome = memoized_search(board, "normal", directions)
    assert (outcome.solved, outcome.unsolvable) == (True, count)
    assert_played_to_one_peg(board, outcome.jumps)


@pytest.mark.parametrize(("directions", "count"), [("DRUL", 1_637_532), ("DRLU", 7_046_060)])
def test_french_counts(directions: str, count: int) -> None:
    outcome = memoized_search(FRENCH3, "normal", directions)
    assert (outcome.solved, outcome.unsolvable) == (True, count)
    assert_played_to_one_peg(FRENCH3, outcome.jumps)


@pytest.mark.parametrize(("board", "count"), [(board_of(ENGLISH), 188), (FRENCH3, 6_129_986)])
def test_bidirectional_counts(board: Board, count: int) -> None:
    outcome = bidirectional_search(board, "normal", "DRLU")
    assert (outcome.solved, outcome.unsolvable) == (True, count)
    assert_played_to_one_peg(board, outcome.jumps)


@pytest.mark.parametrize("directions", ["DRUL", "DRLU", "UDLR", "LURD"])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    "board",
    [
        board_of(["o***", "****", "****", "****"]),
        board_of(["***o", "****", "****", "****"], row=2, col=3),
        board_of(["****", "****", "****", "o***"], row=4, col=4),  # uses row 7 and column 7
        board_of(["***", "*o*", "***", "***", "***"], row=1, col=2),
        board_of(["*****", "o****", "*****"], row=2, col=1),
        board_of(["*****", "*****", "****o"], row=5, col=3),
        board_of([" ***", "*****", "**o**", "*****"], row=3, col=1),
        board_of(["***", "***", "*o*"]),
        board_of(["**o**o**"], row=7),
        board_of(["*......*"], row=3),
    ],
)
def test_like_the_slow_search(board: Board, order: str, directions: str) -> None:
    assert memoized_search(board, order, directions) == slow_search(board, order, directions)


def test_any_board_like_the_slow_search() -> None:
    random = np.random.default_rng(1)
    for _ in range(60):
        board = random.choice(np.array([-1, 0, 1], np.int8), (8, 8), p=[0.1, 0.6, 0.3])
        board.flat[np.flatnonzero(board == 1)[9:]] = 0  # few pegs: the slow search is slow
        order = ORDERS[random.integers(3)]
        directions = "".join(random.permutation(list("DRUL")))
        slow = slow_search(board, order, directions)
        assert memoized_search(board, order, directions) == slow
        assert bidirectional_search(board, order, directions) == slow  # only its second half


def test_trivial_boards() -> None:
    assert memoized_search(board_of(["o*o"])) == (True, 0, [])
    assert memoized_search(board_of(["ooo"])) == (False, 1, [])
    assert memoized_search(board_of(["*o*"])) == (False, 1, [])
    assert bidirectional_search(board_of(["**o"])) == (True, 0, [(0, 0, 0, 2)])


def test_unsolvable_from_both_ends() -> None:
    board = board_of(["****o", "***", "***", "***"])  # 13 pegs
    slow = slow_search(board, "normal", "DRLU")
    outcome = bidirectional_search(board)
    assert outcome.solved is slow.solved
    assert outcome.unsolvable <= slow.unsolvable


def test_stops_at_max_states() -> None:
    assert memoized_search(FRENCH3, "normal", "DRUL", 100_000) == (None, 100_000, [])


def test_max_states_that_suffices() -> None:
    board = board_of(ENGLISH)
    assert memoized_search(board, "normal", "DRLU", 1_034).solved is True
    assert memoized_search(board, "normal", "DRLU", 1_033) == (None, 1_033, [])
    assert bidirectional_search(board, max_states=188).solved is True
    assert bidirectional_search(board, max_states=187).solved is None


def test_table_grows_in_place() -> None:
    random = np.random.default_rng(2)
    boards = np.unique(random.integers(1, 1 << 49, 200_000, dtype=np.uint64))
    table = report_search._Table(len(boards))
    slots = table.slots
    for board in boards:
        if table.used >= table.full(0):
            table.grow()
        table.used += report_search._add(table.slots, table.shift, board)
    assert table.bits > report_search._FIRST_BITS
    assert table.slots is slots
    assert table.used == len(boards)
    assert np.array_equal(np.sort(table.boards()), boards)
    assert not any(report_search._add(slots, table.shift, board) for board in boards[::100])


def test_full_table_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_search, "_memory", lambda: 8 << 16)
    with pytest.raises(MemoryError, match="no memory for more than"):
        memoized_search(FRENCH3)


@pytest.mark.parametrize("search", [memoized_search, bidirectional_search])
def test_bad_arguments(search: Callable[..., SearchOutcome]) -> None:
    board = board_of(["**o"])
    with pytest.raises(ValueError, match="order must be one of normal, out-in, in-out"):
        search(board, "outward", "DRUL")
    for directions in ("", "DRU", "DRUU", "DRULL", "drul"):
        with pytest.raises(ValueError, match="directions must be D, U, R and L"):
            search(board, "normal", directions)
    with pytest.raises(ValueError, match="board must be 8x8"):
        search(board[:7], "normal", "DRUL")
    with pytest.raises(ValueError, match="board must be 8x8"):
        search(board + 2, "normal", "DRUL")


def test_board_is_left_alone() -> None:
    board = board_of(ENGLISH)
    warm_up()
    memoized_search(board)
    assert np.array_equal(board, board_of(ENGLISH))


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_plain_c_program_counts_alike(tmp_path: Path) -> None:
    program, board_file = tmp_path / "plain_search", tmp_path / "board.txt"
    source = Path(__file__).parent / "bench" / "plain_search.c"
    subprocess.run(["cc", "-O3", "-o", program, source], check=True)
    for board in (board_of(ENGLISH), board_of(["***", "***", "*o*", "***"], row=4, col=5)):
        board_file.write_text("".join(".o*"[cell + 1] for cell in board.flat))
        for order, directions in itertools.product(ORDERS, ["UDLR"]):
            command = [str(program), str(board_file), order, directions]
            printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            outcome = memoized_search(board, order, directions)
            assert [int(x) for x in printed.split()[:2]] == [outcome.solved, outcome.unsolvable]
