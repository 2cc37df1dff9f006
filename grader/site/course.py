"""Write what the page shows before Python is loaded: tasks with their boards and stubs, and handouts."""

import html
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from framework.board import format_board
from grader.catalog.boards import find_board
from grader.catalog.tasks import Asked, Check, Task, registry
from grader.errors import InputError
from grader.film.record import has_film
from grader.judging import kinds
from grader.messages.catalogue import say
from grader.site.browser.plain import needs_compiled

SCHEMA = "peg-site/v1"
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} · Peg Solitaire</title>
<link rel="stylesheet" href="../web/style.css">
<link rel="icon" href="../play/icon.svg" type="image/svg+xml">
</head>
<body>
<main>
{body}</main>
</body>
</html>
"""
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LINK = re.compile(r'href="([^":#]+)\.md(#[^"]*)?"')


def course_json(released: Mapping[str, str]) -> str:
    """Return the tasks as JSON, in the order in which students work on them."""
    tasks = [_task(task, released) for task in registry().tasks.values()]
    return json.dumps({"schema": SCHEMA, "tasks": tasks}, indent=1) + "\n"


def _task(task: Task, released: Mapping[str, str]) -> dict[str, Any]:
    return {
        "name": task.name,
        "title": task.title,
        "file": task.file,
        "files": list(task.files),
        "points": task.max_points,
        "extra": task.extra,
        "film": has_film(task),
        "boards": [_check(task, check) for check in task.checks],
        "stub": released[f"student/{task.file}"],
        "handout": _page(task.handout),
    }


def _check(task: Task, check: Check) -> dict[str, Any]:
    board = find_board(check.board) if kinds.of(task).has_board(check) else None
    debug = registry().debug
    return {
        "name": check.name,
        "board": board.name if board else None,
        "pegs": board.pegs if board else None,
        "points": check.points,
        "contracts": board is None or debug.takes(board),
        "notRun": say("needs-compiled").message if needs_compiled(Asked(check, board, task, False)) else None,
    }


def board_texts(released: Mapping[str, str]) -> dict[str, str]:
    """Return the text of each board that is released, and of each vacancy that a task names."""
    named = {check.board for task in registry().tasks.values() for check in task.checks if "@" in check.board}
    return {
        name: text for name, text in released.items() if name.startswith("boards/") and name.endswith(".txt")
    } | {f"boards/{name}.txt": format_board(find_board(name).board) for name in named}


def handout_pages(released: Mapping[str, str]) -> dict[str, str]:
    """Return each released handout as an HTML page, by file name; index.html embeds its `main` element.

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
    pages = {}
    for name, text in released.items():
        if name.startswith("handouts/") and name.count("/") == 1:
            body = _LINK.sub(r'href="\1.html\2"', markdown.render(text))
            pages[_page(name)] = _PAGE.format(title=PurePosixPath(name).stem, body=body)
    return pages


def _without_comments(renderer: Any, tokens: Sequence[Any], place: int, options: Any, env: Any) -> str:
    """Return HTML in a handout as visible text, without comments, which are for the handout's authors."""
    return html.escape(_COMMENT.sub("", tokens[place].content).strip())


def _page(handout: str) -> str:
    return str(PurePosixPath(handout).with_suffix(".html"))
