"""Draw films on a page: one self-contained HTML file, as the other reports are, with the films as data."""

from collections.abc import Sequence
from pathlib import Path

from grader.film.shown import Shown, to_text
from grader.web import html_page

TEMPLATES = Path(__file__).parent / "templates"
STATIC = Path(__file__).parent / "static"
# What draws films on any page; each after those that it imports.
DRAWN_BY = ("film_data.js", "film_view.js", "film_picture.js", "film_panel.js", "film.js")
STYLES = (*html_page.FILE_STYLES, STATIC / "film.css")
SCRIPTS = (
    *(html_page.STATIC / f"{name}.js" for name in ("position", "drawing", "drag", "elements", "board")),
    *(STATIC / name for name in (*DRAWN_BY, "film_file.js")),
)


def format_page(films: Sequence[Shown], compared: str = "", reload_s: int = 0) -> str:
    """Return the text of the HTML file.

    Args:
        reload_s: after how many seconds the page loads itself again, since there will be more; 0 for never.
    """
    return html_page.page(
        TEMPLATES / "film.html",
        STYLES,
        SCRIPTS,
        films=[(film, to_text(film)) for film in films],
        title=" | ".join(film.name for film in films),
        compared=compared,
        reload_s=reload_s,
    )
