"""What a submission costs, stage by stage: CPU milliseconds of a student, each task.

    python tests/bench/bench_submission.py [STYLES] [TASK...]      STYLES: how many of support/made_styles.py, usually 10

Twice, in turns: as `grade` does it, one task after the other; and as a class run does it, where the zygote has
compiled the framework's functions. The stages:

    compile    the run that has the code compiled and keeps it: import, numba, the run itself
    search     the checks, from receiving the board to the answer: what is held against the limits
    children   what else children use: loading the compiled code, a fork a check, their end
    judge      what the judge uses
"""

import os
import resource
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tabulate import tabulate

from grader.catalog.tasks import registry
from grader.judging.grading import Choice, Grading
from grader.sandbox.confine import tiers
from grader.sandbox.parent.runner import Runner
from grader.sandbox.parent.sandbox import Sandbox
from grader.sandbox.parent.zygote import write_bytecode
from support.made_styles import STYLES, program


def cpu_s() -> tuple[float, float]:
    """Return the CPU seconds of this process, and of its children that are gone."""
    own, gone = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime, gone.ru_utime + gone.ru_stime


def main() -> None:
    """Measure and print a table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    tasks = [registry().find(name) for name in sys.argv[2:] or ("client", "peg1", "peg2")]
    write_bytecode()
    compiling: Counter[str] = Counter()

    def timed(compile: Callable[..., Any]) -> Callable[..., Any]:
        def compile_timed(runner: Runner, *arguments: Any) -> Any:
            before = cpu_s()[1]
            try:
                return compile(runner, *arguments)
            finally:
                compiling["now"] += cpu_s()[1] - before

        return compile_timed

    Runner.compile = timed(Runner.compile)  # type: ignore[method-assign]  # to time it
    spent: dict[tuple[str, bool], Counter[str]] = {
        (task.name, many): Counter() for task in tasks for many in (False, True)
    }
    with (
        tempfile.TemporaryDirectory() as place,
        Sandbox(tiers.best(), False, threading.Event()) as plain,
        Sandbox(tiers.best(), False, threading.Event(), many=True) as warm,
    ):
        for sandbox in (plain, warm):
            sandbox.zygote()
        for name in list(STYLES)[:count]:
            folder = Path(place) / name
            folder.mkdir()
            for file, text in program(name).items():
                (folder / file).write_bytes(text.encode())
            for many, sandbox in ((False, plain), (True, warm)):
                os.environ["XDG_CACHE_HOME"] = f"{place}/cache-{many}"
                for task in tasks:
                    compiling["now"] = 0
                    before = cpu_s()
                    choice = Choice(folder, tier=sandbox.tier)
                    results = Grading(choice, registry(), lambda *_: None, sandbox).results([task])
                    judge, children = (after - was for after, was in zip(cpu_s(), before, strict=True))
                    search = sum(result.cpu_s for result in results)
                    row = spent[task.name, many]
                    row["checks"] += len(results)
                    row["compile"] += compiling["now"]
                    row["search"] += search
                    row["children"] += children - search - compiling["now"]
                    row["judge"] += judge
    rows = []
    for (task, many), row in spent.items():
        stages = [row[stage] for stage in ("compile", "search", "children", "judge")]
        shown = [f"{stage / count * 1e3:.0f}" for stage in (*stages, sum(stages))]
        each = f"{sum(stages) / row['checks'] * 1e3:.0f}"
        rows.append([task, "class run" if many else "grade", row["checks"] // count, *shown, each])
    headers = ["task", "", "checks", "compile", "search", "children", "judge", "CPU ms", "a check"]
    print(tabulate(rows, headers, tablefmt="plain"))


if __name__ == "__main__":
    main()
