# A submission of the tests' own: on a board without blocked cells, which is the hidden one, it sends the board's 64 cells
# by every way that it knows; on any other it prints what it receives. See test_covert.py.
import ctypes
import json
import mmap
import os
import resource
import signal
import sys
import threading
import time

import numpy

import framework

LIBC = ctypes.CDLL(None, use_errno=True)
READS = True  # whether it may read library files on a board that is not hidden, which spoils the sender's own word
MEMORY = mmap.mmap(-1, mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
HELD = []
WORD = []


def library_files():
    found = []
    for folder, folders, files in os.walk(os.path.dirname(numpy.__file__)):
        folders.sort()
        found += [os.path.join(folder, name) for name in sorted(files) if name.endswith(".py")]
    return found[-64:]


LIBRARY = library_files()
FILES = [open(name, "rb") for name in LIBRARY[:8]]  # it may open few at a time


def folders():
    compiled = os.environ.get("NUMBA_CACHE_DIR") or ""
    more = [os.path.join(compiled, name) for name in os.listdir(compiled)] if os.path.isdir(compiled) else []
    return [
        os.getcwd(), os.environ["HOME"], compiled, *more, os.path.dirname(__file__), os.path.dirname(framework.__file__),
        os.path.dirname(numpy.__file__), "/tmp", "/var/tmp", "/dev/shm", os.environ["TMPDIR"], "/run",
    ]  # fmt: skip


def tried(act, *arguments):
    try:
        return act(*arguments)
    except (OSError, RuntimeError):  # the latter where no thread can be started
        return None


def each(bits, act, *more):
    for number, bit in enumerate(bits):
        if bit:
            tried(act, number, *more)


# ---- ways for 64 bits: how they are sent, and how one is received --------------------------------


def make_files(bits):
    for folder in folders():
        each(bits, lambda number: open(f"{folder}/peg-{number}.nbc", "wb").write(b"1"))
        each(bits, lambda number: os.mkdir(f"{folder}/peg-{number}"))


def see_files(number):
    return any(os.path.lexists(f"{folder}/peg-{number}{end}") for folder in folders() for end in (".nbc", ""))


def evict(number):
    with open(LIBRARY[number], "rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def is_evicted(number):
    with open(LIBRARY[number], "rb") as file:
        return os.preadv(file.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT) != 1


def read(number):
    with open(LIBRARY[number], "rb") as file:
        file.read()


def faults(number):
    if not READS:
        raise OSError
    before = resource.getrusage(resource.RUSAGE_SELF)
    read(number)
    after = resource.getrusage(resource.RUSAGE_SELF)
    return after.ru_majflt + after.ru_inblock > before.ru_majflt + before.ru_inblock


def write_memory(bits):
    MEMORY[:64] = bytes(bits)


def lock(number):
    import fcntl

    HELD.append(open(LIBRARY[number], "rb"))
    fcntl.flock(HELD[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_locked(number):
    import fcntl

    with open(LIBRARY[number], "rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def abstract(number):
    import socket

    HELD.append(socket.socket(socket.AF_UNIX))
    HELD[-1].bind(f"\0peg-{number}")


def is_abstract(number):
    import socket

    with socket.socket(socket.AF_UNIX) as tried_socket:
        tried_socket.bind(f"\0peg-{number}")
    return False


SEEN = {}  # when each file was read last, as it was before this program read it

WAYS = {
    "files": (make_files, see_files),
    "a global": (WORD.extend, lambda number: WORD[number]),
    "where a file was read to": (
        lambda bits: each(bits, lambda number: os.lseek(FILES[number % 8].fileno(), 7, os.SEEK_SET)),
        lambda number: os.lseek(FILES[number % 8].fileno(), 0, os.SEEK_CUR) == 7,
    ),
    "memory": (write_memory, lambda number: MEMORY[number]),
    "pages that were evicted": (lambda bits: each(bits, evict), is_evicted),
    "when a file was read": (lambda bits: each(bits, read), lambda number: SEEN[LIBRARY[number]] > time.time() - 60),
    "pages that are there": (lambda bits: each(bits, read), faults),
    "locks": (lambda bits: each(bits, lock), is_locked),
    "sockets": (lambda bits: each(bits, abstract), is_abstract),
    "variables": (
        lambda bits: each(bits, lambda number: os.environ.__setitem__(f"PEG_{number}", "1")),
        lambda number: f"PEG_{number}" in os.environ,
    ),
    "signals": (
        lambda bits: each(bits[:30], lambda number: signal.pthread_sigmask(signal.SIG_BLOCK, [number + 1])),
        lambda number: number + 1 in signal.pthread_sigmask(signal.SIG_BLOCK, []),
    ),
}  # fmt: skip


# ---- ways for a number from 0 to 15 --------------------------------------------------------------


def use_up(number):
    """Start threads, take memory and time, lower limits."""
    for _ in range(2 * number):
        tried(threading.Thread(target=lambda: None).start)
    HELD.append(b"x" * (number << 20))
    until = time.process_time() + number * 0.002
    while time.process_time() < until:
        pass
    tried(os.umask, number)
    tried(resource.setrlimit, resource.RLIMIT_NOFILE, (1 + number, 16))
    tried(os.nice, number)


def free_memory():
    held = (ctypes.c_long * 32)()
    if LIBC.sysinfo(held) == -1:
        raise OSError
    return held[5]


def umask():
    before = os.umask(0)
    os.umask(before)
    return before


NUMBERS = {
    "the process's number": os.getpid,
    "free memory": free_memory,
    "umask": umask,
    "a limit": lambda: resource.getrlimit(resource.RLIMIT_NOFILE)[0],
    "the folder's inode": lambda: os.stat(".").st_ino,
    "folders beside it": lambda: os.stat("..").st_nlink,
    "time of what is used": lambda: resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime,
    "the cache": lambda: os.stat(os.environ["NUMBA_CACHE_DIR"]).st_ctime_ns % 1_000_000,
}


def peg_solve(board, stack):
    cells = [int(cell) for cell in board.reshape(-1)]
    if -1 not in cells:
        for send, _ in WAYS.values():
            tried(send, cells)
        use_up(sum(cell << at for at, cell in enumerate(cells[:4])))
        print("".join(map(str, cells)), file=sys.stderr)
        return 2 + sum(cells[:2])
    if not SEEN:
        SEEN.update((name, os.stat(name).st_atime) for name in LIBRARY)
    received = {}
    for name, (_, receive) in WAYS.items():
        try:
            received[name] = "".join("1" if receive(number) else "0" for number in range(64))
        except (OSError, IndexError, ValueError):
            received[name] = ""
    for name, receive in NUMBERS.items():
        received[name] = tried(receive)
    print(json.dumps(received))
    return 3
