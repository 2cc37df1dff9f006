"""The course in a browser: what Chromium says of a program is what `grade -d` says of it here."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from grader import paths
from grader.catalog.boards import course_boards, find_board
from grader.catalog.tasks import Task, registry
from grader.errors import InputError
from grader.film.tell import tell
from grader.judging.grading import Choice, Grading
from grader.play.programs import Programs
from grader.release.release import release_files
from grader.sandbox.parent.sandbox import Sandbox
from grader.site.browser.judge import card_of
from grader.site.build import course_json, handout_pages
from grader.site.bundle import browser_files, pyodide_files
from grader.submissions.source_file import read_raw
from grader.submissions.submission import read_submission, submission_from
from grader.tracing import predictions
from grader.tracing.program import Program
from grader.web.positions import format_cells, position_of
from support.browsing import Visits, accessibility_faults, axe_source
from support.grading import results_of
from support.played_pages import ENDLESS, ILLEGAL
from support.sampling import every
from support.side_by_side import copy_reference
from support.site import RUN_MS, grade, served, start_grading, write_site
from support.site_differences import DIFFERENT, SPARED, normal
from support.zoo_rows import NAMES, make_folder, read_row
from test_mutants import MUTANTS
from test_site_page import ROWS, opened, run, state, write

pytestmark = pytest.mark.slow  # a program is graded twice, in Chromium and here

TASKS = list(registry().tasks)
STUDENT = "student"
# What a page cannot hold: it has texts, and no links or devices.
ODD = ("stub", "windows", "missing")
ZOO = [name for name in NAMES if not read_row(name)["attack"] and read_row(name)["canary"] is None]


NTH = 12  # only every twelfth mutant and program of the zoo is compared, without --whole


@dataclass(frozen=True)
class Said:
    """What is said of one check."""

    board: str
    verdict: str
    points: int
    message: str
    help: str


@dataclass(frozen=True)
class Both:
    """Grades a folder in Chromium and here."""

    page: Any
    sandbox: Sandbox

    def in_browser(self, folder: Path, task: Task, boards: list[str] | None) -> list[Said]:
        report = grade(self.page, texts(folder, task), task.name, boards)
        return [
            Said(row["board"], row["verdict"], row["points"], normal(message(row)), normal(row["help"]))
            for row in report["rows"]
        ]

    def here(self, folder: Path, task: Task, boards: list[str] | None) -> list[Said]:
        grading = Grading(
            Choice(folder, tuple(boards or ()), debug=True, tier=self.sandbox.tier),
            registry(),
            lambda *_: None,
            self.sandbox,
            read=lambda task: submission_from(
                STUDENT, task.files, lambda name: read_raw(folder / name, f"{STUDENT}/{name}")
            ),
        )
        return [
            Said(
                each.board,
                str(each.verdict),
                each.points,
                normal(each.message),
                normal(card_of(each)["help"]),
            )
            for each in grading.results([task])
        ]

    def differences(
        self, folder: Path, task: str, boards: list[str] | None = None
    ) -> list[tuple[Said, Said]]:
        """Return the checks of which other things are said, each as said there and here."""
        known = registry().find(task)
        there, here = (run(folder, known, boards) for run in (self.in_browser, self.here))
        assert [said.board for said in there] == [said.board for said in here]
        both = zip(there, here, strict=True)
        return [(one, other) for one, other in both if one != other and not SPARED.fullmatch(one.message)]


def message(card: Mapping[str, Any]) -> str:
    """Return the lines of the message in a card."""
    return "\n".join([card["headline"], *card["more"]])


def texts(folder: Path, task: Task) -> Mapping[str, str]:
    """Return the files of a task as a page has them."""
    files = [folder / name for name in task.files]
    return {file.name: file.read_bytes().decode() for file in files if file.is_file()}


def small(task: str, boards: list[str]) -> list[str] | None:
    """Return those of some checks that -d runs by itself; None, for all that it runs, if there are none."""
    plain = [check for check in registry().find(task).checks if check.name in boards]
    return [check.name for check in plain if task == "client" or _is_small(check.board)] or None


def _is_small(board: str) -> bool:
    found = course_boards().find(board)
    return found is not None and registry().debug.takes(found)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(write_site(tmp_path_factory.mktemp("site") / "out")) as address:
        yield address


@pytest.fixture(scope="module")
def both(base: str, browser: Any, private_cache: None) -> Iterator[Both]:
    page = browser.new_page()
    start_grading(page, base)
    with Sandbox(1, True, Event()) as sandbox:
        sandbox.warm()
        yield Both(page, sandbox)


@pytest.mark.parametrize(
    "task", [pytest.param(task, marks=pytest.mark.whole if task == "peg2" else ()) for task in TASKS]
)
def test_the_reference(task: str, both: Both, tmp_path: Path) -> None:
    if task in DIFFERENT:
        pytest.skip(DIFFERENT[task])
    assert both.differences(copy_reference(tmp_path / STUDENT), task) == []


@pytest.mark.parametrize("task", TASKS)
def test_the_stubs(task: str, both: Both) -> None:
    assert both.differences(paths.PACKAGE.parent / STUDENT, task) == []


@pytest.mark.parametrize("name", every(NTH, MUTANTS))
def test_a_mutant(name: str, both: Both, tmp_path: Path) -> None:
    mutant = MUTANTS[name]
    if DIFFERENT.keys() & {name, mutant.task}:
        pytest.skip(DIFFERENT.get(name, DIFFERENT.get(mutant.task, "")))
    folder = copy_reference(tmp_path / STUDENT)
    file = folder / mutant.file
    file.write_text(mutant.mutated(file.read_text("utf-8")), "utf-8")
    assert both.differences(folder, mutant.task, small(mutant.task, list(mutant.caught_on))) == []


@pytest.mark.parametrize("name", every(NTH, ZOO))
def test_a_program_of_the_zoo(name: str, both: Both, tmp_path: Path) -> None:
    row = read_row(name)
    if name in DIFFERENT or any(how not in ODD for how in row["odd"].values()):
        pytest.skip(DIFFERENT.get(name, "a page holds texts, not such files"))
    folder = make_folder(name, tmp_path)
    assert both.differences(folder, row["task"], small(row["task"], list(row["expect"]))) == []


# ---- programs that go wrong ----------------------------------------------------------------------

MEMORY = ("memory", "stopped at the limit of 1,024 MiB of memory")
RUNS_AWAY = {
    "bytearray(4 << 30)": MEMORY,
    "[0] * (1 << 30)": MEMORY,
    "[bytearray(1 << 24) for _ in range(1 << 12)]": MEMORY,
    "print('x' * (2 << 20))": ("output", "stopped after printing 1 MiB"),
    "exit(3)": ("exited", "the program exited with SystemExit"),
    "__import__('os')._exit(3)": ("exited", "the program exited with status 3 and gave no answer"),
    "__import__('pyodide.code').code.run_js('1')": (
        "crashed", "ModuleNotFoundError: import of pyodide halted; None in sys.modules",
    ),
    "__import__('js').fetch('/')": (
        "crashed", "ModuleNotFoundError: import of js halted; None in sys.modules",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    "does", [pytest.param(each, marks=pytest.mark.whole if "1 << 24" in each else ()) for each in RUNS_AWAY]
)
def test_what_ends_a_program_and_not_the_page(does: str, both: Both) -> None:
    """The client's checks have the longest limits: a busy machine needs seconds to fill the memory."""
    files = texts(paths.REFERENCE, registry().find("client"))
    wrong = f"\n\ndef board_key(board):\n    return {does}\n"
    row, *_ = grade(both.page, {**files, "client.py": files["client.py"] + wrong}, "client", ["keys"])["rows"]
    assert (row["verdict"], row["headline"]) == RUNS_AWAY[does]
    assert grade(both.page, files, "client", ["moves"])["points"] == 3


def test_all_of_pythons_library_is_there(both: Both) -> None:
    """Most of it is fetched once it is imported, also inside a package of which a part was there."""
    files = texts(paths.REFERENCE, registry().find("client"))
    program = f"import email.parser, statistics\n{files['client.py']}"
    assert grade(both.page, {"client.py": program}, "client", ["moves"])["points"] == 3


@pytest.mark.parametrize("name", ["endless-loop", pytest.param("endless-at-import", marks=pytest.mark.whole)])
def test_a_program_without_end_is_ended_at_its_limit(name: str, both: Both, tmp_path: Path) -> None:
    report = _graded(both, (make_folder(name, tmp_path) / "peg1.py").read_text("utf-8"))
    assert report["rows"][0]["verdict"] == "timeout"
    assert report["marks"][0]["file"] == "peg1.py"


def test_a_run_can_be_stopped(both: Both) -> None:
    program = "def peg_solve(board, stack):\n    while True:\n        pass\n"
    files = {**texts(paths.REFERENCE, registry().find("peg1")), "peg1.py": program}
    report = both.page.evaluate(
        """files => {
            const onQuestion = () => setTimeout(() => window.grading.stop(), 500);
            return window.grading.grade({ files, task: "peg1", contracts: true, onQuestion });
        }""",
        files,
    )
    assert (report["stopped"], report["points"], report["running"]) == (True, 0, "one-peg")
    assert report["causes"][0]["headline"] == "you stopped it while one-peg was running"


def test_a_mark_for_the_editor(both: Both) -> None:
    report = _graded(both, "def peg_solve(board, stack)\n    return 1\n")
    (mark,) = report["marks"]
    assert (mark["file"], mark["line"]) == ("peg1.py", 1)
    assert mark["text"] == "python cannot read the file: expected ':'"
    assert report["next"] == "next: fix student/peg1.py:1, then: press Run"
    assert report["causes"][0]["help"] == "fix that line"


def test_no_mark_where_the_message_names_another_cause(both: Both) -> None:
    files = dict(texts(paths.REFERENCE, registry().find("peg1")))
    jumped = "    board[row + row_step, col + col_step] = EMPTY\n"
    assert files["peg1.py"].count(jumped) == 1
    files["peg1.py"] = files["peg1.py"].replace(jumped, "")
    report = grade(both.page, files, "peg1", ["one-jump"])
    cause = report["causes"][0]
    assert cause["board"] == "one-jump"
    assert cause["headline"].startswith("`play` makes")
    assert report["marks"] == []
    assert report["next"] == "next: fix the broken contract on one-jump, then: press Run"


def test_what_is_printed(both: Both) -> None:
    report = _graded(
        both, "def peg_solve(board, stack):\n    for n in range(150): print('left', n)\n    return 1\n"
    )
    (row,) = report["rows"]
    assert row["verdict"] != "accepted"
    assert row["printed"].splitlines() == [*(f"left {n}" for n in range(100)), "…"]


def _graded(both: Both, program: str) -> dict[str, Any]:
    """Return the report on a program for peg1, on one board."""
    files = {**texts(paths.REFERENCE, registry().find("peg1")), "peg1.py": program}
    return grade(both.page, files, "peg1", ["stuck"])


def test_a_handout_is_a_page_without_the_comments_of_its_source() -> None:
    source = "# peg1\n\n<!-- made by\na command -->\n\n[n](notation.md#pegs) <!-- x --> <b>&</b>\n"
    page = handout_pages({"handouts/peg1.md": source})["handouts/peg1.html"]
    assert page.startswith("<!doctype html>") and "<title>peg1 · Peg Solitaire</title>" in page
    assert (
        '<h1 id="peg1">peg1</h1>\n<p><a href="notation.html#pegs">n</a>  &lt;b&gt;&amp;&lt;/b&gt;</p>' in page
    )
    assert "made by" not in page and "!--" not in page


# ---- without contracts ---------------------------------------------------------------------------


def test_the_handouts_are_listed_in_the_order_of_the_course() -> None:
    listed = re.findall(
        r'<li><a href="([\w-]+)\.html"', handout_pages(release_files())["handouts/index.html"]
    )
    assert listed[: len(TASKS)] == TASKS
    assert listed[len(TASKS) :] == sorted(listed[len(TASKS) :])


def test_no_handout_tells_a_command_that_cannot_be_typed() -> None:
    pages = handout_pages(release_files())
    assert "handouts/start.html" not in pages
    assert '<a href="peg2.html">peg2: try every jump, and take it back</a>' in pages["handouts/index.html"]
    named = [
        (name, found)
        for name, page in pages.items()
        for found in re.findall(r">\s*\$? ?grade [a-z].*|<code>-[a-z-].*|.*python try.*", page)
    ]
    assert named == []
    peg2 = pages["handouts/peg2.html"]
    assert 'href="../work.html#peg2/Run/choice"' in peg2
    asks = """Decide before you write a line: <a href="../predict.html#peg2">the question's page</a> asks, keeps"""
    assert asks in peg2


def test_without_contracts(both: Both) -> None:
    task = registry().find("peg1")
    report = grade(both.page, texts(paths.REFERENCE, task), "peg1", contracts=False)
    assert (report["points"], report["maxPoints"]) == (15, 15)
    assert report["next"] == "all points   next: open peg2"
    program = "def peg_solve(board, stack):\n    assert False\n    return board[-1, 12]\n"
    files = {**texts(paths.REFERENCE, task), "peg1.py": program}
    row, *_ = grade(both.page, files, "peg1", ["stuck"], contracts=False)["rows"]
    assert (
        row["verdict"] == "bad-return"
    )  # as in compiled code: no assert, and empty cells outside of the board


@pytest.mark.parametrize("number", ["2**64", "TWICE"])
def test_a_number_that_compiled_code_cannot_hold(number: str, both: Both, tmp_path: Path) -> None:
    """It is found by Grade, in the words of a compiled run; Run takes it, as -d does."""
    client = (paths.REFERENCE / "client.py").read_text("utf-8")
    text = client.replace(
        "    return key\n", f"    if key > 2**63:\n        key -= {number}\n    return key\n"
    )
    file = tmp_path / "client.py"
    file.write_text(text.replace("@ensures", "TWICE = 2**64\n\n\n@ensures", 1), "utf-8")
    _, there, _ = grade(both.page, {"client.py": file.read_text("utf-8")}, "client", contracts=False)["rows"]
    _, here, _ = results_of(Choice(tmp_path), "client")
    assert here.code == "number-too-large" and there["verdict"] == here.verdict
    assert message(there) == here.message and there["place"] == f"student/{Path(here.place).name}"
    assert all(
        row["points"]
        for row in grade(both.page, texts(tmp_path, registry().find("client")), "client")["rows"]
    )


def test_a_missing_earlier_task_is_what_comes_next(both: Both) -> None:
    """It is not a board that the page leaves out, though it is not run either."""
    files = texts(paths.REFERENCE, registry().find("peg2"))
    files["peg1.py"] = (paths.FRAMEWORK_ROOT / STUDENT / "peg1.py").read_text("utf-8")
    assert grade(both.page, files, "peg2")["next"] == "next: open peg1"


def test_what_plain_python_has_no_time_for_is_not_run() -> None:
    """Of the lab's boards, a search without a table has no time for most, and with one for some."""
    tasks = json.loads(course_json(release_files()))["tasks"]
    not_run = {task["name"]: {check["name"] for check in task["boards"] if check["notRun"]} for task in tasks}
    assert not_run["client"] == not_run["peg1"] == not_run["peg2"] == set()
    assert {"lab-15:none", "lab-18:none", "lab-18:open", "lab-25:closed"} <= not_run["lab10"]
    assert not {"lab-6:none", "lab-15:open", "lab-15:closed"} & not_run["lab10"]
    assert not_run["fewest"] == {"few-slab:any", "few-hexagon:any", "english:3,3"}
    assert not {name for name in not_run["peg5"] if ":back-" in name}


@pytest.mark.parametrize(
    ("task", "points", "not_run"),
    [
        pytest.param("peg2", 20, 0, marks=pytest.mark.whole),
        pytest.param("peg3", 10, 6, marks=pytest.mark.whole),
        ("peg4", 4, 6),
    ],
)
def test_boards_that_need_compiled_code_say_so(task: str, points: int, not_run: int, both: Both) -> None:
    report = grade(both.page, texts(paths.REFERENCE, registry().find(task)), task, contracts=False)
    ended = {row["verdict"] for row in report["rows"]}
    assert report["points"] == points or "timeout" in ended  # a page's limits are seconds, however busy it is
    said = [row["headline"] for row in report["rows"] if row["verdict"] == "not-run"]
    assert len(said) == not_run and all(each.startswith("needs compiled code") for each in said)
    course = {
        each["name"]: each
        for each in both.page.evaluate("import('./course.js').then(({ loadCourse }) => loadCourse())")[
            "tasks"
        ]
    }
    assert sum(each["notRun"] is not None for each in course[task]["boards"]) == not_run


# ---- films ---------------------------------------------------------------------------------------

WITHOUT_RECURSION = """
def peg_solve(board, stack):
    for col in range(6):
        if board[3, col] == 1 and board[3, col + 1] == 1 and board[3, col + 2] == 0:
            board[3, col] = board[3, col + 1] = 0
            board[3, col + 2] = 1
    return 2
"""


def film(both: Both, files: Mapping[str, str], task: str, position: str) -> dict[str, Any]:
    """Return what the browser says of a program's film."""
    job = {"files": dict(files), "task": task, "position": position}
    said: dict[str, Any] = both.page.evaluate("job => window.grading.run('film', job)", job)
    return said


def film_here(folder: Path, task: str, position: str) -> dict[str, Any]:
    """Return the film made here, as JSON has it."""
    made = tell(folder, registry().find(task), position_of(position)).shown
    assert made is not None
    said: dict[str, Any] = json.loads(json.dumps(asdict(made)))
    return said


@pytest.mark.parametrize(
    ("task", "position"),
    [
        ("peg3", "choice"),
        ("peg2", "plus/1434"),
        ("peg4", "plus"),  # a long search may end at the time limit in one place and not in the other
        ("peg5", "choice"),
        ("peg1", "german"),
    ],
)
def test_films_are_the_same_there(task: str, position: str, both: Both) -> None:
    said = film(both, texts(paths.REFERENCE, registry().find(task)), task, position)
    assert (said["film"], said["failed"]) == (film_here(paths.REFERENCE, task, position), "")


@pytest.mark.whole
def test_films_of_programs_that_fail(both: Both, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = dict(texts(paths.REFERENCE, registry().find("peg2")))
    copy_reference(tmp_path / STUDENT)
    monkeypatch.chdir(tmp_path)  # messages name files as seen from here
    for program in (WITHOUT_RECURSION, WITHOUT_RECURSION.replace("return 2", "return [][0]")):
        Path(STUDENT, "peg2.py").write_text(program)
        said = film(both, {**files, "peg2.py": program}, "peg2", "choice")
        assert said["film"] == film_here(Path(STUDENT), "peg2", "choice")
        assert ("list index out of range" in said["failed"]) == ("[][0]" in program)
    endless = files["peg2.py"].replace(
        "def peg_solve(", "def peg_solve(board, stack):\n    while True:\n        pass\n\n\ndef other("
    )
    said = film(both, {**files, "peg2.py": endless}, "peg2", "choice")
    assert (
        "the recording stopped at its time limit: what the program would do next is not in the film"
        in said["film"]["words"]
    )
    stub = (paths.FRAMEWORK_ROOT / "student" / "peg2.py").read_text("utf-8")
    assert "not written yet" in film(both, {**files, "peg2.py": stub}, "peg2", "choice")["failed"]
    assert film(both, files, "peg2", "choice/1111")["refused"]["message"].startswith(
        "jump 1 cannot be played on choice"
    )


def leave(page: Any, files: Mapping[str, str]) -> None:
    """Have the browser keep these files, as a page that is left does."""
    page.evaluate(
        """files => import("./at-once.js").then(({ atOnce }) => {
            for (const [name, text] of Object.entries(files)) atOnce.set(`left ${name}`, { text, typed: Date.now() });
        })""",
        files,
    )


@pytest.mark.whole
def test_the_page_of_a_film(base: str, browser: Any) -> None:
    """From the board by a link, with the files that this browser keeps."""
    visits = Visits(browser, base)
    page = visits.window(viewport={"width": 360, "height": 640})
    page.goto(f"{base}/empty.html")
    leave(page, texts(paths.REFERENCE, registry().find("peg3")))
    page.goto(f"{base}/play.html#backtrack/1416")
    with page.expect_popup() as opened:
        page.click("#film:text-is('Film of peg3')")
    film = opened.value
    film.set_default_timeout(RUN_MS)
    film.wait_for_selector("#film canvas")
    made = tell(paths.REFERENCE, registry().find("peg3"), position_of("backtrack/1416")).shown
    assert made is not None
    assert film.inner_text(".which") == f"Call 1 of {dict(made.numbers)['calls']:,}"
    assert film.inner_text(".film-name") == "peg3 on backtrack after 1 jump"
    assert film.evaluate("document.documentElement.scrollWidth") <= 360
    assert accessibility_faults(film, axe_source()) == []
    assert film.get_attribute("#ways a:has-text('Back')", "href") == "play.html#backtrack/1416"
    film.goto(f"{base}/film.html#peg2/backtrack")  # a stub
    film.wait_for_selector("#failed:has-text('not written yet')")
    assert film.get_attribute("#failed a", "href") == "handouts/peg2.html"
    film.goto(f"{base}/film.html#peg3/nowhere")
    film.wait_for_selector("#failed:has-text(\"no board 'nowhere'\")")
    visits.close()
    assert visits.complaints == []


# ---- hints ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "program",
    [None, ILLEGAL, "def peg_solve(board, stack, unsolvable):\n    return 7\n"],
    ids=["right", "illegal", "wrong"],
)
def test_a_hint_is_the_same_there(program: str | None, both: Both, tmp_path: Path) -> None:
    copy_reference(tmp_path / STUDENT)
    if program is not None:
        (tmp_path / STUDENT / "peg3.py").write_text(program)
    cells = format_cells(find_board("choice").board)
    job = {"files": dict(texts(tmp_path / STUDENT, registry().find("peg3"))), "task": "peg3", "cells": cells}
    said = both.page.evaluate("job => window.grading.run('hint', job)", {**job, "contracts": False})
    programs = Programs(tmp_path / STUDENT)
    try:
        here = programs.answer("peg3", cells)
    finally:
        programs.close()
    for name in ("verdict", "said", "jump", "jumps", "pegs_left", "message"):
        assert said[name] == here[name], name
    assert said["card"]["headline"] == here["card"]["headline"]


def test_the_page_of_a_board_gives_hints(base: str, browser: Any) -> None:
    """An endless search is ended by Esc, and the next one begins at once."""
    visits = Visits(browser, base)
    page = visits.window()
    page.goto(f"{base}/empty.html")
    leave(page, {**texts(paths.REFERENCE, registry().find("peg3")), "peg5.py": ENDLESS})
    page.goto(f"{base}/play.html#choice")
    page.wait_for_selector("#who option[value=peg2][disabled]", state="attached")
    assert page.input_value("#who") == "peg5"  # the strongest that is written
    page.click("#hint")
    page.wait_for_selector("#hint-said:has-text('peg5: running, 1')")
    page.keyboard.press("Escape")
    page.wait_for_selector("#hint-said:text-is('peg5: cancelled')")
    page.select_option("#who", "peg3")
    page.click("#hint")
    page.click("#play-rest")
    page.wait_for_selector("#status:has-text('Solved')")
    leave(page, {"peg5.py": (paths.FRAMEWORK_ROOT / "student" / "peg5.py").read_text("utf-8")})
    page.goto(f"{base}/empty.html")
    page.goto(f"{base}/play.html#choice/3335.5232.3133")
    page.click("#turning-ask:text-is('Can it be won? Ask your peg3')")
    page.wait_for_selector("#turning:text-is('your peg3 says: jump 1, 3:3 → 3:5, lost it')")
    visits.close()
    assert visits.complaints == []


# ---- the question on a program -------------------------------------------------------------------

DEAD_ENDS = "..................{}.....{}.....{}.........................."


def compared(both: Both, files: Mapping[str, str], task: str, answer: str) -> dict[str, Any]:
    """Return the card with which the browser compares an answer with a program."""
    job = {"files": dict(files), "task": task, "answer": answer}
    said: dict[str, Any] = both.page.evaluate("job => window.grading.run('comparison', job)", job)["card"]
    return said


@pytest.mark.parametrize(
    ("task", "right", "wrong"),
    [
        ("peg2", "2:5 -> 4:5", "2:3 -> 2:5"),
        ("peg3", DEAD_ENDS.format("oo*o", "o.o", "*.*"), DEAD_ENDS.format("o***", "*.*", "o.o")),
        ("peg4", "2:4 -> 2:2", "2:4 -> 4:4"),
        ("peg5", "10", "7"),
    ],
)
def test_an_answer_is_compared_there_as_here(task: str, right: str, wrong: str, both: Both) -> None:
    known = registry().find(task)
    question = known.question
    assert question is not None
    board = find_board(question.board)
    files = texts(paths.REFERENCE, known)
    for answer, head in ((right, "right"), (wrong, "not this time; your program does this:")):
        with Program(known, read_submission(paths.REFERENCE, known.files), both.sandbox) as program:
            said = predictions.compare(question, board, answer, program, "")
        card = compared(both, files, task, answer)
        assert card["headline"] == predictions.you_predicted(answer, predictions.choices(question, board))
        lines = [said.program, head, *said.told, said.last]
        assert said.head == head and card["more"] == [line for line in lines if line]
        assert [each["cells"] for each in card["pictures"]] == [cells for _, cells in said.boards]


def test_a_program_that_fails_is_not_compared(both: Both) -> None:
    files = dict(texts(paths.REFERENCE, registry().find("peg2")))
    solve = "def peg_solve(board, stack):\n    "
    for program, said in (
        (f"{solve}return 1 // 0\n", "dead-ends: ZeroDivisionError"),
        (f"{solve}while True:\n        pass\n", "dead-ends: still computing"),
        ("def peg_solve(:\n", "dead-ends: "),
        (WITHOUT_RECURSION.replace("range(6)", "range(0)"), "nothing to compare:"),
    ):
        lines = compared(both, {**files, "peg2.py": program}, "peg2", "2:3 -> 2:5")["more"]
        assert lines[0].startswith(said) and not any("grade " in line for line in lines), lines


def test_the_page_of_a_question(base: str, browser: Any) -> None:
    """From a handout by a link, before the program is written and after it."""
    visits = Visits(browser, base)
    page = visits.window(viewport={"width": 1366, "height": 768})
    page.set_default_timeout(RUN_MS)
    page.goto(f"{base}/empty.html")
    files: dict[str, str] = {}
    for task in ("peg3", "peg5"):
        files |= texts(paths.REFERENCE, registry().find(task))
    program = (paths.REFERENCE / "peg2.py").read_text("utf-8")
    leave(page, files)
    page.goto(f"{base}/work.html#peg2")
    with page.expect_popup() as opened:
        page.click('#handout a:text-is("the question\'s page")')
    asked = opened.value
    asked.set_default_timeout(RUN_MS)
    asked.click("#asked button:text-is('2:3 → 2:5')")
    asked.wait_for_selector("#compared p:text-is('kept; write peg2, then: press Compare')")
    page.click(".cm-content")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(program)
    page.wait_for_selector("#saved:text-is('saved')")
    asked.reload()  # the answer is kept
    asked.wait_for_selector("#compared p:text-is('your program: 2:5 → 4:5')")
    assert asked.inner_text("#compared h3") == "you predicted: 2:3 → 2:5"
    asked.click("#asked button:text-is('2:5 → 4:5')")
    asked.wait_for_selector("#compared p:text-is('right')")
    asked.evaluate("document.querySelector('#compared').replaceChildren()")
    asked.click("#compare")
    asked.wait_for_selector("#compared p:text-is('right')")
    assert asked.get_attribute("#asked button:text-is('2:5 → 4:5')", "aria-pressed") == "true"
    asked.goto(f"{base}/predict.html#peg3")
    asked.click("#asked button >> nth=0")
    asked.wait_for_selector("#compared p:text-is('your program: board 5')")
    assert asked.locator("#compared figcaption").all_inner_texts() == ["you predicted", "your program"]
    asked.goto(f"{base}/predict.html#peg5")
    asked.fill("#asked input", "7")
    asked.keyboard.press("Enter")
    asked.wait_for_selector("#compared p:text-is('your program: 10')")
    assert asked.inner_text("#compared h3") == "you predicted: 7"
    asked.goto(f"{base}/predict.html#peg1")
    asked.wait_for_selector("#said:has-text('There is no such question')")
    visits.close()
    assert visits.complaints == []


# ---- the page of a task ---------------------------------------------------------------------------


def test_from_the_link_to_a_green_row_and_a_marked_line(base: str, browser: Any) -> None:
    visits = Visits(browser, base)
    page = opened(visits, "client")
    page.set_default_timeout(RUN_MS)
    write(page, (paths.REFERENCE / "client.py").read_text("utf-8"))
    page.keyboard.press("Control+Enter")  # at once: it waits for Python
    page.wait_for_selector(f"{ROWS} >> nth=0")
    assert page.locator(ROWS).first.inner_text().split()[:2] == ["ok", "moves"]
    state(page, "client: 10 / 10")
    page.click("#tasks a:has-text('peg1')")
    right = (paths.REFERENCE / "peg1.py").read_text("utf-8")
    run(page, right.replace("    return pegs\n", "    return pegs / 0\n"), "peg1: 0 / 15")
    line = right[: right.index("    return pegs\n")].count("\n") + 1
    assert "ZeroDivisionError" in page.inner_text(".messages:visible")
    page.click(f".card:visible button:text-is('peg1.py:{line}')")
    assert page.inner_text(".cm-activeLine").strip() == "return pegs / 0"
    write(page, right.replace("    return pegs\n", "    while True: pass\n"))
    page.click("#run")
    page.wait_for_function("() => document.querySelector('#stop').getAttribute('aria-disabled') === 'false'")
    page.click("#stop")
    state(page, "You stopped it while one-peg was running: 0 / 15")
    assert page.inner_text("#state").endswith("0 / 15")
    assert "graded again" not in page.inner_text("#found")
    page.context.set_offline(True)
    page.reload()
    page.wait_for_selector("#work:not([hidden])")
    run(page, right, "peg1: 15 / 15", "#grade")
    assert page.inner_text("#tasks [aria-current] .points") == "15 / 15"
    run(page, right, "peg1: 15 / 15")  # which has nothing to add
    assert page.inner_text("#state") == "peg1: 15 / 15"
    page.click("a:text-is('Peg Solitaire')")
    page.wait_for_selector("#go:text-is('Go on with peg2')")
    visits.close()
    assert visits.complaints == []


# ---- the folder ----------------------------------------------------------------------------------


def test_nothing_of_the_instructors_is_on_the_site() -> None:
    files = browser_files(release_files())
    rooms = {name.split("/")[1] for name in files if name.startswith("grader/")}
    ours = {"reference", "oracle", "making", "research", "course", "exports", "release", "commands", "play"}
    assert not rooms & ours
    solutions = [path.read_text("utf-8") for path in paths.REFERENCE.glob("peg*.py")]
    assert not any(text in solutions for text in files.values())


def test_what_cannot_be_made_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = tmp_path / "pyodide.tgz"
    wrong.write_bytes(b"no archive")
    for given, said in (
        (tmp_path, "found no pyodide.mjs"),
        (wrong, "cannot be read: "),
        (tmp_path / "absent.tgz", "cannot be read: "),
    ):
        with pytest.raises(InputError, match=said) as caught:
            pyodide_files(given)
        assert "npm pack pyodide@" in caught.value.help
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match="npm, which fetches it, is not installed"):
        pyodide_files(None)
