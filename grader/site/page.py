"""Write the page's own files, and the list of all files that a browser keeps for use without a network."""

import hashlib
import json
import shutil
from pathlib import Path

from grader.site.bundle import bundle
from grader.web.html_page import STATIC as WEB

HERE = Path(__file__).parent
PLAY = HERE.parent / "play" / "static"
FILES = "files.json"
FROM_WEB = ("style.css", "board.js", "game.js")
FROM_PLAY = ("page.js", "play.js", "icon.svg")
NOT_KEPT = (FILES, "sw.js", "licences.txt")  # the browser looks for newer ones itself, or needs them not


def write_page(out: Path, cache: Path) -> None:
    """Write pages, scripts and styles: what `grade play` and the reports have too is copied from there.

    Args:
        out: the site's folder, which must exist.
        cache: as in `bundle`.

    Raises:
        InputError: the editor cannot be bundled.
    """
    bundled = bundle(cache)
    for folder in (HERE / "static", HERE / "templates", bundled):
        for file in sorted(folder.iterdir()):
            if file.is_file():
                shutil.copyfile(file, out / file.name)
    for name, source, files in (("web", WEB, FROM_WEB), ("play", PLAY, FROM_PLAY)):
        (out / name).mkdir(exist_ok=True)
        for file_name in files:
            shutil.copyfile(source / file_name, out / name / file_name)


def write_list(out: Path) -> None:
    """Write `files.json`: every file of the site, and a digest of them all as its version.

    It must be written last. A browser that sees a new version fetches what is different.
    """
    digest = hashlib.sha256()
    names = []
    for file in sorted(path for path in out.rglob("*") if path.is_file()):
        name = file.relative_to(out).as_posix()
        if name != FILES:
            digest.update(f"{name}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
        if name not in NOT_KEPT and not name.endswith(".licences.txt"):
            names.append(name)
    listed = {"version": digest.hexdigest()[:16], "files": names}
    (out / FILES).write_text(json.dumps(listed, indent=1) + "\n", "utf-8")
