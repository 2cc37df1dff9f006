"""Start headless Chromium and axe-core for tests of pages, and collect what the pages complain about."""

import os
import shutil
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NoReturn

import pytest

from support.command import ROOT

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WAIT_MS = 120_000  # for anything on a page; a busy machine is slow


def missing(what: str, help: str) -> NoReturn:
    """Skip a test whose tool is not installed; in CI, where everything must be tested, fail the test."""
    said = f"no {what} here: {help}"
    if os.environ.get("CI") == "true":
        pytest.fail(said)
    pytest.skip(said)


@contextmanager
def chromium() -> Iterator[Any]:
    """Start the system's own Chromium without a window."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright", "pip install --editable '.[dev]'")
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if found is None:
        missing("Chromium", "apt-get install chromium fonts-dejavu-core")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found)
        yield browser
        browser.close()


def axe_source() -> str:
    """Return the source of axe-core, which `make test` fetches with npm."""
    found = sorted(ROOT.glob(".venv/axe-core-*.tgz"))
    if not found:
        missing("axe-core", "make axe, which needs npm (apt-get install npm)")
    with tarfile.open(found[-1]) as archive:
        source = archive.extractfile("package/axe.min.js")
        assert source is not None
        return source.read().decode()


def accessibility_faults(page: Any, source: str, preload: bool = True) -> list[str]:
    """Return what axe-core finds wrong with a page in its current state: each broken rule, and where.

    Args:
        preload: whether it reads the style sheets once more, which it cannot where they are files.
    """
    page.evaluate(source)
    found = page.evaluate("preload => axe.run({resultTypes: ['violations'], preload})", preload)
    return [
        f"{fault['id']}: {node['html'][:200]}" for fault in found["violations"] for node in fault["nodes"]
    ]


@dataclass
class Visits:
    """Windows that visit a server, each with its own cookies, and the complaints of their pages."""

    browser: Any  # the browser
    base: str  # the server's address
    # errors and warnings of scripts, the console and the content-security policy; also requests to any other
    # server
    complaints: list[str] = field(default_factory=list)
    _close: list[Callable[[], None]] = field(default_factory=list)

    def window(self, **options: Any) -> Any:
        """Return a new page in its own window; by default 1,200 by 850 pixels, light, with less motion."""
        usual = {
            "viewport": {"width": 1200, "height": 850},
            "color_scheme": "light",
            "reduced_motion": "reduce",
        }
        context = self.browser.new_context(**{**usual, **options})
        context.set_default_timeout(WAIT_MS)
        context.on("page", self._listen)
        self._close.append(context.close)
        return context.new_page()

    def close(self) -> None:
        """Close all windows."""
        for close in self._close:
            close()

    def _listen(self, page: Any) -> None:
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._request)

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _request(self, request: Any) -> None:
        if not request.url.startswith((self.base + "/", f"blob:{self.base}/", "about:", "file:")):
            self.complaints.append(f"a request to {request.url}")
