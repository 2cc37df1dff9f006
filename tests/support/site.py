"""Write the course for a browser, serve it as a plain web server does, and grade on it in Chromium."""

import functools
import http.server
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from grader.commands import new_folder
from grader.errors import InputError
from grader.site.build import site_files
from grader.site.bundle import VERSION, bundle
from support.browsing import ROOT, missing

RUN_MS = 600_000  # for a whole task on a busy machine


def packed_pyodide() -> Path:
    """Return the path of the npm package of Pyodide, which `make test` fetches."""
    found = ROOT / ".venv" / f"pyodide-{VERSION}.tgz"
    if not found.is_file():
        missing("Pyodide", "make pyodide, which needs npm (apt-get install npm)")
    return found


def bundled_editor() -> Path:
    """Return the cache folder that holds the page's editor; npm makes the editor the first time."""
    cache = ROOT / ".venv" / "site"
    try:
        bundle(cache)
    except InputError as error:
        missing("bundle of the page's editor", f"{error.message}; {error.help}")
    return cache


def write_site(folder: Path) -> Path:
    """Write the site, with an empty page for tests, to a new folder; return the folder."""
    new_folder.write(folder, site_files(packed_pyodide(), cache=bundled_editor()))
    (folder / "empty.html").write_text('<!doctype html><link rel="icon" href="data:,"><title>empty</title>')
    return folder


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files.

    Attributes:
        sent: the bytes of all files sent so far.
    """

    sent = 0

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a file, and count its bytes."""
        Handler.sent += os.fstat(source.fileno()).st_size
        super().copyfile(source, outputfile)

    def log_message(self, *_: object) -> None:
        """Log nothing, so that the output of the tests shows only their failures."""


@contextmanager
def served(folder: Path, kind: type[Handler] = Handler) -> Iterator[str]:
    """Serve a folder, and yield the address without a slash at the end."""
    handler = functools.partial(kind, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


def start_grading(page: Any, base: str) -> None:
    """Open the empty page and load both of the workers that grade.

    A page has no clock but the wall's, so limits there are four times as long: for a busy machine.
    """
    page.set_default_timeout(RUN_MS)
    page.goto(f"{base}/empty.html")
    page.evaluate(
        """async () => {
            const later = window.setTimeout;
            window.setTimeout = (does, ms) => later(does, ms > 2500 ? 4 * ms : ms);
            const { Grading } = await import("./grading.js");
            window.grading = new Grading();
            await window.grading.ready;
        }"""
    )


def grade(
    page: Any, files: Mapping[str, str], task: str, boards: list[str] | None = None, contracts: bool = True
) -> dict[str, Any]:
    """Grade a task on an open page and return the report."""
    report: dict[str, Any] = page.evaluate(
        "job => window.grading.grade(job)",
        {"files": dict(files), "task": task, "boards": boards, "contracts": contracts},
    )
    return report
