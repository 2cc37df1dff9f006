"""Where the CPU time of a compile run goes: the reference's peg3 from nothing, by stage, function and step of numba's.

    python tests/bench/bench_compile.py [TASK]      peg1, peg2 or peg3

CPU milliseconds in one process, as a zygote and its child need them; a function's without those that it calls.
"""

import importlib
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MOST = 12  # steps shown


def _watch(kind: str, name_of: Callable[[Any], str]) -> Counter[str]:
    """Return the CPU time of numba's events of a kind by name, each without those within it."""
    from numba.core import event

    spent: Counter[str] = Counter()
    open_since: list[list[float]] = []

    class Watch(event.Listener):
        def on_start(self, _: Any) -> None:
            open_since.append([time.process_time(), 0.0])

        def on_end(self, ended: Any) -> None:
            since, within = open_since.pop()
            whole = time.process_time() - since
            if open_since:
                open_since[-1][1] += whole
            spent[name_of(ended.data)] += whole - within

    event.register(kind, Watch())  # type: ignore[no-untyped-call]  # numba has no types
    return spent


def _part(spent: Counter[str], of: Any, name: str) -> None:
    """Count the CPU time of a method, too."""
    method = getattr(of, name)

    def timed(*arguments: Any, **options: Any) -> Any:
        before = time.process_time()
        try:
            return method(*arguments, **options)
        finally:
            spent[f"  of it {name}"] += time.process_time() - before

    setattr(of, name, timed)


def main(task: str) -> None:
    """Measure and print two tables."""
    from tabulate import tabulate

    stages: Counter[str] = Counter()

    def stage(name: str) -> None:
        stages[name] = time.process_time() - sum(stages.values())

    stage("start of Python, tabulate")
    for name in ("numba.np.ufunc", "numpy.ma"):
        importlib.import_module(name)
    stage("import numba")
    import numba

    sys.path.insert(0, str(ROOT))
    from grader.sandbox.child import compiled

    compiled.compile_less()
    numba.njit(lambda: 0)()
    stage("numba's own first steps")
    with tempfile.TemporaryDirectory() as kept:
        os.environ["NUMBA_CACHE_DIR"] = numba.core.config.CACHE_DIR = kept
        from framework import board, hash_table, stack

        sys.path.insert(0, str(ROOT / "grader" / "reference"))
        client, module = importlib.import_module("client"), importlib.import_module(task)
        hash_table.link_key_hash(client.key_hash)
        stage("import the framework and the submission")
        functions = _watch("numba:compile", lambda data: data["dispatcher"].py_func.__name__)
        steps = _watch("numba:run_pass", lambda data: str(data["name"]).split(" ")[0])
        from numba.core import cpu, lowering

        for of, name in (
            (lowering.Lower, "lower"),
            (lowering.Lower, "create_cpython_wrapper"),
            (lowering.Lower, "create_cfunc_wrapper"),
            (cpu.CPUContext, "get_executable"),
        ):
            _part(steps, of, name)
        text = (ROOT / "boards" / "stuck.txt").read_text("utf-8")

        def run() -> None:
            table = [hash_table.ht_new(1)] if task == "peg3" else []
            module.peg_solve(board.parse_board(text), stack.stack_new(), *table)

        run()
        stage("compile, link, keep")
        run()
        stage("run again")
    print(tabulate([(name, spent * 1e3) for name, spent in stages.items()], ("stage", "ms"), floatfmt=".0f"))
    for title, spent in (("function", functions), ("step", steps)):
        rows = [(name, each * 1e3) for name, each in spent.most_common(MOST)]
        print("\n" + tabulate(rows, (title, "ms"), floatfmt=".0f"))


if __name__ == "__main__":
    if __debug__:  # children run without assertions, and compiled
        sys.exit(subprocess.run([sys.executable, "-O", __file__, *sys.argv[1:]], check=False).returncode)
    main(sys.argv[1] if len(sys.argv) > 1 else "peg3")
