"""Measure once a day how fast this machine is, compared with the machine that time limits are set for."""

import contextlib
import json
import platform
import time
from datetime import date

from grader import folders, paths

# CPU seconds of `_work` on the reference machine, two cores of a cloud machine (the minimum of many runs,
# which other load hardly affects; builds of CPython 3.11 to 3.13 took 0.0062 to 0.0083). To measure again:
#   python -c "from grader.judging import calibration; print(calibration.measure())"
REFERENCE_S = 0.0074
ROUNDS = 12
CLOSE = 0.25  # a machine within this fraction of the reference's speed keeps the limits as they are
LEAST, MOST = 0.5, 4.0  # beyond these, the machine or the measurement is at fault


def factor() -> float:
    """Return the factor for time limits on this machine (above 1 if it is slow), and save it for the day."""
    file = paths.cache_root() / "calibration.json"
    here = [date.today().isoformat(), platform.node(), platform.python_version()]
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
        kept = json.loads(file.read_text("utf-8"))
        if kept["here"] == here and LEAST <= kept["factor"] <= MOST:
            return float(kept["factor"])
    found = factor_of(measure())
    with contextlib.suppress(OSError):
        folders.write_whole(file, json.dumps({"here": here, "factor": found}))
    return found


def factor_of(seconds: float) -> float:
    """Return the factor for time limits on a machine where `_work` takes `seconds` of CPU time."""
    ratio = seconds / REFERENCE_S
    return 1.0 if abs(ratio - 1) <= CLOSE else round(min(max(ratio, LEAST), MOST), 1)


def measure() -> float:
    """Run `_work` ROUNDS times and return the CPU seconds of the fastest run.

    Where the process has a limit on its CPU time, Linux counts that in ticks, each as long as a run.
    """
    taken = []
    for _ in range(ROUNDS):
        start = time.thread_time()
        _work()
        taken.append(time.thread_time() - start)
    return min(taken)


def _work() -> int:
    """Multiply large numbers, then look numbers up and sort them, almost entirely in Python's C code."""
    large = pow(7, 22_000)
    state = (large * large) % 2_147_483_647
    numbers = []
    for _ in range(15_000):
        state = (state * 1_103_515_245 + 12_345) & 0x7FFFFFFF  # the generator of ISO C's example
        numbers.append(state)
    table = dict.fromkeys(numbers)
    numbers.sort()
    return sum(number ^ 1 in table for number in numbers)
