"""The framework: its functions as plain Python, and the same ones compiled."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from framework import hash_table
from framework.board import (
    BLOCKED,
    EMPTY,
    PEG,
    SIZE,
    Board,
    BoardFormatError,
    count_pegs,
    draw_board,
    format_board,
    is_board,
    parse_board,
    read_board,
)
from framework.contracts import ensures, requires
from framework.hash_table import MAX_KEYS, ht_chain_lengths, ht_insert, ht_lookup, ht_new, ht_size, ht_stats
from framework.jumps import format_jump, jump_fault, legal_jumps, parse_jump, play_jump, take_back_jump
from framework.stack import pop, push, stack_empty, stack_new, stack_size
from framework.verify import verify
from support.command import ROOT

BOARDS = hnp.arrays(np.int8, (SIZE, SIZE), elements=st.sampled_from([-1, 0, 1]))
KEYS = st.integers(-(2**63), 2**63 - 1)


@pytest.fixture(autouse=True)
def _linked_hash() -> None:
    hash_table.link_key_hash(lambda key: key * 0x9E3779B1 ^ key >> 7)


# ---- board -------------------------------------------------------------------------------------


@given(BOARDS)
def test_parse_is_the_inverse_of_format(board: Board) -> None:
    assert (parse_board(format_board(board)) == board).all()


@given(st.text(alphabet=".*o \n\tx", max_size=200))
def test_a_text_is_a_board_or_a_named_error_with_its_line(text: str) -> None:
    cells = [character for character in text if not character.isspace()]
    good = len(cells) == 64 and set(cells) <= set(".*o")
    try:
        board = parse_board(text, "some.txt")
    except BoardFormatError as error:
        assert not good
        name, line, column = error.place.split(":")
        assert name == "some.txt"
        assert 1 <= int(line) <= text.count("\n") + 1
        assert 1 <= int(column) <= max(len(each) for each in text.split("\n")) + 1
    else:
        assert good
        assert "".join(format_board(board).split()) == "".join(cells)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("* o .\n. x", "mine.txt:2:3: expected '.', '*' or 'o', found 'x'"),
        ("* o .", "mine.txt:1:6: expected 64 cells, found the end after 3"),
        ("*" * 64 + "\n o", "mine.txt:2:2: expected the end after 64 cells, found 'o'"),
        ("", "mine.txt:1:1: expected 64 cells, found the end after 0"),
    ],
)
def test_a_format_error_says_where_and_what(text: str, message: str) -> None:
    with pytest.raises(BoardFormatError) as caught:
        parse_board(text, "mine.txt")
    assert str(caught.value) == message


def test_a_file_that_is_not_text_is_told_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "bytes.txt"
    path.write_bytes(b"* * *\n* \xff")
    with pytest.raises(BoardFormatError) as caught:
        read_board(path)
    assert str(caught.value) == f"{path}:2:3: expected text, found the byte 0xff"


def test_is_board() -> None:
    board = parse_board("*" * 64)
    assert is_board(board)
    assert not is_board(parse_board("o" * 64))  # no peg
    assert not is_board(board.astype(np.int64))
    assert not is_board(board[:7])
    assert not is_board(np.full((8, 8), 2, np.int8))
    assert not is_board("board")


def test_a_plain_board_checks_what_numpy_lets_pass() -> None:
    board = parse_board("*" * 64)
    with pytest.raises(IndexError, match=r"board\[-1, 3\] is off the board: rows and columns go from 0 to 7"):
        board[-1, 3]
    with pytest.raises(IndexError, match=r"board\[2, 8\]"):
        board[2, 8] = EMPTY
    with pytest.raises(ValueError, match="a cell is BLOCKED, EMPTY or PEG, not 5"):
        board[2, 2] = 5
    assert type(board[2, 2]) is int


def test_a_blocked_cell_of_a_plain_board_stays_blocked() -> None:
    board = parse_board("*" * 63 + ".")
    saved = board.copy()
    with pytest.raises(ValueError, match=r"^board\[7, 7\] is blocked: it is not a hole"):
        board[7, 7] = PEG
    with pytest.raises(ValueError, match="a cell that is set here is blocked"):
        board[7][7] = EMPTY
    with pytest.raises(ValueError, match="is blocked"):
        board[:, 7] = EMPTY
    assert (board == saved).all()
    board[7, 7] = board[0, 0] = BLOCKED  # as it is; and a board of one's own
    board[board == PEG] = EMPTY
    assert (board[1:7] == EMPTY).all()


def test_a_plain_board_can_be_restored_from_a_copy() -> None:
    board = parse_board("*" * 32 + "o" * 32)
    saved = board.copy()
    board[0, 0] = EMPTY
    board[:, :] = saved
    assert (board == saved).all()
    for wrong in (lambda: board[-1], lambda: board[2][-1], lambda: board[8]):
        with pytest.raises(IndexError, match="is off the board"):
            wrong()
    with pytest.raises(ValueError, match="a cell is"):
        board[2][3] = 7
    assert str(board).split() == format_board(board).split()


def test_draw_board_with_marks() -> None:
    board = read_board(ROOT / "boards" / "german.txt")
    lines = draw_board(board, {(0, 0): "@", (0, 2): "+"}).splitlines()
    assert lines[:3] == ["  0 1 2 3 4 5 6 7", "0 @ * + . . . . .", "1 . . . . . . . ."]
    assert len(lines) == 9


# ---- jumps -------------------------------------------------------------------------------------


@given(BOARDS)
def test_a_jump_taken_back_is_no_change(board: Board) -> None:
    for jump in legal_jumps(board):
        before = board.copy()
        play_jump(board, jump)
        assert count_pegs(board) == count_pegs(before) - 1
        take_back_jump(board, jump)
        assert (board == before).all()


@given(BOARDS, st.tuples(*[st.integers(-3, 10)] * 4))
def test_a_jump_is_legal_or_has_a_fault(board: Board, jump: tuple[int, int, int, int]) -> None:
    assert (jump_fault(board, jump) is None) == (jump in legal_jumps(board))


@pytest.mark.parametrize(
    ("jump", "reason"),
    [
        ((3, 1, 3, 3), None),
        ((2, 2, 2, 4), "lands on 2:4, which has a peg"),
        ((3, 3, 3, 5), "starts at 3:3, which is empty"),
        ((1, 3, 3, 3), None),
        ((5, 3, 3, 3), None),
        ((2, 2, 2, 0), "lands on 2:0, which has a peg"),
        ((3, 2, 1, 2), "lands on 1:2, which has a peg"),
        ((2, 2, 4, 2), "lands on 4:2, which has a peg"),
        ((2, 1, 0, 1), "jumps over 1:1, which is blocked"),
        ((3, 0, 3, 1), "is not a jump of two cells in a straight line"),
        ((3, 1, 1, 3), "is not a jump of two cells in a straight line"),
        ((6, 2, 8, 2), "ends at 8:2, which is off the board"),
        ((-1, 2, 1, 2), "starts at -1:2, which is off the board"),
    ],
)
def test_why_a_jump_is_illegal(jump: tuple[int, int, int, int], reason: str | None) -> None:
    fault = jump_fault(read_board(ROOT / "boards" / "english.txt"), jump)
    assert (fault and fault.reason) == reason


# ---- verify ------------------------------------------------------------------------------------


def test_verify_plays_up_to_the_first_illegal_jump() -> None:
    board = read_board(ROOT / "boards" / "forced-hops.txt")
    jumps = []
    played = board.copy()
    while legal_jumps(played):
        jumps.append(legal_jumps(played)[0])
        play_jump(played, jumps[-1])
    assert verify(board, jumps).solved
    wrong = verify(board, [jumps[0], jumps[0]])
    assert not wrong.solved
    assert wrong.legal == 1
    assert wrong.fault is not None
    assert wrong.fault.reason.startswith("starts at")
    assert not verify(board, jumps[:-1]).solved
    assert count_pegs(board) == 3, "the board itself is not played on"


def test_format_jump() -> None:
    assert format_jump((2, 0, 2, 2)) == "2:0 -> 2:2"


@given(st.tuples(*[st.integers()] * 4))
def test_a_jump_comes_back_from_its_text(jump: tuple[int, int, int, int]) -> None:
    assert parse_jump(format_jump(jump)) == jump
    assert eval(repr(jump)) == jump


@given(st.text() | st.from_regex(r"-?\d?:-?\d? ?-?> ?-?\d?:-?\d?"))
def test_a_text_is_a_jump_or_a_named_error(text: str) -> None:
    try:
        jump = parse_jump(text)
    except ValueError:
        return
    assert parse_jump(format_jump(jump)) == jump


# ---- stack and hash table ----------------------------------------------------------------------


@given(st.lists(st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1)), max_size=60))
def test_a_stack_is_a_list(steps: list[int | None]) -> None:
    stack, model = stack_new(), []
    for step in steps:
        if step is not None:
            push(stack, step)
            model.append(step)
        elif model:
            assert pop(stack) == model.pop()
        assert stack_size(stack) == len(model)
        assert stack_empty(stack) == (not model)


@given(st.lists(KEYS, max_size=80), st.lists(KEYS, max_size=20), st.sampled_from([1, 2, 64]))
def test_a_hash_table_is_a_set(inserted: list[int], asked: list[int], capacity: int) -> None:
    table = ht_new(capacity)
    for key in inserted:
        ht_insert(table, key)
    assert ht_size(table) == len(set(inserted))
    for key in inserted + asked:
        assert ht_lookup(table, key) == (key in inserted)
    lengths = ht_chain_lengths(table, MAX_KEYS)
    assert lengths[:11].sum() == table.state[1] + 1
    assert table.state[1] + 1 >= ht_size(table) or table.state[1] + 1 == capacity


def test_a_poor_hash_is_slow_not_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    hash_table.link_key_hash(lambda key: 4)
    table = ht_new(8)
    for key in range(30):
        ht_insert(table, key * key)
    assert all(ht_lookup(table, key * key) for key in range(30))
    assert not ht_lookup(table, 2)
    ht_stats(table)
    printed = capsys.readouterr().out
    assert "30 keys in 32 chains" in printed
    assert "chains of size 10+: 1\n" in printed
    assert "longest chain: 30" in printed


@pytest.mark.parametrize("capacity", [0, -1, MAX_KEYS + 2])
def test_a_table_has_a_sensible_capacity(capacity: int) -> None:
    with pytest.raises(ValueError, match="the capacity must be from 1 to"):
        ht_new(capacity)


def test_contracts_of_the_framework_hold_in_plain_python() -> None:
    with pytest.raises(AssertionError, match="not stack_empty"):
        pop(stack_new())
    with pytest.raises(AssertionError, match=r"key < 2\*\*63"):
        ht_insert(ht_new(1), 2**63)


def test_contracts_are_checked_when_a_function_calls_itself() -> None:
    before: list[int] = []
    after: list[int] = []

    @requires(lambda number: before.append(number) is None)
    @ensures(lambda number: after.append(number) is None)
    @ensures(lambda number, result: result == number)
    def counted(number: int) -> int:
        return 0 if number == 0 else counted(number - 1) + 1

    assert counted(2) == 2
    assert (before, after) == ([2, 1, 0], [0, 1, 2])


# ---- compiled ----------------------------------------------------------------------------------

COMPILED = """
import random, sys
def check(holds):  # an assert would not be there under -O
    if not holds: raise SystemExit('does not hold')
check(sys.flags.optimize == 1)
from framework import hash_table
from framework.contracts import compiled, ensures, requires
from framework.board import count_pegs, parse_board
from framework.stack import pop, push, stack_empty, stack_new
check("icontract" not in sys.modules)
def never(): raise SystemExit("a contract was checked")
@requires(lambda x: never())
@ensures(lambda result: never())
@compiled
def double(x):
    return 2 * x
check(double(3) == 6 and hasattr(double, "py_func"))
@compiled
def key_hash(key):
    return key ^ key >> 5
hash_table.link_key_hash(key_hash)
lot = random.Random(7)
table, model = hash_table.ht_new(1), set()
for step in range(5000):
    key = lot.choice([lot.randrange(-2**63, 2**63), lot.randrange(40)])
    check(hash_table.ht_lookup(table, key) == (key in model))
    hash_table.ht_insert(table, key)
    model.add(key)
check(hash_table.ht_size(table) == len(model))
check(hash_table.ht_chain_lengths(table, 1 << 26)[:11].sum() == table.state[1] + 1 >= len(model))
stack = stack_new()
for number in range(100):
    push(stack, number)
check([pop(stack) for _ in range(100)] == list(range(99, -1, -1)) and stack_empty(stack))
try:
    pop(stack)
except IndexError as error:
    print(error)
@compiled
def count_down(number, steps):
    return steps if number == 0 else count_down(number - 1, steps + 1)
@compiled
def start(number):
    return count_down(number, 0)
check(start(5) == 5 and len(count_down.signatures) == 1)  # no version for the literal 0
print(count_pegs(parse_board("*" * 64)))
"""


@pytest.mark.slow
def test_the_same_functions_compiled() -> None:
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-O", "-c", COMPILED], capture_output=True, text=True, check=False, env=environment
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["pop: the stack is empty", "64"]


@pytest.mark.slow
def test_where_nothing_can_be_kept_it_is_compiled_anew(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    script = "from framework import board; print(board.count_pegs(board.parse_board('*' * 64)))"
    for folder, kept in ((tmp_path / "file" / "no folder", False), (tmp_path / "folder", True)):
        done = subprocess.run(
            [sys.executable, "-O", "-c", script],
            env={**os.environ, "NUMBA_CACHE_DIR": str(folder)}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.stdout, done.stderr) == ("64\n", "")
        assert bool(list(tmp_path.rglob("*.nbc"))) == kept
