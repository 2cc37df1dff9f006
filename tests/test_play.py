"""The server of `grade play`: positions, who may ask, hints and their processes, and 10,000 random requests."""

import contextlib
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from framework.board import Board, count_pegs
from framework.jumps import Jump, legal_jumps, moves_of, play_jump
from framework.verify import verify
from grader import paths
from grader.catalog.boards import course_boards, find_board
from grader.cli import cli
from grader.commands import replay
from grader.errors import InputError
from grader.oracle.explore import explore
from grader.play import browser, guard, hints, replays, serve
from grader.play.app import START, create_app
from grader.play.engine import FEWEST, ORACLE, RULE
from grader.play.guard import HEADERS, MOST_BODY, Guard
from grader.play.hints import Answerer, Hint, Hints, Line, TooMany
from grader.play.programs import FILM, helpers
from grader.sandbox.parent.sandbox import SCRATCH
from grader.web import positions
from support.command import grade, refused
from support.played_pages import PAGE, Served, running, served
from support.processes import below, cpu_s

pytestmark = pytest.mark.slow

ENGLISH = positions.format_cells(find_board("english").board)
PORT = 8064
HOST = f"127.0.0.1:{PORT}"
__all__ = ["served"]  # a fixture
needs_proc = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at processes by /proc")

# ---- positions ---------------------------------------------------------------------------------

boards = st.lists(st.sampled_from([-1, 0, 1]), min_size=64, max_size=64).filter(lambda cells: 1 in cells)


@given(boards)
def test_a_board_stands_in_a_url(cells: list[int]) -> None:
    board: Board = np.array(cells, dtype=np.int8).reshape(8, 8)
    text = positions.format_cells(board)
    assert (positions.board_of(text).board == board).all()
    assert positions.name_in_url(positions.board_of(text)) == text


@settings(max_examples=40)
@given(st.randoms(use_true_random=False))
def test_a_game_stands_in_a_url(rng: random.Random) -> None:
    start = find_board("english")
    played, jumps = start.board.copy(), list[Jump]()
    while (legal := legal_jumps(played)) and rng.random() < 0.95:
        jumps.append(rng.choice(legal))
        play_jump(played, jumps[-1])
    text = ".".join("".join(map(str, jump)) for jump in jumps)
    assert positions.parse_jumps(text) == jumps
    positions.check_game(start, jumps)
    if jumps:
        with pytest.raises(InputError, match=f"jump {len(jumps) + 1} cannot be played on english: "):
            positions.check_game(start, [*jumps, jumps[-1]])


@pytest.mark.parametrize("name", ["english", "english@0,2", "key+r90", "french@3,3+flip"])
def test_boards_keep_their_names(name: str) -> None:
    assert positions.name_in_url(positions.board_of(name)) == name


@pytest.mark.parametrize(
    ("board", "jumps", "message"),
    [
        ("englsh", "", "no board 'englsh'"),
        ("", "", "no board ''"),
        ("../boards/english.txt", "", "no board '../boards/english.txt'"),
        ("english.txt", "", "no board 'english.txt'"),
        ("ENGLISH", "", "no board 'ENGLISH'"),
        ("english@0,0", "", "board english@0,0: 0,0 is not a hole of the english board"),
        ("x" * 2000, "", "no board '" + "x" * 40 + "…'"),
        ("*" * 63, "", "board: expected 64 cells, found 63"),
        ("*" * 65, "", "board: expected 64 cells, found 65"),
        ("*" * 63 + ".", "", "board: cell 64: expected '*', 'o' or '-', found '.'"),
        ("o" * 64, "", "board: expected at least one peg, found none"),
        ("english", "313", "jump 1: expected four digits from 0 to 7, found '313'"),
        ("english", "1333..", "jump 2: expected four digits from 0 to 7, found ''"),
        ("english", "1338", "jump 1: expected four digits from 0 to 7, found '1338'"),
        ("english", "١٣٣٣", "jump 1: expected four digits from 0 to 7, found '١٣٣٣'"),
        ("english", ".".join(["1333"] * 64), "jumps: expected at most 63, found 64"),
        ("english", "1333.1333", "jump 2 cannot be played on english: 1:3 -> 3:3 starts at 1:3, which is empty"),
        ("english", "0000", "jump 1 cannot be played on english: 0:0 -> 0:0 is not a jump of two cells in a straight line"),
    ],
)  # fmt: skip
def test_what_is_no_position_is_told(board: str, jumps: str, message: str) -> None:
    with pytest.raises(InputError) as told:
        positions.check_game(positions.board_of(board), positions.parse_jumps(jumps))
    assert told.value.message == message
    assert told.value.help


# ---- an application without processes ----------------------------------------------------------


class Answering(Answerer):
    """Answers when it is let, and counts what is asked of it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.closed = self.warmed = 0
        self.may = threading.Event()
        self.may.set()

    def warm(self) -> None:
        self.warmed += 1

    def answer(self, who: str, about: str) -> dict[str, Any]:
        self.asked.append(who)
        assert not self.stopped.is_set()  # by what was meant for the one before
        while not self.may.wait(0.001) and not self.stopped.is_set():
            pass
        if who == "peg5":
            raise RuntimeError("our own fault")
        return {"said": f"{who} says so"}

    def close(self) -> None:
        self.closed += 1


@dataclass
class Site:
    client: FlaskClient
    guard: Guard
    hints: Hints
    answering: Answering

    def ask(self, method: str, path: str, data: Any = None, **headers: str) -> Any:
        """Send a request with the right Host and Origin, unless others are given."""
        sent = {"Host": HOST, "Origin": f"http://{HOST}", **headers}
        body = {"json": data} if data is not None else {}
        return self.client.open(
            path, method=method, headers={k: v for k, v in sent.items() if v}, buffered=True, **body
        )

    def enter(self) -> None:
        assert self.ask("GET", f"{START}?token={self.guard.token}").status_code == 303


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(hints, "SILENCE_S", 3600.0)  # however slow the machine
    shutil.copytree(paths.REFERENCE, tmp_path / "student", ignore=shutil.ignore_patterns("__pycache__"))
    answering = Answering()
    line = Line(answering, lambda who, error: {"said": f"{who}: {error}"})
    asked = Hints(
        {start + helper.who: line for helper in helpers(tmp_path / "student") for start in ("", FILM)}
    )
    guard = Guard(PORT)
    app = create_app(guard, asked, tmp_path / "student")
    yield Site(app.test_client(), guard, asked, answering)
    answering.may.set()
    asked.close()


@pytest.fixture
def inside(site: Site) -> Site:
    """The site for a browser that was let in."""
    site.enter()
    return site


@pytest.mark.parametrize(
    "path",
    ["/", "/rules", "/play/english", "/play/english/1333", "/static/requests.js", "/web/board.js", "/none"],
)
def test_nobody_comes_in_without_the_token(site: Site, path: str) -> None:
    refused = site.ask("GET", path, Origin="")
    assert refused.status_code == 403
    assert "the address that `grade play` printed" in refused.text
    site.enter()
    let_in = site.ask("GET", path, Origin="")
    assert let_in.status_code == (404 if path == "/none" else 200)
    for answer in (refused, let_in):
        assert HEADERS.items() <= dict(answer.headers).items()


@pytest.mark.parametrize(
    ("path", "link"),
    [
        ("/play/english/1333", '<a href="/play/english/1333">'),
        ("/play/a'b%", '<a href="/play/a%27b%25">'),
        ("//evil.example", '<a href="/evil.example">'),
        ("/\\evil.example", ""),
    ],
)
def test_who_comes_by_a_link_can_try_again(site: Site, path: str, link: str) -> None:
    """A browser sends the cookie along from our own page, not from another's."""
    refused = site.client.get("/", environ_overrides={"PATH_INFO": path}, headers={"Host": HOST})
    assert refused.status_code == 403
    assert (link in refused.text) if link else ("<a " not in refused.text)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 403),
        ({"Host": f"evil.example:{PORT}", "Origin": f"http://evil.example:{PORT}"}, 403),
        ({"Host": "evil.example", "Origin": ""}, 403),
        ({"Host": f"evil.example:{PORT}"}, 403),
        ({"Host": "127.0.0.1"}, 403),
        ({"Host": "127.0.0.1:80"}, 403),
        ({"Host": f"127.0.0.1:{PORT}.evil.example"}, 403),
        ({"Host": f"[::1]:{PORT}"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": f"https://{HOST}"}, 200),
        ({"Origin": f"http://localhost:{PORT}"}, 403),
        ({"Host": f"localhost:{PORT}", "Origin": f"http://localhost:{PORT}"}, 200),
        ({"Host": "localhost:80", "Origin": "https://localhost:80"}, 200),  # a forwarded port
        ({}, 200),
    ],
)
def test_only_its_own_pages_may_ask(site: Site, headers: dict[str, str], status: int) -> None:
    for cookie_host in (HOST, f"localhost:{PORT}"):
        site.ask("GET", f"{START}?token={site.guard.token}", Host=cookie_host, Origin="")
    cookies = "; ".join(f"{cookie.key}={cookie.value}" for cookie in site.client._cookies.values())
    right = {"Host": HOST, "Origin": f"http://{HOST}", "Cookie": cookies}
    for method, path, data in (("GET", "/rules", None), ("POST", "/api/here", {"page": PAGE})):
        answer = site.client.application.test_client(use_cookies=False).open(
            path, method=method, json=data,
            headers={k: v for k, v in {**right, **headers}.items() if v},
        )  # fmt: skip
        assert answer.status_code == status


def test_a_post_must_say_where_it_comes_from(inside: Site) -> None:
    assert inside.ask("POST", "/api/here", {"page": PAGE}, Origin="").status_code == 403
    assert inside.ask("GET", "/rules", Origin="").status_code == 200


def test_the_browsers_own_address_is_good_once(site: Site) -> None:
    ticket = site.guard.ticket
    entered = site.ask("GET", f"{START}?token={ticket}&next=/play/english")
    assert entered.headers["Location"] == "/play/english"
    assert "HttpOnly" in entered.headers["Set-Cookie"] and "SameSite=Strict" in entered.headers["Set-Cookie"]
    assert site.ask("GET", f"{START}?token={ticket}").status_code == 403
    for token in ("", "x", site.guard.token[:-1], site.guard.token + "x", "é"):
        assert site.ask("GET", f"{START}?token={token}").status_code == 403
    site.enter()
    site.enter()


def test_another_user_of_the_machine_is_refused(
    inside: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever they know of the secrets, from each address of this machine, also by a socket of IPv6."""
    monkeypatch.setattr(guard, "TCP", (tmp_path / "tcp", tmp_path / "tcp6"))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    mapped = "0000000000000000FFFF0000"
    listens = " 1: 0100007F:1F80 00000000:0000 0A 00000000:00000000 00:00000000 00000000 1000 0 1"
    for table, family, server, state, user, status in (
        ("tcp", "", 1, "01", 1001, 403),
        ("tcp", "", 1, "01", 1000, 200),
        ("tcp", "", 2, "01", 1000, 403),  # to another server, with the same port of another address
        ("tcp", "", 1, "05", 0, 403),  # nobody's, since it is closed
        ("tcp6", mapped, 1, "01", 1001, 403),
        ("tcp6", mapped, 1, "01", 1000, 200),
    ):
        ends = f"{family}0200007F:ABCD {family}0{server}00007F:1F80"
        of_port = f" 0: {ends} {state} 00000000:00000000 00:00000000 00000000 {user} 0 1"
        (tmp_path / table).write_text(
            f"  sl  local_address rem_address   st a b c d uid\n{of_port}\n{listens}\n"
        )
        request = {"REMOTE_ADDR": "127.0.0.2", "REMOTE_PORT": 0xABCD, "SERVER_PORT": "8064"}
        answer = inside.client.get("/rules", headers={"Host": HOST}, environ_overrides=request)
        assert answer.status_code == status


@pytest.mark.parametrize(
    "path", ["//evil.example", "/\\evil.example", "http://evil.example", "", "rules", "/a\n", "/\\"]
)
def test_nobody_is_led_elsewhere(site: Site, path: str) -> None:
    answer = site.client.get(
        START, query_string={"token": site.guard.token, "next": path}, headers={"Host": HOST}
    )
    assert answer.status_code == 400
    assert "Location" not in answer.headers and "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(
    ("method", "path", "data", "status"),
    [
        ("PUT", "/", None, 405),
        ("OPTIONS", "/", None, 405),
        ("POST", "/", {}, 405),
        ("GET", "/api/hint", None, 405),
        ("GET", "/play/" + "x" * 500, None, 414),
        ("GET", "/?" + "x" * 2001, None, 414),
        ("POST", "/api/here", {"page": "x" * MOST_BODY}, 413),
        ("POST", "/api/here", {"page": "short"}, 400),
        ("POST", "/api/here", {"page": PAGE, "more": ""}, 400),
        ("POST", "/api/here", {"page": 12345678}, 400),
        ("POST", "/api/here", [PAGE], 400),
        ("POST", "/api/hint", {"page": PAGE, "who": "peg3"}, 400),
        ("POST", "/api/hint", {"page": PAGE, "who": "peg1", "cells": ENGLISH}, 400),
        ("POST", "/api/hint", {"page": PAGE, "who": "../x", "cells": ENGLISH}, 400),
        ("POST", "/api/hint", {"page": PAGE, "who": "peg3", "cells": "o" * 64}, 400),
        ("POST", "/api/hint", {"page": PAGE, "who": "peg3", "cells": ENGLISH[1:]}, 400),
        ("POST", "/api/random", {"page": PAGE, "kind": "odd", "pegs": "7", "cells": ENGLISH}, 400),
        ("POST", "/api/random", {"page": PAGE, "kind": "forced", "pegs": "33", "cells": ENGLISH}, 400),
        ("POST", "/api/random", {"page": PAGE, "kind": "forced", "pegs": "-1", "cells": ENGLISH}, 400),
        ("POST", "/api/film", {"page": PAGE, "who": "peg3", "cells": ENGLISH}, 400),
        ("POST", "/api/film", {"page": PAGE, "who": "oracle", "position": "english"}, 400),
        ("POST", "/api/film", {"page": PAGE, "who": "peg1", "position": "english"}, 400),
        ("POST", "/api/film", {"page": PAGE, "who": "peg3", "position": "nowhere"}, 400),
        ("POST", "/api/film", {"page": PAGE, "who": "peg3", "position": "english/1111"}, 400),
        ("GET", "/film/oracle/english", None, 404),
        ("GET", "/film/peg3/nowhere", None, 404),
        ("GET", "/film/peg3/english/1111", None, 404),
        ("GET", "/film/../page.py", None, 404),
        ("GET", "/play/english/3133.3133", None, 404),
        ("GET", "/edit/no-such-board", None, 404),
        ("GET", "/api/hint/none", None, 404),
        ("POST", "/api/hint/none/cancel", {}, 404),
        ("GET", "/replay/peg1/english", None, 404),
        ("GET", "/replay/nothing/english", None, 404),
        ("GET", "/static/../app.py", None, 404),
        ("GET", "/web/../positions.py", None, 404),
        ("GET", "/play/..%2F..%2Fx.txt", None, 404),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_and_changes_nothing(
    inside: Site, method: str, path: str, data: Any, status: int
) -> None:
    answer = inside.ask(method, path, data)
    assert answer.status_code == status
    assert inside.answering.asked == [] and inside.hints._pages == {} and inside.hints._hints == {}
    if path.startswith("/api/"):
        assert answer.json.keys() == {"title", "message", "help"}
    else:
        assert "<h1>" in answer.text


def test_a_fault_of_ours_is_said_to_be_ours(
    inside: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # where the report goes
    monkeypatch.setattr(positions, "check_game", lambda board, jumps: 1 / 0)
    answer = inside.ask("GET", "/play/english")
    assert answer.status_code == 500
    assert "the grader itself failed (ZeroDivisionError); this is not your fault" in answer.text
    assert "Traceback" not in answer.text
    assert len(list(tmp_path.glob("peg-grade-*"))) == 1


def test_the_menu_has_every_board(inside: Site) -> None:
    text = inside.ask("GET", "/").text
    for name in (*course_boards().names, *course_boards().vacancies):
        assert f'"/play/{name}"' in text
        assert inside.ask("GET", f"/play/{name}").status_code == 200


def test_stubs_and_missing_files_are_not_asked(tmp_path: Path) -> None:
    shutil.copytree("student", tmp_path / "student")
    (tmp_path / "student" / "peg2.py").unlink()
    shutil.copy(paths.REFERENCE / "peg3.py", tmp_path / "student")
    found = {helper.who: helper for helper in helpers(tmp_path / "student")}
    assert "peg1" not in found and "client" not in found
    assert found["peg2"].why.endswith("peg2.py is not there") and not found["peg2"].ready
    assert found["peg3"].ready and not found["peg3"].why
    assert found["peg4"].why.endswith("peg4.py is not written yet") and not found["peg4"].ready


# ---- hints wait, run, and end ------------------------------------------------------------------


def until(happens: Any, most_s: float = 600.0) -> None:
    deadline = time.monotonic() + most_s
    while not happens():
        assert time.monotonic() < deadline
        time.sleep(0.002)


def state_of(site: Site, id: str) -> dict[str, Any]:
    answer: dict[str, Any] = site.ask("GET", f"/api/hint/{id}").json
    return answer


def test_two_hints_queue_and_one_can_be_cancelled(inside: Site) -> None:
    inside.answering.may.clear()
    first, second, third = (
        inside.ask("POST", "/api/hint", {"page": PAGE, "who": who, "cells": ENGLISH}).json["id"]
        for who in ("peg2", "peg3", "peg4")
    )
    until(lambda: state_of(inside, first)["state"] == "running")
    assert [state_of(inside, id)["ahead"] for id in (first, second, third)] == [0, 1, 2]
    assert state_of(inside, third)["state"] == "queued" and inside.answering.asked == ["peg2"]
    assert inside.ask("POST", f"/api/hint/{second}/cancel", {}).json["state"] == "cancelled"
    assert inside.ask("POST", f"/api/hint/{first}/cancel", {}).json["state"] == "cancelled"
    until(lambda: state_of(inside, third)["state"] == "running")
    inside.answering.may.set()
    until(lambda: state_of(inside, third)["state"] == "done")
    assert state_of(inside, third)["said"] == "peg4 says so"
    assert inside.answering.asked == ["peg2", "peg4"]
    assert inside.ask("POST", f"/api/hint/{third}/cancel", {}).json["state"] == "done"


def test_a_fault_of_ours_leaves_the_next_its_turn(site: Site) -> None:
    for who, said in (("peg5", "peg5: our own fault"), ("peg2", "peg2 says so")):
        hint = site.hints.ask(PAGE, who, ENGLISH)
        assert hint.over.wait(600) and hint.answer == {"said": said}


def test_what_a_closed_page_asked_for_ends_with_it(inside: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "KEPT_S", 0.0)
    inside.answering.may.clear()
    others = inside.hints.ask("another-page", "peg4", ENGLISH)
    until(lambda: others.state == "running")
    ours = [inside.hints.ask(PAGE, who, ENGLISH) for who in ("peg2", "peg3")]
    assert inside.ask("POST", "/api/bye", {"page": PAGE}).status_code == 204
    assert [hint.state for hint in ours] == ["cancelled", "cancelled"] and others.state == "running"
    assert inside.answering.closed == 0
    assert inside.ask("POST", "/api/bye", {"page": "another-page"}).status_code == 204
    assert others.state == "cancelled"
    until(lambda: inside.answering.closed == 1)


def test_a_page_warms_up_what_its_hints_need(inside: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):  # the second is a heartbeat
        answer = inside.ask("POST", "/api/here", {"page": PAGE}).json
    programs = ["peg5", "peg4", "peg3", "peg2", "fewest"]
    assert [helper["who"] for helper in answer["helpers"]] == [*programs, RULE, FEWEST, ORACLE]
    until(lambda: inside.answering.warmed == 1)
    monkeypatch.setattr(hints, "KEPT_S", 3600.0)
    inside.ask("POST", "/api/bye", {"page": PAGE})
    inside.ask("POST", "/api/here", {"page": "the-page-reloaded"})
    until(lambda: inside.answering.warmed == 2)
    monkeypatch.setattr(hints, "KEPT_S", 0.0)  # a page is open again, so nothing ends
    hint = inside.hints.ask("the-page-reloaded", "peg2", ENGLISH)
    assert hint.over.wait(600) and inside.answering.closed == 0


def test_a_page_that_falls_silent_is_gone(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.answering.may.clear()
    speaking, silent = (site.hints.ask(page, "peg2", ENGLISH) for page in (PAGE, "silent-page"))
    site.hints._pages["silent-page"] -= hints.SILENCE_S + 1
    assert silent.over.wait(600) and silent.state == "cancelled"
    until(lambda: speaking.state == "running")


def test_too_many_hints_and_pages_are_refused(inside: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    inside.answering.may.clear()
    monkeypatch.setattr(hints, "MOST_WAITING", 2)
    monkeypatch.setattr(hints, "MOST_PAGES", 2)
    running = inside.hints.ask(PAGE, "peg2", ENGLISH)
    until(lambda: running.state == "running")
    asked = [
        inside.ask("POST", "/api/hint", {"page": PAGE, "who": "peg2", "cells": ENGLISH}) for _ in range(3)
    ]
    assert [answer.status_code for answer in asked] == [202, 202, 429]
    inside.hints.here("another-page")
    with pytest.raises(TooMany):
        inside.hints.here("one-page-too-many")


def test_old_answers_are_forgotten(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "KEPT", 3)
    asked = list[Hint]()
    for _ in range(6):
        asked.append(site.hints.ask(PAGE, "peg2", ENGLISH))
        assert asked[-1].over.wait(600)
    assert [site.hints.find(hint.id) is not None for hint in asked] == [False, False, True, True, True, True]


# ---- random requests ---------------------------------------------------------------------------

TEXTS = (
    "", "x", "é", "%00", "'\"<>", "../../etc/passwd", "\\", "*" * 64, ENGLISH,
    "english", "1333", "a" * 700, "\x1b[2J", "\u202ex\u2028\x9b1m", "x\n::error::y",
)  # fmt: skip
PATHS = (
    "/", "/rules", "/start", "/play/english", "/play/english/1333", "/api/hint", "/api/hint/x", "/api/here",
    "/api/hint/x/cancel", "/api/bye", "/static/requests.js", "/web/board.js", "/replay/peg1/german", "/favicon.ico", "//", "/..;/",
)  # fmt: skip


def random_request(rng: random.Random, cookie: str) -> dict[str, Any]:
    """Return the arguments of a request that lacks the cookie, or has it and is wrong in another way."""
    methods = ["GET", "GET", "POST", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"]
    method = rng.choice(methods)
    path = (
        rng.choice(PATHS) if rng.random() < 0.7 else "/" + "/".join(rng.choices(TEXTS, k=rng.randint(1, 4)))
    )
    hosts = ["evil.example", "", HOST + "0", "[::1]", "a@" + HOST]
    name = cookie.partition("=")[0]
    headers = {
        "Host": HOST if rng.random() < 0.7 else rng.choice(hosts),
        "Origin": rng.choice([f"http://{HOST}", f"http://{HOST}", "null", "http://evil.example", ""]),
        "Content-Type": rng.choice(["application/json", "application/json", "text/plain", ""]),
        "Cookie": rng.choice([f"{name}={rng.choice(TEXTS[:5])}", rng.choice(TEXTS[:7]), ""]),
        "X-Forwarded-Host": HOST,
    }
    data: dict[str, Any] = {
        "page": rng.choice([PAGE, "x", 7, None]),
        "who": rng.choice(["peg3", ORACLE, "peg1", "", "x", 3]),
        "cells": rng.choice([*TEXTS, "o" * 64, ENGLISH[:-1]]),
        rng.choice(["more", "x", "_"]): 1,  # no request has this field
    }
    body = json.dumps(data).encode() if rng.random() < 0.5 else rng.randbytes(rng.choice([0, 5, 200, 1500]))
    if rng.random() < 0.5:  # somebody who was let in, and whose request is no good
        headers |= {"Cookie": cookie, "Host": HOST, "Origin": f"http://{HOST}"}
        wrong = rng.randrange(4)
        if wrong == 0:
            headers["Host"] = rng.choice(["evil.example", "127.0.0.1", f"127.0.0.1:{PORT + 1}"])
        elif wrong == 1:
            headers["Origin"] = rng.choice(["null", "http://evil.example", f"https://evil.{HOST}"])
        else:
            method, path = "POST", rng.choice(PATHS)
    query = {
        rng.choice(["token", "next", "x"]): rng.choice([*TEXTS, "x" * 3000]) for _ in range(rng.randint(0, 2))
    }
    return {
        "environ_overrides": {"PATH_INFO": path.encode().decode("latin-1")}, "method": method, "headers": {key: value for key, value in headers.items() if value},
        "data": body, "query_string": query,
    }  # fmt: skip


def test_an_error_shows_no_control_characters(inside: Site) -> None:
    for path in ("/replay/peg1/%1b[2J%e2%80%ae", "/play/%1b%c2%9b", "/replay/%1b/english"):
        text = inside.client.get(path, headers={"Host": HOST}).get_data(as_text=True)
        assert text.replace("\n", "").isprintable(), path


def files_below(*folders: Path) -> dict[str, int]:
    files = (file for folder in folders for file in folder.rglob("*") if file.is_file())
    return {str(file): file.stat().st_mtime_ns for file in files}


def test_random_requests_are_refused_and_change_nothing(
    inside: Site, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    (cookie,) = (f"{each.key}={each.value}" for each in inside.client._cookies.values())
    stranger = inside.client.application.test_client(use_cookies=False)
    rng = random.Random(6)
    folders = (tmp_path, paths.cache_root())
    before, children = files_below(*folders), below(os.getpid())
    seen = dict.fromkeys(range(400, 500), 0)
    for number in range(10_000 if request.config.getoption("--whole") else 3_000):
        asked = random_request(rng, cookie)
        answer = stranger.open("/", **asked, buffered=True)
        assert 400 <= answer.status_code < 500, (number, asked)
        assert answer.headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]
        assert "Set-Cookie" not in answer.headers
        said = [answer.get_data(as_text=True).replace("\n", ""), *answer.headers.values()]
        assert all(text.isprintable() for text in said), (number, asked)
        seen[answer.status_code] += 1
    assert files_below(*folders) == before and below(os.getpid()) == children
    assert inside.answering.asked == [] and inside.hints._pages == {} and inside.hints._hints == {}
    assert all(seen[status] > 15 for status in (400, 403, 405, 413, 414)), seen


# ---- the real server ---------------------------------------------------------------------------


def hint(served: Served, who: str, board: str) -> dict[str, Any]:
    """Return the answer of a program or the engine on a board, by its name or its cells."""
    return served.answer("hint", who=who, cells=positions.format_cells(positions.board_of(board).board))


def test_a_program_is_asked_and_judged_as_by_grade(served: Served) -> None:
    for _ in range(2):  # the second from a sandbox that is kept
        found = hint(served, "peg3", "one-jump")
        assert (found["state"], found["verdict"], found["pegs_left"]) == ("done", "accepted", 1)
        assert found["jump"] == [3, 2, 3, 4] and found["jumps"] == [[3, 2, 3, 4]]
        assert found["said"] == "peg3: solved, 1 jump" and found["message"] == ""
    illegal = hint(served, "peg4", "english")
    assert (illegal["verdict"], illegal["jump"], len(illegal["jumps"])) == ("illegal-move", None, 3)
    assert illegal["said"] == "peg4 gives no hint: illegal move"
    assert illegal["message"].startswith("jump 3 of your solution is illegal")
    own = hint(served, "peg4", "**o" + "-" * 61)  # a board of one's own is judged too
    assert own["verdict"] == "illegal-move" and "starts at 1:3, which is blocked" in own["message"]


def processes_of(served: Served) -> list[int]:
    return [pid for pid in below(served.process.pid) if state_letter(pid) not in ("Z", "")]


def engines(served: Served) -> list[int]:
    """Return the processes of the exact engine."""
    return [pid for pid in processes_of(served) if "play.pipe" in Path(f"/proc/{pid}/cmdline").read_text()]


def computed_s(served: Served) -> float:
    """Return the CPU seconds of the student's process, which is there beside the one that forked it; else -1."""
    there = processes_of(served)
    return cpu_s(max(there)) if len(there) > 1 else -1.0


def state_letter(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


@needs_proc
def test_an_endless_loop_is_cancelled_and_its_process_gone(served: Served) -> None:
    for number in range(3):
        id = served.start_hint("peg5", ENGLISH)
        # from when it is started, to when it has loaded the file and turns in its loop
        until(lambda: computed_s(served) >= 0.3 * number)  # noqa: B023
        there = processes_of(served)
        answer = served.api("POST", f"hint/{id}/cancel", {})
        assert answer["state"] == "cancelled"
        assert not set(there) & set(processes_of(served))
        assert below(served.process.pid) == []  # and no zombie
    assert hint(served, "peg3", "one-jump")["verdict"] == "accepted"


@needs_proc
def test_closing_the_page_ends_its_processes(served: Served) -> None:
    id, second = (served.start_hint("peg5", ENGLISH, "closing-page") for _ in range(2))
    until(lambda: computed_s(served) > 0.3)
    for page in ("closing-page", PAGE):
        assert served.ask("POST", "/api/bye", {"page": page})[0].status == 204
    assert [served.api("GET", f"hint/{each}")["state"] for each in (id, second)] == ["cancelled", "cancelled"]
    until(lambda: below(served.process.pid) == [])  # half a minute later


@needs_proc
@pytest.mark.parametrize("name", [pytest.param("SIGINT", marks=pytest.mark.whole), "SIGTERM"])
def test_the_servers_end_ends_all(served: Served, name: str) -> None:
    with running(served.folder) as other:
        other.enter()
        other.start_hint("peg5", ENGLISH)
        until(lambda: computed_s(other) > 0.3)
        theirs = processes_of(other)
        other.process.send_signal(getattr(signal, name))
        assert other.process.wait(300) == 0
        until(lambda: not any(map(state_letter, theirs)))
        assert list(Path(tempfile.gettempdir()).glob(f"{SCRATCH}-{other.process.pid}-*")) == []


@pytest.mark.parametrize(
    "text",
    [
        b"\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/1.0\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"\xff\xfe\x00 / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 300 + b"\r\n",
        b"POST /api/hint HTTP/1.1\r\nHost: HOST\r\nOrigin: http://HOST\r\nContent-Length: -5\r\n\r\n{}",
        b"POST /api/hint HTTP/1.1\r\nHost: HOST\r\nOrigin: http://HOST\r\nContent-Length: 99999999999\r\n\r\n{}",
        b"POST /api/hint HTTP/1.1\r\nHost: HOST\r\nCookie: COOKIE\r\nOrigin: http://HOST\r\nContent-Length: x\r\n\r\n{}",
        b"POST /api/here HTTP/1.1\r\nHost: HOST\r\nCookie: COOKIE\r\nOrigin: http://HOST\r\n"
        b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n" + b"x" * 5000,
    ],
)  # fmt: skip
def test_raw_requests_are_refused(served: Served, text: bytes) -> None:
    host = f"127.0.0.1:{served.port}".encode()
    text = text.replace(b"HOST", host).replace(b"COOKIE", served.cookie.encode())
    with socket.create_connection(("127.0.0.1", served.port), timeout=300) as connection:
        with contextlib.suppress(ConnectionError):  # it may have closed before it read all
            connection.sendall(text)
        with contextlib.suppress(ConnectionError, OSError):
            connection.shutdown(socket.SHUT_WR)
        answer = b""
        with contextlib.suppress(ConnectionError):
            while more := connection.recv(1 << 16):
                answer += more
    assert not answer or re.match(rb"HTTP/1\.[01] (4\d\d|505) |<!DOCTYPE HTML>", answer), answer[:200]
    assert served.ask("GET", "/rules")[0].status == 200


def test_the_oracle_marks_each_jump(served: Served) -> None:
    answer = hint(served, ORACLE, "choice-middle")
    assert answer["solvable"] is True and answer["said"] == "1 of 3 jumps can still win"
    (winning,) = (each["jump"] for each in answer["jumps"] if each["wins"])
    assert answer["jump"] == winning
    hopeless = hint(served, ORACLE, "two-forks")
    assert hopeless["solvable"] is False and hopeless["jump"] is None
    large = hint(served, ORACLE, "*" * 62 + "oo")
    assert (large["said"], "jumps" in large) == ("the engine does not know", False)
    assert large["message"] == "the board has 64 holes; the exact engine takes up to 41"
    assert large["help"].startswith("ask one of your programs")
    stuck = hint(served, ORACLE, "*-" * 32)
    assert (stuck["said"], stuck["jumps"]) == ("no jump is left", [])
    assert hint(served, ORACLE, "*" + "-" * 63)["said"] == "one peg is left: it is solved"


def test_the_engine_knows_the_fewest_moves_and_makes_boards(served: Served) -> None:
    answer = hint(served, FEWEST, "choice")
    assert verify(find_board("choice").board, answer["jumps"]).solved
    assert len(moves_of(answer["jumps"])) == answer["moves"]
    assert answer["said"] == f"from here, {answer['moves']} moves at least"
    assert hint(served, FEWEST, "stuck")["moves"] is None
    for kind, solvable in (("solvable", True), ("unsolvable", False), ("forced", True)):
        asked = served.answer("random", kind=kind, pegs="6", cells=ENGLISH)
        made = positions.parse_cells(asked["cells"])
        truth = explore(made, 20_000)
        assert truth is not None and truth.solvable == solvable == asked["solvable"]
        assert count_pegs(made) == 6
    english = find_board("english").board
    by_rule = hint(served, RULE, "english")
    assert verify(english, by_rule["jumps"]).solved and by_rule["jump"] == by_rule["jumps"][0]
    assert by_rule["said"] == "the rule leaves 1 peg"
    assert hint(served, RULE, "*-" * 32)["said"] == "the rule leaves 32 pegs"


@needs_proc
def test_the_oracle_is_cancelled_too(served: Served) -> None:
    french = positions.format_cells(find_board("french1").board)
    id = served.start_hint(ORACLE, french)
    until(lambda: engines(served))
    assert served.api("POST", f"hint/{id}/cancel", {})["state"] == "cancelled"
    assert engines(served) == []
    assert hint(served, ORACLE, "one-jump")["said"] == "1 of 1 jump can still win"


# ---- the command -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message", "help"),
    [
        (["englsh"], "no board 'englsh'", "did you mean english? to list the boards: grade show"),
        (["no/such.txt"], "no/such.txt: cannot be read: No such file or directory", "check the file's name"),
        (["--student", "nowhere"], "nowhere: no such folder", "go to the folder that holds student/, or pass --student DIR"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_told(served: Served, arguments: list[str], message: str, help: str) -> None:
    assert refused("play", *arguments, cwd=served.folder) == f"{message}\nhelp: {help}\n"


def test_a_missing_flask_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "flask", None)
    with pytest.raises(InputError) as told:
        cli.main(["play", "english"], standalone_mode=False)
    assert told.value.message == "`grade play` needs Flask, which is not installed"
    assert "pip install flask" in told.value.help


def test_without_a_browser_the_address_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(serve.calibration, "factor", lambda: 1.0)
    monkeypatch.setattr("werkzeug.serving.ThreadedWSGIServer.serve_forever", lambda self: self.server_close())
    assert serve.serve(tmp_path, "/play/english", 0) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("open in a browser: http://127.0.0.1:")
    assert lines[1:] == ["press Ctrl-C to stop"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the browser is found by the Linux rules")
def test_the_browser_gets_an_address_of_its_own(served: Served, tmp_path: Path) -> None:
    script = tmp_path / "browser"
    script.write_text(
        f'#!/bin/sh\necho "$1 $PPID" > {tmp_path}/draft; mv {tmp_path}/draft {tmp_path}/opened\n'
    )
    script.chmod(0o755)
    with running(served.folder, "playing at", {"BROWSER": str(script)}) as other:
        until((tmp_path / "opened").exists)
        url, parent = (tmp_path / "opened").read_text().split()
        path = url.removeprefix(f"http://127.0.0.1:{other.port}")
        assert other.token not in path and int(parent) != other.process.pid
        assert [other.ask("GET", path)[0].status for _ in range(2)] == [303, 403]  # good once
        entered = other.enter()
        assert (entered.status, entered.getheader("Server")) == (303, "grade")


def test_a_replay_is_stepped_through(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    frames = replay.frames_of("forced-hops", find_board("forced-hops").board, [(5, 3, 5, 5), (5, 5, 7, 5)])
    typed = iter(["", "b", "b", "x", "", "", ""])
    asked = list[str]()

    def type_next(prompt: str) -> str:
        asked.append(prompt)
        return next(typed)

    monkeypatch.setattr("builtins.input", type_next)
    replay._step_through(frames)
    assert list(typed) == []
    shown = [
        line for line in capsys.readouterr().out.splitlines() if line.startswith(("forced-hops:", "jump "))
    ]
    numbers = ["f" if line.startswith("f") else line.split()[1] for line in shown]
    assert numbers == ["f", "1", "f", "f", "f", "1", "2"]
    assert asked[0] == "Enter: next   q: quit > " and asked[-1] == "Enter: end   b: back   q: quit > "


@pytest.mark.parametrize("has_browser", [True, False])
def test_a_replay_is_shown_on_the_page_where_there_is_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], has_browser: bool
) -> None:
    opened = list[str]()
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda prompt: "q")
    monkeypatch.setattr(browser, "is_there", lambda: has_browser)
    monkeypatch.setattr(serve, "serve", lambda student, path, port: opened.append(path) or 0)
    monkeypatch.setattr(replays, "find_game", lambda *_: (find_board("one-jump"), {"jumps": [(3, 2, 3, 4)]}))
    assert cli.main(["replay", "peg2", "one-jump"], standalone_mode=False) == 0
    in_terminal = capsys.readouterr().out.strip().startswith("one-jump: 2 pegs\n")
    assert in_terminal != has_browser
    assert opened == ([] if in_terminal else ["/replay/peg2/one-jump"])


def test_an_illegal_jump_ends_a_replay() -> None:
    frames = replay.frames_of("one-jump", find_board("one-jump").board, [(5, 3, 3, 5), (3, 2, 3, 4)])
    assert frames[1:] == [
        "jump 1 of 2: 5:3 -> 3:5\nillegal: it is not a jump of two cells in a straight line"
    ]


def test_a_replayed_file_is_named_in_a_url(served: Served) -> None:
    (served.folder / "below").mkdir(exist_ok=True)
    shutil.copy("boards/one-jump.txt", served.folder / "mine.txt")
    graded = grade("peg3", "--board", "../mine.txt", "--student", "../student", cwd=served.folder / "below")
    assert "../mine.txt" in graded.stdout, graded.stderr
    assert replays.path_of("peg3", "../mine.txt") == "/replay/peg3/..%252Fmine.txt"
    answer, page = served.ask("GET", "/replay/peg3/..%252Fmine.txt")
    assert answer.status == 404 and "../mine.txt: cannot be read" in page.decode()  # from another folder


def test_students_can_play_without_the_oracle(served: Served, tmp_path: Path) -> None:
    released = grade("release", str(tmp_path / "release"))
    assert released.returncode == 0, released.stderr
    assert not (tmp_path / "release/grader/oracle").exists()
    assert '"flask' in (tmp_path / "release/pyproject.toml").read_text()
    here, release = Path("grader/play"), tmp_path / "release/grader/play"
    there = {str(file.relative_to(here)) for file in here.rglob("*") if file.suffix != ".pyc"}
    theirs = {str(file.relative_to(release)) for file in release.rglob("*")}
    assert theirs == there - {"__pycache__", "pipe.py"}
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "release")}
    code = (
        "import grader.play.programs as h, grader.play.serve, pathlib;"
        "print([each.who for each in h.helpers(pathlib.Path('student'))], h.__file__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path / "release", env=environment, capture_output=True, text=True, check=True
    )  # fmt: skip
    assert done.stdout.startswith("['peg5', 'peg4', 'peg3', 'peg2'") and ORACLE not in done.stdout
    assert str(tmp_path) in done.stdout
