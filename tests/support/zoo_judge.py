"""Judge in a separate process, as `grade` does: grade the submissions of the jobs, two at a time.

Submissions that only wait for their limit of wall time are graded in addition to these two.

    job      {"row", "tier", "run", "folder", "task", "boards", "debug", "waits"}    one per line, on standard input
    -> {"started": job}, and then the job with "results", "refused": [message, help] or "fault"
When its input ends, the process ends what it started, and writes
    -> {"peak_mib", "left": the processes that are still its children}

The argument is the folder where it runs. All submissions of a tier share a sandbox, as those of a class do.
"""

import json
import os
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from grader.catalog.tasks import registry
from grader.course.records import format_result
from grader.errors import InputError
from grader.judging import check_run
from grader.judging.grading import Choice, Grading
from grader.sandbox.confine import kernel, limits
from grader.sandbox.parent import runner
from grader.sandbox.parent.sandbox import Sandbox
from grader.submissions import submission

MOST = 2, False  # tier and debug of nearly all rows that compile: these share the framework's compiled code
_saying, _sharing = threading.Lock(), threading.Lock()
_sandboxes: dict[tuple[int, bool], Sandbox] = {}


def sandbox_for(choice: Choice) -> Sandbox:
    """Return the sandbox that all runs with the same tier and debug share."""
    wanted = choice.tier, choice.debug
    with _sharing:
        if wanted not in _sandboxes:
            _sandboxes[wanted] = Sandbox(*wanted, threading.Event(), many=wanted == MOST)
            _sandboxes[wanted].warm()  # in this thread, which stays: the zygote ends with it
        return _sandboxes[wanted]


def say(frame: dict[str, Any]) -> None:
    """Write one object as a line of JSON."""
    with _saying:
        print(json.dumps(frame), flush=True)


def grade(job: dict[str, Any]) -> None:
    """Grade one submission and write its results."""
    say({"started": job})
    factor = 0.5 if job["runs_out"] else 1.0  # no need to wait for the whole of a limit, twice
    choice = Choice(
        Path(job["folder"]), tuple(job["boards"]), debug=job["debug"], tier=job["tier"], time_factor=factor
    )
    try:
        grading = Grading(choice, registry(), lambda *_: None, sandbox_for(choice))
        results = grading.results([registry().find(job["task"])])
        job["results"] = [format_result(result) for result in results]
    except InputError as error:
        job["refused"] = [error.message, error.help]
    except BaseException:
        job["fault"] = traceback.format_exc()
    say(job)


def main() -> None:
    """Grade all jobs."""
    os.chdir(sys.argv[1])
    kernel.hide_memory()
    submission.KEPT = 10_000  # there are more rows than folders that are kept by default
    runner.COMPILE_CPU_S, runner.WAIT_S = 10.0, 3.0  # half the usual limits, since many rows run into them
    check_run.ASK_WALL_S = 3600.0  # a busy machine finds the same causes
    working, waiting = ThreadPoolExecutor(2), ThreadPoolExecutor(8)
    jobs = map(json.loads, sys.stdin)
    wait([(waiting if job["waits"] else working).submit(grade, job) for job in jobs])
    for each in _sandboxes.values():
        each.__exit__(None, None, None)
    working.shutdown()
    waiting.shutdown()
    status = Path("/proc/self/status").read_text("ascii") if sys.platform.startswith("linux") else "VmHWM: 0"
    peak_kib = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:"))
    say({"peak_mib": int(peak_kib) / 1024, "left": limits.children(os.getpid())})


if __name__ == "__main__":
    main()
