"""Memory is asked for before it is used; what needs more than there is, is refused with the figure."""

from collections.abc import Iterable
from pathlib import Path

from grader.oracle.errors import OracleError
from grader.oracle.index import Index
from grader.oracle.sets import threads

MIB = 1 << 20
CONTROL_GROUP_FILES = (
    (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")),
    (
        Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
        Path("/sys/fs/cgroup/memory/memory.usage_in_bytes"),
    ),
)


def available() -> int | None:
    """Return the bytes of memory that may be used now; None where the system does not say."""
    found = []
    try:
        for line in Path("/proc/meminfo").read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                found.append(int(line.split()[1]) << 10)
        for limit, used in CONTROL_GROUP_FILES:
            if limit.is_file() and limit.read_text("ascii").strip() != "max":
                found.append(max(0, int(limit.read_text("ascii")) - int(used.read_text("ascii"))))
    except (OSError, ValueError):
        pass
    return min(found, default=None)


def ask(index: Index, levels: Iterable[tuple[int, int]], sets: float = 1) -> None:
    """Raise OracleError unless there is memory for these levels, (class, pegs) each, `sets` times over."""
    sizes = [index.level_size(class_, pegs) // 8 for class_, pegs in levels]
    needed = int(sets * sum(sizes)) + (threads() + 1) * max(sizes, default=0)
    there = available()
    if there is not None and needed > there:
        raise OracleError(
            f"this needs {needed / MIB:,.0f} MiB of memory, and {there / MIB:,.0f} MiB are free",
            "ask for one goal, or for a board with fewer pegs",
        )
