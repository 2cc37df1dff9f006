"""The page of films in a browser: chosen by mouse and keys, zoomed and played, and drawn with bounded work."""

import base64
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader import paths
from grader.catalog.boards import find_board
from grader.catalog.tasks import registry
from grader.film import words
from grader.film.events import Recorded
from grader.film.film import MOST_NODES, Film
from grader.film.growth import COLUMNS, Growth
from grader.film.page import format_page
from grader.film.shown import shown
from grader.film.tell import compared, tell
from grader.sandbox.child import film_notes as child
from support.browsing import Visits, accessibility_faults, axe_source
from support.plain_search import PlainSearch

pytestmark = pytest.mark.slow  # each opens a page in Chromium

LAPTOPS = ({"width": 1280, "height": 800}, {"width": 1366, "height": 650})


def made_film(name: str) -> Film:
    """Return the film of a search without memory, made here: the child would take ten seconds for so many calls."""
    board = find_board(name).board
    came_to = PlainSearch(board, "DURL", memory=False, most=MOST_NODES).came_to
    events = bytearray()
    open_calls: list[int] = []
    for position in came_to:
        while open_calls and open_calls[-1] <= position.bit_count():
            events.extend((child.RETURN, open_calls.pop()))
        events.extend(bytes((child.CALL,)) + position.to_bytes(8, "little"))
        open_calls.append(position.bit_count())
    for pegs in reversed(open_calls):
        events.extend((child.RETURN, pegs))
    ended = "full" if len(came_to) == MOST_NODES else ""
    return Film(board, Recorded(bytes(events), len(came_to), 0, None, [], [], ended, None))


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Write the page of two films of the reference on choice, and return its address."""
    board = find_board("choice")
    films = [tell(paths.REFERENCE, registry().find(task), board).shown for task in ("peg2", "peg3")]
    assert films[0] is not None and films[1] is not None
    stack = base64.b64encode(bytes((128, 129, 1, *[0] * 14))).decode()
    films[0] = replace(films[0], stack=stack)
    films[1] = replace(
        films[1], growth=Growth(9, True, 1, 0, [3, 2], [[1] * COLUMNS] * 2, [[4, 4, 1], [9, 16, 2]])
    )
    file = tmp_path_factory.mktemp("film") / "film.html"
    file.write_text(format_page([films[0], films[1]], compared(films[0], films[1])), "utf-8")
    return file.as_uri()


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the page of a film of 200,000 calls."""
    film = made_film("backtrack-needle")
    assert len(film.nodes) == MOST_NODES
    file = tmp_path_factory.mktemp("large") / "film.html"
    file.write_text(format_page([shown(film, "many calls", words.rows(film, False), [])]), "utf-8")
    return file


@pytest.fixture
def page(two: str, visits: Visits) -> Any:
    """Open the page of two films, with the keys going to the first one."""
    opened = visits.window()
    opened.goto(two)
    opened.locator("canvas").first.focus()
    return opened


def heading(page: Any) -> str:
    text: str = page.locator(".which").inner_text()
    return text


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", LAPTOPS)
def test_the_page_is_accessible_and_the_pictures_are_seen_at_once(
    color_scheme: str, viewport: dict[str, int], two: str, visits: Visits
) -> None:
    page = visits.window(color_scheme=color_scheme, viewport=viewport)
    page.goto(two)
    assert heading(page) == "Call 1 of 17"
    for canvas in page.locator("canvas").all():
        box = canvas.bounding_box()
        assert box["y"] + box["height"] <= viewport["height"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert accessibility_faults(page, axe_source()) == []


def test_a_board_is_chosen_by_keys_and_by_mouse(page: Any) -> None:
    first, second = page.locator("canvas").all()
    for key, call in (
        ("ArrowDown", 2), ("ArrowDown", 3), ("ArrowUp", 2), ("ArrowRight", 12), ("ArrowLeft", 2), (".", 3), (",", 2),
        ("End", 17), ("Home", 1),
    ):  # fmt: skip
        page.keyboard.press(key)
        assert heading(page) == f"Call {call} of 17", key
    second.focus()
    page.keyboard.press("End")
    assert heading(page) == "Call 15 of 15"
    assert "1 peg." in page.locator(".what").inner_text()
    assert "On the way to the solution." in page.locator(".what").inner_text()
    box = first.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 10)
    assert heading(page) == "Call 1 of 17"
    page.get_by_role("button", name="leads to the solution").first.click()
    assert heading(page) != "Call 1 of 17"


def test_the_stack_and_the_table_are_shown(page: Any) -> None:
    led, others = "On the stack: 1 move, the jumps that led", "1 move, which are not the jumps"
    for said in ("", led, others, "The stack is empty."):
        assert said in page.locator(".what").inner_text()
        page.keyboard.press(".")
    assert page.locator(".growth rect").count() == 2 * COLUMNS
    page.get_by_text("The boards given up, by pegs").click()
    assert page.locator(".growth tbody").inner_text().split() == ["3", "48", "2", "48"]


def test_the_places_of_a_board_are_listed(page: Any) -> None:
    film = made_film("choice")
    positions = [node.position for node in film.nodes[:17]]
    again = next(place for place, position in enumerate(positions) if positions.count(position) == 2)
    for _ in range(again):
        page.keyboard.press(".")
    assert page.locator(".same-title").inner_text() == "The search came to this board 2 times"
    page.keyboard.press("s")
    assert heading(page) != f"Call {again + 1} of 17"
    page.keyboard.press("s")
    assert heading(page) == f"Call {again + 1} of 17"
    page.locator(".same-title").click()
    page.locator(".same button").nth(1).click()
    assert "Searched again" in page.locator(".what").inner_text()


def test_zoom_and_play(two: str, visits: Visits) -> None:
    page = visits.window()
    page.clock.install()
    page.goto(two)
    page.locator("canvas").first.focus()
    shown_calls = "page.view.to - page.view.from"
    assert page.evaluate(shown_calls) == 17
    page.keyboard.press("+")
    assert page.evaluate(shown_calls) < 17
    page.keyboard.press("0")
    assert page.evaluate(shown_calls) == 17
    box = page.locator("canvas").first.bounding_box()
    page.mouse.move(box["x"] + 300, box["y"] + 50)
    page.mouse.wheel(0, -200)
    while page.evaluate(shown_calls) == 17:  # the wheel is heard a little later
        page.wait_for_timeout(20)
    page.get_by_role("button", name="All").click()
    page.clock.pause_at(time.time() + 3600)  # a slow browser would play it to its end
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(1000)
    page.locator(".which", has_text=re.compile("Call (?!1 of)")).wait_for()
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Play").wait_for()


def test_a_film_of_many_calls_is_small_and_drawn_with_bounded_work(large: Path, visits: Visits) -> None:
    """However many calls are in view, a row takes at most a bar or a column of shares for each pixel."""
    assert large.stat().st_size < 1_000_000 * MOST_NODES / 100_000
    page = visits.window()
    page.goto(large.as_uri())
    assert heading(page) == "Call 1 of 200,000"
    work = page.evaluate(
        """() => {
          const picture = page.pictures[0];
          let drawn = 0;
          for (const name of ["_bar", "_shares"]) {
            const draw = picture[name].bind(picture);
            picture[name] = (...all) => { drawn += 1; draw(...all); };
          }
          const found = [];
          for (const width of [200000, 50000, 7777, 300, 20]) {
            page.view.show(60000, 60000 + width);
            drawn = 0;
            picture.draw();
            found.push(drawn / (picture.rows.length * (picture.width + 2)));
          }
          return found;
        }"""
    )
    assert all(0 < each <= 1 for each in work)
    page.locator("canvas").focus()
    page.keyboard.press("End")
    assert heading(page) == "Call 200,000 of 200,000"
    same = page.evaluate("page.active.film.same(page.node).length")
    assert f"{same:,} times" in page.locator(".same-title").inner_text()
