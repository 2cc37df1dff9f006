"""Run the checks of one submission, each in a fresh process that is confined as the tier demands.

Where processes can be forked, see forks.py, a template imports the submission once and forks a child for each
check, so nothing that a check does reaches the next one. In tier 3, and where processes cannot be forked,
each check imports the submission again.

Checks on hidden boards have a runner of their own, with a copy of the submission. Its processes and its
folder end with it, so that nothing that saw a hidden board is left when anything else runs. Where namespaces
are available, such checks see only their own files even in tier 2.
"""

import contextlib
import os
import secrets
import shutil
import socket
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader import folders
from grader.sandbox.asking import Basis, Load
from grader.sandbox.confine.limits import CLOSE_RUN, COMPILE_CPU_S, PREPARE_CPU_S, Limits
from grader.sandbox.outcome import End, Outcome
from grader.sandbox.parent.compiled_code import CompiledCode, over_what_is_written
from grader.sandbox.parent.exchange import STOPPED, check_limit, exchange, prepare_limit
from grader.sandbox.parent.forks import READY, ForkFault, await_confined, line
from grader.sandbox.parent.running import Child, Running
from grader.sandbox.parent.shared import Shared
from grader.sandbox.parent.strays import end_strays
from grader.sandbox.parent.template import Template
from grader.sandbox.parent.zygote import start

WAIT_S = 10.0  # wall time that a compile run may take in addition to its CPU limit
PROCESS_NUMBERS = 256  # eight times as many as a program can use up in a check, see gatekeeper.py


class Runner:
    """Runs checks of one submission; use it in a `with` block. Thread-safe."""

    def __init__(self, load: Load, sandbox: Shared, hidden: bool = False) -> None:
        """Prepare the runner.

        Args:
            load: the submission.
            sandbox: where it is run.
            hidden: whether the checks are on hidden boards; if so, they leave nothing behind.
        """
        self._load = load
        self._sandbox = sandbox
        self._copy: Path | None = None
        self._checks: Path | None = None  # holds the checks' folders, if a template must see them
        self._compiled = CompiledCode(load.folder)
        if load.basis is not None and not sandbox.debug:
            self._compiled.take_over(load.basis.folder)
        if hidden:
            self._copy = sandbox.folder("hidden-")
            self._checks = self._copy / "checks"
            self._checks.mkdir()
            shutil.copytree(load.folder / "code", self._copy / "code")
            self._load = replace(load, folder=self._copy)
            self._compiled = self._compiled.copied_to(self._copy)
        self._template: Template | None = None
        self._failed: Outcome | None = None
        self._faults = 0
        self._idle_s = 0.0  # while it was loaded, and not yet in any outcome
        self._sessions: set[int] = set()  # of the processes that the runner started
        self._marker = ""  # a string in the environment of these processes
        self._lock = threading.Lock()

    def __enter__(self) -> "Runner":
        return self

    def __exit__(self, *_: object) -> None:
        self._end_all()
        if self._copy is not None:
            folders.remove(self._copy)
            _take_process_numbers()
        elif self._sandbox.tier < 2:
            self._compiled.tidy()

    @property
    def has_compiled_code(self) -> bool:
        """Whether there was a compile run, or none is needed."""
        return self._sandbox.debug or self._compiled.was_tried

    def run(self, request: dict[str, Any], cpu_s: float, more: dict[str, Any] | None = None) -> Outcome:
        """Run one check and return when its process is dead.

        Args:
            request: the question, plain data.
            cpu_s: the limit in CPU seconds.
            more: the message to send once the process has answered; the outcome is then that of this second
                exchange.
        """
        return self._run(request, cpu_s, None, more)

    def compile(self, request: dict[str, Any]) -> Outcome:
        """Run the submission only to keep its compiled code; the answer is not judged.

        Such a run can leave a message for later runs, so never ask it a question that a check asks.

        Args:
            request: a question that no check asks.
        """
        if not self._compiled.may_run():
            return Outcome(End.FAULT, fault="its code was compiled often enough")
        if self._load.basis is not None and not self._sandbox.debug:
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
            self._compiled.keep(written, outcome.end, shared)
        finally:
            folders.remove(written)
        return outcome

    def _run(
        self, request: dict[str, Any], cpu_s: float, written: Path | None, more: dict[str, Any] | None = None
    ) -> Outcome:
        """Run a question; `written` is the folder for compiled code in a compile run, else None."""
        scratch = self._sandbox.folder("check-", self._checks)
        try:
            started = self._start(scratch) if written is None else self._from_zygote(scratch, written, None)
            if isinstance(started, Outcome):
                return started
            killed_before = self._sandbox.killed_for_memory()
            question = line({**request, "scratch": str(scratch), "cpu_s": cpu_s})
            clock_s = None if written is None else cpu_s + WAIT_S
            limit = check_limit(Limits(cpu_s, self._load.memory_mib, clock_s))
            if written is not None:
                limit = over_what_is_written(limit, written, started.pid)
            try:
                whole = self._template is not None and written is None  # earlier CPU time counts, too
                outcome = exchange(started, question, limit, self._sandbox.stop, whole)
                if more is not None and outcome.end == End.ANSWERED:
                    idle_s = outcome.idle_s
                    outcome = exchange(started, line(more), limit, self._sandbox.stop, whole)
                    outcome.idle_s += idle_s
            finally:
                started.end()
            outcome.peak_mib = max(outcome.peak_mib, started.peak_mib)  # the peak may be after the last look
            if outcome.end == End.ANSWERED and started.peak_mib > CLOSE_RUN * self._load.memory_mib:
                outcome.end = End.MEMORY_LIMIT  # exceeded between two looks, or before the question
            if len(outcome.frame) > self._load.answer_bytes:
                outcome.end, outcome.frame = End.BAD_FRAME, b""
        except ForkFault as fault:
            if self._sandbox.stop.is_set():
                return Outcome(End.STOPPED)
            return Outcome(End.FAULT, fault=str(fault))
        finally:
            folders.remove(scratch)
        outcome.idle_s, self._idle_s = outcome.idle_s + self._idle_s, 0.0
        if outcome.returncode in STOPPED and self._sandbox.killed_for_memory() > killed_before:
            outcome.end = End.MEMORY_LIMIT
        return outcome

    def _start(self, scratch: Path) -> Child | Outcome:
        """Return a process that has loaded the submission, or the outcome if loading failed."""
        if not self._sandbox.forks or self._sandbox.tier >= 3:
            return self._from_zygote(scratch, None, None)
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
                self._end_all()
                if self._faults == 1:
                    raise
                self._failed = Outcome(End.PREPARE_LIMIT)  # the student's code keeps it from forking
            return self._failed

    # ---- processes -------------------------------------------------------------------------------

    def _start_template(self) -> None:
        control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, contextlib.ExitStack() as undo:
            undo.callback(control.close)
            started = self._from_zygote(self._sandbox.folder("template-"), None, theirs)
            if isinstance(started, Outcome):
                self._failed = started
            else:
                assert isinstance(started, Running)
                memory_mib, stop = self._load.memory_mib, self._sandbox.stop
                self._template = Template(started, control, memory_mib, self._sessions, stop)
                undo.pop_all()

    def _end_all(self) -> None:
        """End the template, and any processes that its forks left running."""
        if self._template is not None:
            self._template.close()
        self._template = None
        if self._sessions:
            end_strays(self._marker, self._sessions)

    def _from_zygote(
        self, scratch: Path, written: Path | None, control: socket.socket | None
    ) -> Child | Outcome:
        """Return a process that has loaded the submission, or the outcome if loading failed.

        Args:
            scratch: the folder of the process.
            written: the folder where it may write compiled code, if any.
            control: for a template, its end of the socket for requests to fork.
        """
        hides_all_else = self._sandbox.tier >= 3 or (self._copy is not None and self._sandbox.has_own_view)
        writable = self._compiled.make_writable(written, hides_all_else) if written is not None else []
        code, compiled = self._load.folder / "code", written or self._compiled.folder
        order = line(
            {
                "zygote": False,
                "code": str(code),
                "compiled": str(compiled),
                "writable": [str(path) for path in writable],
                "module": self._load.module,
                "scratch": str(scratch),
                "debug": self._sandbox.debug,
                "tier": self._sandbox.tier,
                "cpu_s": max(self._load.cpu_s, COMPILE_CPU_S),
            }
        )
        if not self._sandbox.forks:
            return self._loaded(start(self._sandbox.debug, scratch), order)
        own_files = [str(path) for path in (code, compiled, self._checks, scratch) if path is not None]
        message = {
            "sees": own_files if hides_all_else else None,
            "root": str(self._sandbox.root),
            "hidden": self._copy is not None,
        }
        zygote = self._sandbox.zygote()
        started = zygote.fork(message, control)
        self._sessions.add(started.pid)
        self._marker = zygote.marker
        try:
            os.write(started.send, order)
            await_confined(started, self._sandbox.tier >= 2, self._sandbox.stop)
        except BaseException:
            started.end()
            raise
        return self._loaded(started, b"")

    def _loaded(self, started: Child, order: bytes) -> Child | Outcome:
        """Return the process once it has loaded the submission, or its failure."""
        limit = prepare_limit(Limits(PREPARE_CPU_S, self._load.memory_mib))
        try:
            outcome = exchange(started, order, limit, self._sandbox.stop)
        except BaseException:
            started.end()
            raise
        if outcome.end == End.ANSWERED and outcome.frame + b"\n" == READY:
            self._idle_s += outcome.idle_s
            return started
        started.end()
        outcome.peak_mib = max(outcome.peak_mib, started.peak_mib)  # the peak may be after the last look
        return outcome


def _take_process_numbers() -> None:
    """Use up a random number of process ids, so the next id does not tell how many a hidden check used."""
    for _ in range(secrets.randbelow(PROCESS_NUMBERS)):
        thread = threading.Thread(target=lambda: None)
        thread.start()
        thread.join()
