"""Run the checks of one submission, each in a fresh process that is confined as the tier demands.

The process imports the submission, and only then gets its question. Where processes can be forked, it is a
fork of the zygote; elsewhere it is a new Python process. Nothing that a check does reaches the next one.
"""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader import folders
from grader.sandbox.asking import Basis, End, Load, Outcome
from grader.sandbox.confine import limits
from grader.sandbox.confine.limits import (
    CLOSE_RUN,
    COMPILE_CPU_S,
    IMPORT_CPU_S,
    PRELOAD_CPU_S,
    PREPARE_CPU_S,
    Limits,
)
from grader.sandbox.parent.compiled_code import WRITTEN_BYTES, CompiledCode, over_what_is_written
from grader.sandbox.parent.exchange import check_limit, exchange
from grader.sandbox.parent.running import Child
from grader.sandbox.parent.sandbox import Sandbox
from grader.sandbox.parent.zygote import CONFINED, ENOUGH_MIB, READY, Fault, line, start

KILLED = -9  # the exit status; Windows has no SIGKILL
WAIT_S = 10.0  # wall time that a compile run may take in addition to its CPU limit


class Runner:
    """Runs checks of one submission; use it in a `with` block. Thread-safe."""

    def __init__(self, load: Load, sandbox: Sandbox, hidden: bool = False) -> None:
        """Prepare the runner.

        Args:
            load: the submission.
            sandbox: where it is run.
            hidden: whether the checks are on hidden boards; then they read a copy of the submission, which is
                removed: the times at which its files were read would be a message to a later run.
        """
        self._load = load
        self._sandbox = sandbox
        self._hidden = hidden
        self._compiled = CompiledCode(load.folder)
        if load.basis is not None and not sandbox.debug:
            self._compiled.take_over(load.basis.folder)
        self._copy: Path | None = None

    def __enter__(self) -> "Runner":
        if self._hidden:
            self._copy = self._sandbox.folder("submission-")
            code = self._copy / "code"
            folders.make_open(code)
            for file in (self._load.folder / "code").iterdir():
                shutil.copy(file, code)
            self._load = replace(self._load, folder=self._copy)
            self._compiled = self._compiled.copied_to(self._copy)
        return self

    def __exit__(self, *_: object) -> None:
        if self._copy is not None:
            folders.remove(self._copy)

    @property
    def has_compiled_code(self) -> bool:
        """Whether there was a compile run, or none is needed."""
        return self._sandbox.debug or self._compiled.was_tried

    def run(self, request: dict[str, Any], cpu_s: float) -> Outcome:
        """Run one check and return when its process is dead.

        Args:
            request: the question, plain data.
            cpu_s: the limit in CPU seconds.
        """
        return self._run(request, cpu_s, None)

    def compile(self, request: dict[str, Any]) -> Outcome:
        """Run the submission only to keep its compiled code; the answer is not judged.

        Such a run can leave a message for later runs, so never ask it a question that a check asks.

        Args:
            request: a question that no check asks.
        """
        if self._load.basis is not None and not self._sandbox.debug and not self._hidden:
            self._share(self._load.basis)
        return self._compile(request)

    def _share(self, basis: Basis) -> None:
        """Take over the code of the basis; have it compiled first, in a run that sees the basis alone."""
        with self._sandbox.sharing:
            theirs = CompiledCode(basis.folder)
            missing = theirs.not_shared_yet(basis.functions)
            if missing:
                load = replace(self._load, folder=basis.make(), module=basis.module, basis=None)
                with Runner(load, self._sandbox) as runner:
                    runner._compile({"kind": "shared", "functions": sorted(missing)}, missing)
            self._compiled.take_over(basis.folder)

    def _compile(self, request: dict[str, Any], shared: frozenset[str] = frozenset()) -> Outcome:
        """Carry out a compile run; `shared` are the functions that are compiled for other submissions."""
        written = self._sandbox.folder("compiled-")
        try:
            outcome = self._run(request, COMPILE_CPU_S, written)
            if full := folders.no_space(written, WRITTEN_BYTES):
                outcome = Outcome(End.FAULT, fault=full)
            self._compiled.keep(written, outcome.end, shared)
        finally:
            folders.remove(written)
        return outcome

    def _run(self, request: dict[str, Any], cpu_s: float, written: Path | None) -> Outcome:
        """Run a question; `written` is the folder for compiled code in a compile run, else None."""
        kills = limits.oom_kills()
        most = Limits(cpu_s, self._load.memory_mib, None if written is None else cpu_s + WAIT_S)
        try:
            scratch = self._sandbox.folder("check-")
            try:
                order = self._order(scratch, written, cpu_s)
                child = self._child(scratch, order)
                try:
                    outcome = self._ask(child, order, request, most, written)
                finally:
                    child.end()
            finally:
                folders.remove(scratch)
        except (Fault, OSError) as fault:  # once the run is stopped, its folders may be gone
            stopped = self._sandbox.stop.is_set()
            return Outcome(End.STOPPED) if stopped else Outcome(End.FAULT, fault=str(fault))
        if (outcome.end, outcome.returncode) == (End.DIED, KILLED) and limits.oom_kills() > kills:
            outcome.end, outcome.fault = End.FAULT, "memory ran out, so the system ended the check"
        outcome.peak_mib = max(outcome.peak_mib, child.peak_mib)  # the peak may be after the last look
        if outcome.end == End.ANSWERED and child.peak_mib > CLOSE_RUN * self._load.memory_mib:
            outcome.end = End.MEMORY_LIMIT  # exceeded between two looks, or before the question
        if len(outcome.frame) > self._load.answer_bytes:
            outcome.end, outcome.frame = End.BAD_FRAME, b""
        return outcome

    def _ask(
        self, child: Child, order: dict[str, Any], request: dict[str, Any], most: Limits, written: Path | None
    ) -> Outcome:
        """Have a process confine itself, load the submission and answer; return its last outcome."""
        stop = self._sandbox.stop
        outcome = exchange(child, line(order), check_limit(Limits(PRELOAD_CPU_S, ENOUGH_MIB), True), stop)
        if outcome.end != End.ANSWERED or outcome.frame != CONFINED:
            raise Fault(_why_unconfined(outcome))
        loading, limit = check_limit(Limits(PREPARE_CPU_S, most.memory_mib), True), check_limit(most)
        if written is not None:
            loading, limit = (over_what_is_written(each, written, child.pid) for each in (loading, limit))
        loaded = exchange(child, line({}), loading, stop)
        loaded.idle_s += max(0.0, loaded.cpu_s - IMPORT_CPU_S)
        if loaded.end != End.ANSWERED or loaded.frame != READY:
            loaded.importing = True
            return loaded
        outcome = exchange(child, line(request), limit, stop)
        outcome.idle_s += loaded.idle_s
        return outcome

    # ---- processes -------------------------------------------------------------------------------

    def _order(self, scratch: Path, written: Path | None, cpu_s: float) -> dict[str, Any]:
        """Return what a process needs to know to confine itself and load the submission."""
        tier = self._sandbox.tier
        writable = self._compiled.make_writable(written, tier >= 3) if written is not None else []
        return {
            "code": str(self._load.folder / "code"),
            "compiled": str(written or self._compiled.folder),
            "writable": [str(path) for path in writable],
            "module": self._load.module,
            "scratch": str(scratch),
            "debug": self._sandbox.debug,
            "tier": tier,
            "cpu_s": cpu_s,
        }

    def _child(self, scratch: Path, order: dict[str, Any]) -> Child:
        """Return a new process that waits for its order; raise Fault if none could be started."""
        if not self._sandbox.forks:
            from grader.sandbox.portable import PortableChild

            return PortableChild(start(self._sandbox.debug, scratch))
        sees = [order[name] for name in ("code", "compiled", "scratch")] if order["tier"] >= 3 else None
        root, libraries = str(self._sandbox.root), str(self._sandbox.libraries)
        message = {"sees": sees, "root": root, "libraries": libraries, "hidden": self._hidden}
        return self._sandbox.zygote().fork(message)


def _why_unconfined(outcome: Outcome) -> str:
    try:
        return str(json.loads(outcome.frame)["unconfined"])
    except (ValueError, KeyError):
        return f"it could not be confined: {outcome.end.name}"
