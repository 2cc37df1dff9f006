"""Decide which requests the server answers: only those of the browser that opened the first URL.

Any web page can send requests to 127.0.0.1, and any host name can be made to point there. So a request must
carry the cookie that only the first URL sets, name this server as host, and come from one of its pages.
"""

import hmac
import os
import re
import secrets
import socket
from http import HTTPStatus
from pathlib import Path

from flask import Request, Response

HOSTS = re.compile(r"(127\.0\.0\.1|localhost)(:\d{1,5})?")  # of any port: it may be forwarded from another
METHODS = ("GET", "HEAD", "POST")
MOST_PATH = 500  # characters; the longest position has 64 cells and 63 jumps of five characters
MOST_QUERY = 2000  # the same, each character percent-encoded as three
MOST_BODY = 1000  # bytes
TCP = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))  # of Linux; see its proc_net_tcp.rst
OPEN = ("01", "08")  # ESTABLISHED, and CLOSE_WAIT: the server has closed its end
OWN_PATH = re.compile(r"/(?![/\\])[^\\\x00-\x20\x7f]*")  # browsers take // and /\ for a host's name

PRINTED = "open the address that `grade play` printed"

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Refused(Exception):
    """A request that is refused."""

    def __init__(self, status: HTTPStatus, message: str, help: str, stranger: bool = False) -> None:
        super().__init__(message)
        self.status = status  # the HTTP status, 4xx
        self.message = message
        self.help = help
        # whether the request may come from outside our pages; if so, its error page loads nothing
        self.stranger = stranger


def _forbidden(message: str, help: str) -> Refused:
    return Refused(HTTPStatus.FORBIDDEN, message, help, stranger=True)


class Guard:
    """The secrets of one run of the server."""

    def __init__(self, port: int) -> None:
        self.token = secrets.token_urlsafe(24)  # part of the printed URL; valid any number of times
        # part of the URL that the browser is started with; valid once, since other users of the machine may
        # see it in the list of processes
        self.ticket: str | None = secrets.token_urlsafe(24)
        self._secret = secrets.token_urlsafe(24)
        self._cookie = f"peg-{port}-{secrets.token_hex(4)}"  # all ports of 127.0.0.1 share their cookies

    def check(self, request: Request, start: str) -> None:
        """Raise Refused unless the request may be answered.

        Args:
            start: the path that sets the cookie, and so is allowed without one.
        """
        host = request.environ.get("HTTP_HOST", "")
        if not HOSTS.fullmatch(host):
            raise _forbidden("wrong host: this server answers to 127.0.0.1 only", PRINTED)
        if _is_another_users(request):  # who may know the secrets: cookies are sent to every port of a host
            raise _forbidden("another user of this machine sent this request", "type `grade play` yourself")
        if request.method not in METHODS:
            raise Refused(
                HTTPStatus.METHOD_NOT_ALLOWED,
                f"expected one of {', '.join(METHODS)}", "use the page itself", stranger=True,
            )  # fmt: skip
        origin = request.environ.get("HTTP_ORIGIN", "" if request.method == "POST" else f"http://{host}")
        if origin not in (f"http://{host}", f"https://{host}"):
            raise _forbidden("wrong origin: another page sent this request", PRINTED)
        self._check_size(request)
        if request.path == start and request.method != "POST":
            return
        cookie = request.cookies.get(self._cookie, "")
        if not _same(cookie, self._secret):
            raise _forbidden(
                "this browser has not been let in yet", f"{PRINTED} in the terminal, then this one again"
            )

    def _check_size(self, request: Request) -> None:
        for what, length, most, status in (
            ("address", len(request.path), MOST_PATH, HTTPStatus.REQUEST_URI_TOO_LONG),
            ("query", len(request.query_string), MOST_QUERY, HTTPStatus.REQUEST_URI_TOO_LONG),
            ("body", request.content_length or 0, MOST_BODY, HTTPStatus.REQUEST_ENTITY_TOO_LARGE),
        ):
            if length > most:
                raise Refused(
                    status, f"{what}: expected at most {most} characters, found {length}",
                    "use the page itself", stranger=True,
                )  # fmt: skip

    def let_in(self, given: str, response: Response) -> None:
        """Set the cookie if `given` is the token, or if it is the ticket, which can be used once.

        Raises:
            Refused: `given` is neither the token nor an unused ticket.
        """
        by_ticket = self.ticket is not None and _same(given, self.ticket)
        if not by_ticket and not _same(given, self.token):
            raise _forbidden(
                "this address is of another run of `grade play`, or was opened before",
                f"{PRINTED} in the terminal",
            )
        if by_ticket:
            self.ticket = None
        response.set_cookie(self._cookie, self._secret, httponly=True, samesite="Strict")


def _is_another_users(request: Request) -> bool:
    """Return whether another user of this machine sent a request, where the system tells.

    Root is let in, who could anyway, and so is everybody by a server of root's. Whose a connection was is not
    told once it is closed, but nobody closes it who waits for an answer.
    """
    user = getattr(os, "geteuid", int)()
    if user == 0:
        return False
    client, server = (
        socket.inet_aton(address or "0.0.0.0")[::-1].hex().upper()
        + f":{int(request.environ.get(f'{end}_PORT', 0)):04X}"
        for end, address in (("REMOTE", request.remote_addr), ("SERVER", "127.0.0.1"))
    )
    lines = [line for table in TCP if table.exists() for line in table.read_text("ascii").splitlines()]
    ends = [
        (here, there, state, owner) for _, here, there, state, _, _, _, owner, *_ in map(str.split, lines)
    ]
    is_told = any(here.endswith(server) for here, _, _, _ in ends)
    return is_told and not any(
        here.endswith(client) and there.endswith(server) and state in OPEN and owner in ("0", str(user))
        for here, there, state, owner in ends
    )


def own_path(path: str) -> str:
    """Return the requested redirect target if it is a path on this server.

    Raises:
        Refused: it leads elsewhere.
    """
    if not OWN_PATH.fullmatch(path) or len(path) > MOST_PATH:
        raise Refused(
            HTTPStatus.BAD_REQUEST, "next: expected a path on this server",
            "leave it out to get to the menu", stranger=True,
        )  # fmt: skip
    return path


def protect(response: Response) -> Response:
    """Return a response with the security headers that every response gets."""
    response.headers.update(HEADERS)
    return response


def _same(given: str, secret: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode())
