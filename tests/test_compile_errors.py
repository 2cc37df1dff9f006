"""What numba says of code that first-year students write, told in their words.

One child compiles every snippet and describes each failure, as the grader's own child does.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader import paths
from grader.messages import compile_errors, sources
from grader.sandbox.answers import Failure, parse_frame
from grader.sandbox.parent.environment import child_environment
from grader.submissions.cutting import STUB

HEAD = """
import copy, itertools, random, time
import numpy as np
from client import board_key, move_new
from framework.board import count_pegs
from framework.contracts import compiled
from framework.hash_table import ht_insert, ht_new
from framework.stack import pop, push, stack_new
STEPS_LIST = [(1, 0), (0, 1)]
STEPS_DICT = {"down": (1, 0)}
STEPS_ARRAY = np.array([[1, 0], [0, 1]])
MIXED = (("down", 1), ("up", -1, 0))
class Move:
    def __init__(self, row):
        self.row = row
def plain(board):
    return 2
@compiled
def takes(board, what):
    return 2
@compiled
def nothing(board):
    count_pegs(board)
@compiled
def can(board, row, col):
    return board[row, col] == 1
@compiled
def peg_of_three(board, stack, table):
"""
TAIL = """
def peg_solve(board, stack, table):
    return peg_of_three(board, stack, table)
"""

# What is in the function's body, one line of it marked, and words of the reason and of the help.
SNIPPETS = {
    "% on text": ('print("pegs %d" % 3)  #!', "% cannot be used on text and an int", "print("),
    "format": ('print("{}".format(3))  #!', "text has no .format", "print("),
    "print end": ('print("a", end="")  #!', "print in compiled code takes no", "names and numbers"),
    "print star": ("print(*[1, 2])  #!", "for a tuple only", "one by one"),
    "f-string format": ('print(f"{3:3d}")  #!', "f-strings with a format", "names and numbers"),
    "except a class": (
        "try:\n        n = board[9, 9]\n    except IndexError:  #!\n        return 2",
        "every exception or none", "check with an if",
    ),
    "except as": (
        "try:\n        n = 1\n    except Exception as e:  #!\n        return 2",
        "cannot look at an exception", "check with an if",
    ),
    "with": ('with open("x") as f:  #!\n        return 2', "a with statement cannot be compiled", "in peg_solve"),
    "empty list": ("m = []  #!\n    return len(m)", "this empty list will hold", "np.zeros"),
    "empty set": ("m = set()  #!\n    return len(m)", "this empty set will hold", "np.zeros"),
    "list of none": ("g = [None] * 8\n    g[0] = 3  #!", "this list holds None and cannot take an int", "one kind"),
    "append text": ('m = [1]\n    m.append("x")  #!', "a list with values of one kind cannot take text", "one kind"),
    "append another tuple": (
        "m = []\n    m.append((1, 2))\n    m.append((1, 2, 3))  #!", "cannot take a tuple too", "one kind",
    ),
    "dict of lists": ("d = dict()\n    d[1] = [1]  #!", "a dictionary cannot hold a list", "numbers or tuples"),
    "dict of boards": ("d = dict()\n    d[board] = 1  #!", "a board cannot be a key", "board_key(board)"),
    "dict of two kinds": ('d = {1: 2}\n    d["x"] = 3  #!', "keys of one kind", "one kind"),
    "no such name": ("return pgs  #!", "the name pgs is not defined", "spelt correctly"),
    "used before": ("n = n + 1  #!\n    return n", "n may have no value here", "before the loop"),
    "del": ("n = 3\n    del n  #!\n    return 2", "del of a name", "leave it out"),
    "plain function": ("return plain(board)  #!", "plain is plain Python", "put @compiled above plain too"),
    "stack_new": ("s = stack_new()  #!", "stack_new is plain Python", "use it in peg_solve"),
    "a class": ("m = Move(3)  #!\n    return m.row", "Move is a class", "numbers"),
    "a class inside": ("class A:  #!\n        x = 3\n    return A.x", "a class cannot be compiled", "numbers"),
    "a list from outside": ("for r, c in STEPS_LIST:  #!\n        pass", "STEPS_LIST is a list made outside", "tuple"),
    "a dict from outside": ('return STEPS_DICT["down"][0]  #!', "STEPS_DICT is a dictionary made outside", "tuple"),
    "an array from outside": ("STEPS_ARRAY[0, 0] = 3  #!", "can be read but not changed", "as an argument"),
    "a mixed tuple": (
        "n = 0\n    for d in range(2):\n        n += MIXED[d][1]  #!\n    return n", "only with a number", "one kind",
    ),
    "reversed": ("for x in reversed([1, 2]):  #!\n        pass", "reversed cannot be compiled", "loops"),
    "time": ("t = time.time()  #!", "time.time cannot be compiled", "in peg_solve"),
    "random": ("return random.choice([1, 2])  #!", "random.choice cannot be compiled", "in peg_solve"),
    "itertools": (
        "for r, c in itertools.product(range(8), range(8)):  #!\n        pass",
        "itertools.product cannot be compiled", "loop over rows",
    ),
    "deepcopy": ("b = copy.deepcopy(board)  #!", "copy.deepcopy cannot be compiled", "board.copy()"),
    "numpy": ("return np.apply_along_axis(sum, 0, board)[0]  #!", "np.apply_along_axis cannot be compiled", "loop"),
    "zeros of a list": ("a = np.zeros([8, 8])  #!", "shape of an array must be a tuple", "np.zeros((8, 8))"),
    "zeros of int": ("a = np.zeros((8, 8), dtype=int)  #!", "no Python type as its dtype", "np.int64"),
    "max with key": ("return max([(1, 2)], key=lambda m: m[1])[0]  #!", "max(...) cannot be compiled with key=", "loop"),
    "int of text": ('return int("12")  #!', "int(...) cannot be compiled for text", ""),
    "no such method": ("return board.count(1)  #!", "a board has no .count", "loop"),
    "append to an array": ("m = np.zeros(3)\n    m.append(3)  #!", "has no .append", "loop"),
    "stack.push": ("stack.push(3)  #!", "the stack has no .push", "push(stack, move)"),
    "in the table": ("return 3 in table  #!", "in cannot be used on an int and the hash table", "ht_lookup"),
    "an index of the table": ("table[3] = True  #!", "nothing can be stored in the hash table", "ht_lookup"),
    "push of a tuple": ("push(stack, (1, 2, 3, 4))  #!", "push is given something", "push(stack, item)"),
    "push turned round": ("push(3, stack)  #!", "push is given something", "push(stack, item)"),
    "a board into the table": ("ht_insert(table, board)  #!", "ht_insert is given something", "ht_insert(table, key)"),
    "too few arguments": ("return can(board, 1)  #!", "can is called without its argument col", "can(board, row, col)"),
    "too many arguments": ("return can(board, 1, 2, 3)  #!", "with too many arguments", "can(board, row, col)"),
    "a wrong keyword": ("return can(board, 1, 2, cols=2)  #!", "can is called with", "can(board, row, col)"),
    "None plus": ("return nothing(board) + 1  #!", "+ cannot be used on None and an int", "return"),
    "None compared": ("return nothing(board) < 1  #!", "< cannot be used on None and an int", "return"),
    "None taken apart": ("r, c = nothing(board)  #!", "None cannot be unpacked", "return"),
    "an int taken apart": ("r, c = 3  #!", "an int cannot be unpacked", "on the right"),
    "three for two": ("r, c = (1, 2, 3)  #!", "expected 2 values, found 3", "on the left"),
    "star on the left": ("a, *b = [1, 2]  #!", "* on the left side", "one by one"),
    "a loop over a number": ("for r in 8:  #!\n        pass", "cannot go over an int", "range(...)"),
    "one index too many": ("return board[1][2][0]  #!", "an int cannot be indexed", "board[row, col]"),
    "a mask": ("board[board == 1] = 0  #!", "indexed by a comparison", "loop"),
    "a float as index": ("r = 8 / 2\n    return board[r, 0]  #!", "a float is not an index", "//"),
    "a call of the board": ("return board(1, 2)  #!", "a board is not a function", "board[row, col]"),
    "shape called": ("r, c = board.shape()  #!", "a tuple is not a function", "leave the () out"),
    "text into a cell": ('board[3, 3] = "*"  #!', "text cannot be stored in a board", "BLOCKED, EMPTY or PEG"),
    "list and tuple": ("a = [1] + (2,)  #!", "+ cannot be used on a list and a tuple", ""),
    "two kinds returned": (
        "if count_pegs(board) > 9:\n        return False\n    return (1, 2)  #!", "the function returns", "of one kind",
    ),
    "two kinds in a loop": ("x = 1\n    for i in range(3):  #!\n        x = (x, i)", "x is an int in one place", "a different name"),
    "sum of a generator": ("return sum(1 for r in range(8))  #!", "this generator cannot be compiled", "loop"),
    "a walrus": (
        "if (n := count_pegs(board)) > 1:  #!\n        return n\n    return 1", "what kind of value this is", ":=",
    ),
    "an import": ("import math  #!\n    return 2", "compiled code cannot import", "top of the file"),
    "no way out": ("return peg_of_three(board, stack, table)  #!", "calls the function again", "return there"),
    "a function in it that recurs": (
        "def inner(n):  #!\n        return 0 if n == 0 else inner(n - 1)\n    return inner(3)",
        "a function inside another function", "top level",
    ),
    "too large": ("return 5 * 0x9E3779B97F4A7C15  #!", "does not fit into 64 bits", "2**63"),
}  # fmt: skip

# Calls from plain Python with what compiled code cannot take.
CALLS = {
    "an empty list": ("takes(board, [])", "given an empty list", "start with one item"),
    "a mixed list": ('takes(board, [1, "x"])', "values of different kinds", "one kind"),
    "a list of lists": ("takes(board, [[1], [2]])", "a list of lists", "np.array"),
    "a dictionary": ("can(board, {}, 1)", "row of can is a dictionary", "pass numbers"),
    "an object": ("can(board, 1, Move(3))", "col of can is a value of the class Move", "pass numbers"),
    "a function": ("takes(board, plain)", "what of takes is a function", "pass numbers"),
    "a tuple for push": ("push(stack, (1, 2, 3, 4))", "push is given something", "push(stack, item)"),
    "a number too large": ("push(stack, 2**80)", "does not fit into 64 bits", "2**63"),
}

CHILD = """
import importlib, json, sys
sys.path[:0] = sys.argv[1:3]
import numpy as np
from grader.sandbox.child import compiled, describe, whose
from framework import board, hash_table, stack
import client
whose.set_code_folder(sys.argv[2])
compiled.refuse_masks()
hash_table.link_key_hash(client.key_hash)
position = np.array(board.read_board(sys.argv[3]))
for name in sys.argv[4:]:
    try:
        module = importlib.import_module(name)
        module.peg_solve(position.copy(), stack.stack_new(), hash_table.ht_new(1))
        print(json.dumps(None))
    except Exception as error:
        print(json.dumps(describe.describe_failure(error, False)))
"""


def _sources() -> dict[str, str]:
    """Return each snippet as a file of a student."""
    texts = {name: HEAD + f"    {body}\n" + TAIL for name, (body, _, _) in SNIPPETS.items()}
    for name, (call, _, _) in CALLS.items():
        texts[name] = HEAD + f"    return 2\ndef peg_solve(board, stack, table):\n    return {call}  #!\n"
    return {f"code_{number}.py": text for number, text in enumerate(texts.values())}


FILES = dict(zip([*SNIPPETS, *CALLS], _sources(), strict=True))


@pytest.fixture(scope="module")
def failures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return what came of each snippet in a child that compiles."""
    folder = tmp_path_factory.mktemp("code")
    (folder / "client.py").write_text((paths.REFERENCE / "client.py").read_text("utf-8"), "utf-8")
    for file, text in _sources().items():
        (folder / file).write_text(text, "utf-8")
    arguments = [str(paths.PACKAGE.parent), str(folder), str(paths.BOARDS / "plus.txt")]
    environment = child_environment(folder)
    done = subprocess.run(
        [sys.executable, "-O", "-c", CHILD, *arguments, *(Path(file).stem for file in FILES.values())],
        capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return dict(zip(FILES, [json.loads(line) for line in done.stdout.splitlines()], strict=True))


@pytest.mark.parametrize("name", FILES)
def test_a_student_can_act_upon_it(name: str, failures: dict[str, Any]) -> None:
    _, what, help = {**SNIPPETS, **CALLS}[name]
    frame, file = failures[name], FILES[name]
    assert frame is not None, "it was compiled"
    source = _sources()[file]
    told = parse_frame(json.dumps(frame).encode(), dict)
    assert isinstance(told, Failure)
    assert told.kind == "compile" or compile_errors.is_of_a_call(told.type, told.text)
    lines = source.split("\n")
    marked = next(line for line in lines if "#!" in line)
    assert (told.file, lines[told.line - 1].strip()) == (file, marked.strip())

    known = sources.functions({file: source})
    reason = compile_errors.explain(told.text, known, lines[told.line - 1])
    assert what in reason.what
    assert help in reason.help
    assert bool(help) == bool(reason.help)
    for text in reason:
        assert not text.endswith(".")
        assert not any(word in text for word in ("numba", "Literal", "int64(", "CPUDispatcher", "/tmp", "$"))


@pytest.mark.parametrize("kind", ["Cannot type empty set", "Cannot type empty list", "<class 'dict'>"])
@pytest.mark.parametrize("table", [True, False])
def test_a_memory_of_ones_own_is_told_of_the_table(kind: str, table: bool) -> None:
    text = f"Untyped global name 'seen': {kind}"
    reason = compile_errors.explain(text, {}, "if key in seen:", table)
    assert re.match(r"seen is a (set|list|dictionary) made outside", reason.what)
    assert ("ht_lookup and ht_insert" in reason.help) == table
    constants = compile_errors.explain(text, {}, "row_step = seen[direction]", table)
    assert "ht_lookup" not in constants.help or "set" in kind


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "a\x1b[31m red\x00",
        "Unknown attribute 'x' of type",
        "Untyped global name 'x': <class 'a.b'>",
        "No implementation of function Function(<built-in function setitem>)\n>>> setitem(((((",
        "No implementation of function\n>>> getitem(a)\n",
        "Cannot unify  and  for ''",
        "BoundFunction(list.append for list" * 400,
        "Cannot unify " + "and " * 3000 + "for 'x'",
        ">>> f(" + "(" * 5000,
        "{0} {} {x}",
    ],
)
def test_whatever_the_child_says_is_shown_safely(text: str) -> None:
    reason = compile_errors.explain(text, {}, "")
    for shown in reason:
        assert shown.isprintable()
        assert len(shown) < 300
    assert reason.what


def test_the_stubs_are_not_compile_errors() -> None:
    """`_compile` tells a stub that is left from a fault by numba's type of a function that returns nothing."""
    for file in (paths.PACKAGE.parent / "student").glob("*.py"):
        assert STUB.search(file.read_text("utf-8"))
