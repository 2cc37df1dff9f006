"""Progress of a long computation, on standard error."""

import sys
import time

EVERY_S = 20.0  # between two lines of progress, where it is not a terminal


class Watch:
    """Show what is being computed, and how long it will still take at the pace so far."""

    def __init__(self, total: int) -> None:
        """Start the clock; `total` is the size of all levels together, in any unit."""
        self.title = ""
        self._left, self._done = total, 0
        self._began = time.monotonic()
        self._size, self._shown = 0, -EVERY_S

    def __call__(self, what: str, level: int, size: int) -> None:
        """Say what comes next: a level of this size."""
        self._done, self._left, self._size = self._done + self._size, self._left - self._size, size
        now = time.monotonic()
        often = sys.stderr.isatty()
        if not often and now - self._shown < EVERY_S:
            return
        self._shown = now
        spent = now - self._began
        known = self._done and self._left > 0
        left = f", about {_duration(spent * self._left / self._done)} left" if known else ""
        text = f"{self.title}: {what}, level {level}; {_duration(spent)}{left}"
        print(f"\r\x1b[K{text}" if often else text, end="" if often else "\n", file=sys.stderr, flush=True)


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
