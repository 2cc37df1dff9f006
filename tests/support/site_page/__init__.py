"""Make a small site whose grading is a stand-in, and serve a folder as a plain web server does."""

import functools
import http.server
import json
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from grader.catalog.boards import find_board
from grader.catalog.tasks import registry
from grader.site.page import write_list, write_page
from grader.web.positions import format_cells
from support.command import ROOT

TASKS = ("client", "peg1", "peg3")


def make_site(out: Path, cache: Path) -> None:
    """Write a site of three tasks, with the page as it is and a stand-in for the grading."""
    out.mkdir(parents=True, exist_ok=True)
    write_page(out, cache)
    shutil.copy(Path(__file__).parent / "grading.js", out)
    for folder in ("handouts", "boards"):
        (out / folder).mkdir(exist_ok=True)
    course = []
    for name in TASKS:
        task = registry().tasks[name]
        markdown = (ROOT / "handouts" / f"{name}.md").read_text("utf-8")
        (out / "handouts" / f"{name}.html").write_text(MarkdownIt().enable("table").render(markdown), "utf-8")
        course.append(
            {
                "name": name,
                "title": task.title,
                "file": task.files[-1],
                "points": task.max_points,
                "boards": [_check(check.board, out, task.kind) for check in task.checks],
                "stub": (ROOT / "student" / task.files[-1]).read_text("utf-8"),
                "handout": f"handouts/{name}.html",
            }
        )
    (out / "course.json").write_text(json.dumps({"tasks": course}), "utf-8")
    write_list(out)


def _check(name: str, out: Path, kind: str) -> dict[str, Any]:
    """Return what the page is told of a check, and write its board."""
    if kind == "client":
        return {"name": name, "pegs": None, "notRun": None}
    cells = format_cells(find_board(name).board)
    (out / "boards" / f"{name}.txt").write_text(
        "".join(cells[row : row + 8] + "\n" for row in range(0, 64, 8)), "utf-8"
    )
    return {
        "name": name,
        "pegs": cells.count("*"),
        "notRun": "needs compiled code" if name == "english" else None,
    }


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve a folder, and yield its address."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()


if __name__ == "__main__":  # to look at it: python -m support.site_page OUT
    make_site(Path(sys.argv[1]), Path.home() / ".cache")
    with serving(Path(sys.argv[1])) as address:
        print(address)
        threading.Event().wait()
