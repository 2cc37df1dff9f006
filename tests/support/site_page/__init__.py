"""Make a small site whose grading is a stand-in, for tests of the page alone."""

import json
import sys
import threading
from pathlib import Path

from grader.commands import new_folder
from grader.release.release import release_files
from grader.site.build import LIST, board_texts, course_json, handout_pages, listing, page_files
from support.site import bundled_editor, served

TASKS = ("client", "peg1", "peg3")


def make_site(out: Path) -> None:
    """Write a site of three tasks, with the real page and a stand-in for the grading."""
    released = release_files()
    course = json.loads(course_json(released))
    course["tasks"] = tasks = [task for task in course["tasks"] if task["name"] in TASKS]
    course["helpers"] = [helper for helper in course["helpers"] if helper["who"] in TASKS]
    for task in tasks:
        for check in task["boards"]:
            check |= {"contracts": True, "notRun": None}
    tasks[-1]["boards"][-1]["notRun"] = "needs compiled code"
    files = {
        **page_files(bundled_editor(), texts := board_texts(released)),
        **handout_pages(released),
        **texts,
        "framework/board.py": released["framework/board.py"],
        "grading.js": (Path(__file__).parent / "grading.js").read_bytes(),
        "course.json": json.dumps(course),
    }
    new_folder.write(out, files)
    write_list(out)


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
