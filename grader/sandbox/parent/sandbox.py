"""The place where one run of the grader runs submissions: what they all share, and their runners."""

import contextlib
import os
import stat
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Self

from grader import folders, paths
from grader.errors import InputError
from grader.sandbox.confine import namespaces, offers
from grader.sandbox.parent.running import reap_orphans
from grader.sandbox.parent.zygote import Fault, Zygote, write_bytecode

if TYPE_CHECKING:
    from grader.sandbox.asking import Load
    from grader.sandbox.parent.runner import Runner

SCRATCH = "peg-scratch"
LEAST_ADDRESSES = 16 << 30  # bytes; numba and tables reserve many more than they use
LEAST_CPU_S = 600  # of one process; the judge itself needs them for a class, a program for compiling


class Sandbox:
    """A zygote and a folder for temporary files, which all submissions share; use it in a `with` block."""

    def __init__(self, tier: int, debug: bool, stop: threading.Event, *, many: bool = False) -> None:
        """Prepare it all; no process is started before it is needed.

        `many` says whether so many submissions will come that a slower start saves time overall.
        """
        self.tier = tier  # what confines a child, see tiers.py
        self.debug = debug  # whether children run plain Python with contracts
        self.stop = stop  # ends every wait immediately when it is set
        _check_inherited()
        _sweep()
        self.scratch = scratch_folder()  # the folder for temporary files
        # an empty folder, where children of tier 3 mount the files that they see
        self.root = self.folder("root-")
        # a folder for copies of the libraries' folders, which these children see
        self.libraries = self.folder("libraries-")
        self.forks = offers.forks()  # whether children are forked from a zygote
        self.sharing = threading.Lock()  # held while code is compiled that several submissions take over
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
            if self.tier < 2:
                from grader.sandbox import portable  # imports psutil

                portable.end(portable.below(self.scratch))
                if self.forks:
                    reap_orphans()
        finally:
            folders.remove(self.scratch)

    def runner(self, load: "Load", hidden: bool) -> "Runner":
        """Return the runner for checks of a submission; `hidden` says whether they are on hidden boards."""
        from grader.sandbox.parent.runner import Runner  # now, since the zygote is started before

        return Runner(load, self, hidden)

    def warm(self) -> None:
        """Start the zygote, if one is used, without waiting for it.

        The kernel ends it when the thread that called this ends.
        """
        if self.forks:
            with self._lock:
                self._started()

    def zygote(self) -> Zygote:
        """Return the zygote once it can fork; start it if needed. Raises Fault if it did not come up."""
        with self._lock:
            zygote = self._started()
            if not self._is_ready:
                try:
                    zygote.await_ready()
                except Fault:
                    self._end_zygote()
                    raise
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

    def folder(self, prefix: str) -> Path:
        """Return a new empty folder, which is removed with the sandbox."""
        made = Path(tempfile.mkdtemp(prefix=prefix, dir=self.scratch))
        made.chmod(0o755)
        return made


def _check_inherited() -> None:
    """Raise InputError if this process got a limit under which right programs would fail."""
    with contextlib.suppress(ImportError):
        import resource  # absent on Windows

        for kind, option, least, unit in (
            (resource.RLIMIT_AS, "-v", LEAST_ADDRESSES, 1 << 10),
            (resource.RLIMIT_DATA, "-d", LEAST_ADDRESSES, 1 << 10),
            (resource.RLIMIT_CPU, "-t", LEAST_CPU_S, 1),
        ):
            limit, _ = resource.getrlimit(kind)
            if 0 <= limit < least:
                raise InputError(
                    f"ulimit {option} is {limit // unit}: programs may need {least // unit}",
                    f"type first: ulimit {option} unlimited",
                )


def scratch_folder() -> Path:
    """Return a new folder for temporary files; if the caller does not remove it, the next run does."""
    if not paths.is_text(Path(tempfile.gettempdir())):
        raise InputError("TMPDIR: numba needs a path in UTF-8", "set TMPDIR to a folder with such a path")
    made = Path(tempfile.mkdtemp(prefix=f"{SCRATCH}-{os.getpid()}-{folders.process_space()}-"))
    made = made.absolute()  # Python 3.11 returns it as TMPDIR has it
    if offers.is_root():  # a child then has a user id of its own, and may enter it, but nobody else
        with contextlib.suppress(OSError):  # a root without that privilege, whose children stay root
            os.chown(made, -1, namespaces.OWN_ID)
            made.chmod(0o710)
    return made


def _sweep() -> None:
    """Remove the scratch folders, named after their process, that killed graders left.

    One that others may write is none: somebody may have given another folder that name.
    """
    for folder in folders.left_behind(Path(tempfile.gettempdir()), SCRATCH):
        with contextlib.suppress(OSError):
            mode = folder.lstat().st_mode
            is_shared = stat.S_ISDIR(mode) and mode & (stat.S_IWGRP | stat.S_IWOTH)
            if paths.is_ours(folder) and not is_shared:
                folders.remove(folder)
