"""The judge's side of a check: start the child, watch its use, take its frames, end it."""

import contextlib
import importlib.util
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from typing import IO, Any

from grader import paths
from grader.sandbox import limits
from grader.sandbox.limits import Limits

TICK_S = 0.01
COMPILE_CPU_S = 60.0  # for the run that is made to have the code compiled; it is not judged
SHOWN_BYTES = 4096  # of what a program printed: its head and its tail
ANSWER_BYTES = 4 << 20  # the largest answer: the client's keys and hashes of some 20,000 boards
CHILD = Path(__file__).with_name("child.py")


class End(Enum):
    """How a child ended."""

    ANSWERED = auto()
    DIED = auto()  # without an answer
    CPU_LIMIT = auto()
    WALL_LIMIT = auto()
    MEMORY_LIMIT = auto()
    OUTPUT_LIMIT = auto()
    PREPARE_LIMIT = auto()  # importing and compiling took too long
    BAD_FRAME = auto()  # too much, or too many frames
    STOPPED = auto()  # by the judge's user


@dataclass
class Outcome:
    """What came of one child.

    Attributes:
        end: how it ended.
        frame: its answer as it was sent, unchecked; empty when there is none.
        returncode: its exit status, negative for a signal, when it died by itself.
        cpu_s, wall_s, peak_mib: as in `Result`.
        head, tail: what it printed, both ends of it.
        compiled: whether it compiled something that an earlier run had not.
    """

    end: End = End.DIED
    frame: bytes = b""
    returncode: int | None = None
    cpu_s: float = 0.0
    wall_s: float = 0.0
    peak_mib: float = 0.0
    head: bytes = b""
    tail: bytes = b""
    compiled: bool = False


@dataclass(frozen=True)
class Order:
    """What a child is started for.

    Attributes:
        folder: the submission's clean folder.
        files: its files in the order of import.
        debug: plain Python with contracts.
        remember: note what gets compiled, for the children to come.
        request: the request, plain data.
        limits: of the check.
    """

    folder: Path
    files: tuple[str, ...]
    debug: bool
    remember: bool
    request: dict[str, Any]
    limits: Limits


@dataclass
class _Pipes:
    """The bytes between the judge and one child."""

    to_send: bytes = b""
    frames: bytearray = field(default_factory=bytearray)
    printed: int = 0
    head: bytearray = field(default_factory=bytearray)
    tail: bytearray = field(default_factory=bytearray)

    def take_output(self, data: bytes) -> None:
        self.printed += len(data)
        space = SHOWN_BYTES - len(self.head)
        self.head += data[:space]
        self.tail += data[space:] if space > 0 else data
        del self.tail[:-SHOWN_BYTES]


def run_child(order: Order, stop: threading.Event) -> Outcome:
    """Start a child, give it the request, and return when it is dead.

    Args:
        order: what to run.
        stop: ends the child at once when it is set.
    """
    scratch = Path(tempfile.mkdtemp(prefix="peg-"))
    compiled_before = _compiled_files(order.folder)
    try:
        child = subprocess.Popen(
            [
                sys.executable,
                "-s",
                "-P",
                *(() if order.debug else ("-O",)),
                str(CHILD),
                str(paths.FRAMEWORK_ROOT),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=scratch,
            env=_environment(order.folder, scratch),
            start_new_session=True,
        )
        try:
            outcome = _watch(child, order, stop)
        finally:
            _end(child)
        outcome.compiled = _compiled_files(order.folder) != compiled_before
        return outcome
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _environment(folder: Path, scratch: Path) -> dict[str, str]:
    """Return the child's whole environment: the same at home and in CI."""
    environment = {
        "HOME": str(scratch),
        "TMPDIR": str(scratch),
        "LANG": "C.UTF-8",
        "PYTHONUTF8": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_CACHE_DIR": str(folder / "compiled"),
    }
    for threads in ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        environment[threads] = "1"
    if "SYSTEMROOT" in os.environ:  # Windows starts no process without it
        environment["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
    return environment


def _compiled_files(folder: Path) -> int:
    return sum(1 for _ in (folder / "compiled").rglob("*.nbc"))


def _watch(child: subprocess.Popen[bytes], order: Order, stop: threading.Event) -> Outcome:
    """Serve the child's pipes and hold it to its limits until it has answered or must end."""
    assert child.stdin and child.stdout and child.stderr
    outcome = Outcome()
    pipes = _Pipes(to_send=_line(_first_line(order)))
    prepared = False
    started, cpu_before = time.monotonic(), 0.0
    with selectors.DefaultSelector() as selector:
        for stream in (child.stdin, child.stdout, child.stderr):
            os.set_blocking(stream.fileno(), False)
        selector.register(child.stdin, selectors.EVENT_WRITE, "send")
        selector.register(child.stdout, selectors.EVENT_READ, "frames")
        selector.register(child.stderr, selectors.EVENT_READ, "output")
        while True:
            died = child.poll() is not None  # asked before reading, so that nothing it sent is missed
            for key, _ in selector.select(0 if died else TICK_S):
                _serve(key, pipes, selector)
            used = limits.usage(child.pid) if not died else None
            outcome.wall_s = time.monotonic() - started
            if used is not None:
                outcome.cpu_s = used.cpu_s - cpu_before
                outcome.peak_mib = max(outcome.peak_mib, used.peak_mib)
            outcome.head, outcome.tail = bytes(pipes.head), bytes(pipes.tail)

            first, newline, rest = bytes(pipes.frames).partition(b"\n")
            if newline and not prepared and first == b'{"ready": true}' and not rest:
                prepared = True
                pipes.frames.clear()
                started, cpu_before = time.monotonic(), used.cpu_s if used else 0.0
                pipes.to_send = _line(order.request)
                selector.register(child.stdin, selectors.EVENT_WRITE, "send")
                continue
            end = None
            if newline:
                outcome.frame = first
                late = prepared and outcome.cpu_s > order.limits.cpu_s
                end = End.BAD_FRAME if rest else End.CPU_LIMIT if late else End.ANSWERED
            elif len(pipes.frames) > ANSWER_BYTES:
                end = End.BAD_FRAME
            elif pipes.printed > limits.OUTPUT_BYTES:
                end = End.OUTPUT_LIMIT
            elif died:
                end = _end_of_dead(child.returncode, outcome, order.limits)
                outcome.returncode = child.returncode
            elif stop.is_set():
                end = End.STOPPED
            else:
                end = _over_limit(outcome, used, order.limits, prepared)
            if end is not None:
                outcome.end = end
                return outcome


def _serve(key: selectors.SelectorKey, pipes: _Pipes, selector: selectors.BaseSelector) -> None:
    """Move the bytes of one pipe that is ready."""
    stream: IO[bytes] = key.fileobj  # type: ignore[assignment]  # we registered streams only
    try:
        if key.data == "send":
            pipes.to_send = pipes.to_send[os.write(stream.fileno(), pipes.to_send) :]
            if not pipes.to_send:
                selector.unregister(stream)
            return
        data = os.read(stream.fileno(), 1 << 16)
    except BlockingIOError:
        return
    except OSError:
        data = b""
    if not data:
        selector.unregister(stream)
    elif key.data == "frames":
        pipes.frames += data
    else:
        pipes.take_output(data)


def _over_limit(outcome: Outcome, used: limits.Usage | None, most: Limits, prepared: bool) -> End | None:
    """Return which limit the running child has passed, or None."""
    if used is not None and used.resident_mib > most.memory_mib:
        return End.MEMORY_LIMIT
    if not prepared:
        waited_too_long = outcome.wall_s > limits.PREPARE_CPU_S * limits.WALL_FACTOR
        return End.PREPARE_LIMIT if outcome.cpu_s > limits.PREPARE_CPU_S or waited_too_long else None
    if outcome.cpu_s > most.cpu_s:
        return End.CPU_LIMIT
    if outcome.wall_s > most.wall_s:
        return End.WALL_LIMIT
    return None


def _end_of_dead(returncode: int, outcome: Outcome, most: Limits) -> End:
    """Tell the death by the hard CPU limit behind the watch from any other."""
    by_limit = os.name == "posix" and returncode in (-signal.SIGXCPU, -signal.SIGKILL)
    return End.CPU_LIMIT if by_limit and outcome.cpu_s > most.cpu_s * 0.9 else End.DIED


def _end(child: subprocess.Popen[bytes]) -> None:
    """Kill the child with all that is in its process group, and reap it."""
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
    else:
        child.kill()
    child.wait()
    for stream in (child.stdin, child.stdout, child.stderr):
        if stream is not None:
            with contextlib.suppress(BrokenPipeError):  # the child died with an order unread
                stream.close()


def _first_line(order: Order) -> dict[str, Any]:
    return {
        "code": str(order.folder / "code"),
        "files": order.files,
        "compiled": str(order.folder / "compiled"),
        "debug": order.debug,
        "remember": order.remember,
        "cpu_s": limits.PREPARE_CPU_S + order.limits.cpu_s,
        "judge": os.getpid(),
    }


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data).encode() + b"\n"


def write_bytecode() -> None:
    """Let Python write the bytecode of the libraries under `-O`, once in the life of an installation.

    Children may write nowhere but in their own folders, and pip leaves no bytecode for `-O`: without this
    every child would translate numba's source anew, which takes seconds.
    """
    spec = importlib.util.find_spec("numba")
    if spec is None or spec.origin is None:
        return
    if not Path(importlib.util.cache_from_source(spec.origin, optimization=1)).exists():
        script = (
            "import sys; sys.path.append(sys.argv[1]); import numba, framework.hash_table;"
            "import grader.sandbox.limits, resource, ast, traceback, pickle, numba.np.ufunc;"
            "import numpy.ma, json, importlib.util; numba.njit(lambda: 0)()"
        )
        subprocess.run(
            [sys.executable, "-s", "-P", "-O", "-c", script, str(paths.FRAMEWORK_ROOT)],
            check=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
