"""The arrays for where numpy is not installed: they say and do what numpy's own do."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from framework import small_numpy
from support.browsing import ROOT

CELLS = st.lists(st.integers(-1, 1), min_size=64, max_size=64)
INDEX = st.one_of(st.integers(-9, 9), st.tuples(st.integers(-9, 9), st.integers(-9, 9)))
PART = st.builds(slice, *[st.none() | st.integers(-9, 9)] * 2, st.sampled_from([None, 1, 2, -1]))


def board(module: Any, cells: list[int]) -> Any:
    return module.array(cells, dtype=module.int8).reshape(8, 8)


def outcome(do: Callable[[], Any]) -> Any:
    """Return what is returned as plain data, or the exception's class and text."""
    try:
        found = do()
    except Exception as error:
        return type(error), str(error)
    return found.tolist() if hasattr(found, "tolist") else found


def alike(do: Callable[[Any, Any], Any], cells: list[int]) -> None:
    """Check that both kinds of array give the same, when each is handled by `do` with its module."""
    small, large = (
        outcome(lambda module=module: do(module, board(module, cells))) for module in (small_numpy, numpy)
    )
    assert small == large


@given(CELLS, INDEX)
def test_a_cell_or_a_row(cells: list[int], index: Any) -> None:
    alike(lambda _, array: array[index], cells)


@given(CELLS, st.integers(0, 63))
def test_a_cell_by_its_number(cells: list[int], number: int) -> None:
    alike(lambda _, array: array.item(number), cells)
    alike(lambda _, array: array.T.item(number), cells)


@given(CELLS, PART, PART)
def test_parts(cells: list[int], rows: slice, cols: slice) -> None:
    alike(lambda _, array: array[rows, cols], cells)
    alike(lambda _, array: array[:, 0].copy()[rows], cells)


@given(CELLS, INDEX, st.integers(-200, 200))
def test_setting_a_cell(cells: list[int], index: Any, value: int) -> None:
    def do(_: Any, array: Any) -> Any:
        array[index] = value
        return array

    alike(do, cells)


@pytest.mark.slow
@given(CELLS, CELLS)
def test_all_cells_at_once(cells: list[int], others: list[int]) -> None:
    for do in (
        lambda module, array: array == board(module, others),
        lambda module, array: (array != 0) & (board(module, others) != 0),
        lambda module, array: (array == board(module, others)).any(),
        lambda _, array: (array == 1).sum(),
        lambda _, array: array[array == 1],
        lambda _, array: -array,
        lambda _, array: array.T.copy(),
        lambda _, array: array.tobytes(),
        lambda module, array: module.argwhere(array == 1),
        lambda module, array: module.isin(array, (0, 1)).all(),
        lambda module, array: module.minimum(array, 0),
        lambda module, array: module.argsort(array[0], kind="mergesort"),
    ):
        alike(do, cells)


@pytest.mark.parametrize("value", [2**70, -(2**63) - 1, "5", "x", 1.5, None, (1, 2), True])
def test_what_is_put_on_a_stack(value: Any) -> None:
    def do(module: Any, _: Any) -> Any:
        items = module.zeros(3, dtype=module.int64)
        items[1] = value
        return items

    alike(do, [0] * 64)


@pytest.mark.parametrize("shape", [(-1,), (4, -1), (-1, 16)])
def test_a_length_that_is_left_open(shape: tuple[int, ...]) -> None:
    alike(lambda module, array: array.reshape(shape), list(range(64)))


@pytest.mark.slow
@given(CELLS, PART, PART)
def test_sort(cells: list[int], rows: slice, cols: slice) -> None:
    def do(_: Any, array: Any) -> Any:
        return array[rows, cols].sort(), array.tolist()

    alike(do, cells)


@given(CELLS, PART, PART, st.integers(-9, 9))
def test_what_shares_its_cells(cells: list[int], rows: slice, cols: slice, number: int) -> None:
    """What is put into a row, a column or a part is in the array, as after `board[row][col] = 0`."""
    for part in (
        lambda array: array[number],
        lambda array: array[:, number],
        lambda array: array[number, cols],
        lambda array: array[rows],
        lambda array: array[rows, cols],
        lambda array: array[rows].T[cols],
        lambda array: array.reshape(64)[rows][cols],
        lambda array: array.T.reshape(64),
    ):

        def do(_: Any, array: Any, part: Any = part) -> Any:
            part(array)[0] = 5
            return array

        alike(do, cells)


def test_a_table_takes_no_memory_until_it_is_used() -> None:
    table = small_numpy.zeros(1 << 26, dtype=small_numpy.int64)
    table[(1 << 26) - 1] = 5
    assert (len(table), table[7], table[(1 << 26) - 1]) == (1 << 26, 0, 5)


WITHOUT = """
import sys
sys.modules["numpy"] = sys.modules["numba"] = None
sys.path.insert(0, sys.argv[1])
from framework.board import format_board, parse_board
from framework.hash_table import ht_insert, ht_lookup, ht_new, ht_size, link_key_hash
from framework.stack import pop, push, stack_new
stack = stack_new()
push(stack, 7)
link_key_hash(lambda key: key)
table = ht_new(1)
for key in range(100):
    ht_insert(table, key)
drawn = format_board(parse_board(("* o . " + ". " * 5 + "\\n") * 8))
print(pop(stack), ht_size(table), ht_lookup(table, 42), ht_lookup(table, 100), drawn.count("*"))
"""


@pytest.mark.parametrize("options", [[], ["-O"]])
def test_the_framework_without_numpy_and_numba(options: list[str]) -> None:
    command = [sys.executable, *options, "-c", WITHOUT, str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("7 100 True False 8\n", "")
