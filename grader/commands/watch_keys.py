"""Read single keys from the terminal, whose settings are restored at the end of the `with` block."""

import contextlib
import os
import sys
from types import TracebackType
from typing import Any

try:
    import termios
    import tty
except ImportError:  # Windows has no termios, so there are no keys
    termios = None  # type: ignore[assignment]  # checked before it is used


class Keys:
    """Reads keys without Enter and without echo; Ctrl-C interrupts as usual."""

    def __init__(self) -> None:
        # the terminal; None if standard input is not ours to read from, or has ended
        self.descriptor: int | None = None
        self._before: list[Any] = []

    def __enter__(self) -> "Keys":
        if termios is not None and sys.stdin is not None and sys.stdin.isatty():
            descriptor = sys.stdin.fileno()
            with contextlib.suppress(OSError):  # a terminal that is nobody's, as under `su -c`
                if os.tcgetpgrp(descriptor) == os.getpgrp():  # a background process must not change it
                    self._before = termios.tcgetattr(descriptor)
                    self.descriptor = descriptor
                    tty.setcbreak(descriptor)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before:
            with contextlib.suppress(termios.error):  # the terminal was closed
                termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, self._before)

    def read(self) -> str:
        """Return the keys pressed so far; call it only when a key is waiting or the terminal is gone."""
        assert self.descriptor is not None
        try:
            pressed = os.read(self.descriptor, 64)
        except OSError:
            pressed = b""
        if not pressed:
            self.descriptor = None
        return pressed.decode("utf-8", "replace")
