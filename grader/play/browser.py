"""Open a browser to show the page."""

import contextlib
import os
import sys
import webbrowser

PORT = 8064  # of the page, the same for everybody, so that shared links work


def is_there() -> bool:
    """Return whether a browser can be opened here; terminal browsers do not count, as they run no scripts."""
    if sys.platform.startswith("linux") and not any(
        os.environ.get(name) for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    ):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def open_page(url: str) -> None:
    """Open a page in a browser that is no child of this process; call it only if `is_there()`.

    A child might be killed, since the grader ends all processes that its checks leave behind. Call it before
    any thread starts, because it forks.
    """
    if not sys.platform.startswith("linux"):
        webbrowser.open(url)
    elif first := os.fork():
        os.waitpid(first, 0)
    else:
        with contextlib.suppress(BaseException):
            os.setsid()  # Ctrl-C in the terminal does not reach it either
            if os.fork() == 0:
                nowhere = os.open(os.devnull, os.O_RDWR)
                for descriptor in (0, 1, 2):
                    os.dup2(nowhere, descriptor)
                webbrowser.open(url)
        os._exit(0)
