"""Run the searches of `grade experiment` in a separate process: read a request, print one row a line.

The request is a JSON object with one of these sets of fields:

{"board", "order", "directions", "bidirectional", "symmetry", "max_states"}    search one board
{"task", "boards", "recorded"}      run a task's program on each board; needs `python -O`, which compiles it
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

from framework.board import parse_board


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
    asked = (board, request["order"], request["directions"], request["max_states"])
    report_search.warm_up(request["symmetry"])
    before_mib, before_s = _memory_mib("VmRSS"), time.process_time()
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
    from grader.research.task_search import TaskSearch

    search = TaskSearch(request["task"])
    for text in request["boards"]:
        outcome = search.solve(parse_board(text))
        row = outcome._asdict() | {"unsolvable": len(outcome.recorded)}
        if not request["recorded"]:
            del row["recorded"]
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
