"""Run the page's server: open its socket and the browser, and end everything that it started."""

import os
import socket
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import click
from werkzeug.serving import WSGIRequestHandler, make_server

from grader import paths
from grader.errors import FULL_MARKS, InputError
from grader.judging import calibration
from grader.play import browser
from grader.play.app import START, create_app
from grader.play.engine import FEWEST, ORACLE, RANDOM, RULE, Oracle
from grader.play.guard import Guard
from grader.play.hints import Hints, Line
from grader.play.programs import FILM, Films, Programs, our_fault
from grader.web.helpers import tasks_that_help

HOST = "127.0.0.1"
IDLE_S = 30.0  # time until a silent connection is closed


class Handler(WSGIRequestHandler):
    """Logs nothing to the terminal and does not name the server's software."""

    timeout = IDLE_S
    server_version = "grade"
    sys_version = ""

    def log(self, type: str, message: str, *args: Any) -> None:
        """Keep no log."""

    def version_string(self) -> str:
        """Return the value of the Server header."""
        return self.server_version


def serve(student: Path, path: str, port: int) -> int:
    """Serve the page until Ctrl-C, and open it in a browser, if there is one.

    Raises:
        InputError: no port is available.
    """
    listening = _listen(port)
    number = listening.getsockname()[1]
    guard = Guard(number)
    calibration.factor()  # measured before anything else runs
    if open_browser := browser.is_there():
        browser.open_page(_url(number, guard.ticket or "", path))
    hints = Hints(_lines(student))
    server = make_server(
        HOST, number, create_app(guard, hints, student), threaded=True,
        request_handler=Handler, fd=listening.fileno(),
    )  # fmt: skip
    click.echo(f"{'playing at' if open_browser else 'open in a browser:'} {_url(number, guard.token, path)}")
    click.echo("press Ctrl-C to stop")
    try:
        server.serve_forever()  # returns on Ctrl-C
    finally:
        hints.close()
        listening.close()
    return FULL_MARKS


def _lines(student: Path) -> dict[str, Line]:
    """Return the queue of each helper: one shared by all programs, one for films, and one for the oracle."""
    programs = Line(Programs(student), our_fault)
    lines = dict.fromkeys(tasks_that_help(), programs)
    films = Line(Films(student), our_fault)
    lines |= {FILM + name: films for name in tasks_that_help()}
    if paths.ORACLE.is_dir():
        lines |= dict.fromkeys((ORACLE, FEWEST, RULE, RANDOM), Line(Oracle(), our_fault))
    return lines


def _url(port: int, token: str, path: str) -> str:
    query = urlencode({"token": token, "next": path}, safe="/@,+*", quote_via=quote)
    return f"http://{HOST}:{port}{START}?{query}"


def _listen(port: int) -> socket.socket:
    """Return a socket that listens on this machine only, on `port` or, if that is in use, on any free one."""
    why: str | None = None
    for number in (port, 0):
        listening = socket.socket()
        if os.name == "posix":  # on Windows it would let two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((HOST, number))
            listening.listen(128)
            return listening
        except OSError as error:
            listening.close()
            why = error.strerror
    raise InputError(f"{HOST}: cannot open a port: {why}", "a firewall or a sandbox may forbid it")
