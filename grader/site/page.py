"""Collect the page's own files; what `grade play` and the reports have too is taken from there."""

from pathlib import Path

from grader.site.bundle import bundle
from grader.web.html_page import STATIC as WEB

HERE = Path(__file__).parent
PLAY = HERE.parent / "play" / "static"
SHARED = {
    "web": (WEB, ("style.css", "board.js", "game.js")),
    "play": (PLAY, ("page.js", "play.js", "icon.svg")),
}  # by the folder in the site


def page_files(cache: Path) -> dict[str, bytes]:
    """Return pages, scripts and styles by their names in the site.

    Args:
        cache: as in `bundle`.

    Raises:
        InputError: the editor cannot be bundled.
    """
    ours = (HERE / "static", HERE / "templates", bundle(cache))
    files = {file.name: file.read_bytes() for folder in ours for file in sorted(folder.iterdir())}
    for folder, (source, names) in SHARED.items():
        files |= {f"{folder}/{name}": (source / name).read_bytes() for name in names}
    return files
