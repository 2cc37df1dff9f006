"""How fast this machine is beside the one that the limits are written for: measured once a day."""

import contextlib
import json
import platform
import time
from datetime import date

from grader import last_results, paths

# CPU seconds of `_work` on the reference machine, two cores of a cloud machine (the least of many, which
# other work on the machine hardly disturbs; builds of CPython 3.11 to 3.13 took 0.0062 to 0.0083). Again:
#   python -c "from grader.judging import calibration; print(calibration.measure())"
REFERENCE_S = 0.0074
ROUNDS = 12
CLOSE = 0.25  # a machine that is so much faster or slower counts as the reference: limits stay what they are
LEAST, MOST = 0.5, 4.0  # beyond, something is wrong with the machine or with the measure


def factor() -> float:
    """Return by what limits are multiplied here: above 1 on a slower machine; kept for the day."""
    file = paths.cache_root() / "calibration.json"
    here = [date.today().isoformat(), platform.node(), platform.python_version()]
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
        kept = json.loads(file.read_text("utf-8"))
        if kept["here"] == here and LEAST <= kept["factor"] <= MOST:
            return float(kept["factor"])
    found = factor_of(measure())
    with contextlib.suppress(OSError):
        last_results.write_whole(file, json.dumps({"here": here, "factor": found}))
    return found


def factor_of(seconds: float) -> float:
    """Return the factor for a machine on which `_work` takes so many CPU seconds."""
    ratio = seconds / REFERENCE_S
    return 1.0 if abs(ratio - 1) <= CLOSE else round(min(max(ratio, LEAST), MOST), 1)


def measure() -> float:
    """Return the CPU seconds that `_work` takes at its best."""
    taken = []
    for _ in range(ROUNDS):
        start = time.process_time()
        _work()
        taken.append(time.process_time() - start)
    return min(taken)


def _work() -> int:
    """Multiply large numbers, then look numbers up and sort them, nearly all of it in the C of Python."""
    large = pow(7, 22_000)
    state = (large * large) % 2_147_483_647
    numbers = []
    for _ in range(15_000):
        state = (state * 1_103_515_245 + 12_345) & 0x7FFFFFFF  # the generator of ISO C's example
        numbers.append(state)
    table = dict.fromkeys(numbers)
    numbers.sort()
    return sum(number ^ 1 in table for number in numbers)
