"""Run the checks of one submission, each in a fresh process, confined as its tier says.

Where there are forks, see forks.py, a template imports the submission once and forks a child for each check:
nothing a check does reaches the next. In tier 3, and where there are no forks, each check loads it anew.
"""

import contextlib
import os
import shutil
import socket
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.sandbox import forks, namespaces
from grader.sandbox.exchange import Running, check_limit, exchange, prepare_limit
from grader.sandbox.forks import READY, Forker, ForkFault, Zygote, line
from grader.sandbox.limits import PREPARE_CPU_S, Limits
from grader.sandbox.outcome import End, Outcome


@dataclass(frozen=True)
class Load:
    """What a child imports.

    Attributes:
        folder: the submission's clean folder.
        module: the name of the task's own file, without `.py`.
        memory_mib: the limit on resident memory.
    """

    folder: Path
    module: str
    memory_mib: int


class Sandbox:
    """Where checks run: what all submissions of one run of the grader share. Use it in a `with` block."""

    def __init__(self, tier: int, debug: bool, stop: threading.Event) -> None:
        """Make it; nothing is started before it is needed.

        Args:
            tier: what holds a child, see tiers.py.
            debug: whether children run plain Python with contracts.
            stop: ends every wait at once when it is set.
        """
        self.tier = tier
        self.debug = debug
        self.stop = stop
        self.scratch = Path(tempfile.mkdtemp(prefix=f"peg-{os.getpid()}-"))
        self.scratch.chmod(0o755)  # a child may have a user id of its own
        self.root = self.folder("root-")
        self.forks = forks.can_fork()
        self._zygote: Zygote | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self._zygote is not None:
                self._zygote.close()
        finally:
            shutil.rmtree(self.scratch, ignore_errors=True)

    def zygote(self) -> Zygote:
        """Return the zygote, which is started if need be.

        Raises:
            ForkFault: it cannot be had.
        """
        with self._lock:
            if self._zygote is None:
                self._zygote = Zygote(self.debug, self.tier, self.folder("zygote-"), self.stop)
            return self._zygote

    def folder(self, prefix: str) -> Path:
        """Return a new empty folder, which goes when the sandbox does."""
        made = Path(tempfile.mkdtemp(prefix=prefix, dir=self.scratch))
        made.chmod(0o755)
        return made


class Runner:
    """Runs checks of one submission; use it in a `with` block, from as many threads as you like."""

    def __init__(self, load: Load, sandbox: Sandbox) -> None:
        self._load = load
        self._sandbox = sandbox
        self._template: Forker | None = None
        self._failed: Outcome | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> "Runner":
        return self

    def __exit__(self, *_: object) -> None:
        if self._template is not None:
            self._template.close()

    @property
    def has_compiled_code(self) -> bool:
        """Whether an earlier run was made to have the code compiled, or none is needed."""
        return self._sandbox.debug or self._tried.exists()

    @property
    def _tried(self) -> Path:
        return self._load.folder / "compiled-once"

    @property
    def _compiled(self) -> Path:
        return self._load.folder / "compiled"

    def run(self, request: dict[str, Any], cpu_s: float, compile: bool = False) -> Outcome:
        """Run one check and return when its process is dead.

        Args:
            request: the question, plain data.
            cpu_s: the limit in CPU seconds.
            compile: run it for the sake of keeping what gets compiled, not to be judged.
        """
        scratch = self._sandbox.folder("check-")
        try:
            started = self._start(scratch, compile)
            if isinstance(started, Outcome):
                return started
            question = line({**request, "scratch": str(scratch), "cpu_s": cpu_s})
            most = Limits(cpu_s, self._load.memory_mib)
            try:
                outcome = exchange(started, question, check_limit(most), self._sandbox.stop)
            finally:
                started.end()
        except ForkFault as fault:
            if self._sandbox.stop.is_set():
                return Outcome(End.STOPPED)
            return Outcome(End.FAULT, fault=str(fault))
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        if compile and outcome.end not in (End.STOPPED, End.WALL_LIMIT):
            self._tried.touch()  # it need not be tried again, even if it failed
            if self._template is not None:
                self._template.tell({"recall": str(self._compiled / "signatures.pickle")})
        return outcome

    def _start(self, scratch: Path, compile: bool) -> Running | Outcome:
        """Return a process that has loaded the submission, or what came of it instead."""
        if not self._sandbox.forks:
            started = forks.start(self._sandbox.debug, scratch, None)
            return self._loaded(started, self._order(scratch, compile))
        if compile or self._sandbox.tier >= 3:
            return self._from_zygote(scratch, compile, None)
        with self._lock:
            if self._template is None and self._failed is None:
                self._start_template()
        if self._failed is not None:
            return self._failed
        assert self._template is not None
        try:
            return self._template.fork({})
        except ForkFault:
            if self._template.running.poll():  # by what the file's top level left behind
                return Outcome(End.DIED, returncode=self._template.running.returncode)
            raise

    def _start_template(self) -> None:
        control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, contextlib.ExitStack() as undo:
            undo.callback(control.close)
            started = self._from_zygote(self._sandbox.folder("template-"), False, theirs)
            if isinstance(started, Outcome):
                self._failed = started
            else:
                self._template = Forker(started, control, self._sandbox.stop)
                undo.pop_all()

    def _from_zygote(self, scratch: Path, compile: bool, control: socket.socket | None) -> Running | Outcome:
        """Return a fork of the zygote that has loaded the submission, or what came of it instead."""
        own_files = [str(path) for path in (self._load.folder / "code", self._compiled, scratch)]
        hides_all_else = self._sandbox.tier >= 3
        if compile and os.name == "posix" and os.geteuid() == 0:
            _give(self._compiled, namespaces.OWN_ID if hides_all_else else 0)
        message = {"sees": own_files if hides_all_else else None, "root": str(self._sandbox.root)}
        started = self._sandbox.zygote().fork(message, control)
        try:
            order = self._order(scratch, compile)
            os.write(started.send, line(order))
            forks.await_confined(started, self._sandbox.tier >= 2, self._sandbox.stop)
        except BaseException:
            started.end()
            raise
        return self._loaded(started, None)

    def _order(self, scratch: Path, compile: bool) -> dict[str, Any]:
        return {
            "zygote": False,
            "code": str(self._load.folder / "code"),
            "compiled": str(self._compiled),
            "module": self._load.module,
            "scratch": str(scratch),
            "compile": compile,
            "debug": self._sandbox.debug,
            "tier": self._sandbox.tier,
        }

    def _loaded(self, started: Running, order: dict[str, Any] | None) -> Running | Outcome:
        """Return the process once it has loaded the submission, or its failure."""
        limit = prepare_limit(Limits(PREPARE_CPU_S, self._load.memory_mib))
        question = line(order) if order is not None else b""
        try:
            outcome = exchange(started, question, limit, self._sandbox.stop)
        except BaseException:
            started.end()
            raise
        if outcome.end == End.ANSWERED and outcome.frame + b"\n" == READY:
            return started
        started.end()
        return outcome


def _give(folder: Path, owner: int) -> None:
    """Make a folder and what is in it the property of the user id that is to write there."""
    for path in (folder, *folder.rglob("*")):
        os.chown(path, owner, owner)
