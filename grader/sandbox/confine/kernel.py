"""Linux system calls that Python does not offer, made through the C library."""

import contextlib
import ctypes
import os
import sys
from pathlib import Path

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 4, 36, 38

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # of mallopt(3)
_HUGE_PAGE = 2 << 20
_COLLAPSE = 25  # advice of madvise(2), since Linux 6.1

_ARCHITECTURES = ("x86_64", "aarch64")

_library: ctypes.CDLL | None = None


def numbers_are_known() -> bool:
    """Return whether the numbers of system calls are known here; those of a 32-bit Python are not."""
    return os.uname().machine in _ARCHITECTURES and sys.maxsize > 1 << 32


def libc() -> ctypes.CDLL:
    """Return the C library, loaded so that `check` can read `errno` after a call."""
    global _library
    if _library is None:
        _library = ctypes.CDLL(None, use_errno=True)
    return _library


def check(result: int, what: str) -> int:
    """Return `result`, the result of a call.

    Raises:
        OSError: the result is -1; the error has the error number and `what`, the name of the call.
    """
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(number: int, what: str, *arguments: object) -> int:
    """Make a system call by its number; raise OSError if the call failed."""
    return check(libc().syscall(ctypes.c_long(number), *arguments), what)


def prctl(option: int, value: int) -> None:
    """Make the call prctl(2); raise OSError if the call failed."""
    zeros = (ctypes.c_ulong(0),) * 3
    check(libc().prctl(option, ctypes.c_ulong(value), *zeros), f"prctl {option}")


def adopt_orphans() -> None:
    """Become the parent of each descendant whose parent has ended; raise OSError if the call failed."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)


def allocate_large_blocks_anew() -> None:
    """Have the C library ask the system for each block of 8 MiB or more, such as a new stack.

    Otherwise it may fill used memory with zeros instead, which a fork must first copy. Smaller blocks are
    still used again: their memory goes back to the system only once 8 MiB of it are free.
    """
    with contextlib.suppress(AttributeError, TypeError):  # a C library other than glibc, or Windows
        for option in (_M_MMAP_THRESHOLD, _M_TRIM_THRESHOLD):
            libc().mallopt(option, 8 << 20)


def hide_memory() -> None:
    """Hide this process's memory, environment and open files from the user's other processes (on Linux)."""
    if sys.platform.startswith("linux"):
        prctl(PR_SET_DUMPABLE, 0)


def drop_capabilities() -> None:
    """Give up every privilege of root except the user id, see capset(2)."""
    version_3, this_process = 0x20080522, 0
    header, none = (ctypes.c_uint32 * 2)(version_3, this_process), (ctypes.c_uint32 * 6)()
    check(libc().capset(header, none), "capset")


def use_huge_pages() -> None:
    """Move the memory that this process uses into huge pages, where the system has them.

    A fork then copies and frees one entry for each of them instead of 512.
    """
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/maps").read_text("utf-8", "surrogateescape").splitlines():
            place, access, _, _, file, *name = line.split(maxsplit=5)
            first, end = (int(each, 16) for each in place.split("-"))
            if access == "rw-p" and file == "0" and name in ([], ["[heap]"]):
                for start in range(-(-first // _HUGE_PAGE) * _HUGE_PAGE, end - _HUGE_PAGE + 1, _HUGE_PAGE):
                    # It fails where no memory is in use, or not enough is free.
                    libc().madvise(ctypes.c_void_p(start), ctypes.c_size_t(_HUGE_PAGE), _COLLAPSE)
