"""The zygote: a process that has imported the libraries and forks a new process for each check.

Importing takes half a second, a fork two milliseconds. A zygote never runs student code, and is trusted. The
judge becomes the parent of each fork, as subreaper, so it measures, kills and reaps the forks itself.
"""

import contextlib
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from grader import paths
from grader.sandbox.asking import End, Outcome
from grader.sandbox.confine import kernel, reach
from grader.sandbox.confine.limits import PRELOAD_CPU_S, Limits
from grader.sandbox.parent.exchange import check_limit, exchange
from grader.sandbox.parent.running import STARTING, Running

CHILD = paths.PACKAGE / "sandbox" / "child" / "main.py"
READY, CONFINED = b'{"ready": true}', b'{"confined": true}'
FORK_S = 120.0  # for a fork, and for all libraries to be read from a slow disk before the first hidden check
ENOUGH_MIB = 2048


class Fault(Exception):
    """The grader could not start a process, or could not confine it; the text says why."""


def start(debug: bool, scratch: Path, *passed: int) -> "subprocess.Popen[bytes]":
    """Start child/main.py in a new Python process, which also gets the descriptors `passed`."""
    optimized = () if debug else ("-O",)
    arguments = (str(CHILD), str(paths.FRAMEWORK_ROOT), *reach.places())
    return subprocess.Popen(
        [sys.executable, "-s", "-P", *optimized, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=scratch,
        env=child_environment(scratch),
        start_new_session=True,
        pass_fds=passed,
        bufsize=0,
    )


class Zygote:
    """Forks a process for each check. Thread-safe."""

    def __init__(self, debug: bool, tier: int, scratch: Path, stop: threading.Event, many: bool) -> None:
        """Start the zygote, without waiting for it. The kernel ends it with the thread that started it.

        Args:
            debug: whether its forks run plain Python.
            tier: the tier of its forks, see tiers.py.
            scratch: a folder of its own.
            stop: ends a wait immediately when it is set.
            many: whether to compile the functions that nearly all submissions call: a slower start, but
                faster for a class.
        """
        kernel.adopt_orphans()
        self._stop = stop
        self._turn = threading.RLock()  # a signal may have it closed in the middle of a fork
        self._confined = tier >= 2
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, STARTING:
            process = start(debug, scratch, theirs.fileno())
            order = {"debug": debug, "tier": tier, "control": theirs.fileno(), "many": many}
            send, frames, output = map(_own, (process.stdin, process.stdout, process.stderr))
            process.returncode = 0  # from here on `Running` waits for it
            self.running = Running(process.pid, send, frames, output)  # the zygote itself
        with contextlib.suppress(OSError):  # it is dead, which `await_ready` reports
            os.write(self.running.send, line({**order, "judge": os.getpid()}))

    def await_ready(self) -> None:
        """Wait until it can fork; raise Fault if it did not come up; the caller must close it."""
        limit = check_limit(Limits(PRELOAD_CPU_S, ENOUGH_MIB), importing=True)
        outcome = exchange(self.running, b"", limit, self._stop)
        if outcome.end != End.ANSWERED or outcome.frame != READY:
            raise Fault(_why_not(outcome))

    def fork(self, order: dict[str, Any]) -> Running:
        """Return a fork, which waits for its order.

        Args:
            order: what the zygote needs to know of it: `hidden`, `sees`, `root`, `libraries`.

        Raises:
            Fault: no process could be started.
        """
        channel, theirs = socket.socketpair()
        output, written = socket.socketpair()  # no pipe, which others could open by its name in /proc
        said: dict[str, Any] = {"error": "the zygote did not answer"}
        with theirs, written, self._turn:
            try:
                socket.send_fds(self._control, [line(order)], [theirs.fileno(), written.fileno()])
                said = json.loads(self._answer())
            except (OSError, ValueError):  # it is dead, or its answer would come when the next one is awaited
                if self.running.returncode is None:
                    os.kill(self.running.pid, signal.SIGKILL)
        if "pid" not in said:
            channel.close()
            output.close()
            raise Fault(f"no process could be forked: {said['error']}")
        descriptor = channel.detach()
        return Running(said["pid"], descriptor, descriptor, output.detach(), self._confined)

    def _answer(self) -> bytes:
        """Return what the zygote says of a fork.

        Raises:
            TimeoutError: it says nothing in time, or the run was stopped.
        """
        self._control.settimeout(0.5)
        deadline = time.monotonic() + FORK_S
        while True:
            try:
                return self._control.recv(1 << 12)
            except TimeoutError:
                if self._stop.is_set() or time.monotonic() > deadline:
                    raise

    def close(self) -> None:
        """End the zygote, but not its forks: whoever asked for a fork also ends it."""
        with self._turn:
            self.running.end()
            self._control.close()


def line(data: dict[str, Any]) -> bytes:
    """Return an object as a line of JSON."""
    return json.dumps(data).encode() + b"\n"


def _own(stream: Any) -> int:
    """Return a duplicate of a stream's descriptor, and close the stream."""
    descriptor = os.dup(stream.fileno())
    stream.close()
    return descriptor


def _why_not(outcome: Outcome) -> str:
    if outcome.end == End.STOPPED:
        return "stopped"
    printed = (outcome.head + outcome.tail).decode("utf-8", "replace").strip().splitlines()
    return f"its Python did not come up: {printed[-1] if printed else outcome.end.name}"


# ---- Python for a child --------------------------------------------------------------------------


def child_environment(scratch: Path) -> dict[str, str]:
    """Return the child's whole environment, the same at home and in CI."""
    environment = {
        "HOME": str(scratch),
        "TMPDIR": str(scratch),
        "LANG": "C.UTF-8",
        "PYTHONUTF8": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING": "1",  # no colours, even with colorama
    }
    for threads in ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        environment[threads] = "1"
    # Windows starts no process without the first, nor some systems their Python without the second.
    needed = ("SYSTEMROOT", "LD_LIBRARY_PATH")
    return environment | {name: os.environ[name] for name in needed if name in os.environ}


def write_bytecode() -> None:
    """Let Python write the bytecode of the libraries under `-O`, once per installation.

    Children may write nowhere but in their own folders, and pip writes no bytecode for `-O`. So without this
    call every child would compile numba's source again, which takes seconds. The call does nothing where the
    libraries belong to another user.
    """
    spec = importlib.util.find_spec(_LAST)
    if spec is None or spec.origin is None:
        return
    bytecode = Path(importlib.util.cache_from_source(spec.origin, optimization=1))
    folder = bytecode.parent if bytecode.parent.exists() else Path(spec.origin).parent
    if not bytecode.exists() and os.access(folder, os.W_OK):
        with contextlib.suppress(OSError):
            arguments = (str(os.getpid()), str(paths.FRAMEWORK_ROOT), *reach.places())
            subprocess.run(
                [sys.executable, "-s", "-P", "-O", "-c", _IMPORT_ALL, *arguments],
                check=False,
                env={name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )


_LAST = "typing_extensions"  # imported by none of the others: where it has bytecode, all have
# What children import, in a process that dies with the grader.
_IMPORT_ALL = f"""
import os, signal, sys
sys.path += sys.argv[2:]
from grader.sandbox.confine import kernel
if sys.platform.startswith("linux"):
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != int(sys.argv[1]):
        sys.exit()
from grader.sandbox.child import lab_questions, questions, slow
from grader.sandbox.confine import reach
import importlib.util, json, pickle, socket
import numba, numba.np.ufunc, numpy.ma, framework.hash_table
numba.njit(lambda: 0)()
import {_LAST}
"""
