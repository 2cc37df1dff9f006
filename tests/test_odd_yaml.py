"""Of YAML, only texts, numbers, true and false, lists and mappings are read; the rest is an error with its line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.catalog.yaml_file import Entry, parse_mapping, read_entry, read_mapping
from grader.errors import InputError

TEXTS = ["2001-01-01", "2001-99-99", "1:30", ":".join(["59"] * 300) + ".5", "0x1f", "0x_", "007", "1_000", ".inf", ".nan",
         "1e5", "9" * 1001, "=", "<<"]  # fmt: skip
OTHERS = {
    "yes": True,
    "~": None,
    "": None,
    "-12": -12,
    "0": 0,
    "1.50": 1.5,
    "[a, 1]": ["a", 1],
    "{a: 1}": {"a": 1},
}
REFUSED = ["!!timestamp x", "!!int '_1:1:1'", "!!int ''", "!!bool x", "!!binary aaa", "!!set {a}", "!!str 1", "!!map {a: 1}",
           "!x y", "! 1", "!!python/object:os.system", "&a 1", "*a", "{<<: *a}", "&a [*a]", "[" * 60]  # fmt: skip


@pytest.mark.parametrize("written", TEXTS)
def test_what_is_a_text(written: str) -> None:
    assert parse_mapping(f"a: {written}\n".encode(), Path("a.yaml"), "help") == {"a": written}


@pytest.mark.parametrize(("written", "value"), OTHERS.items())
def test_what_is_another_value(written: str, value: object) -> None:
    assert parse_mapping(f"a: {written}\n".encode(), Path("a.yaml"), "help") == {"a": value}


def test_a_long_name_is_cut() -> None:
    fields = parse_mapping(f"{'x' * 1000}: 1\n".encode(), Path("a.yaml"), "help")
    with pytest.raises(InputError) as caught:
        fields.mapping(*fields)
    assert len(caught.value.message) < 200


@pytest.mark.parametrize("read", [read_mapping, read_entry])
@pytest.mark.parametrize("written", REFUSED)
def test_what_is_refused(
    read: Callable[[Path, str], dict[Any, Any] | Entry], written: str, tmp_path: Path
) -> None:
    file = tmp_path / "examples.yaml"
    file.write_text(f"boards:\n  b1: {written}\n", "utf-8")
    with pytest.raises(InputError, match=r"examples\.yaml:2:\d+: (expected a value without|more than 50)"):
        read(file, "help")
