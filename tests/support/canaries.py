"""Set out bait for submissions: things that they can look for but must not reach; see `Canaries`."""

import contextlib
import os
import secrets
import select
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

# Logs each signal that it gets: a signal that does not end a process leaves no other trace.
SLEEPER = """
import os, signal, sys

secret, log = sys.argv[1], os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}:
    signal.signal(number, lambda number, frame: os.write(log, b"%d " % number))
print("ready", flush=True)
while True:
    signal.pause()
"""


class Canaries:
    """Files with a secret, listening sockets and a sleeping process; `touched` says what was done to them.

    The judge itself has the secret in its environment, and in an open file that its children could inherit.
    """

    def __init__(self) -> None:
        self.secret = "finch-" + secrets.token_hex(16)  # a text that nobody can guess
        self._folder = Path(tempfile.mkdtemp(prefix="peg-canary-"))
        self._folder.chmod(0o755)  # no file's mode may be what keeps a submission out
        for name in ("secret.txt", "report.json", "private/board.txt", "private/index.yaml"):
            file = self._folder / name
            file.parent.mkdir(exist_ok=True)
            file.write_text(f"{self.secret}\n", "utf-8")
            file.chmod(0o666)
        for name in ("empty", "private"):
            (self._folder / name).mkdir(exist_ok=True)
            (self._folder / name).chmod(0o777)
        # the descriptor of a file with the secret, which is left open in the judge
        self.inherited = os.open(self._folder / "secret.txt", os.O_RDONLY)
        self._signals = self._folder / "signals"
        self._sleeper = self._start_sleeper()
        self._sockets = self._listen()
        self._before = self._files()

    def _start_sleeper(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", SLEEPER, self.secret, str(self._signals)]
        started = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert started.stdout is not None
        started.stdout.readline()
        return started

    def _listen(self) -> dict[str, socket.socket]:
        tcp, udp = socket.socket(), socket.socket(type=socket.SOCK_DGRAM)
        for each in (tcp, udp):
            each.bind(("127.0.0.1", 0))
        abstract, named = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
        abstract.bind(f"\0{self._folder.name}")
        named.bind(str(self._folder / "socket"))
        (self._folder / "socket").chmod(0o777)
        for each in (tcp, abstract, named):
            each.listen()
        return {"TCP": tcp, "UDP": udp, "an abstract socket": abstract, "a socket in a file": named}

    @property
    def words(self) -> dict[str, str]:
        """The words that stand for canaries in a submission's files, each with its replacement."""
        return {
            "CANARY_FOLDER": str(self._folder),
            "CANARY_PORT": str(self._sockets["TCP"].getsockname()[1]),
            "CANARY_UDP_PORT": str(self._sockets["UDP"].getsockname()[1]),
            "CANARY_SOCKET": self._folder.name,
            "CANARY_PID": str(self._sleeper.pid),
        }

    @property
    def processes(self) -> list[int]:
        """The ids of the processes that belong to the canaries."""
        return [self._sleeper.pid]

    def _files(self) -> dict[str, tuple[object, ...]]:
        """Return the content and metadata of each file and folder, except when it was last read."""
        found: dict[str, tuple[object, ...]] = {}
        for path in sorted(self._folder.rglob("*")):
            if path != self._signals:
                seen = path.lstat()
                text = path.read_bytes() if stat.S_ISREG(seen.st_mode) else b""
                found[str(path)] = (
                    text,
                    seen.st_mode,
                    seen.st_uid,
                    seen.st_nlink,
                    seen.st_mtime_ns,
                    seen.st_ino,
                )
        return found

    def touched(self) -> list[str]:
        """Return, in words, what was done to the canaries so far."""
        after = self._files()
        done = [f"{path} changed" for path in self._before if after.get(path) != self._before[path]]
        done += [f"{path} is new" for path in after.keys() - self._before.keys()]
        for name, each in self._sockets.items():
            if select.select([each], [], [], 0)[0]:
                done.append(f"{name} was reached")
        if self._signals.stat().st_size:
            done.append("signals: " + " ".join(self._signals.read_text("utf-8").split()))
        if self._sleeper.poll() is not None:
            done.append(f"the process ended with {self._sleeper.returncode}")
        elif sys.platform.startswith("linux"):
            status = Path(f"/proc/{self._sleeper.pid}/status").read_text("ascii")
            if "\nState:\tS" not in status or "\nTracerPid:\t0\n" not in status:
                done.append("the process was stopped or traced")
        return done

    def close(self) -> None:
        """End the canaries' process, close their sockets and remove their files."""
        self._sleeper.kill()
        self._sleeper.wait()
        if self._sleeper.stdout is not None:
            self._sleeper.stdout.close()
        for each in self._sockets.values():
            each.close()
        with contextlib.suppress(OSError):
            os.close(self.inherited)
        shutil.rmtree(self._folder)
