"""Find a process's descendants and those that are busy, wait for the end of a process, call in a fork."""

import os
import select
import time
from collections.abc import Callable
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def below(pid: int) -> list[int]:
    """Return the descendants of a process, at any depth."""
    children: list[int] = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children += map(int, file.read_text().split())
        except OSError:
            continue  # the thread has ended
    return children + [each for child in children for each in below(child)]


def cpu_s(pid: int) -> float:
    """Return a process's CPU seconds; 0 when it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS


def working(pid: int, window_s: float = 0.3) -> list[int]:
    """Return the descendants of a process that compute all the time, even if they get little of a core."""
    before = {each: cpu_s(each) for each in below(pid)}
    time.sleep(window_s)
    return [each for each, at_first in before.items() if cpu_s(each) - at_first > window_s / 15]


def await_end(pid: int, most_s: float) -> bool:
    """Wait until a process has ended, for at most `most_s`; return whether it has."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([process], [], [], most_s)[0])
    finally:
        os.close(process)


def in_child(tries: Callable[[], object]) -> str:
    """Call `tries` in a fork; return the text of what it raised, or an empty string."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        message = ""
        try:
            tries()
        except BaseException as error:
            message = str(error) or type(error).__name__
        os.write(writing, message.encode()[:4000])
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        message = stream.read().decode("utf-8", "replace")
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return message or ("" if status == 0 else f"the attempt ended with {status}")
