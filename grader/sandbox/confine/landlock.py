"""Use Landlock, see landlock(7), to limit which files this process and those that it starts may open.

The limits cannot be lifted again. Landlock needs no privilege. A kernel enforces only what its `version` of
Landlock knows; `grade doctor` shows what is stopped.
"""

import contextlib
import ctypes
import os
import stat
import struct
from collections.abc import Iterable
from pathlib import Path

from grader.sandbox.confine import kernel

_CREATE, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same numbers on every architecture
_ASK_VERSION = 1
_PATH_BENEATH = 1

# Access to files, from <linux/landlock.h>; in brackets the version that introduced it, if not the first.
_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_REMOVE_FILE, _MAKE_FILE = 1 << 5, 1 << 8
_TRUNCATE = 1 << 14  # (3)
_KNOWN_BITS = {1: 13, 2: 14, 3: 15, 5: 16}  # from each version on, how many kinds of access are known
_READ = _READ_FILE | _READ_DIR
_CHANGE = _READ | _WRITE_FILE | _REMOVE_FILE | _MAKE_FILE | _TRUNCATE  # files only: no folder made or removed
_OF_A_FILE = _WRITE_FILE | _READ_FILE | _TRUNCATE  # what can be allowed for a file
_TCP_BIND_CONNECT = 0b11  # since version 4
_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11  # since version 6


def version() -> int:
    """Return the version of Landlock's interface in this kernel; 0 if it has none."""
    try:
        return kernel.syscall(_CREATE, "landlock", None, ctypes.c_size_t(0), ctypes.c_uint32(_ASK_VERSION))
    except OSError:
        return 0


def restrict(readable: Iterable[Path], writable: Iterable[Path]) -> None:
    """Let this process open only the files below these paths.

    Where the kernel can, also keep it from using TCP, and from reaching other processes by signals or
    abstract sockets.

    Args:
        readable: files and folders to read; missing ones are left out.
        writable: folders in which to read, make, change and remove files; and files to change.

    Raises:
        OSError: the kernel has no Landlock, or refused.
    """
    known = version()
    bits = max((bits for first, bits in _KNOWN_BITS.items() if first <= known), default=0)
    every_access = (1 << bits) - 1
    network = _TCP_BIND_CONNECT if known >= 4 else 0
    scopes = _ABSTRACT_SOCKETS_AND_SIGNALS if known >= 6 else 0
    # A kernel accepts a longer structure than it knows if the rest is zero.
    handled = struct.pack("=QQQ", every_access, network, scopes)  # struct landlock_ruleset_attr
    size = ctypes.c_size_t(len(handled))
    ruleset = kernel.syscall(_CREATE, "landlock", handled, size, ctypes.c_uint32(0))
    try:
        for path in readable:
            with contextlib.suppress(FileNotFoundError):
                _allow(ruleset, path, _READ)
        for path in writable:
            _allow(ruleset, path, _CHANGE & every_access)
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        kernel.syscall(_RESTRICT_SELF, "landlock", ctypes.c_int(ruleset), ctypes.c_uint32(0))
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: Path, access: int) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            access &= _OF_A_FILE
        rule = struct.pack("=Qi", access, descriptor)  # struct landlock_path_beneath_attr, which is packed
        numbers = ctypes.c_int(ruleset), ctypes.c_int(_PATH_BENEATH), rule, ctypes.c_uint32(0)
        kernel.syscall(_ADD_RULE, f"landlock {path}", *numbers)
    finally:
        os.close(descriptor)
