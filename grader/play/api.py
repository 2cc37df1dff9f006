"""Answer what the pages ask: for hints, films and random boards, each of which takes a while."""

import re
from collections.abc import Sequence
from dataclasses import asdict
from http import HTTPStatus
from pathlib import Path

from flask import Flask, Response, jsonify, make_response, request

from grader import paths
from grader.play.engine import RANDOM
from grader.play.guard import Refused
from grader.play.hints import Hint, Hints
from grader.play.programs import FILM, helpers
from grader.web import positions
from grader.web.helpers import Helper

KINDS = ("solvable", "unsolvable", "forced")  # of random boards
PEGS = re.compile(r"[0-9]{1,2}", re.ASCII)
PAGE_ID = re.compile(r"[A-Za-z0-9-]{8,64}", re.ASCII)
AT_ONCE_S = 0.05  # a hint that is faster is sent in the reply to the request; a slower one can be cancelled


def add_api(app: Flask, hints: Hints, student: Path) -> None:
    """Add to the application what its pages ask."""

    @app.post("/api/hint")
    def ask() -> Response:
        page, who, cells = _fields("page", "who", "cells")
        positions.parse_cells(cells)
        _check_ready(who, helpers(student))
        hint = hints.ask(_page(page), who, cells)
        hint.over.wait(AT_ONCE_S)
        return _hint(hint, HTTPStatus.OK if hint.over.is_set() else HTTPStatus.ACCEPTED)

    @app.post("/api/film")
    def new_film() -> Response:
        page, who, position = _fields("page", "who", "position")
        positions.position_of(position)
        _check_ready(who, [helper for helper in helpers(student) if helper.has_film])
        return _hint(hints.ask(_page(page), FILM + who, position), HTTPStatus.ACCEPTED)

    @app.post("/api/random")
    def new_random() -> Response:
        page, kind, pegs, cells = _fields("page", "kind", "pegs", "cells")
        board = positions.parse_cells(cells)
        most = int((board >= 0).sum()) - 1
        if kind not in KINDS or not PEGS.fullmatch(pegs) or not 2 <= int(pegs) <= most:
            message = f"expected one of {', '.join(KINDS)} with 2 to {most} pegs, found {kind!r}, {pegs!r}"
            raise Refused(HTTPStatus.BAD_REQUEST, message, "choose another number of pegs")
        if not paths.ORACLE.is_dir():
            raise Refused(HTTPStatus.NOT_FOUND, "the exact engine is not installed", "draw a board yourself")
        return _hint(hints.ask(_page(page), RANDOM, f"{kind} {pegs} {cells}"), HTTPStatus.ACCEPTED)

    @app.get("/api/hint/<id>")
    def state(id: str) -> Response:
        return _hint(_known(id), HTTPStatus.OK)

    @app.post("/api/hint/<id>/cancel")
    def cancel(id: str) -> Response:
        _fields()
        hint = _known(id)
        hints.cancel(hint)
        return _hint(hint, HTTPStatus.OK)

    @app.post("/api/here")
    def here() -> Response:
        (page,) = _fields("page")
        hints.here(_page(page))
        return jsonify(helpers=[asdict(helper) for helper in helpers(student)])

    @app.post("/api/bye")
    def bye() -> Response:
        (page,) = _fields("page")
        hints.bye(_page(page))
        return make_response("", HTTPStatus.NO_CONTENT)

    def _known(id: str) -> Hint:
        hint = hints.find(id)
        if hint is None:
            raise Refused(HTTPStatus.NOT_FOUND, "no such hint", "ask for a new one")
        return hint

    def _hint(hint: Hint, status: HTTPStatus) -> Response:
        return make_response(jsonify(hints.as_plain_data(hint)), status)


def _check_ready(who: str, those: Sequence[Helper]) -> None:
    """Raise Refused unless `who` is one of those that can be asked."""
    found = next((helper for helper in those if helper.who == who), None)
    if found is None or not found.ready:
        why = found.why if found else f"expected one of {', '.join(helper.who for helper in those)}"
        raise Refused(HTTPStatus.BAD_REQUEST, f"{who} cannot be asked: {why}", "choose another one")


def _fields(*names: str) -> list[str]:
    """Return the values of the request's JSON object, which must have exactly these fields, all texts.

    Raises:
        Refused: it has other fields, or is not an object of texts.
    """
    given = request.get_json()
    right = isinstance(given, dict) and set(given) == set(names)
    if not right or not all(isinstance(value, str) for value in given.values()):
        expected = f"expected an object of texts: {', '.join(names) or 'no fields'}"
        raise Refused(HTTPStatus.BAD_REQUEST, expected, "use the page itself")
    return [given[name] for name in names]


def _page(id: str) -> str:
    if not PAGE_ID.fullmatch(id):
        raise Refused(
            HTTPStatus.BAD_REQUEST, "page: expected 8 to 64 letters and digits", "use the page itself"
        )
    return id
