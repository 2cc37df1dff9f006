"""What this machine can enforce, each thing proven by trying it in a child."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from grader.sandbox.confine import namespaces


def no_namespaces() -> str:
    """Return why no namespaces can be had here; nothing when they can."""
    with tempfile.TemporaryDirectory(prefix="peg-probe-") as root:
        return in_child(lambda: namespaces.enter([Path("/dev/null")], Path(root)))


def in_child(tries: Callable[[], object]) -> str:
    """Call `tries` in a fork; return what it raised, in words, or nothing."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        said = ""
        try:
            tries()
        except BaseException as error:
            said = str(error) or type(error).__name__
        os.write(writing, said.encode()[:4000])
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        said = stream.read().decode("utf-8", "replace")
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return said or ("" if status == 0 else f"the attempt ended with {status}")
