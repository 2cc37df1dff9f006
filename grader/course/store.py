"""What is stored of a class: students, attempts and results; `store.sql` describes the tables.

Every change is a transaction, so nothing is damaged if the run is killed or the disk is full.
"""

import errno
import hashlib
import json
import os
import sqlite3
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from importlib import resources
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from grader import paths
from grader.course.records import Attempt, Student, format_result, parse_result
from grader.errors import InputError
from grader.reports.provenance import Provenance
from grader.result import Result, any_fault

SCHEMA = 5
NAME = "class.sqlite"
UNREAD = "unread"
LOCK = f".{NAME}.lock"  # made before the store; a first run on a full disk leaves it alone
_NEW = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)  # to open a file, made if it is missing

Row = tuple[Any, ...]


@lru_cache(16)  # one attempt's files belong to several tasks
def text_digest(text: str) -> str:
    """Return a digest that identifies a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@dataclass(frozen=True)
class Sources:
    """The files that one attempt has for a task."""

    files: Mapping[str, str]  # each file's text by its name; empty if there is a problem
    problem: str = ""
    help: str = ""
    # if there is a problem, a digest of the bytes; empty if there are none, UNREAD if this machine could not
    # read them
    raw: str = ""
    missing: bool = False

    @cached_property
    def digest(self) -> str:
        """A digest that identifies the sources."""
        of_problem = [text for text in (self.raw, "missing" * self.missing) if text]
        return text_digest(json.dumps([sorted(self.digests.items()), self.problem, self.help, *of_problem]))

    @cached_property
    def digests(self) -> Mapping[str, str]:
        """The digest of each file's text, by its name."""
        return {name: text_digest(text) for name, text in self.files.items()}


@dataclass(frozen=True)
class Setting:
    """Everything that a task's grading depends on besides the sources."""

    task: str
    parts: Mapping[str, str]  # the digest or the value of each part that can change, by the part's name

    @property
    def digest(self) -> str:
        """A digest that identifies the setting."""
        return text_digest(json.dumps([self.task, sorted(self.parts.items())]))


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
    results: Sequence[Result]  # of all checks; if `begun`, of the visible ones, not settled yet
    made: Provenance | None = None
    # whether the hidden checks are still to be run, which waits for all visible ones of the class
    begun: bool = False

    @property
    def points(self) -> int:
        """The points of all its checks."""
        return sum(result.points for result in self.results)


class ClassStore:
    """The store of a class run; use it in a `with` block, from one thread."""

    # ---- the SQLite file ---------------------------------------------------------------------------

    def __init__(self, folder: Path, create: bool = False) -> None:
        """Open the store in `folder`.

        Args:
            create: whether to create it if it is missing, and to lock out a second run.

        Raises:
            InputError: the store is missing, is not a class store, has a newer schema, or is locked by
                another run.
        """
        self.file = folder / NAME
        self._lock: int | None = None
        self._digests: dict[int, str] = {}  # of results, by the number of their grading
        if not create and not self.file.is_file():
            raise InputError(
                f"{paths.shown(folder)}: expected a folder that `grade class` made, found no {NAME} in it",
                "give the folder that the last line of `grade class` names",
            )
        try:
            if create:
                folder.mkdir(parents=True, exist_ok=True)
                if not any(folder.iterdir()):
                    folder.chmod(0o700)  # there will be everybody's programs and points, and private boards
                self._lock = _hold(folder / LOCK)
                os.close(os.open(self.file, _NEW, 0o600))  # SQLite would let others read it
                if not paths.is_ours(self.file):  # root may open it, but who wrote the points?
                    raise PermissionError(errno.EPERM, "somebody else's file")
                self.file.chmod(0o600)
            self._db = sqlite3.connect(self.file, isolation_level=None, timeout=60)
        except (OSError, sqlite3.Error) as error:
            self._release()
            raise _unusable(self.file, error) from None
        try:
            self._prepare(create)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
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
            if version not in (0, SCHEMA):
                newer = "a newer" if version > SCHEMA else "an older"
                raise InputError(
                    f"{paths.shown(self.file)}: expected a store of schema {SCHEMA}, found {version}",
                    f"it was written by {newer} grader: use that version, or another -o; nothing was changed",
                )
            if create:
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute("PRAGMA synchronous = NORMAL")  # a crash of the machine may lose a second
            if create and not version:
                made = resources.files("grader.course").joinpath("store.sql").read_text("utf-8")
                self._db.executescript(f"BEGIN IMMEDIATE; {made} PRAGMA user_version = {SCHEMA}; COMMIT")
            self._db.execute("PRAGMA foreign_keys = ON")
            if not create:
                self._db.execute("PRAGMA query_only = ON")
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

    def hold(self, table: str, keys: int, rows: Sequence[Row]) -> None:
        """Make a table hold just these rows, in a transaction, and write only those that differ.

        Args:
            keys: how many columns at its beginning are its key.
        """
        columns = [name for _, name, *_ in self._db.execute(f"PRAGMA table_info({table})")]
        there: dict[Row, Row] = {row[:keys]: row for row in self._db.execute(f"SELECT * FROM {table}")}
        key = " AND ".join(f"{name} = ?" for name in columns[:keys])
        values = ", ".join(f"{name} = ?" for name in columns[keys:])
        gone = there.keys() - {row[:keys] for row in rows}
        new = [row for row in rows if row[:keys] not in there]
        other = [row for row in rows if there.get(row[:keys], row) != row]
        self._db.executemany(f"DELETE FROM {table} WHERE {key}", gone)
        self._db.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", new)
        self._db.executemany(
            f"UPDATE {table} SET {values} WHERE {key}", [row[keys:] + row[:keys] for row in other]
        )

    # ---- writing ---------------------------------------------------------------------------------

    def take_class(
        self,
        students: Iterable[Student],
        attempts: Iterable[tuple[Attempt, Mapping[str, Sources]]],
        settings: Sequence[Setting],
        only: Collection[str] = (),
    ) -> None:
        """Replace the stored class with the current one; results are kept.

        Args:
            only: the ids of those who are replaced; everybody else who is stored stays. Empty: all are.
        """
        with self.transaction() as db:
            db.execute("PRAGMA defer_foreign_keys = ON")  # of this transaction: tables change one by one
            staying = {id for (id,) in db.execute("SELECT id FROM students") if only and id not in only}
            known = {digest for (digest,) in db.execute("SELECT digest FROM sources")}
            of_attempts: list[Row] = []
            answers: list[Row] = []
            for attempt, by_task in attempts:
                if attempt.student in staying:
                    continue
                handed_in = attempt.handed_in and attempt.handed_in.astimezone(UTC).isoformat()
                of_attempts.append(
                    (attempt.student, attempt.number, handed_in, attempt.place, attempt.problem, attempt.help,
                     attempt.late_by_platform, json.dumps(attempt.slips), json.dumps(attempt.new))
                )  # fmt: skip
                for task, sources in by_task.items():
                    digest = sources.digest
                    answers.append((attempt.student, attempt.number, task, digest))
                    if digest not in known:
                        known.add(digest)
                        self._add(sources)
            of_tasks: list[Row] = []
            for position, setting in enumerate(settings):
                db.execute(
                    "INSERT OR IGNORE INTO settings VALUES (?, ?, ?)",
                    (setting.digest, setting.task, json.dumps(dict(setting.parts))),
                )
                of_tasks.append((setting.task, position, setting.digest))
            of_students: list[Row] = [
                (s.id, s.name, s.email, s.section, s.on_roster, s.platform_id)
                for s in students
                if s.id not in staying
            ]
            for table, keys, rows in (
                ("students", 1, of_students),
                ("attempts", 2, of_attempts),
                ("answers", 3, answers),
            ):
                kept = [row for row in db.execute(f"SELECT * FROM {table}") if row[0] in staying]
                self.hold(table, keys, [*rows, *kept])
            self.hold("tasks", 1, of_tasks)

    def _add(self, sources: Sources) -> None:
        """Add sources that are not there yet, and those of their texts that are not."""
        for name, digest in sources.digests.items():
            if not self._db.execute("SELECT 1 FROM texts WHERE digest = ?", (digest,)).fetchone():
                packed = zlib.compress(sources.files[name].encode("utf-8", "surrogatepass"))
                self._db.execute("INSERT INTO texts VALUES (?, ?)", (digest, packed))
        self._db.execute(
            "INSERT OR IGNORE INTO sources VALUES (?, ?, ?, ?, ?, ?)",
            (sources.digest, json.dumps(sources.digests), sources.problem, sources.help, sources.raw,
             sources.missing),
        )  # fmt: skip

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

    def todo(self, counted: Mapping[str, Iterable[int]], tier: int) -> list[list[Todo]]:
        """Return the sources still to be graded in this tier, grouped by attempt; shared ones come once."""
        found: set[Todo] = set()
        by_attempt = []
        wanted = [(student, number) for student, numbers in counted.items() for number in numbers]
        for student, number in wanted:
            rows = self._db.execute(
                "SELECT standing.task, standing.sources, tasks.setting FROM standing "
                "JOIN tasks ON tasks.name = standing.task LEFT JOIN graded ON graded.id = standing.graded "
                "WHERE student = ? AND number = ? AND (standing.again OR graded.tier < ?) "
                "ORDER BY standing.position",
                (student, number, tier),
            )
            new = [todo for row in rows if (todo := Todo(*row)) not in found]
            found.update(new)
            if new:
                by_attempt.append(new)
        return by_attempt

    def keep(self, graded: Graded) -> None:
        """Save the outcome of one grading; it replaces an earlier outcome, but only once it is complete."""
        todo, results = graded.todo, graded.results
        again = any_fault(results)
        key = (todo.task, todo.sources, todo.setting)
        with self.transaction() as db:
            db.execute("DELETE FROM begun WHERE task = ? AND sources = ? AND setting = ?", key)
            if graded.begun:
                texts = json.dumps([format_result(result) for result in results])
                db.execute("INSERT INTO begun VALUES (?, ?, ?, ?, ?)", (*key, graded.tier, texts))
                return
            db.execute("DELETE FROM graded WHERE task = ? AND sources = ? AND setting = ?", key)
            added = db.execute(
                "INSERT INTO graded VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*key, graded.tier, graded.time_factor, graded.points,
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
            self._digests.pop(added.lastrowid or 0, None)  # an earlier grading may have had this number

    def begun(self, todo: Todo, tier: int) -> list[Result] | None:
        """Return the visible checks' results, in this tier or a better one, if hidden ones are to follow."""
        row = self._db.execute(
            "SELECT results FROM begun WHERE task = ? AND sources = ? AND setting = ? AND tier >= ?",
            (todo.task, todo.sources, todo.setting, tier),
        ).fetchone()
        return [parse_result(text) for text in json.loads(row[0])] if row else None

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
                who, number, when and datetime.fromisoformat(when), place, problem, help, bool(late),
                tuple(json.loads(slips)), None if (own := json.loads(new)) is None else tuple(own),
            )
            for who, number, when, place, problem, help, late, slips, new in rows
        ]  # fmt: skip

    def with_slips(self) -> list[str]:
        """Return the ids of the students with files that are not as they were asked for, in any attempt."""
        rows = self._db.execute(
            "SELECT DISTINCT student FROM attempts WHERE slips != '[]' OR problem != '' ORDER BY student"
        )
        return [student for (student,) in rows]

    def unread(self) -> list[str]:
        """Return the ids of the students with files that this machine could not read, in any attempt."""
        rows = self._db.execute(
            "SELECT DISTINCT student FROM answers JOIN sources ON digest = sources WHERE raw = ? "
            "ORDER BY student",
            (UNREAD,),
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

    def take_digests(self) -> None:
        """Take the digests of all results of the class at once; later ones are taken when asked for."""
        self._digests = self._digests_of("SELECT graded FROM standing")

    def digest_of(self, graded: int) -> str:
        """Return a digest of results, and of how they were found, by the number of their grading."""
        if not self._digests:
            self.take_digests()
        if graded not in self._digests:
            self._digests |= self._digests_of("SELECT ?", graded)
        return self._digests[graded]

    def forget_digests(self) -> None:
        """Forget all digests, since results may be changed in other ways than by `keep`."""
        self._digests = {}

    def _digests_of(self, which: str, *values: object) -> dict[int, str]:
        rows = self._db.execute(
            "SELECT id, tier, time_factor, made, result FROM graded LEFT JOIN checks ON graded = id "
            f"WHERE id IN ({which}) ORDER BY id, checks.position",
            values,
        )
        return {
            id: hashlib.sha256(repr([row[1:] for row in of_one]).encode("utf-8", "surrogatepass")).hexdigest()
            for id, of_one in groupby(rows, itemgetter(0))
        }

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
        return self._texts(found)

    def sources_called(self, digest: str) -> Sources:
        """Return the sources with this digest."""
        files, problem, help, raw, missing = self._db.execute(
            "SELECT files, problem, help, raw, missing FROM sources WHERE digest = ?", (digest,)
        ).fetchone()
        return Sources(self._texts(json.loads(files)), problem, help, raw, bool(missing))

    def _texts(self, digests: Mapping[str, str]) -> dict[str, str]:
        """Return the text with each of these digests, by the names of their files."""
        texts = {}
        for name, digest in digests.items():
            (packed,) = self._db.execute("SELECT packed FROM texts WHERE digest = ?", (digest,)).fetchone()
            texts[name] = zlib.decompress(packed).decode("utf-8", "surrogatepass")
        return texts

    def read(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of an SQL query, for reports that count and group."""
        return self._db.execute(query, values).fetchall()


def holds_other_files(folder: Path) -> bool:
    """Return whether a folder has files, but none that shows that a class run made it."""
    names = {file.name for file in folder.iterdir()} if folder.is_dir() else set()
    return bool(names) and not names & {NAME, LOCK}


def _hold(file: Path) -> int:
    """Return a descriptor that locks out other runs until it is closed or this process ends."""
    import fcntl

    descriptor = os.open(file, _NEW | os.O_CLOEXEC, 0o600)
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
    return "not a database" in str(error) or "malformed" in str(error)


def _unusable(file: Path, error: Exception) -> InputError:
    said = error.strerror if isinstance(error, OSError) else str(error)
    if "disk is full" in str(said) or "No space left" in str(said) or "disk I/O error" in str(said):
        help = "free some space there and type the same command again: what was graded is kept"
    elif _says_damaged(error):
        help = "it is not a class store, or is damaged: move it away and grade again"
    else:
        help = "look at the folder's permissions, or choose another with -o"
    return InputError(f"{paths.shown(file)}: cannot be used: {said}", help)
