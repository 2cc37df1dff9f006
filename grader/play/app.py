"""Serve the pages and answer their requests; guard.py decides which requests are allowed."""

import re
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import quote

from flask import Blueprint, Flask, Response, jsonify, make_response, redirect, render_template, request
from werkzeug.exceptions import HTTPException

from grader import paths
from grader.catalog.boards import ANY_GOAL, NamedBoard, course_boards
from grader.errors import InputError
from grader.messages import fault_report
from grader.play import replays
from grader.play.engine import RANDOM
from grader.play.guard import MOST_BODY, OWN_PATH, Guard, Refused, own_path, protect
from grader.play.helpers import helpers
from grader.play.hints import Hint, Hints, TooMany
from grader.safe_text import safe
from grader.web import positions
from grader.web.html_page import STATIC

START = "/start"
API = "/api/"
APART = {"lab-": "for the hashing lab", "few-": "for the fewest moves"}  # groups, by how the names begin
KINDS = ("solvable", "unsolvable", "forced")  # of random boards
PEGS = re.compile(r"[0-9]{1,2}", re.ASCII)
PAGE_ID = re.compile(r"[A-Za-z0-9-]{8,64}", re.ASCII)
SMALL_ENOUGH = 33  # holes; the oracle knows positions on such boards at once, or after some seconds once
AT_ONCE_S = 0.05  # a hint that is faster is sent in the reply to the request; a slower one can be cancelled
SMALL, LARGE = 16, 27  # holes


@dataclass(frozen=True)
class Place:
    """What the pages work with.

    Attributes:
        guard: decides which requests are answered.
        hints: the hints that pages ask for.
        student: the folder whose programs give hints, and whose solutions are replayed.
    """

    guard: Guard
    hints: Hints
    student: Path


def create_app(place: Place) -> Flask:
    """Return the Flask application that serves the pages."""
    app = Flask(__name__)
    app.register_blueprint(Blueprint("web", __name__, static_folder=STATIC, static_url_path="/web"))
    app.config["MAX_CONTENT_LENGTH"] = MOST_BODY
    app.config["PROVIDE_AUTOMATIC_OPTIONS"] = False
    app.before_request(lambda: place.guard.check(request, START))
    app.after_request(protect)
    _add_errors(app)
    _add_pages(app, place)
    _add_hints(app, place)
    return app


# ---- errors ------------------------------------------------------------------------------------


def _add_errors(app: Flask) -> None:
    @app.errorhandler(Refused)
    def refused(error: Refused) -> Response:
        return _error(error.status, error.message, error.help, stranger=error.stranger)

    @app.errorhandler(InputError)
    def wrong_input(error: InputError) -> Response:
        status = HTTPStatus.BAD_REQUEST if request.path.startswith(API) else HTTPStatus.NOT_FOUND
        return _error(status, error.message, error.help)

    @app.errorhandler(TooMany)
    def too_many(error: TooMany) -> Response:
        return _error(
            HTTPStatus.TOO_MANY_REQUESTS, "too many hints or pages at a time", "close some, or wait a little"
        )

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> Response:
        status = HTTPStatus(error.code or 500)
        return _error(status, status.phrase.lower(), "go to the menu and choose from there")

    @app.errorhandler(Exception)
    def our_fault(error: Exception) -> Response:
        help = fault_report.advice("grade play", error, "try again")
        message = f"the grader itself failed ({type(error).__name__}); this is not your fault"
        return _error(HTTPStatus.INTERNAL_SERVER_ERROR, message, help)


def _error(status: HTTPStatus, message: str, help: str, stranger: bool = False) -> Response:
    """Return an error as a page, or as JSON if the request was to the API."""
    said = {"title": f"{status.value} {status.phrase}", "message": safe(message), "help": safe(help)}
    if request.path.startswith(API):
        return make_response(jsonify(said), status)
    page_of_ours = request.method == "GET" and request.path != START and OWN_PATH.fullmatch(request.path)
    again = quote(request.path, "/@,+*:") if stranger and page_of_ours else ""
    return make_response(render_template("error.html", **said, bare=stranger, path=again), status)


# ---- pages -------------------------------------------------------------------------------------


def _add_pages(app: Flask, place: Place) -> None:
    @app.get(START)
    def start() -> Response:
        next_path = own_path(request.args.get("next", "/"))
        response = make_response(redirect(next_path, HTTPStatus.SEE_OTHER))
        place.guard.let_in(request.args.get("token", ""), response)
        return response

    @app.get("/")
    def menu() -> str:
        found = replays.replays(place.student)
        return render_template("menu.html", title="boards", groups=board_groups(), replays=found)

    @app.get("/rules")
    def rules() -> str:
        return render_template("rules.html", title="rules")

    @app.get("/play/<board>")
    @app.get("/play/<board>/<jumps>")
    def play(board: str, jumps: str = "") -> str:
        named = positions.board_of(board)
        played = positions.parse_jumps(jumps)
        positions.check_game(named, played)
        facts = named.facts
        data = {
            "board": positions.name_in_url(named),
            "cells": positions.format_cells(named.board),
            "jumps": played,
            "helpers": [helper.as_plain_data() for helper in helpers(place.student)],
            "best": {"pegs": facts.fewest, "moves": facts.moves.get(ANY_GOAL)},
            "solvable": facts.solvable,
            "small": int((named.board >= 0).sum()) <= SMALL_ENOUGH,
            "teaches": named.teaches,
        }
        return render_template("play.html", title=named.name, board=data["board"], data=data)

    @app.get("/edit")
    @app.get("/edit/<board>")
    def edit(board: str = "one-jump") -> str:
        data = {
            "cells": positions.format_cells(positions.board_of(board).board),
            "helpers": [helper.as_plain_data() for helper in helpers(place.student)],
            "random": paths.ORACLE.is_dir(),
        }
        return render_template("editor.html", data=data)

    @app.get("/replay/<task>/<board>")
    def replay(task: str, board: str) -> str:
        data = replays.replay(place.student, task, replays.name_of(board))
        return render_template("replay.html", title=f"{data['task']} on {data['board']}", data=data)


def board_groups() -> list[dict[str, Any]]:
    """Return all boards of the course for the menu, in groups of similar boards."""
    boards = course_boards()
    listed = [board for name in boards.names if (board := boards.find(name))]
    groups: dict[str, list[NamedBoard]] = {"the classic boards": [], "larger": [], "small": []}
    for name in boards.vacancies:
        board = boards.find(name)
        assert board is not None
        groups.setdefault(f"every vacancy: {name.partition('@')[0]}", []).append(board)
    for board in listed:
        groups.setdefault(_group_of(board), []).append(board)
    return [
        {"title": title, "boards": [(board, positions.format_cells(board.board)) for board in group]}
        for title, group in groups.items()
    ]


def _group_of(board: NamedBoard) -> str:
    apart = next((title for start, title in APART.items() if board.name.startswith(start)), None)
    if apart is not None:
        return apart
    facts, holes = board.facts, int((board.board >= 0).sum())
    if facts.forced:
        few = facts.positions is not None and facts.positions <= 2
        return "one jump, or none" if few else "never more than one jump to make"
    if holes > LARGE:
        return "the classic boards"
    return "small" if holes <= SMALL else "larger"


# ---- hints -------------------------------------------------------------------------------------


def _add_hints(app: Flask, place: Place) -> None:
    hints = place.hints

    @app.post("/api/hint")
    def ask() -> Response:
        page, who, cells = _fields("page", "who", "cells")
        positions.parse_cells(cells)
        ready = {helper.who: helper for helper in helpers(place.student)}
        if who not in ready or not ready[who].ready:
            why = ready[who].why if who in ready else f"expected one of {', '.join(ready)}"
            raise Refused(HTTPStatus.BAD_REQUEST, f"{who} cannot be asked: {why}", "choose another one")
        hint = hints.ask(_page(page), who, cells)
        hint.over.wait(AT_ONCE_S)
        return _hint(hint, HTTPStatus.OK if hint.over.is_set() else HTTPStatus.ACCEPTED)

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
        return jsonify(helpers=[helper.as_plain_data() for helper in helpers(place.student)])

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
