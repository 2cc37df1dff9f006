"""Run programs on boards as plain Python without contracts, in this process: only for programs of the course.

    python -O tests/support/plain_answers.py < JOBS

JOBS is JSON: `boards`, their texts, and `programs`, each with its `folder`, its `module` and whether it takes a
`table`. The output has a list for each program, with an answer for each board: the number, the jumps on the stack
in the order played and the board afterwards; null if the program crashed.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.modules["numba"] = None  # type: ignore[assignment]  # then nothing is compiled

from framework.board import format_board, parse_board
from framework.hash_table import ht_new, link_key_hash
from framework.stack import pop, stack_empty, stack_new

ROOT = Path(__file__).resolve().parents[2]


class Program(NamedTuple):
    """A program: its folder, the module with `peg_solve`, and whether that takes a table."""

    folder: str
    module: str
    table: bool


def answers(programs: Sequence[Program], boards: Sequence[str]) -> list[list[Any]]:
    """Return the answers of each program, from a process of its own."""
    jobs = json.dumps({"programs": programs, "boards": boards})
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-O", str(Path(__file__).resolve())]
    done = subprocess.run(command, input=jobs, env=environment, capture_output=True, text=True, check=True)
    found: list[list[Any]] = json.loads(done.stdout)
    return found


def _of_one(program: Program, boards: Sequence[str]) -> list[Any]:
    sys.path.insert(0, program.folder)
    before = set(sys.modules)
    invalidate_caches()
    try:
        return [_answer(program, board) for board in boards]
    finally:
        sys.path.remove(program.folder)
        for name in set(sys.modules) - before:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(program.folder):
                del sys.modules[name]


def _answer(program: Program, text: str) -> Any:
    client, module = import_module("client"), import_module(program.module)
    link_key_hash(client.key_hash)
    board, stack = parse_board(text), stack_new()
    try:
        tables = [ht_new(1 << 12)] if program.table else []
        number = int(module.peg_solve(board, stack, *tables))
        moves = []
        while not stack_empty(stack):
            moves.append(pop(stack))
    except (ArithmeticError, LookupError, RecursionError, ValueError):
        return None
    parts = (client.row_start, client.col_start, client.row_end, client.col_end)
    return [number, [[int(part(move)) for part in parts] for move in moves], format_board(board)]


if __name__ == "__main__":
    given = json.load(sys.stdin)
    json.dump([_of_one(Program(*each), given["boards"]) for each in given["programs"]], sys.stdout)
