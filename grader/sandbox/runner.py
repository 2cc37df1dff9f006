"""Run the checks of one submission, each in a fresh process.

On Linux a template process imports the submission once and forks a child for each check: nothing a check
does reaches the next, and numba's import and the loading of compiled code are paid once a task. The child is
forked twice over, so that the judge, as subreaper, becomes its parent: the judge itself measures, kills and
reaps it, and trusts the template with nothing. Elsewhere each check starts a process of its own.
"""

import contextlib
import ctypes
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader import paths
from grader.sandbox.environment import child_environment
from grader.sandbox.exchange import Running, check_limit, exchange, prepare_limit
from grader.sandbox.limits import Limits
from grader.sandbox.outcome import End, Outcome

CHILD = Path(__file__).with_name("child.py")
READY = b'{"ready": true}'
FORK_S = 20.0  # for a fork to come up, even on a machine that is very busy


@dataclass(frozen=True)
class Load:
    """What a child imports.

    Attributes:
        folder: the submission's clean folder.
        module: the name of the task's own file, without `.py`.
        debug: plain Python with contracts.
        memory_mib: the limit on resident memory.
    """

    folder: Path
    module: str
    debug: bool
    memory_mib: int


class Runner:
    """Runs checks of one submission; use it in a `with` block, from as many threads as you like."""

    def __init__(self, load: Load, stop: threading.Event) -> None:
        self._load = load
        self._stop = stop
        self._lock = threading.Lock()
        self._forks = _become_subreaper()
        self._scratch = Path(tempfile.mkdtemp(prefix="peg-"))
        self._template: Running | None = None
        self._control: socket.socket | None = None
        self._failed: Outcome | None = None

    def __enter__(self) -> "Runner":
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._end_template()
            _end_strays(str(self._scratch))
        finally:
            shutil.rmtree(self._scratch, ignore_errors=True)

    @property
    def has_compiled_code(self) -> bool:
        """Whether an earlier run was made to have the code compiled, or none is needed."""
        return self._load.debug or self._tried.exists()

    @property
    def _tried(self) -> Path:
        return self._load.folder / "compiled-once"

    @property
    def _signatures(self) -> Path:
        return self._load.folder / "compiled" / "signatures.pickle"

    def run(self, request: dict[str, Any], cpu_s: float, remember: bool = False) -> Outcome:
        """Run one check and return when its process is dead.

        Args:
            request: the question, plain data.
            cpu_s: the limit in CPU seconds.
            remember: note what gets compiled, for the checks to come; such a run is not judged.
        """
        most = Limits(cpu_s, self._load.memory_mib)
        question = _line({**request, "cpu_s": cpu_s, "remember": remember})
        compiled_before = self._compiled_files()
        scratch = Path(tempfile.mkdtemp(prefix="check-", dir=self._scratch))
        started = self._fork(scratch) if self._forks else self._start(scratch, None)
        if isinstance(started, Outcome):
            return started
        try:
            outcome = exchange(started, question, check_limit(most), self._stop)
        finally:
            started.end()
            shutil.rmtree(scratch, ignore_errors=True)
        outcome.compiled = self._compiled_files() != compiled_before
        if remember and outcome.end not in (End.STOPPED, End.WALL_LIMIT):
            self._tried.touch()  # it need not be tried again, even if it failed
            if self._control is not None:
                with contextlib.suppress(OSError):
                    self._control.send(_line({"recall": True}))
        return outcome

    def _compiled_files(self) -> int:
        return sum(1 for _ in (self._load.folder / "compiled").rglob("*.nbc"))

    # ---- a process of its own ------------------------------------------------------------------

    def _start(self, scratch: Path, control: socket.socket | None) -> Running | Outcome:
        """Start a process that imports the submission, and return it when it is ready, or its failure.

        Args:
            scratch: its working folder.
            control: for a template, the socket by which it is asked to fork.
        """
        passed = () if control is None else (control.fileno(),)
        process = subprocess.Popen(
            [
                sys.executable,
                "-s",
                "-P",
                *(() if self._load.debug else ("-O",)),
                str(CHILD),
                str(paths.FRAMEWORK_ROOT),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=scratch,
            env=child_environment(self._load.folder, scratch),
            start_new_session=True,
            pass_fds=passed,
        )
        process.returncode = 0  # from here on it is `Running` that waits for it
        running = Running(process.pid, _own(process.stdin), _own(process.stdout), _own(process.stderr))
        order = {
            "code": str(self._load.folder / "code"),
            "module": self._load.module,
            "signatures": str(self._signatures),
            "debug": self._load.debug,
            "control": None if control is None else control.fileno(),
            "judge": os.getpid(),
        }
        try:
            outcome = exchange(running, _line(order), prepare_limit(self._load.memory_mib), self._stop)
        except BaseException:
            running.end()
            raise
        if outcome.end == End.ANSWERED and outcome.frame == READY:
            return running
        running.end()
        return outcome

    # ---- a fork of the template ----------------------------------------------------------------

    def _fork(self, scratch: Path) -> Running | Outcome:
        """Return a fork of the template, which is started if need be, or the failure to import."""
        with self._lock:
            if self._template is None and self._failed is None:
                self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                with theirs:
                    started = self._start(self._scratch, theirs)
                if isinstance(started, Running):
                    self._template = started
                else:
                    self._control.close()
                    self._failed = started
            if self._failed is not None:
                return self._failed
            assert self._control is not None
            channel, theirs = socket.socketpair()
            channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
            output, written = os.pipe()
            try:
                request = _line({"scratch": str(scratch)})
                socket.send_fds(self._control, [request], [theirs.fileno(), written])
            except OSError:
                pass  # the template is dead: told below
            finally:
                theirs.close()
                os.close(written)
        pid = self._await_fork(channel)
        if pid is None:
            channel.close()
            os.close(output)
            if self._stop.is_set():
                return Outcome(End.STOPPED)
            if self._template is not None and self._template.poll():  # by what the file's top level left
                return Outcome(End.DIED, returncode=self._template.returncode)
            return Outcome(End.FAULT, fault="no process could be forked for it")
        descriptor = channel.detach()
        return Running(pid, descriptor, descriptor, output)

    def _await_fork(self, channel: socket.socket) -> int | None:
        """Return the process id of the fork, which the kernel vouches for; None when none came up."""
        size = struct.calcsize("3i")
        channel.settimeout(0.05)
        deadline = time.monotonic() + FORK_S
        while time.monotonic() < deadline and not self._stop.is_set():
            try:
                data, ancillary, _, _ = channel.recvmsg(len(READY) + 1, socket.CMSG_SPACE(size))
            except TimeoutError:
                continue
            except OSError:
                return None
            if data != READY + b"\n":
                return None
            for level, kind, value in ancillary:
                if level == socket.SOL_SOCKET and kind == socket.SCM_CREDENTIALS:
                    pid: int = struct.unpack("3i", value[:size])[0]
                    return pid if _is_our_child(pid) else None
        return None

    def _end_template(self) -> None:
        with self._lock:
            if self._template is not None:
                self._template.end()
            if self._control is not None:
                self._control.close()
            self._template = self._control = None


def _own(stream: Any) -> int:
    """Return a descriptor of our own for a stream, which is closed."""
    descriptor = os.dup(stream.fileno())
    stream.close()
    return descriptor


def _is_our_child(pid: int) -> bool:
    try:
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _end_strays(marker: str) -> None:
    """Kill and reap what a check left running outside of its process group.

    As subreaper the judge is the parent of such processes; they are known by `marker` in their environment.
    """
    if not sys.platform.startswith("linux"):
        return
    found = True
    while found:
        found = False
        for pid in _own_children():
            with contextlib.suppress(OSError):
                if marker.encode() in Path(f"/proc/{pid}/environ").read_bytes():
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)
                    found = True


def _own_children() -> list[int]:
    """Return the processes whose parent is this one."""
    found = []
    for children in Path("/proc/self/task").glob("*/children"):
        with contextlib.suppress(OSError):  # a thread that has just ended
            found += [int(pid) for pid in children.read_text("ascii").split()]
    return found


def _become_subreaper() -> bool:
    """Make this process the parent of its descendants' orphans; return whether that is to be had."""
    if not sys.platform.startswith("linux"):
        return False
    set_child_subreaper = 36  # PR_SET_CHILD_SUBREAPER of prctl(2)
    return bool(ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0) == 0)


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data).encode() + b"\n"
