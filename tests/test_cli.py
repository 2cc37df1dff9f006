"""The command as a user types it: every way out has its status and its words, and none a traceback."""

import errno
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from grader.catalog.tasks import registry
from grader.commands import COMMANDS
from grader.commands.check import paired
from grader.commands.status import _state
from grader.errors import InputError
from grader.submissions.submission import digest_of
from support.command import ROOT, grade, grade_in, refused

# ---- bad input ---------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message", "help"),
    [
        (["pge3"], "no task 'pge3'", "did you mean peg3? tasks: client, peg1, peg2, peg3, peg4, peg5, lab10, fewest, examples, all"),
        (["peg1", "one-jump"], "one-jump is a board, not a task", "grade peg1 --board one-jump"),
        (["plus", "english"], "plus is a board, not a task", "grade peg2 --board plus --board english"),
        (["my.txt"], "my.txt is a board, not a task", "grade TASK --board my.txt"),
        (["show", "peg1"], "peg1 is a task, not a board", "grade peg1"),
        (["student/peg1.py"], "no task 'student/peg1.py'", "did you mean peg1? tasks: client, peg1, peg2, peg3, peg4, peg5, lab10, fewest, examples, all"),
        (["peg"], "no task 'peg'", "did you mean peg1? tasks: client, peg1, peg2, peg3, peg4, peg5, lab10, fewest, examples, all"),
        (["PEG1"], "no task 'PEG1'", "did you mean peg1? tasks: client, peg1, peg2, peg3, peg4, peg5, lab10, fewest, examples, all"),
        (["peg33"], "no task 'peg33'", "did you mean peg3? tasks: client, peg1, peg2, peg3, peg4, peg5, lab10, fewest, examples, all"),
        (["shwo"], "no command or task 'shwo'", "did you mean show? to list the commands: grade --help"),
        (["anlyze", "english", "--goal", "3,3"], "no command or task 'anlyze'", "did you mean analyze? to list the commands: grade --help"),
        (["watch.txt"], "watch.txt is a board, not a task", "grade TASK --board watch.txt"),
        (["peg7"], "no task 'peg7'", "tasks: client, peg1, peg2, peg3, peg4, peg5, lab10, fewest, examples, all"),
        (["help"], "no task 'help'", "for usage: grade --help"),
        (["peg1", "--board", "englsh"], "no board 'englsh'", "did you mean english? to list the boards: grade show"),
        (["peg1", "--board", "no/such.txt"], "no/such.txt: cannot be read: No such file or directory", "check the file's name"),
        (["peg1", "--board", "/dev/zero"], "/dev/zero: expected a file, found a special file", "check the file's name"),
        (["peg1", "--student", "nowhere"], "nowhere: no such folder", "go to the folder that holds student/, or pass --student DIR"),
        (["peg1", "-o", "nowhere/report"], "nowhere/report: cannot be written: there is no folder nowhere", "choose another -o FILE"),
        (["peg1", "--student", "nowhere", "-o", "student/peg1.py"], "student/peg1.py: cannot be written: it is a program's file", "choose another -o FILE"),
        (["peg1", "--boards", "tests"], "tests/index.yaml: cannot be read: No such file or directory", "a board folder has an index.yaml; see boards/index.yaml"),
        (["show", "english@0,0"], "board english@0,0: 0,0 is not a hole of the english board", "see its holes: grade show english"),
        (["show", "english@9,9"], "board english@9,9: 9,9 is not a hole of the english board", "see its holes: grade show english"),
        (["experiment", "--orders", "outin"], "no order 'outin'", "orders: normal, out-in, in-out"),
        (["experiment", "--directions", "DRUX"], "directions 'DRUX': expected the letters D, R, U and L, each once", "for example: --directions DRUL,DRLU"),
        (["experiment", "--symmetry", "--task", "peg4"], "--symmetry: is not for --task", "a task's program has an order of its own: leave it out"),
        (["experiment", "--task", "pge4"], "no task 'pge4'", "did you mean peg4? tasks: client, peg1, peg2, peg3, peg4, peg5, lab10, fewest, examples, all"),
        (["experiment", "--task", "peg3"], "--task peg3: has no order of jumps of its own", "tasks: peg4, peg5"),
        (["experiment", "--task", "peg4", "--board", "norwegian@1,2"], "no board 'norwegian@1,2'", "to list the boards: grade show"),
        (["experiment", "--task", "peg4", "--board", "french@0,0"], "board french@0,0: 0,0 is not a hole of the french board", "see its holes: grade show french1"),
        (["replay", "peg1", "stuck"], "stuck has no solution: there is nothing to replay", "to list what there is: grade replay"),
        (["replay", "peg1", "english"], "no solution of peg1 on english to replay", "grade it first: grade peg1 --board english"),
        (["replay", "peg1", "englsh"], "no board 'englsh'", "did you mean english? to list the boards: grade show"),
        (["replay", "client", "moves"], "client plays no boards: there is nothing to replay", "to list what there is: grade replay"),
        (["release", "tests"], "tests: is not an empty folder", "name a new folder"),
    ],
)  # fmt: skip
def test_bad_input_is_told_in_two_lines(arguments: list[str], message: str, help: str) -> None:
    assert refused(*arguments) == f"{message}\nhelp: {help}\n"


def test_the_current_folder_is_none_for_temporary_files(tmp_path: Path) -> None:
    """It may be among the hand-ins, and Python takes it where no other can be written."""
    start = "import os, tempfile; tempfile.tempdir = os.getcwd(); from grader.cli import main; main()"
    for place, told in (
        (
            tmp_path / "full",
            f"no folder for temporary files can be written: {tmp_path}/full, /tmp, /var/tmp\n",
        ),
        (tmp_path, ""),
    ):
        done = subprocess.run(
            [sys.executable, "-c", start, "show", "english"], cwd=tmp_path,
            env={**os.environ, "TMPDIR": str(place)}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr.partition("help: ")[0]) == (2 if told else 0, told)


@pytest.mark.parametrize("code", [errno.EPERM, errno.EROFS])
def test_a_report_that_the_system_refuses_to_write(code: int, tmp_path: Path) -> None:
    """As in the place of somebody else's where only its owner may replace it."""
    start = f"""
import os
from grader.cli import main

def refuse(draft, file, really=os.replace):
    if file.name == "report":
        raise OSError({code}, os.strerror({code}), str(file))
    really(draft, file)

os.replace = refuse
main()
"""
    command = [sys.executable, "-c", start, "peg1", "--reference", "--board", "stuck", "-d", "-o", "report"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    told = f"{tmp_path}/report: {os.strerror(code)}\nhelp: choose another place"
    assert (done.returncode, done.stderr.startswith(told)) == (2, True), done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", ["\x1b[2J", "\u202ex", "a\n::error::b", "\udcff"])
def test_an_error_names_things_safely(name: str) -> None:
    done = grade("client", "--student", name)
    assert done.returncode == 2 and done.stderr.count("\nhelp: ") == 1
    assert done.stderr.replace("\n", "").isprintable() and "\n::" not in done.stderr


def test_a_malformed_board_file(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("* * o\n. x\n")
    assert refused("show", "mine.txt", cwd=tmp_path) == (
        "mine.txt:2:3: expected '.', '*' or 'o', found 'x'\n"
        "help: a board is 8 rows of 8 cells; see handouts/notation.md\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("yaml", "message"),
    [
        ("boards: [", "set/index.yaml:2:1: "),
        ("- 1", "set/index.yaml: expected a mapping, found list"),
        ("{}", "set/index.yaml:1: boards: expected a mapping, found nothing"),
        ("boards: {a: 3}", "set/index.yaml:1: boards.a: expected a mapping, found 3"),
        ("boards: {a: {solvable: maybe}}", "set/index.yaml:1: boards.a.solvable: expected true or false, found 'maybe'"),
        ("boards: {a: {fewest: two}}", "set/index.yaml:1: boards.a.fewest: expected a whole number, found 'two'"),
        ("boards: {a: {}}", "set/a.txt: cannot be read: No such file or directory"),
    ],
)  # fmt: skip
def test_a_broken_index(tmp_path: Path, yaml: str, message: str) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "index.yaml").write_text(yaml)
    said = refused("peg1", "--reference", "--boards", "set", cwd=tmp_path)
    assert said.startswith(message)
    assert said.count("\n") == 2


def test_wrong_usage() -> None:
    for arguments in (["--nonsense"], ["peg1", "--format", "xml"], ["peg1", "--board"]):
        assert refused(*arguments).endswith("\nhelp: for usage: grade --help\n")


def test_help_names_every_command_in_a_line() -> None:
    done = grade("--help")
    assert done.returncode == 0
    lines = [line.strip() for line in done.stdout.splitlines()]
    words = [" ".join(line.split()) for line in lines]
    for name, entry in COMMANDS.items():
        assert not entry.short_help or f"{name} {entry.short_help}" in words
    for word in ("--board", "-d", "--version", "Exit status"):
        assert word in done.stdout
    assert "..." not in "".join(line for line in lines if not line.startswith(("grade ", "Usage:")))
    assert max(len(line) for line in done.stdout.splitlines()) <= 80
    assert not [line for line in grade("export", "--help").stdout.splitlines()[1:] if line.endswith("...")]


def test_version() -> None:
    done = grade("--version")
    named = f"grade {metadata.version('peg-solitaire')} (peg-solitaire)\n"
    assert (done.returncode, done.stdout) == (0, named)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "names"),
    [
        (["--help"], {"check", "options"}),
        (["client"], {"check", "checking", "options"}),
        (["show"], {"show"}),
    ],
)
def test_no_more_commands_are_imported_than_typed(typed: list[str], names: set[str], tmp_path: Path) -> None:
    (tmp_path / "student").mkdir()
    script = (
        "import atexit, sys; from grader.cli import main;"
        "atexit.register(lambda: print(*(name for name in sys.modules if name.startswith('grader.commands.'))));"
        "main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *typed], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert {name.rpartition(".")[2] for name in done.stdout.splitlines()[-1].split()} == names


def test_a_folder_that_may_not_be_entered_is_not_the_graders_fault(tmp_path: Path) -> None:
    script = (
        "from pathlib import Path; from grader.cli import main\n"
        "def entered(path, is_dir=Path.is_dir):\n"
        "    if path.name == 'shut': raise PermissionError(13, 'Permission denied', str(path))\n"
        "    return is_dir(path)\n"
        "Path.is_dir = entered; main()"
    )
    typed = [sys.executable, "-c", script, "peg1", "--student", "shut"]
    done = subprocess.run(typed, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[0] == "shut: Permission denied"


# ---- the stubs, the status, a first success ----------------------------------------------------


@pytest.mark.slow
def test_all_on_the_stubs() -> None:
    done = grade("all")
    assert done.returncode == 1
    assert done.stderr == ""
    last = done.stdout.splitlines()[-1]
    assert last == "0 / 100   next: open student/client.py (handouts/client.md), then: grade client"


@pytest.mark.slow
def test_where_you_stand(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "student", tmp_path / "student")
    done = grade(cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == (
        "0 / 100   next: open student/client.py (handouts/client.md), then: grade client"
    )
    shutil.copy(ROOT / "grader" / "reference" / "client.py", tmp_path / "student")
    assert "next: grade client" in grade(cwd=tmp_path).stdout
    assert grade("client", cwd=tmp_path).returncode == 0
    assert grade(cwd=tmp_path).stdout.splitlines()[-1] == (
        "10 / 100   next: open student/peg1.py (handouts/peg1.md), then: grade peg1"
    )
    with (tmp_path / "student" / "client.py").open("a") as file:
        file.write("# a change\n")
    assert "changed since graded (10 / 10 then)" in grade(cwd=tmp_path).stdout


def test_where_you_stand_with_a_stub(tmp_path: Path) -> None:
    """Points count for the files that were graded, whatever is not written in them."""
    task, file = registry().find("client"), tmp_path / "client.py"
    shutil.copy(ROOT / "student" / "client.py", file)
    digest = digest_of(tmp_path, task)
    states = [_state(task, tmp_path, {"score": score, "digest": digest})[:2] for score in (0, 3, 10)]
    assert states == [("not written yet", None), ("partly written", 3), ("full marks", 10)]
    file.write_text(file.read_text() + "# a change\n")
    state = _state(task, tmp_path, {"score": 3, "digest": digest})
    assert state[:2] == ("changed since graded (3 / 10 then)", None)


def test_status_without_a_student_folder(tmp_path: Path) -> None:
    assert refused(cwd=tmp_path).startswith("student: no such folder\nhelp: ")


def test_one_folder_too_deep(tmp_path: Path) -> None:
    (tmp_path / "student").mkdir()
    for arguments in ([], ["peg1"]):
        said = refused(*arguments, cwd=tmp_path / "student")
        assert said == "student: no such folder\nhelp: you are inside of student/; go up: cd ..\n"


@pytest.mark.slow
def test_several_reports_of_one_run(tmp_path: Path) -> None:
    (tmp_path / "student").mkdir()
    shutil.copy(ROOT / "grader/reference/client.py", tmp_path / "student")
    done = grade(
        "client", "--format", "json", "-o", "a.json", "--format", "markdown", "-o", "b.md", "--format", "github",
        cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stdout.startswith("client  10 / 10\n10 / 10: all visible checks passed\n")
    assert done.stderr == "a.json: 10 / 10\nb.md: 10 / 10\n"
    assert json.loads((tmp_path / "a.json").read_text())["score"] == 10
    assert "## Peg solitaire, 10 / 10" in (tmp_path / "b.md").read_text()
    for formats, outputs in ((["json", "table"], []), (["json"], ["a", "b"]), ([], ["a", "b"])):
        with pytest.raises(InputError, match="expected an -o FILE for each --format but the last"):
            paired(formats, [Path(name) for name in outputs])
    assert paired([], []) == [("table", None)]
    assert paired([], [Path("a")]) == [("table", Path("a"))]


def test_report_formats_and_replay(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "grader" / "reference", tmp_path / "student")
    report = tmp_path / "report.json"
    done = grade(
        "peg1", "--format", "json", "-o", str(report), "--board", "german", "--board", "stuck", cwd=tmp_path
    )
    assert (done.returncode, done.stdout) == (0, "")
    data = json.loads(report.read_text())
    assert (data["schema"], data["score"], data["max_score"]) == ("peg-grade/v1", 2, 2)
    german, stuck = data["results"]
    assert list(german) == [
        "task", "board", "verdict", "pegs_left", "jumps", "unsolvable", "cpu_s", "wall_s", "peak_mib",
        "points", "max_points", "code", "facts", "message", "help", "command", "place", "pictures", "tier",
    ]  # fmt: skip
    assert german["jumps"] == [[0, 0, 0, 2]]
    assert (stuck["verdict"], stuck["pegs_left"], stuck["jumps"]) == ("accepted", 3, [])
    replay = grade("replay", "peg1", "german", cwd=tmp_path)
    assert replay.returncode == 0
    assert "jump 1 of 1: 0:0 -> 0:2" in replay.stdout
    assert "0 @ x + . . . . ." in replay.stdout
    assert grade("replay", cwd=tmp_path).stdout == "grade replay peg1 german\n"


@pytest.mark.slow
def test_what_the_report_says_to_type_can_be_typed(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "grader" / "reference", tmp_path / "mine")
    source = (tmp_path / "mine" / "peg1.py").read_text()
    (tmp_path / "mine" / "peg1.py").write_text(source.replace("push(stack", "push(stack, 0); push(stack"))
    shutil.copy(ROOT / "boards" / "german.txt", tmp_path / "my.txt")
    done = grade("peg1", "--student", "mine", "--board", "my.txt", cwd=tmp_path)
    assert done.returncode == 1
    commands = re.findall(r"(?:see it|see the board|again|then): grade (.*?)(?: {2,}|$)", done.stdout, re.M)
    assert len(commands) >= 2
    for command in commands:
        assert grade(*command.split(), cwd=tmp_path).returncode in (0, 1), command


@pytest.mark.slow
def test_a_report_can_go_to_what_is_no_plain_file(tmp_path: Path) -> None:
    done = grade("peg1", "--reference", "--board", "german", "--format", "json", "-o", "/dev/stdout")
    assert json.loads(done.stdout)["score"] == 1
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    done = grade("peg1", "--reference", "--board", "german", "-o", str(tmp_path / "link.json"))
    assert done.returncode == 0
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").is_file()


@pytest.mark.slow
def test_the_same_verdicts_cold_and_warm(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "grader" / "reference", tmp_path / "student")
    source = (tmp_path / "student" / "peg1.py").read_text()
    start, end = source.index("    play(board, row") - 20, source.index("return left")
    stub = '                        raise NotImplementedError("peg1: solve is not written yet; see it")\n'
    (tmp_path / "student" / "peg1.py").write_text(
        source[: source.rindex("\n", 0, start)] + "\n" + stub + source[end + 12 :]
    )
    reports = [json.loads(grade("peg1", "--format", "json", cwd=tmp_path).stdout) for _ in range(2)]
    cold, warm = (
        [(each["board"], each["verdict"], each["points"]) for each in report["results"]] for report in reports
    )
    assert cold == warm
    assert cold[0] == ("one-peg", "accepted", 1)
    assert cold[1] == ("one-jump", "not-written", 0)


@pytest.mark.slow
def test_a_private_set_of_boards(tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir()
    shutil.copy(ROOT / "boards" / "choice.txt", private / "secret.txt")
    (private / "index.yaml").write_text("boards: {secret: {solvable: true, fewest: 1, points: 7}}\n")
    done = grade("peg2", "--reference", "--boards", str(private), "--format", "json")
    assert done.returncode == 0
    (result,) = json.loads(done.stdout)["results"]
    assert (result["board"], result["points"], result["max_points"]) == ("secret", 7, 7)


def test_a_board_of_your_own_is_judged_by_the_engine(tmp_path: Path) -> None:
    shutil.copy(ROOT / "boards" / "stuck.txt", tmp_path / "mine.txt")
    done = grade("peg2", "--reference", "--board", str(tmp_path / "mine.txt"))
    assert done.returncode == 0
    assert "not known here" not in " ".join(done.stdout.split())
    assert "3 left" in done.stdout


def _documented_commands() -> list[Any]:
    """Return the commands in the blocks and tables of README.md and docs/, without what stands beside them.

    Left out are those that end when they are told to, the one that `make` runs, those for a class, which the
    handout "Set up a course in ten minutes" has (see test_course_handout.py), films (see test_film.py), sets of
    boards like those of a task (see test_like.py), the site (see test_site.py), wheels (see
    test_wheels.py) and variants (see test_variant.py).
    """
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    blocks = [block for page in pages for block in page.read_text("utf-8").split("```")[1::2]]
    lines = [line for block in blocks for line in block.splitlines() if re.match(r"grade\b", line)]
    rows = [
        command
        for page in pages
        for command in re.findall(r"(?m)^\| `(grade\b[^`]*)` \|", page.read_text("utf-8"))
    ]
    commands = dict.fromkeys([*(re.split(r"\s{2,}", line)[0] for line in lines), *rows])
    elsewhere = ("play", "watch", "class", "compare", "export", "film", "site", "variant")
    by_make = "grade all --reference"
    minutes = ("grade all", "grade analyze english", "grade experiment", "grade generate DIR --kind uns")
    return [
        pytest.param(each, marks=pytest.mark.whole if each.startswith(minutes) else ())
        for each in commands
        if not each.startswith(tuple(f"grade {name}" for name in elsewhere))
        and each != by_make
        and not {"--like", "--wheel"} & set(each.split())
    ]


@pytest.mark.slow
@pytest.mark.parametrize("command", _documented_commands())
def test_the_documented_commands(command: str, course: Path, tmp_path: Path) -> None:
    if command.startswith("grade experiment"):
        command += " --board english"  # as it stands it takes minutes
    command = command.replace("english --all", "few-arrow --all")  # the same
    places = {"DIR": str(tmp_path / "new"), "FILE": "report.json"}
    words = [places.get(word, word) for word in command.split()[1:]]
    if "--boards" in words:
        words[words.index("--boards") + 1] = "private"
    if "--student" in words:
        words[words.index("--student") + 1] = "student"
    done = grade(*words, cwd=ROOT if "--course" in words else course)
    assert done.returncode in (0, 1), done.stderr
    assert done.returncode == 0 or not words


@pytest.fixture(scope="session")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which every documented command can be typed."""
    folder = tmp_path_factory.mktemp("course")
    shutil.copytree(ROOT / "grader" / "reference", folder / "student")
    (folder / "private").mkdir()
    shutil.copy(ROOT / "boards" / "one-jump.txt", folder / "private" / "mine.txt")
    (folder / "private" / "index.yaml").write_text(
        "boards: {mine: {solvable: true, fewest: 1, forced: true}}\n"
    )
    shutil.copy(ROOT / "boards" / "german.txt", folder / "my.txt")
    assert grade("peg1", cwd=folder).returncode == 0
    return folder


# ---- the release, the wheel --------------------------------------------------------------------


@pytest.mark.slow
def test_a_release_starts_at_nought(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    assert grade("release", str(folder)).returncode == 0
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert {"README.md", "Makefile", "pyproject.toml", "student/peg5.py", "handouts/start.md"} <= names
    assert not [name for name in names if "reference" in name or "oracle" in name or "tests" in name]
    done = grade_in(folder, "all", cwd=folder)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == (
        "0 / 100   next: open student/client.py (handouts/client.md), then: grade client"
    )
    done = grade_in(folder, "all", "--reference", cwd=folder)
    said = "--reference: not part of this release\nhelp: leave the option out\n"
    assert (done.returncode, done.stderr) == (2, said)


@pytest.mark.slow
def test_the_wheel_works_from_any_folder(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        archive.extractall(tmp_path / "site")
    assert "grader/tasks.yaml" in names
    assert "grader/boards/index.yaml" in names
    assert not [name for name in names if name.startswith(("tests", "student"))]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    script = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r});"
        "import grader; assert 'site' in grader.__file__; from grader.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "peg1", "--reference"],
        cwd=elsewhere, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("peg1  15 / 15")


# ---- stopping it -------------------------------------------------------------------------------


# ---- the registry ------------------------------------------------------------------------------


def test_the_registry_adds_up() -> None:
    tasks = registry().tasks
    assert {name: task.max_points for name, task in tasks.items()} == {
        "client": 10, "peg1": 15, "peg2": 20, "peg3": 25, "peg4": 15, "peg5": 15,
        "lab10": 20, "fewest": 20, "examples": 10,
    }  # fmt: skip
    for task in tasks.values():
        assert (ROOT / task.handout).is_file()
        assert (ROOT / "student" / task.file).is_file()


def test_nohup_lasts() -> None:
    """A run whose parent has the signal ignored goes on when the terminal is closed."""
    asked = (
        "import signal, sys; from grader.cli import main; signal.signal(signal.SIGHUP, signal.SIG_IGN);"
        "sys.argv = ['grade', '--version']\ntry: main()\nexcept SystemExit: pass\n"
        "print(signal.getsignal(signal.SIGHUP).name, signal.getsignal(signal.SIGTERM).__name__)"
    )
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "SIG_IGN default_int_handler"


@pytest.mark.slow
def test_a_path_that_is_no_text_can_be_given_and_typed_again(tmp_path: Path) -> None:
    """As an unzip with another code page makes them: a student's folder, a class with a store, and a board set."""
    odd = tmp_path / os.fsdecode(b"J\xfcrgen's \\ set")
    for student in ("ada", os.fsdecode(b"J\xfcrgen")):
        (odd / "class" / student).mkdir(parents=True)
        shutil.copy(ROOT / "grader/reference/client.py", odd / "class" / student)
    for arguments, typed in (
        (["client", "--student", str(odd / "class/ada")], "grade peg1 --student "),
        (["generate", str(odd / "set"), "--kind", "solvable", "--pegs", "5", "--count", "1"], "--boards "),
        (["class", str(odd / "class"), "client"], ""),
    ):
        done = grade(*arguments)
        said = done.stdout + done.stderr
        assert done.returncode == 0 and r"J\xfcrgen" in said
        if typed:
            word = re.search(f"{typed}(\\$'.*')", said)
            assert word is not None
            there = subprocess.run(["bash", "-c", f"ls -d {word[1]}"], capture_output=True, check=True)
            assert there.stdout.startswith(os.fsencode(odd))


@pytest.mark.slow
def test_a_cache_whose_path_is_no_text_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """numba would fail in it, and the program would be blamed."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / os.fsdecode(b"caf\xe9")))
    done = grade("client", "--reference")
    assert done.returncode == 0 and "10 / 10" in done.stdout
    assert r"caf\xe9/peg-grade: numba needs a path in UTF-8; no result is kept" in done.stderr
