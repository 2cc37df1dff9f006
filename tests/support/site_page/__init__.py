"""Make a small site whose grading is a stand-in, for tests of the page alone."""

import json
import sys
import threading
from pathlib import Path
from typing import Any

from framework.board import format_board
from grader.catalog.boards import find_board
from grader.catalog.tasks import Check, registry
from grader.judging import kinds
from grader.site.build import LIST, handout_pages, listing, page_files
from support.command import ROOT
from support.site import bundled_editor, served

TASKS = ("client", "peg1", "peg3")


def make_site(out: Path) -> None:
    """Write a site of three tasks, with the real page and a stand-in for the grading."""
    files: dict[str, bytes] = {
        **page_files(bundled_editor()),
        "framework/board.py": (ROOT / "framework" / "board.py").read_bytes(),
        "grading.js": (Path(__file__).parent / "grading.js").read_bytes(),
    }
    course = []
    for name in TASKS:
        task = registry().tasks[name]
        handout = {task.handout: (ROOT / task.handout).read_text("utf-8")}
        files |= {path: page.encode() for path, page in handout_pages(handout).items()}
        boards = [_board(check) if kinds.of(task).has_board(check) else None for check in task.checks]
        files |= {f"boards/{board['name']}.txt": board.pop("text") for board in boards if board}
        course.append(
            {
                "name": name,
                "title": task.title,
                "file": task.file,
                "files": list(task.files),
                "points": task.max_points,
                "boards": [
                    {"name": check.board, "pegs": board and board["pegs"], "contracts": True, "notRun": None}
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
    """Write the list of all files with their version, as `grade site` does."""
    files = {
        file.relative_to(out).as_posix(): file.read_bytes()
        for file in sorted(out.rglob("*"))
        if file.is_file() and file.name != LIST
    }
    (out / LIST).write_text(listing(files), "utf-8")


if __name__ == "__main__":  # to look at it: cd tests && python -m support.site_page OUT
    make_site(Path(sys.argv[1]))
    with served(Path(sys.argv[1])) as address:
        print(address, flush=True)
        threading.Event().wait()
