"""Find what went wrong in a class: the students who failed the same checks alike."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from grader.course.reports.standings import Standings
from grader.result import Verdict
from grader.safe_text import cut, one_line

UNWRITTEN = (Verdict.NOT_WRITTEN, Verdict.NOT_RUN)
_PLACE = re.compile(r"(?:[^/]*/)?(?P<file>[^/:]+):(?P<line>\d{1,6})")  # of a result, as student/peg2.py:31
# The identity of a check's message; of an older result, its text.
_CODE_OF = "coalesce(nullif(json_extract(result, '$.code'), ''), message)"
_CODE = 120  # characters of a line of code
_MOST_TEXT = 300  # characters of a message that are read


@dataclass(frozen=True)
class Mistake:
    """Students who failed the same checks of some tasks, with the same verdicts and the same message."""

    checks: dict[str, Sequence[str]]
    text: str
    who: Sequence[str]
    said: dict[str, Sequence[str]]
    lost: int
    line: str


@dataclass(frozen=True)
class _Failure:
    """A check that is not right or lost points."""

    board: str
    verdict: Verdict
    lost: int
    said: str
    code: str
    place: str


def first_line(message: str) -> str:
    """Return the first line of a message, with dots if it goes on with a drawn board or is too long."""
    line, *more = message.splitlines() if message.strip() else [""]
    return cut(line, _MOST_TEXT - 1) + (" ..." if more and line.endswith(" is") else "")


def mistakes(standings: Standings) -> list[Mistake]:
    """Return the groups of students who failed alike, those that lost the most points first.

    A student is in one group for each task without full marks; groups of the same students with the same
    message in several tasks are one. What the grader could not run, or is not written yet, is no mistake.
    """
    failures: dict[tuple[int, str, str], list[_Failure]] = defaultdict(list)
    for position, task, student, board, verdict, lost, code, message, place in standings.rows(
        "SELECT had.position, had.task, student, board, verdict, checks.max_points - checks.points, "
        f"{_CODE_OF}, substr(message, 1, {_MOST_TEXT}), json_extract(result, '$.place') "
        "FROM had JOIN checks USING (graded) "
        "WHERE verdict != ? AND (verdict != ? OR checks.points < checks.max_points) "
        "ORDER BY had.position, student, checks.position",
        Verdict.GRADER_ERROR,
        Verdict.ACCEPTED,
    ):
        failure = _Failure(board, Verdict(verdict), lost, first_line(message), code, place or "")
        failures[position, task, student].append(failure)
    alike: dict[tuple[object, ...], dict[str, list[_Failure]]] = defaultdict(dict)
    for (_, task, student), failed in failures.items():
        if _cause(failed).verdict in UNWRITTEN:
            continue
        vector = tuple((each.board, each.verdict) for each in failed)
        alike[task, _cause(failed).code, vector][student] = failed
    groups: dict[tuple[str, tuple[str, ...]], dict[str, dict[str, list[_Failure]]]] = defaultdict(dict)
    for (task, code, _), group in alike.items():
        groups[str(code), tuple(group)][str(task)] = group
    found = []
    for (_, who), by_task in groups.items():
        firsts = {task: group[who[0]] for task, group in by_task.items()}
        lines = (_code(standings, task, who[0], failed) for task, failed in firsts.items())
        said: dict[str, Sequence[str]] = {
            task: [_cause(group[each]).said for each in who] for task, group in by_task.items()
        }
        everything = [each for group in by_task.values() for failed in group.values() for each in failed]
        found.append(
            Mistake(
                {task: [each.board for each in failed] for task, failed in firsts.items()},
                _commonest(Counter(each for lines in said.values() for each in lines)),
                who,
                said,
                sum(each.lost for each in everything),
                next(filter(None, lines), ""),
            )
        )
    return sorted(found, key=lambda mistake: (-mistake.lost, -len(mistake.who)))


def _cause(failed: Sequence[_Failure]) -> _Failure:
    """Return the first failure with the most frequent message; what was only not run is no cause."""
    for calm in ((Verdict.ACCEPTED, Verdict.NOT_RUN), (Verdict.NOT_RUN,), ()):
        if candidates := [each for each in failed if each.verdict not in calm]:
            code = _commonest(Counter(each.code for each in candidates))
            return next(each for each in candidates if each.code == code)
    raise AssertionError("a group without a failure")


def _commonest(texts: Counter[str]) -> str:
    ((text, _),) = texts.most_common(1)
    return text


def _code(standings: Standings, task: str, student: str, failed: Sequence[_Failure]) -> str:
    """Return the line of code that a student's failure is about, after its place; empty if none is known."""
    place = _PLACE.fullmatch(_cause(failed).place)
    if place is None:
        return ""
    rows = standings.rows("SELECT sources FROM had WHERE student = ? AND task = ?", student, task)
    files = standings.store.sources_called(rows[0][0]).files if rows else {}
    lines = files.get(place["file"], "").split("\n")[int(place["line"]) - 1 :] if int(place["line"]) else []
    return f"{place['file']}:{place['line']}: {one_line(lines[0], _CODE)}" if lines else ""
