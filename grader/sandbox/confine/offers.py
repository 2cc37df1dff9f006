"""Find out what Python offers on this system, by looking for each feature and not at the system's name."""

import importlib.util
import os
import signal
import socket
import sys

from grader.sandbox.confine import kernel


def limits() -> bool:
    """Return whether the system can limit what a process uses."""
    return _imports("resource")


def forks() -> bool:
    """Return whether processes can be forked from a zygote, and measured: on Linux."""
    linux = (
        sys.platform.startswith("linux") and os.path.isdir("/proc/self/task") and kernel.numbers_are_known()
    )
    needs = (
        *((os, "fork"), (os, "wait4"), (os, "killpg"), (os, "getuid")),
        *((signal, "SIGKILL"), (socket, "send_fds"), (socket, "SOCK_SEQPACKET")),
    )
    return linux and limits() and all(hasattr(module, name) for module, name in needs)


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
