"""Confines this process as its tier demands, for good, before it loads any student code.

It then reads the files that it needs: those of Python, some libraries and the framework, and no others.
"""

import contextlib
import ctypes
import importlib.util
import os
import shutil
import sys
import sysconfig
import time
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any

from grader.sandbox.confine import kernel, landlock, namespaces, syscalls

# The libraries that a submission may import, with those that they import.
LIBRARIES = ("numpy", "numba", "llvmlite", "icontract", "asttokens", "six", "typing_extensions")
# Parts of Python's own folder that are left out: installed packages, and modules that no search needs.
NOT_OF_PYTHON = {
    *("site-packages", "dist-packages", "test", "idlelib", "lib2to3", "tkinter", "turtledemo", "ensurepip")
}
_MORE = ("/etc/ld.so.cache", "/etc/localtime", "/dev/zero", "/dev/urandom", "/dev/random")
SINK = Path("/dev/null")
LEFT_BYTES = 128 << 20  # that copies of libraries leave free on the disk for the checks
FAR_AHEAD_NS = 4_102_444_800 * 10**9  # the year 2100: the kernel records no reading of a file until then
WARM_S = 3600.0  # how long files are assumed to stay in memory once read


class Place:
    """What the forks of a zygote may read, and which system calls they may make.

    Args:
        framework_root: the folder that holds the package `framework`.
        tier: see tiers.py.
    """

    def __init__(self, framework_root: Path, tier: int) -> None:
        self._tier = tier
        self._readable = readable(framework_root) if tier >= 2 else []
        self._filter = syscalls.program() if tier >= 2 else b""
        self._warmed: float | None = None
        self._copies: dict[Path, Path] = {}
        if tier >= 2:
            namespaces.hide_processes_if_allowed()

    def warm(self) -> None:
        """Read all files that children may read, unless that was done recently; see `warm` below."""
        if self._warmed is None or time.monotonic() - self._warmed > WARM_S:
            warm(self._readable)
            mark_read([*self._readable, *self._copies.values()])
            self._warmed = time.monotonic()

    def copy(self, target: Path) -> None:
        """Copy the files that children of tier 3 see, unless that was done before."""
        self._copies = self._copies or copied(self._readable, target)

    def hide_all_else(self, order: dict[str, Any]) -> None:
        """Let the next process to be forked see no file and no process but its own."""
        seen = {path: self._copies.get(path, path) for path in (*self._readable, SINK)}
        seen |= {Path(path): Path(path) for path in order["sees"]}
        namespaces.enter(seen, Path(order["root"]))

    def confine(self, order: dict[str, Any]) -> None:
        """Confine this process; raise OSError if the system refused."""
        if self._tier < 2:
            return
        code, compiled = Path(order["code"]), Path(order["compiled"])
        writable = [SINK, *map(Path, order["writable"])]
        landlock.restrict([*self._readable, code, compiled, Path(order["scratch"])], writable)
        kernel.drop_capabilities()
        syscalls.install(self._filter)


def readable(framework_root: Path) -> list[Path]:
    """Return the files and folders that any student's process may read.

    Of the system's shared libraries only those that this process has loaded are included, so call this after
    importing every module that the forks need.

    Args:
        framework_root: the folder that holds the package `framework`.
    """
    with contextlib.suppress(OSError):
        ctypes.CDLL("libgcc_s.so.1")  # which the C library loads when a thread ends
    found = [*_of_python(), *_of_libraries(), *map(Path, _MORE), Path(sys.prefix) / "pyvenv.cfg"]
    found = [*(path for path in found if path.exists()), framework_root / "framework"]
    known = {path.resolve() for path in found}
    return [*found, *(path for path in _loaded() if known.isdisjoint([path, *path.parents]))]


@cache
def libraries() -> dict[str, ModuleSpec]:
    """Return where each library is. A zygote calls this before it forks: forks may not list the folder."""
    found = {name: importlib.util.find_spec(name) for name in LIBRARIES}
    return {name: spec for name, spec in found.items() if spec is not None}


def places() -> list[str]:
    """Return the folders of `sys.path` that hold libraries.

    The environment may name some, which come last: they may hold another Python's numpy.
    """
    names = (*LIBRARIES, "pyseccomp")
    found = [each for each in sys.path if each and any(PathFinder.find_spec(name, [each]) for name in names)]
    named = [os.path.abspath(each) for each in os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    return sorted(found, key=lambda each: os.path.abspath(each) in named)


def warm(paths: Iterable[Path]) -> None:
    """Read all files below these paths.

    A process that reads them afterwards changes neither their access times, which the kernel records once a
    day (relatime), nor the set of files in memory. So it can leave no message in either.
    """
    buffer = bytearray(1 << 20)
    for file in _files(paths):
        with contextlib.suppress(OSError), open(file, "rb", buffering=0) as stream:
            while stream.readinto(buffer):
                pass


def mark_read(paths: Iterable[Path]) -> None:
    """Mark all files below these paths as read far ahead, so that the kernel records no reading.

    It would record one a day, and one after each change of a file, such as a new link, also one that another
    run makes. All runs mark them alike: a time of this run would tell how long ago it was.
    """
    for file in _files(paths):
        with contextlib.suppress(OSError):
            now = file.stat()
            if now.st_atime_ns != FAR_AHEAD_NS:
                os.utime(file, ns=(FAR_AHEAD_NS, now.st_mtime_ns))


def copied(paths: Iterable[Path], target: Path) -> dict[Path, Path]:
    """Copy folders, with links to their files, and files; return where the copy of each is.

    The kernel keeps in memory which names were looked up in a folder, also those that are not there. It
    forgets them when the folder is removed. And it records when a file was read, which `mark_read` prevents.

    Args:
        paths: folders and files; devices are left out, as is what cannot be copied: a limit of the size of
            files may forbid it.
        target: an empty folder for the copies.
    """
    copies: dict[Path, Path] = {}
    for number, path in enumerate(dict.fromkeys(paths)):
        copy = target / str(number)
        with contextlib.suppress(OSError):  # which shutil.Error is, too
            if path.is_dir():
                shutil.copytree(path, copy, symlinks=True, copy_function=_link)
                copies[path] = copy
            elif path.is_file():
                _link(str(path.resolve()), str(copy))
                copies[path] = copy
    return copies


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:  # another file system, or another user's file
        if shutil.disk_usage(Path(target).parent).free < LEFT_BYTES:
            raise
        shutil.copy(source, target)


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the regular files among some paths, and all below them."""
    for path in paths:
        below = (Path(folder, name) for folder, _, names in os.walk(path) for name in names)
        yield from (file for file in (*below, path) if file.is_file())


def _of_python() -> Iterator[Path]:
    for folder in {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}:
        with contextlib.suppress(OSError):
            yield from (path for path in sorted(Path(folder).iterdir()) if path.name not in NOT_OF_PYTHON)


def _of_libraries() -> Iterator[Path]:
    for name, spec in libraries().items():
        if spec.origin is not None:
            place = Path(spec.origin)
            if not spec.submodule_search_locations:  # six, once imported, is a package without a folder
                yield place
            else:
                yield place.parent
                yield place.parent.with_name(f"{name}.libs")  # shared libraries shipped with a wheel


def _loaded() -> list[Path]:
    """Return the shared libraries and programs that this process has loaded, by their real names."""
    with contextlib.suppress(OSError):
        lines = Path("/proc/self/maps").read_text("utf-8", "surrogateescape").splitlines()
        names = {fields[5] for line in lines if len(fields := line.split(maxsplit=5)) == 6}
        return sorted(path for path in map(Path, names) if path.is_absolute() and path.is_file())
    return []
