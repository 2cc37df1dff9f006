"""What a child may use: set by the child on itself, watched and measured by the judge.

A table of the framework reserves address space that it never touches, so it is resident memory that is
limited, by watching it, and not address space.
"""

import contextlib
import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

MIB = 1 << 20
PREPARE_CPU_S = 6.0  # to import and to load compiled code, which takes about 1 s
COMPILE_CPU_S = 20.0  # for the run made to have the code compiled; a cold peg5 takes about 5 s
OUTPUT_BYTES = MIB  # what a program may print
FILE_BYTES = 64 * MIB  # one file it may write: numba's largest is well under 1 MiB
OPEN_FILES = 256
WALL_FACTOR, WALL_EXTRA_S = 5.0, 2.0


@dataclass(frozen=True)
class Limits:
    """The limits of one check.

    Attributes:
        cpu_s: CPU seconds from receiving the board to the answer.
        memory_mib: resident memory in MiB.
    """

    cpu_s: float
    memory_mib: int

    @property
    def wall_s(self) -> float:
        """The backstop by the clock, for a child that sleeps: generous, since machines are shared."""
        return self.cpu_s * WALL_FACTOR + WALL_EXTRA_S


class Usage(NamedTuple):
    """What a process has used so far.

    Attributes:
        cpu_s: CPU seconds of all its threads.
        resident_mib: resident memory now, in MiB.
        peak_mib: the most it ever was, in MiB.
        waited_s: seconds in which it could have run but had no core.
    """

    cpu_s: float
    resident_mib: float
    peak_mib: float
    waited_s: float


def tier() -> int:
    """Return the sandbox tier that checks run in: 1 where POSIX limits exist, else 0."""
    return 1 if os.name == "posix" else 0


def usable_cores() -> int:
    """Return how many cores this process may use: a container has fewer than its machine."""
    cores = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    with contextlib.suppress(OSError, ValueError):
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text("ascii").split()
        cores = min(cores, max(1, int(quota) // int(period)))
    return cores


def usage(pid: int) -> Usage | None:
    """Return what the running process `pid` has used; None where that cannot be known (not on Linux)."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        # The CPU clock of another process, as clock_getcpuclockid(3) makes it.
        cpu_s = time.clock_gettime((~pid << 3) | 2)
        resident = peak = 0.0
        for line in Path(f"/proc/{pid}/status").read_text("ascii", "replace").splitlines():
            if line.startswith("VmHWM:"):
                peak = int(line.split()[1]) / 1024
            elif line.startswith("VmRSS:"):
                resident = int(line.split()[1]) / 1024
                break
        waited_ns = int(Path(f"/proc/{pid}/schedstat").read_text("ascii").split()[1])
        return Usage(cpu_s, resident, peak, waited_ns / 1e9)
    except OSError:
        return None


def confine_self(cpu_s: float, judge: int, final: bool) -> None:
    """Set this process's own limits, before any student code is loaded.

    They stand behind the judge's watch, which is finer: a hard CPU limit, no core file, bounded files, and
    death when the judge dies.

    Args:
        cpu_s: CPU seconds from now on.
        judge: the judge's process id.
        final: whether the limits are for good; those of a template leave room for its forks.
    """
    if os.name != "posix":
        return
    import resource

    most_cpu = int(time.process_time() + cpu_s) + 2
    for kind, most, for_good in (
        (resource.RLIMIT_CPU, most_cpu, final),
        (resource.RLIMIT_CORE, 0, True),
        (resource.RLIMIT_FSIZE, FILE_BYTES, True),
        (resource.RLIMIT_NOFILE, OPEN_FILES, True),
    ):
        _, hard = resource.getrlimit(kind)
        with contextlib.suppress(OSError, ValueError):  # a lower limit is in force already
            resource.setrlimit(kind, (most, most if for_good else hard))
    if sys.platform.startswith("linux"):
        import ctypes

        parent_death_signal = 1  # PR_SET_PDEATHSIG of prctl(2)
        ctypes.CDLL(None).prctl(parent_death_signal, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != judge:  # it died before that call
            os._exit(1)
