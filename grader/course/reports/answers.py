"""Answer what a teacher asks first: whom to talk to, what is hard, costs most, separates, and has changed.

Each answer is a pure function of the class's standings and numbers.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from grader.course.reports.class_numbers import Board, Numbers
from grader.course.reports.compare import points_before, since_before
from grader.course.reports.standings import UNREAD, Check, Standing, Standings
from grader.course.rules.grades import plain
from grader.messages.phrases import count
from grader.result import Verdict
from grader.safe_text import one_line

MOST_TEXT = 120  # characters of a text from outside
NAMED, CHANGED = 3, 5  # checks, and students, named in one answer
MOST_ID = 32  # characters of an id and a name
COUNTED = "counting only those who began the task and have full marks in the tasks it builds on"
NOT_BEGUN = "nothing has been begun yet"
CLOSE = 2.0  # percentage points: a task that is easier by less is named, too
FALL = 0.1  # of all points: who lost fewer since points last changed is not named for it


@dataclass(frozen=True)
class Reason:
    """Why to talk to some students; `points` says how many each has, the fewest first."""

    said: str
    points: Mapping[str, str]


@dataclass(frozen=True)
class Answer:
    """A question of a teacher, its answer in a few words, and what else to know."""

    question: str
    said: str
    more: str = ""
    code: str = ""
    students: Sequence[str] = ()
    note: str = ""  # on how the answer was found, or what comes next


# ---- whom to talk to ----------------------------------------------------------------------------


def whom_to_talk_to(standings: Standings, numbers: Numbers) -> list[Reason]:
    """Return the reasons to talk to students, with those whom each is about.

    Who fell comes first, since it is new; then the reason of whoever has the fewest points. A student has one
    reason: that of the first task with one. A task that most of the class has begun is expected of everybody.
    Who handed in nothing is not among them.
    """
    of: dict[str, dict[str, list[Check]]] = defaultdict(lambda: defaultdict(list))
    for check in standings.checks:
        of[check.student][check.task].append(check)
    most = {task.task.name: task.most for task in numbers.tasks}
    begun = {
        student: {task: tasks[task] for task in most if (student, task) in standings.begun}
        for student, tasks in of.items()
    }
    fell = fallen(standings, numbers)
    totals: dict[str, dict[str, Decimal]] = defaultdict(dict)
    for standing in sorted(standings.students, key=lambda each: each.grade.total):
        who = standing.student.id
        if who not in begun or who in fell:
            continue
        tasks = begun[who]
        unread = {task for task, checks in of[who].items() if any(each.code == UNREAD for each in checks)}
        said = _failed(tasks, most) or _unwritten(standing, tasks, unread, numbers.expected, list(most))
        if said:
            totals[said][who] = standing.grade.total
    changes = {who: f"{before} \u2192 {now}" for who, (before, now) in fell.items()}
    found = [Reason("points fell", changes)] if fell else []
    for said, each in sorted(totals.items(), key=lambda pair: (min(pair[1].values()), -len(pair[1]))):
        found.append(Reason(said, {who: plain(total) for who, total in each.items()}))
    return found


def fallen(standings: Standings, numbers: Numbers) -> dict[str, tuple[int, int]]:
    """Return who lost many points when points last changed, with the points before and now."""
    least = FALL * sum(task.most for task in numbers.tasks)
    found = {
        student: (before, now)
        for student, (before, now) in points_before(standings).items()
        if before > now and before - now >= least
    }
    return dict(sorted(found.items(), key=lambda pair: pair[1][1]))


def _failed(tasks: Mapping[str, Sequence[Check]], most: Mapping[str, int]) -> str:
    """Return the first task in which a student has less than half of the points; empty if there is none."""
    for task, all_checks in tasks.items():
        checks = [each for each in all_checks if each.verdict != Verdict.GRADER_ERROR]
        if 2 * sum(each.most - each.points for each in checks) > most[task]:
            return f"below half in {task}"
    return ""


def _unwritten(
    standing: Standing,
    begun: Collection[str],
    unread: Collection[str],
    expected: Sequence[str],
    tasks: Sequence[str],
) -> str:
    """Return why a student has not begun one of the `expected` of all tasks; empty if there is none."""
    missing = [task for task in expected if task not in (*begun, *standing.waiting)]
    if not missing:
        return ""
    if standing.slips and missing[0] in unread:
        return "missing or damaged files"
    if not begun:
        return "wrote nothing"
    *_, last = begun
    stopped = tasks.index(last) < tasks.index(missing[0])
    return f"stopped after {last}" if stopped else f"left out {', '.join(missing)}"


# ---- the other four -----------------------------------------------------------------------------


def hardest_task(numbers: Numbers) -> Answer:
    """Return the task with the smallest share of the points; what fails by another task's file is not its."""
    question = "The hardest task"
    rated = [task for task in numbers.tasks if task.share is not None]
    if not rated:
        return Answer(question, NOT_BEGUN if not _anything_begun(numbers) else "nobody is that far yet")
    task, *others = sorted(rated, key=lambda each: each.share or 0)
    said = f"{task.task.name}: {task.share:.0f} % of its points on average"
    full = sum(points >= task.most for points in task.ready.values())
    close = [each.task.name for each in others if (each.share or 0) < (task.share or 0) + CLOSE]
    more = f"; almost as hard: {', '.join(close)}" if close else ""
    return Answer(question, said, f"{full:,} of {len(task.ready):,} have full marks{more}", note=COUNTED)


def costliest_mistake(numbers: Numbers) -> Answer:
    """Return the mistake by which the class lost the most points; what only one student did comes last."""
    question = "The mistake that costs the most"
    first = next(iter(numbers.mistakes), None)
    if first is None:
        return Answer(
            question, "none: all that was begun is right" if _anything_begun(numbers) else NOT_BEGUN
        )
    more = (
        f"{', '.join(first.checks)}: {count(first.lost, 'point')} lost by {count(len(first.who), 'student')}"
    )
    said = shortened(first.text) + first.remark
    ties = [each for each in numbers.mistakes[1:] if each.lost == first.lost]
    more += f"; as many by {count(len(ties), 'other mistake')}" if ties else ""
    then = ""
    if numbers.mistakes[1:] and not ties:
        second = numbers.mistakes[1]
        then = f"then {shortened(second.text)}{second.remark}, {count(second.lost, 'point')}"
    return Answer(question, said, more, first.line, first.who, then)


def separating_board(numbers: Numbers) -> Answer:
    """Return the check that best tells the strong from the weak."""
    question = "The board that separates strong from weak"
    rated = [each for each in numbers.boards if each.separates is not None]
    if not rated:
        return Answer(
            question,
            "none: every check went the same way for all who ran it"
            if _anything_begun(numbers)
            else "nothing has been run yet",
        )
    best = max(rated, key=lambda each: round(each.separates or 0, 2))
    ties = [each for each in rated if round(each.separates or 0, 2) == round(best.separates or 0, 2)]
    more = f"; likewise {', '.join(map(_name, ties[1:NAMED]))}{_more(len(ties) - NAMED)}" if ties[1:] else ""
    right = f"{best.accepted:,} of {best.of:,} have full marks and tend to do better elsewhere"
    return Answer(question, _name(best), f"{right}{more}")


def what_changed(standings: Standings) -> Answer:
    """Return whose points changed when points last changed, and by how many; who lost most comes first."""
    question, before = "What changed", points_before(standings)
    if not before:
        return Answer(question, "nothing yet: no run has changed anybody's points")
    new = [each.student.id for each in standings.students if each.counted and each.student.id not in before]
    by = {student: now - old for student, (old, now) in before.items()}
    fell = sorted((student for student in by if by[student] < 0), key=by.__getitem__)
    rose = sorted((student for student in by if by[student] > 0), key=by.__getitem__, reverse=True)
    parts = [(rose, "gained points"), (fell, "lost points"), (new, "handed in for the first time")]
    said = [f"{len(who):,} {what}" for who, what in parts if who]
    names = {each.student.id: each.student.name for each in standings.students}
    each = [
        f"{one_line(' '.join(dict.fromkeys((who, names[who]))), MOST_ID)} {_signed(by[who])}"
        for who in [*fell, *rose][:CHANGED]
    ]
    named = f"{', '.join(each)}{_more(len(fell + rose) - CHANGED)}"
    total, since = sum(by.values()), since_before(standings)
    points = f"{_signed(total)} point{'' if abs(total) == 1 else 's'} in total{since}"
    more = f"{points}: {named}" if each else since.strip()
    return Answer(question, ", ".join(said) or "nobody's points", more, "", [*fell, *rose, *new])


def other_answers(standings: Standings, numbers: Numbers) -> list[Answer]:
    """Return the answers but that of whom to talk to, which is a list."""
    return [
        hardest_task(numbers),
        costliest_mistake(numbers),
        separating_board(numbers),
        what_changed(standings),
    ]


def nobody_to_talk_to(numbers: Numbers) -> str:
    """Return why there is nobody to talk to."""
    return (
        "Nobody: whoever has begun a task has at least half of its points."
        if _anything_begun(numbers)
        else f"Nobody: {NOT_BEGUN}."
    )


def _anything_begun(numbers: Numbers) -> bool:
    return any(task.begun for task in numbers.tasks)


def _name(board: Board) -> str:
    return f"{board.task} {shortened(board.board)}"


def _signed(number: int) -> str:
    return f"{number:+,}".replace("-", "\u2212")


def _more(number: int) -> str:
    return f" and {number:,} more" if number > 0 else ""


def shortened(text: str) -> str:
    """Return a text from outside for a cell; gradebook.csv has the full text."""
    return one_line(text, MOST_TEXT)
