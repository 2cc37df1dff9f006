"""Make a small site whose grading is a stand-in, and serve a folder as a plain web server does."""

import functools
import hashlib
import http.server
import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from framework.board import format_board
from grader.catalog.boards import find_board
from grader.catalog.tasks import Check, registry
from grader.judging import kinds
from grader.site.page import page_files
from support.command import ROOT

TASKS = ("client", "peg1", "peg3")


def make_site(out: Path, cache: Path) -> None:
    """Write a site of three tasks, with the page as it is and a stand-in for the grading."""
    files: dict[str, bytes] = {
        **page_files(cache),
        "grading.js": (Path(__file__).parent / "grading.js").read_bytes(),
    }
    course = []
    for name in TASKS:
        task = registry().tasks[name]
        markdown = (ROOT / task.handout).read_text("utf-8")
        files[f"handouts/{name}.html"] = MarkdownIt().enable("table").render(markdown).encode()
        boards = [_board(check) if kinds.of(task).has_board(check) else None for check in task.checks]
        files |= {f"boards/{board['name']}.txt": board.pop("text") for board in boards if board}
        course.append(
            {
                "name": name,
                "title": task.title,
                "file": task.file,
                "points": task.max_points,
                "boards": [
                    {"name": check.board, "pegs": board and board["pegs"], "notRun": None}
                    for check, board in zip(task.checks, boards, strict=True)
                ],
                "stub": (ROOT / "student" / task.file).read_text("utf-8"),
                "handout": f"handouts/{name}.html",
            }
        )
    course[-1]["boards"][-1]["notRun"] = "needs compiled code"
    files["course.json"] = json.dumps({"tasks": course}).encode()
    for name, content in files.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_bytes(content)
    write_list(out)


def _board(check: Check) -> dict[str, Any]:
    board = find_board(check.board)
    return {"name": check.board, "pegs": board.pegs, "text": format_board(board.board).encode()}


def write_list(out: Path) -> None:
    """Write the list of all files, and a digest of them as their version."""
    digest, names = hashlib.sha256(), []
    for file in sorted(path for path in out.rglob("*") if path.is_file() and path.name != "files.json"):
        names.append(file.relative_to(out).as_posix())
        digest.update(file.read_bytes())
    listed = {"version": digest.hexdigest()[:16], "files": names}
    (out / "files.json").write_text(json.dumps(listed), "utf-8")


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
    make_site(Path(sys.argv[1]), ROOT / ".venv" / "site")
    with serving(Path(sys.argv[1])) as address:
        print(address, flush=True)
        threading.Event().wait()
