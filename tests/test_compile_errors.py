"""What numba says of code that first-year students write, told in their words.

One child compiles every snippet and describes each failure, as the grader's own child does.
"""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader import paths
from grader.messages import compile_errors, contracts, python_errors, sources
from grader.messages.catalogue import entries, say
from grader.messages.compile_table import TABLE
from grader.sandbox.answers import Failure, parse_frame
from grader.sandbox.parent.zygote import child_environment
from grader.submissions.cutting import STUB
from support.said import facts_in

HEAD = """
import copy, itertools, random, time
import numpy as np
from client import board_key, move_new
from framework.board import count_pegs
from framework.contracts import compiled
from framework.hash_table import ht_insert, ht_lookup, ht_new
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

# What is in the function's body, one line of it marked, and the identity of the message.
SNIPPETS = {
    "% on text": ('print("pegs %d" % 3)  #!', "text-in-compiled-code"),
    "format": ('print("{}".format(3))  #!', "text-in-compiled-code"),
    "print end": ('print("a", end="")  #!', "text-in-compiled-code"),
    "print star": ("print(*[1, 2])  #!", "star-on-the-left"),
    "f-string format": ('print(f"{3:3d}")  #!', "text-in-compiled-code"),
    "except a class": ("try:\n        n = board[9, 9]\n    except IndexError:  #!\n        return 2", "catches-one-class"),
    "except as": ("try:\n        n = 1\n    except Exception as e:  #!\n        return 2", "catches-one-class"),
    "with": ('with open("x") as f:  #!\n        return 2', "function-cannot-be-compiled"),
    "empty list": ("m = []  #!\n    return len(m)", "empty-list"),
    "empty set": ("m = set()  #!\n    return len(m)", "empty-list"),
    "list of none": ("g = [None] * 8\n    g[0] = 3  #!", "mixed-list"),
    "append text": ('m = [1]\n    m.append("x")  #!', "mixed-list"),
    "append another tuple": ("m = []\n    m.append((1, 2))\n    m.append((1, 2, 3))  #!", "mixed-list"),
    "dict of lists": ("d = dict()\n    d[1] = [1]  #!", "mixed-list"),
    "dict of boards": ("d = dict()\n    d[board] = 1  #!", "cannot-be-hashed"),
    "dict of two kinds": ('d = {1: 2}\n    d["x"] = 3  #!', "mixed-list"),
    "no such name": ("return pgs  #!", "unknown-name"),
    "used before": ("n = n + 1  #!\n    return n", "unset-variable"),
    "del": ("n = 3\n    del n  #!\n    return 2", "function-cannot-be-compiled"),
    "plain function": ("return plain(board)  #!", "calls-plain-function"),
    "stack_new": ("s = stack_new()  #!", "calls-plain-framework"),
    "a class": ("m = Move(3)  #!\n    return m.row", "class-cannot-be-compiled"),
    "a class inside": ("class A:  #!\n        x = 3\n    return A.x", "class-cannot-be-compiled"),
    "a list from outside": ("for r, c in STEPS_LIST:  #!\n        pass", "list-from-outside"),
    "a dict from outside": ('return STEPS_DICT["down"][0]  #!', "list-from-outside"),
    "an array from outside": ("STEPS_ARRAY[0, 0] = 3  #!", "array-from-outside"),
    "a mixed tuple": ("n = 0\n    for d in range(2):\n        n += MIXED[d][1]  #!\n    return n", "mixed-list"),
    "reversed": ("for x in reversed([1, 2]):  #!\n        pass", "function-cannot-be-compiled"),
    "time": ("t = time.time()  #!", "function-cannot-be-compiled"),
    "random": ("return random.choice([1, 2])  #!", "function-cannot-be-compiled"),
    "itertools": ("for r, c in itertools.product(range(8), range(8)):  #!\n        pass", "function-cannot-be-compiled"),
    "deepcopy": ("b = copy.deepcopy(board)  #!", "copy-function"),
    "numpy": ("return np.apply_along_axis(sum, 0, board)[0]  #!", "function-cannot-be-compiled"),
    "zeros of a list": ("a = np.zeros([8, 8])  #!", "wrong-array-arguments"),
    "zeros of int": ("a = np.zeros((8, 8), dtype=int)  #!", "wrong-array-arguments"),
    "max with key": ("return max([(1, 2)], key=lambda m: m[1])[0]  #!", "function-cannot-be-compiled"),
    "int of text": ('return int("12")  #!', "function-cannot-be-compiled"),
    "no such method": ("return board.count(1)  #!", "function-cannot-be-compiled"),
    "append to an array": ("m = np.zeros(3)\n    m.append(3)  #!", "function-cannot-be-compiled"),
    "stack.push": ("stack.push(3)  #!", "attribute-of-framework-value"),
    "in the table": ("return 3 in table  #!", "attribute-of-framework-value"),
    "an index of the table": ("table[3] = True  #!", "attribute-of-framework-value"),
    "push of a tuple": ("push(stack, (1, 2, 3, 4))  #!", "misused-function"),
    "push turned round": ("push(3, stack)  #!", "misused-function"),
    "a board into the table": ("ht_insert(table, board)  #!", "misused-function"),
    "too few arguments": ("return can(board, 1)  #!", "argument-missing"),
    "too few arguments, one of them a table": ("ht_insert(table)  #!", "argument-missing"),
    "bytes as a key": ("ht_lookup(table, board.tobytes())  #!", "misused-function"),
    "too many arguments": ("return can(board, 1, 2, 3)  #!", "wrong-call"),
    "a wrong keyword": ("return can(board, 1, 2, cols=2)  #!", "wrong-call"),
    "None plus": ("return nothing(board) + 1  #!", "none-used"),
    "None compared": ("return nothing(board) < 1  #!", "none-used"),
    "None taken apart": ("r, c = nothing(board)  #!", "none-used"),
    "an int taken apart": ("r, c = 3  #!", "cannot-be-unpacked"),
    "three for two": ("r, c = (1, 2, 3)  #!", "wrong-number-of-values"),
    "star on the left": ("a, *b = [1, 2]  #!", "star-on-the-left"),
    "a loop over a number": ("for r in 8:  #!\n        pass", "loop-over-value"),
    "one index too many": ("return board[1][2][0]  #!", "attribute-of-board"),
    "a mask": ("board[board == 1] = 0  #!", "board-as-mask"),
    "a float as index": ("r = 8 / 2\n    return board[r, 0]  #!", "float-index"),
    "a call of the board": ("return board(1, 2)  #!", "attribute-of-board"),
    "shape called": ("r, c = board.shape()  #!", "value-called"),
    "text into a cell": ('board[3, 3] = "*"  #!', "no-cell-value"),
    "list and tuple": ("a = [1] + (2,)  #!", "operator-cannot-be-used"),
    "two kinds returned": ("if count_pegs(board) > 9:\n        return False\n    return (1, 2)  #!", "returns-two-kinds"),
    "two kinds in a loop": ("x = 1\n    for i in range(3):  #!\n        x = (x, i)", "two-kinds-in-one-name"),
    "sum of a generator": ("return sum(1 for r in range(8))  #!", "generator"),
    "a walrus": ("if (n := count_pegs(board)) > 1:  #!\n        return n\n    return 1", "value-of-unknown-kind"),
    "an import": ("import math  #!\n    return 2", "imports-inside"),
    "no way out": ("return peg_of_three(board, stack, table)  #!", "never-returns"),
    "a function in it that recurs": ("def inner(n):  #!\n        return 0 if n == 0 else inner(n - 1)\n    return inner(3)", "inner-function"),
    "too large": ("return 5 * 0x9E3779B97F4A7C15  #!", "number-too-large"),
}  # fmt: skip

# Calls from plain Python with what compiled code cannot take.
CALLS = {
    "an empty list": ("takes(board, [])", "empty-list"),
    "a mixed list": ('takes(board, [1, "x"])', "mixed-list"),
    "a list of lists": ("takes(board, [[1], [2]])", "list-of-lists"),
    "a dictionary": ("can(board, {}, 1)", "argument-of-wrong-kind"),
    "an object": ("can(board, 1, Move(3))", "argument-of-wrong-kind"),
    "a function": ("takes(board, plain)", "argument-of-wrong-kind"),
    "a tuple for push": ("push(stack, (1, 2, 3, 4))", "misused-function"),
    "a number too large": ("push(stack, 2**80)", "number-too-large"),
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
    texts = {name: HEAD + f"    {body}\n" + TAIL for name, (body, _) in SNIPPETS.items()}
    for name, (call, _) in CALLS.items():
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


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_a_student_can_act_upon_it(name: str, failures: dict[str, Any]) -> None:
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
    id, facts = compile_errors.explain(told.text, known, lines[told.line - 1])
    assert id == {**SNIPPETS, **CALLS}[name][1]
    message = say(id, exception="", rerun="grade peg3 -d", **facts)
    for text in (message.message, message.help):
        assert text
        assert not text.endswith(".")
        assert not any(word in text for word in ("numba", "Literal", "int64(", "CPUDispatcher", "/tmp", "$"))


@pytest.mark.parametrize("kind", ["Cannot type empty set", "Cannot type empty list", "<class 'dict'>"])
@pytest.mark.parametrize("table", [True, False])
def test_a_memory_of_ones_own_is_told_of_the_table(kind: str, table: bool) -> None:
    text = f"Untyped global name 'seen': {kind}"
    id, facts = compile_errors.explain(text, {}, "if key in seen:", table)
    assert (id, facts["name"], facts["table"]) == ("memory-from-outside", "seen", table)
    constants, _ = compile_errors.explain(text, {}, "row_step = seen[direction]", table)
    assert (constants == "memory-from-outside") == ("set" in kind)


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
        "No implementation of function\n>>> zeros()",
        "Can't unify return type from the following types: ,",
        "{0} {} {x}",
    ],
)
def test_whatever_the_child_says_is_shown_safely(text: str) -> None:
    id, facts = compile_errors.explain(text, {}, "")
    message = say(id, exception="", rerun="grade peg3 -d", **facts)
    for shown in (message.message, message.help):
        assert shown.isprintable()
        assert 0 < len(shown) < 300


OF_ALL = {"exception", "rerun", "compiled"}  # facts that come with each of them


def test_each_message_has_the_facts_of_its_words() -> None:
    """The groups of its pattern, or those that stand in the code."""
    given = [(id, {*re.compile(pattern).groupindex}) for id, pattern in TABLE]
    given += [(id, {*re.compile(pattern).groupindex}) for id, _, pattern in python_errors.KNOWN]
    for module in (compile_errors, contracts, python_errors):
        for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text("utf-8"))):
            match node:
                case ast.Tuple(elts=[ast.Constant(value=str(id)), ast.Dict(keys=keys)]) if None not in keys:
                    given.append((id, {each.value for each in keys if isinstance(each, ast.Constant)}))
    assert len(given) > len(TABLE) + len(python_errors.KNOWN) + 25
    for id, names in given:
        assert facts_in(entries()[id]) <= names | OF_ALL, id


def test_the_stubs_are_not_compile_errors() -> None:
    """`_compile` tells a stub that is left from a fault by numba's type of a function that returns nothing."""
    for file in (paths.PACKAGE.parent / "student").glob("*.py"):
        assert STUB.search(file.read_text("utf-8"))
