"""Run programs of the course as plain Python, in a process of its own, and see what they do.

It shares nothing with the sandbox and its recorders.
"""

import ast
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module, invalidate_caches
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.modules["numba"] = None  # type: ignore[assignment]  # then nothing is compiled
    for name in ("requires", "ensures"):  # -O would leave out what a program asserts, too
        setattr(import_module("framework.contracts"), name, lambda *_: lambda function: function)

from framework import hash_table, stack
from framework.board import format_board, parse_board

ROOT = Path(__file__).resolve().parents[2]
CELLS = bytes.maketrans(b"\0\1\xff", b"o*.")
_folders: list[str] = []  # of students


class Program(NamedTuple):
    """A program: its folder, the module with `peg_solve`, and whether that takes a table."""

    folder: str
    module: str
    table: bool


def answers(programs: Sequence[Program], boards: Sequence[str]) -> list[list[Any]]:
    """Return for each program its answer to each board, which is given as a text, without contracts.

    An answer is the number, the jumps on the stack in the order played and the board afterwards; None if the
    program crashed.
    """
    return in_a_process(Path(__file__), "-O", given=["answers", programs, boards])


def profiled(folder: Path, task: str, board: str, search: str) -> list[list[Any]]:
    """Return what a program's search and its table did on a board of the course, in order of time.

    Args:
        search: the name of the function that calls itself; its first argument is a board.

    Returns:
        the events: ["call", cells], ["return", value, cells], ["ht_lookup", found, cells of the caller]
        and ["ht_insert"].
    """
    return in_a_process(Path(__file__), given=["profiled", str(folder), task, board, search])


def in_a_process(script: Path, *flags: str, given: Any) -> list[Any]:
    """Return the last line that a script prints, as JSON; it reads `given`, as JSON, too."""
    places = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    done = subprocess.run(
        [sys.executable, *flags, str(script.resolve())],
        input=json.dumps(given),
        env={**os.environ, "PYTHONPATH": places, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def calls_itself(source: bytes) -> str | None:
    """Return the name of the function that calls itself, and that `peg_solve` calls; None if there is none."""
    functions = [each for each in ast.parse(source).body if isinstance(each, ast.FunctionDef)]
    calls = {
        each.name: {ast.unparse(node.func) for node in ast.walk(each) if isinstance(node, ast.Call)}
        for each in functions
    }
    found = (name for name, called in calls.items() if name in called and name in calls["peg_solve"])
    return next(found, None)


# ---- in that process -----------------------------------------------------------------------------


def load(folder: str, module: str) -> tuple[ModuleType, ModuleType]:
    """Return a module and the client of a folder, both imported anew."""
    sys.path[:] = [folder, *(each for each in sys.path if each not in _folders)]
    _folders.append(folder)
    for name, each in list(sys.modules.items()):
        if is_students(getattr(each, "__file__", None)):
            del sys.modules[name]
    invalidate_caches()
    client = import_module("client")
    hash_table.link_key_hash(client.key_hash)
    return import_module(module), client


def is_students(file: str | None) -> bool:
    """Return whether a file is in a folder that was loaded."""
    return file is not None and os.path.dirname(file) in _folders


def _answers(programs: list[list[Any]], boards: list[str]) -> list[list[Any]]:
    found = []
    for folder, name, table in programs:
        module, client = load(folder, name)
        found.append([_answer(module, client, board, table) for board in boards])
    return found


def _answer(module: ModuleType, client: ModuleType, text: str, table: bool) -> Any:
    board, moves, pushed = parse_board(text), [], stack.stack_new()
    try:
        tables = [hash_table.ht_new(1 << 12)] * table
        number = int(module.peg_solve(board, pushed, *tables))
        while not stack.stack_empty(pushed):
            moves.append(stack.pop(pushed))
    except (ArithmeticError, LookupError, RecursionError, ValueError):
        return None
    parts = (client.row_start, client.col_start, client.row_end, client.col_end)
    return [number, [[int(part(move)) for part in parts] for move in moves], format_board(board)]


def _profiled(folder: str, task: str, board_name: str, search: str) -> list[list[Any]]:
    from grader.catalog.boards import find_board
    from grader.catalog.tasks import registry

    module, _ = load(folder, task)
    events: list[list[Any]] = []

    def cells(frame: FrameType) -> str:
        """Return the cells of the first argument; none if it is no board."""
        first = frame.f_locals[frame.f_code.co_varnames[0]] if frame.f_code.co_argcount else None
        return first.tobytes().translate(CELLS).decode() if hasattr(first, "tobytes") else ""

    def look(frame: FrameType, event: str, value: Any) -> None:
        name, caller = frame.f_code.co_name, frame.f_back
        if name == search and event in ("call", "return"):
            events.append(["call", cells(frame)] if event == "call" else ["return", value, cells(frame)])
        if event != "return" or caller is None or caller.f_code.co_name.startswith("ht_"):
            return
        if name == "ht_lookup":
            events.append([name, bool(value), cells(caller)])
        elif name == "ht_insert":
            events.append([name])

    board, tables = find_board(board_name).board, [hash_table.ht_new(1)] * registry().find(task).table
    sys.setprofile(look)
    with contextlib.suppress(Exception):  # what was done until then
        module.peg_solve(board, stack.stack_new(), *tables)
    sys.setprofile(None)
    return events


if __name__ == "__main__":
    what, *arguments = json.load(sys.stdin)
    said = {"answers": _answers, "profiled": _profiled}[what](*arguments)
    print("\n" + json.dumps(said, default=lambda value: value.item()))
