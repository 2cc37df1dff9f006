"""How a table grew in a compiled run: its boards by pegs and its chains equal what is counted by other means."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from framework import hash_table
from framework.board import Board, count_pegs, format_board
from grader import paths
from grader.catalog.boards import find_board
from grader.catalog.tasks import registry
from grader.film import growth, shown
from grader.film.page import format_page
from grader.film.tell import compared, tell
from grader.sandbox.answers import FrameError
from grader.sandbox.child import growth as child
from support.idea_programs import submission
from support.plain_search import PlainSearch

# ---- pegs ----------------------------------------------------------------------------------------


def bits(board: Board) -> int:
    key = 0
    for row in range(8):
        for col in range(8):
            key = 2 * key + int(board[row, col] == 1) * (1 if row + col else -1)
    return key


def thirds(board: Board) -> int:
    holes = board.reshape(-1)[board.reshape(-1) >= 0]
    return sum(3**place * (int(cell) + 1) for place, cell in enumerate(holes))


def only_the_number(board: Board) -> int:
    return int(count_pegs(board))


def mirrored(board: Board) -> int:
    """Return the same key for a board and its image, as a program may that searches only one of them."""
    return min(bits(board), bits(board[:, ::-1].copy()))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["english", "german", "lopsided"])
@pytest.mark.parametrize(
    ("board_key", "known"), [(bits, True), (thirds, True), (only_the_number, False), (mirrored, False)]
)
def test_the_pegs_of_a_key(board_key: Callable[[Any], int], known: bool, name: str) -> None:
    start = find_board(name).board
    draw = Random(name)
    boards = []
    for _ in range(50):
        board = start.copy()
        for row, col in zip(*np.nonzero(np.asarray(start) >= 0), strict=True):
            board[row, col] = draw.randrange(2)
        boards.append(board)
    found = child.pegs_of_keys([board_key(board) for board in boards], format_board(start), board_key)
    pegs = [int(count_pegs(board)) for board in boards]
    if known:
        assert found == pegs
    assert all(each in (0, right) for each, right in zip(found, pegs, strict=True))


# ---- chains --------------------------------------------------------------------------------------


def test_the_chains_are_those_of_a_table_that_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hash_table, "key_hash", lambda key: key * key >> 3)
    monkeypatch.setattr(hash_table, "MAX_KEYS", 1000)
    client = SimpleNamespace(board_key=bits)
    table = hash_table.ht_new(1)
    assert child.growth(table, "o" * 64, client) == {"step": 1, "pegs": [], "chains": []}
    measured = []
    for number in range(1, 501):
        hash_table.ht_insert(table, 7 * number)
        lengths = hash_table.ht_chain_lengths(table, 1000)
        measured.append([number, int(table.state[1]) + 1, int(lengths[11])])
    sizes = child.growth(table, "o" * 64, client)["chains"]
    assert len(sizes) == child.POINTS
    assert sizes == [each for each in measured if each[0] in {size for size, *_ in sizes}]


# ---- a run ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_compiled_run_of_the_reference() -> None:
    """The table has what another search gives up on, in the same order."""
    board = find_board("english")
    grown = growth.growth(paths.REFERENCE, registry().find("peg3"), board, 10.0)
    assert isinstance(grown, growth.Growth)
    pegs = [position.bit_count() for position in PlainSearch(board.board, "DURL").given_up]
    assert (grown.states, grown.solved, grown.step, grown.unknown) == (len(pegs), True, 1, 0)
    for row, number in zip(grown.rows, grown.pegs, strict=True):
        parts = [place * growth.COLUMNS // len(pegs) for place, each in enumerate(pegs) if each == number]
        assert row == [parts.count(column) for column in range(growth.COLUMNS)]
    assert [size for size, _, _ in grown.chains][-1] == grown.states
    assert 1 < grown.chains[-1][2] < 12


@pytest.mark.whole
@pytest.mark.slow
def test_it_is_told_where_the_plain_run_ends_early() -> None:
    """A memoized search of a board without solution gives up on all its positions."""
    board = find_board("big-diamond")
    told = tell(paths.REFERENCE, registry().find("peg3"), board, 1.0)
    assert told.shown is not None and told.shown.growth is not None
    states = told.shown.growth.states
    assert states == board.facts.positions
    assert told.shown.words[-1].startswith(f"compiled, its table has {states:,} boards")
    assert ("given up, compiled", states) in told.shown.numbers
    page = format_page([told.shown])
    assert page.count("<svg viewBox") == 2
    assert shown.films_in(page) == [told.shown]


@pytest.mark.slow
def test_a_compiled_run_that_does_not_end_or_fails(tmp_path: Path) -> None:
    head = "from framework.contracts import compiled\n\n\n@compiled\ndef go(n):\n"
    tail = "\n\n\ndef peg_solve(board, stack, unsolvable):\n    return go(3)\n"
    for body, said in (
        ("while n:\n        n = 4 - n + n - 1\n    return n", "not end"),
        ("return n.pegs", "grade peg3"),
    ):
        folder = submission(tmp_path / said, peg3=f"{head}    {body}{tail}")
        told = growth.growth(folder, registry().find("peg3"), find_board("choice"), 1.0)
        assert isinstance(told, str) and said in told


def test_a_damaged_table_in_an_earlier_film_is_refused() -> None:
    board = find_board("choice")
    calls = [("calls", 0)]
    film = shown.Shown("x", "-" * 64, [], "", [], True, calls, [], growth=growth.parse_growth(frame(), board))
    text = shown.to_text(film)
    assert shown.films_in(f"<p data-film='{text}'>") == [film]
    for part, damaged in (
        ('"step":1', '"step":"1"'), ("[[1,1,1]]", "[[1,1]]"), ('"pegs":[3]', '"pegs":3'),
        ('[["calls",0]]', "[]"), ('[["calls",0]]', "[" * 100_000),
    ):  # fmt: skip
        assert part in text
        with pytest.raises(ValueError, match="its film"):
            shown.films_in(f"<p data-film='{text.replace(part, damaged)}'>")


def test_a_number_of_calls_that_is_false_is_compared_without_a_ratio() -> None:
    films = [shown.Shown(f"peg{n}", "", [], "", [], True, [("calls", n)], []) for n in (0, 2, 6)]
    assert compared(films[0], films[1]) == "peg2 searched a board 2 times, peg0 0 times"
    assert compared(films[1], films[2]).endswith(": 3.0 times as often")


def frame() -> dict[str, Any]:
    board = format_board(find_board("choice").board)
    answer = {"answer": 2, "jumps": [], "states": 1, "longest_chain": 1, "board": board}
    return {**answer, "step": 1, "pegs": [3], "chains": [[1, 1, 1]]}


MALFORMED: list[dict[str, Any]] = [
    {"step": 0}, {"pegs": [65]}, {"pegs": [1] * 30_000}, {"chains": [[1, 1]]}, {"chains": [[0, 1, 1]]},
    {"states": None},
]  # fmt: skip


@pytest.mark.parametrize("fields", MALFORMED)
def test_a_malformed_table_is_refused(fields: dict[str, Any]) -> None:
    board = find_board("choice")
    assert growth.parse_growth(frame(), board).pegs == [3]
    with pytest.raises(FrameError):
        growth.parse_growth({**frame(), **fields}, board)
