"""What the page of `grade play` has beside the game: films of searches, and the editor of boards."""

from pathlib import Path
from typing import Any

import pytest

from framework.cells49 import format_cells
from grader import paths
from grader.catalog.boards import find_board
from grader.catalog.tasks import registry
from grader.film.tell import tell
from grader.web import positions
from support.browsing import Visits, accessibility_faults, axe_source
from support.played_pages import Served, cell, counters, served, status, until, visits
from test_page import SOLUTION

__all__ = ["served", "visits"]  # fixtures

pytestmark = pytest.mark.slow

SMALL_LAPTOP, PHONE = {"width": 1366, "height": 650}, {"width": 360, "height": 640}


# ---- films -------------------------------------------------------------------------------------


def film_of(page: Any) -> str:
    """Return the heading of the board that is shown of a film, once there is one."""
    page.wait_for_selector("#film canvas")
    heading: str = page.locator(".which").inner_text()
    return heading


@pytest.mark.parametrize(
    "size", [pytest.param(SMALL_LAPTOP, marks=pytest.mark.whole), PHONE], ids=["laptop", "phone"]
)
def test_the_film_of_the_chosen_program_opens_beside_the_board(
    visits: Visits, served: Served, size: dict[str, int]
) -> None:
    page = visits.window(viewport=size)
    page.goto(served.first("/play/choice"))
    page.select_option("#who", "peg3")
    assert page.get_attribute("#film", "href") == "/film/peg3/choice"
    with page.expect_popup() as opened:
        page.click("#film")
    film = opened.value
    told = tell(paths.REFERENCE, registry().find("peg3"), find_board("choice")).shown
    assert told is not None
    calls = dict(told.numbers)["calls"]
    assert film_of(film) == f"Call 1 of {calls}"
    assert film.locator(".proves li").all_inner_texts() == told.words
    film.focus("#film canvas")
    film.keyboard.press("End")
    assert film_of(film) == f"Call {calls} of {calls}"
    assert film.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert accessibility_faults(film, axe_source()) == []


def test_a_film_from_a_position_and_from_the_start(visits: Visits, served: Served) -> None:
    page = visits.window()
    played = SOLUTION[: 5 * 26 - 1]
    page.goto(served.first(f"/play/english/{played}"))
    page.select_option("#who", "peg3")
    page.click(cell(*SOLUTION.split(".")[26][:2]))  # the link follows the game
    here = page.get_attribute("#film", "href")
    assert here.startswith(f"/film/peg3/english/{played}") and len(here) > len(f"/film/peg3/english/{played}")
    page.goto(served.base + here)
    assert film_of(page).startswith("Call 1 of ")
    assert page.inner_text("h1") == "What the search did: peg3 on english after 27 jumps"
    assert page.get_attribute("text=From the start of the game", "href") == "/film/peg3/english"
    page.click("text=Back to the board")
    until(page, lambda: status(page) != "" and counters(page)[1] == 27)


@pytest.mark.whole  # as in test_page.py, with a longer way to it
def test_an_endless_program_is_cancelled_and_blocks_no_hint(visits: Visits, served: Served) -> None:
    page, other = visits.window(), visits.window()
    page.goto(served.first("/film/peg5/choice"))
    page.wait_for_selector("#said:has-text('recording')")
    other.goto(served.first("/play/choice"))
    other.select_option("#who", "peg3")
    other.click("#hint")
    other.wait_for_selector("#play-hint")
    page.click("#cancel")
    until(page, lambda: page.inner_text("#said") == "peg5: cancelled, its process has ended")
    assert page.is_visible("#again") and not page.is_visible("#film")


def test_what_has_no_film_is_said(visits: Visits, served: Served) -> None:
    page = visits.window()
    page.goto(served.first("/film/peg2/choice"))  # not written
    page.wait_for_selector("#failed")
    assert "peg2 cannot be asked" in page.inner_text("#failed") and "not written yet" in page.inner_text(
        "#failed"
    )
    assert page.inner_text("#said") == "There is no film:"
    visits.complaints.clear()  # of the status of that answer
    page.goto(f"{served.base}/film/peg4/english")  # which plays an illegal jump
    assert film_of(page).startswith("Board 1 of")


# ---- the editor --------------------------------------------------------------------------------


def test_a_board_is_made_by_clicking_and_saved(visits: Visits, served: Served, tmp_path: Path) -> None:
    page = visits.window(viewport=SMALL_LAPTOP)
    page.goto(served.first("/edit/one-jump"))
    cells = page.locator("#cells button")
    assert cells.nth(8 * 3 + 2).get_attribute("aria-label") == "row 3 column 2, peg"
    if paths.ORACLE.is_dir():
        until(page, lambda: page.inner_text("#solvable") == "it can be solved")
    cells.nth(8 * 3 + 4).click()
    if paths.ORACLE.is_dir():
        until(page, lambda: page.inner_text("#solvable") == "it cannot be solved")
    assert cells.nth(8 * 3 + 4).get_attribute("aria-label") == "row 3 column 4, no hole"
    assert page.inner_text("#counted") == "2 pegs, 2 holes"
    with page.expect_download() as download:
        page.click("#save")
    download.value.save_as(tmp_path / "my-board.txt")
    saved = find_board(str(tmp_path / "my-board.txt")).board
    assert (saved >= 0).sum() == 2 and saved[3, 2] == saved[3, 3] == 1
    assert accessibility_faults(page, axe_source()) == []


def test_the_49_characters_are_read(visits: Visits, served: Served) -> None:
    page = visits.window()
    page.goto(served.first("/edit"))
    english = find_board("english").board
    page.fill("#own-text", format_cells(english))
    assert page.inner_text("#counted") == "32 pegs, 33 holes"
    page.fill("#own-text", "1" + "0" * 48)
    assert page.inner_text("#own-fault").startswith("character 1: expected “0”, found a peg")
    page.fill("#own-text", format_cells(english))
    page.click("#play")
    page.wait_for_url(f"{served.base}/play/{positions.format_cells(english)}")
    assert counters(page) == (32, 0, 0)


@pytest.mark.skipif(not paths.ORACLE.is_dir(), reason="a student's copy has no oracle")
def test_a_random_board(visits: Visits, served: Served) -> None:
    page = visits.window()
    page.goto(served.first("/edit/english"))
    page.select_option("#kind", "unsolvable")
    page.fill("#pegs", "7")
    page.click("#new-random")
    until(page, lambda: page.inner_text("#counted") == "7 pegs, 33 holes")
    until(page, lambda: page.inner_text("#solvable") == "it cannot be solved")
