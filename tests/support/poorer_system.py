"""Run `grade` as on a system that lacks some of what Linux offers, in the grader and in its children.

    python tests/support/poorer_system.py fork,resource peg1 --reference

Only what a program asks Python for is taken away. The kernel underneath is still Linux, so this does not show
in what else macOS or Windows differ.
"""

import builtins
import errno
import io
import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import psutil

ROOT = Path(__file__).resolve().parents[2]
LACKS = {
    "seqpacket": ("socket.SOCK_SEQPACKET",),
    "descriptors": ("socket.send_fds", "socket.recv_fds"),
    "fork": ("os.fork", "os.forkpty"),
    "wait": ("os.wait4", "os.waitid", "os.killpg"),
    "users": ("os.getuid", "os.geteuid", "os.chown"),
    "fchmod": ("os.fchmod",),
    "signals": (
        "signal.SIGKILL",
        "signal.SIGXCPU",
        "signal.SIGHUP",
        "signal.setitimer",
        "signal.siginterrupt",
    ),
    "resource": ("resource",),
    "fcntl": ("fcntl",),
    "termios": ("termios", "tty"),
    "seccomp": ("pyseccomp",),
    "proc": (),
}
LIBRARIES = {"numba": ("numba", "llvmlite")}  # which costs all points, and so is no part of LACKS
TAKEN_FROM = {"os": os, "signal": signal, "socket": socket}


def take_away(lacks: list[str]) -> None:
    """Take away what the system lacks, but leave subprocess and psutil what they need.

    On a real system of that kind, these two would use other means.
    """
    psutil.signal = subprocess.signal = SimpleNamespace(**vars(signal))  # type: ignore[attr-defined]
    for name in [each for lack in lacks for each in {**LACKS, **LIBRARIES}[lack]]:
        module, _, attribute = name.partition(".")
        if attribute:
            delattr(TAKEN_FROM[module], attribute)
        else:
            sys.modules[module] = None  # type: ignore[assignment]  # Python's own way to refuse an import
    if "proc" in lacks:
        hide_proc()


def hide_proc() -> None:
    """Hide /proc from all code but psutil, which has other ways on systems without it."""

    def hidden(call, path):  # type: ignore[no-untyped-def]
        if str(path).startswith("/proc") and "psutil" not in sys._getframe(2).f_code.co_filename:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))

    def wrapped(call):  # type: ignore[no-untyped-def]
        def instead(path=".", *arguments, **named):  # type: ignore[no-untyped-def]
            hidden(call, path)
            return call(path, *arguments, **named)

        return instead

    builtins.open = io.open = wrapped(open)
    for name in ("stat", "lstat", "listdir", "scandir", "readlink"):
        setattr(os, name, wrapped(getattr(os, name)))


CHILD = """\
import sys
sys.path.insert(0, {support!r})
import poorer_system
sys.path.pop(0)
poorer_system.take_away({lacks!r})
import runpy
runpy.run_path({main!r}, run_name="__main__")
"""


def main() -> None:
    """Run `grade` with the arguments after the first, which says what is lacking."""
    lacks = sys.argv.pop(1).split(",")
    sys.path.insert(0, str(ROOT))
    take_away(lacks)
    from grader.sandbox.parent import runner, zygote

    runner.COMPILE_CPU_S = 10.0  # half the usual limit, since a program runs into it
    with tempfile.TemporaryDirectory(prefix="peg-poorer-") as folder:
        child = Path(folder) / "child.py"
        child.write_text(
            CHILD.format(support=str(Path(__file__).parent), lacks=lacks, main=str(zygote.CHILD)), "utf-8"
        )
        zygote.CHILD = child
        from grader.cli import main as grade

        sys.argv[0] = "grade"
        grade()


if __name__ == "__main__":
    main()
