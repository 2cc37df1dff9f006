"""`grade doctor --course`: what a course forgot is told with its place and what to type; all of it."""

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from grader import paths
from grader.catalog.tasks import registry
from grader.errors import InputError
from grader.release.course_check import Course, check_course
from support.command import ROOT, grade


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Course:
    """Return a copy of the course, to take things away from."""
    for folder in (paths.BOARDS, paths.HANDOUTS, ROOT / "student", paths.REFERENCE):
        shutil.copytree(folder, tmp_path / folder.name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(paths.TASKS_FILE, tmp_path)
    monkeypatch.chdir(tmp_path)  # places are shown from here
    return Course(
        tmp_path / "tasks.yaml", tmp_path / "reference", tmp_path / "boards", tmp_path / "handouts",
        tmp_path / "student",
    )  # fmt: skip


def changed(file: str, old: str, new: str) -> int:
    """Change the only place of a file that has `old`, and return its line."""
    path = Path(file)
    text = path.read_text("utf-8")
    assert text.count(old) == 1, (file, old)
    path.write_text(text.replace(old, new), "utf-8")
    return text[: text.index(old)].count("\n") + 1


def line_of(file: str, text: str) -> int:
    """Return the first line of a file that has `text`."""
    return next(at for at, line in enumerate(Path(file).read_text("utf-8").splitlines(), 1) if text in line)


def only_fault(course: Course) -> tuple[str, str]:
    """Return the message and the help of the one fault of a course."""
    (fault,) = check_course(course).faults
    assert re.match(r"[\w/.-]+:\d+: |[\w/.-]+: cannot be read", fault.message)
    return fault.message, fault.help


def test_nothing_is_missing_here() -> None:
    done = grade("doctor", "--course")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(
        r"nothing is missing: \d+ tasks with \d+ checks, \d+ boards, a release of \d+ files\n"
        r"before you grade a class: grade generate SET --like peg4; see docs/private-boards.md\n",
        done.stdout,
    )


@pytest.mark.slow
def test_a_copy_is_whole(course: Course) -> None:
    assert check_course(course).faults == []


# ---- one thing taken away ------------------------------------------------------------------------


# What is gone or changed, each as a file, what it has once, and what it has instead; the message, in which LINE stands for
# the line of the first change, or of what is named last; and how the help begins.
GAPS = [
    ([("tasks.yaml", "hint: start from the search of peg1, and go back on a jump that does not win", "hint: ' '")],
     "tasks.yaml:LINE: peg2: expected what to do first, found nothing", "write one line; ", ""),
    ([("tasks.yaml", "    handout: handouts/peg2.md\n", "")],
     "tasks.yaml:LINE: tasks.peg2.handout: expected a text, found nothing", "add that field", "title: try every jump, and take it back"),
    ([("handouts/peg2.md", "", "")],
     "tasks.yaml:LINE: peg2: handouts/peg2.md cannot be read: No such file or directory", "write that page", "handout: handouts/peg2.md"),
    ([("handouts/peg3.md", "Which board enters your table first", "Which board comes first")],
     "handouts/peg3.md:1: expected the question Which board enters your table first on `dead-ends`?, found none", "put it after the goal, or change question in tasks.yaml", ""),
    ([("tasks.yaml", "first-tried, board: three-ways}", "first-tried, board: four-ways}"), ("handouts/peg4.md", "first on `three-ways`?", "first on `four-ways`?")],
     "tasks.yaml:LINE: peg4: no board 'four-ways'", "did you mean three-ways? ", ""),
    ([("tasks.yaml", "kind: first-tried", "kind: first-try")],
     "tasks.yaml:LINE: tasks.peg4.question.kind: no kind 'first-try'", "did you mean first-tried? kinds: first-taken-back, ", ""),
    ([("reference/peg2.py", "", "")],
     "reference/peg2.py: cannot be read: No such file or directory", "write the task's solution there", ""),
    ([("student/peg3.py", "# TODO(peg3): ", "# TODO: ")],
     "student/peg3.py:LINE: differs from what is cut from reference/peg3.py", "make stubs", ""),
    ([("student/peg3.py", "", "")],
     "student/peg3.py: cannot be read: No such file or directory", "make stubs", ""),
    ([("tasks.yaml", "{board: horseshoe, points: 4", "{board: horsesho, points: 4")],
     "tasks.yaml:LINE: peg3: no board 'horsesho'", "did you mean horseshoe?", ""),
    ([("tasks.yaml", "points: 100 ", "points: 105 ")],
     "tasks.yaml:LINE: points: expected 100, the sum of all tasks that are not extra, found 105", "correct that field, or the points of a task: client 10 + peg1 15 + peg2 20 + peg3 25", ""),
    ([("handouts/start.md", "| `peg2` | 20 | [try", "| `peg2` | 25 | [try")],
     "handouts/start.md:LINE: expected a row | `peg2` | 20 | [try every jump", "change that row, or peg2 in tasks.yaml", ""),
    *(([("tasks.yaml", "  # ref 0.07  plain 0.08  naive > 2: hours", reason)],
       f"tasks.yaml:LINE: peg3: key: why 2 s? expected behind it the times of the reference and of a naive program, found {reason.strip() or 'nothing'}",
       "python tests/bench/bench_limits.py peg3", "")
      for reason in ("", "  # ref 0.07", "  # as the others", "  # plain 0.08")),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("changes", "told", "helps", "place"), GAPS)
def test_what_a_course_forgot(
    changes: list[tuple[str, str, str]], told: str, helps: str, place: str, course: Course
) -> None:
    line = 0
    for file, old, new in reversed(changes):
        if old:
            line = changed(file, old, new)
        else:
            Path(file).unlink()
    if place:
        line = line_of("tasks.yaml", place)
    message, help = only_fault(course)
    assert message.startswith(told.replace("LINE", str(line)))
    assert help.startswith(helps)


@pytest.mark.slow
def test_a_solution_without_markers(course: Course) -> None:
    for name in ("reference/client.py", "student/client.py"):
        text = Path("reference/client.py").read_text("utf-8")
        bare = "".join(line for line in text.splitlines(True) if "SOLUTION" not in line)
        Path(name).write_text(bare, "utf-8")
    message, help = only_fault(course)
    assert (
        message == "reference/client.py:1: expected '# BEGIN SOLUTION what to do' in a function, found none"
    )
    assert help.endswith("they would get it all")


def test_a_solution_that_is_not_closed(course: Course) -> None:
    path = Path("reference/peg1.py")
    path.write_text(path.read_text("utf-8").replace("    # END SOLUTION\n", "", 1), "utf-8")
    assert only_fault(course)[0].startswith("reference/peg1.py:")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("listed", "board", "fact", "why"),
    [
        ("{board: key, points: 5", "key", "fewest", "peg3: answers on key cannot be judged: the fewest pegs"),
        ("{board: few-slab,", "few-slab", "moves", "fewest: answers on few-slab:any cannot be judged: moves has no any"),
    ],
)  # fmt: skip
def test_a_board_without_the_facts_its_task_needs(
    course: Course, listed: str, board: str, fact: str, why: str
) -> None:
    path = Path("boards/index.yaml")
    lines = path.read_text("utf-8").splitlines()
    at = next(
        at for at in range(lines.index(f"  {board}:"), len(lines)) if lines[at].startswith(f"    {fact}:")
    )
    del lines[at]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    messages = [fault.message for fault in check_course(course).faults]
    assert messages[0].startswith(f"tasks.yaml:{line_of('tasks.yaml', listed)}: {why}")
    if fact == "fewest":
        line = line_of("boards/index.yaml", f"  {board}:")
        assert messages[1] == f"boards/index.yaml:{line}: {board}: expected fewest, found nothing"


def test_reasons_above_the_list(course: Course) -> None:
    changed("tasks.yaml", "    # A forced line is at most 11 jumps: milliseconds for anybody.\n", "")
    messages = [fault.message for fault in check_course(course).faults]
    assert len(messages) == 14
    assert all(": peg1: " in message and "found nothing" in message for message in messages)


@pytest.mark.slow
def test_board_files_and_entries(course: Course) -> None:
    shutil.copy("boards/diamond.txt", "boards/extra.txt")
    assert (
        only_fault(course)[0] == "boards/extra.txt:1: has no entry in boards/index.yaml: nobody can name it"
    )
    Path("boards/extra.txt").rename("boards/other.txt")
    line = changed("boards/index.yaml", "\n  diamond:\n", "\n  other:\n") + 1
    told = [fault.message for fault in check_course(course).faults]
    assert told == ["boards/diamond.txt:1: has no entry in boards/index.yaml: nobody can name it"]
    Path("boards/other.txt").unlink()
    told = [fault.message for fault in check_course(course).faults]
    assert told[0] == f"boards/index.yaml:{line}: other has no file other.txt"


@pytest.mark.slow
def test_entries_that_are_not_true(course: Course) -> None:
    """Of a small board all is found out, of a large one the pegs and holes."""
    path = Path("boards/index.yaml")
    lines = path.read_text("utf-8").splitlines()
    wanted = []
    for board, field, said in (
        ("one-jump", "solvable", "false"), ("stuck", "fewest", "1"), ("plus", "pegs", "11"),
        ("plus", "forced", "true"), ("plus", "positions", "30"), ("english", "pegs", "33"), ("english", "holes", "32"),
    ):  # fmt: skip
        first = lines.index(f"  {board}:")
        at = next(at for at in range(first, len(lines)) if lines[at].startswith(f"    {field}: "))
        true = lines[at].split(": ")[1]
        lines[at] = f"    {field}: {said}"
        told = f"boards/index.yaml:{at + 1}: {board}: {field}: expected {true}, as on the board, found {said}"
        wanted.append((told, f"correct the entry, or {board}.txt: grade analyze {board}"))
    path.write_text("\n".join(lines) + "\n", "utf-8")
    told_of = [(fault.message, fault.help) for fault in check_course(course).faults]
    assert sorted(wanted) == sorted(each for each in told_of if "as on the board" in each[0])


def test_a_stub_that_imports_what_is_not_there(course: Course) -> None:
    for name in ("reference/peg2.py", "student/peg2.py"):
        path = Path(name)
        text = path.read_text("utf-8").replace("from peg1 import ", "from peg1 import jumped, ", 1)
        path.write_text(
            text.replace(
                "from framework.stack import", "from peg3 import search\nfrom framework.stack import"
            ),
            "utf-8",
        )
    told = [fault.message.partition(": ")[2] for fault in check_course(course).faults]
    assert told == [
        "imports jumped from peg1, which has no jumped",
        "imports peg3, which is not among the task's files, client.py, peg1.py, peg2.py",
    ]


@pytest.mark.slow
def test_a_task_that_the_readme_and_the_zoo_lack(course: Course, tmp_path: Path) -> None:
    readme, zoo = tmp_path / "README.md", tmp_path / "zoo"
    rows = [
        f"| [{task.name}]({task.handout}) | text | {task.max_points} |" for task in registry().tasks.values()
    ]
    for task in registry().tasks:
        (zoo / task).mkdir(parents=True)
        (zoo / task / "zoo.yaml").write_text(f"task: {task}\n", "utf-8")
    readme.write_text("\n".join(rows), "utf-8")
    asked = replace(course, readme=readme, zoo=zoo)
    assert check_course(asked).faults == []
    shutil.rmtree(zoo / "peg2")
    readme.write_text("\n".join([*rows[:2], rows[2].replace("20 |", "25 |"), *rows[4:]]), "utf-8")
    wrong = rows[2].replace("20 |", "25 |")
    assert [fault.message for fault in check_course(asked).faults] == [
        f"README.md:3: expected a row with [peg2](handouts/peg2.md) and 20 points, found {wrong}",
        "zoo: no row has task: peg2",
        "README.md:8: expected a row with [peg3](handouts/peg3.md) and 25 points, found none",
    ]


# ---- all of it -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_everything_is_told_at_once(course: Course) -> None:
    changes: list[Callable[[], object]] = [
        lambda: changed("tasks.yaml", "points: 100 ", "points: 105 "),
        lambda: changed("tasks.yaml", "  # ref 0.07  plain 0.08  naive > 2: hours", ""),
        lambda: Path("handouts/peg4.md").unlink(),
        lambda: Path("student/peg2.py").unlink(),
        lambda: shutil.copy("boards/key.txt", "boards/extra.txt"),
    ]
    for change in changes:
        change()
    assert len(check_course(course).faults) == len(changes)


def test_a_registry_that_is_no_yaml(course: Course) -> None:
    Path("tasks.yaml").write_text("tasks: [", "utf-8")
    with pytest.raises(InputError, match=r"tasks\.yaml:2:1: "):
        check_course(course)


@pytest.mark.slow
def test_the_command_fails(tmp_path: Path) -> None:
    """In a folder without stubs: the next command makes them."""
    done = grade("doctor", "--course", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, "")
    assert done.stdout.startswith(
        "student/client.py: cannot be read: No such file or directory\n  help: make stubs\n"
    )
    assert done.stdout.endswith(f"{len(registry().tasks)} to fix; then again: grade doctor --course\n")
