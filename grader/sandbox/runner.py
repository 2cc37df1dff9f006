"""Run the checks of one submission, each in a fresh process, confined as its tier says.

Where there are forks, see forks.py, a template imports the submission once and forks a child for each check:
nothing a check does reaches the next. In tier 3, and where there are no forks, each check loads it anew.
"""

import contextlib
import os
import signal
import socket
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader import folders
from grader.sandbox import forks
from grader.sandbox.compiled_code import CompiledCode
from grader.sandbox.exchange import Running, check_limit, exchange, prepare_limit
from grader.sandbox.forks import READY, ForkFault, line
from grader.sandbox.limits import COMPILE_CPU_S, PREPARE_CPU_S, Limits
from grader.sandbox.outcome import End, Outcome
from grader.sandbox.sandbox import Sandbox
from grader.sandbox.template import Template

WAIT_S = 10.0  # by the clock, for what is done for the grader's own sake
FAILURE_BYTES = 1 << 19  # the largest frame of a failure with all its values


@dataclass(frozen=True)
class Load:
    """What a child imports.

    Attributes:
        folder: the submission's clean folder.
        module: the name of the task's own file, without `.py`.
        memory_mib: the limit on resident memory.
        answer_bytes: the largest frame that is kept.
        basis: the clean folder of those of its files that are an earlier task's, which need not be there.
    """

    folder: Path
    module: str
    memory_mib: int
    answer_bytes: int = FAILURE_BYTES
    basis: Path | None = None


class Runner:
    """Runs checks of one submission; use it in a `with` block, from as many threads as you like."""

    def __init__(self, load: Load, sandbox: Sandbox) -> None:
        self._load = load
        self._sandbox = sandbox
        self._compiled = CompiledCode(load.folder)
        if load.basis is not None and not sandbox.debug:
            self._compiled.take_over(load.basis)
        self._template: Template | None = None
        self._failed: Outcome | None = None
        self._faults = 0
        self._lock = threading.Lock()

    def __enter__(self) -> "Runner":
        return self

    def __exit__(self, *_: object) -> None:
        self._end_template()
        self._compiled.tidy()

    @property
    def has_compiled_code(self) -> bool:
        """Whether an earlier run was made to have the code compiled, or none is needed."""
        return self._sandbox.debug or self._compiled.was_tried

    def run(self, request: dict[str, Any], cpu_s: float) -> Outcome:
        """Run one check and return when its process is dead.

        Args:
            request: the question, plain data.
            cpu_s: the limit in CPU seconds.
        """
        return self._run(request, cpu_s, compile=False)

    def compile(self, request: dict[str, Any]) -> Outcome:
        """Run a check for the sake of keeping what gets compiled, not to be judged."""
        if not self._compiled.may_run():
            return Outcome(End.FAULT, fault="its code was compiled often enough")
        with self._lock:  # one at a time writes
            outcome = self._run(request, COMPILE_CPU_S, compile=True)
            self._compiled.keep(outcome.end)
            if self._template is not None:
                self._template.tell({"recall": str(self._compiled.signatures)})
        return outcome

    def _run(self, request: dict[str, Any], cpu_s: float, compile: bool) -> Outcome:
        scratch = self._sandbox.folder("check-")
        try:
            started = self._from_zygote(scratch, True, None) if compile else self._start(scratch)
            if isinstance(started, Outcome):
                return started
            killed_before = self._sandbox.killed_for_memory()
            question = line({**request, "scratch": str(scratch), "cpu_s": cpu_s})
            limit = check_limit(Limits(cpu_s, self._load.memory_mib, cpu_s + WAIT_S if compile else None))
            if compile:
                limit = self._compiled.limited(limit)
            try:
                outcome = exchange(started, question, limit, self._sandbox.stop)
            finally:
                started.end()
            outcome.peak_mib = max(outcome.peak_mib, started.peak_mib)  # it may have died unseen
            if len(outcome.frame) > self._load.answer_bytes:
                outcome.end, outcome.frame = End.BAD_FRAME, b""
        except ForkFault as fault:
            if self._sandbox.stop.is_set():
                return Outcome(End.STOPPED)
            return Outcome(End.FAULT, fault=str(fault))
        finally:
            folders.remove(scratch)
        if outcome.returncode == -signal.SIGKILL and self._sandbox.killed_for_memory() > killed_before:
            outcome.end = End.MEMORY_LIMIT
        return outcome

    def _start(self, scratch: Path) -> Running | Outcome:
        """Return a process that has loaded the submission, or what came of it instead."""
        if not self._sandbox.forks or self._sandbox.tier >= 3:
            return self._from_zygote(scratch, False, None)
        with self._lock:
            if self._template is None and self._failed is None:
                self._start_template()
            template, failed = self._template, self._failed
        if template is None:
            assert failed is not None
            return failed
        try:
            return template.fork_check()
        except ForkFault:
            with self._lock:
                self._faults += 1
                self._end_template()
                if self._faults == 1:
                    raise
                self._failed = Outcome(End.PREPARE_LIMIT)  # it is the student's code that keeps it from it
            return self._failed

    # ---- processes -----------------------------------------------------------------------------

    def _start_template(self) -> None:
        control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, contextlib.ExitStack() as undo:
            undo.callback(control.close)
            started = self._from_zygote(self._sandbox.folder("template-"), False, theirs)
            if isinstance(started, Outcome):
                self._failed = started
            else:
                self._template = Template(started, control, self._load.memory_mib, self._sandbox.stop)
                undo.pop_all()

    def _end_template(self) -> None:
        if self._template is not None:
            self._template.close()
        self._template = None

    def _from_zygote(self, scratch: Path, compile: bool, control: socket.socket | None) -> Running | Outcome:
        """Return a process that has loaded the submission, or what came of it instead.

        Args:
            scratch: its folder.
            compile: whether it may write compiled code.
            control: its end of the socket by which it is asked to fork, for a template.
        """
        order = line(
            {
                "zygote": False,
                "code": str(self._load.folder / "code"),
                "compiled": str(self._compiled.folder),
                "module": self._load.module,
                "scratch": str(scratch),
                "compile": compile,
                "debug": self._sandbox.debug,
                "tier": self._sandbox.tier,
            }
        )
        if not self._sandbox.forks:
            return self._loaded(forks.start(self._sandbox.debug, scratch, None), order)
        own_files = [str(path) for path in (self._load.folder / "code", self._compiled.folder, scratch)]
        hides_all_else = self._sandbox.tier >= 3
        if compile:
            self._compiled.give(has_own_user=hides_all_else)
        message = {"sees": own_files if hides_all_else else None, "root": str(self._sandbox.root)}
        started = self._sandbox.zygote().fork(message, control)
        try:
            os.write(started.send, order)
            forks.await_confined(started, self._sandbox.tier >= 2, self._sandbox.stop)
        except BaseException:
            started.end()
            raise
        return self._loaded(started, b"")

    def _loaded(self, started: Running, order: bytes) -> Running | Outcome:
        """Return the process once it has loaded the submission, or its failure."""
        limit = prepare_limit(Limits(PREPARE_CPU_S, self._load.memory_mib))
        try:
            outcome = exchange(started, order, limit, self._sandbox.stop)
        except BaseException:
            started.end()
            raise
        if outcome.end == End.ANSWERED and outcome.frame + b"\n" == READY:
            return started
        started.end()
        return outcome
