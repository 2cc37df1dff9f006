"""Limit a tool that reads students' files."""

import contextlib
import sys


def limit_tool(pid: int, cpu_s: int, memory: int, said: int) -> None:
    """Limit what a process may use, on Linux; elsewhere only its time is limited.

    Args:
        pid: the process, which has just begun.
        cpu_s: CPU seconds.
        memory: bytes of addresses.
        said: bytes of a file that it writes.
    """
    if sys.platform == "linux":
        import resource

        limits = {
            resource.RLIMIT_CPU: cpu_s,
            resource.RLIMIT_AS: memory,
            resource.RLIMIT_FSIZE: said,
            resource.RLIMIT_CORE: 0,
        }
        with contextlib.suppress(ProcessLookupError):  # it has ended
            for what, most in limits.items():
                allowed = resource.getrlimit(what)[1]
                most = most if allowed == resource.RLIM_INFINITY else min(most, allowed)
                resource.prlimit(pid, what, (most, most))
