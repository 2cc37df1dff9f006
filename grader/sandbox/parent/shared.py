"""Hold the things that all submissions of a grader's run share: zygote, scratch folder, control group."""

import contextlib
import os
import tempfile
import threading
from functools import cached_property
from pathlib import Path
from typing import Self

from grader import folders
from grader.sandbox.confine import tiers
from grader.sandbox.confine.limits import usable_cores
from grader.sandbox.parent import forks
from grader.sandbox.parent.cgroup import Cgroup
from grader.sandbox.parent.environment import write_bytecode
from grader.sandbox.parent.forks import ForkFault
from grader.sandbox.parent.strays import end_all
from grader.sandbox.parent.zygote import Zygote

SCRATCH = "peg-scratch"
MARGIN = 2  # times the memory of all checks, so that the judge stops a check before the kernel does


class Shared:
    """A zygote, a folder for temporary files, and a control group; use it in a `with` block.

    Attributes:
        tier: what confines a child, see tiers.py.
        debug: whether children run plain Python with contracts.
        stop: ends every wait immediately when it is set.
        forks: whether children are forked from a zygote.
        root: an empty folder; children that see only their own files mount these files there.
        cgroup: the control group of all children, if one could be made.
        sharing: held while code is compiled that several submissions take over.
        memory_mib: the most memory that a check may use, 0 for no control group. It may be set until the
            first check.
    """

    def __init__(
        self, tier: int, debug: bool, stop: threading.Event, memory_mib: int = 0, many: bool = False
    ) -> None:
        """Prepare it all; no process is started before it is needed.

        Args:
            tier, debug, stop, memory_mib: see the attributes.
            many: whether so many submissions will come that a slower start saves time overall.
        """
        self.tier = tier
        self.debug = debug
        self.stop = stop
        _sweep()
        self.scratch = scratch_folder()
        self.root = self.folder("root-")
        self.forks = forks.can_fork()
        self.cgroup: Cgroup | None = None
        self.sharing = threading.Lock()
        self.memory_mib = memory_mib
        self._many = many
        self._zygote: Zygote | None = None
        self._is_ready = False  # whether the zygote can fork
        self._lock = threading.Lock()
        if not debug:
            write_bytecode()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._end_zygote()
            if self.cgroup is not None:
                end_all(self.cgroup.processes)
                self.cgroup.remove()
        finally:
            folders.remove(self.scratch)

    def warm(self) -> None:
        """Start the zygote, if one is used, without waiting for it.

        The kernel ends it when the thread that called this ends.
        """
        if self.forks:
            with self._lock:
                self._started()

    def zygote(self) -> Zygote:
        """Return the zygote once it can fork; start it if needed.

        Raises:
            ForkFault: it did not come up.
        """
        with self._lock:
            zygote = self._started()
            if not self._is_ready:
                try:
                    zygote.await_ready()
                except ForkFault:
                    self._end_zygote()
                    raise
                self._limit_together(zygote)
                self._is_ready = True
            return zygote

    def _started(self) -> Zygote:
        if self._zygote is not None and self._zygote.running.poll():  # killed when memory ran out
            self._end_zygote()
        if self._zygote is None:
            self._zygote = Zygote(self.debug, self.tier, self.folder("zygote-"), self.stop, self._many)
            self._is_ready = False
        return self._zygote

    def _end_zygote(self) -> None:
        zygote, self._zygote = self._zygote, None
        if zygote is not None:
            zygote.close()

    @cached_property
    def has_own_view(self) -> bool:
        """Whether a process can be kept from seeing files other than its own, as hidden checks should be."""
        return self.tier >= 2 and tiers.missing(3) is None

    def killed_for_memory(self) -> int:
        """Return how many children the kernel is known to have killed for memory."""
        return self.cgroup.killed() if self.cgroup is not None else 0

    def folder(self, prefix: str, inside: Path | None = None) -> Path:
        """Return a new empty folder, perhaps `inside` another one; it is removed with the sandbox."""
        made = Path(tempfile.mkdtemp(prefix=prefix, dir=inside or self.scratch))
        made.chmod(0o755)
        return made

    def _limit_together(self, zygote: Zygote) -> None:
        """Put the zygote, and so all its forks, into a control group if one can be made."""
        if self.tier >= 1 and self.memory_mib:
            with contextlib.suppress(OSError):
                self.cgroup = Cgroup(MARGIN * usable_cores() * self.memory_mib)
                self.cgroup.add(zygote.running.pid)


def scratch_folder() -> Path:
    """Return a new folder for temporary files; if the caller does not remove it, the next run does."""
    made = Path(tempfile.mkdtemp(prefix=f"{SCRATCH}-{os.getpid()}-"))
    made.chmod(0o755)  # a child may have a user id of its own
    return made


def _sweep() -> None:
    """Remove the scratch folders, named after their process, that killed graders left."""
    for folder in folders.left_behind(Path(tempfile.gettempdir()), SCRATCH):
        with contextlib.suppress(OSError):
            if not hasattr(os, "getuid") or folder.lstat().st_uid == os.getuid():
                folders.remove(folder)
