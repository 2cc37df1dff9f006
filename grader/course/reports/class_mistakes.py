"""Find what went wrong in a class: what students were told, by the identity of the message."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from grader.course.records import parse_result
from grader.course.reports.standings import MOST_SAID, UNREAD, UNWRITTEN, Standings
from grader.result import Result, Verdict, first_failure
from grader.safe_text import cut, one_line

_PLACE = re.compile(r"(?:[^/]*/)?(?P<file>[^/:]+):(?P<line>\d{1,6})")  # of a result, as student/peg2.py:31
_CODE = 120  # characters of a line of code


@dataclass(frozen=True)
class Mistake:
    """What students were told of checks that they failed."""

    text: str
    checks: Mapping[str, Sequence[str]]  # by task, the boards that any of them failed
    said: Mapping[str, Mapping[str, str]]  # by task and student, the message with its numbers
    lost: int
    line: str  # a line of code of somebody who was told `text`
    differs: bool = False  # whether others were told other numbers than `text` has

    @property
    def remark(self) -> str:
        """What to add to `text`."""
        return " (for example)" if self.differs else ""

    @property
    def who(self) -> list[str]:
        """The students who were told it."""
        return list(dict.fromkeys(student for told in self.said.values() for student in told))


class Failed(NamedTuple):
    """A task in which a student lacks points."""

    student: str
    cause: Result
    results: Sequence[Result]  # of all checks that lack points


def first_line(message: str) -> str:
    """Return the first line of a message, with dots if it goes on with a drawn board or is too long."""
    line, *more = message.splitlines() if message.strip() else [""]
    return cut(line, MOST_SAID - 1) + (" ..." if more and line.endswith(" is") else "")


def mistakes(standings: Standings) -> list[Mistake]:
    """Return the mistakes that lost points, the most first; what only one student did comes last.

    A student has one in each task without full marks: what the feedback says to fix first. What the grader
    could not run, and what is not handed in or not written yet, are no mistakes; a file that cannot be read,
    or lacks another that it needs, is one.
    """
    failures: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for student, task, result in standings.rows(
        "SELECT student, had.task, result FROM had CROSS JOIN checks USING (graded) "
        "WHERE verdict != ? AND (verdict != ? OR checks.points < checks.max_points) "
        "ORDER BY had.position, student, checks.position",
        Verdict.GRADER_ERROR,
        Verdict.ACCEPTED,
    ):
        failures[student, task].append(parse_result(result))
    alike: dict[str, list[Failed]] = defaultdict(list)
    for (student, _), results in failures.items():
        cause = first_failure(results)
        if cause is not None and cause.verdict not in UNWRITTEN:
            same = cause.code if cause.code != UNREAD else ""  # which is of any file
            alike[same or cause.message].append(Failed(student, cause, results))
    found = [_mistake(standings, group) for group in alike.values()]
    costly = (each for each in found if each.lost)
    return sorted(costly, key=lambda each: (len(each.who) == 1, -each.lost, -len(each.who)))


def _mistake(standings: Standings, group: Sequence[Failed]) -> Mistake:
    checks: dict[str, dict[str, None]] = defaultdict(dict)
    said: dict[str, dict[str, str]] = defaultdict(dict)
    for student, cause, results in group:
        checks[cause.task] |= dict.fromkeys(each.board for each in results)
        said[cause.task][student] = first_line(cause.message)
    texts = Counter(text for told in said.values() for text in told.values())
    text = texts.most_common(1)[0][0]
    told = [failed for failed in group if first_line(failed.cause.message) == text]
    return Mistake(
        text,
        {task: list(boards) for task, boards in checks.items()},
        said,
        sum(each.max_points - each.points for failed in group for each in failed.results),
        next(filter(None, (_line(standings, failed) for failed in told)), ""),
        len(texts) > 1,
    )


def _line(standings: Standings, failed: Failed) -> str:
    """Return the line of code that a failure is about, after its place; empty if none is known."""
    student, cause, _ = failed
    place = _PLACE.fullmatch(cause.place)
    if place is None:
        return ""
    rows = standings.rows("SELECT sources FROM had WHERE student = ? AND task = ?", student, cause.task)
    files = standings.store.sources_called(rows[0][0]).files if rows else {}
    lines = files.get(place["file"], "").split("\n")[int(place["line"]) - 1 :] if int(place["line"]) else []
    return f"{place['file']}:{place['line']}: {one_line(lines[0], _CODE)}" if lines else ""
