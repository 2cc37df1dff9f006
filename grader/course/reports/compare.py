"""Compare two class runs: find the differences for each student and task, and their reasons.

A run stores the grades that it reported, so the course's rules at that time are not needed.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

from grader import paths
from grader.course.records import Attempt
from grader.course.reports.standings import Standings
from grader.course.rules.grades import Place, Rule, plain
from grader.course.store import ClassStore
from grader.errors import InputError
from grader.result import Verdict

KEY = "grades and rules"  # key of the store's note with the grades
BEFORE = "grades before"  # and of that with the grades of the last run in which points were others
PARTS = {  # the parts of a task's setting, in words
    "boards": "the boards are different",
    "checks": "points, limits or the list of checks are different",
    "task": "the task's definition is different",
    "grader": "the grader or the framework is different",
}
NOISE = "nothing else is different: times vary by a few percent from run to run"
CHANCE = "nothing else is different: the program does not behave the same every time"
Pair = tuple[Any, Any]
T = TypeVar("T")


@dataclass(frozen=True)
class TaskRecord:
    """A student's grade in one task, as a run stored it."""

    attempt: int
    points: tuple[int, int]  # the points before the course's rules, and the maximum
    adjusted: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True)
class CheckChange:
    """A check whose outcome differs, with the verdict, points and CPU seconds in each run."""

    board: str
    verdicts: Pair
    points: Pair
    cpu_s: Pair


@dataclass(frozen=True)
class Change:
    """The differences for one student in one task."""

    student: str
    task: str
    records: tuple[TaskRecord | None, TaskRecord | None]  # the grades in both runs; None if a run has none
    checks: Sequence[CheckChange] = ()
    why: Sequence[str] = ()


@dataclass(frozen=True)
class Comparison:
    """The differences between two class runs."""

    folders: tuple[str, str]
    settings: Mapping[str, Sequence[str]]
    only: tuple[Sequence[str], Sequence[str]]
    changes: Sequence[Change] = field(default_factory=list)

    @property
    def is_same(self) -> bool:
        """Whether nothing differs for any student."""
        return not (self.changes or self.only[0] or self.only[1])


def keep_grades(standings: Standings, now: datetime) -> None:
    """Save the grades of this run and its time in its store, for comparison with another run."""
    students = {
        each.student.id: {
            task.task: [task.attempt, [task.raw, task.max], task.shown, list(map(_as_json, task.rules))]
            for task in each.counted
        }
        for each in standings.students
    }
    found = {each.student.id: each.total_of(standings.most) for each in standings.students}
    totals = {student: plain(total) for student, total in found.items() if total is not None}
    of_all = {"of": plain(standings.most), "of_each": totals}
    date = now.astimezone(UTC).isoformat(timespec="seconds")
    kept = {"date": date, "rules": standings.rules, "students": students, "totals": of_all}
    text, earlier = json.dumps(kept), standings.store.noted(KEY)
    if earlier and _points(json.loads(earlier)) != _points(kept):
        standings.store.note(BEFORE, earlier)
    standings.store.note(KEY, text)


def _points(kept: Mapping[str, Any]) -> dict[tuple[str, str], int]:
    """Return the points before the rules, by student and task, in what a run kept."""
    return {
        (student, task): grade[1][0]
        for student, grades in kept["students"].items()
        for task, grade in grades.items()
    }


def points_before(standings: Standings) -> dict[str, tuple[int, int]]:
    """Return each student's points in the last run in which they were others, and now, before the rules.

    Only tasks of both runs with the same maximum are counted, and students with a grade in the former; empty
    after a first run.
    """
    before = json.loads(standings.store.noted(BEFORE) or '{"students": {}}')["students"]
    was = {(task, grade[1][1]) for grades in before.values() for task, grade in grades.items()}
    both = was & {(task.task, task.max) for each in standings.students for task in each.counted}
    now = {each.student.id: each.counted for each in standings.students}
    return {
        student: (
            sum(grade[1][0] for task, grade in grades.items() if (task, grade[1][1]) in both),
            sum(task.raw for task in now[student] if (task.task, task.max) in both),
        )
        for student, grades in before.items()
        if student in now and grades
    }


def since_before(standings: Standings) -> str:
    """Return since which run `points_before` compares, with a leading space; empty if its time is unknown."""
    date = json.loads(standings.store.noted(BEFORE) or "{}").get("date")  # an older store has none
    if not date:
        return ""
    return f" since the run of {datetime.fromisoformat(date).astimezone(standings.zone):%Y-%m-%d %H:%M %Z}"


def compare(one: Path, other: Path) -> Comparison:
    """Compare two folders that `grade class` made.

    Raises:
        InputError: one of them is not such a folder, or its run did not get as far as its reports.
    """
    with ClassStore(one) as first, ClassStore(other) as second:
        runs = (_Run(one, first), _Run(other, second))
        settings, (ids, others) = _settings(runs), (run.grades.keys() for run in runs)
        return Comparison(
            (paths.shown(one), paths.shown(other)),
            settings,
            (sorted(ids - others), sorted(others - ids)),
            list(_changes(runs, settings)),
        )


class _Run:
    """One of the two runs."""

    def __init__(self, folder: Path, store: ClassStore) -> None:
        self.store = store
        self.settings = store.settings()
        kept = store.noted(KEY)
        if not kept:
            raise InputError(
                f"{paths.shown(folder)}: expected a finished run, found no grades in its store",
                "run the same `grade class` again: it resumes where it was stopped",
            )
        self.grades: dict[str, dict[str, TaskRecord]] = {
            student: {task: record(*grade) for task, grade in tasks.items()}
            for student, tasks in json.loads(kept)["students"].items()
        }
        self.rules: str = json.loads(kept)["rules"]

    def attempt(self, student: str, number: int) -> Attempt | None:
        return next((each for each in self.store.attempts(student) if each.number == number), None)

    def sources(self, student: str, number: int, task: str) -> str:
        rows = self.store.read(
            "SELECT sources FROM answers WHERE student = ? AND number = ? AND task = ?",
            (student, number, task),
        )
        return str(rows[0][0]) if rows else ""

    def checks(self, student: str, number: int, task: str) -> dict[str, tuple[str, int, float]]:
        """Return the verdict, points and CPU seconds of each check, keyed by board."""
        rows = self.store.read(
            "SELECT board, verdict, checks.points, cpu_s FROM standing JOIN checks USING (graded) "
            "WHERE student = ? AND number = ? AND task = ? ORDER BY checks.position",
            (student, number, task),
        )
        return {board: (verdict, points, round(cpu_s, 3)) for board, verdict, points, cpu_s in rows}


def _as_json(rule: Rule) -> list[Any]:
    return [rule.said, [place.name for place in rule.places], str(rule.change), rule.is_decision]


def record(attempt: int, points: Sequence[int], adjusted: str, rules: Sequence[Any]) -> TaskRecord:
    """Return a task's grade as `keep_grades` saved it."""
    applied = tuple(
        Rule(said, tuple(map(Place, places)), Decimal(change), is_decision)
        for said, places, change, is_decision in rules
    )
    return TaskRecord(attempt, (points[0], points[1]), adjusted, applied)


_Runs = tuple[_Run, _Run]


def _settings(runs: _Runs) -> dict[str, list[str]]:
    found = {}
    for task in dict.fromkeys([*runs[0].settings, *runs[1].settings]):
        one, other = (run.settings.get(task) for run in runs)
        if one is None or other is None:
            found[task] = [f"graded only in the {'second' if one is None else 'first'} run"]
        elif one != other:
            found[task] = [
                PARTS.get(part, f"{part}: {one.get(part, 'none')} -> {other.get(part, 'none')}")
                for part in dict.fromkeys([*one, *other])
                if one.get(part) != other.get(part)
            ]
    return found


def _changes(runs: _Runs, settings: Mapping[str, Sequence[str]]) -> Iterator[Change]:
    tasks = list(dict.fromkeys([*runs[0].settings, *runs[1].settings]))
    for student in sorted(runs[0].grades.keys() & runs[1].grades.keys()):
        for task in tasks:
            one, other = (run.grades[student].get(task) for run in runs)
            reasons = settings.get(task, [])
            if one is None and other is None:
                continue
            if one is None or other is None:
                why = reasons or [f"handed in only in the {'second' if one is None else 'first'} run"]
                yield Change(student, task, (one, other), (), why)
                continue
            pair = _Pair(runs, student, task, (one, other))
            checks = pair.checks()
            if one != other or checks:
                yield Change(student, task, (one, other), checks, pair.why(checks, reasons))


@dataclass(frozen=True)
class _Pair:
    """A student's two grades in a task for which both runs have a grade."""

    runs: _Runs
    student: str
    task: str
    records: tuple[TaskRecord, TaskRecord]

    def _both(self, read: Callable[[_Run, str, int, str], T]) -> tuple[T, T]:
        """Call `read` for each run, with the attempt that counts in it, and return both results."""
        one, other = (
            read(run, self.student, record.attempt, self.task)
            for run, record in zip(self.runs, self.records, strict=True)
        )
        return one, other

    def checks(self) -> list[CheckChange]:
        """Return the checks whose outcomes differ."""
        first, second = self._both(_Run.checks)
        absent = ("", 0, 0.0)
        return [
            CheckChange(board, *zip(first.get(board, absent), second.get(board, absent), strict=True))
            for board in dict.fromkeys([*first, *second])
            if first.get(board, absent)[:2] != second.get(board, absent)[:2]
        ]

    def why(self, checks: Sequence[CheckChange], settings: Sequence[str]) -> list[str]:
        """Return the reasons for a difference, the most likely first."""
        one, other = self.records
        same_rules = self.runs[0].rules == self.runs[1].rules
        why = []
        if one.attempt != other.attempt:
            numbers = (one.attempt, other.attempt)
            if not all(run.attempt(self.student, number) for run in self.runs for number in numbers):
                why.append("the attempts are different")
            elif not same_rules:
                why.append("the course's rules choose another attempt")
            else:
                why.append("another attempt counts by the same rules")
        if checks or one.points != other.points:
            why += [*self._files(), *settings, *self._machine()]
        elif (one.adjusted, one.rules) != (other.adjusted, other.rules):
            attempts = self._both(lambda run, student, number, _: run.attempt(student, number))
            first, second = (attempt and attempt.handed_in for attempt in attempts)
            if any(rule.is_decision for rule in {*one.rules} ^ {*other.rules}):
                why.append("the adjustments are different")
            elif not same_rules:
                why.append("the course's rules are different")
            elif first != second:
                why.append("handed in at another time")
            else:
                why.append("late days are spent on other tasks")
        if why:
            return why
        return [NOISE if any(Verdict.TIMEOUT in check.verdicts for check in checks) else CHANCE]

    def _files(self) -> list[str]:
        digests = self._both(_Run.sources)
        if digests[0] == digests[1]:
            return []
        one, other = (
            run.store.sources_called(digest) for run, digest in zip(self.runs, digests, strict=True)
        )
        if one.problem != other.problem:
            return [f"the files: {one.problem or 'readable'} -> {other.problem or 'readable'}"]
        names = sorted({*one.files, *other.files})
        return [f"{name} is different" for name in names if one.files.get(name) != other.files.get(name)]

    def _machine(self) -> list[str]:
        first, second = self._both(lambda run, *which: run.store.graded_by(*which))
        if first is None or second is None:
            return []
        why = [f"tier {first[0]} -> {second[0]}"] if first[0] != second[0] else []
        if first[1] != second[1]:
            factors = f"x {first[1]:.2f} -> x {second[1]:.2f}"
            why.append(f"time limits {factors}: the machines are not equally fast")
        return why
