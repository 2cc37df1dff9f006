"""Limits on the resources of a child: the child sets them on itself, and the judge watches and measures it.

A table of the framework reserves address space that it never touches, so the judge watches and limits
resident memory, not address space.
"""

import contextlib
import os
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from grader.sandbox.confine import offers

MIB = 1 << 20
PRELOAD_CPU_S = 60.0  # to import numba, which takes 1 s, or 10 s where its bytecode cannot be kept
PREPARE_CPU_S = 6.0  # to import a submission, which takes about 10 ms
COMPILE_CPU_S = 20.0  # for a compile run; a cold peg5 takes about 5 s
HARD = 1.5  # times its CPU limit, where the system kills a process that the judge has not stopped
CLOSE_RUN = 1.1  # a run that takes up to this many times its limit is not stopped, but repeated
GRADER_MIB = 256  # for the judge, the zygote and the kernel's file cache
LEAST_MIB = 128  # less is not enough to import numba
OUTPUT_BYTES = MIB  # what a program may print
FILE_BYTES = 16 * MIB  # one file it may write: numba's largest is well under 1 MiB
OPEN_FILES = 16  # few, since others can see how many; a check has 4, and Python opens a file or two
WALL_FACTOR, WALL_EXTRA_S = 5.0, 2.0
IMPORT_CPU_S = 0.5  # of these, nothing is charged; more counts as waiting, and right programs need hardly any
# Seconds that the checks of a task may sleep or wait in all, visible ones and hidden ones each. Waiting for a
# core is every program's lot, so there is no such limit where the system does not tell it apart.
IDLE_S = 15.0
TELLS_WAITS = os.path.exists("/proc/self/schedstat")
_NUMBERS = re.compile(r"^(VmRSS|VmHWM|VmPTE|VmSwap|Threads):\s+(\d+)", re.M)
_TICKS_PER_S = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


@dataclass(frozen=True)
class Limits:
    """The limits of one check."""

    cpu_s: float  # CPU seconds from receiving the board to the answer
    memory_mib: int  # resident memory in MiB
    clock_s: float | None = None  # the limit in wall time, in seconds; None for the usual one

    @property
    def wall_s(self) -> float:
        """The limit in wall time, which ends a child that sleeps; generous, since machines are shared."""
        return self.cpu_s * WALL_FACTOR + WALL_EXTRA_S if self.clock_s is None else self.clock_s


class Usage(NamedTuple):
    """The resources that a process has used so far."""

    cpu_s: float  # CPU seconds of all its threads
    resident_mib: float  # resident memory now, in MiB, including swap and page tables
    peak_mib: float  # the most resident memory so far, in MiB
    waited_s: float  # seconds for which its longest-waiting thread was ready to run but had no core


def usable_cores() -> int:
    """Return how many cores this process may use: a container may have fewer than its machine."""
    cores = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    for group in _control_groups("cpu"):
        with contextlib.suppress(OSError, ValueError):  # "max": no limit
            quota, period = (group / "cpu.max").read_text("ascii").split()
            cores = min(cores, max(1, int(quota) // int(period)))
        with contextlib.suppress(OSError, ValueError):  # the first version of control groups
            quota, period = (
                (group / f"cpu.cfs_{name}_us").read_text("ascii") for name in ("quota", "period")
            )
            cores = min(cores, max(1, int(quota) // int(period))) if int(quota) > 0 else cores
    return cores


def most_mib(graders: int) -> int:
    """Return how many MiB the checks of each of `graders` simultaneous graders may use.

    When a container or a job runs out of memory, some process is killed. That may be the judge with all its
    results.
    """
    found = []
    for group in _control_groups("memory"):
        for name in ("memory.max", "memory.limit_in_bytes"):
            with contextlib.suppress(OSError, ValueError):  # "max": no limit
                found.append(int((group / name).read_text("ascii")) // MIB)
    return max(LEAST_MIB, min(found) // graders - GRADER_MIB) if found else sys.maxsize


def _control_groups(controller: str) -> list[Path]:
    """Return the folders of this process's control group and of those around it: each may set a limit.

    A container sees its own at the top. The first version of control groups has a tree for each controller.
    """
    lines = ["0::/", f"0:{controller}:/"]
    with contextlib.suppress(OSError, ValueError):
        lines += Path("/proc/self/cgroup").read_text("utf-8").splitlines()
    found = []
    for line in lines:
        _, names, path = line.split(":", 2)
        if not names or controller in names.split(","):
            group = Path("/sys/fs/cgroup", controller if names else "", path.lstrip("/"))
            found += [group, *group.parents]
    return found


def oom_kills() -> int:
    """Return how many processes were ended so far because memory ran out, in this container or anywhere."""
    found = []
    for path in ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control", "/proc/vmstat"):
        with contextlib.suppress(OSError):
            found += re.findall(r"^oom_kill (\d+)$", Path(path).read_text("ascii"), re.M)
    return sum(map(int, found))


def usage(pid: int) -> Usage | None:
    """Return the resources that a running process has used, without its descendants; None if unknown."""
    try:
        # The CPU clock of another process, as clock_getcpuclockid(3) makes it.
        cpu_s = time.clock_gettime((~pid << 3) | 2)
        of_dead_children = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()[13:15]
        cpu_s += sum(int(ticks) for ticks in of_dead_children) / _TICKS_PER_S
        kib = _numbers(f"/proc/{pid}")
        threads = [f"/proc/{pid}"]
        if kib.get("Threads") != 1:
            threads = [f"/proc/{pid}/task/{each}" for each in os.listdir(f"/proc/{pid}/task")]
        if "VmRSS" not in kib:  # its first thread has ended, and others have not
            kib = next((found for each in threads if "VmRSS" in (found := _numbers(each))), kib)
        beside = (kib.get("VmPTE", 0) + kib.get("VmSwap", 0)) / 1024
        resident, peak = kib.get("VmRSS", 0) / 1024 + beside, kib.get("VmHWM", 0) / 1024 + beside
        waited_s = max(map(_waited_s, threads))
        return Usage(cpu_s, resident, peak, waited_s)
    except (OSError, ValueError):  # it is gone; so is each of its threads
        return None


def _read(path: str) -> str:
    with open(path, encoding="ascii", errors="replace") as file:
        return file.read()


def _waited_s(thread: str) -> float:
    """Return the seconds a thread was ready to run but had no core; 0 if it has ended."""
    with contextlib.suppress(OSError):
        return int(_read(f"{thread}/schedstat").split()[1]) / 1e9
    return 0.0


def own_wait_s() -> float:
    """Return the seconds that the calling thread was ready to run but had no core."""
    return _waited_s("/proc/thread-self")


def _numbers(folder: str) -> dict[str, int]:
    """Return the memory in KiB, and the number of threads, from the status of a process or a thread."""
    with contextlib.suppress(OSError):
        status = _read(f"{folder}/status")
        return {name: int(found) for name, found in _NUMBERS.findall(status)}
    return {}


def children(pid: int) -> list[int]:
    """Return the processes whose parent is `pid`."""
    found = []
    with contextlib.suppress(OSError):  # it has just ended
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError):  # this thread has just ended
                text = _read(f"/proc/{pid}/task/{thread}/children")
                found += [int(child) for child in text.split()]
    return found


def limit_self(cpu_s: float) -> None:
    """Set this process's own limits, before any student code is loaded.

    They back up the judge's finer watch: a hard CPU limit, no core file, files of limited size.

    Args:
        cpu_s: CPU seconds from now on.
    """
    if not offers.limits():
        return
    import resource

    # The system counts in ticks, and its count can be ahead of process_time.
    hard = int(time.process_time() + cpu_s * HARD) + 2
    for kind, most in (
        (resource.RLIMIT_CPU, (hard, hard)),
        (resource.RLIMIT_CORE, (0, 0)),
        (resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES)),
        (resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES)),
        # How many signals wait is counted for each user, so others could see it.
        *([(resource.RLIMIT_SIGPENDING, (0, 0))] if hasattr(resource, "RLIMIT_SIGPENDING") else []),
    ):
        with contextlib.suppress(OSError, ValueError):  # a lower limit is in force already
            resource.setrlimit(kind, most)


def limited(command: Sequence[str], cpu_s: int, memory: int, said: int) -> list[str]:
    """Return a command that runs another one under limits, on Linux; elsewhere only its time is limited.

    The limits hold from its first moment, unlike those that are set once a process has begun. A limit that is
    lower already stays.

    Args:
        cpu_s: CPU seconds.
        memory: bytes of addresses.
        said: bytes of a file that it writes.
    """
    if sys.platform != "linux":
        return list(command)
    limits = {"c": 0, "t": cpu_s, "v": memory >> 10, "f": said >> 9}
    script = "".join(f"ulimit -{what} {most} 2>/dev/null; " for what, most in limits.items())
    return ["/bin/sh", "-c", f'{script}exec "$@"', "sh", *command]
