"""A zoo of submissions grades the grader: each in tests/zoo/NAME, with the verdicts it must get.

zoo.yaml there says
    task     the task that is graded
    why      what the student did, in one sentence
    expect   for each board that is run its verdict and, unless there is nothing to say, the identity of its
             message; `refused` for all when no file was run at all. Where tiers differ:
             {0: timeout, 2: crashed killed}, each from that tier on
    says     texts that must be in what is said, where it is the words that are tested
    debug    true to run with -d
    change   small changes to the reference's files, each a file, a text to replace and what takes its place, as
             in the mutants
    odd      for some files how they are made odd on disk: see `_make_odd`
    beside   files to put beside, by name
    attack   what it stands for, by the numbers of `ATTACKS`
    canary   the tier from which none of its attempts may get through; its files then begin with
             tests/zoo/attempts.py, and the words there stand for things it must not get at: see support/canaries.py
    slow     true for one that is left to the slow tests
    waits    true for one that runs into its limit of wall time and computes nothing
A row with a `timeout` has half of each limit of time. The other files of the folder take the place of the
reference's. What is said stands once a message, see support/said.py; a row with an expected.txt, the whole
report, is quoted on a page. `pytest --update-expected -n0` writes both anew.

Attacks run in another tier too, by the slow tests, those with a canary in all; but not those that run into a
limit of time. All rows in any tiers, again and again:
    pytest tests/test_zoo.py --tiers 0,1,2,3 --zoo-runs 100
"""

import json
import os
import re
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader import paths
from grader.catalog.tasks import registry
from grader.cli import cli
from grader.errors import InputError
from grader.judging import kinds
from grader.judging.grading import Choice
from grader.messages.catalogue import entries
from grader.reports.content import Cause
from grader.reports.report import Report, render
from grader.reports.table import explained
from grader.result import Result, Verdict
from grader.sandbox.confine import kernel, limits, offers, tiers
from grader.submissions import submission
from grader.submissions.cutting import solution_lines
from support.canaries import Canaries
from support.grading import results_of
from support.judging import Graded, Job, Judging
from support.said import TEXTS, Witness, alone, in_short, read_texts, update_texts
from support.zoo_rows import NAMES, STUBS, USUAL_TIER, ZOO, make_folder, read_row

WIDTH = 80
# Lines with a command to copy, or a title with a file's name, may be longer: they are not wrapped.
COMMANDS = re.compile(r"^  see it: |^  see the board: |^  again: |next: ")
COMMAND_WIDTH = 110
JUDGE_MIB = 500  # it needs 80; what the rows would have it hold is a GiB and more

# What student code will try, and the tests elsewhere that hold it; what has none there has a row here.
ATTACKS = {
    1: "patches verify, assert, builtins in its own process",
    2: "returns an object that lies about what it is",
    3: "walks frames, gc, sys.modules for the truth or the reference",
    4: "puts code to run into what it returns",
    5: "prints a fake result",
    6: "writes a perfect result to the private pipe",
    7: "writes the report and leaves",
    8: "rewrites the report later",
    9: "ends by sys.exit, KeyboardInterrupt, GeneratorExit",
    10: "ends by os._exit, abort, a crash",
    11: "hangs when it ends",
    12: "starts processes without end",
    13: "leaves a daemon behind",
    14: "computes in threads",
    15: "prints without end",
    16: "loops without end",
    17: "resets alarms, ignores signals of limits",
    18: "sleeps, stops itself",
    19: "takes all memory",
    20: "huge integers, deep lists, keys that collide",
    21: "fills the disk, writes or deletes files",
    22: "reads private boards, the reference, others' files",
    23: "reads them from a release",
    24: "opens a network connection",
    25: "reads the judge's memory, environment, files",
    26: "inherits open files",
    27: "signals the judge or its siblings",
    28: "puts modules of its own beside its solution",
    29: "edits the framework, boards, tasks or tests of its copy",
    30: "edits the CI workflow",
    31: "prints what steers a terminal, a workflow, a page, a table",
    32: "has the answers of the known boards in it",
    33: "always answers that it cannot be solved",
    34: "looks whether it is being graded",
    35: "keeps state from one board to the next",
    36: "patches the clock",
    37: "hides its table",
    38: "runs another program",
    39: "changes the board it was given",
    40: "answers with something that is no number of pegs",
    41: "leaves compiled code for others to load",
    42: "hands in something that is no ordinary file",
    43: "ends the grader in a class of a thousand",
    44: "pretends to be somebody else",
    45: "fails in a way that might count as a pass",
    46: "has a check run as the run that keeps compiled code, and leaves a word there",
    47: "solves a board in the time that is for compiling",
    48: "keeps descriptors open, and leaves a word in where they have read to",
    49: "evicts pages of library files, and reads which are there",
    50: "starts a helper beside the check, as a child of the judge",
    51: "leaves helpers behind that outlive the run",
    52: "forks into namespaces of its own",
    53: "fills the folder for compiled code, or leaves folders that nobody may read",
    54: "names a file of its failure so that it steers a terminal or a workflow",
    55: "numbers moves and boards as they come",
    56: "hands in an archive that unpacks without end",
    57: "hands in a folder whose name is ignored",
    58: "carries bits of a hidden board in its time or its memory",
    59: "looks for processes and files by their names",
    60: "says after a hidden check what it saw there",
    61: "sets its table's size to 0",
    62: "is ended twice",
    63: "finds a solution's line in a handout",
    64: "runs where Landlock is missing",
    65: "tells another submission that runs beside it of a hidden board",
    66: "hands in a text that takes minutes to read",
    67: "nests a frame so deep that looking at it overflows",
    68: "overflows the style checker, so that nobody's style is checked",
    69: "writes values in YAML that no number, text or list is",
    70: "has a name that is shell code",
    75: "sleeps in every check",
}
ELSEWHERE = {
    23: "test_zoo.py::test_nothing_of_the_solutions_is_in_a_release",
    29: "test_release.py::test_what_a_student_changed_of_the_course_is_told",
    30: "test_exports.py::test_the_workflows_ask_for_little_and_name_versions",
    43: "test_class_pool.py::test_a_job_that_kills_its_worker_harms_no_other",
    44: "test_intake.py::test_whose_it_is_by_the_roster",
    45: "test_judge.py::test_the_graders_own_fault_is_a_calm_result",
    51: "test_sandbox.py::test_what_a_check_leaves_running_ends_with_the_run",
    53: "test_sandbox.py::test_of_what_such_a_run_leaves_what_numba_might_write_is_kept",
    54: "test_judge.py::test_whatever_a_failure_names_is_safe_and_short",
    56: "test_intake.py::test_a_tar_is_not_read_past_its_end",
    57: "test_intake.py::test_every_entry_has_a_row_or_a_note",
    58: "test_covert.py::test_no_word_comes_from_a_hidden_check",
    59: "test_sandbox.py::test_namespaces_show_nothing_else",
    60: "test_covert.py::test_hidden_checks_come_after_all_others",
    62: "test_sandbox.py::test_a_second_signal_does_not_stop_a_worker_that_ends",
    63: "test_release.py::test_a_line_of_a_solution_is_found_anywhere_in_a_line",
    64: "test_tiers.py::test_a_class_is_refused_and_then_graded_again",
    65: "test_class_pool.py::test_every_visible_check_of_a_class_comes_before_any_hidden_one",
    66: "test_hostile_texts.py::test_a_hostile_text_is_read_in_linear_time",
    67: "test_frames.py::test_a_value_that_the_reader_takes_can_be_looked_at",
    68: "test_style.py::test_a_file_that_overflows_ruff_takes_no_other_with_it",
    69: "test_odd_yaml.py::test_what_is_refused",
    70: "test_exports.py::test_a_name_handed_in_is_never_run",
    75: "test_sandbox.py::test_checks_that_wait_are_soon_not_run",
}


def grade(name: str, place: Path, tier: int = USUAL_TIER) -> Graded:
    """Grade one row in this process, and return its results or why it was refused."""
    row = read_row(name, tier)
    choice = Choice(make_folder(name, place), tuple(row["expect"]), debug=row["debug"], tier=tier)
    try:
        return results_of(choice, row["task"])
    except InputError as error:
        return error


class Zoo:
    """All that is graded here, by a judge in a process of its own."""

    def __init__(self, jobs: list[Job], place: Path, temporary: Path) -> None:
        self.temporary = temporary
        self.earlier = set(limits.children(os.getpid()))  # of other tests: ended, but not waited for
        self.said: dict[Witness, tuple[str, str]] = {}  # the identity and the text of each message
        self._place = place
        kinds = sorted({job.tier for job in jobs})
        self.canaries = {tier: Canaries() for tier in kinds}
        self.judging = Judging(place, temporary, list(self.canaries.values()))
        made: set[tuple[str, int]] = set()
        for job in jobs:
            if (job.row, job.tier) not in made:
                made.add((job.row, job.tier))
                words = {**self.canaries[job.tier].words, "CANARY_JUDGE": str(self.judging.pid)}
                make_folder(job.row, place / str(job.tier), words)
            self.judging.submit(job)

    def of(self, job: Job) -> Graded:
        """Return what came of a job, with its folder called `student`."""
        graded = self.judging.of(job)
        shown = f"{job.tier}/{job.row}/student"
        if isinstance(graded, InputError):
            return InputError(graded.message.replace(shown, "student"), graded.help)
        return [
            replace(
                result,
                message=result.message.replace(shown, "student"),
                help=result.help.replace(shown, "student"),
                place=result.place.replace(shown, "student"),
            )
            for result in graded
        ]

    def close(self) -> None:
        self.judging.close()
        for canaries in self.canaries.values():
            canaries.close()


def usual_tier() -> int:
    return min(USUAL_TIER, tiers.best())


def other_tiers(config: pytest.Config) -> list[tuple[str, int]]:
    """Return which rows are to be run in which tiers, beside all in the usual one."""
    wanted: str | None = config.getoption("--tiers")
    if wanted is not None:
        return [(name, int(tier)) for tier in wanted.split(",") for name in NAMES]
    rows = [name for name in NAMES if is_attack(name)]
    others = [tier for tier in range(len(tiers.TIERS)) if tier != usual_tier() and not tiers.missing(tier)]
    if config.getoption("--whole"):
        return [(name, tier) for tier in others for name in rows]
    others = [tier for tier in others if tier]  # little is promised in tier 0, and endless runs are long
    return [
        (name, tier)
        for number, name in enumerate(rows)
        for tier in (others if read_row(name)["canary"] is not None else others[number % 2 :][:1])
        if "timeout" not in read_row(name, tier)["expect"].values()
    ]


def is_attack(name: str) -> bool:
    row = read_row(name)
    return bool(row["attack"]) or row["canary"] is not None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "tier" in metafunc.fixturenames:
        chosen = other_tiers(metafunc.config)
        slow = () if metafunc.config.getoption("--tiers") else pytest.mark.slow
        rows = [pytest.param(name, tier, marks=slow, id=f"{name}-{tier}") for name, tier in chosen]
        metafunc.parametrize(("name", "tier"), rows)


@pytest.fixture(scope="session")
def zoo(
    request: pytest.FixtureRequest, private_cache: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Zoo]:
    again = range(request.config.getoption("--zoo-runs"))
    jobs, more = [], []
    for item in request.session.items:
        if not isinstance(item, pytest.Function) or item.path != Path(__file__):
            continue
        if item.originalname == "test_row":
            jobs.append(Job(item.callspec.params["name"], usual_tier(), 0))
        elif item.originalname == "test_verdicts":
            more.append((item.callspec.params["name"], item.callspec.params["tier"]))
    jobs += [Job(name, tier, 1 + run) for run in again for name, tier in more]
    if sys.platform.startswith("linux"):  # what outlives the judge becomes a child of ours
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    running = Zoo(jobs, tmp_path_factory.mktemp("zoo"), tmp_path_factory.mktemp("tmp"))
    yield running
    running.close()
    if request.config.getoption("--update-expected"):
        update_texts(running.said)


def slow_where_told(name: str) -> Any:
    return pytest.param(name, marks=pytest.mark.slow if read_row(name)["slow"] else ())


@pytest.mark.parametrize("name", [slow_where_told(name) for name in NAMES])
def test_row(name: str, zoo: Zoo, request: pytest.FixtureRequest) -> None:
    tier = usual_tier()
    row = read_row(name, tier)
    graded = zoo.of(Job(name, tier, 0))
    if isinstance(graded, InputError):
        told = text = f"{graded.message}\nhelp: {graded.help}\n"
    else:
        told = " ".join(f"{result.message} {result.help}" for result in graded)
        text = table(row, [steady(result) for result in graded])
        check_json(row, graded)
        check_readable(table(row, graded, verbose=True), 200)
    assert verdicts(row, graded) == row["expect"], text
    if tier == USUAL_TIER and not isinstance(graded, InputError):
        assert {each.board: each.code for each in graded} == row["codes"], text
    check_points(graded)
    check_canaries(name, tier, graded, zoo)
    check_readable(text, WIDTH)
    for words in row["says"]:
        assert str(words) in told

    if tier != USUAL_TIER:
        return
    update = request.config.getoption("--update-expected")
    expected = ZOO / name / "expected.txt"
    if expected.exists():
        if update:
            expected.write_text(text, "utf-8")
        assert text == expected.read_text("utf-8")
    elif not isinstance(graded, InputError):
        for result in graded:
            if result.code:
                check_said(name, result, zoo, update)


# What they show is drawn, each time anew; the last stands in an expected.txt.
NOT_STORED = ("float-returned", "met-nothing", "wrong-end", "take-back-sets-cells-wrongly")


def check_said(row: str, result: Result, zoo: Zoo, update: bool) -> None:
    """Check that what a result's message says is the stored text, if the row is the message's witness."""
    if result.code in NOT_STORED:
        return
    result = steady(alone(result))
    report = Report([registry().find(result.task)], [result], "student")
    lines = explained(Cause(result, [], []), report)
    said = in_short("\n".join(line for line in lines if not line.startswith(("  see ", "  again: "))))
    id = entries()[result.code].topics[0]  # of those that share the words
    zoo.said[f"{row} {result.board}"] = id, said
    if not update:
        assert id in read_texts(), f"{id} has no text in {TEXTS}"
        witness, stored = read_texts()[id]
        assert witness != f"{row} {result.board}" or said == stored


def test_verdicts(name: str, tier: int, zoo: Zoo, request: pytest.FixtureRequest) -> None:
    """In another tier, or again and again, a row gets the same verdicts and no points that are not earned."""
    row = read_row(name, tier)
    found: Counter[str] = Counter()
    for run in range(request.config.getoption("--zoo-runs")):
        graded = zoo.of(Job(name, tier, 1 + run))
        print(graded)
        found[json.dumps(verdicts(row, graded), sort_keys=True)] += 1
        check_points(graded)
        check_canaries(name, tier, graded, zoo)
    assert found == {json.dumps(row["expect"], sort_keys=True): found.total()}, ", ".join(
        f"{count} x {each}" for each, count in found.most_common()
    )


def verdicts(row: dict[str, Any], graded: Graded) -> dict[str, str]:
    """Return the verdict of each board."""
    if isinstance(graded, InputError):
        return dict.fromkeys(row["expect"], "refused")
    return {result.board: str(result.verdict) for result in graded}


def check_points(graded: Graded) -> None:
    """Check that only an accepted answer earns points, and that every other one is explained."""
    for result in () if isinstance(graded, InputError) else graded:
        assert 0 <= result.points <= (result.max_points if result.verdict == Verdict.ACCEPTED else 0)
        assert result.verdict == Verdict.ACCEPTED or result.message
        assert result.code or not result.message


def check_canaries(name: str, tier: int, graded: Graded, zoo: Zoo) -> None:
    """Check that no attempt of a row got through where it is held, and that each was made."""
    canaries, held_from = zoo.canaries[tier], read_row(name)["canary"]
    results = [] if isinstance(graded, InputError) else graded
    if held_from is None or tier < held_from:
        if held_from is not None and any(result.verdict == Verdict.ACCEPTED for result in results):
            assert any("got through" in result.printed for result in results), "it attempts nothing"
        return
    told = "".join(map(repr, results))
    assert "got through" not in told, told
    assert canaries.secret not in told
    assert "# BEGIN SOLUTION" not in told
    for result in results:
        assert result.verdict != Verdict.ACCEPTED or re.search(r"^\d+ attempts made$", result.printed, re.M)
    if tier >= 2:  # below, others of its rows may get at them
        assert canaries.touched() == []


def table(row: dict[str, Any], results: list[Result], verbose: bool = False) -> str:
    """Return the report on the terminal."""
    report = Report([registry().find(row["task"])], results, "student", row["debug"], verbose)
    return render("table", report)


def steady(result: Result) -> Result:
    """Return a result with its measurements replaced, so that its report is the same on every machine."""
    cpu_s = 0.01
    if result.verdict == Verdict.TIMEOUT:
        checks = registry().find(result.task).checks
        cpu_s = next(check.cpu_s for check in checks if check.name == result.board)
    slept = r"after \d+ s of wall time \(\d+\.\d s CPU\)"
    message = re.sub(slept, "after 5 s of wall time (0.0 s CPU)", result.message)
    message = re.sub(r" at\s+0x[0-9a-f]+", " at 0x7f00", message)
    message = re.sub(r" \([\d.]+ x 0\.5, since .*?\)", "", message)  # zoo_judge's factor, which saves time
    return replace(result, cpu_s=cpu_s, wall_s=0.0, peak_mib=0.0, message=message)


@pytest.mark.parametrize("verdict", Verdict)
def test_nothing_measured_is_in_a_stored_report(verdict: Verdict) -> None:
    """Neither a time that rounds to 0.000 s, nor what a busy machine adds to it."""
    quick = Result("peg1", "stuck", verdict, 1, message="stopped after 5 s of wall time (0.0 s CPU)")
    busy = replace(
        quick, cpu_s=0.9, wall_s=7.2, peak_mib=99.0, message="stopped after 7 s of wall time (0.9 s CPU)"
    )
    assert steady(quick) == steady(busy)


def check_json(row: dict[str, Any], results: list[Result]) -> None:
    """Check that the report for programs is JSON with the same verdicts."""
    task = registry().find(row["task"])
    loaded = json.loads(render("json", Report([task], results, "student")), parse_constant=pytest.fail)
    assert {each["board"]: each["verdict"] for each in loaded["results"]} == row["expect"]
    assert loaded["score"] == sum(each["points"] for each in loaded["results"])
    assert all(each["points"] <= each["max_points"] for each in loaded["results"])
    assert all(each["cpu_s"] >= 0 for each in loaded["results"])
    if kinds.of(task).runs_programs:
        assert all(each["peak_mib"] > 5 for each in loaded["results"] if each["verdict"] == "accepted")


def check_readable(text: str, width: int) -> None:
    """Check that a text neither steers the terminal, nor shows a traceback, nor is too wide."""
    strange = [character for character in text if character != "\n" and not character.isprintable()]
    assert not strange
    assert "Traceback" not in text
    assert "/site-packages/" not in text
    assert str(paths.PACKAGE.parent) not in text
    assert "/submissions/" not in text
    for line in text.splitlines():
        assert not line.lstrip().startswith(("::", "##[")), "a command to GitHub's workflows"
        quotes_source = re.search(r"student/\w+\.py:\d+: ", line) or line.startswith("  | ")
        assert len(line) <= max(width, COMMAND_WIDTH if COMMANDS.search(line) else 0) or quotes_source, line


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["good-iterative", "endless-loop-compiled", "exits-at-once", "prints-too-much"]
)
def test_a_process_for_each_check(
    name: str, private_cache: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where processes cannot be forked, each check starts a process of its own, and the verdicts are the same."""
    monkeypatch.setattr(offers, "forks", lambda: False)
    graded = grade(name, tmp_path, tier=1)
    assert not isinstance(graded, InputError)
    assert {result.board: str(result.verdict) for result in graded} == read_row(name)["expect"]


def test_nothing_is_left_behind(zoo: Zoo) -> None:
    """No process, no temporary file, and in the cache nothing but sources and their compiled code."""
    left = zoo.judging.finish()["left"]
    assert left == []
    assert list(zoo.temporary.iterdir()) == []
    assert processes_with(str(zoo.temporary)) == []
    ours = {process for canaries in zoo.canaries.values() for process in canaries.processes}
    assert set(limits.children(os.getpid())) - ours - zoo.earlier == set()
    folders = list((paths.cache_root() / "submissions").iterdir())
    # Below tier 2 nothing keeps a check from writing: what poisons-its-compiled-code leaves.
    unconfined = {"signatures.pickle", "x.so", "x.py"} if min(zoo.canaries) < 2 else set()
    names = {name for task in registry().tasks.values() for name in task.files}
    for folder in folders:
        assert {path.name for path in folder.iterdir()} <= {
            "code",
            "compiled",
            "compiled-once",
            "compiled-for-others",
        }
        assert {path.name for path in (folder / "code").iterdir()} <= names
        for path in (folder / "compiled").rglob("*"):
            assert path.is_dir() or path.suffix in (".nbi", ".nbc") or path.name in unconfined, path


def test_the_judge_stays_small(zoo: Zoo) -> None:
    assert zoo.judging.finish()["peak_mib"] < JUDGE_MIB


DAEMON = """
import os
import time

def peg_solve(board, stack):
    has_left, left = os.pipe()
    if os.fork() == 0:
        os.setsid()
        os.write(left, b"!")
        time.sleep(3600)
        os._exit(0)
    os.read(has_left, 1)  # until it has left the group
    return 3
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_a_process_in_a_session_of_its_own_is_killed(private_cache: None, tmp_path: Path) -> None:
    task = registry().find("peg1")
    shutil.copy(paths.REFERENCE / "client.py", tmp_path)
    (tmp_path / "peg1.py").write_text(DAEMON, "utf-8")
    results = results_of(Choice(tmp_path, ("stuck",), debug=True, tier=1), task.name)
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


def test_every_folder_is_a_row() -> None:
    folders = {path.name for path in ZOO.iterdir() if path.is_dir() and path.name[0] not in "._"}
    assert folders == set(NAMES)
    assert len(NAMES) >= 30
    assert all(read_row(name)["why"] for name in NAMES)


@pytest.mark.slow
def test_nothing_of_the_solutions_is_in_a_release(tmp_path: Path) -> None:
    """No line that only a solution has, anywhere in a line of whatever file; and no file that nobody named."""
    cli.main(["release", str(tmp_path / "release")], standalone_mode=False)
    public = "\n".join(path.read_text("utf-8") for path in STUBS.glob("*.py"))
    secret = {
        line.strip()
        for task in registry().tasks.values()
        for line in solution_lines((paths.REFERENCE / task.file).read_text("utf-8"))
        if len(line.strip()) >= 24
        and line.strip() not in public
        and not line.startswith(("import ", "from "))
    }
    assert len(secret) > 100
    for path in (tmp_path / "release").rglob("*"):
        assert not path.is_symlink()
        if not path.is_dir():
            assert path.suffix in (
                *(".py", ".txt", ".md", ".yaml", ".toml", ".in", ""),
                *(".js", ".css", ".html", ".svg", ".json"),
            )
            assert path.name[0] != "." or path.name in (".gitignore", ".editorconfig")
            text = path.read_text("utf-8")
            assert [line for line in secret if line in text] == []


def test_every_attack_has_a_row() -> None:
    in_rows = {number for name in NAMES for number in read_row(name)["attack"]}
    assert in_rows <= ATTACKS.keys()
    assert in_rows | ELSEWHERE.keys() == ATTACKS.keys()
    for place in ELSEWHERE.values():
        file, _, name = place.partition("::")
        assert f"def {name}(" in (ZOO.parent / file).read_text("utf-8")
