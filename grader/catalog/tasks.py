"""Read and check the registry of tasks, `tasks.yaml`, the only place that lists them."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePath
from typing import Any

from grader import paths
from grader.catalog import yaml_file
from grader.catalog.boards import NamedBoard, course_boards
from grader.catalog.yaml_file import Fields
from grader.errors import InputError, unknown

SCHEMA = "peg-tasks/v1"
# The questions that students answer before they write a program, for `grade predict` and the handouts.
QUESTIONS = {
    "first-taken-back": "Which jump does your search take back first on `{board}`?",
    "first-recorded": "Which board enters your table first on `{board}`?",
    "first-tried": "Which jump does your search try first on `{board}`?",
    "can-win": "How many boards will `fill_winning` find if it goes back one jump on `{board}`?",
}
COMPARED = "english"  # the board on which the states of searches with a table are compared


@dataclass(frozen=True)
class Check:
    """One check of a task."""

    board: str  # the board's name; for a check without a board, what it tests
    points: int
    cpu_s: float  # the limit in CPU seconds
    # which question is asked, in tasks that ask several about a board; see `grader.judging.kinds`
    variant: str = ""
    # another check of the task, which must be passed, too, for the points; empty if none must
    beside: str = ""
    others: tuple[str, ...] = ()  # boards of which three quarters must be solved, too, each within the limit

    @property
    def boards(self) -> tuple[str, ...]:
        """The names of all its boards."""
        return (self.board, *self.others)

    @property
    def name(self) -> str:
        """The check's name, as shown and typed: `BOARD` or `BOARD:VARIANT`."""
        return f"{self.board}:{self.variant}" if self.variant else self.board


@dataclass(frozen=True)
class Question:
    """A question about what a program will do on a small board; its kind is one of QUESTIONS."""

    kind: str
    board: str

    @property
    def words(self) -> str:
        """The question, as on the handout: in Markdown."""
        return QUESTIONS[self.kind].format(board=self.board)


@dataclass(frozen=True)
class Task:
    """One task."""

    name: str
    title: str
    kind: str  # what is asked and how answers are judged; see `grader.judging.kinds`
    # the student's files that the task may use: the client first, the task's own file last
    files: tuple[str, ...]
    table: bool  # whether `peg_solve` takes a hash table as third argument
    cpu_s: float  # the limit in CPU seconds for a board that the task does not list
    memory_mib: int  # the limit on resident memory in MiB
    handout: str
    hint: str  # what to do first
    checks: tuple[Check, ...]
    # whether it is an extra task, which `all` leaves out, and whose points are not in the total
    extra: bool = False
    question: Question | None = None
    # how many states the reference gives up on COMPARED; None if that is not compared
    states: int | None = None

    @property
    def file(self) -> str:
        """The student's file for the task."""
        return self.files[-1]

    @property
    def module(self) -> str:
        """The name under which that file is imported."""
        return PurePath(self.file).stem

    @property
    def max_points(self) -> int:
        """The points of the whole task."""
        return sum(check.points for check in self.checks)


@dataclass(frozen=True)
class Asked:
    """A check, as run on a submission."""

    check: Check
    board: NamedBoard | None
    task: Task
    debug: bool  # whether it runs as plain Python
    time_factor: float = 1.0  # the factor that is in the check's limit, for a slower or faster machine
    others: tuple[NamedBoard, ...] = ()  # of the check

    @property
    def the_board(self) -> NamedBoard:
        """The board of a check that has one."""
        assert self.board is not None
        return self.board

    @property
    def may_miss(self) -> int:
        """How many of the others may fail: a quarter, so that no board decides alone."""
        return len(self.others) // 4

    @property
    def is_hidden(self) -> bool:
        """Whether students may not see the board."""
        return self.board is not None and self.board.hidden


@dataclass(frozen=True)
class Debug:
    """Which boards `-d` runs by default, and for how long: those that plain Python can search in time."""

    max_positions: int  # the most distinct positions a board may have
    cpu_s: float  # the limit in CPU seconds

    def takes(self, board: NamedBoard) -> bool:
        """Return whether a board is known to have so few positions that plain Python finishes in time."""
        return board.facts.positions is not None and board.facts.positions <= self.max_positions


@dataclass(frozen=True)
class Registry:
    """All tasks, in the order in which students work on them."""

    tasks: dict[str, Task]
    debug: Debug
    # small boards on which new code is run once, so that it is compiled before it is timed
    compile_boards: tuple[str, ...]

    def find(self, name: str) -> Task:
        """Return the task called `name`, or raise InputError."""
        if name not in self.tasks:
            raise self._unknown(name)
        return self.tasks[name]

    def _unknown(self, name: str) -> InputError:
        """Return the error for an unknown task, which may be a file, a task in capitals, or a misspelling."""
        if name == "all":
            return InputError("expected one task, found all", f"tasks: {', '.join(self.tasks)}")
        listed = f"tasks: {', '.join(self.tasks)}, all"
        if name == "help":
            return InputError("no task 'help'", "for usage: grade --help")
        meant = PurePath(name).name.removesuffix(".py").lower()
        if meant in self.tasks:
            return InputError(f"no task {name!r}", f"did you mean {meant}? {listed}")
        if begun := [task for task in self.tasks if len(meant) > 2 and task.startswith(meant)]:
            return InputError(f"no task {name!r}", f"did you mean {begun[0]}? {listed}")
        # For a name like peg7, no task is nearer than the others.
        known = [] if re.fullmatch(r"(?i)peg\d", name) else [*self.tasks, "all"]
        return unknown("task", name, known, listed)


@cache
def registry() -> Registry:
    """Return the registry of the course."""
    return read_registry(paths.TASKS_FILE)


def chosen_tasks(names: Sequence[str], commands: Sequence[str] = ()) -> list[Task]:
    """Return the tasks called `names` in the registry's order; `all` means those that are not extra.

    Args:
        commands: the commands; the first name may be a misspelling of one of them.

    Raises:
        InputError: a name is not a task; the help says what to type instead.
    """
    known = registry()
    tasks = [*known.tasks, "all"]
    near = difflib.get_close_matches(names[0], [*tasks, *commands], n=1)
    if names[0] not in tasks and not _is_board(names[0]) and near and near[0] in commands:
        raise InputError(
            f"no command or task {names[0]!r}", f"did you mean {near[0]}? to list the commands: grade --help"
        )
    _check_no_boards(names)
    wanted = {known.find(name).name for name in names if name != "all"}
    return [
        task for name, task in known.tasks.items() if name in wanted or ("all" in names and not task.extra)
    ]


def _check_no_boards(names: Sequence[str]) -> None:
    """Raise InputError, with what to type instead, if boards are given where tasks are expected."""
    tasks = [name for name in names if name in registry().tasks]
    others = [name for name in names if name not in tasks]
    boards = [name for name in others if _is_board(name)]
    if boards:
        with_it = [
            task.name
            for task in registry().tasks.values()
            if any(check.board == boards[0] for check in task.checks)
        ]
        command = " ".join(["grade", *(tasks or with_it[:1] or ["TASK"])])
        options = "".join(f" --board {board}" for board in boards)
        raise InputError(f"{boards[0]} is a board, not a task", f"{command}{options}")


def _is_board(name: str) -> bool:
    return name.endswith(".txt") or course_boards().find(name) is not None


def has_earlier_search(task: Task) -> bool:
    """Return whether a task's program imports that of an earlier task, whose search uses a hash table."""
    return any(other.table and other.file in task.files[:-1] for other in registry().tasks.values())


def task_after(tasks: Sequence[Task]) -> str:
    """Return the name of the task that comes after the last of `tasks`; empty if there is none."""
    names = [name for name, task in registry().tasks.items() if not task.extra or task is tasks[-1]]
    return "".join(names[names.index(tasks[-1].name) + 1 :][:1])


def read_registry(file: Path) -> Registry:
    """Return the registry in a YAML file, or raise InputError."""
    loaded = yaml_file.read_mapping(file, "see grader/tasks.yaml of the project")
    schema = loaded.field("schema", str)
    if schema != SCHEMA:
        problem = f"expected {SCHEMA}, found {yaml_file.shown(schema)}"
        raise loaded.fault("schema", problem, "use a registry of this version")
    debug, tasks = loaded.mapping("debug"), loaded.mapping("tasks")
    return Registry(
        {str(name): read_task(name, tasks) for name in tasks},
        Debug(debug.field("max_positions", int), debug.field("cpu_s", float)),
        tuple(map(str, loaded.field("compile_boards", list))),
    )


def read_task(name: Any, tasks: Fields) -> Task:
    """Return the task called `name`, from the mapping `tasks` of a registry's file, or raise InputError."""
    entry = tasks.mapping(name, "see the other tasks")
    entry.field("boards", list)
    return Task(
        name=str(name),
        title=entry.field("title", str),
        kind=entry.field("kind", str),
        files=tuple(entry.field("files", list)),
        table=entry.field("table", bool),
        cpu_s=entry.field("cpu_s", float),
        memory_mib=entry.field("memory_mib", int),
        handout=entry.field("handout", str),
        hint=entry.field("hint", str),
        checks=tuple(_check(check) for check in entry.mappings("boards", "see the other boards")),
        extra=entry.optional("extra", bool) or False,
        question=_question(entry),
        states=entry.optional("states", int),
    )


def _question(task: Fields) -> Question | None:
    """Return the question of a task's entry in the registry; None if it has none.

    Raises:
        InputError: it has no known kind, or no board.
    """
    if task.optional("question", dict) is None:
        return None
    entry = task.mapping("question")
    kind = entry.field("kind", str)
    if kind not in QUESTIONS:
        wrong = unknown("kind", kind, QUESTIONS, f"kinds: {', '.join(QUESTIONS)}")
        raise entry.fault("kind", wrong.message, wrong.help)
    return Question(kind, entry.field("board", str))


def _check(entry: Fields) -> Check:
    return Check(
        board=entry.field("board", str),
        points=entry.field("points", int),
        cpu_s=entry.field("cpu_s", float),
        variant=entry.optional("variant", str) or "",
        beside=entry.optional("beside", str) or "",
        others=tuple(map(str, entry.optional("others", list) or ())),
    )
