"""What the page of `grade play` has beside the game: hints, the timeline, films of searches, and the editor."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from framework.cells49 import format_cells
from framework.jumps import legal_jumps, play_jump
from grader import paths
from grader.catalog.boards import find_board
from grader.catalog.tasks import registry
from grader.film.tell import tell
from grader.web import positions
from support.browsing import Visits, accessibility_faults, axe_source
from support.played_pages import (
    Opened,
    Served,
    ask,
    cell,
    counters,
    opened,
    press,
    served,
    status,
    until,
    visits,
)  # fmt: skip
from support.processes import await_end, below, working
from test_page import PHONE, SMALL_LAPTOP, SOLUTION

__all__ = ["opened", "served", "visits"]  # fixtures

pytestmark = pytest.mark.slow
needs_oracle = pytest.mark.skipif(not paths.ORACLE.is_dir(), reason="a student's copy has no oracle")

PATIENCE_S = 600.0  # without a click the student's loop would go on for much longer
LOST = "3133.5232.5452.3353.4543.5333.4042.3331.1333.5232"  # 148,246 positions can be reached from here
GIVES_UP = """
def peg_solve(board, stack, unsolvable):
    return 7
"""


@contextmanager
def written(served: Served, **programs: str) -> Iterator[None]:
    """Let the student have other programs for a while."""
    files = {served.folder / "student" / f"{name}.py": text for name, text in programs.items()}
    before = {file: file.read_text() for file in files}
    try:
        for file, text in files.items():
            file.write_text(text)
        yield
    finally:
        for file, text in before.items():
            file.write_text(text)


# ---- hints -------------------------------------------------------------------------------------


def test_a_hint_is_played(opened: Opened, served: Served) -> None:
    page = opened("/play/english")
    assert page.input_value("#who") == "peg5"  # the strongest that is ready
    assert page.locator("#who option[value=peg2]").is_disabled()  # and it says why
    assert page.inner_text("#who option[value=peg2]").endswith("peg2.py is not written yet")
    cut = """who => { const pen = document.createElement("canvas").getContext("2d");
        pen.font = getComputedStyle(who).font;
        return [...who.options].filter(({ text, disabled }) =>
            !disabled && pen.measureText(text).width > who.clientWidth - 32).map(({ text }) => text) }"""
    assert page.locator("#who").evaluate(cut) == []
    ask(page, "peg3")
    page.wait_for_selector("#play-hint")
    page.focus("#play-hint")
    page.keyboard.press("Enter")
    assert counters(page) == (31, 1, 1)
    assert page.evaluate("document.activeElement.id") == "hint"  # the keyboard is not lost
    assert page.url == f"{served.base}/play/english/{SOLUTION[:4]}"
    assert page.locator("#board .arrow").count() == 0  # the hint was for the position before
    page.reload()
    assert page.input_value("#who") == "peg3"  # it is remembered
    with written(served, peg2=(paths.REFERENCE / "peg2.py").read_text()):
        page.evaluate("dispatchEvent(new Event('focus'))")
        until(page, lambda: page.locator("#who option[value=peg2]").is_enabled())
        assert page.input_value("#who") == "peg3"


def test_a_failing_solver_has_the_message_of_grade_and_its_jump_is_drawn(opened: Opened) -> None:
    page = opened("/play/english", viewport=PHONE, has_touch=True, is_mobile=True)
    page.select_option("#who", "peg4")
    page.tap("#hint")
    page.wait_for_selector("#hint-message")
    assert "jump 3 of your solution is illegal" in page.inner_text("#hint-message .headline")
    assert "2:0 → 2:2 jumps over 2:1, which is empty" in page.inner_text("#hint-message")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert page.locator("#board .arrow.illegal").count() == 1
    assert page.inner_text("#play-rest") == "Play up to the illegal jump, 3"
    page.click("#play-rest")
    until(page, lambda: counters(page)[1] == 2)
    assert status(page) == "Its next jump, 2:0 → 2:2, is illegal."
    assert page.locator("#board .arrow.illegal").count() == 1
    assert not page.is_visible("#hint-message")


def one_that_works(page: Any, served: Served) -> int:
    """Return the process of the student's endless loop."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        if not page.inner_text("#hint-said").startswith("peg5: running"):
            continue  # other processes work for it first
        first = working(served.process.pid)
        if len(first) == 1 and working(served.process.pid) == first:
            return first[0]
    raise AssertionError(f"no process works; there are {below(served.process.pid)}")


def test_an_endless_hint_ends_by_cancel_by_escape_and_with_the_page(opened: Opened, served: Served) -> None:
    page = opened("/play/english")
    ends = (
        lambda: page.click("#cancel"),
        lambda: page.keyboard.press("Escape"),
        lambda: page.goto("about:blank"),
    )
    for end in ends:
        ask(page, "peg5")
        process = one_that_works(page, served)
        said = page.inner_text("#hint-said")  # the seconds count
        assert re.fullmatch(r"peg5: running, \d+\.\d s, of at most [\d.]+ CPU seconds", said), said
        end()
        assert await_end(process, PATIENCE_S), "its process still runs"
        if end is not ends[-1]:
            page.wait_for_selector("#cancel", state="hidden")
            assert "cancelled" in page.inner_text("#hint-said")


def test_the_rest_of_an_answer_is_played(visits: Visits, served: Served) -> None:
    page = visits.window()
    page.clock.install()
    page.goto(served.first(f"/play/english/{SOLUTION[: 5 * 27 - 1]}"))
    ask(page, "peg3")
    page.wait_for_selector("#play-rest")
    page.clock.pause_at(time.time() + 3600)  # a slow browser would play it to its end
    page.click("#play-rest")
    assert page.inner_text("#run") == "Pause"
    page.click("#run")
    page.keyboard.press("Home")
    assert page.locator("#ticks .tick").count() == 32
    page.keyboard.press("End")
    assert "Solved" in status(page) and not page.is_visible("#run")


@needs_oracle
def test_the_oracle_marks_each_jump(opened: Opened, served: Served) -> None:
    page = opened("/play/choice")
    ask(page, "oracle")
    page.wait_for_selector("#hint-jumps li")
    jumps = legal_jumps(find_board("choice").board)
    words = page.locator("#hint-jumps li").all_inner_texts()
    assert len(words) == page.locator("#board .arrow").count() == len(jumps)
    winning = sum("✓ still winnable" in each for each in words)
    assert winning == page.locator("#board .arrow.wins").count() >= 1
    assert len(jumps) - winning == page.locator("#board .arrow.loses").count() >= 1
    page.click("#hint-jumps .wins button")
    assert counters(page)[1] == 1
    page.goto(f"{served.base}/play/two-forks")  # where nothing wins, the fewest are marked
    ask(page, "oracle")
    page.wait_for_selector("#hint-jumps li")
    said = r"it can no longer be won from here; at best \d pegs are left"
    assert re.search(said, page.inner_text("#hint-said"))
    words = page.locator("#hint-jumps li").all_inner_texts()
    assert any(re.search(r"★ the fewest: \d pegs left at best", each) for each in words), words
    assert page.locator("#board .arrow.hint").count() == page.locator("#hint-jumps .hint").count() >= 1
    assert page.locator("#board .arrow.wins").count() == 0


@needs_oracle
def test_a_program_that_gives_up_is_judged_by_the_oracle(opened: Opened, served: Served) -> None:
    page = opened(f"/play/english/{LOST}")
    ask(page, "peg3")
    until(
        page,
        lambda: page.inner_text("#hint-said").startswith("peg3: 3 left, no way to a single peg from here ("),
    )
    assert not page.is_visible("#hint-message")  # which would say that the answer is not judged
    with written(served, peg3=GIVES_UP):
        ask(page, "peg3")
        page.wait_for_selector("#hint-message")
        assert "peg3 gives no hint: wrong answer" in page.inner_text("#hint-said")


# ---- the timeline ------------------------------------------------------------------------------


def lost_game(name: str) -> str:
    """Return the jumps of a game that takes the first jump each time, for an address."""
    board, jumps = find_board(name).board.copy(), []
    while legal := legal_jumps(board):
        play_jump(board, legal[0])
        jumps.append("".join(map(str, legal[0])))
    return ".".join(jumps)


@needs_oracle
def test_the_timeline_finds_the_jump_that_lost(opened: Opened) -> None:
    jumps = lost_game("choice")
    page = opened(f"/play/choice/{jumps}")
    until(page, lambda: "lost it" in page.inner_text("#turning"))
    said = re.fullmatch(r"jump (\d+), \d:\d → \d:\d, lost it", page.inner_text("#turning"))
    assert said
    lost, count = int(said[1]), len(jumps.split(".")) + 1
    assert page.locator("#ticks .won").count() == lost
    assert page.locator("#ticks .lost").count() == count - lost
    page.click("#turning-go")
    assert counters(page)[1] == lost - 1 and page.locator("#board .arrow.loses").count() == 1
    page.locator("#scrub").fill("0")
    assert counters(page)[1] == 0 and page.locator("#ticks .to-come").count() == count - 1
    assert page.get_attribute("#scrub", "aria-valuetext") == f"the beginning, of {count - 1} jumps"


def test_without_the_oracle_a_program_gives_its_opinion(opened: Opened, served: Served) -> None:
    def without_oracle(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace('"truth"', '""'))

    page = opened("/rules")
    page.route("**/play/**", without_oracle)
    page.route("**/api/here", without_oracle)
    stub = (served.folder / "student" / "peg2.py").read_text()
    with written(served, peg4=stub, peg5=stub):  # peg3 is the strongest then
        page.goto(f"{served.base}/play/choice/{lost_game('choice')}")
        assert page.inner_text("#turning-ask") == "Can it be won? Ask your peg3"
        page.click("#turning-ask")
        until(page, lambda: "lost it" in page.inner_text("#turning"))
        assert page.inner_text("#turning").startswith("your peg3 says: jump ")


# ---- films -------------------------------------------------------------------------------------


def film_of(page: Any) -> str:
    """Return the heading of the board that is shown of a film, once there is one."""
    page.wait_for_selector("#film canvas")
    heading: str = page.locator(".which").inner_text()
    return heading


@pytest.mark.parametrize(
    "size", [pytest.param(SMALL_LAPTOP, marks=pytest.mark.whole), PHONE], ids=["laptop", "phone"]
)
def test_the_film_of_the_chosen_program_opens_beside_the_board(opened: Opened, size: dict[str, int]) -> None:
    page = opened("/play/choice", viewport=size)
    page.select_option("#who", "peg3")
    assert page.get_attribute("#film", "href") == "/film/peg3/choice"
    with page.expect_popup() as popup:
        page.click("#film")
    film = popup.value
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


def test_a_film_from_a_position_and_from_the_start(opened: Opened, served: Served) -> None:
    played = SOLUTION[: 5 * 26 - 1]
    page = opened(f"/play/english/{played}")
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


@pytest.mark.whole  # as for hints, with a longer way to it
def test_an_endless_program_is_cancelled_and_blocks_no_hint(opened: Opened) -> None:
    page = opened("/film/peg5/choice")
    page.wait_for_selector("#said:has-text('recording')")
    other = opened("/play/choice")
    ask(other, "peg3")
    other.wait_for_selector("#play-hint")
    page.click("#cancel")
    until(page, lambda: page.inner_text("#said") == "peg5: cancelled, its process has ended")
    assert page.is_visible("#again") and not page.is_visible("#film")


def test_what_has_no_film_is_said(opened: Opened, visits: Visits, served: Served) -> None:
    page = opened("/film/peg2/choice")  # not written
    page.wait_for_selector("#failed")
    failed = page.inner_text("#failed")
    assert "peg2 cannot be asked" in failed and "not written yet" in failed
    assert page.inner_text("#said") == "There is no film:"
    visits.complaints.clear()  # of the status of that answer
    page.goto(f"{served.base}/film/peg4/english")  # which plays an illegal jump
    assert film_of(page).startswith("Board 1 of")


# ---- the editor --------------------------------------------------------------------------------


def test_a_board_is_made_by_clicking_and_saved(opened: Opened, tmp_path: Path) -> None:
    page = opened("/edit/one-jump", viewport=SMALL_LAPTOP)
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


def test_a_typed_board_is_read_and_played(opened: Opened, served: Served) -> None:
    page = opened("/edit")
    for text, said in (
        (". . x", "line 1, character 5: expected “.”, “*” or “o”, found “x”"),
        ("* * o", "expected 8 rows of 8 cells, which is 64, found 3 cells"),
        (". " * 64, "the board has no peg: put one, “*”, on it"),
        ("1" + "0" * 48, "character 1: expected “0”, found a peg: the 2 \xd7 2 corners are no holes"),
    ):
        page.fill("#own-text", text)
        assert page.inner_text("#own-fault") == f"{said}; until it is mended the board stays as it was"
    english = find_board("english").board
    page.fill("#own-text", format_cells(english))
    assert page.inner_text("#counted") == "32 pegs, 33 holes"
    page.click("#play")
    page.wait_for_url(f"{served.base}/play/{positions.format_cells(english)}")
    assert counters(page) == (32, 0, 0)
    page.go_back()
    page.fill("#own-text", "* * o" + " ." * 61)
    page.click("#play")
    page.wait_for_url(f"{served.base}/play/**")
    press(page, "0002")
    assert "Solved" in status(page)
    page.reload()
    assert counters(page) == (1, 1, 1)


@needs_oracle
def test_a_random_board(opened: Opened) -> None:
    page = opened("/edit/english")
    page.select_option("#kind", "unsolvable")
    page.fill("#pegs", "7")
    page.click("#new-random")
    until(page, lambda: page.inner_text("#counted") == "7 pegs, 33 holes")
    until(page, lambda: page.inner_text("#solvable") == "it cannot be solved")
