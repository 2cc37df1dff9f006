"""A control group for all children of a run, where one can be created, with limits that the kernel enforces.

It backs up the judge, which checks each child a hundred times a second. It also counts memory that is part of
no process's resident memory, such as files in memory. It limits the number of processes, and lists all of
them, however they hide. Both versions of cgroups(7) are supported.
"""

import contextlib
import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from grader import folders
from grader.sandbox.confine.limits import MIB
from grader.sandbox.parent.strays import end_all

PROCESSES = 256  # threads included; far more than a template and its checks need
NAME = "peg-grade"


@dataclass(frozen=True)
class _Version:
    """The names of the files in one version of cgroups."""

    memory: str
    killed: str  # a line of this file counts the processes that were killed


_VERSIONS = {
    1: _Version("memory.limit_in_bytes", "memory.oom_control"),
    2: _Version("memory.max", "memory.events"),
}


class Cgroup:
    """A control group below the judge's own."""

    def __init__(self, memory_mib: int) -> None:
        """Create the group.

        Args:
            memory_mib: the most memory that all its processes may use together.

        Raises:
            OSError: it cannot be created.
        """
        version, own = _own_groups()
        if not own:
            raise FileNotFoundError(0, "no control group of memory is mounted")
        self._names = _VERSIONS[version]
        for folder in own:
            _sweep(folder)
        self._folders = [folder / f"{NAME}-{os.getpid()}-{id(self):x}" for folder in own]
        try:
            for folder in self._folders:
                folder.mkdir()
            self._write(self._names.memory, memory_mib * MIB, needed=True)
            self._write("pids.max", PROCESSES)
        except OSError:
            self.remove()
            raise

    def add(self, pid: int) -> None:
        """Add a process, and with it all processes that it will start.

        Raises:
            OSError: the process is dead, or the system does not allow it.
        """
        for folder in self._folders:
            (folder / "cgroup.procs").write_text(str(pid), "ascii")

    def processes(self) -> list[int]:
        """Return the processes in the group."""
        return _processes(self._folders[0])

    def killed(self) -> int:
        """Return how many processes in the group the kernel killed because memory ran out."""
        for folder in self._folders:
            with contextlib.suppress(OSError):
                for line in (folder / self._names.killed).read_text("ascii").splitlines():
                    name, _, count = line.partition(" ")
                    if name == "oom_kill":
                        return int(count)
        return 0

    def remove(self) -> None:
        """Remove the group; its processes must be dead."""
        for folder in self._folders:
            with contextlib.suppress(OSError):
                folder.rmdir()

    def _write(self, name: str, value: int, needed: bool = False) -> None:
        there = [folder / name for folder in self._folders if (folder / name).exists()]
        if needed and not there:
            raise FileNotFoundError(0, f"no {name} in {self._folders[0]}")
        for file in there:
            file.write_text(str(value), "ascii")


def missing() -> str:
    """Return why no control group can be created here; empty if one can."""
    try:
        Cgroup(64).remove()
    except OSError as error:
        return str(error.strerror)
    return ""


def _processes(group: Path) -> list[int]:
    with contextlib.suppress(OSError):
        return [int(pid) for pid in (group / "cgroup.procs").read_text("ascii").split()]
    return []


def _sweep(own: Path) -> None:
    """Remove the groups that killed graders left in `own`, and end their processes.

    A group stays if one of its processes has no id here, which reads as 0: that process and its grader may be
    in another container.
    """
    for group in folders.left_behind(own, NAME):
        if 0 not in _processes(group):
            end_all(partial(_processes, group))
            with contextlib.suppress(OSError):
                group.rmdir()


def _own_groups() -> tuple[int, list[Path]]:
    """Return the version, and the folders of this process's groups for memory and for processes."""
    try:
        lines = Path("/proc/self/cgroup").read_text("ascii").splitlines()
        mounts = Path("/proc/self/mountinfo").read_text("utf-8").splitlines()
    except OSError:
        return 2, []
    own = {kinds: path for _, kinds, path in (line.split(":", 2) for line in lines)}
    folders: dict[str, Path] = {}
    for mount in mounts:
        fields, _, rest = mount.partition(" - ")
        kind, _, options = rest.split(" ", 2)
        root, place = fields.split(" ")[3:5]
        wanted = {"cgroup2": [""], "cgroup": [each for each in own if each in options.split(",")]}
        for name in wanted.get(kind, []):
            if name in own:
                folders[name] = Path(place) / os.path.relpath(own[name], root)
    if "memory" in folders:
        return 1, [folders[name] for name in ("memory", "pids") if name in folders]
    return 2, [folders[""]] if "" in folders else []
