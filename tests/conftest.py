"""What all tests share: a cache folder of their own, options, and the count of mutants at the end."""

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

from support.browsing import Visits, chromium

if TYPE_CHECKING:
    from grader.course.store import ClassStore


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-expected",
        action="store_true",
        help="write the stored expected texts anew instead of comparing with them",
    )
    parser.addoption("--tiers", help="grade all rows of the zoo once more in these tiers, as in 0,1,2,3")
    parser.addoption("--zoo-runs", type=int, default=1, help="and that so many times")
    parser.addoption("--fuzz", type=int, default=3000, help="how many frames and files test_fuzz.py makes")
    parser.addoption("--fuzz-archives", type=int, default=300, help="how many hand-ins test_intake.py makes")
    parser.addoption("--fuzz-seed", default="1", help="from what they are made")
    parser.addoption("--covert-tries", type=int, default=20, help="how often test_covert.py sends 64 bits")
    parser.addoption(
        "--covert-cold", action="store_true", help="with library files that nobody has read for long"
    )
    parser.addoption("--oracle-boards", type=int, default=60, help="how many boards test_oracle.py compares")
    parser.addoption("--made-boards", type=int, default=5, help="of each kind test_generate.py looks at")
    parser.addoption("--fewest-boards", type=int, default=40, help="how many test_fewest.py compares")
    parser.addoption("--class-kills", type=int, default=3, help="how often test_class.py kills a run")
    parser.addoption(
        "--points-runs", type=int, default=1, help="images and orders test_points.py tries, to 24"
    )
    parser.addoption(
        "--platforms-full", action="store_true", help="set up and grade all tasks in test_exports.py"
    )
    parser.addoption("--variants", type=int, default=1, help="how many seeds test_variant.py tries")
    parser.addoption("--oracle-seed", default="1", help="from what they are made")
    parser.addoption("--whole", action="store_true", help="leave out nothing that takes minutes of CPU time")


LONGEST = (  # in this order, each over a minute: one worker runs a whole file, so that none may come last
    "test_zoo", "test_cli", "test_mutants", "test_poorer_systems", "test_site", "test_site_page", "test_shortcuts",
    "test_viva", "test_exports", "test_film", "test_oracle", "test_play", "test_page", "test_points", "test_class",
    "test_like", "test_private_boards", "test_facts", "test_vacancies", "test_course_check", "test_oracle_facts",
    "test_wheels", "test_fewest", "test_sandbox", "test_false_facts", "test_generate", "test_class_reports",
    "test_analyze",
)  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    """Have Ctrl-C end what tests start, also where the tests themselves run in the background.

    And have no property fail because the machine is busy, nor by chance; only --whole draws new examples.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    hypothesis.settings.register_profile(
        "patient",
        deadline=None,
        suppress_health_check=[
            hypothesis.HealthCheck.too_slow,
            hypothesis.HealthCheck.function_scoped_fixture,
        ],
        derandomize=not config.getoption("--whole"),
    )
    hypothesis.settings.load_profile("patient")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests marked `whole`, unless they are asked for; put the longest files first."""
    order = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.path.stem, len(order)))
    if not config.getoption("--whole"):
        left_out = [item for item in items if item.get_closest_marker("whole")]
        items[:] = [item for item in items if not item.get_closest_marker("whole")]
        config.hook.pytest_deselected(items=left_out)


@pytest.fixture
def store(tmp_path: Path) -> "Iterator[ClassStore]":
    """Give the empty store of a class."""
    from grader.course.store import ClassStore

    with ClassStore(tmp_path / "run", create=True) as made:
        yield made


@pytest.fixture(scope="session", autouse=True)
def private_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep compiled code and last results out of the user's own cache; the engine's is common to all workers."""
    cache, base = tmp_path_factory.mktemp("cache"), tmp_path_factory.getbasetemp()
    numba = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "numba"
    numba.mkdir(exist_ok=True)
    (cache / "peg-grade").mkdir()
    (cache / "peg-grade" / "numba").symlink_to(numba)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(cache))
        yield


@pytest.fixture(scope="session", autouse=True)
def patience() -> Iterator[None]:
    """Have nothing be left out because a busy machine takes long: what shortens a user's wait decides no test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("grader.judging.check_run.ASK_WALL_S", 3600.0)
        patch.setattr("grader.judging.with_contracts.WALL_S", 3600.0)
        patch.setattr("grader.viva.paper.MOST_WALL_S", 3600.0)
        yield


@pytest.fixture(scope="module")
def one_sandbox(private_cache: None) -> Iterator[None]:
    """Have `results_of` take the same sandboxes again: to start one costs more than a second of CPU time."""
    from support import grading

    start = grading.place
    with ExitStack() as opened, pytest.MonkeyPatch.context() as patch:

        @cache
        def place(tier: int, debug: bool) -> Any:
            made = opened.enter_context(start(tier, debug, many=not debug))
            made.warm()  # by this thread, which stays: the zygote ends with it
            return nullcontext(made)

        patch.setattr(grading, "place", place)
        yield


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Start Chromium once a file."""
    with chromium() as found:
        yield found


@pytest.fixture
def visits(browser: Any) -> Iterator[Visits]:
    """Windows without a server; nothing may be complained of in them, and nothing asked for but the file."""
    windows = Visits(browser, "no server")
    yield windows
    windows.close()
    assert windows.complaints == []


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many mutants were graded, and how many of them lost points in the way that is expected."""
    count = {
        outcome: sum("::test_mutant[" in report.nodeid for report in terminalreporter.getreports(outcome))
        for outcome in ("passed", "failed", "error")
    }
    if any(count.values()):
        terminalreporter.write_line(f"{sum(count.values())} mutants, {count['passed']} caught")
