"""The page of `grade play` in a browser: a board is played by mouse, finger and keys, and looked at by axe-core."""

import re
from itertools import pairwise
from typing import Any

import pytest

from framework.board import Board, count_pegs
from framework.jumps import Jump, legal_jumps, play_jump
from grader.catalog.boards import course_boards, find_board
from support.browsing import Visits, accessibility_faults, axe_source, chromium
from support.played_pages import (
    Opened,
    Served,
    ask,
    cell,
    counters,
    is_usable,
    opened,
    pegs_drawn,
    press,
    served,
    status,
    until,
    visits,
)  # fmt: skip

__all__ = ["opened", "served", "visits"]  # fixtures

SOLUTION = (
    "1333.2123.0222.0402.2321.2022.2404.2624.3212.0222.3032.3212.3414.0424.3634.3414.5232.4042.4222.1232."
    "3234.4424.1434.4644.4345.6444.3454.6264.6444.4543.4363"
)
TWO_LANDINGS = "1333.2123.4121"  # then the peg at 3:3 has two
LAPTOP, SMALL_LAPTOP = {"width": 1280, "height": 800}, {"width": 1366, "height": 650}
PHONE = {"width": 360, "height": 640}


def game(board: Board, ends: Any) -> list[Jump] | None:
    """Return the first game of a small board with `ends(pegs left)`, in which no peg jumps twice in a row."""

    def search(board: Board, played: list[Jump]) -> list[Jump] | None:
        jumps = [jump for jump in legal_jumps(board) if not played or played[-1][2:] != jump[:2]]
        for jump in jumps:
            after = board.copy()
            play_jump(after, jump)
            if found := search(after, [*played, jump]):
                return found
        return played if not legal_jumps(board) and ends(count_pegs(board)) else None

    return search(board, [])


# ---- playing -----------------------------------------------------------------------------------


def test_a_game_won_by_clicks(opened: Opened, served: Served) -> None:
    page = opened("/play/english", reduced_motion="no-preference")
    jumps = SOLUTION.split(".")
    for number, jump in enumerate(jumps, 1):
        if page.get_attribute(cell(*jump[:2]), "aria-selected") == "false":  # a peg that goes on is chosen
            page.click(cell(*jump[:2]))
        if counters(page)[1] < number:  # it has not jumped at once
            assert "landing" in page.get_attribute(cell(*jump[2:]), "aria-label")
            page.click(cell(*jump[2:]))
    moves = 1 + sum(before[2:] != after[:2] for before, after in pairwise(jumps))
    assert counters(page) == (1, 31, moves)
    assert pegs_drawn(page) == 1
    assert f"Solved: one peg is left in 31 jumps, {moves} moves. The fewest moves are 17." in status(page)
    assert "It can be solved." in page.inner_text(".about")
    assert page.url == f"{served.base}/play/english/{SOLUTION}"


@pytest.mark.slow
def test_a_game_won_by_keyboard(opened: Opened) -> None:
    jumps = game(find_board("needs-four-directions").board, lambda pegs: pegs == 1)
    assert jumps is not None
    page = opened("/play/needs-four-directions")
    page.keyboard.press("ArrowRight")  # brings the keyboard to the board

    def walk(row: int, col: int) -> None:
        for key in ["ArrowDown"] * 8 + ["ArrowRight"] * 64:
            at = page.evaluate("document.activeElement.dataset.cell").split(":")
            if int(at[0]) == row and int(at[1]) == col:
                return
            if key == "ArrowRight" or int(at[0]) < row:
                page.keyboard.press(key)
        raise AssertionError(f"the keys do not lead to {row}:{col}")

    for number, (row, col, row_end, col_end) in enumerate(jumps):
        walk(row, col)
        page.keyboard.press(" " if number % 2 else "Enter")
        way = "Down Up" if col == col_end else "Right Left"
        page.keyboard.press("Arrow" + way.split()[row_end + col_end < row + col])
    assert "Solved: one peg is left" in status(page)
    assert counters(page)[:2] == (1, len(jumps))


@pytest.mark.slow
def test_a_lost_game_is_told_and_marked(opened: Opened, served: Served) -> None:
    page = opened("/play/stuck")
    assert status(page) == "No jump is left: 3 pegs remain. No game on this board leaves fewer."
    assert page.locator("#board .badges .arrow").count() == 3
    lost = game(find_board("choice").board, lambda pegs: pegs > 1)
    assert lost is not None
    page.goto(f"{served.base}/play/choice")
    press(page, *("".join(map(str, jump)) for jump in lost))
    assert re.fullmatch(r".* No jump is left: \d pegs remain\. A perfect game leaves 1\.", status(page))
    assert page.get_attribute("#status", "data-state") == "lost"


@pytest.mark.slow
def test_a_peg_with_one_landing_jumps_at_once(opened: Opened, served: Served) -> None:
    page = opened("/play/english")
    page.click(cell(3, 1))
    assert status(page) == "3:1 → 3:3."
    assert counters(page) == (31, 1, 1)
    page.click(cell(3, 3))  # whoever presses the hole, too, plays no second jump
    assert counters(page) == (31, 1, 1)
    page.goto(f"{served.base}/play/english/1333.4323")
    page.click(cell(3, 1))
    assert status(page) == "3:1 → 3:3. 3:3 can jump to 1:3: select a hole."
    page.click(cell(3, 3))  # to go on with it
    assert status(page) == "3:3 can jump to 1:3: select a hole." and counters(page)[1] == 3
    assert page.get_attribute(cell(3, 3), "aria-selected") == "true"
    page.click(cell(1, 3))
    assert counters(page) == (28, 4, 3)


@pytest.mark.slow
def test_what_cannot_be_played_is_said(opened: Opened) -> None:
    page = opened(f"/play/english/{TWO_LANDINGS}")
    for pressed, said, crosses in (
        (cell(3, 1), "3:1 is empty. Choose a peg first.", 1),
        (cell(0, 3), "0:3 cannot jump.", 1),
        (cell(3, 3), "3:3 can jump to 1:3 or 3:1: select a hole.", 0),
        (cell(1, 2), "1:2 cannot jump.", 1),
        (cell(3, 3), "3:3 can jump to 1:3 or 3:1: select a hole.", 0),
        (cell(3, 3), "Choose a peg that can jump over another.", 0),
    ):
        page.click(pressed)
        assert status(page) == said
        assert page.locator("#board .badges .loses").count() == crosses
    assert counters(page) == (29, 3, 3)
    page.focus(cell(3, 3))
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    assert status(page) == "3:3 cannot jump right." and counters(page) == (29, 3, 3)
    page.keyboard.press("ArrowUp")
    assert status(page) == "3:3 → 1:3." and counters(page) == (28, 4, 4)
    assert page.evaluate("document.activeElement.dataset.cell") == "1:3"


def middle(page: Any, row: int, col: int) -> tuple[float, float]:
    box = page.locator(cell(row, col)).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.slow
def test_pegs_are_dragged(opened: Opened) -> None:
    page = opened("/play/english")
    for start, end, said in (
        (middle(page, 3, 1), middle(page, 3, 3), "3:1 → 3:3."),
        (middle(page, 2, 3), middle(page, 3, 2), "2:3 cannot jump to 3:2."),
        (middle(page, 2, 3), middle(page, 2, 3), None),  # put down again
        (middle(page, 5, 2), (5.0, 5.0), None),  # beside the board
    ):
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(*end, steps=5)
        page.mouse.up()
        assert counters(page) == (31, 1, 1) and pegs_drawn(page) == 31
        assert said in (None, status(page))
    assert page.evaluate("document.querySelectorAll('#board .peg[style*=translate]').length") == 0
    page.click(cell(5, 2))  # a click still is one
    assert counters(page) == (30, 2, 2)


@pytest.mark.slow
def test_pegs_are_dragged_by_a_finger(opened: Opened) -> None:
    page = opened("/play/english", viewport=PHONE, has_touch=True, is_mobile=True)
    touch = page.context.new_cdp_session(page)
    (x, y), (x_end, _) = middle(page, 3, 1), middle(page, 3, 3)
    points: list[list[dict[str, float]]] = [[{"x": x + (x_end - x) * part, "y": y}] for part in (0, 0.5, 1)]
    for kind, at in zip(("touchStart", "touchMove", "touchMove", "touchEnd"), [*points, []], strict=True):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})
    until(page, lambda: counters(page) == (31, 1, 1))
    assert page.evaluate("scrollY") == 0
    assert not page.is_visible(".keys-line")  # there are no keys


# ---- the history and the address ---------------------------------------------------------------


@pytest.mark.slow
def test_undo_and_redo_to_both_ends(opened: Opened, served: Served) -> None:
    played = SOLUTION[: 5 * 10 - 1]
    page = opened(f"/play/english/{played}")
    assert not is_usable(page, "redo") and not is_usable(page, "last")
    for jumps in range(9, -1, -1):
        page.click("#undo") if jumps % 3 == 0 else page.keyboard.press("u" if jumps % 3 == 1 else "Control+z")
        assert counters(page)[:2] == (32 - jumps, jumps)
    assert not is_usable(page, "undo") and not is_usable(page, "first")
    assert page.url == f"{served.base}/play/english"
    keys = ("r", "Control+y", "Control+Shift+Z")
    for jumps in range(1, 11):
        page.click("#redo") if jumps % 4 == 0 else page.keyboard.press(keys[jumps % 4 - 1])
        assert counters(page)[:2] == (32 - jumps, jumps)
    page.keyboard.press("Home")
    assert counters(page) == (32, 0, 0) and pegs_drawn(page) == 32
    page.keyboard.press("End")
    assert counters(page)[:2] == (22, 10) and pegs_drawn(page) == 22
    page.click("#first")
    page.click("#last")
    assert page.url == f"{served.base}/play/english/{played}"
    page.keyboard.press("R")
    assert counters(page) == (32, 0, 0) and not is_usable(page, "redo")
    page.click("#undo")
    assert counters(page)[:2] == (22, 10)
    page.click("#restart")
    press(page, "3533")
    page.keyboard.press("u")
    assert counters(page) == (32, 0, 0) and not is_usable(page, "undo")  # the old game is gone


@pytest.mark.slow
def test_a_reload_keeps_the_game(opened: Opened, served: Served) -> None:
    page = opened("/play/english/3133.1232.3331")
    page.keyboard.press("u")
    page.keyboard.press("u")
    page.reload()
    assert counters(page)[:2] == (31, 1)
    page.click("#last")
    assert counters(page)[:2] == (29, 3)
    page.goto(f"{served.base}/play/english/3533")  # another game: its future is its own
    assert not is_usable(page, "redo")
    for damage in ("{", "7", '{"jumps": 7, "at": 1}', '{"jumps": [[3,5,3,3], "x", null], "at": 1}'):
        page.evaluate("text => sessionStorage.setItem('game english', text)", damage)
        page.reload()
        assert counters(page) == (31, 1, 1), damage


@pytest.mark.slow
def test_a_link_opens_the_position_in_another_window(opened: Opened, served: Served) -> None:
    page = opened("/play/english")
    press(page, "3133")
    assert page.url == f"{served.base}/play/english/3133"
    second = page.context.new_page()
    second.goto(page.url)
    assert counters(second) == (31, 1, 1)
    page.click("#undo")
    assert page.url == f"{served.base}/play/english"  # it follows the game


# ---- replay ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_replay_stops_at_the_illegal_jump(opened: Opened, served: Served) -> None:
    page = opened("/replay/peg4/english")
    assert page.inner_text("h1") == "Your peg4 on english"
    assert page.inner_text("#jumps-count") == "0"
    page.click("#redo")
    assert pegs_drawn(page) == 31 and "1:3 → 3:3" in status(page)
    page.click("#redo")
    told = "Its next jump, 2:0 → 2:2, is illegal: it jumps over 2:1, which is empty."
    assert status(page) == told
    assert page.locator("#board .arrow.illegal").count() == 1
    assert pegs_drawn(page) == 30 and not is_usable(page, "redo")
    page.click("#undo")
    page.locator("#scrub").fill("0")
    assert pegs_drawn(page) == 32 and page.locator("#board .arrow").count() == 0
    page.click("#run")
    page.wait_for_selector(f"#status:has-text('{told}')")
    assert page.url == f"{served.base}/replay/peg4/english"  # so a reload shows the same
    assert "illegal" in page.inner_text(".card .headline")


# ---- how it looks ------------------------------------------------------------------------------


def test_a_missing_browser_fails_in_ci_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("support.browsing.CHROMIUM", ("no-such-browser",))
    for ci, raised in (("", pytest.skip.Exception), ("true", pytest.fail.Exception)):
        monkeypatch.setenv("CI", ci)
        with pytest.raises(raised, match="no Chromium here: apt-get install chromium"), chromium():
            pass


@pytest.mark.slow
@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.whole), "dark"])
def test_no_page_is_hard_to_use(opened: Opened, visits: Visits, served: Served, scheme: str) -> None:
    axe = axe_source()
    page = opened("/rules", color_scheme=scheme, viewport=PHONE)
    game = f"/play/english/{TWO_LANDINGS}"
    for path in ("/", "/rules", "/edit/key", game, "/replay/peg4/english", "/play/no-such-board"):
        page.goto(served.base + path)
        if path == game:
            page.click(cell(3, 3))  # chosen, with its landings
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert accessibility_faults(page, axe) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
        assert (sum(map(int, re.findall(r"\d+", paper))) < 384) == (scheme == "dark"), path
    assert visits.complaints and all("status of 404" in each for each in visits.complaints)  # the last page
    visits.complaints.clear()


@pytest.mark.slow
def test_hints_and_keys_are_easy_to_use_too(opened: Opened) -> None:
    axe = axe_source()
    page = opened("/play/english")
    ask(page, "peg4")
    page.wait_for_selector("#hint-message")
    assert accessibility_faults(page, axe) == []
    page.focus("#hint")
    page.keyboard.press("?")
    assert page.is_visible("#keys")
    assert accessibility_faults(page, axe) == []
    page.keyboard.press("Escape")
    assert not page.is_visible("#keys")


@pytest.mark.slow
@pytest.mark.parametrize(
    "size",
    [pytest.param(LAPTOP, marks=pytest.mark.whole), SMALL_LAPTOP, PHONE],
    ids=["laptop", "small laptop", "phone"],
)
def test_the_board_and_what_is_said_of_it_fit_on_a_screen(opened: Opened, size: dict[str, int]) -> None:
    page = opened(f"/play/english/{SOLUTION}", viewport=size, has_touch=size is PHONE)
    assert "Solved: one peg is left" in status(page)
    for part in ("#status", "#board", "#scrub"):
        box = page.locator(part).bounding_box()
        assert box["y"] + box["height"] <= size["height"] and box["x"] + box["width"] <= size["width"], part
    assert page.locator("#board .badges .wins").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert accessibility_faults(page, axe_source()) == []


@pytest.mark.slow
def test_the_menu_has_every_board(opened: Opened) -> None:
    page = opened("/")
    for folded in page.locator("summary").all():
        folded.click()
    drawn = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('.boards li')].map((card) =>"
        " [card.querySelector('a').pathname.slice(6), card.querySelectorAll('.peg.there').length]))"
    )
    boards = course_boards()
    assert drawn == {name: find_board(name).pegs for name in [*boards.names, *boards.vacancies]}
