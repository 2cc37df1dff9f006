"""Run the checks of one submission, each in a fresh process, confined as its tier says.

Where there are forks, see forks.py, a template imports the submission once and forks a child for each check:
nothing a check does reaches the next. In tier 3, and where there are no forks, each check loads it anew.
"""

import contextlib
import os
import shutil
import signal
import socket
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.sandbox import forks, namespaces
from grader.sandbox.cgroup import Cgroup
from grader.sandbox.exchange import OverLimit, Running, check_limit, exchange, prepare_limit
from grader.sandbox.forks import READY, Forker, ForkFault, Zygote, line
from grader.sandbox.limits import MIB, PREPARE_CPU_S, Limits, Usage, usable_cores
from grader.sandbox.outcome import End, Outcome

SCRATCH = "peg-scratch"
KEPT_BYTES = 64 * MIB  # of compiled code; the reference's peg5 leaves 1 MiB
MARGIN = 2  # of what all checks may use together: it is the judge's watch of each that is to stop it


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

    def __init__(self, tier: int, debug: bool, stop: threading.Event, memory_mib: int = 0) -> None:
        """Make it; nothing is started before it is needed.

        Args:
            tier: what holds a child, see tiers.py.
            debug: whether children run plain Python with contracts.
            stop: ends every wait at once when it is set.
            memory_mib: what a check may use at most, if it is known.
        """
        self.tier = tier
        self.debug = debug
        self.stop = stop
        _sweep()
        self.scratch = Path(tempfile.mkdtemp(prefix=f"{SCRATCH}-{os.getpid()}-"))
        self.scratch.chmod(0o755)  # a child may have a user id of its own
        self.root = self.folder("root-")
        self.forks = forks.can_fork()
        self.cgroup: Cgroup | None = None
        self._memory_mib = memory_mib
        self._zygote: Zygote | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self._zygote is not None:
                self._zygote.close()
            if self.cgroup is not None:
                forks.end_all(self.cgroup.processes)
                self.cgroup.remove()
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
                self._limit_together(self._zygote)
            return self._zygote

    def _limit_together(self, zygote: Zygote) -> None:
        """Put the zygote, and so all its forks, into a control group if one can be had."""
        if self.tier >= 1 and self._memory_mib:
            with contextlib.suppress(OSError):
                self.cgroup = Cgroup(MARGIN * usable_cores() * self._memory_mib)
                self.cgroup.add(zygote.running.pid)

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
            killed_before = self._killed()
            question = line({**request, "scratch": str(scratch), "cpu_s": cpu_s})
            limit = check_limit(Limits(cpu_s, self._load.memory_mib))
            if compile:
                limit = self._limit_kept(limit)
            try:
                outcome = exchange(started, question, limit, self._sandbox.stop)
            finally:
                started.end()
            if compile and outcome.end == End.OUTPUT_LIMIT:
                shutil.rmtree(self._compiled, ignore_errors=True)
                self._compiled.mkdir(exist_ok=True)
        except ForkFault as fault:
            if self._sandbox.stop.is_set():
                return Outcome(End.STOPPED)
            return Outcome(End.FAULT, fault=str(fault))
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        if outcome.returncode == -signal.SIGKILL and self._killed() > killed_before:
            outcome.end = End.MEMORY_LIMIT
        if compile and outcome.end not in (End.STOPPED, End.WALL_LIMIT):
            self._tried.touch()  # it need not be tried again, even if it failed
            if self._template is not None:
                self._template.tell({"recall": str(self._compiled / "signatures.pickle")})
        return outcome

    def _limit_kept(self, limit: OverLimit) -> OverLimit:
        """Return `limit` and one of what is left as compiled code, the one place where a run can write."""

        def over_limit(outcome: Outcome, used: Usage | None) -> End | None:
            kept = sum(file.lstat().st_size for file in self._compiled.rglob("*") if file.is_file())
            return End.OUTPUT_LIMIT if kept > KEPT_BYTES else limit(outcome, used)

        return over_limit

    def _killed(self) -> int:
        """Return how many processes the kernel killed for memory so far."""
        return self._sandbox.cgroup.killed() if self._sandbox.cgroup is not None else 0

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


def _sweep() -> None:
    """Remove what a grader that was killed left: its scratch folder, named after its process."""
    for folder in Path(tempfile.gettempdir()).glob(f"{SCRATCH}-*-*"):
        pid = folder.name.split("-")[2]
        with contextlib.suppress(OSError, ValueError):
            if folder.lstat().st_uid == os.getuid() and not _is_there(int(pid)):
                shutil.rmtree(folder, ignore_errors=True)


def _is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
