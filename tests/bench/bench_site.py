"""How long one waits in a browser: from the link to Ready and to the first green row, and how smooth a run is.

    python tests/bench/bench_site.py [RUNS]

Headless Chromium, and a web server on this machine that serves a site made for it. Each run starts with an empty
profile; at first it is behind a network of 4 Mbit/s, which all connections share. A frame is the time between two
pictures of the page: over 0.2 s a student would feel it.
"""

import os
import sys
import tempfile
import threading
import time
import zlib
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

from support.browsing import chromium  # noqa: E402
from support.site import RUN_MS, Handler, served, write_site  # noqa: E402

REFERENCE = TESTS.parent / "grader" / "reference"
FRAMES = """() => {
    let last = performance.now();
    window.longest = 0;
    const look = (now) => {
        window.longest = Math.max(window.longest, now - last);
        last = now;
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}"""
READY = "#state:has-text('Ready')"
GREEN = "#results > :not([hidden]) tbody tr:first-child .word[data-word=ok]"
SLOW = 500_000  # bytes a second: 4 Mbit/s


class Network(Handler):
    """Sends files as fast as all connections together may."""

    rate: int | None = None  # bytes a second; None for as fast as can be
    _turn = threading.Lock()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a file piece by piece."""
        while (rate := self.rate) and (piece := source.read(65536)):
            with self._turn:
                time.sleep(len(zlib.compress(piece)) / rate)  # as long as it takes a server that compresses
            outputfile.write(piece)
        super().copyfile(source, outputfile)


def _write(page: Any, file: str) -> None:
    page.click(".cm-content")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text((REFERENCE / file).read_text("utf-8"))


def _visited(browser: Any, base: str) -> Any:
    """Return a page in a profile of its own that has just opened the link."""
    page = browser.new_context(viewport={"width": 1366, "height": 650}).new_page()
    page.set_default_timeout(RUN_MS)
    page.goto(f"{base}/work.html")
    return page


def _first_visit(browser: Any, base: str) -> str:
    """Return the seconds until Python is ready, and the bytes that are sent until it works without a network."""
    before, started = Handler.sent, time.perf_counter()
    page = _visited(browser, base)
    page.wait_for_selector(READY)
    ready_s = time.perf_counter() - started
    page.wait_for_selector("#kept:not(:empty)", state="attached")
    page.context.close()
    return f"Ready after {ready_s:.1f} s; {(Handler.sent - before) / 1e6:.1f} MB sent"


def _first_green_row(browser: Any, base: str) -> str:
    """Return the seconds of a student who pastes a right client.py at once and runs it."""
    started = time.perf_counter()
    page = _visited(browser, base)
    page.wait_for_selector("#work:not([hidden]) .cm-content")
    _write(page, "client.py")
    page.click("#run")
    page.wait_for_selector(GREEN)
    green_s = time.perf_counter() - started
    page.context.close()
    return f"first green row after {green_s:.1f} s"


def _graded(browser: Any, base: str) -> str:
    """Return the seconds of a grading of peg3, and its longest frame."""
    page = _visited(browser, base)
    for task in ("client", "peg1", "peg3"):
        page.click(f"#tasks a[data-task={task}]")
        _write(page, f"{task}.py")
    page.wait_for_selector(READY)
    page.evaluate(FRAMES)
    started = time.perf_counter()
    page.click("#grade")
    page.wait_for_selector("#state:has-text('all that can be run here')")
    seconds = time.perf_counter() - started
    longest = page.evaluate("window.longest")
    page.context.close()
    return f"Grade of peg3: {seconds:.1f} s, longest frame {longest:.0f} ms"


def main(runs: int) -> None:
    """Print every figure `runs` times, with the load of the machine."""
    with tempfile.TemporaryDirectory() as folder:
        site = write_site(Path(folder) / "site")
        with served(site, Network) as base, chromium() as browser:
            rows = (
                (_first_visit, SLOW),
                (_first_green_row, SLOW),
                (_first_visit, None),
                (_first_green_row, None),
            )
            for measure, Network.rate in (*rows, (_graded, None)):
                for _ in range(runs):
                    at = "4 Mbit/s: " if Network.rate else ""
                    print(f"{at}{measure(browser, base)}   (load {os.getloadavg()[0]:.1f})", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
