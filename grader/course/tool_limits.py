"""Limit a tool that reads students' files."""

import sys
from collections.abc import Sequence


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
