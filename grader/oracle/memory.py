"""Check that there is enough memory before it is used; if there is not, say how much is needed and free."""

from collections import Counter
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import psutil

from grader.oracle.problem import OracleError
from grader.oracle.sets import threads
from grader.oracle.shape import Shape

MIB = 1 << 20
CONTROL_GROUP_FILES = (
    (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")),
    (
        Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
        Path("/sys/fs/cgroup/memory/memory.usage_in_bytes"),
    ),
)


def available() -> int:
    """Return the bytes of memory available now, to the machine and to this process's control group."""
    found = [psutil.virtual_memory().available]
    with suppress(OSError, ValueError):
        for limit, used in CONTROL_GROUP_FILES:
            if limit.is_file() and limit.read_text("ascii").strip() != "max":
                found.append(max(0, int(limit.read_text("ascii")) - int(used.read_text("ascii"))))
    return min(found)


@lru_cache(maxsize=8)
def level_sizes(shape: Shape) -> dict[tuple[int, int], int]:
    """Return how many positions there are for each pair (parity class, number of pegs)."""
    sizes: Counter[tuple[int, int]] = Counter({(0, 0): 1})
    for code in shape.codes:
        with_peg = {(class_ ^ code, pegs + 1): count for (class_, pegs), count in sizes.items()}
        sizes.update(with_peg)
    return dict(sizes)


def ask_for_levels(shape: Shape, position: int, fewest: int, sets: int = 1, most: int | None = None) -> None:
    """Check that there is enough memory for the sets of all positions that a position may lead to.

    Args:
        fewest: the fewest pegs; positions with fewer need no room.
        sets: how many sets are in memory at the same time for each number of pegs.
        most: how many bytes may be used; None: all that are free.

    Raises:
        OracleError: there is not enough memory.
    """
    sizes, class_ = level_sizes(shape), shape.class_of(position)
    levels = [sizes.get((class_, pegs), 0) // 8 for pegs in range(fewest, position.bit_count() + 1)]
    ask(sets * sum(levels) + (threads() + 1) * max(levels, default=0), most)


def ask(needed: int, most: int | None = None) -> None:
    """Raise OracleError unless `needed` bytes of memory are available, and no more than may be used."""
    there = available()
    if most is not None and needed > most:
        raise OracleError(
            f"this needs {needed / MIB:,.0f} MiB of memory, and {most / MIB:,.0f} MiB may be used for it",
            "ask the exact engine without this limit: grade analyze",
        )
    if needed > there:
        raise OracleError(
            f"this needs {needed / MIB:,.0f} MiB of memory, and {there / MIB:,.0f} MiB are free",
            "take some pegs off, or block some cells",
        )
