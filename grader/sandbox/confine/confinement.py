"""Confines this process as its tier demands, for good, before it loads any student code."""

import time
from pathlib import Path
from typing import Any

from grader.sandbox.confine import kernel, landlock, namespaces, reach, syscalls

WARM_S = 3600.0  # how long files are assumed to stay in memory once read


class Place:
    """What the forks of a zygote may read, and which system calls they may make.

    Args:
        framework_root: the folder that holds the package `framework`.
        tier: see tiers.py.
    """

    def __init__(self, framework_root: Path, tier: int) -> None:
        self._tier = tier
        self._readable = reach.readable(framework_root) if tier >= 2 else []
        self._filter = syscalls.program() if tier >= 2 else b""
        self._warmed: float | None = None
        self._copies: dict[Path, Path] = {}
        if tier >= 2:
            namespaces.hide_processes_if_allowed()

    def warm(self) -> None:
        """Read all files that children may read, unless that was done recently; see `reach.warm`."""
        if self._warmed is None or time.monotonic() - self._warmed > WARM_S:
            reach.warm(self._readable)
            reach.mark_read([*self._readable, *self._copies.values()])
            self._warmed = time.monotonic()

    def copy(self, target: Path) -> None:
        """Copy the files that children of tier 3 see, unless that was done before."""
        self._copies = self._copies or reach.copied(self._readable, target)

    def hide_all_else(self, order: dict[str, Any]) -> None:
        """Let the next process to be forked see no file and no process but its own."""
        seen = {path: self._copies.get(path, path) for path in (*self._readable, reach.SINK)}
        seen |= {Path(path): Path(path) for path in order["sees"]}
        namespaces.enter(seen, Path(order["root"]))

    def confine(self, order: dict[str, Any]) -> None:
        """Confine this process.

        Raises:
            OSError: the system refused.
        """
        if self._tier < 2:
            return
        code, compiled = Path(order["code"]), Path(order["compiled"])
        writable = [reach.SINK, *map(Path, order["writable"])]
        landlock.restrict([*self._readable, code, compiled, Path(order["scratch"])], writable)
        kernel.drop_capabilities()
        syscalls.install(self._filter)
