"""Serve the pages and answer their requests; guard.py decides which requests are allowed."""

from dataclasses import asdict
from http import HTTPStatus
from pathlib import Path
from urllib.parse import quote, unquote

from flask import Blueprint, Flask, Response, jsonify, make_response, redirect, render_template, request
from werkzeug.exceptions import HTTPException

from grader import errors, paths
from grader.catalog.boards import NamedBoard
from grader.errors import InputError
from grader.film.page import STATIC as FILM_STATIC
from grader.film.page import TEMPLATES as FILM_TEMPLATES
from grader.play import replays
from grader.play.api import add_api
from grader.play.guard import MOST_BODY, OWN_PATH, Guard, Refused, own_path, protect
from grader.play.hints import Hints, TooMany
from grader.play.programs import helpers
from grader.safe_text import safe
from grader.web import positions
from grader.web.helpers import tasks_that_help
from grader.web.html_page import STATIC, TEMPLATES, in_code

START = "/start"
PLACES = (("/", "Boards"), ("/edit", "Make one"), ("/rules", "Rules"))
API = "/api/"


def create_app(guard: Guard, hints: Hints, student: Path) -> Flask:
    """Return the Flask application that serves the pages; programs in the folder `student` give the hints."""
    app = Flask(__name__)
    for blueprint in (
        Blueprint("web", __name__, STATIC, "/web", TEMPLATES),
        Blueprint("film", __name__, FILM_STATIC, "/film", FILM_TEMPLATES),
    ):
        app.register_blueprint(blueprint)
    app.jinja_env.filters["code"] = in_code
    app.jinja_env.globals.update(
        root="/", home="/", places=PLACES, boards="/", rules="/rules",
        play="/play/", film="/film/", edit="/edit",
    )  # fmt: skip
    app.config["MAX_CONTENT_LENGTH"] = MOST_BODY
    app.config["PROVIDE_AUTOMATIC_OPTIONS"] = False
    app.before_request(lambda: guard.check(request, START))
    app.after_request(protect)
    _add_errors(app)
    _add_pages(app, guard, student)
    add_api(app, hints, student)
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
        help = errors.advice("grade play", error, "try again")
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


def _add_pages(app: Flask, guard: Guard, student: Path) -> None:
    @app.get(START)
    def start() -> Response:
        next_path = own_path(request.args.get("next", "/"))
        response = make_response(redirect(next_path, HTTPStatus.SEE_OTHER))
        guard.let_in(request.args.get("token", ""), response)
        return response

    @app.get("/")
    def menu() -> str:
        found = [(replays.path_of(*game), *game) for game in replays.games(student)]
        return render_template("menu.html", groups=positions.board_groups(), replays=found)

    @app.get("/rules")
    def rules() -> str:
        return render_template("rules.html")

    @app.get("/play/<board>")
    @app.get("/play/<board>/<jumps>")
    def play(board: str, jumps: str = "") -> str:
        named = positions.board_of(board)
        played = positions.parse_jumps(jumps)
        positions.check_game(named, played)
        return board_page(named, named.name, jumps=played)

    def board_page(named: NamedBoard, title: str, card: object = None, **more: object) -> str:
        data = {
            "board": positions.name_in_url(named),
            "cells": positions.format_cells(named.board),
            "jumps": [],
            **more,
            "helpers": [asdict(helper) for helper in helpers(student)],
            "best": positions.best(named),
        }
        return render_template("play.html", title=title, about=positions.about(named), said=card, data=data)

    @app.get("/film/<who>/<board>")
    @app.get("/film/<who>/<board>/<jumps>")
    def film(who: str, board: str, jumps: str = "") -> str:
        task = tasks_that_help().get(who)
        if task is None:
            raise InputError(f"there is no film of {who}", "choose a board, then Film of its search")
        position = f"{board}/{jumps}" if jumps else board
        named = positions.position_of(position)
        others = [each.who for each in helpers(student) if each.has_film and each.ready]
        data = {"who": who, "position": position, "others": others}
        return render_template("search.html", title=f"{who} on {named.name}", data=data)

    @app.get("/edit")
    @app.get("/edit/<board>")
    def edit(board: str = "one-jump") -> str:
        data = {
            "cells": positions.format_cells(positions.board_of(board).board),
            "helpers": [asdict(helper) for helper in helpers(student)],
            "random": paths.ORACLE.is_dir(),
        }
        return render_template("editor.html", data=data)

    @app.get("/replay/<task>/<board>")
    def replay(task: str, board: str) -> str:
        return board_page(**replays.replay(student, task, unquote(board)))
