"""`grade viva`: questions about a student's own files; each has one right answer, found by running the files."""

import gc
import html.parser
import os
import pty
import re
import shutil
import subprocess
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import starmap
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from framework.board import SIZE, Board, parse_board
from framework.jumps import Jump, format_jump
from grader.catalog.boards import find_board
from grader.catalog.tasks import Task, registry
from grader.commands import class_viva
from grader.judging.kinds.table_truth import Positions, positions
from grader.messages.message import Message
from grader.sandbox.child.trace import LEFT, SET
from grader.sandbox.confine import tiers
from grader.sandbox.frame_parts import FrameError
from grader.sandbox.parent.sandbox import Sandbox
from grader.sandbox.traces import Event, Trace
from grader.submissions.submission import read_submission
from grader.tracing.program import run_of
from grader.viva import pages
from grader.viva.author import Search, nodes_of
from grader.viva.kinds import changes, lines
from grader.viva.paper import Paper, Unasked, make_paper
from grader.viva.question import Answer, Asked, Question, Shows, with_answers
from support import viva_truth
from support.browsing import Visits, accessibility_faults, axe_source
from support.command import GRADE, ROOT
from support.made_styles import STEPS, STYLES, program
from support.sampling import every

HERE = Path(__file__).parent / "students"
ALL = 50  # more questions than there are kinds
LEAST_KINDS = 15
QUICK = ("tables-copies",)
NTH = 6  # only every sixth style is asked, without --whole
each_style = pytest.mark.parametrize("style", every(NTH, STYLES, QUICK))


@pytest.fixture(scope="module")
def sandbox(private_cache: None) -> Iterator[Sandbox]:
    with Sandbox(tiers.best(), True, threading.Event()) as made:
        yield made


@pytest.fixture
def folder(tmp_path: Path, private_cache: None) -> Path:
    """Return a folder with a plain student's programs."""
    shutil.copytree(HERE / "plain", tmp_path / "student")
    return tmp_path


def tasks(*names: str) -> list[Task]:
    return [registry().find(name) for name in names]


def paper_of(
    folder: Path, about: list[Task], sandbox: Sandbox, seed: int, number: int
) -> tuple[Paper, list[Unasked]]:
    return make_paper(
        folder.name, lambda task: read_submission(folder, task.files), about, sandbox, seed, number
    )


def write_style(folder: Path, style: str) -> Path:
    for file, text in program(style).items():
        (folder / file).write_bytes(text.encode())
    return folder


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


@each_style
def test_every_style_is_asked_questions_of_many_kinds(sandbox: Sandbox, tmp_path: Path, style: str) -> None:
    folder = write_style(tmp_path, style)
    paper, unasked = paper_of(folder, tasks("peg2", "peg3"), sandbox, 1, ALL)
    assert unasked == []
    check(paper)
    assert len(paper.questions) >= LEAST_KINDS


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


@pytest.mark.parametrize(
    ("task", "files", "least"),
    [
        pytest.param("peg4", ["peg4_ordered.py"], LEAST_KINDS, marks=pytest.mark.slow),
        # It searches twice, which is not followed: what is asked is about its other functions.
        pytest.param("peg5", ["peg4_ordered.py", "peg5_both_ends.py"], 6, marks=pytest.mark.slow),
    ],
)
def test_plain_students_are_asked_questions_of_many_kinds(
    sandbox: Sandbox, tmp_path: Path, task: str, files: list[str], least: int
) -> None:
    shutil.copytree(HERE / "plain", tmp_path, dirs_exist_ok=True)
    for file in files:
        shutil.copy(HERE / "ideas" / file, tmp_path / f"{file[:4]}.py")
    paper, unasked = paper_of(tmp_path, tasks(task), sandbox, 1, ALL)
    assert unasked == []
    check(paper)
    assert len(paper.questions) >= least
    check_by_running(tmp_path, paper.questions)


class Model:
    """A search of a board, made anew here: rows, columns, then directions in an order, with a table or without."""

    def __init__(self, cells: str, order: str, remembers: bool) -> None:
        self.known = Positions(board_of(cells))
        self._steps = {STEPS[letter]: place for place, letter in enumerate(order)}
        self._remembers = remembers
        self.calls = self.hits = self.deepest = 0
        self.table: list[int] = []
        self.tried: list[Jump] = []
        self.stack: list[Jump] = []
        self.number = self._search(self.known.start, 1)

    def jumps(self, position: int) -> list[Jump]:
        return sorted(
            self.known.jumps_to(position, self.known.after),
            key=lambda each: (*each[:2], self._steps[(each[2] - each[0]) // 2, (each[3] - each[1]) // 2]),
        )

    def _search(self, position: int, depth: int) -> int:
        self.calls += 1
        self.deepest = max(self.deepest, depth)
        fewest = position.bit_count()
        if fewest == 1:
            return 1
        if self._remembers and position in self.table:
            self.hits += 1
            return fewest
        for jump in self.jumps(position):
            if depth == 1:
                self.tried.append(jump)
            (after,) = (position ^ cells for cells, _, each in self.known.jumps if each == jump)
            fewest = min(fewest, self._search(after, depth + 1))
            if fewest == 1:
                self.stack.append(jump)
                return 1
        self.table.append(position)
        return fewest


def board_of(cells: str) -> Board:
    return parse_board("".join(" ".join(cells[at : at + SIZE]) + "\n" for at in range(0, SIZE * SIZE, SIZE)))


def expected(question: Question, order: str) -> str | None:
    """Return the answer by the model; None for kinds that it does not know."""
    if question.kind not in KNOWN:
        return None
    cells = question.boards[0].cells
    remembers = question.file == "peg3.py" and not question.kind.startswith("without")
    made = Model(cells, order, remembers)
    answer = KNOWN[question.kind](made, question)
    if isinstance(answer, tuple):
        return format_jump(answer)
    return answer if isinstance(answer, str) else f"{answer:,}"


def place(made: Model, question: Question) -> int:
    return [made.known.text(each) for each in made.table].index(question.boards[1].cells)


KNOWN: dict[str, Callable[[Model, Question], Any]] = {
    "tried first": lambda made, question: made.tried[0],
    "tried next": lambda made, question: made.tried[1],
    "order of jumps": lambda made, question: ", ".join(map(format_jump, made.tried)),
    "recorded first": lambda made, question: made.known.text(made.table[0]),
    "recorded last": lambda made, question: made.known.text(made.table[-1]),
    "size of the table": lambda made, question: len(made.table),
    "found in the table": lambda made, question: made.hits,
    "place in the table": place,
    "returned": lambda made, question: made.number,
    "returned again": lambda made, question: question.boards[1].cells.count("*"),
    "top of the stack": lambda made, question: made.stack[-1],
    "second push": lambda made, question: made.stack[1],
    "number of calls": lambda made, question: made.calls,
    "calls at the same time": lambda made, question: made.deepest,
    "taken back": lambda made, question: made.calls - 1,
    "without the look-up": lambda made, question: made.calls,
    "without the insert": lambda made, question: made.calls,
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


@pytest.mark.parametrize(
    "name", every(2 * NTH, [f"{style}:{seed}" for seed in (1, 2) for style in STYLES], [f"{QUICK[0]}:1"])
)
def test_the_key_is_true_and_no_other_answer(sandbox: Sandbox, tmp_path: Path, name: str) -> None:
    """Each answer is held to another search of the board, made anew here, or to another run of the files."""
    style, _, seed = name.partition(":")
    folder = write_style(tmp_path, style)
    order = ORDERS.get(style, STYLES[style].order)
    questions = [
        question
        for task in tasks("peg2", "peg3")
        for question in paper_of(folder, [task], sandbox, int(seed), ALL)[0].questions
    ]
    run = check_by_running(folder, questions)
    for question in questions:
        right = expected(question, order)
        assert (right is None) == (question.kind in run), question.kind
        if right is not None:
            assert [answer.shown == right for answer in question.answers].index(True) == question.right, (
                question
            )
    assert len({question.kind for question in questions}) >= LEAST_KINDS


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
    text = (folder / "peg3.py").read_text("utf-8")
    loop = "for direction in range(4):"
    assert text.count(loop) == 1
    (folder / "peg3.py").write_text(
        "import random\n" + text.replace(loop, "for direction in random.sample(range(4), 4):"), "utf-8"
    )
    paper, _ = paper_of(folder, tasks("peg3"), sandbox, 1, ALL)
    check(paper)
    assert {"move_new", "same key"} <= {question.kind for question in paper.questions}


@pytest.mark.slow
def test_a_program_may_record_boards_that_it_does_not_come_to(sandbox: Sandbox, tmp_path: Path) -> None:
    folder = write_style(tmp_path, "plain")
    text = (folder / "peg3.py").read_text("utf-8")
    last = "    return go(board, stack, unsolvable, count_pegs(board))\n"
    assert text.count(last) == 1
    records = """    left = go(board, stack, unsolvable, count_pegs(board))
    for step in [(r, c, *way) for r in range(8) for c in range(8) for way in ((0, 1), (1, 0), (0, -1), (-1, 0))]:
        if ok(board, *step):
            do(board, *step)
            ht_insert(unsolvable, board_key(board))
            undo(board, *step)
    return left
"""
    (folder / "peg3.py").write_text(text.replace(last, records), "utf-8")
    for seed in range(8):
        check(paper_of(folder, tasks("peg3"), sandbox, seed, ALL)[0])


def test_too_few_wrong_answers_make_no_question() -> None:
    asked, right = Asked("kind", "peg3.py", "What?"), Answer("1", "so")
    wrong = [Answer(shown, "no") for shown in ("2", "3", "1", "2")]
    assert not list(with_answers(asked, right, wrong, Random(1)))
    (question,) = with_answers(asked, right, [*wrong, Answer("4", "no"), Answer("5", "no")], Random(1))
    assert {answer.shown for answer in question.answers} == {"1", "2", "3", "4"}
    assert question.answers[question.right] == right


KNOWN_THERE = positions(find_board("dead-ends").board)
EVENT = st.tuples(
    st.integers(SET, LEFT),
    st.integers(0, 2),
    st.one_of(st.sampled_from(list(KNOWN_THERE.after)), st.integers(-1, 600)),
    st.integers(-1, 60),
)


@given(st.lists(EVENT, max_size=80))
def test_no_events_make_the_grader_fail(events: list[tuple[int, int, int, int]]) -> None:
    trace = Trace(
        3,
        ["peg3.py solve"] * 3,
        [1] * 3,
        list(starmap(Event, events)),
        KNOWN_THERE.board(KNOWN_THERE.start),
        None,
    )
    try:
        run = run_of(KNOWN_THERE, trace)
    except FrameError:  # a cell that is none
        return
    if run is not None:
        roles = lines.roles_in(Search(None, registry().find("peg3"), KNOWN_THERE, run))  # type: ignore[arg-type]
        assert all(line > 0 for those in roles.values() for line in those)
        assert run.line(run.first_end) is not None


# ---- the command ---------------------------------------------------------------------------------


def viva(folder: Path, *arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [*GRADE, "viva", *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stdout + done.stderr
    return done.returncode, done.stdout, done.stderr


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


def test_interactively(folder: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*GRADE, "viva", "peg2"], cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True
    ) as process:
        os.close(theirs)
        text = b""

        def until(wanted: bytes) -> None:
            nonlocal text
            while wanted not in text:
                text += os.read(ours, 1 << 16)

        until(b"q: quit >")
        assert b"1 of 6  " in text and b"right: " not in text
        os.write(ours, b"e\n")
        text = text.replace(b"q: quit >", b"")
        until(b"q: quit >")
        os.write(ours, b"a\n")
        until(b"2 of 6  ")
        assert b"right: " in text
        os.write(ours, b"q\n")
        until(b"of 1 right; other questions: grade viva")
    os.close(ours)
    assert process.returncode == 0


NOT_WRITTEN = (
    'def peg_solve(board, stack, unsolvable):\n    raise NotImplementedError("peg3: x is not written yet")\n'
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "said"),
    [
        (NOT_WRITTEN, "peg3: nothing can be asked: `x` is not written yet"),
        ("def peg_solve(:\n", "peg3: nothing can be asked: "),
        (
            "def peg_solve(board, stack, unsolvable):\n    return 1 // 0\n",
            "peg3: nothing can be asked: ZeroDivision",
        ),
        (
            "def peg_solve(board, stack, unsolvable):\n    while 1: pass\n",
            "peg3: nothing can be asked: still computing",
        ),
        ("import os\nos._exit(3)\n", "peg3: nothing can be asked: "),
    ],
)
def test_a_program_that_does_not_run(folder: Path, source: str, said: str) -> None:
    (folder / "student" / "peg3.py").write_text(source, "utf-8")
    status, text, error = viva(folder, "peg3")
    assert (status, text) == (1, "")
    assert error.startswith(said)
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


class Reader(html.parser.HTMLParser):
    """Notes the tags, and the text of the code."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ends: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self.ends.append(tag)


def test_html_escapes_what_a_student_wrote(odd_paper: Paper) -> None:
    page = pages.as_html(odd_paper)
    reader = Reader()
    reader.feed(page)
    assert "script" not in reader.tags and "b" in reader.tags
    assert "&lt;script&gt;" in page and "\x1b" not in page and "&lt;b&gt;" in page
    for tag in ("section", "li", "ul", "ol", "svg", "figure", "p", "code"):
        assert reader.tags.count(tag) == reader.ends.count(tag), tag
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


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_in_a_browser(odd_paper: Paper, tmp_path: Path, browser: Any, scheme: str) -> None:
    (tmp_path / "viva.html").write_text(pages.as_html(odd_paper), "utf-8")
    visits = Visits(browser, "file://")
    try:
        page = visits.window(color_scheme=scheme)
        page.goto((tmp_path / "viva.html").as_uri())
        assert accessibility_faults(page, axe_source()) == []
        page.set_viewport_size({"width": 360, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert page.locator("svg").first.bounding_box()["width"] > 40
        assert visits.complaints == []
    finally:
        visits.close()


@pytest.mark.slow
def test_six_questions_are_printed_on_a_page_and_their_key_on_another(
    sandbox: Sandbox, folder: Path, browser: Any
) -> None:
    paper, _ = paper_of(folder / "student", tasks("peg3"), sandbox, 1, 6)
    (folder / "viva.html").write_text(pages.as_html(paper), "utf-8")
    visits = Visits(browser, "file://")
    try:
        page = visits.window()
        page.goto((folder / "viva.html").as_uri())
        printed = page.pdf(prefer_css_page_size=True)
    finally:
        visits.close()
    assert len(re.findall(rb"/Type\s*/Page[^s]", printed)) == 2


# ---- a class -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_page_for_each_student_of_a_class_whose_program_runs(tmp_path: Path, private_cache: None) -> None:
    for name in ("ann", "ben", "crash", "stub"):
        (tmp_path / "class" / name).mkdir(parents=True)
        write_style(tmp_path / "class" / name, "ifs" if name != "ben" else "tables")
    (tmp_path / "class" / "crash" / "peg2.py").write_text("1 // 0\n", "utf-8")
    shutil.copytree(ROOT / "student", tmp_path / "class" / "stub", dirs_exist_ok=True)
    (tmp_path / "out" / "viva").mkdir(parents=True)
    (tmp_path / "out" / "viva" / "stub.html").write_text("of an earlier run", "utf-8")
    done = subprocess.run(
        [*GRADE, "class", "class", "peg2", "-o", "out", "--viva"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
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


def test_a_class_without_a_search_is_refused_before_anything_is_graded(tmp_path: Path) -> None:
    (tmp_path / "class" / "ann").mkdir(parents=True)
    done = subprocess.run(
        [*GRADE, "class", "class", "client", "--viva"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("--viva: none of these tasks has a search to ask about\nhelp: ")
