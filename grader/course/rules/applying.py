"""Apply a course's policies: which attempt counts, what lateness costs, how much a task adds to the total.

Policies are applied after grading and change no graded points. These are the rules, in enough detail to check
a total by hand (course.yaml selects those of a course; `example/course.yaml` explains each field):

1.  A student's due date for a task is the task's own, or the course's if the task has none. An extension
    may only move it later; of several extensions, the latest counts. Days that are added end at the same
    time of day (see `times`).
2.  Up to the end of the grace, an attempt is on time. After that, lateness is counted from the due date,
    not from the end of the grace.
3.  An attempt that cannot be read at all, or that came after `accepted_until`, counts only if there is no
    other, and so does one in which no file of the task is new (`attempts: merge`). Of the rest, the latest,
    the first or the best counts, or the latest on time (the first, if none was on time). The best has the
    most points after lateness; of equally good ones, the earliest counts.
4.  Late days are spent first. Tasks are taken in the order of the student's due dates, and in the course's
    order if the dates are equal. Each task spends as many late days as its attempt needs, up to
    `days_per_task` and the number left. With `days_per: hand-in` those that the same attempt has cost at
    another task cover it, too. None is spent where it would earn nothing: on an attempt without
    points, on a task that does not count, if there are too few of them and no percentage follows, or if the
    floor applies anyway.
5.  Then the percentage of the raw points is taken for each day or hour that no late day covers, down to the
    floor.
6.  An attempt with an unknown time counts as on time, and a note reports it. A platform's mark "late" is
    ignored, because the due date here decides; a note reports where the two differ.
7.  A task adds `weight x adjusted / max` to the total, or its adjusted points if it has no weight. Each
    result is rounded to two places, half up. An extra task counts only with a weight. A bonus raises the
    total, but not its maximum.
8.  Adjustments come next, see `adjustments`. A task from which a student is excused is no part of their total
    nor of its maximum, and spends no late day.
9.  Remarks on style come next, see `grades.after_style`. At the end `drop_lowest` takes the tasks with the
    lowest share of their points out of the total and its maximum, but never the last one that counts; of
    equal shares, the one that weighs most. No bonus is dropped.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from grader.catalog.tasks import registry
from grader.course.records import Attempt, Student
from grader.course.rules import times
from grader.course.rules.grades import CENT, ZERO, Grade, Place, Rule, TaskGrade, adjusted, share
from grader.course.rules.lateness import Outcome, Terms, after_lateness
from grader.course.rules.policies import ATTEMPTS, Policies, TaskPolicy
from grader.messages.phrases import count

_NONE_ON_TIME = "the first of {}, as none was on time"
_NEVER = datetime.max.replace(tzinfo=UTC)
_LAST_TIME = datetime(2500, 1, 1, tzinfo=UTC)  # the latest that is believed: authors set the time of a commit

Points = Mapping[int, Mapping[str, tuple[int, int]]]


def grade_of(
    policies: Policies,
    student: Student,
    attempts: Sequence[Attempt],
    points: Points,
    max_points: Mapping[str, int] | None = None,
    timed: bool = True,
) -> Grade:
    """Return a student's grade.

    Args:
        points: by attempt and task, the points earned and the maximum.
        max_points: by task, the maximum for tasks without attempts; on private boards it is not the task's
            own.
        timed: whether any attempt of the class has a time; otherwise notes would only repeat that.
    """
    ordered = _in_order(attempts)
    notes = [f"attempt {each.number} cannot be read: {each.problem}" for each in ordered if each.problem]
    days = _late_days(policies, student)
    sheet = _Sheet(ordered, points, timed, notes, days)
    grades: dict[str, TaskGrade] = {}
    decisions = [each for each in policies.adjustments if student.is_called(each.student)]
    for task, terms in _by_due_date(policies, student, notes):
        most = (max_points or {}).get(task.name, task.max_points)
        on_task = [each for each in decisions if task.name in each.tasks]
        if any(each.excused for each in on_task):
            task = replace(task, counts=False)
            terms = replace(terms, counts=False)
        grade = sheet.grade(task, terms, most)
        grades[task.name] = adjusted(grade, on_task) if on_task else grade
    tasks = tuple(grades[task.name] for task in policies.tasks)
    return Grade(
        tasks,
        days - sheet.days_left,
        tuple(dict.fromkeys(notes)),
        tuple(each.held for each in decisions if each.hold and grades.keys() & (each.tasks or grades)),
    )


def attempts_that_may_count(policies: Policies, student: Student, attempts: Sequence[Attempt]) -> set[int]:
    """Return the numbers of the attempts that need to be graded: all if the best counts, otherwise fewer."""
    ordered = _in_order(attempts)
    return {
        each.number
        for task, terms in _by_due_date(policies, student, [])
        for each in _may_count(task.attempt, terms, _with_new(task, ordered))[1]
    }


# ---- a student's terms --------------------------------------------------------------------------


def _by_due_date(policies: Policies, student: Student, notes: list[str]) -> list[tuple[TaskPolicy, Terms]]:
    """Return each task with the student's terms, in the order in which late days are spent."""
    terms = [(task, _terms(policies, student, task, notes)) for task in policies.tasks]
    return sorted(terms, key=lambda each: each[1].due or _NEVER)


def _terms(policies: Policies, student: Student, task: TaskPolicy, notes: list[str]) -> Terms:
    due = task.due
    extended, waived = None, None
    theirs = [each for each in policies.extensions if student.is_called(each.student)]
    for extension in theirs:
        if task.due is None or due is None or not extension.covers(task.name):
            continue
        if extension.waived:
            waived = extension.where
        until = extension.due
        if extension.more:
            until = times.plus(task.due, extension.more, policies.zone)
        if until is None:
            continue
        shown = times.format_time(until, policies.zone)
        if until > due:
            due = until
            was = times.format_time(task.due, policies.zone)
            extended = Rule(f"due {shown} instead of {was}", (extension.where,))
        elif until <= task.due:
            notes.append(
                f"{task.name}: the extension to {shown} is no later than the due date, which holds "
                f"({extension.where})"
            )
    return Terms(
        zone=policies.zone,
        course_due=task.due,
        due=due,
        grace=policies.grace,
        rule=policies.late,
        counts=_counts(task),
        extended=extended,
        waived=waived,
        granted=tuple(each.where for each in theirs if each.late_days),
        grace_place=policies.grace_place,
    )


def _late_days(policies: Policies, student: Student) -> int:
    if policies.late is None or policies.late.days is None:
        return 0
    more = sum(each.late_days for each in policies.extensions if student.is_called(each.student))
    return policies.late.days + more


# ---- the attempt that counts ---------------------------------------------------------------------


def _in_order(attempts: Iterable[Attempt]) -> list[Attempt]:
    """Return attempts in the order in which they were handed in, with times in whole seconds."""
    ordered = sorted(attempts, key=lambda each: each.number)
    return [
        each
        if each.handed_in is None
        else replace(each, handed_in=min(each.handed_in.replace(microsecond=0), _LAST_TIME))
        for each in ordered
    ]


def _with_new(task: TaskPolicy, attempts: Sequence[Attempt]) -> Sequence[Attempt]:
    """Return the attempts in which a file of the task is new; all if it is in none."""
    files = registry().find(task.name).files
    return [each for each in attempts if each.new is None or not {*each.new}.isdisjoint(files)] or attempts


def _may_count(choice: str, terms: Terms, attempts: Sequence[Attempt]) -> tuple[int, Sequence[Attempt]]:
    """Return how many attempts can be chosen, and which may count: all if the best counts, otherwise one."""
    readable = [each for each in attempts if not each.problem]
    accepted = [each for each in readable if not terms.is_refused(each.handed_in)]
    left = accepted or readable or attempts
    if choice == "best":
        return len(left), left
    if choice == "latest-before-due":
        on_time = [each for each in left if terms.is_on_time(each.handed_in)]
        return len(left), on_time[-1:] or left[:1]
    return len(left), left[:1] if choice == "first" else left[-1:]


@dataclass
class _Sheet:
    """What is known and spent while a student's tasks are graded, one after the other."""

    attempts: Sequence[Attempt]
    points: Points
    timed: bool
    notes: list[str]
    days_left: int  # the late days that can still be spent
    # with `days_per: hand-in`, those that were spent on each attempt, and cover its other tasks
    paid: Counter[int] = field(default_factory=Counter)

    def grade(self, task: TaskPolicy, terms: Terms, most: int) -> TaskGrade:
        """Return a task's grade, and spend late days on it."""
        graded = {number: tasks[task.name] for number, tasks in self.points.items() if task.name in tasks}
        most = max((there_are for _, there_are in graded.values()), default=most)
        attempts = _with_new(task, self.attempts)
        among, candidates = _may_count(task.attempt, terms, attempts)
        best: tuple[Outcome, Attempt, int] | None = None
        for attempt in candidates:
            raw, _ = graded.get(attempt.number, (0, 0))
            if attempt.number not in graded and not attempt.problem:
                self.notes.append(f"{task.name}: attempt {attempt.number} is not graded: counted as 0")
            if raw < 0:
                self.notes.append(f"{task.name}: {raw} points for attempt {attempt.number}: counted as 0")
            raw, paid = max(raw, 0), self.paid[attempt.number]
            outcome = after_lateness(raw, attempt.handed_in, terms, self.days_left, paid)
            if (
                best is None or outcome.points > best[0].points
            ):  # of equally good attempts, the earlier counts
                best = outcome, attempt, raw
        if best is None:
            return _weighted(task, None, 0, most, ZERO)
        outcome, attempt, raw = best
        self.days_left -= outcome.days
        if terms.rule and terms.rule.by_handin:
            self.paid[attempt.number] += outcome.days
        self.notes += _notes(task, attempt, self.timed)
        rules = _why(task, terms, attempt, attempts, among) + outcome.rules
        _, most = graded.get(attempt.number, (0, most))
        late = terms.late(attempt.handed_in)
        return _weighted(task, attempt.number, raw, most, outcome.points, rules, late)


def _why(
    task: TaskPolicy, terms: Terms, counted: Attempt, attempts: Sequence[Attempt], among: int
) -> tuple[Rule, ...]:
    """Return why an attempt other than the last counts; `among` is how many there were to choose from."""
    if counted is attempts[-1]:
        return ()
    words = ATTEMPTS[task.attempt]
    if task.attempt == "latest-before-due" and not terms.is_on_time(counted.handed_in):
        words = _NONE_ON_TIME
    chosen = words.format(among) if among > 1 else "the only one that can"
    places = (task.attempt_place or Place("attempt: latest by default"),) if among > 1 else ()
    rules = [Rule(f"attempt {counted.number} counts, {chosen}", places)]
    refused = sum(terms.is_refused(each.handed_in) and not each.problem for each in attempts)
    last = terms.last()
    if refused and last and terms.rule and not terms.is_refused(counted.handed_in):
        came = f"{count(refused, 'attempt')} came after {times.format_time(last, terms.zone)}"
        until = terms.rule.places["accepted_until"]
        rules.append(Rule(f"{came}, too late to be accepted", (until,)))
    return tuple(rules)


def _notes(task: TaskPolicy, counted: Attempt, timed: bool) -> list[str]:
    """Return the remark on the time of the attempt that counts, if there is one."""
    name, time = f"attempt {counted.number}", counted.handed_in
    marked = f"{name} was marked late by the platform"
    if counted.late_by_platform and time is None:
        return [f"{marked}, at no known time: counted as on time"]
    if counted.late_by_platform and task.due is None:
        return [f"{marked}, {task.name} has no due date: counted as on time"]
    if counted.late_by_platform and time and task.due and time <= task.due:
        return [f"{marked}, by {task.name}'s due date it is on time"]
    return [f"no time is known for {name}: counted as on time"] if time is None and task.due and timed else []


# ---- the total -----------------------------------------------------------------------------------


def _counts(task: TaskPolicy) -> bool:
    return task.counts and task.weight != 0


def _weighted(
    task: TaskPolicy,
    attempt: int | None,
    raw: int,
    most: int,
    points: Decimal,
    rules: tuple[Rule, ...] = (),
    late: timedelta = timedelta(),
) -> TaskGrade:
    """Return a task's grade with the points it adds to the total; a task without points adds none."""
    weight = Decimal(most) if task.weight is None else task.weight
    weight = weight.quantize(CENT) if _counts(task) and most > 0 else ZERO
    counted = share(weight, points, most)
    return TaskGrade(task.name, attempt, raw, max(most, 0), points, counted, weight, task.bonus, rules, late)
