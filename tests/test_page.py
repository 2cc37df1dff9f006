"""The pages of `grade play` in a browser: played by mouse and keyboard, with hints, and looked at by axe-core."""

import re
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from framework.board import Board, count_pegs
from framework.jumps import Jump, legal_jumps, play_jump
from grader import paths
from grader.catalog.boards import course_boards, find_board
from grader.reports import html_report
from grader.web import html_page
from support.browsing import Visits, accessibility_faults, axe_source, chromium
from support.played_pages import Served, cell, counters, is_usable, pegs_drawn, served, status, visits
from support.processes import await_end, below, working

SOLUTION = (
    "1333.2123.0222.0402.2321.2022.2404.2624.3212.0222.3032.3212.3414.0424.3634.3414.5232.4042.4222.1232."
    "3234.4424.1434.4644.4345.6444.3454.6264.6444.4543.4363"
)
__all__ = ["served", "visits"]  # fixtures

PATIENCE_S = 600.0  # without a click the student's loop would go on for much longer
TWO_LANDINGS = "1333.2123.4121"  # then the peg at 3:3 has two
PHONE = {"width": 360, "height": 740}


def moves_of(jumps: list[str]) -> int:
    """Return the moves: jumps that go on from the last landing are one."""
    return 1 + sum(before[2:] != after[:2] for before, after in pairwise(jumps))


def games(board: Board) -> Iterator[tuple[int, list[Jump]]]:
    """Yield every game of a small board: the pegs that are left, and the jumps."""
    jumps = legal_jumps(board)
    if not jumps:
        yield count_pegs(board), []
    for jump in jumps:
        after = board.copy()
        play_jump(after, jump)
        for pegs, rest in games(after):
            yield pegs, [jump, *rest]


def won(board: Board) -> list[Jump]:
    """Return a game that ends with one peg."""
    return next(jumps for pegs, jumps in games(board) if pegs == 1)


def lost(board: Board) -> list[Jump]:
    """Return a game that does not, in which no peg jumps twice in a row."""
    return next(
        jumps
        for pegs, jumps in games(board)
        if pegs > 1 and all(before[2:] != after[:2] for before, after in pairwise(jumps))
    )


# ---- playing -----------------------------------------------------------------------------------


def test_a_game_won_by_clicks(visits: Visits, served: Served) -> None:
    page = visits.window(reduced_motion="no-preference")
    page.goto(served.first("/play/english"))
    jumps = SOLUTION.split(".")
    for number, jump in enumerate(jumps, 1):
        if page.get_attribute(cell(*jump[:2]), "aria-selected") == "false":  # a peg that goes on is chosen
            page.click(cell(*jump[:2]))
        if counters(page)[1] < number:  # it has not jumped at once
            assert "landing" in page.get_attribute(cell(*jump[2:]), "aria-label")
            page.click(cell(*jump[2:]))
    assert counters(page) == (1, 31, moves_of(jumps))
    assert pegs_drawn(page) == 1
    assert f"Solved: one peg is left in 31 jumps, {moves_of(jumps)} moves." in status(page)
    assert page.url == f"{served.base}/play/english/{SOLUTION}"


@pytest.mark.slow
def test_a_game_won_by_keyboard(visits: Visits, served: Served) -> None:
    jumps = won(find_board("needs-four-directions").board)
    page = visits.window()
    page.goto(served.first("/play/needs-four-directions"))
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
def test_a_lost_game_is_told(visits: Visits, served: Served) -> None:
    page = visits.window()
    page.goto(served.first("/play/stuck"))
    assert status(page) == "No jump is left: 3 pegs remain. No game on this board leaves fewer."
    page.goto(f"{served.base}/play/choice")
    for jump in lost(find_board("choice").board):
        page.click(cell(*jump[:2]))
        page.click(cell(*jump[2:]))
    assert re.fullmatch(r".* No jump is left: \d pegs remain\. A perfect game leaves 1\.", status(page))
    assert page.get_attribute("#status", "data-state") == "lost"


@pytest.mark.slow
def test_a_peg_with_one_landing_jumps_at_once(visits: Visits, served: Served) -> None:
    page = visits.window()
    page.goto(served.first("/play/english"))
    page.click(cell(3, 1))
    assert status(page) == "3:1 → 3:3."
    assert counters(page) == (31, 1, 1)
    page.click(cell(3, 3))  # whoever presses the hole, too, plays no second jump
    assert counters(page) == (31, 1, 1)
    page.goto(f"{served.base}/play/english/1333.4323")
    page.click(cell(3, 1))
    assert status(page) == "3:1 → 3:3. 3:3 can jump to 1:3: select a hole."
    page.click(cell(1, 3))
    assert counters(page) == (28, 4, 3)


@pytest.mark.slow
def test_what_cannot_be_played_is_said(visits: Visits, served: Served) -> None:
    page = visits.window()
    page.goto(served.first(f"/play/english/{TWO_LANDINGS}"))
    for pressed, said in (
        (cell(3, 1), "3:1 is empty. Choose a peg first."),
        (cell(0, 3), "0:3 cannot jump."),
        (cell(3, 3), "3:3 can jump to 1:3 or 3:1: select a hole."),
        (cell(1, 2), "1:2 cannot jump."),
        (cell(3, 3), "3:3 can jump to 1:3 or 3:1: select a hole."),
        (cell(3, 3), "Choose a peg that can jump over another."),
    ):
        page.click(pressed)
        assert status(page) == said
    assert counters(page) == (29, 3, 3)


@pytest.mark.slow
def test_undo_and_redo_to_both_ends(visits: Visits, served: Served) -> None:
    page = visits.window()
    played = SOLUTION[: 5 * 10 - 1]
    page.goto(served.first(f"/play/english/{played}"))
    assert not is_usable(page, "redo") and not is_usable(page, "last")
    for jumps in range(9, -1, -1):
        page.click("#undo") if jumps % 2 else page.keyboard.press("u")
        assert counters(page)[:2] == (32 - jumps, jumps)
    assert not is_usable(page, "undo") and not is_usable(page, "first")
    assert page.url == f"{served.base}/play/english"
    for jumps in range(1, 11):
        page.click("#redo") if jumps % 2 else page.keyboard.press("r")
        assert counters(page)[:2] == (32 - jumps, jumps)
    page.keyboard.press("Home")
    assert counters(page) == (32, 0, 0) and pegs_drawn(page) == 32
    page.keyboard.press("End")
    assert counters(page)[:2] == (22, 10) and pegs_drawn(page) == 22
    page.click("#first")
    page.click("#last")
    assert page.url == f"{served.base}/play/english/{played}"


@pytest.mark.slow
def test_restart_can_be_taken_back(visits: Visits, served: Served) -> None:
    page = visits.window()
    page.goto(served.first("/play/english/3133.1232"))
    page.keyboard.press("R")
    assert counters(page) == (32, 0, 0) and not is_usable(page, "redo")
    page.click("#undo")
    assert counters(page) == (30, 2, 2)
    page.click("#restart")
    page.click(cell(3, 5))
    page.click(cell(3, 3))
    page.keyboard.press("u")
    assert counters(page) == (32, 0, 0) and not is_usable(page, "undo")


@pytest.mark.slow
def test_a_reload_keeps_the_game(visits: Visits, served: Served) -> None:
    page = visits.window()
    page.goto(served.first("/play/english/3133.1232.3331"))
    page.keyboard.press("u")
    page.keyboard.press("u")
    page.reload()
    assert counters(page)[:2] == (31, 1)
    page.click("#last")
    assert counters(page)[:2] == (29, 3)
    page.goto(f"{served.base}/play/english/3533")  # another game: its future is its own
    assert not is_usable(page, "redo")


@pytest.mark.slow
def test_a_link_opens_the_position_in_another_window(visits: Visits, served: Served) -> None:
    page = visits.window(permissions=["clipboard-read", "clipboard-write"])
    page.goto(served.first("/play/english"))
    page.click(cell(3, 1))
    page.click(cell(3, 3))
    page.click("#share")
    page.wait_for_function("document.getElementById('link-said').textContent.startsWith('Copied')")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.input_value("#link") == f"{served.base}/play/english/3133"
    second = page.context.new_page()
    second.goto(link)
    assert counters(second) == (31, 1, 1)


@pytest.mark.slow
def test_a_stranger_is_told_what_to_do(visits: Visits, served: Served) -> None:
    page = visits.window()
    assert page.goto(f"{served.base}/play/english/3133").status == 403
    assert "open the address that `grade play` printed" in page.inner_text("main")
    assert page.locator("#board").count() == 0
    page.close()  # nothing more is complained of
    assert all("status of 403" in each for each in visits.complaints), visits.complaints
    visits.complaints.clear()


@pytest.mark.slow
def test_an_address_that_is_no_position(visits: Visits, served: Served) -> None:
    page = visits.window()
    page.goto(served.first("/"))
    assert page.goto(f"{served.base}/play/english/3133.3133").status in range(400, 500)
    assert "jump 2 cannot be played on english" in page.inner_text("main")
    assert all("status of 4" in each for each in visits.complaints), visits.complaints
    visits.complaints.clear()


@pytest.mark.slow
def test_a_board_of_ones_own(visits: Visits, served: Served) -> None:
    page = visits.window()
    page.goto(served.first("/edit"))
    for text, said in (
        (". . x", "line 1, character 5: expected “.”, “*” or “o”, found “x”"),
        ("* * o", "expected 8 rows of 8 cells, which is 64, found 3 cells"),
        (". " * 64, "the board has no peg: put one, “*”, on it"),
    ):
        page.fill("#own-text", text)
        assert page.inner_text("#own-fault") == said
    page.fill("#own-text", "* * o" + " ." * 61)
    page.click("#play")
    page.wait_for_url(f"{served.base}/play/**")
    page.click(cell(0, 0))
    assert "Solved" in status(page)
    page.reload()
    assert counters(page) == (1, 1, 1)


# ---- hints -------------------------------------------------------------------------------------


def ask(page: Any, who: str) -> None:
    page.select_option("#who", who)
    page.click("#hint")


@pytest.mark.slow
def test_a_hint_is_played(visits: Visits, served: Served) -> None:
    page = visits.window()
    page.goto(served.first("/play/english"))
    assert page.locator("#who option[value=peg2]").is_disabled()  # and it says why
    assert "not written yet" in page.inner_text("#who option[value=peg2]")
    ask(page, "peg3")
    page.wait_for_selector("#play-hint")
    page.focus("#play-hint")
    page.keyboard.press("Enter")
    assert counters(page) == (31, 1, 1)
    assert page.evaluate("document.activeElement.id") == "hint"  # the keyboard is not lost
    assert page.url == f"{served.base}/play/english/{SOLUTION[:4]}"
    assert page.locator("#board .arrow").count() == 0  # the hint was for the position before


@pytest.mark.slow
def test_a_failing_solver_has_the_message_of_grade(visits: Visits, served: Served) -> None:
    page = visits.window(viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto(served.first("/play/english"))
    page.select_option("#who", "peg4")
    page.tap("#hint")
    page.wait_for_selector("#hint-message")
    said = page.inner_text("#hint-message")
    assert "jump 3 of your solution is illegal" in said
    assert "2:0 → 2:2 jumps over 2:1, which is empty" in said
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.tap(cell(3, 1))
    page.tap(cell(3, 3))
    assert counters(page) == (31, 1, 1)
    assert not page.is_visible("#hint-message")


@pytest.mark.slow
def test_an_endless_hint_is_cancelled(visits: Visits, served: Served) -> None:
    page = visits.window()
    page.goto(served.first("/play/english"))
    for cancel in (lambda: page.click("#cancel"), lambda: page.keyboard.press("Escape")):
        ask(page, "peg5")
        process = one_that_works(page, served)
        said = page.inner_text("#hint-said")  # the seconds count
        assert re.fullmatch(r"peg5: running, \d+\.\d s, of at most [\d.]+ CPU seconds", said), said
        cancel()
        assert await_end(process, PATIENCE_S), "its process still runs"
        page.wait_for_selector("#cancel", state="hidden")
        assert "cancelled" in page.inner_text("#hint-said")
    assert working(served.pid) == []


@pytest.mark.slow
def test_leaving_the_page_ends_its_hint(visits: Visits, served: Served) -> None:
    page = visits.window()
    page.goto(served.first("/play/english"))
    ask(page, "peg5")
    process = one_that_works(page, served)
    page.goto("about:blank")
    assert await_end(process, PATIENCE_S)


def one_that_works(page: Any, served: Served) -> int:
    """Return the process of the student's endless loop."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        if not page.inner_text("#hint-said").startswith("peg5: running"):
            continue  # other processes work for it first
        first = working(served.pid)
        if len(first) == 1 and working(served.pid) == first:
            return first[0]
    raise AssertionError(f"no process works; there are {below(served.pid)}")


@pytest.mark.slow
@pytest.mark.skipif(not paths.ORACLE.is_dir(), reason="a student's copy has no oracle")
def test_the_oracle_marks_each_jump(visits: Visits, served: Served) -> None:
    page = visits.window()
    page.goto(served.first("/play/choice"))
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


# ---- replay ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_replay_stops_at_the_illegal_jump(visits: Visits, served: Served) -> None:
    page = visits.window()
    page.goto(served.first("/replay/peg4/english"))
    assert page.inner_text("#jumps-count") == "0 of 3"
    page.click("#next")
    assert pegs_drawn(page) == 31 and "Jump 1 of 3: 1:3 → 3:3" in status(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    told = "Jump 3, 2:0 → 2:2, is illegal: it jumps over 2:1, which is empty."
    assert status(page) == told
    assert page.locator("#board .arrow.illegal").count() == 1
    assert pegs_drawn(page) == 30 and not is_usable(page, "next")
    page.keyboard.press("ArrowLeft")
    assert "Jump 2 of 3" in status(page)
    page.locator("#scrub").fill("0")
    assert pegs_drawn(page) == 32 and page.locator("#board .arrow").count() == 0
    page.select_option("#speed", "9")
    page.click("#run")
    page.wait_for_selector(f"#status:has-text('{told}')")
    assert page.inner_text("#run") == "Run"
    page.keyboard.press("Home")
    page.click("#next")
    page.click("#from-here")
    page.wait_for_url(f"{served.base}/play/english/1333")


def test_a_missing_browser_fails_in_ci_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("support.browsing.CHROMIUM", ("no-such-browser",))
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no Chromium here: apt-get install chromium"), chromium():
        pass
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no Chromium here: apt-get install chromium"), chromium():
        pass


# ---- how it looks ------------------------------------------------------------------------------

PAGES = [
    "/",
    "/rules",
    "/edit/key",
    f"/play/english/{TWO_LANDINGS}",
    "/replay/peg4/english",
    "/play/no-such-board",
]


@pytest.mark.slow
@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.whole), "dark"])
def test_no_page_is_hard_to_use(visits: Visits, served: Served, scheme: str, tmp_path: Path) -> None:
    axe = axe_source()
    page = visits.window(color_scheme=scheme, viewport=PHONE)
    page.goto(served.first("/rules"))
    for path in PAGES:
        page.goto(served.base + path)
        if path.startswith("/play/english"):
            page.click(cell(3, 3))  # chosen, with its landings
        faults = accessibility_faults(page, axe)
        page.screenshot(path=tmp_path / f"{path.strip('/').replace('/', '-') or 'menu'}-{scheme}.png")
        wide = page.evaluate("document.documentElement.scrollWidth")
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert faults == [], path
        assert wide <= PHONE["width"], path
        assert (sum(map(int, re.findall(r"\d+", paper))) < 384) == (scheme == "dark"), path
    assert visits.complaints and all("status of 404" in each for each in visits.complaints)  # the last page
    visits.complaints.clear()


@pytest.mark.slow
def test_hints_and_keys_are_easy_to_use_too(visits: Visits, served: Served) -> None:
    axe = axe_source()
    page = visits.window()
    page.goto(served.first("/play/english"))
    ask(page, "peg4")
    page.wait_for_selector("#hint-message")
    page.click("#share")
    assert accessibility_faults(page, axe) == []
    page.focus("#hint")
    page.keyboard.press("?")
    assert page.is_visible("#keys")
    assert accessibility_faults(page, axe) == []
    page.keyboard.press("Escape")
    assert not page.is_visible("#keys")


@pytest.mark.slow
def test_the_menu_has_every_board(visits: Visits, served: Served) -> None:
    page = visits.window()
    page.goto(served.first("/"))
    for folded in page.locator("summary").all():
        folded.click()
    drawn = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('.boards li')].map((card) =>"
        " [card.querySelector('a').pathname.slice(6), card.querySelectorAll('.peg.there').length]))"
    )
    boards = course_boards()
    assert drawn == {name: find_board(name).pegs for name in [*boards.names, *boards.vacancies]}


def test_a_board_without_a_server(visits: Visits, tmp_path: Path) -> None:
    (tmp_path / "own.js").write_text(
        'const view = new BoardView(document.getElementById("board"), parseBoard("**o" + "-".repeat(61)));\n'
        "view.play([0, 0, 0, 2]);\n"
    )
    modules = [html_page.STATIC / f"{name}.js" for name in html_report.MODULES]
    parts = html_page.inside([html_page.PAGE_STYLE], [*modules, tmp_path / "own.js"])
    (tmp_path / "report.html").write_text(
        f'<!doctype html><html lang="en"><title>report</title><style>{parts["style"]}</style>'
        f'<svg id="board"></svg><script>{parts["script"]}</script>'
    )
    page = visits.window()
    page.goto((tmp_path / "report.html").as_uri())
    assert pegs_drawn(page) == 1
    assert page.get_attribute("#board", "aria-label") == "board with 1 peg and 2 empty holes"
    assert len(parts["script"]) < 30_000  # a report of a whole class has it once
