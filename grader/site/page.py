"""Collect the page's own files; those that `grade play` or the reports also use are taken from there."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from grader.film import page as film_page
from grader.site.bundle import bundle
from grader.web.html_page import STATIC as WEB

HERE = Path(__file__).parent
PLAY = HERE.parent / "play"
SHARED = {
    "web": (WEB, sorted(file.name for file in WEB.iterdir())),
    "play": (
        PLAY / "static",
        ("icon.svg", "page.js", "play.css", "play.js", "runner.js", "share.js", "timeline.js"),
    ),
    "film": (film_page.STATIC, (*film_page.DRAWN_BY, "film.css")),
}  # by the folder in the site


def page_files(cache: Path) -> dict[str, bytes]:
    """Return pages, scripts and styles by their names in the site.

    Raises:
        InputError: the editor cannot be bundled.
    """
    ours = (HERE / "static", bundle(cache))
    files = {file.name: file.read_bytes() for folder in ours for file in sorted(folder.iterdir())}
    files |= _pages()
    for folder, (source, names) in SHARED.items():
        files |= {f"{folder}/{name}": (source / name).read_bytes() for name in names}
    return files


def _pages() -> dict[str, bytes]:
    """Return the pages, which share some parts with the pages of `grade play`."""
    templates = HERE / "templates"
    loader = FileSystemLoader([templates, PLAY / "templates", film_page.TEMPLATES])
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    names = sorted(file.name for file in templates.iterdir())
    return {name: environment.get_template(name).render().encode() for name in names}
