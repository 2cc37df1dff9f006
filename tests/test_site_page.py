"""The page of `grade site` in Chromium: typing, running, keeping, and what it says of bad input.

The grading is a stand-in without Python, see tests/support/site_page; test_site.py has the real one.
"""

import io
import json
import re
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.errors import InputError
from grader.exports.platform_run import lay_out
from grader.site.bundle import LICENCES, MODULE, bundle
from grader.submissions.source_file import MAX_BYTES
from support.browsing import ROOT, Visits, accessibility_faults, axe_source
from support.played_pages import cell
from support.site import bundled_editor, served
from support.site_page import make_site, write_list

pytestmark = pytest.mark.slow  # the course is built, and opened in Chromium

LAPTOP = {"width": 1200, "height": 850}
PHONE = {"width": 380, "height": 740}
REFUSED = "IDBFactory.prototype.open = () => { throw new DOMException('refused', 'SecurityError'); };"
FULL = "IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); };"
NEVER_WRITTEN = """
const { put } = IDBObjectStore.prototype;
IDBObjectStore.prototype.put = function (value) {
    if (!value.text?.includes("lost")) return put.call(this, value);
    this.transaction.abort(); // as when the page is left before it is written
};
"""
STUB = (ROOT / "student" / "client.py").read_text("utf-8")
ROWS = "#results > :not([hidden]) tbody tr"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small site."""
    out = tmp_path_factory.mktemp("server") / "course"
    make_site(out)
    return out


@pytest.fixture(scope="module")
def base(site: Path) -> Iterator[str]:
    with served(site.parent) as address:
        yield f"{address}/course"  # not at the server's root, as on GitHub Pages


@pytest.fixture
def visits(browser: Any, base: str) -> Iterator[Visits]:
    """Windows; nothing may be complained of in them."""
    windows = Visits(browser, base)
    yield windows
    windows.close()
    assert windows.complaints == []


def opened(visits: Visits, task: str = "client", scripts: str = "", **options: Any) -> Any:
    """Open the page in a window of its own, with an empty storage, after some scripts."""
    page = visits.window(**options)
    if scripts:
        page.add_init_script(scripts)
    return visit(page, visits.base, task)


@pytest.fixture
def page(visits: Visits) -> Any:
    """The page with peg1, in a window of its own."""
    return opened(visits, "peg1")


def visit(page: Any, base: str, task: str) -> Any:
    page.goto(f"{base}/work.html#{task}")
    page.wait_for_selector("#work:not([hidden]) .cm-content")
    return page


def write(page: Any, text: str) -> None:
    """Write a text in place of all that is in the editor."""
    page.click(".cm-content")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def text_of(page: Any) -> str:
    """Return the first lines of what is in the editor, as far as they are drawn."""
    return "\n".join(page.locator(".cm-line").all_inner_texts())


def saved(page: Any) -> None:
    """Wait until the page says that all is saved."""
    page.wait_for_selector("#saved:text-is('saved')")


def state(page: Any, words: str) -> None:
    """Wait until the state of the run has these words."""
    page.wait_for_selector(f'#state:has-text("{words}")')


def reload(page: Any) -> str:
    """Reload the page, and return what is in the editor."""
    page.reload()
    page.wait_for_selector("#work:not([hidden])")
    return text_of(page)


def run(page: Any, text: str, words: str, button: str = "#run") -> None:
    """Write a text, run it, and wait until the state has these words."""
    write(page, text)
    page.click(button)
    state(page, words)


def choose(page: Any, name: str, content: bytes) -> str:
    """Open a file in the dialog, and return what the page says."""
    if not page.is_visible("#files"):
        page.click("#files-open")
    page.evaluate("document.querySelector('#files-said').textContent = ''")
    page.set_input_files("#open", {"name": name, "mimeType": "application/zip", "buffer": content})
    page.wait_for_selector("#files-said:not(:empty)")
    return page.inner_text("#files-said")


def zipped(**files: str | bytes) -> bytes:
    """Return a .zip; in a name, __ stands for / and a trailing _py for .py."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_py", ".py"), content)
    return packed.getvalue()


def downloaded(page: Any, button: str) -> Path:
    with page.expect_download() as download:
        page.click(button)
    return Path(download.value.path())


# ---- writing and running -------------------------------------------------------------------------


def test_a_first_visit(visits: Visits) -> None:
    page = opened(visits, "")
    assert "own run of what you hand in" in page.inner_text(".practice")
    assert page.inner_text("#file") == "client.py"
    assert page.inner_text("#tasks [aria-current]").split() == ["client", "-", "/", "10"]
    page.wait_for_selector("#handout h1")
    assert page.inner_text("#handout h1").startswith("client")
    assert "TODO(client)" in STUB
    assert text_of(page).startswith(STUB.splitlines()[0])
    page.click("#tasks a:has-text('peg1')")
    page.wait_for_selector("#file:text-is('peg1.py')")
    page.wait_for_selector("#handout h1:has-text('peg1')")
    assert page.locator(".before:visible a").count() == 14
    assert page.get_attribute("#handout td a:has-text('forced-hops')", "href") == "play.html#forced-hops"
    state(page, "Ready")


def test_what_is_typed_is_run_and_kept(page: Any) -> None:
    write(page, "x = 1")
    page.keyboard.press("Control+Enter")
    state(page, "peg1: 14 / 14")
    assert page.locator(ROWS).count() == 14
    assert page.locator(ROWS).first.inner_text().split()[:2] == ["ok", "one-peg"]
    assert page.inner_text("#tasks [aria-current] .points") == "- / 15"  # a run with contracts earns none
    page.click("#grade")
    page.wait_for_selector("#tasks [aria-current] .points:text-is('14 / 15')")
    assert reload(page) == "x = 1"
    assert page.inner_text("#tasks [aria-current] .points") == "14 / 15"


def test_what_is_typed_before_a_reload_is_kept_without_a_run(visits: Visits) -> None:
    page = opened(visits, "peg1", NEVER_WRITTEN)
    write(page, "first = 1")
    saved(page)
    assert reload(page) == "first = 1"
    write(page, "# lost")
    assert reload(page) == "# lost"


def test_points_of_older_files_are_shown_as_such(page: Any) -> None:
    write(page, "x = 1")
    page.click("#grade")
    page.wait_for_selector("#tasks [aria-current] .points:text-is('14 / 15')")
    assert page.locator("#tasks .old").count() == 0
    write(page, "# loop")
    page.wait_for_selector("#tasks .old:has-text(', before your last changes')")
    page.click("#grade")
    state(page, "Running peg1")
    page.click("#stop")
    state(page, "You stopped it")
    assert page.inner_text("#tasks .old .points") == "14 / 15"
    write(page, "x = 1")
    page.wait_for_selector("#tasks:not(:has(.old))")


def test_a_task_has_its_own_place_and_headline(visits: Visits) -> None:
    page = opened(visits, "peg1")
    state(page, "Ready")
    run(page, "\n".join(f"x{n} = 1" for n in range(200)), "peg1: 14 / 14")
    where = "() => document.querySelector('.cm-scroller').scrollTop"
    page.wait_for_function(f"{where} > 1000")
    page.click("#tasks a:has-text('client')")
    page.wait_for_selector("#file:text-is('client.py')")
    page.wait_for_function(f"{where} === 0")
    state(page, "Ready")
    page.click("#tasks a:has-text('peg1')")
    state(page, "peg1: 14 / 14")
    page.wait_for_function(f"{where} > 1000")
    page.goto(f"{visits.base}/boards.html")
    page.click("a:text-is('Tasks')")
    page.wait_for_selector("#file:text-is('peg1.py')")


def test_a_failure_has_words_and_a_mark(page: Any) -> None:
    write(page, "a = 1\nb = 2  # wrong")
    page.keyboard.press("Control+Enter")
    state(page, "peg1: 0 / 14, next: fix the wrong answer on one-peg, then: press Run")
    assert page.locator(ROWS).first.inner_text().split()[:2] == ["FAIL", "one-peg"]
    assert "help: take every jump back" in page.inner_text(".messages")
    assert page.locator(".cm-lint-marker-error").count() == 1
    page.click(".card >> nth=0 >> button:text-is('peg1.py:2')")
    assert page.evaluate("document.activeElement.className").startswith("cm-content")
    assert page.inner_text(".cm-activeLine") == "b = 2  # wrong"
    page.keyboard.press("Control+Home")
    page.keyboard.press("F8")
    page.wait_for_selector(".cm-tooltip:has-text('3 pegs are left, and 1 can be')")
    page.click("#run")
    state(page, "next: fix the wrong answer on one-peg")
    write(page, "raise NotImplementedError")
    page.click("#run")
    page.wait_for_selector(".cm-lint-marker-info")  # calm: nothing is wrong yet
    assert page.locator(".cm-lint-marker-error").count() == 0


def test_a_check_says_which_function_is_missing(visits: Visits) -> None:
    page = opened(visits, "client")
    run(page, "raise NotImplementedError", "client: 0 / 3")
    assert page.locator(ROWS).last.inner_text().split("\t")[2] == "solve is not written yet"


def test_what_a_program_printed_is_shown(page: Any) -> None:
    run(page, "x = 1  # prints", "peg1: 14 / 14")
    assert page.locator("#results summary:has-text('What your program printed: ')").count() == 14
    page.click("summary:has-text('What your program printed: one-jump')")
    assert page.inner_text(".printed:visible") == "left 1\n<b>left</b> 2"


def test_one_board_is_run_again(page: Any) -> None:
    write(page, "x = 1  # wrong")
    page.click("#grade")
    page.wait_for_selector("#tasks [aria-current] .points:text-is('0 / 15')")
    write(page, "x = 1")
    page.click(".card:has-text('one-jump:') button:text-is('Grade one-jump')")
    state(page, "peg1: 1 / 1")
    assert page.inner_text("#results caption:visible") == "peg1, without contracts, one-jump"
    assert page.locator(ROWS).count() == 1
    assert page.inner_text("#tasks [aria-current] .points") == "0 / 15"  # only a run of all boards counts


def test_results_outlive_a_reload_and_take_no_room_elsewhere(page: Any) -> None:
    run(page, "\n".join(f"x{n} = 1" for n in range(99)) + "\n# wrong", "peg1: 0 / 14, next:")
    line = page.locator(".cm-activeLine").bounding_box()
    assert line["y"] + line["height"] <= page.locator("#found").bounding_box()["y"]
    used = page.locator("#found").bounding_box()["height"]
    page.click("#tasks a:has-text('client')")
    page.wait_for_selector("#file:text-is('client.py')")
    assert page.locator("#found").bounding_box()["height"] < used / 1.5
    page.goto(page.url.replace("#client", "#peg1"))
    reload(page)
    state(page, "peg1: 0 / 14, next:")
    assert page.locator(ROWS).count() == 14
    assert page.locator(".card:visible").count() == 14


def test_after_all_points_comes_the_next_task(visits: Visits) -> None:
    page = opened(visits, "peg1")
    run(page, "x = 1", "all points", "#grade")
    film = page.get_attribute("#results a:text-is('See your search as a film')", "href")
    assert film.startswith("film.html#peg1/forced-")
    page.click("#results a:text-is('Go on with peg3')")
    page.wait_for_selector("#file:text-is('peg3.py')")


def test_boards_that_are_not_run_here_are_no_fault(visits: Visits) -> None:
    page = opened(visits, "peg3")
    assert "Not run here: needs compiled code" in page.inner_text(".before:visible")
    run(page, "x = 1", "peg3: 11 / 12, all that can be run here", "#grade")
    assert page.inner_text(".not-run:visible") == "needs compiled code (french3)"


def test_a_run_is_stopped_and_another_one_started(page: Any) -> None:
    run(page, "# loop", "Running peg1")
    assert page.get_attribute("#run", "aria-disabled") == "true"
    page.locator(
        "#clock", has_text=re.compile(r"one-peg: [1-9]\d*\.\d s, of at most 10 CPU seconds")
    ).wait_for()
    page.click("#stop")
    state(page, "You stopped it while one-peg was running: 0 / 0")
    assert page.inner_text("#clock") == ""
    run(page, "x = 1", "peg1: 14 / 14")
    write(page, "# loop")
    page.evaluate("for (const id of ['run', 'stop']) document.getElementById(id).click()")
    state(page, "You stopped it while")  # though it had not begun


def test_a_run_is_not_lost_to_a_link_in_another_tab(visits: Visits) -> None:
    page = opened(visits, "peg3")
    with page.expect_popup() as question:
        page.click('#handout a:text-is("the question\'s page")')
    other = question.value
    other.click("#ways a:text-is('Open peg3')")
    other.wait_for_selector("#work:not([hidden]) .cm-content")
    run(other, "# loop", "Running peg3")
    with page.expect_popup() as question:
        page.click('#handout a:text-is("the question\'s page")')
    assert question.value != other
    state(other, "Running peg3")
    with other.expect_event("dialog") as asked:  # by the browser, before the page is left
        other.evaluate("setTimeout(() => location.reload())")
    assert asked.value.type == "beforeunload"
    asked.value.dismiss()
    state(other, "Running peg3")


def test_a_long_grade_is_announced(visits: Visits) -> None:
    page = opened(visits, "peg1", "localStorage.setItem('peg-solitaire /course/ seconds peg1', '100')")
    state(page, "then press Run. Grade takes about 2 minutes; Stop keeps what is done.")
    run(page, "# loop", "Running peg1… Grade takes about 2 minutes; Stop keeps what is done.", "#grade")
    page.click("#stop")
    state(page, "You stopped it")
    page.click("#tasks a[data-task=client]")
    page.wait_for_function("document.getElementById('state').textContent.endsWith('then press Run.')")


def test_a_run_that_breaks_is_told(page: Any) -> None:
    run(page, "# throws", "The run could not be finished: the worker has ended. Nothing you typed is lost")
    run(page, "x = 1", "peg1: 14 / 14")


def test_the_keyboard_leaves_the_editor(page: Any) -> None:
    write(page, "if True:\n")
    page.keyboard.press("Tab")
    page.keyboard.insert_text("pass")
    assert "    pass" in text_of(page)
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert not page.evaluate("document.activeElement.className").startswith("cm-content")


def test_enter_leaves_a_block_that_has_ended(page: Any) -> None:
    for line, indent in (("return 1", 0), ("x = 1", 4), ("return max(", 8), ("return (1,", 12), ("pass", 0)):
        write(page, "def f():")
        page.keyboard.press("Enter")
        page.keyboard.insert_text(line)
        page.keyboard.press("Enter")
        page.keyboard.insert_text("here")
        assert page.locator(".cm-line").last.inner_text() == " " * indent + "here", line


def test_the_room_of_the_results_is_chosen(page: Any) -> None:
    run(page, "# wrong", "peg1: 0")
    height = "document.getElementById('found').offsetHeight"
    before = page.evaluate(height)
    page.focus("#split")
    for _ in range(20):
        page.keyboard.press("ArrowLeft")
    assert page.evaluate(height) < before - 100


def test_handouts_lead_to_handouts(visits: Visits) -> None:
    page = opened(visits, "client")
    page.wait_for_selector("#handout h1:has-text('client')")
    link = page.locator("#handout a[href*='notation.html']").first
    assert link.get_attribute("href").split("#")[0] == "handouts/notation.html"  # also in a tab of its own
    link.click()
    page.wait_for_selector("#handout h1:has-text('Notation:')")
    assert page.url.endswith("#client")
    page.click("#handout button:text-is('Back to the task')")
    page.wait_for_selector("#handout h1:has-text('client')")
    run(page, "x = 1  # wrong", "next:")
    page.click(".card a:text-is('handouts/notation.html') >> nth=0")
    page.wait_for_selector("#handout h1:has-text('Notation:')")
    page.click("nav a:text-is('Handouts')")
    page.click("#handout a:text-is('When it is right, but slow')")
    page.wait_for_selector("#handout h1:text-is('When it is right, but slow')")
    assert page.url.endswith("#client")  # where the run is
    page.click("#handout button:text-is('Back to the task')")
    page.wait_for_selector("#handout h1:has-text('client')")
    page.click("#handout a:has-text('framework/board.py')")
    page.wait_for_selector("#handout pre:has-text('def count_pegs')")
    page.click("#handout button:text-is('Back to the task')")
    page.wait_for_selector("#handout h1:has-text('client')")


# ---- files ---------------------------------------------------------------------------------------


def test_all_files_are_a_zip_to_hand_in_and_to_open_again(visits: Visits, tmp_path: Path) -> None:
    page = opened(visits, "peg1")
    write(page, "x = 'ä'")
    page.click("#files-open")
    packed = downloaded(page, "#download")
    (tmp_path / "work").mkdir()
    handed_in = tmp_path / "alice.zip"
    handed_in.write_bytes(packed.read_bytes())
    lay_out(handed_in, tmp_path / "work", ["client.py", "peg1.py", "peg2.py", "peg3.py"])
    found = {file.name: file.read_text("utf-8") for file in (tmp_path / "work" / "student").iterdir()}
    assert found.keys() == {"client.py", "peg1.py", "peg3.py"}
    assert (found["peg1.py"], found["client.py"]) == ("x = 'ä'", STUB)

    other = opened(visits, "peg1")
    said = choose(other, "alice.zip", packed.read_bytes())
    assert said == "Opened client.py, peg1.py, peg3.py."
    other.click("#files-close")
    assert text_of(other) == "x = 'ä'"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.zip", zipped(student__peg1_py="y = 1", README="?"), "Opened peg1.py. Left out: README, which is no file of a task."),
        ("a.zip", zipped(my__student__peg1_py="y = 1", my__peg1_py="z"), "Opened peg1.py. Left out: my/peg1.py, which is no file of a task."),
        ("a.zip", zipped(a__peg1_py="y = 1", b__peg1_py="z"), "Nothing was opened: your files are as they were. Left out: the folders a, b: each has"),
        ("a.zip", zipped(notes="?"), "Nothing was opened: your files are as they were. Left out: notes, which is no file of a task."),
        ("a.zip", zipped(peg1_py="y = 1", client_py=b" " * (MAX_BYTES + 1)), "Opened peg1.py. Left out: client.py, which has more than 256 KiB."),
        ("a.zip", zipped(peg1_py=b"\xff\xfe"), "Nothing was opened: your files are as they were. Left out: peg1.py, which is not UTF-8 text."),
        ("a.zip", zipped(peg1_py="y = 1" * 99)[:60], "Nothing was opened: your files are as they were. Left out: a.zip, which is a damaged .zip"),
        ("a.zip", b"Rar!", "Nothing was opened: your files are as they were. Left out: a.zip, which is neither a .zip nor one of client.py,"),
        ("peg1.py", b"y = 1", "Opened peg1.py."),
        ("peg1.py", b" " * (MAX_BYTES + 1), "Nothing was opened: your files are as they were. Left out: peg1.py, which has more than 256 KiB."),
    ],
    ids=["others", "student-first", "two-folders", "nothing", "too-large", "no-text", "damaged", "no-zip", "a-file", "a-large-file"],
)  # fmt: skip
def test_what_is_opened_and_left_out_is_told(page: Any, name: str, content: bytes, words: str) -> None:
    write(page, "mine")
    saved(page)
    said = choose(page, name, content)
    assert said.startswith(words)
    assert page.locator("#copies li").count() == (1 if "Opened" in words else 0)
    page.click("#files-close")
    assert text_of(page) == ("y = 1" if "Opened" in words else "mine")


def test_a_reset_asks_and_keeps_a_copy(visits: Visits) -> None:
    page = opened(visits, "client")
    write(page, "mine")
    page.click("#files-open")
    page.click("#reset")
    page.click("#reset-no")
    assert text_of(page) == "mine"
    page.click("#reset")
    page.click("#reset-yes")
    page.wait_for_selector("#files-said:has-text('client.py is its stub again')")
    assert text_of(page).startswith(STUB.splitlines()[0])
    assert downloaded(page, "#copies button:text-is('Download')").read_text("utf-8") == "mine"
    page.click("#copies button:text-is('Put back')")
    page.wait_for_selector("#files-said:has-text('client.py is again as it was')")
    page.click("#files-close")
    assert reload(page) == "mine"


def test_a_tab_follows_what_another_types(visits: Visits) -> None:
    page = opened(visits, "peg1")
    other = visit(page.context.new_page(), visits.base, "peg1")
    write(other, "typed in the other tab")
    saved(other)
    page.bring_to_front()  # a page behind another draws nothing
    page.wait_for_selector(".cm-line:has-text('typed in the other tab')")


def test_a_text_that_another_tab_replaces_unseen_is_a_copy(visits: Visits) -> None:
    page = opened(visits, "peg1", "delete window.BroadcastChannel")
    other = visit(page.context.new_page(), visits.base, "peg1")
    write(other, "typed in the other tab")
    saved(other)
    write(page, "typed last")
    saved(page)
    page.click("#files-open")
    page.wait_for_selector("#copies li:has-text('typed in another tab')")
    assert (
        downloaded(page, "#copies button:text-is('Download')").read_text("utf-8") == "typed in the other tab"
    )
    assert reload(page) == "typed last"


# ---- browsers that refuse ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (REFUSED, "This browser does not let the page keep files: what you type is in this tab only."),
        ("delete window.indexedDB", "This browser does not let the page keep files: what you type is in this tab only."),
        (FULL, "The browser's storage is full: what you type is in this tab only."),
    ],
    ids=["refused", "missing", "full"],
)  # fmt: skip
def test_without_storage_everything_works_and_is_told(visits: Visits, script: str, words: str) -> None:
    page = opened(visits, "peg1", script)
    write(page, "x = 1")
    page.wait_for_selector(f'#trouble:has-text("{words}")')
    assert page.inner_text("#saved") == "not saved yet"
    page.click("#run")
    state(page, "peg1: 14 / 14")
    page.click("#files-open")
    with zipfile.ZipFile(downloaded(page, "#download")) as archive:
        assert archive.read("peg1.py") == b"x = 1"
    page.click("#reset")
    page.click("#reset-yes")
    page.wait_for_selector("#copies li")
    assert downloaded(page, "#copies button:text-is('Download')").read_text("utf-8") == "x = 1"


@pytest.mark.parametrize(
    ("script", "path", "why"),
    [("delete window.WebAssembly", "none", " this browser has no WebAssembly."), ("", "**/grading.js", "")],
)
def test_where_python_cannot_run_files_are_written_and_kept(
    browser: Any, base: str, script: str, path: str, why: str
) -> None:
    windows = Visits(browser, base)
    page = windows.window(service_workers="block")  # its requests could not be stopped
    page.add_init_script(script)
    page.route(path, lambda route: route.abort())
    visit(page, base, "peg1")
    state(page, f"Python cannot run here:{why}")
    write(page, "x = 1")
    page.keyboard.press("Control+Enter")
    saved(page)
    state(page, f"Python cannot run here:{why}")
    assert reload(page) == "x = 1"
    windows.close()


def test_a_browser_that_is_too_old_is_told(browser: Any, base: str) -> None:
    windows = Visits(browser, base)
    page = windows.window()
    page.route("**/editor.js", lambda route: route.fulfill(body="?!", content_type="text/javascript"))
    page.goto(f"{base}/work.html")
    page.wait_for_load_state("load")
    assert "the browser is too old" in page.inner_text("#starting")
    windows.close()
    assert windows.complaints


# ---- without a network ---------------------------------------------------------------------------


def test_all_works_without_a_network_and_a_new_version_is_taken(browser: Any, site: Path) -> None:
    with served(site.parent) as address:
        base = f"{address}/course"
        windows = Visits(browser, base)
        page = opened(windows, "peg1")
        page.wait_for_selector("#kept:not(:empty)", state="attached")
        context = page.context
        (site / "course.json").write_text(json.dumps(renamed(site, "another title")), "utf-8")
        write_list(site)
        page.context.set_offline(True)
        page.reload()
        page.wait_for_selector("#work:not([hidden])")
        page.wait_for_selector("#handout h1:has-text('peg1')")
        run(page, "x = 1", "peg1: 14 / 14")
        beside(page, "#results a:text-is('one-jump')").close()
        context.set_offline(False)
        reload(page)  # learns of the new version, and fetches it beside the old one
        page.wait_for_selector("#newer:has-text('There is a newer version of this page: close all its tabs')")
        assert page.get_attribute("#tasks a", "title") != "another title"
        page.close()
        changed(context, base)
        page = visit(context.new_page(), base, "peg1")
        assert page.get_attribute("#tasks a", "title") == "another title"
        windows.close()


def test_where_nothing_can_be_kept_the_page_works_from_the_network(
    visits: Visits, site: Path, tmp_path: Path
) -> None:
    shutil.copytree(site, tmp_path / "site")
    listed = json.loads((site / "files.json").read_text("utf-8"))
    listed["files"].append("missing.js")
    (tmp_path / "site" / "files.json").write_text(json.dumps(listed), "utf-8")
    with served(tmp_path / "site") as base:
        windows = Visits(visits.browser, base)
        page = opened(windows, "peg1")
        run(page, "x = 1", "peg1: 14 / 14")
        assert page.inner_text("#newer") == page.text_content("#kept") == ""
        windows.close()


def changed(context: Any, base: str) -> None:
    """Wait until the browser has changed versions, which it does at some time after the last tab is closed.

    In a few of 100 runs, a page that is opened at that very moment is never loaded: a fault of Chromium's.
    """
    beside = context.new_page()
    beside.goto(f"{base}/../missing.html")  # a page of the site would hold the old version
    beside.wait_for_function(
        """async (scope) => {
            const { waiting, active } = await navigator.serviceWorker.getRegistration(scope);
            return !waiting && active.state === "activated";
        }""",
        arg=f"{base}/",
    )
    beside.close()


def renamed(site: Path, title: str) -> Any:
    """Return the course with another title of its first task."""
    course = json.loads((site / "course.json").read_text("utf-8"))
    course["tasks"][0]["title"] = title
    return course


# ---- boards to play ------------------------------------------------------------------------------


def test_the_game_of_a_failure_is_seen(page: Any) -> None:
    run(page, "x = 1  # wrong", "next:")
    board = beside(page, ".card:has-text('one-jump:') a:text-is('See what it played')")
    assert board.url.endswith("play.html#one-jump/3234")
    assert board.inner_text("#jumps-count") == "1"


def beside(page: Any, link: str) -> Any:
    """Follow a link to a board, and return the page that it opens beside this one."""
    with page.expect_popup() as opened:
        page.click(link)
    opened.value.wait_for_selector("#board .peg")
    return opened.value


def test_a_board_is_played_by_mouse_and_keyboard(visits: Visits) -> None:
    page = opened(visits, "peg1", viewport={"width": 1366, "height": 650})
    page = beside(page, ".before:visible a:text-is('forced-hops')")
    assert page.get_attribute(".counters div:has(#moves-count)", "title")  # what counts as a move
    status = page.locator("#status").bounding_box()
    assert status["y"] + status["height"] <= page.viewport_size["height"]
    page.click(cell(5, 3))
    page.wait_for_selector("#status:has-text('5:3 → 5:5. 5:5 can jump to 7:5: select a hole.')")
    assert page.url.endswith("play.html#forced-hops/5355")
    page.reload()
    page.wait_for_selector("#board .peg.there")
    assert page.inner_text("#pegs-count") == "2"
    page.keyboard.press("ArrowRight")  # the keyboard goes to the board, to the peg that can jump
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector("#status:has-text('Solved: one peg is left in 2 jumps, 1 move.')")
    page.keyboard.press("u")
    assert page.inner_text("#pegs-count") == "2"


def test_all_boards_are_drawn_and_an_unknown_one_is_told(browser: Any, base: str) -> None:
    windows = Visits(browser, base)
    page = windows.window()
    page.goto(f"{base}/boards.html")
    page.wait_for_selector(".boards a:has-text('english') .board")
    names = page.evaluate("[...document.querySelectorAll('.boards a')].map((link) => link.dataset.board)")
    assert names[0] == "english" and len(set(names)) == len(names) > 20
    kept = page.evaluate(
        "names => Promise.all(names.map(async (name) => (await fetch(`boards/${name}.txt`)).ok))", names
    )
    assert all(kept) and windows.complaints == []
    page.goto(f"{base}/play.html#englsh")
    page.wait_for_selector(
        "#said:has-text('There is no board englsh here. Choose one of the boards instead.')"
    )
    page.click("#said a")
    page.wait_for_selector(".boards a:has-text('english')")
    windows.close()


def test_the_front_page_is_played_and_leads_to_the_task_where_one_was(visits: Visits) -> None:
    page = visits.window(viewport={"width": 1366, "height": 768})
    page.goto(f"{visits.base}/")
    page.wait_for_selector("#way li")
    for part in ("#go", "#board", "#restart", "#way"):
        box = page.locator(part).bounding_box()
        assert box["y"] + box["height"] <= 768, part
    page.click(cell(1, 3))
    page.wait_for_selector("#pegs-count:text-is('31')")
    page.reload()
    page.wait_for_selector("#pegs-count:text-is('31')")
    page.click("#go:text-is('Start')")
    page.wait_for_selector("#file:text-is('client.py')")
    page.click("#tasks a:has-text('peg1')")
    run(page, "x = 1", "peg1: 14 / 14")
    page.click("#grade")
    page.wait_for_selector("#tasks [aria-current] .points:text-is('14 / 15')")
    page.click("a:text-is('Peg Solitaire')")
    page.wait_for_selector("#way [data-points=some]:has-text('14 / 15')")
    page.click("#go:text-is('Go on with peg1')")
    page.wait_for_selector("#file:text-is('peg1.py')")
    page.goto(f"{visits.base}/index.html#peg3")  # where the tasks once were
    page.wait_for_selector("#file:text-is('peg3.py')")
    page.goto("about:blank")
    page.goto(f"{visits.base}/work.html#%")  # a stray letter in it
    page.wait_for_selector("#file:text-is('peg3.py')")


def test_a_board_that_was_solved_is_marked(visits: Visits) -> None:
    page = visits.window()
    page.goto(f"{visits.base}/play.html#one-peg")  # which is solved as it is
    page.wait_for_selector("#pegs-count:text-is('1')")
    assert not page.is_visible(".next")
    page.goto(f"{visits.base}/play.html#one-jump")
    assert not page.is_visible(".next")
    page.click(cell(3, 2))
    page.wait_for_selector(".next:visible")
    page.click(".next a")
    assert page.inner_text(".boards .solved") == "✓ 1 move"
    assert "one-jump" in page.inner_text("a:has(.solved)")


def test_a_program_gives_a_hint_as_it_is_typed(visits: Visits) -> None:
    page = opened(visits, "peg3")
    board = page.context.new_page()
    board.goto(f"{visits.base}/play.html#one-jump")
    board.wait_for_selector(
        "#hint-said:text-is('Your programs from peg2 on answer here, once one of them is written.')"
    )
    assert board.inner_text("#who [value=peg3]") == "student/peg3.py is not written yet"
    assert not board.is_visible("#film")
    page.bring_to_front()
    write(page, "# loop")
    board.bring_to_front()
    board.wait_for_selector("#who option[value=peg3]:not([disabled])", state="attached")
    assert board.get_attribute("#film", "href") == "film.html#peg3/one-jump"
    board.evaluate("""window.heard = []; new MutationObserver((all) => heard.push(...all.flatMap((each) =>
        [...each.addedNodes].map(({ data }) => data)))).observe(document.getElementById("hint-said"), { childList: true })""")
    board.click("#hint")
    board.locator(
        "#hint-said", has_text=re.compile(r"peg3: running, \d\.\d s, of at most 20 CPU s")
    ).wait_for()
    loading = ["peg3: starting", "1.0 of 2.0 MB of Python loaded", "Starting Python…"]
    assert board.evaluate("heard.slice(0, 3)") == loading
    board.keyboard.press("Escape")
    board.wait_for_selector("#hint-said:text-is('peg3: cancelled')")
    page.bring_to_front()
    write(page, "x = 1")
    saved(page)
    board.bring_to_front()
    board.click("#hint")
    board.locator(
        "#hint-said", has_text=re.compile(r"peg3: solved, 1 jump \(\d\.\d s, 0.01 CPU s")
    ).wait_for()
    assert board.locator("#board .arrow.hint").count() == 1
    board.keyboard.press("p")
    board.wait_for_selector("#status:has-text('Solved')")
    assert board.url.endswith("play.html#one-jump/3234")


def test_a_board_is_made_judged_and_played(visits: Visits) -> None:
    page = opened(visits, "peg3")
    write(page, "x = 1")
    saved(page)
    page.goto(f"{visits.base}/play.html#one-jump")
    page.click("#change")
    page.wait_for_selector("#counted:text-is('2 pegs, 3 holes')")
    page.click("#cells button >> nth=36")
    assert page.inner_text("#counted") == "3 pegs, 4 holes"
    page.click("#ask:text-is('Can it be solved? Ask your peg3')")
    page.wait_for_selector("#solvable:text-is('your peg3 says: it can be solved')")
    page.click("#play")
    page.wait_for_selector("#board-name:text-is('own board')")
    assert page.url.endswith(f"play.html#{'-' * 26}**o{'-' * 7}*{'-' * 27}")


# ---- seen and heard ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scheme", "viewport"),
    [
        pytest.param("light", LAPTOP, marks=pytest.mark.whole),
        ("dark", LAPTOP),
        ("light", PHONE),
        pytest.param("dark", PHONE, marks=pytest.mark.whole),
    ],
    ids=["light-laptop", "dark-laptop", "light-phone", "dark-phone"],
)
def test_everybody_can_use_the_pages(visits: Visits, scheme: str, viewport: dict[str, int]) -> None:
    source = axe_source()
    page = opened(visits, "peg1", color_scheme=scheme, viewport=viewport)
    page.wait_for_selector("#handout h1")
    assert accessibility_faults(page, source) == []
    write(page, "def f(x):\n    return 'a' + str(1)  # wrong\n")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".messages .card")
    state(page, "next:")
    assert accessibility_faults(page, source) == []
    page.keyboard.press("Control+Home")
    page.keyboard.press("F8")
    page.wait_for_selector(".cm-tooltip")
    assert accessibility_faults(page, source) == []
    page.keyboard.press("Control+f")
    page.wait_for_selector(".cm-search")
    page.keyboard.insert_text("re")
    assert accessibility_faults(page, source) == []
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= viewport["width"]
    page.click("#files-open")
    page.click("#reset")
    page.click("#reset-yes")
    page.wait_for_selector("#copies li")
    assert accessibility_faults(page, source) == []
    for address, part in (
        ("index.html", "svg.board"),
        ("boards.html", "svg.board"),
        ("rules.html", "svg.board"),
        ("play.html#forced-hops", "#who option"),
        ("make.html#key", "#cells .peg"),
    ):
        page.goto(f"{visits.base}/{address}")
        page.wait_for_selector(part, state="attached")
        assert accessibility_faults(page, source) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    page.goto(f"{visits.base}/predict.html#peg3")
    page.click(".answers button >> nth=2")
    page.wait_for_selector("#compared p:text-is('comparison peg3: 2:3 → 4:3')")
    assert page.inner_text("#said") == ""
    page.click("#compare")
    page.wait_for_selector("#said:text-is('Compared again: nothing is new in peg3.')")
    assert accessibility_faults(page, source) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    for handout in ("peg1", "peg5", "performance-debugging"):  # with blocks and tables that scroll
        page.goto(f"{visits.base}/handouts/{handout}.html")
        assert accessibility_faults(page, source) == []


@pytest.mark.parametrize("width", [1366, 1024, 390])
def test_nothing_of_a_handout_is_cut(visits: Visits, width: int) -> None:
    """But blocks with columns, which have a shadow where they can be scrolled, and tables on a phone."""
    page = opened(visits, "peg1", viewport={"width": width, "height": 800})
    cut = """([...found]) => found.filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent)"""
    whole = "pre:not(:has(.language-output))" + ", table" * (width > 390)
    page.click("nav a:text-is('Handouts')")
    page.wait_for_selector("#handout h1:text-is('Handouts')")
    for name in page.locator("#handout li a").all_inner_texts():
        page.click("nav a:text-is('Handouts')")
        page.click(f"#handout a:text-is('{name}')")
        page.wait_for_selector(f"#handout h1:text-is('{name}')")
        assert page.locator(f"#handout :is({whole})").evaluate_all(cut) == [], name


@pytest.mark.parametrize("size", ["1366x650", "1366x768", "1280x800", "1024x768"])
def test_editor_message_and_table_are_seen_together(visits: Visits, size: str) -> None:
    width, height = map(int, size.split("x"))
    page = opened(visits, "peg1", viewport={"width": width, "height": height})
    add_tabs = "ul => ul.append(...Array.from({ length: 4 }, () => ul.lastChild.cloneNode(true)))"
    page.locator("#tasks").evaluate(add_tabs)  # as many as the whole course has
    run(page, f"x = '{'wide ' * 60}'  # wrong", "next:")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for part, least in (("#stop", 20), (".cm-editor", 200), (".told", 120), (".wide", 120)):
        box = page.locator(f"{part}:visible").bounding_box()
        assert box["height"] >= least and box["y"] + box["height"] <= height, part
        assert box["x"] >= 0 and box["x"] + box["width"] <= width, part
    for part in (".headline", ".help"):
        first = page.locator(f".card {part}:visible").first.bounding_box()
        assert first["y"] + first["height"] <= height, part
    assert page.evaluate("document.documentElement.scrollHeight") <= height


def test_the_parts_are_near_on_a_phone(visits: Visits) -> None:
    page = opened(visits, "peg1", viewport=PHONE)
    page.click("#run")
    state(page, "peg1: 0 / 14")
    page.click(".parts a:text-is('Results')")
    top = page.evaluate("document.querySelector('#found').getBoundingClientRect().top")
    assert 0 <= top < PHONE["height"] / 2
    assert beside(page, "#results a:text-is('one-jump')").url.endswith("#one-jump")


# ---- the bundle ----------------------------------------------------------------------------------


def test_a_bundle_is_made_once_and_names_its_licences(site: Path) -> None:
    made = bundle(bundled_editor())
    before = (made / MODULE).stat().st_mtime_ns
    assert (bundle(bundled_editor()) / MODULE).stat().st_mtime_ns == before
    licences = (made / LICENCES).read_text("utf-8")
    assert "@codemirror/view" in licences and "fflate" in licences and "esbuild" not in licences
    assert "://" not in (ROOT / "grader/site/editor/package-lock.json").read_text("utf-8")


def test_without_npm_the_error_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="no npm here") as told:
        bundle(tmp_path / "cache")
    assert "install Node.js" in told.value.help


def test_what_npm_says_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("npm", "node"):
        (tmp_path / name).write_text("#!/bin/sh\necho no network >&2\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    with pytest.raises(
        InputError, match="the page's editor cannot be bundled: npm failed: no network"
    ) as told:
        bundle(tmp_path / "cache")
    assert "connect to the internet" in told.value.help
    assert list((tmp_path / "cache").iterdir()) == []
