"""`grade viva`: questions about a student's own files; each has one right answer, found by running the files."""

import gc
import json
import re
import shutil
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from framework.board import format_board, parse_board
from framework.jumps import format_jump
from grader.catalog.boards import find_board
from grader.catalog.tasks import Task, registry
from grader.cli import cli
from grader.commands import class_viva
from grader.course.store import ClassStore
from grader.judging.kinds.table_truth import positions
from grader.messages.catalogue import Message
from grader.sandbox.answers import FrameError, parse_frame
from grader.sandbox.child.trace import LEFT, SET
from grader.sandbox.confine import tiers
from grader.sandbox.parent.sandbox import Sandbox
from grader.submissions.submission import read_submission
from grader.tracing.program import Trace, parse_trace, run_of
from grader.viva import pages
from grader.viva.author import Search, nodes_of
from grader.viva.kinds import changes, lines
from grader.viva.paper import Paper, Unasked, make_paper
from grader.viva.question import Answer, Question, Shows, ask
from support import viva_truth
from support.browsing import Visits, accessibility_faults, axe_source
from support.command import ROOT, Terminal, grade
from support.idea_programs import submission, with_ideas
from support.made_styles import STYLES, write_style
from support.plain_search import PlainSearch
from support.sampling import every

ALL = 50  # more questions than there are kinds
LEAST_KINDS = 15
NTH = 12  # only every twelfth is asked, without --whole


@pytest.fixture(scope="module")
def sandbox(private_cache: None) -> Iterator[Sandbox]:
    with Sandbox(tiers.best(), True, threading.Event()) as made:
        yield made


@pytest.fixture
def folder(tmp_path: Path, private_cache: None) -> Path:
    """Return a folder with a plain student's programs."""
    submission(tmp_path / "student")
    return tmp_path


def tasks(*names: str) -> list[Task]:
    return [registry().find(name) for name in names]


def paper_of(
    folder: Path, about: list[Task], sandbox: Sandbox, seed: int, number: int
) -> tuple[Paper, list[Unasked]]:
    return make_paper(
        folder.name, lambda task: read_submission(folder, task.files), about, sandbox, seed, number
    )


def check(paper: Paper) -> None:
    """Check what must be true of every paper."""
    assert len({question.kind for question in paper.questions}) == len(paper.questions)
    for question in paper.questions:
        assert len({answer.shown for answer in question.answers}) == 4
        assert all(answer.why and answer.shown for answer in question.answers)
        assert 0 <= question.right < 4
        if question.shows == Shows.BOARD:
            assert all(re.fullmatch(r"[.o*]{64}", answer.shown) for answer in question.answers)


# ---- the questions of right programs -------------------------------------------------------------


def test_two_threads_read_syntax_trees_at_once() -> None:
    source = Path(viva_truth.__file__).read_text("utf-8")
    threshold = gc.get_threshold()
    give_way = lambda *_: time.sleep(0)  # noqa: E731 - the garbage collector lets the other thread run
    gc.callbacks.append(give_way)
    gc.set_threshold(50)
    try:
        with ThreadPoolExecutor(4) as pool:
            counts = {len(nodes) for nodes in pool.map(nodes_of, [source] * 8)}
    finally:
        gc.set_threshold(*threshold)
        gc.callbacks.remove(give_way)
    assert len(counts) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "least"),
    [("peg4", LEAST_KINDS), ("peg5", 6)],  # the other search of peg5 is not followed
)
def test_plain_students_are_asked_questions_of_many_kinds(
    sandbox: Sandbox, tmp_path: Path, task: str, least: int
) -> None:
    folder = with_ideas(tmp_path / "student")
    paper, unasked = paper_of(folder, tasks(task), sandbox, 1, ALL)
    assert unasked == []
    check(paper)
    assert len(paper.questions) >= least
    check_by_running(folder, paper.questions)


def expected(question: Question, order: str) -> str | None:
    """Return the answer by another search of the board; None for kinds that it does not know."""
    if question.kind not in KNOWN:
        return None
    remembers = question.file == "peg3.py" and not question.kind.startswith("without")
    search = PlainSearch(parse_board(question.boards[0].cells), order, remembers)
    answer = KNOWN[question.kind](search, question)
    if isinstance(answer, tuple):
        return format_jump(answer)
    return answer if isinstance(answer, str) else f"{answer:,}"


def table(search: PlainSearch) -> list[str]:
    return [search.holes.text(position) for position in search.given_up]


KNOWN: dict[str, Callable[[PlainSearch, Question], Any]] = {
    "tried first": lambda search, question: search.tried[0],
    "tried next": lambda search, question: search.tried[1],
    "order of jumps": lambda search, question: ", ".join(map(format_jump, search.tried)),
    "recorded first": lambda search, question: table(search)[0],
    "recorded last": lambda search, question: table(search)[-1],
    "size of the table": lambda search, question: len(search.given_up),
    "found in the table": lambda search, question: search.hits,
    "place in the table": lambda search, question: table(search).index(question.boards[1].cells),
    "returned": lambda search, question: search.fewest,
    "returned again": lambda search, question: question.boards[1].cells.count("*"),
    "top of the stack": lambda search, question: search.stack[-1],
    "second push": lambda search, question: search.stack[1],
    "number of calls": lambda search, question: len(search.came_to),
    "calls at the same time": lambda search, question: search.deepest,
    "taken back": lambda search, question: len(search.came_to) - 1,
    "without the look-up": lambda search, question: len(search.came_to),
    "without the insert": lambda search, question: len(search.came_to),
}


def check_by_running(folder: Path, questions: Sequence[Question]) -> set[str]:
    """Check by another run of the files that no wrong answer is true; return the kinds that can be checked so."""
    run = [question for question in questions if viva_truth.is_known(question.kind)]
    lists_winning = any(question.file == "peg5.py" for question in run)  # which takes long line by line
    names = SMALL if lists_winning else LOOKED_AT
    found = viva_truth.truths(folder, [cells_of(name) for name in names], run)
    for question, true in zip(run, found, strict=True):
        assert true == [at == question.right for at in range(len(true))], question
    return {question.kind for question in run}


def cells_of(name: str) -> str:
    """Return a board of the course as 64 cells."""
    known = positions(find_board(name).board)
    return known.text(known.start)


ORDERS = {"reference": "DURL", "reference-bare": "DURL", "plain": "RDLU", "plain-whiles": "RDLU"}
SMALL = ("dead-ends", "three-ways", "choice", "choice-middle", "two-forks")
LOOKED_AT = (*SMALL, "plus", "diamond", "lab-6")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", every(NTH, [f"{style}:{seed}" for seed in (1, 2) for style in STYLES], ["tables-copies:1"])
)
def test_the_key_is_true_and_no_other_answer(sandbox: Sandbox, tmp_path: Path, name: str) -> None:
    """Each answer is held to another search of the board, made anew here, or to another run of the files."""
    style, _, seed = name.partition(":")
    folder = write_style(tmp_path, style)
    order = ORDERS.get(style, STYLES[style].order)
    questions: list[Question] = []
    for task in tasks("peg2", "peg3"):
        paper, unasked = paper_of(folder, [task], sandbox, int(seed), ALL)
        assert unasked == []
        check(paper)
        questions += paper.questions
    run = check_by_running(folder, questions)
    for question in questions:
        right = expected(question, order)
        assert (right is None) == (question.kind in run), question.kind
        if right is not None:
            assert [answer.shown for answer in question.answers].index(right) == question.right, question
    assert len({question.kind for question in questions}) >= LEAST_KINDS


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), "utf-8")


@pytest.mark.slow
def test_a_seed_decides(sandbox: Sandbox, folder: Path) -> None:
    one, again, other = (
        paper_of(folder / "student", tasks("peg3"), sandbox, seed, 4)[0] for seed in (1, 1, 2)
    )
    assert one.questions == again.questions != other.questions


@pytest.mark.slow
def test_a_program_by_chance_is_asked_only_what_is_the_same_each_time(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    folder = write_style(tmp_path, "tables")
    change(
        folder / "peg3.py",
        "for direction in range(4):",
        "for direction in __import__('random').sample(range(4), 4):",
    )
    paper, _ = paper_of(folder, tasks("peg3"), sandbox, 1, ALL)
    check(paper)
    assert {"move_new", "same key"} <= {question.kind for question in paper.questions}


@pytest.mark.slow
def test_a_program_may_record_boards_that_it_does_not_come_to(sandbox: Sandbox, tmp_path: Path) -> None:
    folder = write_style(tmp_path, "plain")
    last = "    return go(board, stack, unsolvable, count_pegs(board))\n"
    records = """    left = go(board, stack, unsolvable, count_pegs(board))
    for step in [(r, c, *way) for r in range(8) for c in range(8) for way in ((0, 1), (1, 0), (0, -1), (-1, 0))]:
        if ok(board, *step):
            do(board, *step)
            ht_insert(unsolvable, board_key(board))
            undo(board, *step)
    return left
"""
    change(folder / "peg3.py", last, records)
    for seed in range(8):
        check(paper_of(folder, tasks("peg3"), sandbox, seed, ALL)[0])


def test_too_few_wrong_answers_make_no_question() -> None:
    right, asked = Answer("1", "so"), partial(ask, Random(1), "kind", "peg3.py", "What?")
    wrong = [Answer(shown, "no") for shown in ("2", "3", "1", "2")]
    assert not list(asked(right, wrong))
    (question,) = asked(right, [*wrong, Answer("4", "no"), Answer("5", "no")])
    assert {answer.shown for answer in question.answers} == {"1", "2", "3", "4"}
    assert question.answers[question.right] == right


THERE = positions(find_board("dead-ends").board)
EVENT = st.tuples(
    st.integers(SET, LEFT),
    st.integers(0, 5),
    st.one_of(st.sampled_from(list(THERE.after)), st.integers(-2, 600)),
    st.integers(-1, 99),
)


@given(st.lists(EVENT, max_size=80))
def test_no_events_make_the_grader_fail(events: list[tuple[int, int, int, int]]) -> None:
    said = {
        "number": 3, "functions": ["peg3.py solve"] * 6, "calls": [1] * 6, "events": sum(events, ()),
        "board": format_board(THERE.board(THERE.start)), "error": None,
    }  # fmt: skip
    try:
        trace = parse_frame(json.dumps(said).encode(), parse_trace)
        assert isinstance(trace, Trace)
        run = run_of(THERE, trace)
    except FrameError:  # a cell that is none
        return
    if run is not None:
        roles = lines.roles_in(Search(None, registry().find("peg3"), THERE, run, Random(1)))  # type: ignore[arg-type]
        assert all(line > 0 for those in roles.values() for line in those)
        assert run.line(run.first_end) is not None and run.put is not None


# ---- the command ---------------------------------------------------------------------------------


def viva(folder: Path, *arguments: str) -> tuple[int, str, str]:
    done = grade("viva", *arguments, cwd=folder)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.slow
def test_a_page_of_text_with_the_key_on_another(folder: Path) -> None:
    status, text, error = viva(folder, "peg3", "--questions", "3")
    assert (status, error) == (0, "")
    questions, _, key = text.partition("\f")
    assert questions.startswith(
        "viva of student, about peg3: 3 questions, seed 0. A board has no holes but those that are drawn.\n\n1. "
    )
    assert re.findall(r"^(\d)\. ", questions, re.MULTILINE) == ["1", "2", "3"]
    assert "right" not in questions
    assert key.startswith("key\n\n1. ") and key.count("right: ") == 3


@pytest.mark.slow
def test_interactively(folder: Path) -> None:
    with Terminal(folder, "viva", "peg2") as terminal:
        text = terminal.until("q: quit >")
        assert "1 of 6  " in text and "right: " not in text
        terminal.type("e")
        terminal.until("q: quit >")
        terminal.type("a")
        assert "right: " in terminal.until("2 of 6  ")
        terminal.type("q")
        terminal.until("of 1 right; other questions: grade viva")


SOLVE = "def peg_solve(board, stack, unsolvable):\n    "


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "said"),
    [
        (SOLVE + 'raise NotImplementedError("peg3: x is not written yet")\n', "`x` is not written yet"),
        ("def peg_solve(:\n", ""),
        (SOLVE + "return 1 // 0\n", "ZeroDivision"),
        (SOLVE + "while 1: pass\n", "still computing"),
        ("import os\nos._exit(3)\n", ""),
    ],
)
def test_a_program_that_does_not_run(folder: Path, source: str, said: str) -> None:
    (folder / "student" / "peg3.py").write_text(source, "utf-8")
    status, text, error = viva(folder, "peg3")
    assert (status, text) == (1, "")
    assert error.startswith(f"peg3: nothing can be asked: {said}")
    status, text, error = viva(folder, "--questions", "2")
    assert (status, error) == (0, "") and text.startswith("viva of student, about peg2: 2 questions")


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["--student", "nobody"], 2, "nobody: no such folder\n"),
        (["peg1"], 2, "peg1: there are no questions about it\nhelp: tasks: peg2, peg3, peg4, peg5\n"),
        (["peg33"], 2, "no task 'peg33'"),
        (["peg4"], 1, "peg4: nothing can be asked: student/peg4.py: no such file\n"),
        (["--questions", "0"], 2, "Invalid value for '--questions'"),
    ],
)
def test_wrong_usage(folder: Path, arguments: list[str], status: int, said: str) -> None:
    found, text, error = viva(folder, *arguments)
    assert (found, text) == (status, "")
    assert error.startswith(said)


def test_the_stubs(tmp_path: Path, private_cache: None) -> None:
    shutil.copytree(ROOT / "student", tmp_path / "student")
    status, text, error = viva(tmp_path)
    assert (status, text) == (1, "")
    assert (
        error.startswith("peg2: nothing can be asked: `solve` is not written yet")
        and error.count("nothing") == 1
    )


# ---- pages ---------------------------------------------------------------------------------------

ODD = "return pegs  # <script>alert('`')</script> ```` \x1b[31m " + "x" * 300


@pytest.fixture(scope="module")
def odd_paper(sandbox: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> Paper:
    folder = tmp_path_factory.mktemp("odd") / "<b>&``"
    folder.mkdir()
    write_style(folder, "tables")
    text = (folder / "peg3.py").read_text("utf-8")
    (folder / "peg3.py").write_text(text.replace("return pegs\n", ODD + "\n", 1), "utf-8")
    paper, _ = paper_of(folder, tasks("peg3"), sandbox, 1, ALL)
    assert any("script" in str(question) for question in paper.questions)
    return paper


def test_html_escapes_what_a_student_wrote(odd_paper: Paper) -> None:
    page = pages.as_html(odd_paper)
    assert "<script" not in page and "<b>" in page
    assert "&lt;script&gt;" in page and "\x1b" not in page and "&lt;b&gt;" in page
    for tag in ("section", "li", "ul", "ol", "svg", "figure", "p", "code"):
        assert len(re.findall(rf"<{tag}\b", page)) == page.count(f"</{tag}>"), tag
    assert max(len(line) for line in page.splitlines()) < 2000


def test_markdown_has_code_for_what_a_student_wrote(odd_paper: Paper) -> None:
    text = pages.as_markdown(odd_paper)
    assert "\x1b" not in text
    inside = False
    for line in text.splitlines():
        if line.startswith("```"):
            inside = not inside
        elif "<" in line and not inside:
            assert "<" not in re.sub(r"`[^`]*`", "", line), line
    assert not inside


def test_every_page_has_every_question(odd_paper: Paper) -> None:
    number = len(odd_paper.questions)
    assert pages.as_html(odd_paper).count('class="words"') == number
    assert len(re.findall(r"^## \d+$", pages.as_markdown(odd_paper), re.MULTILINE)) == number
    assert pages.as_text(odd_paper).count("right: ") == number
    assert max(map(len, pages.as_text(odd_paper).splitlines())) <= 120


@pytest.fixture
def visits(browser: Any) -> Iterator[Visits]:
    made = Visits(browser, "file://")
    yield made
    made.close()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_in_a_browser(odd_paper: Paper, tmp_path: Path, visits: Visits, scheme: str) -> None:
    (tmp_path / "viva.html").write_text(pages.as_html(odd_paper), "utf-8")
    page = visits.window(color_scheme=scheme)
    page.goto((tmp_path / "viva.html").as_uri())
    assert accessibility_faults(page, axe_source()) == []
    page.set_viewport_size({"width": 360, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator("svg").first.bounding_box()["width"] > 40
    assert visits.complaints == []


@pytest.mark.slow
def test_six_questions_are_printed_on_a_page_and_their_key_on_another(
    sandbox: Sandbox, folder: Path, visits: Visits
) -> None:
    paper, _ = paper_of(folder / "student", tasks("peg3"), sandbox, 1, 6)
    (folder / "viva.html").write_text(pages.as_html(paper), "utf-8")
    page = visits.window()
    page.goto((folder / "viva.html").as_uri())
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page[^s]", printed)) == 2


# ---- a class -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_page_for_each_student_of_a_class_whose_program_runs(tmp_path: Path, private_cache: None) -> None:
    for name in ("ann", "ben", "crash", "stub"):
        (tmp_path / "class" / name).mkdir(parents=True)
        write_style(tmp_path / "class" / name, "ifs" if name != "ben" else "tables")
    (tmp_path / "class" / "crash" / "peg2.py").write_text("1 // 0\n", "utf-8")
    shutil.copytree(ROOT / "student", tmp_path / "class" / "stub", dirs_exist_ok=True)
    with ClassStore(tmp_path / "out", create=True):
        pass
    (tmp_path / "out" / "viva").mkdir()
    (tmp_path / "out" / "viva" / "stub.html").write_text("of an earlier run", "utf-8")
    done = grade("class", "class", "peg2", "-o", "out", "--viva", cwd=tmp_path)
    assert done.returncode == 0
    assert "--viva: questions for 2 students in out/viva\n" in done.stderr
    assert "--viva: stub: nothing can be asked: `solve` is not written yet\n" in done.stderr
    assert "--viva: crash: nothing can be asked: " in done.stderr
    assert sorted(file.name for file in (tmp_path / "out" / "viva").iterdir()) == ["ann.html", "ben.html"]
    page = (tmp_path / "out" / "viva" / "ann.html").read_text("utf-8")
    assert "<h1>Viva: ann</h1>" in page and "<h2>Key: ann</h2>" in page


def test_what_fails_for_one_student_leaves_the_others_their_papers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, private_cache: None
) -> None:
    seeds = []

    def made(who: str, read: object, asked: object, sandbox: object, seed: int, number: int) -> Any:
        seeds.append(seed)
        if who == "eve":
            raise IndexError("odd")
        return Paper(who, 0, [], []), [Unasked("peg2", Message("cannot-be-read", "it does not run"))]

    monkeypatch.setattr(class_viva, "make_paper", made)
    notes: dict[str, str] = {}
    store: Any = SimpleNamespace(
        sources=lambda student, number: {}, note=notes.__setitem__, noted=lambda key: notes.get(key, "")
    )
    said: list[str] = []
    class_viva.write_papers(store, {"eve": [1], "zoe": [1]}, tasks("peg2"), tmp_path, 0, said.append)
    assert said[:2] == [
        "--viva: eve: nothing can be asked: the grader failed: IndexError('odd'); please report this",
        "--viva: zoe: nothing can be asked: it does not run",
    ]
    class_viva.write_papers(store, {"eve": [1], "zoe": [1]}, tasks("peg2"), tmp_path, 0, said.append)
    assert len(set(seeds)) == 2 and sorted(seeds[:2]) == sorted(
        seeds[2:]
    )  # one a student, the same in each run
    assert min(seeds) > 1 << 32  # which no student could try beforehand


def test_papers_are_written_before_anything_is_graded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, private_cache: None
) -> None:
    """They tell what programs return, which have then met no private board."""
    (tmp_path / "class" / "ann").mkdir(parents=True)
    write_style(tmp_path / "class" / "ann", "ifs")
    done: list[str] = []
    monkeypatch.setattr(class_viva, "write_papers", lambda *_: done.append("papers") or [])
    monkeypatch.setattr("grader.commands.class_._grade", lambda *_: done.append("grades") or 0)
    monkeypatch.chdir(tmp_path)
    assert (
        cli.main(["class", "class", "peg2", "--viva", "--scheduler", "tcp://x:1"], standalone_mode=False) == 0
    )
    assert done == ["papers", "grades"]


def test_functions_inside_functions_have_few_pairs_of_lines() -> None:
    """Each line of the innermost one belongs to all of them."""
    head = "".join(f"{' ' * depth}def solve():\n" for depth in range(80))
    source = head + (" " * 80 + "a()\n") * 300
    search: Any = SimpleNamespace(function="solve")
    found = [*changes._pairs(source, search)]
    assert {*found} == {*range(81, 380)} and len(found) > changes.MOST_PAIRS
    asked: list[str] = []

    def program(task: Task, text: str) -> None:
        asked.append(text)

    author: Any = SimpleNamespace(source=lambda task: source, program=program)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(changes, "searches", lambda *_: [search])
        patch.setattr(changes, "_outcome", lambda *_: None)
        tracemalloc.start()
        assert not list(changes.swapped(author, tasks("peg2")[0], Random(1)))
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert len(asked) == changes.MOST_SWAPS and most < 200 * len(source)


@pytest.mark.slow
def test_a_class_without_a_search_is_refused_before_anything_is_graded(tmp_path: Path) -> None:
    (tmp_path / "class" / "ann").mkdir(parents=True)
    done = grade("class", "class", "client", "--viva", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("--viva: none of these tasks has a search to ask about\nhelp: ")
