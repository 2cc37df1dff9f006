"""Find what went wrong in a class: its messages, and the students who failed the same checks alike."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from grader.course.reports.standings import Standings
from grader.result import Verdict
from grader.safe_text import one_line

# Verdicts that are not a mistake of the student.
CALM = (Verdict.ACCEPTED, Verdict.NOT_WRITTEN, Verdict.NOT_RUN, Verdict.GRADER_ERROR)
# A number that is a word of its own; those in names, such as peg1, 4x4-corner, hidden-3 or \u202e, stay.
_NUMBER = re.compile(r"(?<![\w\\])(?<!\w-)\d+(?:[.,]\d+)*(?!\w|-\w)")
_PLACE = re.compile(r"(?:[^/]*/)?(?P<file>[^/:]+):(?P<line>\d{1,6})")  # of a result, as student/peg2.py:31
_CODE = 120  # characters of a line of code


@dataclass(frozen=True)
class FrequentMessage:
    """A message, counted together with all messages that differ from it only in their numbers.

    Attributes:
        text: its first line, with `#` for each number.
        who: the students who got it, by id.
        checks: the number of checks with it.
        lost: the points that these checks lost.
        tasks: the tasks with it.
    """

    text: str
    who: Sequence[str]
    checks: int
    lost: int
    tasks: Sequence[str]

    @property
    def students(self) -> int:
        """The number of students who got it."""
        return len(self.who)


@dataclass(frozen=True)
class Mistake:
    """Students who failed the same checks of a task, with the same verdicts and the same message.

    Attributes:
        task: the task's name.
        text: the first line of the message that they got most often in the task, with `#` for each number.
        who: the students, by id.
        checks: the names of the checks that lost points or were not right.
        lost: the points that they all lost by it together.
        line: a line of one student's code that the message is about, with its place; empty if there is none.
        wrong: whether something was wrong, and not only not written, not run, or short of points.
    """

    task: str
    text: str
    who: Sequence[str]
    checks: Sequence[str]
    lost: int
    line: str
    wrong: bool


@dataclass(frozen=True)
class _Failure:
    """A check that is not right or lost points."""

    board: str
    verdict: Verdict
    lost: int
    text: str
    place: str


def first_line(message: str) -> str:
    """Return the first line of a message, with `#` for each number that is a word of its own."""
    return _NUMBER.sub("#", message.splitlines()[0] if message.strip() else "")


def messages(standings: Standings) -> list[FrequentMessage]:
    """Return the messages about mistakes, the most frequent first."""
    marks = ", ".join("?" * len(CALM))
    rows_of: dict[str, list[tuple[str, str, int, int]]] = defaultdict(list)
    for message, *row in standings.rows(
        "SELECT substr(message, 1, 300), student, had.task, count(*), sum(checks.max_points - checks.points) "
        f"FROM had JOIN checks USING (graded) WHERE verdict NOT IN ({marks}) AND message != '' "
        "GROUP BY 1, 2, 3",
        *CALM,
    ):
        student, task, number, lost = row
        rows_of[first_line(message)].append((student, task, number, lost))
    order = [task.name for task in standings.tasks]
    found = [
        FrequentMessage(
            text,
            sorted({student for student, *_ in rows}),
            sum(number for _, _, number, _ in rows),
            sum(lost for *_, lost in rows),
            [task for task in order if any(task == each for _, each, *_ in rows)],
        )
        for text, rows in rows_of.items()
    ]
    return sorted(found, key=lambda message: (-message.students, -message.checks, message.text))


def mistakes(standings: Standings) -> list[Mistake]:
    """Return the groups of students who failed alike, those that lost the most points first.

    A student is in one group for each task without full marks. Checks that the grader could not run are
    nobody's mistake.
    """
    failures: dict[tuple[int, str, str], list[_Failure]] = defaultdict(list)
    for position, task, student, board, verdict, lost, message, place in standings.rows(
        "SELECT had.position, had.task, student, board, verdict, checks.max_points - checks.points, "
        "substr(message, 1, 300), json_extract(result, '$.place') FROM had JOIN checks USING (graded) "
        "WHERE verdict != ? AND (verdict != ? OR checks.points < checks.max_points) "
        "ORDER BY had.position, student, checks.position",
        Verdict.GRADER_ERROR,
        Verdict.ACCEPTED,
    ):
        failure = _Failure(board, Verdict(verdict), lost, first_line(message), place or "")
        failures[position, task, student].append(failure)
    groups: dict[tuple[object, ...], list[tuple[str, list[_Failure]]]] = defaultdict(list)
    for (_, task, student), failed in failures.items():
        vector = tuple((each.board, each.verdict) for each in failed)
        groups[task, _cause(failed).text, vector].append((student, failed))
    found = [
        Mistake(
            str(task),
            str(text),
            [student for student, _ in group],
            [failure.board for failure in group[0][1]],
            sum(failure.lost for _, failed in group for failure in failed),
            _code(standings, str(task), *group[0]),
            any(failure.verdict not in CALM for failure in group[0][1]),
        )
        for (task, text, _), group in groups.items()
    ]
    return sorted(found, key=lambda mistake: (-mistake.lost, -len(mistake.who)))


def _cause(failed: Sequence[_Failure]) -> _Failure:
    """Return the first failure with the most frequent message; what was only not run is no cause."""
    for calm in ((Verdict.ACCEPTED, Verdict.NOT_RUN), (Verdict.NOT_RUN,), ()):
        if candidates := [each for each in failed if each.verdict not in calm]:
            ((text, _),) = Counter(each.text for each in candidates).most_common(1)
            return next(each for each in candidates if each.text == text)
    raise AssertionError("a group without a failure")


def _code(standings: Standings, task: str, student: str, failed: Sequence[_Failure]) -> str:
    """Return the line of code that a student's failure is about, after its place; empty if none is known."""
    place = _PLACE.fullmatch(_cause(failed).place)
    if place is None:
        return ""
    rows = standings.rows(
        "SELECT files FROM had JOIN sources ON sources.digest = had.sources WHERE student = ? AND task = ?",
        student,
        task,
    )
    files: dict[str, str] = json.loads(rows[0][0]) if rows else {}
    lines = files.get(place["file"], "").splitlines()[int(place["line"]) - 1 :] if int(place["line"]) else []
    return f"{place['file']}:{place['line']}: {one_line(lines[0], _CODE)}" if lines else ""
