"""`grade play`: serve the page for playing, to this machine only, until Ctrl-C."""

from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import click

from grader.catalog.boards import find_board
from grader.commands.options import STUDENT, tell_tier
from grader.errors import InputError
from grader.play.browser import PORT
from grader.submissions.submission import check_folder


@click.command()
@click.argument("board", required=False)
@STUDENT
@click.option(
    "--port", type=click.IntRange(1, 65535), default=PORT, show_default=True, metavar="N",
    help="Port of the page, on this machine only; any free one if it is in use.",
)  # fmt: skip
def play(board: str | None, student: Path, port: int) -> int:
    """Play in the browser, with hints from your own programs; without BOARD, begin with the menu."""
    if find_spec("flask") is None:
        raise InputError("`grade play` needs Flask, which is not installed", "pip install flask jinja2")
    check_folder(student)
    from grader.play import serve
    from grader.web import positions

    path = "/"
    if board is not None:
        path = "/play/" + quote(positions.name_in_url(find_board(board)), "@,+*")
    tell_tier()
    return serve.serve(student, path, port)
