"""A function whose end can be reached without a return is found, and no other."""

from pathlib import Path

import pytest

from grader import paths
from grader.messages.in_source import Found, none_on_line, set_to_none, without_return
from grader.sandbox.child import describe_compiling

LACKS = {
    "no return at all": "def can_jump(board) -> bool:\n    board[0] == 1\n",
    "a loop that ends": "def solve(board) -> int:\n    for row in range(8):\n        return 1\n",
    "no else": "def f(n):\n    if n:\n        return 1\n",
    "one branch": "def f(n):\n    if n:\n        return 1\n    else:\n        n = 2\n",
    "a loop that is left": "def f(n):\n    while True:\n        if n:\n            break\n        return 1\n",
    "inside of with": "def f(n):\n    with n:\n        if n:\n            return 1\n",
}
HAS = {
    "both branches": "def f(n):\n    if n:\n        return 1\n    else:\n        return 2\n",
    "elif": "def f(n):\n    if n:\n        return 1\n    elif n > 1:\n        raise ValueError\n    else:\n        return 2\n",
    "an endless loop": "def f(n):\n    while True:\n        if n:\n            return 1\n",
    "gives nothing": "def play(board) -> None:\n    board[0] = 1\n",
    "gives nothing, and does not say so": "def play(board):\n    if board:\n        return\n",
    "a match": "def f(n):\n    match n:\n        case _:\n            return 1\n",
    "no Python": "def f(n:\n",
}


@pytest.mark.parametrize("text", LACKS.values(), ids=LACKS)
def test_a_path_without_a_return(text: str) -> None:
    name = text[4:].partition("(")[0]
    found = list(without_return({"client.py": HAS["both branches"], "peg1.py": f"\n{text}"}))
    assert found == [Found("peg1.py", 2, "path-without-return", {"function": name})]


@pytest.mark.parametrize("text", HAS.values(), ids=HAS)
def test_every_path_has_a_return(text: str) -> None:
    assert list(without_return({"peg1.py": text})) == []


def test_the_reference_has_none() -> None:
    sources = {file.name: file.read_text("utf-8") for file in paths.REFERENCE.glob("*.py")}
    assert list(without_return(sources)) == []
    assert list(set_to_none(sources)) == []


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("best = None\n    for left in b:\n        best = left\n    return best", True),
        ("best: int | None = None\n    if b:\n        best += 1\n    return best", True),
        ("best = None\n    best, move = b\n    return best", True),
        ("best = None\n    return best", False),
        ("best = 0\n    best = b\n    return best", False),
    ],
)
def test_a_variable_that_is_none_in_one_place(text: str, is_found: bool) -> None:
    sources = {"client.py": "best = None\nbest = 1\n", "peg1.py": f"def solve(b):\n    {text}\n"}
    found = Found("peg1.py", 2, "none-in-one-place", {"name": "best", "kind": "a number"})
    assert list(set_to_none(sources)) == [found] * is_found
    assert none_on_line(sources, "peg1.py", "if left < best:") == [found] * is_found
    assert none_on_line(sources, "peg1.py", "if left < bests:") == []


def test_an_undefined_name_is_sought_where_nothing_defines_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [tmp_path / "peg1.py", tmp_path / "peg2.py"]
    files[0].write_text(
        "from x import OTHER\nSTEP = 1\ndef f(key):\n    return key + STEP + OTHER\n", "utf-8"
    )
    files[1].write_text("def solve(board):\n    left = 1\n    return STEP + key + OTHER\n", "utf-8")
    monkeypatch.setattr(describe_compiling, "students_files", lambda: files)
    for name in ("STEP", "key", "OTHER"):
        text = f"NameError: name '{name}' is not defined"
        assert describe_compiling.misspelt_place(text) == {"file": "peg2.py", "line": 3}
