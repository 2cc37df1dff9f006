"""Run a program on a board as plain Python under sys.setprofile, in a process of its own, and see what it did.

It shares nothing with the recorder of films.
"""

import contextlib
import importlib
import json
import subprocess
import sys
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CELLS = {0: "o", 1: "*", 255: "."}


def profiled(folder: Path, task: str, board: str, search: str) -> list[list[Any]]:
    """Return what a program's search and its table did, in order of time.

    Args:
        folder: the student's folder.
        task, board: the program and what it is run on.
        search: the name of the function that calls itself; its first argument is a board.

    Returns:
        the events: ["call", cells], ["return", value, cells], ["ht_lookup", found, cells of the caller]
        and ["ht_insert"].
    """
    command = [sys.executable, __file__, str(folder), task, board, search]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True, env={"PYTHONPATH": str(ROOT)}
    )
    events: list[list[Any]] = json.loads(done.stdout)
    return [[_read(part) for part in event] for event in events]


def _read(part: Any) -> Any:
    """Return the cells that a text has in hexadecimal digits; anything else as it is."""
    if isinstance(part, str) and len(part) == 128:
        return "".join(CELLS[value] for value in bytes.fromhex(part))
    return part


def main(folder: str, task: str, board_name: str, search: str) -> None:
    from framework import contracts

    setattr(contracts, "requires", lambda *conditions: lambda function: function)  # noqa: B010
    setattr(contracts, "ensures", lambda *conditions: lambda function: function)  # noqa: B010
    from framework import hash_table, stack
    from grader.catalog.boards import find_board
    from grader.catalog.tasks import registry

    board = find_board(board_name).board
    sys.path.insert(0, folder)
    client = importlib.import_module("client")
    hash_table.link_key_hash(client.key_hash)
    module = importlib.import_module(task)
    events: list[list[Any]] = []

    def cells(frame: FrameType) -> str:
        """Return the cells of the first argument; none if it is no board."""
        first = frame.f_locals[frame.f_code.co_varnames[0]] if frame.f_code.co_argcount else None
        return first.tobytes().hex() if hasattr(first, "tobytes") else ""

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

    tables = [hash_table.ht_new(1)] * registry().find(task).table
    sys.setprofile(look)
    with contextlib.suppress(Exception):  # what was done until then
        module.peg_solve(board, stack.stack_new(), *tables)
    sys.setprofile(None)
    print(json.dumps(events, default=lambda value: value.item()))


if __name__ == "__main__":
    main(*sys.argv[1:])
