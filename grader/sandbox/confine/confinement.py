"""Confines this process as its tier demands, for good, before it loads any student code."""

import time
from pathlib import Path
from typing import Any, Protocol

from grader.sandbox.confine import kernel, landlock, limits, namespaces, reach, syscalls

WARM_S = 3600.0  # how long files are assumed to stay in memory once read

CONFINED = {"confined": True}


class Way(Protocol):
    """The part of the channel to the judge that `Place.confine` uses."""

    def send(self, frame: dict[str, Any], descriptor: int | None = None) -> None:
        """Send one object. If a descriptor is given, send it too, then close it here."""


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

    def warm(self) -> None:
        """Read all files that children may read, unless that was done recently; see `reach.warm`."""
        if self._warmed is None or time.monotonic() - self._warmed > WARM_S:
            reach.warm(self._readable)
            self._warmed = time.monotonic()

    def hide_all_else(self, order: dict[str, Any]) -> None:
        """Let the next process to be forked see no file but its own, and in tier 3 no other process."""
        seen = [*self._readable, reach.SINK, *(Path(path) for path in order["sees"])]
        namespaces.enter(seen, Path(order["root"]), processes=self._tier >= 3)

    def confine(self, way: Way, order: dict[str, Any]) -> None:
        """Confine this process and tell the judge, which from then on decides about its forks and signals.

        Raises:
            OSError: the system refused.
        """
        if self._tier == 1:
            limits.limit_processes()
        if self._tier < 2:
            way.send(CONFINED)
            return
        code, compiled = Path(order["code"]), Path(order["compiled"])
        writable = [reach.SINK, *map(Path, order["writable"])]
        landlock.restrict([*self._readable, code, compiled, Path(order["scratch"])], writable)
        kernel.drop_capabilities()
        way.send(CONFINED, syscalls.install(self._filter))
