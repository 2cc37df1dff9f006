"""A zoo of submissions grades the grader: each in tests/zoo/NAME, with the verdicts it must get.

zoo.yaml there says
    task     the task that is graded
    why      what the student did, in one sentence
    expect   for each board that is run its verdict; `refused` for all when no file was run at all
    says     texts that must be in the message or the help of a board without full marks
    debug    true to run with -d
    odd      for some files how they are made odd on disk: see `_make_odd`
The other files of the folder take the place of the reference's. expected.txt is the report as the student
reads it; `pytest --update-expected` writes it anew.
"""

import gc
import json
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import yaml
from side_by_side import Runs, a_place_to_grade, copy_reference

from grader import paths, submission
from grader.errors import InputError
from grader.reports import Report, render
from grader.result import Result, Verdict
from grader.run import Choice, Grading
from grader.sandbox import forks
from grader.tasks import registry

ZOO = Path(__file__).resolve().parent / "zoo"
STUBS = paths.PACKAGE.parent / "student"
NAMES = sorted(path.parent.name for path in ZOO.glob("*/zoo.yaml"))
WIDTH = 80
# Lines with a command to copy, or a title with a file's name, may be longer: they are not wrapped.
COMMANDS = re.compile(r"^  see it: |^  see the board: |^  again: |next: ")
COMMAND_WIDTH = 110

ODD: dict[str, Callable[[str], bytes]] = {
    "windows": lambda text: b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(),
    "large": lambda text: (text + "# solutions\n" * 30_000).encode(),
    "latin-1": lambda text: ("# für die Übung\n" + text).encode("latin-1"),
    "utf-16": lambda text: b"\xff\xfe" + text.encode("utf-16-le"),
    "zeros": lambda text: text.encode() + bytes(64),
}


@cache
def read_row(name: str) -> dict[str, Any]:
    """Return the row's zoo.yaml, with every field it may have."""
    row = yaml.safe_load((ZOO / name / "zoo.yaml").read_text("utf-8"))
    known = {"task", "why", "expect", "says", "debug", "odd"}
    assert row.keys() <= known, f"{name}: unknown fields {row.keys() - known}"
    return {"says": [], "debug": False, "odd": {}, **row}


def make_folder(name: str, place: Path) -> Path:
    """Make the row's student folder below `place` and return it."""
    folder = copy_reference(place / name / "student")
    for file in (ZOO / name).glob("*.py"):
        shutil.copy(file, folder)
    for file_name, how in read_row(name)["odd"].items():
        _make_odd(folder / file_name, how)
    return folder


def _make_odd(file: Path, how: str) -> None:
    text = file.read_text("utf-8")
    file.unlink()
    match how:
        case "missing":
            pass
        case "folder":
            file.mkdir()
        case "stub":
            shutil.copy(STUBS / file.name, file)
        case "link":
            elsewhere = file.parent.parent / "elsewhere.py"
            elsewhere.write_text(text, "utf-8")
            file.symlink_to(elsewhere)
        case _:
            file.write_bytes(ODD[how](text))


Graded = list[Result] | InputError


def grade(name: str, place: Path, tier: int = 2) -> Graded:
    """Grade one row and return its results, or why it was refused; the folder is called `student`."""
    row = read_row(name)
    choice = Choice(make_folder(name, place), tuple(row["expect"]), debug=row["debug"], tier=tier)
    grading = Grading(choice, registry(), lambda *_: None)
    shown = f"{name}/student"
    try:
        results = grading.results([registry().find(row["task"])])
    except InputError as error:
        return InputError(error.message.replace(shown, "student"), error.help)
    return [
        replace(
            result,
            message=result.message.replace(shown, "student"),
            help=result.help.replace(shown, "student"),
            place=result.place.replace(shown, "student"),
        )
        for result in results
    ]


@pytest.fixture(scope="session")
def runs(
    request: pytest.FixtureRequest, private_cache: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Runs]:
    place = tmp_path_factory.mktemp("zoo")
    selected = [
        item.callspec.params["name"]
        for item in request.session.items
        if isinstance(item, pytest.Function) and item.originalname == "test_row"
    ]
    with a_place_to_grade(place, tmp_path_factory.mktemp("tmp")):
        running = Runs(selected, lambda name: grade(name, place))
        yield running
        running.close()


@pytest.mark.parametrize("name", NAMES)
def test_row(name: str, runs: Runs, request: pytest.FixtureRequest) -> None:
    row = read_row(name)
    graded = runs.of(name)
    if isinstance(graded, InputError):
        verdicts = dict.fromkeys(row["expect"], "refused")
        told = text = f"{graded.message}\nhelp: {graded.help}\n"
    else:
        verdicts = {result.board: str(result.verdict) for result in graded}
        told = " ".join(f"{result.message} {result.help}" for result in graded)
        text = table(row, [steady(result) for result in graded])
        check_points(graded)
        check_json(row, graded)
        check_readable(table(row, graded, verbose=True), 200)
    assert verdicts == row["expect"], text
    check_readable(text, WIDTH)
    for words in row["says"]:
        assert str(words) in told

    expected = ZOO / name / "expected.txt"
    if request.config.getoption("--update-expected"):
        expected.write_text(text, "utf-8")
    assert text == expected.read_text("utf-8")


def check_points(results: list[Result]) -> None:
    """Check that only an accepted answer earns points, and that every other one is explained."""
    for result in results:
        assert 0 <= result.points <= (result.max_points if result.verdict == Verdict.ACCEPTED else 0)
        assert result.verdict == Verdict.ACCEPTED or result.message


def table(row: dict[str, Any], results: list[Result], verbose: bool = False) -> str:
    """Return the report on the terminal."""
    report = Report([registry().find(row["task"])], results, "student", row["debug"], verbose)
    return render("table", report)


def steady(result: Result) -> Result:
    """Return a result with its measurements replaced, so that its report is the same in every run."""
    if result.verdict == Verdict.TIMEOUT:
        checks = registry().find(result.task).checks
        cpu_s = next(check.cpu_s for check in checks if check.board == result.board)
    else:
        cpu_s = 0.01 if result.wall_s else 0.0
    message = re.sub(r"after \d+ s by", "after 7 s by", result.message)
    message = re.sub(r"computed \d+\.\d s", "computed 0.0 s", message)
    return replace(result, cpu_s=cpu_s, wall_s=0.0, peak_mib=0.0, message=message)


def check_json(row: dict[str, Any], results: list[Result]) -> None:
    """Check that the report for programs is JSON with the same verdicts."""
    task = registry().find(row["task"])
    loaded = json.loads(render("json", Report([task], results, "student")), parse_constant=pytest.fail)
    assert {each["board"]: each["verdict"] for each in loaded["results"]} == row["expect"]
    assert loaded["score"] == sum(each["points"] for each in loaded["results"])
    assert all(each["points"] <= each["max_points"] for each in loaded["results"])
    assert all(each["cpu_s"] >= 0 for each in loaded["results"])
    assert all(each["peak_mib"] > 5 for each in loaded["results"] if each["wall_s"] > 0.02)


def check_readable(text: str, width: int) -> None:
    """Check that a text neither steers the terminal, nor shows a traceback, nor is too wide."""
    strange = [character for character in text if character != "\n" and not character.isprintable()]
    assert not strange
    assert "Traceback" not in text
    assert "/site-packages/" not in text
    assert str(paths.PACKAGE.parent) not in text
    assert "/submissions/" not in text
    for line in text.splitlines():
        quotes_source = re.search(r"student/\w+\.py:\d+: ", line) or line.startswith("  | ")
        assert len(line) <= max(width, COMMAND_WIDTH if COMMANDS.search(line) else 0) or quotes_source, line


@pytest.mark.parametrize(
    "name", ["good-iterative", "endless-loop-compiled", "exits-at-once", "prints-too-much"]
)
def test_a_process_for_each_check(
    name: str, runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no template can be had, each check starts a process of its own, and the verdicts are the same."""
    monkeypatch.setattr(forks, "can_fork", lambda: False)
    graded = grade(name, tmp_path, tier=1)
    assert not isinstance(graded, InputError)
    assert {result.board: str(result.verdict) for result in graded} == read_row(name)["expect"]


def test_nothing_is_left_behind(runs: Runs) -> None:
    runs.wait()
    gc.collect()
    left = [path.name for path in Path(tempfile.gettempdir()).iterdir()]
    assert left == []
    assert processes_with(os.environ["XDG_CACHE_HOME"]) == []


DAEMON = """
import os
import time

def peg_solve(board, stack):
    if os.fork() == 0:
        os.setsid()
        time.sleep(20)
        os._exit(0)
    time.sleep(0.5)  # until it has left the group
    return 3
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_a_process_in_a_session_of_its_own_is_killed(private_cache: None, tmp_path: Path) -> None:
    task = registry().find("peg1")
    shutil.copy(paths.REFERENCE / "client.py", tmp_path)
    (tmp_path / "peg1.py").write_text(DAEMON, "utf-8")
    grading = Grading(Choice(tmp_path, ("stuck",), debug=True, tier=1), registry(), lambda *_: None)
    results = grading.results([task])
    left = processes_with(submission.read_submission(tmp_path, task.files).digest)
    for process in left:
        os.kill(process, signal.SIGKILL)
    assert [str(result.verdict) for result in results] == ["accepted"]
    assert left == []


def processes_with(text: str) -> list[int]:
    """Return the other processes that have `text` in their environment (on Linux)."""
    if not sys.platform.startswith("linux"):
        return []
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            environment = (entry / "environ").read_bytes()
        except OSError:
            continue
        if text.encode() in environment:
            found.append(int(entry.name))
    return found


def test_strays_are_looked_for_while_threads_come_and_go() -> None:
    with ThreadPoolExecutor(2) as pool:
        looking = pool.submit(lambda: [forks.end_strays("nothing has this", False) for _ in range(300)])
        while not looking.done():
            Thread(target=lambda: None).start()
        looking.result()


def test_every_folder_is_a_row() -> None:
    folders = {path.name for path in ZOO.iterdir() if path.is_dir() and path.name[0] not in "._"}
    assert folders == set(NAMES)
    assert len(NAMES) >= 30
    assert all(read_row(name)["why"] for name in NAMES)
