"""Apply the course's rules to the points in the store, and collect the data for all reports of a class."""

import hashlib
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from decimal import Decimal
from functools import cached_property
from typing import Any, NamedTuple

from grader.catalog.tasks import Task, registry
from grader.course.csv_text import MOST_TEXT
from grader.course.records import Attempt, Student
from grader.course.rules.applying import grade_of
from grader.course.rules.grades import (
    AFTER_RULES,
    ZERO,
    Grade,
    TaskGrade,
    after_style,
    plain,
    share,
    without_lowest,
)
from grader.course.rules.policies import Policies
from grader.course.store import ClassStore
from grader.course.style import Key, Style
from grader.messages.phrases import count
from grader.result import Verdict
from grader.safe_text import one_line

COMMAND = "command"  # key of the store's note with the command of the last run
BOARDS = "board set"  # key of the store's note with the options that replaced the tasks' own boards
MOST_SAID = 300  # characters of a message that are read
UNWRITTEN = (Verdict.NOT_WRITTEN, Verdict.NOT_RUN)  # work that is still to be done, and no mistake
UNREAD = "cannot-be-read"  # the identity of the message on files that are missing or cannot be read


class Check(NamedTuple):
    """How one check of a student ended; `code` is the message's identity, or an older result's text."""

    student: str
    task: str
    at: tuple[int, int]  # the positions of the task and of the check
    board: str
    verdict: Verdict
    points: int
    most: int
    code: str
    said: str
    place: str


@dataclass(frozen=True)
class Standing:
    """One student of the class."""

    student: Student
    attempts: Sequence[Attempt]
    grade: Grade
    ours: dict[str, int] = field(default_factory=dict)
    waiting: Sequence[str] = ()

    @cached_property
    def counted(self) -> list[TaskGrade]:
        """The tasks that were handed in and graded, each with the attempt that counts."""
        return [
            task for task in self.grade.tasks if task.attempt is not None and task.task not in self.waiting
        ]

    @cached_property
    def shown(self) -> list[TaskGrade]:
        """The tasks with points to show: those in `counted`, and those that an adjustment decided about."""
        return [task for task in self.grade.tasks if task in self.counted or task.decided]

    @property
    def is_final(self) -> bool:
        """Whether something was handed in or decided, all of it is graded, and none of it is held back."""
        return bool(self.shown) and not (self.ours or self.waiting or self.grade.held)

    @property
    def other_total(self) -> tuple[str, str] | None:
        """The total and that for full marks; None if both are but sums over the tasks."""
        raw, most = sum(task.raw for task in self.counted), sum(task.max for task in self.counted)
        total, of = self.grade.total, self.grade.max_total
        return None if total == raw and of == most else (plain(total), plain(of))

    def total_of(self, most: Decimal) -> Decimal | None:
        """Return the total, scaled to `most` if the student is excused from tasks; None if not final."""
        if not self.is_final or not self.grade.max_total:
            return None
        scaled = self.grade.max_total < most
        return share(self.grade.total, most, self.grade.max_total) if scaled else self.grade.total

    @property
    def which_attempt(self) -> str:
        """The number of the attempt that counts, or the number for each task if they differ."""
        numbers = {task.attempt for task in self.counted}
        if len(numbers) == 1:
            return str(*numbers)
        return ", ".join(f"{task.task} {task.attempt}" for task in self.counted)

    @property
    def slips(self) -> list[str]:
        """Where the files of the attempts that count are not as they were asked for."""
        unread = [each.problem for each in self._those_that_count if each.problem]
        return list(dict.fromkeys([*self.readable_slips, *unread]))

    @property
    def readable_slips(self) -> list[str]:
        """The slips but for attempts of which nothing can be read: the notes on the grade tell these."""
        return list(dict.fromkeys(slip for each in self._those_that_count for slip in each.slips))

    @property
    def _those_that_count(self) -> list[Attempt]:
        """And the last one, where it has no file of its own that counts."""
        numbers = {task.attempt for task in self.grade.tasks}
        numbers |= {attempt.number for attempt in self.attempts[-1:] if attempt.new == ()}
        return [attempt for attempt in self.attempts if attempt.number in numbers]

    @property
    def problems(self) -> list[str]:
        """Remarks on the grade for the instructor."""
        problems = [] if self.student.on_roster else ["not on the roster"]
        problems += [said for said, _ in self.grade.held]
        if not self.attempts:
            return [*problems, "nothing was handed in"]
        problems += [
            f"{task} is not final: the grader could not run {count(number, 'check')}"
            for task, number in self.ours.items()
        ]
        return [*problems, *self.grade.notes, *self.readable_slips]

    def account(self, all_tasks: bool = True) -> list[str]:
        """Return a line per task: its points, and each rule that adjusted them.

        Args:
            all_tasks: whether to include tasks to which no rule was applied.
        """
        lines = []
        for task in self.shown:
            line = f"{task.task}: {task.raw} / {task.max}"
            if task.excused:
                line += f", no part of the total: {'; '.join(map(str, task.rules))}"
            elif task.rules:
                line += f", {plain(task.adjusted)} {AFTER_RULES}: {'; '.join(map(str, task.rules))}"
            if task.rules or all_tasks:
                lines.append(one_line(line, MOST_TEXT))
        return lines


@dataclass(frozen=True)
class Standings:
    """The whole class."""

    store: ClassStore
    tasks: Sequence[Task]
    students: Sequence[Standing]
    zone: tzinfo
    rules: str  # a digest of the course's rules, which ignores their line numbers
    # the time from which results on private boards may be shown; None: never
    private_boards_visible: datetime | None = None
    style: Mapping[tuple[str, str], Style] = field(default_factory=dict)

    @property
    def most(self) -> Decimal:
        """The total for full marks in every task; a student may be excused from some."""
        return max((each.grade.max_total for each in self.students), default=ZERO)

    @property
    def board_set(self) -> str:
        """The options that replaced the tasks' own boards, with a leading space; empty if there are none."""
        return self.store.noted(BOARDS)

    def hides(self, now: datetime) -> bool:
        """Return whether results on private and random boards must still be hidden from students."""
        visible = self.private_boards_visible
        return visible is None or now < visible

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query on `had`, a table of each student's tasks in the attempts that count."""
        return self.store.read(query, values)

    @cached_property
    def gradings(self) -> Mapping[tuple[str, str], int]:
        """The number of the grading in `had`, by student and task."""
        return {
            (student, task): graded
            for student, task, graded in self.rows("SELECT student, task, graded FROM had")
        }

    @cached_property
    def checks(self) -> Sequence[Check]:
        """All checks in the attempts that count, task by task and student by student."""
        return [
            Check(student, task, (position, at), board, Verdict(verdict), *told)
            for student, task, position, at, board, verdict, *told in self.rows(
                "SELECT student, had.task, had.position, checks.position, board, verdict, checks.points, "
                "checks.max_points, coalesce(nullif(json_extract(result, '$.code'), ''), message), "
                f"substr(message, 1, {MOST_SAID}), coalesce(json_extract(result, '$.place'), '') "
                "FROM had CROSS JOIN checks USING (graded) "
                "ORDER BY had.position, student, checks.position"
            )
        ]

    @cached_property
    def begun(self) -> Set[tuple[str, str]]:
        """The students and tasks of which something was read that is written, be it right or wrong."""
        return {
            (each.student, each.task)
            for each in self.checks
            if each.verdict not in UNWRITTEN and each.code != UNREAD
        }


def read_standings(
    store: ClassStore, policies: Policies, styles: Mapping[Key, Style] | None = None
) -> Standings:
    """Return the standings after the last run, and let queries on the store know which attempts count."""
    handed_in = {
        (student, number, task): (sources, task)
        for student, number, task, sources in store.read(
            "SELECT student, number, task, sources FROM standing"
        )
    }
    style: dict[tuple[str, str], Style] = {}
    ours = _faults(store)
    most = dict(
        store.read("SELECT task, max(max_points) FROM standing WHERE graded IS NOT NULL GROUP BY task")
    )
    timed = bool(store.read("SELECT 1 FROM attempts WHERE handed_in IS NOT NULL LIMIT 1"))
    students = []
    for student in store.students():
        attempts, points = store.attempts(student.id), store.points(student.id)
        grade = grade_of(policies, student, attempts, points, most, timed)
        numbers = {task.task: task.attempt for task in grade.tasks if task.attempt is not None}
        for task, number in numbers.items():
            if found := (styles or {}).get(handed_in[student.id, number, task]):
                style[student.id, task] = found
                if found.fault:
                    said = f"{task}: style could not be checked: {found.fault}"
                    grade = replace(grade, notes=(*grade.notes, said))
        if policies.style is not None:
            replaced = policies.replaced(student)
            lines = {
                task: len(style[student.id, task].remarks)
                for task in numbers
                if task not in replaced and (student.id, task) in style
            }
            grade = after_style(grade, policies.style, lines)
        if policies.dropping is not None:
            grade = without_lowest(grade, policies.dropping)
        keys = {task: (student.id, number, task) for task, number in numbers.items()}
        students.append(
            Standing(
                student,
                attempts,
                grade,
                {task: ours[key] for task, key in keys.items() if key in ours},
                [task for task, number in numbers.items() if task not in points.get(number, {})],
            )
        )
    _set_counted(store, students)
    tasks = [registry().find(name) for name in store.tasks]
    rules = hashlib.sha256(repr(policies).encode()).hexdigest()[:32]
    return Standings(store, tasks, students, policies.zone, rules, policies.private_boards_visible, style)


def _set_counted(store: ClassStore, students: Sequence[Standing]) -> None:
    """Make the attempts that count available to queries, while the store is open."""
    with store.transaction() as db:
        db.execute("CREATE TEMP TABLE counted (student TEXT, number INTEGER, task TEXT)")
        db.executemany(
            "INSERT INTO temp.counted VALUES (?, ?, ?)",
            ((each.student.id, task.attempt, task.task) for each in students for task in each.counted),
        )
        db.execute("DROP TABLE IF EXISTS temp.had")
        db.execute(
            "CREATE TEMP TABLE had AS "
            "SELECT standing.* FROM temp.counted CROSS JOIN standing USING (student, number, task)"
        )
        db.execute("DROP TABLE temp.counted")
        db.execute("CREATE INDEX temp.had_of ON had (student, task)")


def _faults(store: ClassStore) -> dict[tuple[Any, ...], int]:
    """Return the number of checks that the grader could not run, by student, attempt and task."""
    rows = store.read(
        "SELECT student, number, task, faults FROM standing JOIN "
        "(SELECT graded, count(*) AS faults FROM checks WHERE verdict = ? GROUP BY graded) USING (graded)",
        (Verdict.GRADER_ERROR,),
    )
    return {(student, number, task): faults for student, number, task, faults in rows}
