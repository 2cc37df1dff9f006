"""The searches of the report give its counts to the last board."""

import shutil
import subprocess
from collections.abc import Callable, Hashable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from framework.jumps import Jump, jump_fault, play_jump
from grader.catalog.boards import find_board
from grader.commands.experiment import ORDERS
from grader.oracle.sets import Field
from grader.oracle.shape import shape_of
from grader.oracle.winning_set import Growth
from grader.research import report_kernels, report_search
from grader.research.report_search import SearchOutcome, bidirectional_search, memoized_search
from support.plain_search import PlainSearch, itself

pytestmark = pytest.mark.slow

Board = npt.NDArray[np.int8]
Cell = tuple[int, int]

ENGLISH = ["  ***", "  ***", "*******", "***o***", "*******", "  ***", "  ***"]
FRENCH = ["  ***", " *****", "*******", "*******", "*******", " *****", "  ***"]


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


def slow_search(
    board: Board, order: str, directions: str, key: Callable[[int], Hashable] = itself
) -> SearchOutcome:
    """The report's search as simply as can be, with what a board is recorded under."""
    found = PlainSearch(board, directions, cells=cells_in_order(order), key=key)
    return SearchOutcome(found.fewest == 1, len(found.given_up), found.stack[::-1])


def assert_played_to_one_peg(board: Board, jumps: list[Jump]) -> None:
    board = board.copy()
    for jump in jumps:
        assert jump_fault(board, jump) is None
        play_jump(board, jump)
    assert np.count_nonzero(board == 1) == 1


@pytest.mark.parametrize(
    ("search", "board", "directions", "count"),
    [
        (memoized_search, board_of(ENGLISH), "DRUL", 10_813),
        (memoized_search, board_of(ENGLISH), "DRLU", 1_034),
        (memoized_search, board_of(ENGLISH), "UDLR", 10_813),
        (memoized_search, FRENCH3, "DRUL", 1_637_532),
        (memoized_search, FRENCH3, "DRLU", 7_046_060),
        (bidirectional_search, board_of(ENGLISH), "DRLU", 188),
        (bidirectional_search, FRENCH3, "DRLU", 6_129_986),
    ],
)
def test_the_counts_of_the_report(
    search: Callable[..., SearchOutcome], board: Board, directions: str, count: int
) -> None:
    before = board.copy()
    outcome = search(board, "normal", directions)
    assert (outcome.solved, outcome.unsolvable) == (True, count)
    assert np.array_equal(board, before)
    assert_played_to_one_peg(board, outcome.jumps)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    "board",
    [
        board_of(["****", "****", "****", "o***"], row=4, col=4),  # uses row 7 and column 7
        board_of(["*****", "*****", "****o"], row=5, col=3),
        board_of([" ***", "*****", "**o**", "*****"], row=3, col=1),
    ],
)
def test_like_the_slow_search(board: Board, order: str) -> None:
    """Boards of more pegs than those by chance."""
    assert memoized_search(board, order, "DRUL") == slow_search(board, order, "DRUL")


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


WAYS: dict[str, Callable[[int, int, int, int], Cell]] = {
    # to lay a rectangle of holes on itself: where (row, col) goes, bottom and end being the last ones
    "as it is": lambda row, col, bottom, end: (row, col),
    "left to right": lambda row, col, bottom, end: (row, end - col),
    "top to bottom": lambda row, col, bottom, end: (bottom - row, col),
    "half a turn": lambda row, col, bottom, end: (bottom - row, end - col),
    "falling diagonal": lambda row, col, bottom, end: (col, row),
    "rising diagonal": lambda row, col, bottom, end: (end - col, bottom - row),
    "quarter turn": lambda row, col, bottom, end: (col, bottom - row),
    "other quarter turn": lambda row, col, bottom, end: (end - col, row),
}


def one_for_all_images(board: Board) -> Callable[[int], Hashable]:
    """A key that is the same for the images of a position on the holes of `board`, as simply as can be."""
    holes = [(int(r), int(c)) for r, c in zip(*np.nonzero(board >= 0), strict=True)]
    top, left = min(r for r, _ in holes), min(c for _, c in holes)
    bottom, end = max(r for r, _ in holes) - top, max(c for _, c in holes) - left

    def image(cell: Cell, way: str) -> Cell:
        row, col = WAYS[way](cell[0] - top, cell[1] - left, bottom, end)
        return row + top, col + left

    kept = [way for way in WAYS if {image(cell, way) for cell in holes} == set(holes)]

    def key(position: int) -> Hashable:
        pegs = [(row, col) for row, col in holes if position >> 8 * row + col & 1]
        return min(tuple(sorted(image(cell, way) for cell in pegs)) for way in kept)

    return key


@pytest.mark.parametrize(
    "holes",
    [
        ["*****", "**** ", "**** "],  # none
        ["*** ***", "*******", "*******"],  # left to right
        ["****", "*** ", "*** ", "****"],  # top to bottom
        ["***  ", "**** ", " ****", "  ***"],  # half a turn
        ["****", "****", "*** ", "**  "],  # falling diagonal
        ["****", "****", " ***", "  **"],  # rising diagonal
        [" *   ", " ****", " *** ", "**** ", "   * "],  # quarter turns
        ["****", "****", "****"],  # left to right and top to bottom
        ["*** ", "****", "****", " ***"],  # both diagonals
        [" *** ", "*****", "*****", "*****", " *** "],  # all
    ],
    ids="/".join,
)
def test_symmetry_like_the_slow_search(holes: list[str]) -> None:
    random = np.random.default_rng(1)
    without = with_it = 0
    for _ in range(5):
        row, col = random.integers(0, 9 - len(holes)), random.integers(0, 9 - max(map(len, holes)))
        board = board_of(holes, row=row, col=col)
        for hole in random.permutation(np.flatnonzero(board == 1))[9:]:
            board.flat[hole] = 0
        order = ORDERS[random.integers(3)]
        directions = "".join(random.permutation(list("DRUL")))
        outcome = memoized_search(board, order, directions, symmetry=True)
        assert outcome == slow_search(board, order, directions, one_for_all_images(board))
        plain = memoized_search(board, order, directions)
        assert outcome.jumps == plain.jumps  # none but hopeless boards are left out
        with_it += outcome.unsolvable
        without += plain.unsolvable
    assert with_it <= without


def test_symmetry_on_the_english_board() -> None:
    board = board_of(ENGLISH)
    outcome = memoized_search(board, symmetry=True)
    assert outcome == slow_search(board, "normal", "DRLU", one_for_all_images(board))
    assert_played_to_one_peg(board, outcome.jumps)
    assert outcome.unsolvable == 926


@pytest.mark.parametrize("name", ["plus", "big-diamond", "horseshoe", "4x4-corner"])
def test_symmetry_on_a_hopeless_board_counts_the_classes_of_positions(name: str) -> None:
    """All positions are given up on, so the exact engine has the count, images of the holes taken as one."""
    board = find_board(name).board
    shape = shape_of(board)
    growth = Growth(Field(shape, shape.symmetries), [shape.position(board)])
    while growth.grow():
        pass
    classes = sum(level.count for level in growth.levels)
    assert memoized_search(board, symmetry=True) == (False, classes, [])
    assert classes < memoized_search(board).unsolvable


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


def test_table_grows_in_place() -> None:
    random = np.random.default_rng(2)
    boards = np.unique(random.integers(1, 1 << 49, 200_000, dtype=np.uint64))
    table = report_search._Table(len(boards))
    slots = table.slots
    for board in boards:
        if table.used >= table.full(0):
            table.grow()
        table.used += report_kernels.add(table.slots, table.shift, board)
    assert table.bits > report_search._FIRST_BITS
    assert table.slots is slots
    assert table.used == len(boards)
    assert np.array_equal(np.sort(table.boards), boards)
    assert not any(report_kernels.add(slots, table.shift, board) for board in boards[::100])


def test_full_table_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_search, "_memory", lambda: 8 << 16)
    with pytest.raises(MemoryError, match="no memory for more than"):
        memoized_search(FRENCH3)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_plain_c_program_counts_alike(tmp_path: Path) -> None:
    program, board_file = tmp_path / "plain_search", tmp_path / "board.txt"
    source = Path(__file__).parent / "bench" / "plain_search.c"
    subprocess.run(["cc", "-O3", "-o", program, source], check=True)
    for board in (board_of(ENGLISH), board_of(["***", "***", "*o*", "***"], row=4, col=5)):
        board_file.write_text("".join(".o*"[cell + 1] for cell in board.flat))
        for order in ORDERS:
            command = [str(program), str(board_file), order, "UDLR"]
            printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            outcome = memoized_search(board, order, "UDLR")
            assert [int(x) for x in printed.split()[:2]] == [outcome.solved, outcome.unsolvable]
