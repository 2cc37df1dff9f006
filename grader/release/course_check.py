"""Check a course for gaps: compare its tasks, pages, solutions, stubs and boards with one another.

Each fault is reported with its place and the next command to type. Whether the reference earns full marks
is checked by `grade all --reference`, not here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from framework.board import BLOCKED, Board, count_pegs
from framework.rules import fewest_of
from grader import paths
from grader.catalog.boards import BoardSet, find_board, read_board_file
from grader.catalog.tasks import Check, Task, read_registry, read_task
from grader.catalog.yaml_file import Fields, as_yaml, read_mapping
from grader.errors import InputError
from grader.judging import kinds
from grader.judging.holes import Reachable, TooManyPositions
from grader.messages import catalogue
from grader.release.release import stub_of, wrong_imports

START = "start.md"  # the page with the points of every task
FACTS = ("teaches", "pegs", "holes", "solvable", "fewest", "forced")  # required of each board
MOST_POSITIONS = 1_000  # a few milliseconds; larger boards are held to their facts by `make facts`
REASON = re.compile(r"milliseconds|\bref (> )?[\d.]+[^\w.]+\w")  # the reference's time, and then more text


@dataclass(frozen=True)
class Course:
    """The paths of a course's parts."""

    tasks_file: Path = paths.TASKS_FILE
    reference: Path = paths.REFERENCE
    boards: Path = paths.BOARDS
    handouts: Path = paths.HANDOUTS
    student: Path = Path("student")
    # the project's README.md; it is not asked for where there is none
    readme: Path = paths.PACKAGE.parent / "README.md"
    # the folder of wrong programs; it is not asked for, either, where there is none
    zoo: Path = paths.PACKAGE.parent / "tests" / "zoo"


@dataclass(frozen=True)
class Checked:
    """How many tasks, checks and boards were checked, and the faults that were found."""

    tasks: int
    checks: int
    boards: int
    faults: list[InputError]


def check_course(course: Course) -> Checked:
    """Check the whole course; return the faults, and how much was checked.

    Raises:
        InputError: the registry or the index of the boards cannot be read.
    """
    registry = read_mapping(course.tasks_file, "see grader/tasks.yaml of the project")
    boards = BoardSet(course.boards)
    tasks, faults = _tasks(registry)
    if not faults:
        read_registry(course.tasks_file)  # checks the registry's other fields
        faults += _points(tasks, registry)
    for task in tasks:
        faults += _task(course, task, boards, registry)
    faults += _board_files(course, boards)
    try:
        catalogue.entries()
    except InputError as error:
        faults.append(error)
    return Checked(len(tasks), sum(len(task.checks) for task in tasks), len(boards.names), faults)


def _tasks(registry: Fields) -> tuple[list[Task], list[InputError]]:
    """Return the tasks that can be read, and the faults of the others."""
    tasks, faults = [], []
    entries = registry.mapping("tasks")
    for name in entries:
        try:
            task = read_task(name, entries)
            kinds.of(task)
            tasks.append(task)
        except InputError as error:
            faults.append(error)
    return tasks, faults


def _task(course: Course, task: Task, boards: BoardSet, registry: Fields) -> Iterator[InputError]:
    if not task.hint.strip():
        yield InputError(
            f"{registry.place('tasks', task.name, 'hint')}: {task.name}: expected what to do first, found "
            "nothing",
            "write one line; it is shown below a check that is not written yet",
        )
    yield from _code(course, task)
    for number, check in enumerate(task.checks):
        yield from _facts(task, check, boards, registry.place("tasks", task.name, "boards", number))
        yield from _reason(task, number, registry)
    yield from _page(course, task, registry)
    yield from _question(course, task, boards, registry)
    yield from _rows(course, task)


# ---- solutions and stubs -------------------------------------------------------------------------


def _code(course: Course, task: Task) -> Iterator[InputError]:
    """Yield a fault if a task's solution has no markers, or if its stub differs from what is cut from it."""
    solution, stub = course.reference / task.file, course.student / task.file
    try:
        cut = stub_of(task, course.reference)
    except InputError as error:
        yield error
        return
    if f"TODO({task.module}): " not in cut:
        yield InputError(
            f"{paths.shown(solution)}:1: expected '# BEGIN SOLUTION what to do' in a function, found none",
            "put it and '# END SOLUTION' around what students must write, or they would get it all",
        )
    help = "make stubs"
    try:
        lines = stub.read_text("utf-8").split("\n")
    except OSError as error:
        yield InputError(f"{paths.shown(stub)}: cannot be read: {error.strerror}", help)
        return
    wanted = cut.split("\n")
    if lines != wanted:
        differing = (at for at, (one, two) in enumerate(zip(lines, wanted, strict=False), 1) if one != two)
        line = next(differing, min(len(lines), len(wanted)))
        problem = f"differs from what is cut from {paths.shown(solution)}"
        yield InputError(f"{paths.shown(stub)}:{line}: {problem}", help)
    yield from wrong_imports(task, course.student)


# ---- points and limits ---------------------------------------------------------------------------


def _points(tasks: list[Task], registry: Fields) -> Iterator[InputError]:
    """Yield a fault if the registry's `points` is not the sum of the points of all non-extra tasks."""
    said = registry.optional("points", int)
    points = {task.name: task.max_points for task in tasks if not task.extra}
    if said != sum(points.values()):
        each = " + ".join(f"{name} {count}" for name, count in points.items())
        yield InputError(
            f"{registry.place('points')}: points: expected {sum(points.values())}, the sum of all tasks that "
            f"are not extra, found {'nothing' if said is None else said}",
            f"correct that field, or the points of a task: {each}",
        )


def _reason(task: Task, number: int, registry: Fields) -> Iterator[InputError]:
    """Yield a fault if no comment, after the check or above its list, gives the reason for its time limit."""
    listed, check = ("tasks", task.name, "boards"), task.checks[number]
    lines = registry.file.read_text("utf-8").splitlines()
    line, column = registry["tasks"][task.name]["boards"][number].end
    rest = lines[line][column:].strip()
    behind = rest if rest.startswith("#") else ""
    first = last = registry.line_of(*listed) - 1
    while first > 0 and lines[first - 1].lstrip().startswith("#"):
        first -= 1
    above = " ".join(each.strip(" #") for each in lines[first:last])
    if not REASON.search(behind) and not REASON.search(above):
        yield InputError(
            f"{registry.place(*listed, number)}: {task.name}: {check.name}: why {check.cpu_s:g} s? expected "
            f"behind it the times of the reference and of a naive program, found {behind or 'nothing'}",
            f"python tests/bench/bench_limits.py {task.name}, then write: # ref 0.03  naive 0.15",
        )


# ---- boards --------------------------------------------------------------------------------------


def _facts(task: Task, check: Check, boards: BoardSet, place: str) -> Iterator[InputError]:
    """Yield a fault for each board of a check that does not exist, or on which answers cannot be judged."""
    kind = kinds.of(task)
    for name in check.boards if kind.has_board(check) else ():
        try:
            board = find_board(name, boards)
        except InputError as error:
            yield InputError(f"{place}: {task.name}: {error.message}", error.help)
            continue
        why = kind.lacks(check, board)
        if why:
            yield InputError(
                f"{place}: {task.name}: answers on {replace(check, board=name).name} cannot be judged: {why}",
                f"add the output of this command to boards/index.yaml: grade analyze {name}",
            )


def _board_files(course: Course, boards: BoardSet) -> Iterator[InputError]:
    """Yield a fault for each index entry that lacks a file or a fact, and for each file without an entry."""
    index = course.boards / "index.yaml"
    said = read_mapping(index, "a folder of boards needs an index.yaml")
    for name in boards.names:
        place = said.place("boards", name)
        if not (course.boards / f"{name}.txt").is_file():
            yield InputError(
                f"{place}: {name} has no file {name}.txt",
                "draw it there, see handouts/notation.md, or remove the entry",
            )
            continue
        entry = said["boards"][name]
        lacking = [field for field in FACTS if entry.get(field) is None]
        if lacking:
            yield InputError(
                f"{place}: {name}: expected {', '.join(lacking)}, found nothing",
                f"add there the output of: grade analyze {name}",
            )
        try:
            truth = _truth(read_board_file(course.boards / f"{name}.txt"), entry.get("ends") is not None)
        except InputError as error:
            yield error
            continue
        for field, true in truth.items():
            found = entry.get(field)
            if found not in (None, true):
                yield InputError(
                    f"{said.place('boards', name, field)}: {name}: {field}: expected {as_yaml(true)}, as on "
                    f"the board, found {as_yaml(found)}",
                    f"correct the entry, or {name}.txt: grade analyze {name}",
                )
    for path in sorted(course.boards.glob("*.txt")):
        if path.stem not in boards.names:
            yield InputError(
                f"{paths.shown(path)}:1: has no entry in {paths.shown(index)}: nobody can name it",
                f"remove the file, or add an entry with the output of: grade analyze {paths.shown(path)}",
            )


def _truth(board: Board, anywhere: bool) -> dict[str, int | bool]:
    """Return the numbers of pegs and holes and, of a small board, what its positions tell.

    Args:
        anywhere: whether its games may end on every hole, not only on a goal of the course.
    """
    truth: dict[str, int | bool] = {"pegs": count_pegs(board), "holes": int((board != BLOCKED).sum())}
    try:
        known = Reachable(board, MOST_POSITIONS)
    except TooManyPositions:
        return truth
    wins = known.fewest == 1 if anywhere else known.start in known.winning
    return truth | {
        "solvable": wins,
        "fewest": fewest_of(known.fewest, wins),
        "forced": known.forced,
        "positions": len(known.after),
    }


# ---- pages ---------------------------------------------------------------------------------------


def start_row(task: Task) -> str:
    """Return the row of a task on the start page."""
    return f"| `{task.name}` | {task.max_points} | [{task.title}]({PurePosixPath(task.handout).name}) |"


def _page(course: Course, task: Task, registry: Fields) -> Iterator[InputError]:
    """Yield a fault if a task has no page, or if the start page states other points."""
    page, start = course.handouts / PurePosixPath(task.handout).name, course.handouts / START
    try:
        page.read_bytes()
    except OSError as error:
        place = registry.place("tasks", task.name, "handout")
        yield InputError(
            f"{place}: {task.name}: {paths.shown(page)} cannot be read: {error.strerror}",
            "write that page; handouts/peg1.md shows what students look for in one",
        )
    try:
        lines = start.read_text("utf-8").splitlines()
    except OSError as error:
        yield InputError(f"{paths.shown(start)}: cannot be read: {error.strerror}", "write that page")
        return
    if start_row(task) not in lines:
        begins = f"| `{task.name}` | "
        there = ((at, line) for at, line in enumerate(lines, 1) if line.startswith(begins) and "](" in line)
        number, found = next(there, (len(lines), "none"))
        yield InputError(
            f"{paths.shown(start)}:{number}: expected a row {start_row(task)}, found {found}",
            f"change that row, or {task.name} in tasks.yaml",
        )


def _question(course: Course, task: Task, boards: BoardSet, registry: Fields) -> Iterator[InputError]:
    """Yield a fault if the question to answer first has no board, or is not on the task's page."""
    if task.question is None:
        return
    place = registry.place("tasks", task.name, "question")
    try:
        find_board(task.question.board, boards)
    except InputError as error:
        yield InputError(f"{place}: {task.name}: {error.message}", error.help)
    page = course.handouts / PurePosixPath(task.handout).name
    if page.is_file() and task.question.words not in " ".join(page.read_text("utf-8").split()):
        yield InputError(
            f"{paths.shown(page)}:1: expected the question {task.question.words}, found none",
            "put it after the goal, or change question in tasks.yaml",
        )


def _rows(course: Course, task: Task) -> Iterator[InputError]:
    """Yield a fault if the README's table or the zoo lacks a task.

    An installed grader has neither; then nothing is asked for.
    """
    readme, zoo = course.readme, course.zoo
    if readme.is_file():
        lines = readme.read_text("utf-8").splitlines()
        link = f"[{task.name}]({task.handout})"
        rows = [at for at, line in enumerate(lines, 1) if line.startswith("| [")]
        named = [at for at in rows if link in lines[at - 1]]
        points = re.compile(rf"\b{task.max_points}\b")
        if not any(points.search(lines[at - 1].rstrip("| ").rpartition("|")[2]) for at in named):
            place = (named or rows[-1:] or [len(lines)])[0]
            found = lines[place - 1] if named else "none"
            yield InputError(
                f"{paths.shown(readme)}:{place}: expected a row with {link} and {task.max_points} points, "
                f"found {found}",
                "correct that row" if named else "add one to the table of the tasks",
            )
    if zoo.is_dir():
        begins = re.compile(rf"^task: {re.escape(task.name)}\b", re.MULTILINE)
        if not any(begins.search(row.read_text("utf-8")) for row in sorted(zoo.glob("*/zoo.yaml"))):
            yield InputError(
                f"{paths.shown(zoo)}: no row has task: {task.name}",
                f"add {paths.shown(zoo)}/NAME/zoo.yaml with a wrong program and the verdict that it must get",
            )
