"""Measure and end a process with all that it started, by psutil, which works on any system."""

import contextlib
from pathlib import Path

import psutil

from grader.sandbox.confine.limits import MIB, Usage

END_S = 5.0  # for killed processes to be gone


def usage(pid: int) -> Usage | None:
    """Return the resources that a running process has used so far; None if unknown."""
    try:
        process = psutil.Process(pid)
        with process.oneshot():
            times, memory = process.cpu_times(), process.memory_info()
    except psutil.Error:
        return None
    peak = getattr(memory, "peak_wset", memory.rss)  # only Windows keeps it
    return Usage(times.user + times.system, memory.rss / MIB, peak / MIB, 0.0)


def with_descendants(pid: int, used: Usage | None) -> Usage | None:
    """Add what the descendants of a process use to what the process itself uses."""
    for each in descendants(pid) if used is not None else ():
        its = usage(each.pid)
        if used is not None and its is not None:
            resident = used.resident_mib + its.resident_mib
            used = Usage(used.cpu_s + its.cpu_s, resident, max(used.peak_mib, resident), used.waited_s)
    return used


def descendants(pid: int) -> list[psutil.Process]:
    """Return the processes that `pid` and its children started, except those whose parent is dead."""
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).children(recursive=True)
    return []


def below(home: Path) -> list[psutil.Process]:
    """Return the processes whose home, in their environment, is or was below a folder."""
    found = []
    try:
        listed = list(psutil.process_iter())
    except IndexError:  # in a container whose /proc is empty none can be seen
        return []
    for each in listed:
        with contextlib.suppress(psutil.Error, OSError):
            if home in Path(each.environ().get("HOME", "")).parents:
                found.append(each)
    return found


def end(processes: list[psutil.Process]) -> None:
    """Kill processes and wait until they are gone."""
    for each in processes:
        with contextlib.suppress(psutil.Error):
            each.kill()
    psutil.wait_procs(processes, END_S)
