"""`grade play`: the page to play on; it is served on this machine until Ctrl-C."""

from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

from grader.catalog.boards import find_board
from grader.errors import InputError
from grader.submissions.submission import no_such_folder


def run(board: str | None, student: Path, port: int | None, open_browser: bool) -> int:
    """Serve the page, with the board to begin with or the menu.

    Raises:
        InputError: there is no such board, no such folder, the port cannot be had, or Flask is missing.
    """
    require_flask()
    if not student.is_dir():
        raise no_such_folder(student)
    from grader.play import serve
    from grader.web import positions

    path = "/"
    if board is not None:
        path = "/play/" + quote(positions.name_in_url(find_board(board)), "@,+*")
    return serve.serve(student, path, port, open_browser)


def require_flask() -> None:
    """Raise InputError unless the page's own libraries are installed."""
    if find_spec("flask") is None:
        raise InputError(
            "grade play needs Flask, which is not installed",
            "in the course's folder, the one with pyproject.toml: pip install -e '.[play]'",
        )
