"""What is exported for a platform, run as the platform runs it, from its archive alone: see platform_places.

By default two tasks of some submissions are graded. `pytest tests/test_exports.py --platforms-full` grades every
kind of submission everywhere, and all tasks once as on Gradescope: set up by setup.sh, in its smallest container.
"""

import errno
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from framework.board import format_board
from grader import folders, paths
from grader.catalog.boards import Facts, find_board
from grader.catalog.images import image_of
from grader.catalog.tasks import registry
from grader.cli import cli
from grader.commands import new_folder
from grader.errors import InputError
from grader.exports.platform_run import _graded, lay_out
from grader.exports.platforms import requirements
from grader.judging.board_sets import RandomBoards
from grader.judging.grading import Choice
from grader.judging.private_boards import PrivateBoards
from grader.release.release import release_files
from grader.reports.report import Report
from grader.result import Verdict
from grader.sandbox.confine import limits, tiers
from grader.submissions import locate
from grader.submissions.locate import STUDENT
from grader.submissions.source_file import SubmissionFault
from support.archives import lay, tar_of
from support.grading import results_of
from support.platform_places import Autolab, GitHub, Gradescope, new_place, schema
from support.processes import below

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
TASKS = ("--task", "client", "--task", "peg1")
# Of client, peg1 and the private board.
POINTS = {"reference": (10, 15, 2), "stub": (0, 0, 0), "wrong": (10, 10, 2), "hostile": (10, 0, 0)}
SECRET = "finch"  # the private board's name
BOARD = (
    ". . . . . . . .\n. . . . . . . .\n. . * . . . . .\n. . * . . . . .\n. . o . . . . .\n"
    + ". . . . . . . .\n" * 3
)

needs_tier_2 = pytest.mark.skipif(tiers.best() < 2, reason="needs Landlock and libseccomp2, see grade doctor")


# ---- submissions ---------------------------------------------------------------------------------


def reference() -> dict[str, str]:
    return {name: (paths.REFERENCE / name).read_text("utf-8") for name in ("client.py", "peg1.py")}


def sleeping() -> dict[str, str]:
    return {**reference(), "peg1.py": (HERE / "zoo/sleeps/peg1.py").read_text("utf-8")}


def stub() -> dict[str, str]:
    folder = HERE.parent / "student"
    return {f"my-peg/student/{name}": (folder / name).read_text("utf-8") for name in ("client.py", "peg1.py")}


def wrong() -> dict[str, str]:
    return {**reference(), "peg1.py": (HERE / "zoo/forced-three-directions/peg1.py").read_text("utf-8")}


def hostile(write_to: list[Path], read_from: list[Path]) -> dict[str, str]:
    """Return a program that claims full marks everywhere, and tells what it could do."""
    peg1 = f"""
import json, os, signal

FAKE = json.dumps({{"score": 999, "scores": {{"client": 10, "peg1": 999}}, "tests": []}})

def attempt(what, act, *arguments):
    try:
        act(*arguments)
    except Exception:
        return
    print("GOT", "THROUGH:", what, flush=True)

def write(path):
    with open(path, "w") as file:
        file.write(FAKE)

def peg_solve(board, stack):
    for path in {[str(path) for path in write_to]}:
        attempt(path, write, path)
        attempt(path, os.unlink, path)
    for path in {[str(path) for path in read_from]}:
        attempt(path, open, path)
        attempt(path, os.listdir, path)
    attempt("kill", os.kill, os.getppid(), signal.SIGKILL)
    attempt("killpg", os.killpg, os.getpgrp(), signal.SIGTERM)
    attempt("fork", os.fork)
    print("::error::" + FAKE)
    print(FAKE)
    print("x\\n" * 200_000)
    print(FAKE, flush=True)
    os._exit(0)
"""
    names = ("numba.py", "sitecustomize.py", "results.json", "grader/cli.py")
    return {**reference(), "peg1.py": peg1, **dict.fromkeys(names, "raise SystemExit(0)")}


def submission(name: str, write_to: list[Path], read_from: list[Path]) -> dict[str, str]:
    """Return the files of one of POINTS."""
    if name == "hostile":
        return hostile(write_to, read_from)
    return {"reference": reference, "stub": stub, "wrong": wrong}[name]()


def leave_out_unless_full(request: pytest.FixtureRequest, name: str, *rare: str) -> None:
    """Keep the usual run of the tests short."""
    if name in rare and not request.config.getoption("--platforms-full"):
        pytest.skip("only with --platforms-full")


@pytest.fixture
def only_when_full(request: pytest.FixtureRequest) -> None:
    leave_out_unless_full(request, "this", "this")


# ---- what is exported ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def private(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exam")
    (folder / f"{SECRET}.txt").write_text(BOARD)
    (folder / "index.yaml").write_text(f"boards: {{{SECRET}: {{points: 2, tasks: [peg1]}}}}\n")
    return folder


def export(*arguments: str | Path) -> tuple[int, str]:
    """Type `grade export`; return status 0 and what it says, or what is wrong."""
    done = CliRunner().invoke(cli, ["export", *map(str, arguments)], standalone_mode=False)
    if done.exception is not None:
        assert isinstance(done.exception, InputError), done.exception
        return 2, f"{done.exception.message}\nhelp: {done.exception.help}"
    return 0, done.output


def exported(platform: str, out: Path, *options: str | Path) -> Path:
    status, said = export(platform, out, *options)
    assert status == 0, said
    return out


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    with new_place() as folder:
        yield folder


# ---- Gradescope ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def gradescope(place: Path, private: Path, tmp_path_factory: pytest.TempPathFactory) -> Gradescope:
    out = exported("gradescope", tmp_path_factory.mktemp("export") / "out", *TASKS, "--boards", private)
    platform = Gradescope(place, (out / "autograder.zip").read_bytes())
    platform.install()
    return platform


def graded(platform: Gradescope, files: Mapping[str, str]) -> dict[str, Any]:
    platform.hand_in(files)
    ran = platform.run()
    assert ran.status == 0, ran.err
    return read(platform)


def read(platform: Gradescope) -> dict[str, Any]:
    results: dict[str, Any] = json.loads(platform.results.read_text("utf-8"))
    schema("gradescope").validate(results)
    assert sum(each["score"] for each in results["tests"]) == results["score"]
    for each in results["tests"]:
        assert each["visibility"] == ("after_due_date" if "hidden-" in each["name"] else "visible")
    assert SECRET not in json.dumps(results)
    return results


def at_once(results: dict[str, Any]) -> str:
    """Return all that students see before the due date."""
    visible = [each for each in results["tests"] if each["visibility"] == "visible"]
    shown = [f"{each['name']}\n{each['output']}" for each in visible]
    return "\n".join([results["output"], *shown, json.dumps(results["leaderboard"])])


@needs_tier_2
@pytest.mark.parametrize("name", POINTS)
def test_gradescope_grades(gradescope: Gradescope, name: str, request: pytest.FixtureRequest) -> None:
    leave_out_unless_full(request, name, "stub", "wrong")
    root = gradescope.root
    mine = [gradescope.results, root / "run_autograder", root / "source/course/framework/board.py"]
    private = root / "source/private"
    secrets = [private, private / f"{SECRET}.txt", root / "source/course/grader/judging/judge.py"]
    before = [path.read_bytes() for path in mine[1:]]
    results = graded(gradescope, submission(name, mine, secrets))
    assert results["score"] == sum(POINTS[name])
    tier = tiers.chosen(None, guarded=True, private=True)
    assert {result["tier"] for result in results["extra_data"]["results"]} == {tier}
    assert "\n1 check not shown until the due date" in results["output"]
    assert ("all visible checks passed" in results["output"]) == (name == "reference")
    assert "hidden-" not in at_once(results)
    text = gradescope.results.read_text("utf-8")
    assert ("999" in text) == (name == "hostile")  # as what it printed
    assert "GOT THROUGH" not in text
    assert [path.read_bytes() for path in mine[1:]] == before


@needs_tier_2
def test_gradescope_has_results_when_it_kills_the_run(gradescope: Gradescope) -> None:
    """At its limit of time, or of memory: what is done by then is there, and what is not is told."""
    gradescope.hand_in(sleeping())
    process = gradescope.start()
    try:
        until = time.monotonic() + 600
        while not gradescope.results.exists() and process.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        children = below(process.pid)
    finally:
        process.send_signal(signal.SIGKILL)
    process.communicate()
    results = read(gradescope)
    assert results["score"] == 10
    late = [each for each in results["tests"] if each["name"].startswith("peg1 ")]
    assert not any(each["score"] for each in late)
    assert all("not graded: the run was stopped before" in each["output"] for each in late)
    assert f"the run was stopped before {len(late)} checks could be made" in results["output"]
    assert children
    assert gone(children, 600)


def gone(pids: list[int], most_s: float) -> bool:
    """Return whether these processes end by themselves."""
    until = time.monotonic() + most_s
    while any(map(lives, pids)) and time.monotonic() < until:
        time.sleep(0.05)
    return not any(map(lives, pids))


def lives(pid: int) -> bool:
    """Return whether a process runs; one that has ended may wait for its parent, which can be the tests' own."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@needs_tier_2
def test_a_run_stops_by_itself_before_the_platform_does(gradescope: Gradescope) -> None:
    gradescope.hand_in(sleeping())
    script = gradescope.root / "run_autograder"
    text = script.read_text("utf-8")
    assert text.count("$((minutes * 60 - 60))") == 1
    script.write_text(text.replace("$((minutes * 60 - 60))", "2"))
    try:
        assert gradescope.run().status == 0
    finally:
        script.write_text(text)
    results = read(gradescope)
    said = "not graded: the run was stopped before"
    stopped = [each for each in results["tests"] if said in each["output"]]
    assert stopped
    assert all(each["tags"][1] == "not-run" and each["score"] == 0 for each in stopped)
    assert "this score is not final" in results["output"]


def test_a_fault_of_the_grader_leaves_no_score(gradescope: Gradescope) -> None:
    gradescope.hand_in(reference())
    gradescope.results.write_text('{"score": 99}')
    index = gradescope.root / "source/private/index.yaml"
    text = index.read_text("utf-8")
    index.write_text("boards: 3")
    try:
        ran = gradescope.run()
    finally:
        index.write_text(text)
    assert ran.status == 2
    assert "the grader itself failed; this is not your program's fault" in ran.err
    assert "index.yaml:1: boards: expected a mapping" in ran.err
    assert "Traceback" not in ran.err
    assert not (gradescope.results.exists() and "tests" in gradescope.results.read_text())


@pytest.mark.usefixtures("only_when_full")
def test_a_missing_file_is_told_by_its_task(gradescope: Gradescope) -> None:
    results = graded(gradescope, {"notes.txt": "I have not begun"})
    assert results["score"] == 0
    assert "student/client.py: no such file" in results["tests"][0]["output"]
    assert "student/client.py: no such file" in at_once(results).split("peg1 one-peg")[1]


# ---- Autolab -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def autolab(private: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Autolab]:
    out = exported("autolab", tmp_path_factory.mktemp("export") / "out", *TASKS, "--boards", private)
    with new_place() as folder:
        yield Autolab(folder, out)


def scores(output: str) -> dict[str, int]:
    lines = output.rstrip("\n").splitlines()
    assert lines[-1].startswith("{"), output
    autoresult = json.loads(lines[-1])
    schema("autolab").validate(autoresult)
    assert sum(line.startswith("{") for line in lines) == 1
    assert SECRET not in output
    found: dict[str, int] = autoresult["scores"]
    return found


@needs_tier_2
@pytest.mark.parametrize("name", POINTS)
def test_autolab_grades(autolab: Autolab, name: str, request: pytest.FixtureRequest) -> None:
    leave_out_unless_full(request, name, "reference", "stub", "wrong")
    job = autolab.job
    mine = [job / ".peg/course/grader/cli.py", job.parent / "output.log"]
    files = submission(name, mine, [job / "autograde.tar", job / ".peg/private", job / ".peg/run_autolab"])
    ran = autolab.run(tar_of(files))
    client, peg1, private = POINTS[name]
    assert (ran.status, scores(ran.out)) == (0, {"client": client, "peg1": peg1 + private})
    assert "hidden-1" in ran.out
    assert "GOT THROUGH" not in ran.out


@needs_tier_2
@pytest.mark.usefixtures("only_when_full")
def test_autolab_grades_one_file_and_what_cannot_be_unpacked(autolab: Autolab) -> None:
    client = reference()["client.py"].encode()
    assert scores(autolab.run(client, "client.py").out) == {"client": 10, "peg1": 0}
    ran = autolab.run(tar_of(reference())[:-40])
    assert scores(ran.out) == {"client": 0, "peg1": 0}
    assert "handin.tar: cannot be unpacked: " in ran.out


@needs_tier_2
def test_a_name_handed_in_is_never_run(autolab: Autolab) -> None:
    """Nor taken apart: whatever it looks like to make and to a shell, it is a file's name."""
    client = tar_of({"client.py": reference()["client.py"]})
    odd = ("a$(id>x).tar", "$$(id>x).tar", "a b';id>x;'`id>x`.tar", "--version", '"$(shell id>x)\n%.tar')
    for name in odd:
        ran = autolab.run(client, name)
        assert (ran.status, scores(ran.out)) == (0, {"client": 10, "peg1": 0}), name
        left = {path.name for path in autolab.job.iterdir()}
        assert left == {"Makefile", "autograde.tar", ".peg", name}


def test_autolab_posts_no_score_where_the_grader_fails(autolab: Autolab) -> None:
    (libraries,) = (autolab.job.parent / "image").glob("lib/python3*/site-packages/icontract")
    libraries.rename(libraries.with_name("gone"))
    try:
        ran = autolab.run(tar_of(reference()))
    finally:
        libraries.with_name("gone").rename(libraries)
    assert ran.status != 0
    assert "scores" not in ran.out
    assert "this image has no Python with the libraries of the course" in ran.out


def test_autolabs_assessment_names_the_problems(tmp_path: Path, private: Path) -> None:
    out = exported("autolab", tmp_path / "out", "--boards", private)
    assessment = yaml.safe_load((out / "assessment.yml").read_text("utf-8"))
    found = {each["name"]: each["max_score"] for each in assessment["problems"]}
    known = {task.name: task.max_points for task in registry().tasks.values() if not task.extra}
    assert found == {**known, "peg1": known["peg1"] + 2}
    assert assessment["autograder"]["autograde_timeout"] == 14 * 60


# ---- GitHub --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def github(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GitHub]:
    out = exported("github", tmp_path_factory.mktemp("export") / "out", "cs/peg-grader@v1", *TASKS)
    with new_place() as folder:
        yield GitHub(folder, out)


@needs_tier_2
@pytest.mark.parametrize("name", POINTS)
def test_github_grades_once_and_shows_it_twice(
    github: GitHub, name: str, request: pytest.FixtureRequest
) -> None:
    leave_out_unless_full(request, name, "reference", "stub", "hostile")
    mine = [github.temp / "summary", github.workspace / "grader/course/grader/cli.py"]
    files = {f"student/{PurePath(file).name}": text for file, text in submission(name, mine, []).items()}
    ran, summary = github.run(files)
    assert ran.status == (0 if name == "reference" else 1)
    assert summary.startswith("*This is a run in the student's own repository, so it is advisory.")
    assert f"{sum(POINTS[name][:2])} / 25" in summary
    assert "### peg1" in summary
    commands = [line for line in ran.out.splitlines() if line.lstrip().startswith(("::", "##["))]
    assert bool(commands) == (name != "reference")
    assert all(line.startswith(("::error file=student/", "::notice file=student/")) for line in commands)
    assert "GOT THROUGH" not in ran.out + summary


def test_github_says_that_nothing_was_graded(github: GitHub) -> None:
    ran, summary = github.run({"README.md": "nothing yet"})
    assert ran.status == 2
    assert summary.endswith("Nothing was graded: see the log of this step.\n")
    assert "student: no such folder" in ran.err


def test_the_workflows_ask_for_little_and_name_versions(tmp_path: Path) -> None:
    out = exported("github", tmp_path / "out", "cs/peg-grader@v1")
    files = sorted(out.glob("*/.github/workflows/*.yml"))
    assert len(files) == 2
    for file in files:
        text = file.read_text("utf-8")
        assert yaml.safe_load(text)["permissions"] == {"contents": "read"}
        assert "secrets" not in text
        assert "advisory" in text
        steps = yaml.safe_load(text)["jobs"]["grade"].get("steps", [])
        assert not any("${{" in step.get("run", "") for step in steps)  # which would be text of the script
        used = [line.split("@")[1] for line in text.splitlines() if "uses: actions/" in line]
        assert all(version.count(".") == 2 for version in used)
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", *files],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


# ---- what is in an export ------------------------------------------------------------------------


def names_in(folder: Path) -> dict[str, str]:
    """Return the digest of each file in a folder."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


@pytest.mark.parametrize("platform", ["gradescope", "autolab"])
def test_the_same_course_gives_the_same_bytes(platform: str, tmp_path: Path, private: Path) -> None:
    first, second = (exported(platform, tmp_path / name, "--boards", private) for name in ("a", "b"))
    assert names_in(first) == names_in(second)


def test_nothing_of_the_instructors_is_in_an_export(tmp_path: Path, private: Path) -> None:
    zipped = exported("gradescope", tmp_path / "a", "--boards", private) / "autograder.zip"
    with zipfile.ZipFile(zipped) as archive:
        names = archive.namelist()
    tarred = exported("autolab", tmp_path / "b", "--boards", private) / "autograde.tar"
    with tarfile.open(tarred) as archive_:
        assert {member.mtime for member in archive_.getmembers()} == {0}
        names += archive_.getnames()
    pushed = exported("github", tmp_path / "c", "cs/peg@v1")
    names += [f"github/{name}" for name in names_in(pushed)]
    ours = {"reference", "oracle", "course.py", "release_files"}
    assert not [name for name in names if ours & set(name.split("/"))]
    assert [name for name in names if SECRET in name] == [f"private/{SECRET}.txt"] * 2
    assert "numba==" in requirements()


def test_a_private_set_may_have_a_board_of_the_course(tmp_path: Path) -> None:
    """As one that is like a task's own has it, turned."""
    turned = format_board(image_of(find_board("choice").board, "r90"))
    folder = lay(tmp_path / "set", {"index.yaml": b"boards: {a: {}}", "a.txt": turned.encode()})
    out = exported("gradescope", tmp_path / "out", "--task", "peg2", "--boards", folder)
    assert (out / "autograder.zip").is_file()


def test_a_private_set_has_every_fact_written_out(private: Path, tmp_path: Path) -> None:
    for name, text in PrivateBoards(private).whole([registry().find("peg1")]).items():
        (tmp_path / name).write_text(text)
    index = yaml.safe_load((tmp_path / "index.yaml").read_text("utf-8"))["boards"][SECRET]
    facts = {"solvable": True, "fewest": 1, "forced": True, "positions": 2}
    assert index == {**facts, "points": 2, "tasks": ["peg1"]}
    board = PrivateBoards(tmp_path).find(SECRET)
    assert board is not None
    assert board.facts == Facts(True, 1, True, 2)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["gradescope", "full"], "full: is not an empty folder\nhelp: name a new folder"),
        (["gradescope", "new", "--task", "peg9"], "no task 'peg9'\nhelp: tasks: client, "),
        (["gradescope", "new", "--boards", "none"], "none/index.yaml: cannot be read: No such file or directory"),
        (["autolab", "new", "--boards", "exam", "--task", "client"], "exam: no board that client can judge\nhelp: look at"),
        (["autolab", "new", "--boards", "taken"], "taken/index.yaml: boards.german: the course has a board of that name\nhelp: give"),
        (["github", "new", "peg@v1"], "expected OWNER/NAME@TAG, found peg@v1\nhelp: "),
        (["github", "new", "a/b@v 1"], "expected OWNER/NAME@TAG, found a/b@v 1\nhelp: "),
        (["github", "full/file/new", "a/b@v1"], "full/file/new: cannot be written: "),
    ],
)  # fmt: skip
def test_bad_input_leaves_nothing_behind(
    arguments: list[str], said: str, tmp_path: Path, private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full/file").write_text("mine")
    shutil.copytree(private, "exam")
    (tmp_path / "taken").mkdir()
    shutil.copy(paths.BOARDS / "german.txt", "taken")
    (tmp_path / "taken/index.yaml").write_text("boards: {german: {}}")
    before = names_in(tmp_path)
    status, message = export(*arguments)
    assert status == 2
    assert message.startswith(said)
    assert names_in(tmp_path) == before


# ---- what was handed in --------------------------------------------------------------------------


def laid_out(handed_in: Path, work: Path) -> dict[str, str]:
    work.mkdir()
    lay_out(handed_in, work, {"client.py", "peg1.py"})
    files = sorted(path for path in (work / STUDENT).iterdir() if path.is_file())
    return {path.name: path.read_text("utf-8") for path in files}


def test_files_are_found_in_a_folder(tmp_path: Path) -> None:
    top = tmp_path / "handin"
    (top / "x/student").mkdir(parents=True)
    (top / "x/student/peg1.py").write_text("1")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/peg1.py").write_text("not handed in")
    (top / "student").symlink_to(tmp_path / "elsewhere")
    assert laid_out(top, tmp_path / "work") == {"peg1.py": "1"}


def test_nothing_of_the_course_is_taken_where_the_whole_project_was_handed_in(tmp_path: Path) -> None:
    """Not even for a file that is not written yet: the grader has modules of the same names."""
    released = release_files()
    new_folder.write(tmp_path / "project", released)
    stubs = {name: released[f"{STUDENT}/{name}"] for name in ("client.py", "peg1.py")}
    assert "is not written yet" in stubs["client.py"] and "grader/judging/kinds/client.py" in released
    assert laid_out(tmp_path / "project", tmp_path / "work") == stubs


@pytest.mark.parametrize("to", ["real", "link"])
def test_a_link_to_the_folder_is_followed(to: str, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/peg1.py").write_text("1")
    (tmp_path / "link").symlink_to(to)
    if to == "real":
        assert laid_out(tmp_path / "link", tmp_path / "work") == {"peg1.py": "1"}
    else:
        with pytest.raises(SubmissionFault):
            laid_out(tmp_path / "link", tmp_path / "work")


def test_files_are_found_beside_a_great_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is deep or hidden is no matter; what is said where it is is too much."""
    monkeypatch.setattr(locate, "MAX_LISTED", 20)
    top = tmp_path / "handin"
    for folder in (".git/objects", "__MACOSX", "data/old"):
        (top / folder).mkdir(parents=True)
        for number in range(30):
            (top / folder / f"{number}").touch()
    (top / "hw/student").mkdir(parents=True)
    (top / "hw/student/peg1.py").write_text("1")
    assert laid_out(top, tmp_path / "work") == {"peg1.py": "1"}
    (top / "hw/student/peg1.py").unlink()
    message = r"^the submission: expected a few files, found too many to look through$"
    with pytest.raises(SubmissionFault, match=message) as caught:
        laid_out(top, tmp_path / "again")
    assert caught.value.help.startswith("hand in")


def test_what_the_machine_cannot_read_costs_no_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "peg1.py").write_text("1")
    opened = folders.opened

    def denied(path: Path, *how: Any) -> int:
        if path.name == "peg1.py":
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(path, *how)

    monkeypatch.setattr(folders, "opened", denied)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    report = Report([registry().find("peg1")], [], STUDENT)
    with pytest.raises(InputError, match=r"^peg1.py: cannot be read: Permission denied$"):
        _graded("gradescope", tmp_path, report, None, 0, 60, None)


def test_a_name_that_steers_a_terminal_is_told_as_text(tmp_path: Path) -> None:
    (tmp_path / "\x1b[2J::x\n").write_bytes(b"")
    with pytest.raises(SubmissionFault, match=r"^\\x1b\[2J::x: expected a "):
        laid_out(tmp_path / "\x1b[2J::x\n", tmp_path / "work")


# ---- what the core learnt for it -----------------------------------------------------------------


@pytest.mark.parametrize("hidden", [False, True])
def test_a_program_that_needs_more_than_the_machine_has(
    hidden: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It loses no points silently; on a hidden board it fails, else it could tell more on purpose than that."""
    monkeypatch.setattr("grader.judging.check_run.most_mib", lambda checks: 200)
    shutil.copy(paths.REFERENCE / "client.py", tmp_path)
    (tmp_path / "peg1.py").write_text("def peg_solve(board, stack):\n    return len(b'x' * (400 << 20))\n")
    boards, names = (RandomBoards(1, 0), ()) if hidden else (None, ("stuck",))
    (result,) = results_of(Choice(tmp_path, names, board_set=boards, tier=tiers.best()), "peg1")
    verdict = Verdict.MEMORY if hidden else Verdict.GRADER_ERROR
    assert (result.verdict, result.points, result.hidden) == (verdict, 0, hidden)
    more = "" if hidden else " that a check can have on this machine; the task allows 1,024 MiB"
    assert f"needs more than the 200 MiB{more}" in result.message


@pytest.fixture
def control_group(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Return what stands in the files of a container's control group, by their names."""
    files: dict[str, str] = {}

    def read_text(path: Path, encoding: str) -> str:
        name = str(path).removeprefix("/sys/fs/cgroup/")
        if name not in files:
            raise FileNotFoundError(name)
        return files[name]

    monkeypatch.setattr(Path, "read_text", read_text)
    return files


def test_a_containers_memory_is_shared_by_the_graders(control_group: dict[str, str]) -> None:
    assert limits.most_mib(1) == sys.maxsize
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        for written, checks, found in (("805306368", 1, 512), ("2147483648\n", 2, 768), ("1048576", 1, 128)):
            control_group[name] = written
            assert limits.most_mib(checks) == found
        control_group[name] = "max\n"
        assert limits.most_mib(1) == sys.maxsize


def test_the_least_limit_of_all_control_groups_around_a_job_counts(control_group: dict[str, str]) -> None:
    """A user's slice or a job of a batch system is no container: its limits do not stand at the top."""
    control_group["/proc/self/cgroup"] = "4:memory:/slurm/job_7\n1:cpu,cpuacct:/slurm/job_7\n0::/user/a:b/c\n"
    for name, written in (
        ("user/memory.max", "2147483648"), ("user/a:b/memory.max", "4294967296"),
        ("memory/slurm/job_7/memory.limit_in_bytes", "1073741824"),
    ):  # fmt: skip
        control_group[name] = written
        assert limits.most_mib(1) == min(2048, int(written) >> 20) - 256
    for name in ("user/a:b/c/cpu.max", "user/cpu.max"):
        control_group[name] = "100000 100000\n"
        assert limits.usable_cores() == 1
        del control_group[name]
    control_group["cpu/slurm/cpu.cfs_quota_us"] = control_group["cpu/slurm/cpu.cfs_period_us"] = "100000\n"
    assert limits.usable_cores() == 1


def test_what_the_kernel_ended_for_lack_of_memory_is_counted(control_group: dict[str, str]) -> None:
    assert limits.oom_kills() == 0
    control_group["memory/memory.oom_control"] = "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n"
    assert limits.oom_kills() == 2
    control_group["memory.events"] = "oom 7\noom_kill 3\noom_group_kill 0\n"
    assert limits.oom_kills() == 5


def test_a_containers_share_of_the_cores_is_known(control_group: dict[str, str]) -> None:
    cores = len(os.sched_getaffinity(0))
    assert limits.usable_cores() == cores
    control_group |= {"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}
    assert limits.usable_cores() == cores
    control_group["cpu/cpu.cfs_quota_us"] = "50000\n"
    assert limits.usable_cores() == 1
    control_group.clear()
    control_group["cpu.max"] = "50000 100000\n"
    assert limits.usable_cores() == 1


# ---- all of it -----------------------------------------------------------------------------------


@pytest.mark.usefixtures("only_when_full")
def test_gradescope_in_full(tmp_path: Path, private: Path, request: pytest.FixtureRequest) -> None:
    """setup.sh as it is, every task, one core, and 768 MiB as a container sees them, if there can be a group."""
    out = exported("gradescope", tmp_path / "out", "--boards", private)
    group = Path("/sys/fs/cgroup/memory/peg-platform-test")
    limited = os.getuid() == 0 and group.parent.is_dir()
    with new_place() as folder:
        platform = Gradescope(folder, (out / "autograder.zip").read_bytes())
        environment = {**os.environ, "AUTOGRADER_ROOT": str(platform.root)}
        subprocess.run(["bash", platform.root / "source/setup.sh"], env=environment, check=True)
        if limited:
            group.mkdir()
            request.addfinalizer(group.rmdir)
            (group / "memory.limit_in_bytes").write_text(str(768 << 20))
            script = platform.root / "run_autograder"
            script.write_text(
                f"#!/usr/bin/env bash\necho $$ > {group}/cgroup.procs\n"
                f"exec taskset -c 0 unshare -m bash -c 'mount --bind {group} {group.parent} && exec source/run_autograder'\n"
            )
        right = {path.name: path.read_text("utf-8") for path in paths.REFERENCE.glob("*.py")}
        assert graded(platform, right)["score"] == 102
        plain = {path.name: path.read_text("utf-8") for path in (HERE / "students/plain").glob("*.py")}
        assert graded(platform, plain)["score"] == 10 + 17 + 20 + 25
        greedy = {**right, "peg2.py": (HERE / "zoo/takes-all-memory/peg2.py").read_text("utf-8")}
        results = graded(platform, greedy)
        assert 82 <= results["score"] < 90
        if limited:
            assert "the grader could not run" in results["output"]
            assert "more than the 512 MiB that a check can have" in at_once(results)
            assert "\noom_kill 0" in (group / "memory.oom_control").read_text("ascii")
            assert int((group / "memory.max_usage_in_bytes").read_text("ascii")) < 768 << 20
