"""The course in a browser: what Chromium says of a program is what `grade -d` says of it here."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from grader import paths
from grader.catalog.tasks import Task, registry
from grader.judging.grading import Choice, Grading
from grader.sandbox.parent.sandbox import Sandbox
from grader.submissions.submission import read_raw, submission_from
from support.side_by_side import copy_reference
from support.site import grade, served, start_grading, write_site
from support.site_differences import DIFFERENT, normal
from support.zoo_rows import NAMES, make_folder, read_row
from test_mutants import MUTANTS

TASKS = list(registry().tasks)
STUDENT = "student"
# What a page cannot hold: it has texts, and no links or devices.
ODD = ("stub", "windows", "missing")
ZOO = [name for name in NAMES if not read_row(name)["attack"] and read_row(name)["canary"] is None]


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
            Said(row["board"], row["verdict"], row["points"], normal(row["message"]), normal(row["help"]))
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
            Said(each.board, str(each.verdict), each.points, normal(each.message), normal(each.help))
            for each in grading.results([task])
        ]

    def differences(
        self, folder: Path, task: str, boards: list[str] | None = None
    ) -> list[tuple[Said, Said]]:
        """Return the checks of which other things are said, each as said there and here."""
        known = registry().find(task)
        there, here = (run(folder, known, boards) for run in (self.in_browser, self.here))
        assert [said.board for said in there] == [said.board for said in here]
        return [(one, other) for one, other in zip(there, here, strict=True) if one != other]


def texts(folder: Path, task: Task) -> Mapping[str, str]:
    """Return the files of a task as a page has them."""
    files = [folder / name for name in task.files]
    return {file.name: file.read_bytes().decode() for file in files if file.is_file()}


def small(task: str, boards: list[str]) -> list[str] | None:
    """Return those of some checks that -d runs by itself; None, for all that it runs, if there are none."""
    plain = [check for check in registry().find(task).checks if check.name in boards]
    return [check.name for check in plain if task == "client" or _is_small(check.board)] or None


def _is_small(board: str) -> bool:
    from grader.catalog.boards import course_boards

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
    with Sandbox(1, True, Event(), 2048) as sandbox:
        sandbox.warm()
        yield Both(page, sandbox)


@pytest.mark.parametrize("task", TASKS)
def test_the_reference(task: str, both: Both, tmp_path: Path) -> None:
    if task in DIFFERENT:
        pytest.skip(DIFFERENT[task])
    assert both.differences(copy_reference(tmp_path / STUDENT), task) == []


@pytest.mark.parametrize("task", TASKS)
def test_the_stubs(task: str, both: Both) -> None:
    assert both.differences(paths.PACKAGE.parent / STUDENT, task) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant(name: str, both: Both, tmp_path: Path) -> None:
    mutant = MUTANTS[name]
    if DIFFERENT.keys() & {name, mutant.task}:
        pytest.skip(DIFFERENT.get(name, DIFFERENT.get(mutant.task, "")))
    folder = copy_reference(tmp_path / STUDENT)
    file = folder / mutant.file
    file.write_text(mutant.mutated(file.read_text("utf-8")), "utf-8")
    assert both.differences(folder, mutant.task, small(mutant.task, list(mutant.caught_on))) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ZOO)
def test_a_program_of_the_zoo(name: str, both: Both, tmp_path: Path) -> None:
    row = read_row(name)
    if name in DIFFERENT or any(how not in ODD for how in row["odd"].values()):
        pytest.skip(DIFFERENT.get(name, "a page holds texts, not such files"))
    folder = make_folder(name, tmp_path)
    assert both.differences(folder, row["task"], small(row["task"], list(row["expect"]))) == []
