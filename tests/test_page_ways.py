"""The ways of the page of `grade play`: what fits on a screen, dragging, keys, the timeline, and whole answers."""

import json
import re
import shutil
import time
from typing import Any

import pytest

from framework.jumps import legal_jumps, play_jump
from grader import paths
from grader.catalog.boards import find_board
from support.browsing import Visits, accessibility_faults, axe_source
from support.played_pages import Served, cell, counters, pegs_drawn, served, status, until, visits
from test_page import SOLUTION, TWO_LANDINGS

__all__ = ["served", "visits"]  # fixtures

pytestmark = pytest.mark.slow

LAPTOP, SMALL_LAPTOP = {"width": 1280, "height": 800}, {"width": 1366, "height": 650}
PHONE = {"width": 360, "height": 640}
LOST = "3133.5232.5452.3353.4543.5333.4042.3331.1333.5232"  # 148,246 positions can be reached from here
GIVES_UP = """
def peg_solve(board, stack, unsolvable):
    return 7
"""


def middle(page: Any, row: int, col: int) -> tuple[float, float]:
    box = page.locator(cell(row, col)).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Any, start: tuple[int, int], end: tuple[int, int]) -> None:
    page.mouse.move(*middle(page, *start))
    page.mouse.down()
    page.mouse.move(*middle(page, *end), steps=5)
    page.mouse.up()


def lost_game(name: str) -> str:
    """Return the jumps of a game that takes the first jump each time, for an address."""
    board, jumps = find_board(name).board.copy(), []
    while legal := legal_jumps(board):
        play_jump(board, legal[0])
        jumps.append("".join(map(str, legal[0])))
    return ".".join(jumps)


# ---- what one sees -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "size",
    [pytest.param(LAPTOP, marks=pytest.mark.whole), SMALL_LAPTOP, PHONE],
    ids=["laptop", "small laptop", "phone"],
)
def test_the_board_and_what_is_said_of_it_fit_on_a_screen(
    visits: Visits, served: Served, size: dict[str, int]
) -> None:
    page = visits.window(viewport=size, has_touch=size is PHONE)
    page.goto(served.first(f"/play/english/{SOLUTION}"))
    assert "Solved: one peg is left" in status(page)
    for part in ("#status", "#board", "#scrub"):
        box = page.locator(part).bounding_box()
        assert box["y"] + box["height"] <= size["height"] and box["x"] + box["width"] <= size["width"], part
    assert page.locator("#board .badges .wins").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert accessibility_faults(page, axe_source()) == []


def test_a_refusal_and_a_lost_game_are_marked_on_the_board(visits: Visits, served: Served) -> None:
    page = visits.window(viewport=SMALL_LAPTOP)
    page.goto(served.first("/play/english"))
    page.click(cell(0, 2))
    assert status(page) == "0:2 cannot jump." and page.locator("#board .badges .loses").count() == 1
    page.click(cell(3, 1))
    assert page.locator("#board .badges *").count() == 0
    page.goto(f"{served.base}/play/stuck")
    assert page.locator("#board .badges .arrow").count() == 3


# ---- dragging and keys -------------------------------------------------------------------------


def test_pegs_are_dragged(visits: Visits, served: Served) -> None:
    page = visits.window()
    page.goto(served.first("/play/english"))
    drag(page, (3, 1), (3, 3))
    assert counters(page) == (31, 1, 1) and pegs_drawn(page) == 31 and status(page) == "3:1 → 3:3."
    drag(page, (2, 3), (3, 2))
    assert status(page) == "2:3 cannot jump to 3:2." and counters(page) == (31, 1, 1)
    drag(page, (2, 3), (2, 3))  # put down again
    page.mouse.move(*middle(page, 5, 2))
    page.mouse.down()
    page.mouse.move(5, 5, steps=3)
    page.mouse.up()  # beside the board
    assert counters(page) == (31, 1, 1)
    assert page.evaluate("document.querySelectorAll('#board .peg[style*=translate]').length") == 0
    page.click(cell(5, 2))  # a click still is one
    assert counters(page) == (30, 2, 2)


def test_pegs_are_dragged_by_a_finger(visits: Visits, served: Served) -> None:
    page = visits.window(viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto(served.first("/play/english"))
    touch = page.context.new_cdp_session(page)
    (x, y), (x_end, _) = middle(page, 3, 1), middle(page, 3, 3)
    points: list[list[dict[str, float]]] = [[{"x": x + (x_end - x) * part, "y": y}] for part in (0, 0.5, 1)]
    for kind, at in zip(("touchStart", "touchMove", "touchMove", "touchEnd"), [*points, []], strict=True):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})
    until(page, lambda: counters(page) == (31, 1, 1))
    assert page.evaluate("scrollY") == 0


def test_enter_and_an_arrow_jump(visits: Visits, served: Served) -> None:
    page = visits.window()
    page.goto(served.first(f"/play/english/{TWO_LANDINGS}"))
    page.focus(cell(3, 3))
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    assert status(page) == "3:3 cannot jump right." and counters(page) == (29, 3, 3)
    page.keyboard.press("ArrowUp")
    assert status(page) == "3:3 → 1:3." and counters(page) == (28, 4, 4)
    assert page.evaluate("document.activeElement.dataset.cell") == "1:3"


def test_ctrl_z_and_ctrl_y(visits: Visits, served: Served) -> None:
    page = visits.window()
    page.goto(served.first("/play/english/1333.2123"))
    for key, jumps in (("Control+z", 1), ("Control+z", 0), ("Control+y", 1), ("Control+Shift+Z", 2)):
        page.keyboard.press(key)
        assert counters(page)[1] == jumps, key


def test_damaged_storage_and_a_share_box_that_follows(visits: Visits, served: Served) -> None:
    page = visits.window()
    page.goto(served.first("/play/english/3133"))
    for damage in ("{", "7", '{"jumps": 7, "at": 1}', '{"jumps": [[3,1,3,3], "x", null], "at": 1}'):
        page.evaluate("text => sessionStorage.setItem('game english', text)", damage)
        page.reload()
        assert counters(page) == (31, 1, 1), damage
    page.click("#share")
    page.keyboard.press("Escape")
    page.click(cell(2, 3) if page.get_attribute(cell(2, 3), "class") is None else "#undo")
    assert page.input_value("#link") == page.url == f"{served.base}/play/english"


# ---- the timeline ------------------------------------------------------------------------------


@pytest.mark.skipif(not paths.ORACLE.is_dir(), reason="a student's copy has no oracle")
def test_the_timeline_finds_the_jump_that_lost(visits: Visits, served: Served) -> None:
    page = visits.window()
    jumps = lost_game("choice")
    page.goto(served.first(f"/play/choice/{jumps}"))
    until(page, lambda: "lost it" in page.inner_text("#turning"))
    said = re.fullmatch(r"jump (\d+), \d:\d → \d:\d, lost it", page.inner_text("#turning"))
    assert said
    lost = int(said[1])
    count = len(jumps.split(".")) + 1
    assert (
        page.locator("#ticks .won").count() == lost and page.locator("#ticks .lost").count() == count - lost
    )
    page.click("#turning-go")
    assert counters(page)[1] == lost - 1 and page.locator("#board .arrow.loses").count() == 1
    page.locator("#scrub").fill("0")
    assert counters(page)[1] == 0 and page.locator("#ticks .to-come").count() == count - 1
    assert page.get_attribute("#scrub", "aria-valuetext") == f"the beginning, of {count - 1} jumps"


def test_without_the_oracle_a_program_gives_its_opinion(visits: Visits, served: Served) -> None:
    page = visits.window()

    def without_oracle(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace('"truth"', '""'))

    page.route("**/play/**", without_oracle)
    page.route("**/api/here", without_oracle)
    page.goto(served.first("/rules"))
    shutil.move(served.folder / "student/peg5.py", served.folder / "peg5.py")  # it never ends
    shutil.move(served.folder / "student/peg4.py", served.folder / "peg4.py")  # it plays an illegal jump
    try:
        page.goto(f"{served.base}/play/choice/{lost_game('choice')}")
        assert page.inner_text("#turning-ask") == "Can it be won? Ask your peg3"
        page.click("#turning-ask")
        until(page, lambda: "lost it" in page.inner_text("#turning"))
        assert page.inner_text("#turning").startswith("your peg3 says: jump ")
    finally:
        for name in ("peg4", "peg5"):
            shutil.move(served.folder / f"{name}.py", served.folder / f"student/{name}.py")


# ---- hints -------------------------------------------------------------------------------------


def ask(page: Any, who: str) -> None:
    page.select_option("#who", who)
    page.click("#hint")


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


def test_an_illegal_jump_of_a_hint_is_drawn(visits: Visits, served: Served) -> None:
    page = visits.window(viewport=PHONE, has_touch=True)
    page.goto(served.first("/play/english"))
    ask(page, "peg4")
    page.wait_for_selector("#hint-message")
    assert page.locator("#board .arrow.illegal").count() == 1
    assert "jump 3 of your solution is illegal" in page.inner_text("#hint-message .headline")
    assert page.inner_text("#play-rest") == "Play up to the illegal jump, 3"
    page.click("#play-rest")
    until(page, lambda: counters(page)[1] == 2)
    assert status(page) == "Its next jump, 2:0 → 2:2, is illegal."
    assert page.locator("#board .arrow.illegal").count() == 1


def test_who_answers_is_remembered_and_a_task_written_meanwhile_is_ready(
    visits: Visits, served: Served
) -> None:
    page = visits.window()
    page.goto(served.first("/play/english"))
    assert page.input_value("#who") == "peg5"  # the strongest that is ready
    page.select_option("#who", "peg3")
    page.reload()
    assert page.input_value("#who") == "peg3"
    stub = (served.folder / "student/peg2.py").read_text()
    shutil.copy(paths.REFERENCE / "peg2.py", served.folder / "student")
    try:
        page.evaluate("dispatchEvent(new Event('focus'))")
        until(page, lambda: page.locator("#who option[value=peg2]").is_enabled())
        assert page.input_value("#who") == "peg3"
    finally:
        (served.folder / "student/peg2.py").write_text(stub)


@pytest.mark.skipif(not paths.ORACLE.is_dir(), reason="a student's copy has no oracle")
def test_where_nothing_wins_the_fewest_are_marked(visits: Visits, served: Served) -> None:
    page = visits.window()
    page.goto(served.first("/play/two-forks"))
    ask(page, "oracle")
    page.wait_for_selector("#hint-jumps li")
    assert re.search(
        r"it can no longer be won from here; at best \d pegs are left", page.inner_text("#hint-said")
    )
    words = page.locator("#hint-jumps li").all_inner_texts()
    assert any(re.search(r"★ the fewest: \d pegs left at best", each) for each in words), words
    assert page.locator("#board .arrow.hint").count() == page.locator("#hint-jumps .hint").count() >= 1
    assert json.dumps(page.locator("#board .arrow.wins").count()) == "0"


@pytest.mark.skipif(not paths.ORACLE.is_dir(), reason="a student's copy has no oracle")
def test_a_program_that_gives_up_is_judged_by_the_oracle(visits: Visits, served: Served) -> None:
    page = visits.window()
    page.goto(served.first(f"/play/english/{LOST}"))
    ask(page, "peg3")
    until(page, lambda: page.inner_text("#hint-said").startswith("peg3: 3 left"))
    assert not page.is_visible("#hint-message")  # which would say that the answer is not judged
    with_doubt = served.folder / "student/peg3.py"
    right = with_doubt.read_text()
    with_doubt.write_text(GIVES_UP)
    try:
        ask(page, "peg3")
        page.wait_for_selector("#hint-message")
        assert "peg3 gives no hint: wrong answer" in page.inner_text("#hint-said")
    finally:
        with_doubt.write_text(right)
