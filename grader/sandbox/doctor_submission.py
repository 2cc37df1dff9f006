"""A submission for `grade doctor` that attempts what a student's program may not do.

It runs as a student's peg1 does, so an attempt that is refused here is refused to a student's program, too.
The judge replaces the words in capitals with values. On a board of one peg it makes every attempt and prints
a line for each: its name, and the error that stopped it, if any. On other boards it exhausts one resource.
"""

import ctypes
import os
import signal
import socket
import threading
import time
from pathlib import Path
from typing import Any

CANARY = Path("CANARY_FILE")
PORT = int("CANARY_PORT")
JUDGE = int("JUDGE_PID")
LIBC = ctypes.CDLL(None, use_errno=True)


def call(name: str, *arguments: object) -> None:
    """Call a function of the C library; raise OSError if it fails."""
    if getattr(LIBC, name)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def read_file() -> None:
    CANARY.read_bytes()


def list_folder() -> None:
    os.listdir(CANARY.parent)


def write_file() -> None:
    (CANARY.parent / "written").write_text("by the child")


def change_file() -> None:
    os.chmod(CANARY, 0o777)


def connect_tcp() -> None:
    socket.create_connection(("127.0.0.1", PORT), timeout=1).close()


def send_udp() -> None:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", PORT))


def make_socket() -> None:
    socket.socketpair()


def start_process() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def start_thread() -> None:
    threading.Thread(target=int).start()


def start_program() -> None:
    os.posix_spawn("/bin/true", ["true"], {})


def signal_judge() -> None:
    os.kill(JUDGE, 0)


def trace_judge() -> None:
    seize = 0x4206  # PTRACE_SEIZE, which does not stop the process
    call("ptrace", seize, JUDGE, None, None)


def read_environment() -> None:
    if b"PATH" not in Path(f"/proc/{JUDGE}/environ").read_bytes():
        raise PermissionError("nothing there")


def see_processes() -> None:
    if not any(name.isdigit() and int(name) == JUDGE for name in os.listdir("/proc")):
        raise PermissionError("it is not seen")


def see_network() -> None:
    if all(name == "lo" for _, name in socket.if_nameindex()):
        raise PermissionError("none but a loopback of its own")


def keep_user_id() -> None:
    if os.getuid() != int("JUDGE_UID"):
        raise PermissionError("it has another")


def inherit_variable() -> None:
    if "CANARY_VARIABLE" not in os.environ:
        raise PermissionError("it is not there")


def inherit_file() -> None:
    if not any(os.path.realpath(f"/dev/fd/{number}") == str(CANARY) for number in range(3, 64)):
        raise PermissionError("none is open")


def raise_limit() -> None:
    import resource

    most = resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))


def write_large_file() -> None:
    with open("large", "wb") as file:
        for _ in range(20):
            file.write(bytes(1 << 20))


TRIES = (
    inherit_variable, inherit_file, raise_limit, write_large_file, read_file, list_folder, write_file,
    change_file, connect_tcp, send_udp, make_socket, start_process, start_thread, start_program, signal_judge,
    trace_judge, read_environment, see_processes, see_network, keep_user_id,
)  # fmt: skip


def peg_solve(board: Any, stack: Any) -> int:
    """Make every attempt, or exhaust one resource, depending on the number of pegs."""
    match int((board == 1).sum()):
        case 1:
            for attempt in TRIES:
                try:
                    attempt()
                    print(attempt.__name__, "", sep="\t", flush=True)
                except BaseException as error:
                    print(attempt.__name__, repr(error)[:100], sep="\t", flush=True)
        case 2:
            signal.setitimer(signal.ITIMER_PROF, 0)  # the timer with which -d would report this loop
            while True:
                pass
        case 3:
            held = []
            while True:
                held.append(b"x" * (1 << 24))
        case 4:
            time.sleep(60)
        case 5:
            while True:
                print("x" * 1000)
    return 1
