"""Single keys from the terminal, which is as it was before when the `with` block is left."""

import contextlib
import os
import sys
from types import TracebackType
from typing import Any

try:
    import termios
    import tty
except ImportError:  # no such terminals on Windows: no keys
    termios = None  # type: ignore[assignment]  # looked at before it is used


class Keys:
    """The keys that are pressed, without Enter and without being shown; Ctrl-C interrupts as ever.

    Attributes:
        descriptor: where they come from; None where standard input is no terminal of ours, or has ended.
    """

    def __init__(self) -> None:
        self.descriptor: int | None = None
        self._before: list[Any] = []

    def __enter__(self) -> "Keys":
        if termios is not None and sys.stdin is not None and sys.stdin.isatty():
            descriptor = sys.stdin.fileno()
            if os.tcgetpgrp(descriptor) == os.getpgrp():  # in the background it is not ours to set
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
        """Return the keys pressed so far; to be called when there are some, or the terminal is gone."""
        assert self.descriptor is not None
        try:
            pressed = os.read(self.descriptor, 64)
        except OSError:
            pressed = b""
        if not pressed:
            self.descriptor = None
        return pressed.decode("utf-8", "replace")
