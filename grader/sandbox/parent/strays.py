"""End the processes that checks left running."""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

from grader.sandbox.confine import offers
from grader.sandbox.parent.forks import Forker
from grader.sandbox.parent.running import reap, strangers

END_S = 5.0  # for killed processes to be gone


def end_strays(marker: str, sessions: Collection[int], spared: set[int] | None = None) -> None:
    """Kill and reap the processes that checks left running outside of their process groups.

    As subreaper the judge is the parent of such processes. They are recognized by `marker` in their
    environment and by their session, which no process can leave under the filter.

    Args:
        marker: a string that only their environment has.
        sessions: when a template ends, its session and those of its forks; when a zygote ends, none.
        spared: None while another zygote runs; otherwise the children that the judge had before the first
            zygote. Any other child outside of the judge's own session is then a stray, since all zygotes and
            their forks have left that session, and no process can enter it again.
    """
    if not offers.forks():
        return

    def strays() -> Iterator[int]:
        for pid in strangers():
            with contextlib.suppress(OSError):
                its = os.getsid(pid)
                left = spared is not None and pid not in spared and its != os.getsid(0)
                if left or its in sessions or marker.encode() in Path(f"/proc/{pid}/environ").read_bytes():
                    yield pid

    with Forker.turn:  # otherwise a process that is just being forked would be taken for a stray
        end_all(strays)


def end_all(find: Callable[[], Iterable[int]]) -> None:
    """Kill and reap the processes that `find` returns, repeatedly until it returns none."""
    deadline = time.monotonic() + END_S
    while (found := list(find())) and time.monotonic() < deadline:
        for pid in found:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
                reap(pid)
        time.sleep(0.001)  # another process's child is gone only once its parent reaps it
