"""Namespaces, see namespaces(7): in them a child sees no process, network or file but its own.

An ordinary user gets them through a user namespace, where the system allows that. Under root the child also
gets a user id of its own. A zygote enters the first of them once, for all that it forks.
"""

import contextlib
import ctypes
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from grader.sandbox.confine import kernel

OWN_ID = 65533  # user id of a child under root: it belongs to nobody, and most containers have it
_MOUNTS, _IPC, _USER, _PROCESSES, _NETWORK = 0x20000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
_NO_SUID, _NO_DEVICES, _BIND, _RECURSIVE, _PRIVATE = 2, 4, 4096, 16384, 1 << 18
_DETACH = 2  # MNT_DETACH
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}


@cache
def missing() -> str:
    """Have a new process enter namespaces as a zygote's fork does; return why it cannot, or an empty string.

    It must be a new one: this process may have hidden its memory, and then could not map its ids.
    """
    place = os.path.abspath(tempfile.gettempdir())  # TMPDIR may be relative
    if os.statvfs(place).f_flag & os.ST_NOEXEC:
        return f"{place}, where libraries are copied to, is mounted with noexec: set TMPDIR to another folder"
    command = [sys.executable, "-s", "-P", "-c", _TRY, str(Path(__file__).resolve().parents[3]), place]
    tried = subprocess.run(command, capture_output=True, text=True, check=False)
    return tried.stdout.strip() or (
        "" if tried.returncode == 0 else f"the attempt ended with {tried.returncode}"
    )


_TRY = """
import pathlib, sys
sys.path.insert(0, sys.argv[1])
from grader.sandbox.confine import namespaces
try:
    namespaces.hide_processes()
    namespaces.enter({pathlib.Path("/dev/null"): pathlib.Path("/dev/null")}, pathlib.Path(sys.argv[2]))
except OSError as error:
    print(error)
"""


def hide_processes_if_allowed() -> None:
    """Try `hide_processes` in a fork first, so that this process changes altogether or not at all."""
    pid = os.fork()
    if pid == 0:
        try:
            hide_processes()
        except OSError:
            os._exit(1)
        os._exit(0)
    if os.waitpid(pid, 0)[1] == 0:
        with contextlib.suppress(OSError):  # the fork's namespace may still count, where few are allowed
            hide_processes()


def hide_processes() -> None:
    """Let this process and those that it forks see an empty /proc.

    In /proc a process shows to everybody how many descriptors it has open, among other things.

    Raises:
        OSError: the system does not allow it; this process may be in a user namespace without ids.
    """
    ours, group, is_root = os.getuid(), os.getgid(), os.geteuid() == 0
    _unshare(_MOUNTS if is_root else _MOUNTS | _USER)
    if not is_root:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{ours} {ours} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    _mount("none", Path("/"), None, _RECURSIVE | _PRIVATE)
    _mount("tmpfs", Path("/proc"), "tmpfs", _NO_SUID | _NO_DEVICES, "mode=555,size=4k")


def enter(seen: Mapping[Path, Path], root: Path) -> None:
    """Move this process, which `hide_processes`, into namespaces of its own, and the next one that it starts.

    Args:
        seen: the files and folders that it will see, each with what it is there; Landlock says what it may do
            with them.
        root: a folder, which becomes the root of what is seen; nothing in it is seen or touched.

    Raises:
        OSError: the system does not allow it.
    """
    _unshare(_MOUNTS | _IPC | _NETWORK | _PROCESSES)
    _see_only(seen, root)
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(OWN_ID, OWN_ID, OWN_ID)
        os.setresuid(OWN_ID, OWN_ID, OWN_ID)


def _unshare(flags: int) -> None:
    kernel.check(kernel.libc().unshare(ctypes.c_int(flags)), "unshare")


def _mount(source: Path | str, target: Path, kind: str | None, flags: int, options: str = "") -> None:
    paths, kinds = (os.fsencode(source), os.fsencode(target)), kind.encode() if kind else None
    done = kernel.libc().mount(*paths, kinds, ctypes.c_ulong(flags), options.encode())
    kernel.check(done, f"mount {target}")


def _see_only(seen: Mapping[Path, Path], root: Path) -> None:
    """Make a root that holds nothing but these paths, each with its file or folder."""
    _mount("tmpfs", root, "tmpfs", _NO_SUID | _NO_DEVICES, "mode=755,size=1m")
    for path, source in seen.items():
        if not source.exists():
            continue
        place = root / path.relative_to("/")
        if source.is_dir():
            place.mkdir(parents=True, exist_ok=True)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.touch()
        _mount(source, place, None, _BIND | _RECURSIVE)
    os.chdir(root)
    kernel.syscall(_PIVOT_ROOT[os.uname().machine], "pivot_root", b".", b".")
    kernel.check(kernel.libc().umount2(b".", ctypes.c_int(_DETACH)), "umount")
    os.chdir("/")
