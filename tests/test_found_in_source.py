"""Faults that are found by reading a program: a loop without an end, a path without a return, an answer that is lost."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from grader import paths
from grader.messages import in_source
from grader.messages.in_source import (
    Found,
    JumpFunctions,
    board_alias,
    endless_loop,
    jump_functions,
    lost_answer,
    none_on_line,
    same_count,
    set_to_none,
    without_return,
)
from grader.messages.sources import functions, not_compiled
from grader.sandbox.child import describe_compiling
from grader.submissions import syntax
from grader.submissions.syntax import MOST_READ

ENDLESS = {
    "nothing changes": ("while row < SIZE:\n  col += 1", ("row",)),
    "a search inside": ("while row < 8:\n  for col in range(8):\n   if f(row, col):\n    return 1", ("row",)),
    "two names": ("while low < high and 0 < n % 2:\n  mid = low", ("low", "high", "n")),
    "always true": ("while True:\n  row += 1", ()),
    "a constant": ("while 1:\n  pass", ()),
}
ENDS = {
    "counts": "while row < SIZE:\n  row += 1",
    "counts in a branch": "while row < SIZE:\n  if f(row):\n   row = row + 1",
    "a walrus": "while (n := f(n)) > 1:\n  pass",
    "a call decides": "while f(row) < 8:\n  pass",
    "a cell decides": "while board[0, 0] == 1:\n  f(board)",
    "a list decides": "while left:\n  left.pop()",
    "left by break": "while row < 8:\n  f(row)\n  break",
    "left somewhere": "while True:\n  if f(row):\n   return 1",
    "set by for": "while row < 8:\n  for row in range(9):\n   pass",
}
LOST = {
    "compared alone": ("left = solve(n - 1)\n  if left == 1:\n   push(n)\n  take_back(n)\n return n", "left"),
    "never used": ("left = solve(n - 1)\n return n", "left"),
    "not even named": ("solve(n - 1)\n return n", ""),
    "returned as one only": (
        "left = solve(n - 1)\n  if left == 1:\n   push(n)\n   return left\n return n",
        "left",
    ),
    "answers one only": ("left = solve(n - 1)\n  if left == 1:\n   return 1\n return n", "left"),
}
KEPT = {
    "returned": "left = solve(n - 1)\n  return left\n return n",
    "the smallest": "left = solve(n - 1)\n  fewest = min(fewest, left)\n return fewest",
    "assigned": "left = solve(n - 1)\n  if left < fewest:\n   fewest = left\n return fewest",
    "stored": "left = solve(n - 1)\n  best[0] = left\n return best[0]",
    "one of two": "left = solve(n - 1)\n  if left == 1:\n   return 1\n return solve(n - 2)",
    "returned at once": "return solve(n - 1)",
    "kept beside it": "solve(n - 1)\n  best[0] = min(n, best[0])\n return best[0]",
    "kept by all": "global best\n  solve(n - 1)\n  best = min(n, best)\n return best",
    "returned as two": "left = solve(n - 1)\n  if left == 1:\n   return left\n  elif left == 2:\n   return 2\n  return left",
    "answers nothing": "solve(n - 1)\n table[n] = 1",
    "never calls itself": "left = search(n - 1)\n return n",
}
SEARCH = "def solve(n):\n for jump in jumps(n):\n  {}\n"


@pytest.mark.parametrize(("text", "names"), ENDLESS.values(), ids=ENDLESS)
def test_a_loop_that_never_ends(text: str, names: tuple[str, ...]) -> None:
    (found,) = endless_loop({"client.py": "", "peg1.py": f"def f():\n {text}\n return row"})
    facts = {"names": "` or `".join(names), "first": "".join(names[:1])}
    assert found == ("peg1.py", 2, "endless-loop", facts)


@pytest.mark.parametrize("text", ENDS.values(), ids=ENDS)
def test_a_loop_that_may_end(text: str) -> None:
    assert not in_source.find("endless-loop", {"peg1.py": f"def f():\n {text}\n return row"})


def test_a_loop_whose_number_changes_inside_an_if_may_not_end() -> None:
    text = "def f():\n while n < 9 and best > 1:\n  if able(n):\n   best = min(best, g(n))\n   {}n += 1\n"
    in_both = "n -= 1\n  else:\n   "
    for outside, ids in (("", ["loop-may-not-end"]), ("pass\n  ", []), (in_both, [])):
        found = endless_loop({"peg1.py": text.format(outside)})
        assert [each.id for each in found] == ids


def test_a_loop_that_counts_nothing_may_not_end() -> None:
    text = "def f():\n while n < 9 and best > 1:\n  best = min(best, g(n))\n"
    (found,) = endless_loop({"peg1.py": text})
    assert (found.id, found.facts) == ("loop-may-not-end", {"names": "n", "never": ["n"]})
    assert not endless_loop({"peg1.py": text.replace("best > 1", "left(board) > 1")})


@pytest.mark.parametrize(("text", "name"), LOST.values(), ids=LOST)
def test_an_answer_that_is_lost(text: str, name: str) -> None:
    (found,) = lost_answer({"client.py": "", "peg1.py": SEARCH.format(text)})
    assert (found.facts["function"], found.facts["name"]) == ("solve", name)
    assert (found.file, found.line) == ("peg1.py", 3)


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_an_answer_that_is_used(text: str) -> None:
    assert not lost_answer({"peg1.py": SEARCH.format(text)})


ALIASES = {
    "restored from": "saved = board\n for n in range(9):\n  board[n] = 0\n  board[:] = saved",
    "returned": "new = board\n new[0] = 1\n return new",
    "in a loop": "for n in range(9):\n  one = board\n  one[n] = 1",
    "for a call": "for n in range(9):\n  one = board\n  play(one, n)\ndef peg_solve(board):\n return f(board, 9)",
}
NO_ALIASES = {
    "copied": "new = board.copy()\n new[0] = 1\n return new",
    "shorter": "b = board\n b[0] = 1\n b[1] = 0",
    "a number": "left = pegs\n for n in range(9):\n  left = min(left, pegs)\n return left",
    "no parameter": "made = new()\n one = made\n one[0] = 1\n return one, made",
}
JUMPS = {
    "by direction": ("if ok(b, r, c, d):\n   do(b, r, c, d)\n   f(b)\n   undo(b, r, c, d)", True),
    "asked before": ("if b[r] and ok(b, r, c, d):\n   do(b, r, c, d)\n   undo(b, r, c, d)", False),
    "skipped": ("if f(r):\n   continue\n  if ok(b, r, c, d):\n   do(b, r, c, d)\n   undo(b, r, c, d)", False),
    "one chosen": ("if ok(b, n, c, d):\n   do(b, n, c, d)\n   undo(b, n, c, d)", False),
    "not back": ("if ok(b, r, c, d):\n   do(b, r, c, d)\n   undo(b)", False),
    "too long a number": (f"if ok(b, r, c, 0x{'f' * 5000}):\n   do(b, r, c, d)\n   undo(b)", False),
}
SAME_COUNTS = {
    "passed on": "best = n\n for j in board:\n  best = min(best, solve(board, n))\n return best",
    "compared": "if n == 1:\n  return 1\n return solve(board, n)",
}
OTHER_COUNTS = {
    "counted down": "if n == 1:\n  return 1\n return solve(board, n - 1)",
    "set anew": "n = count(board)\n if n == 1:\n  return 1\n return solve(board, n)",
    "a size": "for j in range(n):\n  solve(board, n)\n return n",
    "a board": "board[0] = n\n return solve(board, 1)",
    "never used": "return solve(board, n)",
}


@pytest.mark.parametrize("text", ALIASES.values(), ids=ALIASES)
def test_a_board_that_is_not_copied(text: str) -> None:
    found = board_alias({"peg1.py": f"def f(board, pegs):\n {text}\n"})
    assert found[0].facts["of"] == "board"


@pytest.mark.parametrize("text", NO_ALIASES.values(), ids=NO_ALIASES)
def test_a_second_name_that_does_no_harm(text: str) -> None:
    assert not board_alias({"peg1.py": f"def f(board, pegs):\n {text}\n"})


@pytest.mark.parametrize(("text", "found"), JUMPS.values(), ids=JUMPS)
def test_functions_of_a_jump_by_other_names(text: str, found: bool) -> None:
    names = jump_functions({"peg1.py": f"def go(b, n):\n for r, c, d in n:\n  {text}\n"})
    assert names == (JumpFunctions("ok", "do", "undo", False, True) if found else JumpFunctions())


@pytest.mark.parametrize("text", SAME_COUNTS.values(), ids=SAME_COUNTS)
def test_a_number_of_pegs_that_never_drops(text: str) -> None:
    found = same_count({"peg1.py": f"def solve(board, n):\n {text}\n"})
    assert [each.facts["name"] for each in found] == ["n"]


@pytest.mark.parametrize("text", OTHER_COUNTS.values(), ids=OTHER_COUNTS)
def test_a_number_that_may_be_right(text: str) -> None:
    assert not same_count({"peg1.py": f"def solve(board, n):\n {text}\n"})


def test_the_reference_has_none_of_them() -> None:
    sources = {file.name: file.read_text("utf-8") for file in paths.REFERENCE.glob("*.py")}
    for find in (endless_loop, lost_answer, board_alias, without_return, set_to_none):
        assert not list(find(sources))
    assert not same_count({file: sources[file] for file in ("peg1.py", "peg2.py", "peg3.py")})


def test_a_long_file_is_not_read() -> None:
    text = SEARCH.format(LOST["never used"][0])
    assert lost_answer({"peg1.py": text + " " * MOST_READ}) == []


def test_many_calls_are_read_at_once() -> None:
    calls = "\n".join(f"  a{number} = f({number})" for number in range(2_000))
    assert lost_answer({"peg1.py": f"def f(n):\n if n:\n{calls}\n return 1\n"})


def test_blank_lines_cost_no_seconds() -> None:
    heads = "".join(f"{' ' * depth}def f{depth}(a):\n" for depth in range(90))
    text = f'"""\n{heads}{(" " * 500 + chr(10)) * 400}"""\n'
    assert not_compiled({"peg3.py": text}, "peg3.py") is None


def test_definitions_cost_no_seconds() -> None:
    nested = "\n".join(f"{' ' * depth}def same(a):" for depth in range(90))
    sources = {f"peg{number}.py": f"{nested} {number}" for number in range(1, 6)}
    start = time.process_time()
    for _ in range(200):  # as each check that fails does
        assert list(functions(dict(sources))) == ["same"]
    assert time.process_time() - start < 1
    assert functions({"peg1.py": "def f(a):\n" + "#" * MOST_READ}) == {}


@pytest.mark.parametrize("find", [endless_loop, lost_answer, without_return])
def test_a_file_is_parsed_once(
    find: Callable[[Mapping[str, str]], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed = []
    real = syntax.syntax_tree
    monkeypatch.setattr(syntax, "syntax_tree", lambda source: parsed.append(source) or real(source))
    source = f"def {find.__name__}(a):\n    pass\n"
    for _ in range(3):
        find({"peg1.py": source})
    assert parsed == [source]


# ---- a return that is missing, a name that is None -------------------------------------------------------------

NO_RETURN = {
    "no return at all": "def can_jump(board) -> bool:\n    board[0] == 1\n",
    "a loop that ends": "def solve(board) -> int:\n    for row in range(8):\n        return 1\n",
    "no else": "def f(n):\n    if n:\n        return 1\n",
    "one branch": "def f(n):\n    if n:\n        return 1\n    else:\n        n = 2\n",
    "a loop that is left": "def f(n):\n    while True:\n        if n:\n            break\n        return 1\n",
    "inside of with": "def f(n):\n    with n:\n        if n:\n            return 1\n",
}
RETURNS = {
    "both branches": "def f(n):\n    if n:\n        return 1\n    else:\n        return 2\n",
    "elif": "def f(n):\n    if n:\n        return 1\n    elif n > 1:\n        raise ValueError\n    else:\n        return 2\n",
    "an endless loop": "def f(n):\n    while True:\n        if n:\n            return 1\n",
    "gives nothing": "def play(board) -> None:\n    board[0] = 1\n",
    "gives nothing, and does not say so": "def play(board):\n    if board:\n        return\n",
    "a match": "def f(n):\n    match n:\n        case _:\n            return 1\n",
    "no Python": "def f(n:\n",
}


@pytest.mark.parametrize("text", NO_RETURN.values(), ids=NO_RETURN)
def test_a_path_without_a_return(text: str) -> None:
    name = text[4:].partition("(")[0]
    found = list(without_return({"client.py": RETURNS["both branches"], "peg1.py": f"\n{text}"}))
    assert found == [Found("peg1.py", 2, "path-without-return", {"function": name})]


@pytest.mark.parametrize("text", RETURNS.values(), ids=RETURNS)
def test_every_path_has_a_return(text: str) -> None:
    assert list(without_return({"peg1.py": text})) == []


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
