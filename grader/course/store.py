"""What is stored of a class: students, attempts and results; `store.sql` describes the tables."""

import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from grader.course.records import Attempt, Student, format_result, parse_result
from grader.course.store_file import Row, StoreFile
from grader.reports.provenance import Provenance
from grader.result import Result, any_fault


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
    raw: str = ""  # if there is a problem, a digest of the files' bytes; empty if there are none
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
    """The outcome of grading sources for a task.

    Attributes:
        results: of all checks; if `begun`, of the visible ones, not settled yet.
        begun: whether the hidden checks are still to be run, which waits for all visible ones of the class.
    """

    todo: Todo
    tier: int
    time_factor: float
    results: Sequence[Result]
    made: Provenance | None = None
    begun: bool = False

    @property
    def points(self) -> int:
        """The points of all its checks."""
        return sum(result.points for result in self.results)


class ClassStore(StoreFile):
    """What is read from the store of a class run, and written to it."""

    def __init__(self, folder: Path, create: bool = False) -> None:
        super().__init__(folder, create)
        self._digests: dict[int, str] = {}  # of results, by the number of their grading

    # ---- writing ---------------------------------------------------------------------------------

    def take_class(
        self,
        students: Iterable[Student],
        attempts: Iterable[tuple[Attempt, Mapping[str, Sources]]],
        settings: Sequence[Setting],
    ) -> None:
        """Replace the stored class with the current one; results are kept."""
        with self.transaction() as db:
            db.execute("PRAGMA defer_foreign_keys = ON")  # of this transaction: tables change one by one
            known = {digest for (digest,) in db.execute("SELECT digest FROM sources")}
            of_attempts: list[Row] = []
            answers: list[Row] = []
            for attempt, by_task in attempts:
                handed_in = attempt.handed_in and attempt.handed_in.astimezone(UTC).isoformat()
                of_attempts.append(
                    (attempt.student, attempt.number, handed_in, attempt.place, attempt.problem,
                     attempt.help, attempt.late_by_platform, json.dumps(attempt.slips))
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
                (s.id, s.name, s.email, s.section, s.on_roster, s.platform_id) for s in students
            ]
            self.hold("students", 1, of_students)
            self.hold("attempts", 2, of_attempts)
            self.hold("answers", 3, answers)
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

    def pack_sources(self) -> None:
        for (old,) in self._db.execute("SELECT digest FROM sources").fetchall():
            sources = self._row_of(old)
            self._db.execute("DELETE FROM sources WHERE digest = ?", (old,))
            self._add(sources)
            for table in ("answers", "graded", "begun"):
                self._db.execute(f"UPDATE {table} SET sources = ? WHERE sources = ?", (sources.digest, old))

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
        """Return the sources still to be graded, grouped by attempt; sources that attempts share come once.

        Args:
            tier: the tier of the run; a result of a lower tier does not count as graded.
        """
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
        row = self._row_of(digest)
        return replace(row, files=self._texts(row.files))

    def _row_of(self, digest: str) -> Sources:
        """Return the sources with this digest; their files are what is stored for each."""
        files, problem, help, raw, missing = self._db.execute(
            "SELECT files, problem, help, raw, missing FROM sources WHERE digest = ?", (digest,)
        ).fetchone()
        return Sources(json.loads(files), problem, help, raw, bool(missing))

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
