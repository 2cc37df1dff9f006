"""Write each student's feedback: a report, in any format, on the attempts that count.

The feedback begins with the student's id, the attempt that counts, its lateness, and the points that each of
the course's rules took. The rest is the report that the student could have made with the same boards.
"""

import hashlib
import json
import os
import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from functools import cache
from pathlib import Path

from grader import folders, paths
from grader.catalog.tasks import Task, registry
from grader.course.records import file_name_of
from grader.course.reports.leaderboard import pseudonym, pseudonym_key
from grader.course.reports.standings import UNWRITTEN, Standing, Standings
from grader.course.rules.grades import plain
from grader.course.rules.times import as_clock
from grader.course.store import ClassStore
from grader.reports.provenance import Provenance, version_of
from grader.reports.report import Report, for_students, render
from grader.result import Result, Verdict
from grader.safe_text import listed, one_line

MOST_REMARKS = 5  # on the style of one task
MOST_SLIP = 2000  # characters
FORMATS = "feedback"  # key of the store's note with the formats of the last run
# File extensions of the formats.
ENDINGS = {
    "table": "txt", "json": "json", "markdown": "md", "html": "html", "junit": "xml",
    "gradescope": "gradescope.json", "autolab": "autolab.txt", "github": "github.txt",
    "classroom50": "classroom50.json",
}  # fmt: skip


@dataclass(frozen=True)
class Basis:
    """All that a student's feedback is made of, besides the grader itself."""

    student: str
    name: str
    total: tuple[str, str] | None
    about: Sequence[str]
    slips: Sequence[str]
    # for each task that was handed in, its name, the attempt that counts, and a digest of its results in the
    # store
    tasks: Sequence[tuple[str, int, str]]
    board_set: str
    hides: bool

    @property
    def digest(self) -> str:
        """A digest of it all."""
        return hashlib.sha256(repr(self).encode("utf-8", "surrogatepass")).hexdigest()


def write_feedback(
    standings: Standings,
    folder: Path,
    formats: Sequence[str],
    now: datetime,
    written: "WrittenFiles | None" = None,
) -> Iterator[Path]:
    """Write a file per student and format, and yield each once it is complete.

    A file that an earlier run wrote, made of the same, stays as it is. A student who handed in nothing gets
    no file. Other files of the earlier run are removed: those of a student who has left, and in formats that
    are no longer asked for.
    """
    key = pseudonym_key(standings.store)
    hides, board_set = standings.hides(now), standings.board_set
    written = written or WrittenFiles(standings.store)
    for standing in standings.students:
        name = file_name_of(standing.student.id)
        basis = basis_of(standing, standings, pseudonym(key, standing.student.id), board_set, hides)
        has_any = standing.shown or standing.grade.held
        digest, report = basis.digest, None
        for format in formats:
            file = folder / f"{name}.{ENDINGS[format]}"
            if not has_any:  # also what a run wrote that was killed before it could note it
                file.unlink(missing_ok=True)
                continue
            if not written.is_made_of(file, digest):
                report = report or report_of(basis, standings.store)
                written.write(file, digest, render(format, report))
            yield file
    for left in written.note():
        (folder / left).unlink(missing_ok=True)
    standings.store.forget_digests()


def basis_of(
    standing: Standing, standings: Standings, pseudonym: str, board_set: str, hides: bool = False
) -> Basis:
    """Return what a student's report on the attempt that counts in each task is made of."""
    student = standing.student.id
    numbers = {task.task: task.attempt for task in standing.counted}
    tasks = []
    for task in standings.tasks:
        number = numbers.get(task.name)
        if number is not None:
            results = standings.store.digest_of(standings.gradings[student, task.name])
            tasks.append((task.name, number, results))
    lines = [*about(standing, standings.zone, pseudonym), *_style(standing, standings)]
    return Basis(
        student,
        one_line(standing.student.name or student),
        standing.other_total,
        lines,
        [one_line(slip, MOST_SLIP) for slip in standing.readable_slips],
        tasks,
        board_set,
        hides,
    )


def report_of(basis: Basis, store: ClassStore) -> Report:
    """Return the report that a student's feedback shows."""
    tasks: list[Task] = []
    results: list[Result] = []
    of_staff: set[tuple[str, str]] = set()
    factors: set[float] = set()
    made: list[Provenance] = []
    for name, number, _ in basis.tasks:
        tasks.append(registry().find(name))
        found = store.results(basis.student, number, name)
        of_staff |= {(name, result.board) for result in found if result.hidden}
        results += found if basis.hides else [replace(result, hidden=False) for result in found]
        if graded := store.graded_by(basis.student, number, name):
            factors.add(graded[1])
            made += filter(None, [graded[2]])
    calm = all(result.verdict in UNWRITTEN for result in results)
    absent = any(
        result.verdict == Verdict.NOT_WRITTEN and result.code == "cannot-be-read" for result in results
    )
    board_set = "" if basis.hides else basis.board_set  # the seed of random boards is as good as they are
    report = Report(
        tasks,
        results,
        "student",
        time_factor=max(factors, default=1.0),
        board_set=board_set,
        options="" if of_staff else board_set,  # students have no private set
        of_staff=of_staff,
        made=max(made, key=lambda each: each.date, default=None),
        about=basis.about,
        packed=basis.slips if calm and absent else (),
        name=basis.name,
        total=basis.total,
    )
    return for_students(report) if any(result.hidden for result in results) else report


def about(standing: Standing, zone: tzinfo, pseudonym: str) -> list[str]:
    """Return the feedback's first lines: whose it is, the attempts that count, and what the rules took."""
    grade = standing.grade
    lines = [f"student {standing.student.id}", *_attempts(standing, zone)]
    lines += [f"your files: {slip}" for slip in standing.readable_slips]
    lines += standing.account(all_tasks=False)
    lines += [said for _, said in grade.held]
    if standing.other_total:
        total = "total: {} of {}".format(*standing.other_total)
        taken = grade.total != grade.raw_total
        lines.append(
            total + f", {plain(grade.raw_total)} before late penalties and other course rules" * taken
        )
    lines += grade.notes
    if any(registry().find(task.task).table for task in standing.counted):
        lines.append(f"your name on the leaderboard: {pseudonym}")
    return [one_line(line, MOST_SLIP) for line in lines]


def _style(standing: Standing, standings: Standings) -> list[str]:
    """Return the remarks on the style of a student's files, but of tasks that are not written yet."""
    lines = []
    for task in standing.counted:
        found = standings.style.get((standing.student.id, task.task))
        remarks = found.remarks if found and task.raw else ()
        lines += [f"style: {remark}" for remark in remarks[:MOST_REMARKS]]
        if len(remarks) > MOST_REMARKS:
            lines.append(f"style: and {len(remarks) - MOST_REMARKS} more in {task.task}")
    return [one_line(line, 300) for line in lines]


def _attempts(standing: Standing, zone: tzinfo) -> list[str]:
    attempts = {attempt.number: attempt for attempt in standing.attempts}
    numbers = sorted({task.attempt for task in standing.counted if task.attempt is not None})
    lines = []
    for number in numbers:
        tasks = [task for task in standing.counted if task.attempt == number]
        of = f" for {', '.join(task.task for task in tasks)}" if len(numbers) > 1 else ""
        of_all = f" of {len(attempts)}" * (number <= len(attempts))  # a download may have the last one only
        said = f"attempt {number}{of_all} counts{of}"
        handed_in = attempts[number].handed_in
        if handed_in is not None:
            said += f", handed in {handed_in.astimezone(zone):%Y-%m-%d %H:%M %Z}"
        latest = max(task.late for task in tasks)
        said += f", {as_clock(latest)} late (h:mm:ss)" if latest > timedelta(0) else ""
        new = attempts[number].new
        lines.append(said if new is None else f"{said}; new in it: {listed(new)}, the other files are kept")
    return lines


KEY = "files written"  # key of the store's note with the digests
LIBRARIES = ("jinja2", "tabulate", "wcwidth")  # that reports are made with, the last if it is there


class WrittenFiles:
    """Tells which files of an earlier run are still right, so that a run writes only what is different.

    The store keeps two digests of each file: of all that it was made of, the grader included, and of its
    content. A file is left as it is only if both are the same; so one that somebody changed is written again.
    """

    def __init__(self, store: ClassStore, key: str = KEY) -> None:
        self.changed: list[Path] = []  # those written anew that were no longer as they had been written
        self._store = store
        self._key = key
        self._before: dict[str, list[str]] = json.loads(store.noted(key) or "{}")
        self._now: dict[str, list[str]] = {}

    def is_made_of(self, file: Path, made_of: str) -> bool:
        """Return whether the file is as an earlier run of this grader wrote it, made of the same."""
        kept = self._before.get(file.name)
        if kept is None or kept != [_with_grader(made_of), _digest_of_file(file)]:
            return False
        self._now[file.name] = kept
        return True

    def write(self, file: Path, made_of: str, text: str) -> None:
        """Write a file completely; `made_of` is a digest of all that it was made of besides the grader."""
        _, kept = self._before.get(file.name, ("", ""))
        if kept and _digest_of_file(file) not in ("", kept):
            self.changed.append(file)
        folders.write_whole(file, text)
        self._now[file.name] = [_with_grader(made_of), hashlib.sha256(text.encode()).hexdigest()]

    def note(self) -> set[str]:
        """Keep the digests in the store, of no more than the files of this run; return the others' names."""
        self._store.note(self._key, json.dumps(self._now))
        return self._before.keys() - self._now.keys()


def _digest_of_file(file: Path) -> str:
    """Return the digest of what is written by `write`; empty if there is no such file."""
    try:
        with open(file, "rb", buffering=0) as stream:
            return hashlib.sha256(stream.read()).hexdigest()
    except OSError:
        return ""


def _with_grader(made_of: str) -> str:
    return hashlib.sha256(f"{made_of} {digest_of_grader()}".encode()).hexdigest()


@cache
def digest_of_grader() -> str:
    """Return a digest of the whole grader, which takes some milliseconds, and of what else makes reports."""
    digest = hashlib.sha256(platform.python_version().encode())
    for library in LIBRARIES:
        digest.update(f"{library} {version_of(library)}\n".encode())
    for root in (paths.PACKAGE, paths.FRAMEWORK_ROOT / "framework", paths.BOARDS):
        for folder, inside, names in os.walk(root):
            inside[:] = sorted(name for name in inside if name != "__pycache__")
            for name in sorted(names):
                digest.update(f"{name}\0".encode() + Path(folder, name).read_bytes())
    return digest.hexdigest()
