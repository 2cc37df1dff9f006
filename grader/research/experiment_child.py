"""Run the searches of `grade experiment` in a separate process: read a request, print one row a line.

The request is a JSON object with one of these sets of fields:

{"board", "order", "directions", "bidirectional", "symmetry"}    search one board
{"task", "boards", "recorded"}      run a task's program on each board; needs `python -O`, which compiles it
"""

import ctypes
import importlib
import json
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from framework import hash_table
from framework.board import Board, parse_board
from framework.contracts import compiled
from framework.stack import pop, stack_empty, stack_new
from framework.verify import verify
from grader import paths


def _memory_mib(name: str) -> float:
    """Return a field of /proc/self/status in MiB (VmRSS: now, VmHWM: the peak); 0 if it cannot be read."""
    try:
        for line in Path("/proc/self/status").read_text("ascii").splitlines():
            if line.startswith(name):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return 0.0


def main() -> None:
    """Carry out the request from standard input; its figures leave out the compiler's time and memory."""
    request = json.load(sys.stdin)
    if "task" in request:
        _run_task(request)
    else:
        _search(request)


def _search(request: dict[str, Any]) -> None:
    from grader.research import report_search

    board = parse_board(request["board"])
    report_search.warm_up(request["symmetry"])
    before_mib, before_s = _memory_mib("VmRSS"), time.process_time()
    asked = board, request["order"], request["directions"]
    if request["bidirectional"]:
        outcome = report_search.bidirectional_search(*asked)
    else:
        outcome = report_search.memoized_search(*asked, request["symmetry"])
    row = {
        "solved": outcome.solved,
        "unsolvable": outcome.unsolvable,
        "cpu_s": round(time.process_time() - before_s, 3),
        "peak_mib": round(_memory_mib("VmHWM") - before_mib, 3),
    }
    json.dump(row, sys.stdout)


def _run_task(request: dict[str, Any]) -> None:
    search = TaskSearch(request["task"])
    for text in request["boards"]:
        outcome = search.solve(parse_board(text))
        row = outcome._asdict() | {"unsolvable": len(outcome.recorded)}
        if not request["recorded"]:
            del row["recorded"]
        print(json.dumps(row), flush=True)


# ---- the program of a task, under the name that a student's file has --------------------------------


_CHAINS = 1 << 12  # of a new table, which grows by itself
_SMALL = parse_board("**o**o**" + 56 * ".")


class TaskOutcome(NamedTuple):
    """What a task's program did with one board."""

    solved: bool  # whether the jumps, played on the board, left one peg
    recorded: list[int]  # the keys of the unsolvable states
    opened: int  # how often a board was opened, that is, its jumps were listed to be tried
    cpu_s: float  # CPU seconds, without compiling


class TaskSearch:
    """The `peg_solve` of a task that ranks its jumps (peg4, peg5), with a count of the boards it opens."""

    def __init__(self, task: str) -> None:
        """Import the task's program and compile it."""
        sys.path.insert(0, str(paths.REFERENCE))
        self._client = importlib.import_module("client")
        hash_table.link_key_hash(self._client.key_hash)
        self._program: Any = importlib.import_module(task)
        self._opened = 0
        self._count_opened()
        self.solve(_SMALL)

    def _count_opened(self) -> None:
        """Make the program count the boards it opens: each is a call of `ranked_jumps`.

        The count is added from outside, since a student's search contains no code for statistics.
        """
        ranked_jumps = self._program.ranked_jumps

        def count() -> None:
            self._opened += 1

        call_count = ctypes.CFUNCTYPE(None)(count)  # which compiled code can call

        def counted(board: Board, distance: Any) -> Any:
            call_count()
            return ranked_jumps(board, distance)

        self._program.ranked_jumps = compiled(counted)

    def solve(self, board: Board) -> TaskOutcome:
        """Run the program on a copy of a board."""
        stack, table = stack_new(), hash_table.ht_new(_CHAINS)
        self._opened = 0
        before_s = time.process_time()
        answer = self._program.peg_solve(board.copy(), stack, table)
        cpu_s = time.process_time() - before_s
        jumps, client = [], self._client
        while not stack_empty(stack):
            move = pop(stack)
            parts = (client.row_start, client.col_start, client.row_end, client.col_end)
            jumps.append([part(move) for part in parts])
        solved = verify(board, jumps).solved
        if solved != (answer == 1):
            raise RuntimeError(f"it answered {answer}, and its {len(jumps)} jumps do not fit that")
        recorded = table.keys[1 : hash_table.ht_size(table) + 1].tolist()
        return TaskOutcome(solved, recorded, self._opened, round(cpu_s, 4))


if __name__ == "__main__":
    main()
