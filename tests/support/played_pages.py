"""Serve `grade play` to the tests of its pages, and read what a page shows."""

import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from grader import paths
from support.browsing import ROOT, WAIT_MS, Visits
from support.command import GRADE, PLAY

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

    base: str
    token: str
    pid: int
    folder: Path

    def first(self, path: str) -> str:
        """Return the address that lets a browser in and leads it to a page."""
        return f"{self.base}/start?token={self.token}&next={path}"


@pytest.fixture(scope="module")
def served(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
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
    command = [*PLAY, "english", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        address = re.search(r"(http://127\.0\.0\.1:\d+)/start\?token=([\w-]+)&next=/play/english", line)
        try:
            assert address, line
            yield Served(address[1], address[2], process.pid, folder)
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(300) == 0


@pytest.fixture
def visits(browser: Any, served: Served) -> Iterator[Visits]:
    """Windows; nothing may be complained of in them."""
    windows = Visits(browser, served.base)
    yield windows
    windows.close()
    assert windows.complaints == []


def cell(row: int | str, col: int | str) -> str:
    return f"[data-cell='{row}:{col}']"


def status(page: Any) -> str:
    return page.inner_text("#status")


def counters(page: Any) -> tuple[int, ...]:
    return tuple(int(page.inner_text(f"#{each}-count")) for each in ("pegs", "jumps", "moves"))


def is_usable(page: Any, button: str) -> bool:
    return page.get_attribute(f"#{button}", "aria-disabled") == "false"


def pegs_drawn(page: Any) -> int:
    return page.locator("#board .peg.there").count()


def until(page: Any, happens: Callable[[], bool]) -> None:
    """Wait for something on a page; its policy forbids the waiting that Playwright does by eval."""
    for _ in range(WAIT_MS // 100):
        if happens():
            return
        page.wait_for_timeout(100)
    raise AssertionError("it never happened")
