"""One search of `grade experiment`, in a process of its own: a request in, a row out."""

import json
import sys
import time
from pathlib import Path

from framework.board import parse_board


def _memory_mib(name: str) -> float:
    """Return a line of /proc/self/status in MiB (VmRSS: now, VmHWM: the peak), else 0."""
    try:
        for line in Path("/proc/self/status").read_text("ascii").splitlines():
            if line.startswith(name):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return 0.0


def main() -> None:
    """Search once, with the compiler's work and memory left out of the figures."""
    from grader.reference import report_search

    request = json.load(sys.stdin)
    board = parse_board(request["board"])
    search = report_search.bidirectional_search if request["bidirectional"] else report_search.memoized_search
    report_search.warm_up()
    before_mib, before_s = _memory_mib("VmRSS"), time.process_time()
    outcome = search(board, request["order"], request["directions"], request["max_states"])
    row = {
        "solved": outcome.solved,
        "unsolvable": outcome.unsolvable,
        "cpu_s": round(time.process_time() - before_s, 3),
        "peak_mib": round(_memory_mib("VmHWM") - before_mib, 3),
    }
    json.dump(row, sys.stdout)


if __name__ == "__main__":
    main()
