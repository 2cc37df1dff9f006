"""Make the files of the course's website, for any web server; they load nothing from elsewhere.

The page's own files that `grade play` or the reports also use are taken from there.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from grader import paths
from grader.film import page as film_page
from grader.release.packing import zip_bytes
from grader.release.release import release_files
from grader.release.release_check import faults
from grader.site import course, python_files
from grader.site.bundle import LICENCES, bundle
from grader.site.pyodide import PACKAGE, pyodide_files
from grader.web.html_page import STATIC as WEB

LIST = "files.json"  # of all others, for the service worker

Files = dict[str, str | bytes]


def site_files(pyodide: Path | None = None, private: Sequence[Path] = (), cache: Path | None = None) -> Files:
    """Return the content of every file of the site by its name.

    Args:
        pyodide: the npm package of Pyodide; None to fetch it.
        cache: where the page's editor is kept once it is bundled; None for the user's own cache.

    Raises:
        InputError: a line of a solution or a private board would be in the site, or something is missing.
    """
    released = release_files()
    in_browser = python_files.browser_files(released)
    pages = course.handout_pages(released)
    for fault in faults({**released, **in_browser, **pages}, private):
        raise fault
    libraries, licences = python_files.library_files()
    files: Files = {
        "python.zip": zip_bytes({**libraries, **in_browser}, compressed=True),
        "film.zip": zip_bytes(python_files.film_files(released), compressed=True),
        "course.json": course.course_json(released),
        "licences.txt": _licences(licences),
        **pages,
        **course.board_texts(released),
        **{f"pyodide/{name}": content for name, content in pyodide_files(pyodide).items()},
        **{name: text for name, text in released.items() if name.startswith("framework/")},  # to be read
        **page_files(cache or paths.cache_root() / "site"),
    }
    files[LIST] = listing(files)
    return dict(sorted(files.items()))


def listing(files: Mapping[str, str | bytes]) -> str:
    """Return, as JSON, the names of all files, and a version, which is a digest of them all."""
    digest = hashlib.sha256()
    for name, content in sorted(files.items()):
        digest.update(name.encode() + b"\0")
        digest.update(hashlib.sha256(content.encode() if isinstance(content, str) else content).digest())
    return json.dumps({"version": digest.hexdigest()[:16], "files": sorted(files)}, indent=1) + "\n"


def _licences(libraries: str) -> str:
    ours = paths.LICENSE.read_text("utf-8").strip()
    return "\n\n".join(
        [
            "What this site ships, and under which licences.",
            f"The course: MIT; the handouts also under CC BY 4.0\n\n{ours}",
            f"{PACKAGE}, in pyodide/: MPL-2.0; its source: https://github.com/pyodide/pyodide",
            "Python's library, in pyodide/python_stdlib.zip: PSF-2.0; https://docs.python.org/3/license.html",
            f"The page's editor and its zip library, in libraries.js: MIT; see {LICENCES}",
            "The libraries in python.zip:",
            f"{libraries}\n",
        ]
    )


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
