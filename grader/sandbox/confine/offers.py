"""Find out what Python offers on this system, by looking for each feature and not at the system's name."""

import importlib.util
import os
import signal
import socket
import sys

from grader.sandbox.confine import kernel

PROC = os.path.isdir("/proc/self/task")  # what processes use is read there; elsewhere psutil knows


def wait_by_id() -> bool:
    """Return whether a child's pipes can be watched together, and the child killed and reaped by its id."""
    calls = all(hasattr(os, name) for name in ("wait4", "killpg", "WNOHANG", "getuid"))
    return calls and hasattr(signal, "SIGKILL") and _imports("resource")  # wait4 returns what it defines


def forks() -> bool:
    """Return whether a process can be forked, receive descriptors, and become the judge's own child."""
    passes = hasattr(socket, "SOCK_SEQPACKET") and hasattr(socket, "send_fds")
    linux = sys.platform.startswith("linux") and PROC and kernel.numbers_are_known()
    return linux and passes and hasattr(os, "fork") and wait_by_id() and _imports("fcntl")


def compiles() -> bool:
    """Return whether numba is installed; numba supports a new version of Python only after some months."""
    return _imports("numba")


def is_root() -> bool:
    """Return whether this process has the rights of root."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _imports(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ValueError:  # it is not to be imported
        return False
