"""Make the files of the course's website, for any web server; they load nothing from elsewhere.

What its pages share with those of `grade play` is in grader/web, which serves both.
"""

import hashlib
import html
import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path, PurePosixPath
from typing import Any

from markupsafe import Markup

from framework.board import format_board
from grader import paths
from grader.catalog.boards import find_board
from grader.catalog.tasks import Asked, Check, Question, Task, registry
from grader.errors import InputError
from grader.film import page as film_page
from grader.film.tell import has_film
from grader.judging import kinds
from grader.messages.catalogue import say
from grader.release.packing import zip_bytes
from grader.release.release import release_files
from grader.release.release_check import faults
from grader.site.browser.page import limit_s, link, needs_compiled
from grader.site.bundle import LICENCES, PACKAGE, browser_files, bundle, library_files, python_parts
from grader.submissions.cutting import STUB
from grader.tracing import predictions
from grader.web import html_page, positions
from grader.web.helpers import helper_of, not_written, tasks_that_help

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
    in_browser = browser_files(released)
    pages = handout_pages(released)
    for fault in faults({**released, **in_browser, **pages}, private):
        raise fault
    libraries, licences = library_files()
    texts = board_texts(released)
    cache = cache or paths.cache_root() / "site"
    parts = python_parts(pyodide, zip_bytes({**libraries, **in_browser}), cache)
    files: Files = {
        "sizes.json": json.dumps({name: len(part) for name, part in parts.items() if name.endswith(".xz")}),
        "course.json": course_json(released),
        "licences.txt": _licences(licences),
        **pages,
        **texts,
        **{f"pyodide/{name}": content for name, content in parts.items()},
        **{name: text for name, text in released.items() if name.startswith("framework/")},  # to be read
        **page_files(cache, texts),
    }
    files[LIST] = listing(files)
    return dict(sorted(files.items()))


def listing(files: Mapping[str, str | bytes]) -> str:
    """Return, as JSON, a version, which is a digest of all files, and their names: Python's parts first."""
    digest = hashlib.sha256()
    for name, content in sorted(files.items()):
        digest.update(name.encode() + b"\0")
        digest.update(hashlib.sha256(content.encode() if isinstance(content, str) else content).digest())
    names = sorted(files, key=lambda name: (not name.endswith(".xz"), name))
    return json.dumps({"version": digest.hexdigest()[:16], "files": names}, indent=1) + "\n"


def _licences(libraries: str) -> str:
    ours = paths.LICENSE.read_text("utf-8").strip()
    return "\n\n".join(
        [
            "What this site ships, and under which licences.",
            f"The course: MIT; the handouts also under CC BY 4.0\n\n{ours}",
            f"{PACKAGE}, in pyodide/: MPL-2.0; its source: https://github.com/pyodide/pyodide",
            "Python's library, in pyodide/*_stdlib.zip and library.zip.xz: PSF-2.0; https://docs.python.org/3/license.html",
            f"The page's editor and its zip library, in libraries.js: MIT; see {LICENCES}",
            "The libraries in pyodide/python.zip.xz:",
            f"{libraries}\n",
        ]
    )


HERE = Path(__file__).parent
TEMPLATES = HERE / "templates"
PAGES = ("index.html", "work.html", "play.html", "make.html", "film.html", "predict.html", "rules.html")
PLACES = {
    "work": "Tasks", "boards": "Boards", "make": "Make one", "rules": "Rules", "handouts/index": "Handouts",
}  # fmt: skip
WORK_STYLE = " 'unsafe-inline'"  # the editor makes its own
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'{}; img-src 'self' data:; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"
)
SHARED = (("web/", html_page.STATIC), ("film/", film_page.STATIC))  # and where they are in the site


def page_files(cache: Path, texts: Collection[str]) -> dict[str, bytes]:
    """Return pages, scripts and styles by their names in the site.

    Args:
        texts: the files of the boards that are on the site.

    Raises:
        InputError: the editor cannot be bundled.
    """
    folders = (("", HERE / "static"), ("", bundle(cache)), *SHARED)
    files = {
        f"{folder}{file.name}": file.read_bytes() for folder, source in folders for file in source.iterdir()
    }
    groups = positions.board_groups(lambda name: f"boards/{name}.txt" in texts)
    boards = _page("menu.html", groups=groups, replays=())
    return files | {name: _page(name).encode() for name in PAGES} | {"boards.html": boards.encode()}


def _page(template: str, root: str = "", **values: object) -> str:
    """Return a page, which shares its parts with the pages of `grade play`."""
    found = html_page.environment(TEMPLATES, film_page.TEMPLATES).get_template(template)
    shared = {"play": "play.html#", "boards": "boards.html", "edit": "make.html", "rules": "rules.html"}
    places = [(f"{root}{page}.html", name) for page, name in PLACES.items()]
    shared |= {"root": root, "home": f"{root}index.html", "film": "film.html#"}
    policy = POLICY.format(WORK_STYLE if template == "work.html" else "")
    return found.render(places=places, policy=policy, **shared, **values) + "\n"


SCHEMA = "peg-site/v1"
USUAL, MOST_S = 8, 30.0  # a right program takes this share of a limit, and at most so long
TERMINAL = "handouts/start.md"  # the first steps there; here they are the front page
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LINK = re.compile(r'href="([^":#]+)\.md(#[^"]*)?"')


def course_json(released: Mapping[str, str]) -> str:
    """Return as JSON the tasks, in the order in which they are worked on, and what is known of the boards."""
    tasks = [_task(task, released) for task in registry().tasks.values()]
    found = [find_board(PurePosixPath(name).stem) for name in board_texts(released)]
    boards = {board.name: {"about": positions.about(board), "best": positions.best(board)} for board in found}
    helping = tasks_that_help().values()
    helpers = [asdict(helper_of(task, not_written(f"student/{task.file}"))) for task in helping]
    course = {"tasks": tasks, "boards": boards, "helpers": helpers, "unwritten": STUB.pattern}
    return json.dumps({"schema": SCHEMA, **course}, indent=1) + "\n"


def _task(task: Task, released: Mapping[str, str]) -> dict[str, Any]:
    return {
        "name": task.name,
        "title": task.title,
        "file": task.file,
        "files": list(task.files),
        "points": task.max_points,
        "extra": task.extra,
        "film": has_film(task),
        "question": task.question and _question(task.question),
        "boards": [_check(task, check) for check in task.checks],
        "stub": released[f"student/{task.file}"],
        "handout": task.handout.replace(".md", ".html"),
    }


def _question(question: Question) -> dict[str, Any]:
    """Return what is asked before a program is written, with the board and the choices."""
    board = find_board(question.board)
    choices = predictions.choices(question, board)
    asked = {"words": question.words, "cells": format_board(board.board), "choices": choices}
    return asdict(question) | asked


def _check(task: Task, check: Check) -> dict[str, Any]:
    board = find_board(check.board) if kinds.of(task).has_board(check) else None
    debug = registry().debug
    asked = Asked(check, board, task, False)
    return {
        "name": check.name,
        "board": board.name if board else None,
        "pegs": board.pegs if board else None,
        "solvable": board and board.facts.solvable,
        "points": check.points,
        "contracts": board is None or debug.takes(board),
        "notRun": say("needs-compiled").message if needs_compiled(asked) else None,
        "seconds": round(min(limit_s(asked) / USUAL, MOST_S), 1),
    }


def board_texts(released: Mapping[str, str]) -> dict[str, str]:
    """Return the text of each board that is released, and of each vacancy that a task names."""
    named = {check.board for task in registry().tasks.values() for check in task.checks if "@" in check.board}
    return {
        name: text for name, text in released.items() if name.startswith("boards/") and name.endswith(".txt")
    } | {f"boards/{name}.txt": format_board(find_board(name).board) for name in named}


_BLOCK = re.compile(r"(```.*?\n```\n)", re.DOTALL)
_SENTENCE = re.compile(r"(?<=[.?!:])\s+(?=[A-Z`*])")
_COMMAND = re.compile(r"`((?:grade\s|-[a-z-])[^`]*)`")
_TYPED = re.compile(r"^\$ grade [^\n]*\n|^## [^\n]*\n\n<!-- terminal -->.*?(?=^## |\Z)", re.M | re.S)


def on_site(handout: str) -> str:
    """Return a handout, in Markdown, whose commands are links; what the site cannot do is left out."""
    parts = _BLOCK.split(_TYPED.sub("", handout))
    for place, part in enumerate(parts):
        commands = part.splitlines()[1:-1]
        if place % 2 == 0:
            parts[place] = "".join(map(_item_on_site, re.split(r"(\n\n|\n(?=- ))", part)))
        elif all(line.startswith("grade ") for line in commands):
            parts[place] = ", ".join(filter(None, map(_link, commands))) + "\n"
    return "".join(parts)


def _link(command: str) -> str:
    found = link(command)
    return f"[{found[0]}](../{found[1]})" if found else ""


def _item_on_site(item: str) -> str:
    """Return a paragraph or an entry of a list; a sentence ends before the colon of what cannot be done."""
    item = item.replace("`-d`", "**Run**")
    if not _COMMAND.search(item):
        return item
    kept: list[str] = []
    for sentence in _SENTENCE.split(item):
        found = [_link(command) for command in _COMMAND.findall(sentence)]
        if all(found):
            said = _COMMAND.sub(lambda command: _link(command[1]), sentence)
            if not (kept and kept[-1].endswith(":")):
                said = re.sub(r"^(?:- )?\[\w", lambda start: start[0].upper(), said)
            kept.append(said)
        elif kept and kept[-1].endswith(":"):
            kept[-1] = f"{kept[-1][:-1]}."
    return " ".join(kept)


def handout_pages(released: Mapping[str, str]) -> dict[str, str]:
    """Return each released handout, and a list of them, as HTML pages by name; work.html embeds their `main`.

    Raises:
        InputError: markdown-it-py, which renders them, is not installed.
    """
    try:
        from markdown_it import MarkdownIt
    except ImportError:
        raise InputError(
            "markdown-it-py, which renders the handouts, is not installed", "pip install --editable '.[site]'"
        ) from None
    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    for kind in ("html_block", "html_inline"):
        markdown.add_render_rule(kind, _without_comments)
    markdown.add_render_rule("heading_open", _with_id)
    texts = {name: text for name, text in released.items() if PurePosixPath(name).match("handouts/*.md")}
    texts.pop(TERMINAL, None)
    titles = {name: text.splitlines()[0].removeprefix("# ") for name, text in texts.items()}
    tasks = [task.handout for task in registry().tasks.values()]  # in the course's order
    names = dict.fromkeys([*tasks, *sorted(titles)])
    links = [f"- [{titles[name]}]({PurePosixPath(name).name})" for name in names if name in titles]
    texts["handouts/index.md"] = "# Handouts\n\n" + "\n".join(links)
    pages = {}
    for name, text in texts.items():
        body = _LINK.sub(r'href="\1.html\2"', markdown.render(on_site(text)))
        body = Markup(re.sub("<(pre|table)>", r'<\1 tabindex="0">', body))  # so that the keyboard scrolls it
        title = titles.get(name, "Handouts")
        pages[name.replace(".md", ".html")] = _page("handout.html", "../", title=title, body=body)
    return pages


def _with_id(renderer: Any, tokens: Sequence[Any], place: int, options: Any, env: Any) -> str:
    """Return a heading's start with an id that links lead to, as GitHub makes it."""
    words = re.sub(r"[^\w\- ]", "", tokens[place + 1].content.lower())
    tokens[place].attrSet("id", words.replace(" ", "-"))
    return str(renderer.renderToken(tokens, place, options, env))


def _without_comments(renderer: Any, tokens: Sequence[Any], place: int, options: Any, env: Any) -> str:
    """Return HTML in a handout as visible text, without comments, which are for the handout's authors."""
    return html.escape(_COMMENT.sub("", tokens[place].content).strip())
