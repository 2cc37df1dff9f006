"""Store a class in one SQLite file: students, attempts and results.

Every change is a transaction, so nothing is damaged if the run is killed or the disk is full. `store.sql`
describes the tables.
"""

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from types import TracebackType
from typing import Any

from grader import paths
from grader.course.records import Attempt, Student
from grader.course.result_text import format_result, parse_result
from grader.errors import InputError
from grader.reports.provenance import Provenance
from grader.result import Result, Verdict

SCHEMA = 2
TO_THIS = (  # what a store of schema 1 lacks
    "ALTER TABLE attempts ADD COLUMN slips TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE sources ADD COLUMN raw TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE sources ADD COLUMN missing INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE graded ADD COLUMN made TEXT NOT NULL DEFAULT ''",
)
NAME = "class.sqlite"


@dataclass(frozen=True)
class Sources:
    """The files that one attempt has for a task.

    Attributes:
        files: each file's text by its name; empty if there is a problem.
        problem: why the files cannot be used, or empty.
        help: what to do about it.
        raw: if there is a problem, a digest of the files' bytes; empty if there are none.
        missing: whether the problem is that a file was not handed in.
    """

    files: Mapping[str, str]
    problem: str = ""
    help: str = ""
    raw: str = ""
    missing: bool = False

    @property
    def digest(self) -> str:
        """A digest that identifies the sources."""
        of_problem = [text for text in (self.raw, "missing" * self.missing) if text]
        whole = json.dumps([sorted(self.files.items()), self.problem, self.help, *of_problem])
        return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@dataclass(frozen=True)
class Setting:
    """Everything that a task's grading depends on besides the sources.

    Attributes:
        task: the task's name.
        parts: the digest or the value of each part that can change, by the part's name.
    """

    task: str
    parts: Mapping[str, str]

    @property
    def digest(self) -> str:
        """A digest that identifies the setting."""
        whole = json.dumps([self.task, sorted(self.parts.items())])
        return hashlib.sha256(whole.encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Todo:
    """Sources to grade for a task under a setting, both identified by their digests."""

    task: str
    sources: str
    setting: str


@dataclass(frozen=True)
class Graded:
    """The outcome of grading sources for a task."""

    todo: Todo
    tier: int
    time_factor: float
    results: Sequence[Result]
    made: Provenance | None = None

    @property
    def points(self) -> int:
        """The points of all its checks."""
        return sum(result.points for result in self.results)


class ClassStore:
    """An open store; use it in a `with` block, from one thread."""

    def __init__(self, folder: Path, create: bool = False) -> None:
        """Open the store in `folder`.

        Args:
            folder: the folder of a class run.
            create: whether to create it if it is missing, and to lock out a second run.

        Raises:
            InputError: the store is missing, is not a class store, has a newer schema, or is locked by
                another run.
        """
        self.file = folder / NAME
        self._lock: int | None = None
        if not create and not self.file.is_file():
            raise InputError(
                f"{paths.shown(folder)}: expected a folder that `grade class` made, found no {NAME} in it",
                "give the folder that the last line of `grade class` names",
            )
        try:
            if create:
                folder.mkdir(parents=True, exist_ok=True)
                self._lock = _hold(folder / f".{NAME}.lock")
            self._db = sqlite3.connect(self.file, isolation_level=None, timeout=60)
        except (OSError, sqlite3.Error) as error:
            self._release()
            raise _unusable(self.file, error) from None
        try:
            self._prepare(create)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "ClassStore":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if isinstance(error, sqlite3.DatabaseError) and _says_damaged(error):  # noticed while reading
            raise _unusable(self.file, error) from None

    def close(self) -> None:
        """Close the store, and unlock it for the next run."""
        self._db.close()
        self._release()

    def _release(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _prepare(self, create: bool) -> None:
        try:
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if version > SCHEMA:
                raise InputError(
                    f"{paths.shown(self.file)}: expected a store of schema {SCHEMA} or less, found {version}",
                    "it was written by a newer grader: install that version; nothing was changed",
                )
            if 0 < version < SCHEMA:
                with self.transaction():
                    for statement in (*TO_THIS, f"PRAGMA user_version = {SCHEMA}"):
                        self._db.execute(statement)
            self._db.execute("PRAGMA foreign_keys = ON")
            if not create:
                self._db.execute("PRAGMA query_only = ON")
                return
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")  # a crash of the machine may lose the last second
            if version == 0:
                made = resources.files("grader.course").joinpath("store.sql").read_text("utf-8")
                with self.transaction():
                    for statement in _statements(made):
                        self._db.execute(statement)
                    self._db.execute(f"PRAGMA user_version = {SCHEMA}")
        except sqlite3.Error as error:
            raise _unusable(self.file, error) from None

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Make the changes of the block completely or not at all.

        Raises:
            InputError: the store cannot be written, for example because the disk is full; earlier data stay.
        """
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                if self._db.in_transaction:  # SQLite itself rolls back when the disk is full
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise _unusable(self.file, error) from None

    # ---- writing ---------------------------------------------------------------------------------

    def take_class(
        self,
        students: Iterable[Student],
        attempts: Iterable[tuple[Attempt, Mapping[str, Sources]]],
        settings: Sequence[Setting],
    ) -> None:
        """Replace the stored class with the current one; results are kept.

        Args:
            students: all students.
            attempts: all attempts, each with its sources by task.
            settings: the setting of each task of the run, in order.
        """
        with self.transaction() as db:
            for table in ("answers", "attempts", "students", "tasks"):
                db.execute(f"DELETE FROM {table}")
            db.executemany(
                "INSERT INTO students VALUES (?, ?, ?, ?, ?, ?)",
                ((s.id, s.name, s.email, s.section, s.on_roster, s.platform_id) for s in students),
            )
            for attempt, by_task in attempts:
                handed_in = attempt.handed_in and attempt.handed_in.astimezone(UTC).isoformat()
                db.execute(
                    "INSERT INTO attempts VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (attempt.student, attempt.number, handed_in, attempt.place, attempt.problem,
                     attempt.help, attempt.late_by_platform, json.dumps(attempt.slips)),
                )  # fmt: skip
                for task, sources in by_task.items():
                    db.execute(
                        "INSERT OR IGNORE INTO sources VALUES (?, ?, ?, ?, ?, ?)",
                        (sources.digest, json.dumps(dict(sources.files)), sources.problem, sources.help,
                         sources.raw, sources.missing),
                    )  # fmt: skip
                    db.execute(
                        "INSERT INTO answers VALUES (?, ?, ?, ?)",
                        (attempt.student, attempt.number, task, sources.digest),
                    )
            for position, setting in enumerate(settings):
                db.execute(
                    "INSERT OR IGNORE INTO settings VALUES (?, ?, ?)",
                    (setting.digest, setting.task, json.dumps(dict(setting.parts))),
                )
                db.execute("INSERT INTO tasks VALUES (?, ?, ?)", (setting.task, position, setting.digest))

    def want_again(self, students: Iterable[str], tasks: Iterable[str]) -> int:
        """Mark the results of these students in these tasks to be graded again; return their number."""
        with self.transaction() as db:
            before = db.total_changes
            for student in students:
                for task in tasks:
                    db.execute(
                        "UPDATE graded SET again = 1 WHERE again = 0 AND id IN "
                        "(SELECT graded FROM standing WHERE student = ? AND task = ?)",
                        (student, task),
                    )
            return db.total_changes - before

    def todo(self, counted: Mapping[str, Iterable[int]]) -> list[list[Todo]]:
        """Return the sources still to be graded, grouped by attempt; sources that attempts share come once.

        Args:
            counted: the numbers of the attempts that may count, by student.
        """
        found: set[Todo] = set()
        by_attempt = []
        wanted = [(student, number) for student, numbers in counted.items() for number in numbers]
        for student, number in wanted:
            rows = self._db.execute(
                "SELECT standing.task, standing.sources, tasks.setting FROM standing "
                "JOIN tasks ON tasks.name = standing.task "
                "WHERE student = ? AND number = ? AND again ORDER BY standing.position",
                (student, number),
            )
            new = [todo for row in rows if (todo := Todo(*row)) not in found]
            found.update(new)
            if new:
                by_attempt.append(new)
        return by_attempt

    def keep(self, graded: Graded) -> None:
        """Save the outcome of one grading; it replaces an earlier outcome."""
        todo, results = graded.todo, graded.results
        again = any(result.verdict == Verdict.GRADER_ERROR for result in results)
        with self.transaction() as db:
            db.execute(
                "DELETE FROM graded WHERE task = ? AND sources = ? AND setting = ?",
                (todo.task, todo.sources, todo.setting),
            )
            added = db.execute(
                "INSERT INTO graded VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (todo.task, todo.sources, todo.setting, graded.tier, graded.time_factor, graded.points,
                 sum(result.max_points for result in results), again,
                 json.dumps(asdict(graded.made)) if graded.made else ""),
            )  # fmt: skip
            db.executemany(
                "INSERT INTO checks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    (added.lastrowid, position, r.board, str(r.verdict), r.points, r.max_points, r.unsolvable,
                     r.cpu_s, r.message, format_result(r))
                    for position, r in enumerate(results)
                ),
            )  # fmt: skip

    def note(self, key: str, value: str) -> None:
        """Save a text under a name; it replaces an earlier text."""
        with self.transaction() as db:
            db.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (key, value))

    # ---- reading ---------------------------------------------------------------------------------

    def noted(self, key: str) -> str:
        """Return the text saved under a name; empty if there is none."""
        row = self._db.execute("SELECT value FROM notes WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""

    @property
    def tasks(self) -> list[str]:
        """The names of the tasks of the last run, in order."""
        return [name for (name,) in self._db.execute("SELECT name FROM tasks ORDER BY position")]

    def settings(self) -> dict[str, Mapping[str, str]]:
        """Return the setting of each task in the last run, by task: the digest or value of each part."""
        rows = self._db.execute(
            "SELECT name, parts FROM tasks JOIN settings ON digest = setting ORDER BY position"
        )
        return {task: json.loads(parts) for task, parts in rows}

    def students(self) -> list[Student]:
        """Return all students, by id."""
        rows = self._db.execute("SELECT * FROM students ORDER BY id")
        return [
            Student(id, name, email, section, bool(on_roster), platform_id)
            for id, name, email, section, on_roster, platform_id in rows
        ]

    def attempts(self, student: str) -> list[Attempt]:
        """Return a student's attempts in order."""
        rows = self._db.execute("SELECT * FROM attempts WHERE student = ? ORDER BY number", (student,))
        return [
            Attempt(
                who,
                number,
                when and datetime.fromisoformat(when),
                place,
                problem,
                help,
                bool(late),
                tuple(json.loads(slips)),
            )
            for who, number, when, place, problem, help, late, slips in rows
        ]

    def with_slips(self) -> list[str]:
        """Return the ids of the students with files that are not as they were asked for, in any attempt."""
        rows = self._db.execute(
            "SELECT DISTINCT student FROM attempts WHERE slips != '[]' OR problem != '' ORDER BY student"
        )
        return [student for (student,) in rows]

    def points(self, student: str) -> dict[int, dict[str, tuple[int, int]]]:
        """Return the points and maximum points by attempt and task, without tasks that are not graded yet."""
        found: dict[int, dict[str, tuple[int, int]]] = {}
        rows = self._db.execute(
            "SELECT number, task, points, max_points FROM standing "
            "WHERE student = ? AND graded IS NOT NULL ORDER BY number, position",
            (student,),
        )
        for number, task, points, most in rows:
            found.setdefault(number, {})[task] = (points, most)
        return found

    def results(self, student: str, number: int, task: str) -> list[Result]:
        """Return the results of one attempt at one task; empty if it is not graded yet."""
        rows = self._db.execute(
            "SELECT result FROM standing JOIN checks ON checks.graded = standing.graded "
            "WHERE student = ? AND number = ? AND task = ? ORDER BY checks.position",
            (student, number, task),
        )
        return [parse_result(text) for (text,) in rows]

    def graded_by(self, student: str, number: int, task: str) -> tuple[int, float, Provenance | None] | None:
        """Return tier, time factor and provenance of an attempt's task, or None if it is not graded."""
        row = self._db.execute(
            "SELECT tier, time_factor, made FROM graded WHERE id = "
            "(SELECT graded FROM standing WHERE student = ? AND number = ? AND task = ?)",
            (student, number, task),
        ).fetchone()
        return (row[0], row[1], Provenance(**json.loads(row[2])) if row[2] else None) if row else None

    def sources(self, student: str, number: int) -> dict[str, str]:
        """Return the texts of all files of an attempt by name."""
        rows = self._db.execute(
            "SELECT files FROM answers JOIN sources ON sources.digest = answers.sources "
            "WHERE student = ? AND number = ?",
            (student, number),
        )
        found: dict[str, str] = {}
        for (files,) in rows:
            found |= json.loads(files)
        return found

    def sources_called(self, digest: str) -> Sources:
        """Return the sources with this digest."""
        files, problem, help, raw, missing = self._db.execute(
            "SELECT files, problem, help, raw, missing FROM sources WHERE digest = ?", (digest,)
        ).fetchone()
        return Sources(json.loads(files), problem, help, raw, bool(missing))

    def read(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of an SQL query, for reports that count and group."""
        return self._db.execute(query, values).fetchall()


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of an SQL script; `executescript` would end the current transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _hold(file: Path) -> int:
    """Return a descriptor that locks out other runs until it is closed or this process ends.

    Raises:
        InputError: another run has the lock.
    """
    import fcntl

    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        pid = os.read(descriptor, 20).decode("ascii", "replace").strip()
        os.close(descriptor)
        raise InputError(
            f"{paths.shown(file.parent)}: another `grade class` is at work there "
            f"(process {pid or 'unknown'})",
            "wait for it, or choose another folder with -o",
        ) from None
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    return descriptor


def _says_damaged(error: Exception) -> bool:
    """Return whether SQLite found the file to be corrupt or not a database."""
    return "not a database" in str(error) or "malformed" in str(error)


def _unusable(file: Path, error: Exception) -> InputError:
    """Return the error for a store that cannot be read or written."""
    said = error.strerror if isinstance(error, OSError) else str(error)
    if "disk is full" in str(said) or "No space left" in str(said) or "disk I/O error" in str(said):
        help = "free some space there and type the same command again: what was graded is kept"
    elif _says_damaged(error):
        help = "it is not a class store, or is damaged: move it away and grade again"
    else:
        help = "look at the folder's permissions, or choose another with -o"
    return InputError(f"{paths.shown(file)}: cannot be used: {said}", help)
