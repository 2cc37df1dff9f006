"""Serve `grade play` to tests, ask it as a page does, and read what its pages show."""

import contextlib
import http.client
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from grader import paths
from support.browsing import ROOT, WAIT_MS, Visits
from support.command import GRADE, PLAY

PAGE = "page-of-the-test"
BROWSERS = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")  # by which one is found
ILLEGAL = """
from client import move_new
from framework.stack import push

def peg_solve(board, stack, unsolvable):
    for move in ((2, 0, 2, 2), (2, 1, 2, 3), (1, 3, 3, 3)):
        push(stack, move_new(*move))
    return 1
"""
ENDLESS = """
def peg_solve(board, stack, unsolvable):
    while True:
        pass
"""


@dataclass
class Served:
    """`grade play` for a student whose peg3 is right, peg4 plays an illegal jump, and peg5 never ends."""

    folder: Path
    process: "subprocess.Popen[str]"
    port: int
    token: str
    cookie: str = ""

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def first(self, path: str) -> str:
        """Return the address that lets a browser in and leads it to a page."""
        return f"{self.base}/start?token={self.token}&next={path}"

    def enter(self) -> http.client.HTTPResponse:
        """Come in by the printed address, as a browser does."""
        answer, _ = self.ask("GET", f"/start?token={self.token}&next=/play/english")
        self.cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]
        return answer

    def ask(self, method: str, path: str, data: Any = None) -> tuple[http.client.HTTPResponse, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        headers = {"Cookie": self.cookie}
        if method == "POST":
            headers |= {"Origin": self.base, "Content-Type": "application/json"}
        with contextlib.closing(connection):
            connection.request(method, path, None if data is None else json.dumps(data), headers)
            answer = connection.getresponse()
            return answer, answer.read()

    def api(self, method: str, path: str, data: Any = None) -> dict[str, Any]:
        answer, body = self.ask(method, f"/api/{path}", data)
        assert answer.status < 300, body
        return dict(json.loads(body)) if body else {}

    def start_hint(self, who: str, cells: str, page: str = PAGE) -> str:
        return str(self.api("POST", "hint", {"page": page, "who": who, "cells": cells})["id"])

    def answer(self, path: str, **data: str) -> dict[str, Any]:
        """Ask for a hint, or for what else takes a while, and wait for the answer."""
        answer = self.api("POST", path, {"page": PAGE, **data})
        while answer["state"] in ("queued", "running"):
            time.sleep(0.01)
            answer = self.api("GET", f"hint/{answer['id']}")
        return answer


@contextlib.contextmanager
def running(
    folder: Path, says: str = "open in a browser:", environment: dict[str, str] | None = None
) -> Iterator[Served]:
    """Run `grade play`, with a browser if the environment names one."""
    others = {name: value for name, value in os.environ.items() if name not in BROWSERS}
    with subprocess.Popen(
        [*PLAY, "english"],
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
        env={**others, **(environment or {})},
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        address = re.fullmatch(
            re.escape(says) + r" http://127\.0\.0\.1:(\d+)/start\?token=([\w-]+)&next=/play/english\n", line
        )
        try:
            assert address, line
            yield Served(folder, process, int(address[1]), address[2])
        finally:
            process.kill()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("play")
    shutil.copytree(ROOT / "student", folder / "student")
    for name in ("client", "peg1", "peg3"):
        shutil.copy(paths.REFERENCE / f"{name}.py", folder / "student")
    (folder / "student" / "peg4.py").write_text(ILLEGAL)
    (folder / "student" / "peg5.py").write_text(ENDLESS)
    graded = subprocess.run(
        [*GRADE, "peg4", "--board", "english"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert "jump 3 of your solution is illegal" in graded.stdout, graded
    with running(folder) as started:
        started.enter()
        yield started
        assert started.process.poll() is None  # it held out


@pytest.fixture
def visits(browser: Any, served: Served) -> Iterator[Visits]:
    """Windows; nothing may be complained of in them."""
    windows = Visits(browser, served.base)
    yield windows
    windows.close()
    assert windows.complaints == []


Opened = Callable[..., Any]


@pytest.fixture
def opened(visits: Visits, served: Served) -> Opened:
    """Return what opens a page of the server by its path, in a window of its own with some options."""

    def open_page(path: str, **options: Any) -> Any:
        page = visits.window(**options)
        page.goto(served.first(path))
        return page

    return open_page


def cell(row: int | str, col: int | str) -> str:
    return f"[data-cell='{row}:{col}']"


def press(page: Any, *jumps: str) -> None:
    """Click the cells of jumps such as 3133."""
    for row, col, row_end, col_end in jumps:
        page.click(cell(row, col))
        page.click(cell(row_end, col_end))


def status(page: Any) -> str:
    return page.inner_text("#status")


def counters(page: Any) -> tuple[int, ...]:
    return tuple(int(page.inner_text(f"#{each}-count")) for each in ("pegs", "jumps", "moves"))


def is_usable(page: Any, button: str) -> bool:
    return page.get_attribute(f"#{button}", "aria-disabled") == "false"


def pegs_drawn(page: Any) -> int:
    return page.locator("#board .peg.there").count()


def ask(page: Any, who: str) -> None:
    page.select_option("#who", who)
    page.click("#hint")


def until(page: Any, happens: Callable[[], bool]) -> None:
    """Wait for something on a page; its policy forbids the waiting that Playwright does by eval."""
    for _ in range(WAIT_MS // 100):
        if happens():
            return
        page.wait_for_timeout(100)
    raise AssertionError("it never happened")
