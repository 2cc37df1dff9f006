"""Find what went wrong in a class: what students were told, by the identity of the message."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.course.reports.standings import MOST_SAID, UNREAD, UNWRITTEN, Check, Standings
from grader.result import Verdict
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
    line: str  # a line of code that it is about
    differs: bool = False  # whether others were told other numbers than `text` has

    @property
    def who(self) -> list[str]:
        """The students who were told it."""
        return list(dict.fromkeys(student for told in self.said.values() for student in told))


def first_line(message: str) -> str:
    """Return the first line of a message, with dots if it goes on with a drawn board or is too long."""
    line, *more = message.splitlines() if message.strip() else [""]
    return cut(line, MOST_SAID - 1) + (" ..." if more and line.endswith(" is") else "")


def mistakes(standings: Standings) -> list[Mistake]:
    """Return the mistakes, those that lost the most points first; what only one student did comes last.

    A student has one in each task without full marks. What the grader could not run, and what is missing,
    unreadable or not written yet, are no mistakes.
    """
    failures: dict[tuple[str, str], list[Check]] = defaultdict(list)
    for each in standings.checks:
        if each.verdict != Verdict.GRADER_ERROR and (
            each.verdict != Verdict.ACCEPTED or each.points < each.most
        ):
            failures[each.task, each.student].append(each)
    alike: dict[str, list[list[Check]]] = defaultdict(list)
    for failed in failures.values():
        cause = cause_of(failed)
        if cause.verdict not in UNWRITTEN and cause.code != UNREAD:
            alike[cause.code].append(failed)
    found = [_mistake(standings, group) for group in alike.values()]
    return sorted(found, key=lambda each: (len(each.who) == 1, -each.lost, -len(each.who)))


def _mistake(standings: Standings, group: Sequence[Sequence[Check]]) -> Mistake:
    causes = [cause_of(failed) for failed in group]
    checks: dict[str, dict[str, None]] = defaultdict(dict)
    said: dict[str, dict[str, str]] = defaultdict(dict)
    for failed, cause in zip(group, causes, strict=True):
        checks[cause.task] |= dict.fromkeys(each.board for each in failed)
        said[cause.task][cause.student] = first_line(cause.said)
    texts = Counter(text for told in said.values() for text in told.values())
    return Mistake(
        _commonest(texts),
        {task: list(boards) for task, boards in checks.items()},
        said,
        sum(each.most - each.points for failed in group for each in failed),
        next(filter(None, (_line(standings, cause) for cause in causes)), ""),
        len(texts) > 1,
    )


def cause_of(failed: Sequence[Check]) -> Check:
    """Return the first failure with the most frequent message; what was only not run is no cause."""
    for calm in ((Verdict.ACCEPTED, Verdict.NOT_RUN), (Verdict.NOT_RUN,), ()):
        if candidates := [each for each in failed if each.verdict not in calm]:
            code = _commonest(Counter(each.code for each in candidates))
            return next(each for each in candidates if each.code == code)
    raise AssertionError("a group without a failure")


def _commonest(texts: Counter[str]) -> str:
    ((text, _),) = texts.most_common(1)
    return text


def _line(standings: Standings, cause: Check) -> str:
    """Return the line of code that a failure is about, after its place; empty if none is known."""
    place = _PLACE.fullmatch(cause.place)
    if place is None:
        return ""
    rows = standings.rows("SELECT sources FROM had WHERE student = ? AND task = ?", cause.student, cause.task)
    files = standings.store.sources_called(rows[0][0]).files if rows else {}
    lines = files.get(place["file"], "").split("\n")[int(place["line"]) - 1 :] if int(place["line"]) else []
    return f"{place['file']}:{place['line']}: {one_line(lines[0], _CODE)}" if lines else ""
