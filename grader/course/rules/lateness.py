"""Compute what lateness costs one attempt at one task."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from decimal import Decimal

from grader.course.rules import times
from grader.course.rules.grades import CENT, ZERO, Place, Rule, plain, share
from grader.course.rules.times import Length
from grader.messages.phrases import count


@dataclass(frozen=True)
class LateRule:
    """The course's rules for lateness."""

    # the percentage of the raw points taken for each day or hour; None if there is no such rule
    percent: Decimal | None = None
    hourly: bool = False
    started: bool = True  # whether a day or hour counts once it has begun, not only when it is over
    # the percentage of the raw points that is always left, however late the work is
    floor: Decimal = Decimal(0)
    # when acceptance ends: a length of time after the student's own due date, or a moment
    accepted_until: Length | datetime | None = None
    # late days that a student may spend in the course; None if there are no late days
    days: int | None = None
    days_per_task: int | None = None
    by_handin: bool = False
    places: Mapping[str, Place] = field(default_factory=dict)

    @property
    def ends(self) -> bool:
        """Whether work that is late enough earns nothing."""
        costs = self.days is not None if self.percent is None else self.percent > 0
        return self.accepted_until is not None or (costs and not self.floor)

    def until(self, more_days: int) -> Length | datetime:
        """Return how long after it is due, or up to when, work can earn more than the floor.

        Args:
            more_days: the late days that a student may have besides those of the course.
        """
        if self.accepted_until is not None:
            return self.accepted_until
        days = (self.days or 0) + more_days
        if self.days_per_task is not None:
            days = min(days, self.days_per_task)
        units = 0 if self.started else 1
        if self.percent:
            units += math.ceil((100 - self.floor) / self.percent) - 1
        return Length(days, units * times.HOUR) if self.hourly else Length(days + units)


@dataclass(frozen=True)
class Terms:
    """The terms for one student and one task."""

    zone: tzinfo
    course_due: datetime | None = None  # the due date for everybody; None: nothing is late
    due: datetime | None = None  # this student's due date, never earlier than `course_due`
    grace: timedelta = timedelta()
    rule: LateRule | None = None
    counts: bool = True
    extended: Rule | None = None
    waived: Place | None = None
    granted: tuple[Place, ...] = ()
    grace_place: Place | None = None

    def late(self, handed_in: datetime | None) -> timedelta:
        """Return the time from the student's due date to `handed_in`; zero if either is unknown."""
        if handed_in is None or self.due is None:
            return timedelta()
        return max(handed_in - self.due, timedelta())

    def is_on_time(self, handed_in: datetime | None) -> bool:
        """Return whether lateness costs nothing: on time, within the grace, or waived."""
        return bool(self.waived) or self.late(handed_in) <= self.grace

    def last(self) -> datetime | None:
        """Return the last moment at which late work is accepted; None if there is no limit."""
        until = self.rule.accepted_until if self.rule else None
        if self.due is None or until is None:
            return None
        return times.plus(self.due, until, self.zone) if isinstance(until, Length) else until

    def is_refused(self, handed_in: datetime | None) -> bool:
        """Return whether `handed_in` is too late to be accepted at all."""
        last = self.last()
        return (
            handed_in is not None and last is not None and handed_in > last and not self.is_on_time(handed_in)
        )


@dataclass(frozen=True)
class Outcome:
    """An attempt's points after lateness."""

    points: Decimal
    days: int = 0
    rules: tuple[Rule, ...] = ()


def after_lateness(
    raw: int, handed_in: datetime | None, terms: Terms, days_left: int = 0, paid: int = 0
) -> Outcome:
    """Return what is left of `raw` points after lateness; `handed_in` is None if the time is unknown.

    Args:
        days_left: the late days that the student may still spend.
        paid: those that were spent on this hand-in already, and cover this task, too.
    """
    points = Decimal(raw).quantize(CENT)
    if handed_in is None or terms.course_due is None or handed_in <= terms.course_due:
        return Outcome(points)
    late = terms.late(handed_in)
    if terms.waived:
        return Outcome(points, rules=(Rule(f"{times.in_words(late)} late, waived", (terms.waived,)),))
    said = (terms.extended,) if terms.extended else ()
    if late <= terms.grace:
        within = f"{times.in_words(late)} late, within the grace of {times.in_words(terms.grace)}"
        places = (terms.grace_place,) if terms.grace_place else ()
        return Outcome(points, rules=(*said, Rule(within, places)) if late else said)
    if terms.rule is None or not raw:
        return Outcome(points, rules=said)
    if terms.is_refused(handed_in):
        outcome = _refused(points, handed_in, terms, terms.rule)
    else:
        outcome = _late(points, handed_in, terms, terms.rule, days_left, paid)
    return Outcome(outcome.points, outcome.days, said + outcome.rules)


def _refused(points: Decimal, handed_in: datetime, terms: Terms, rule: LateRule) -> Outcome:
    last = terms.last()
    assert last is not None
    past = f"{times.in_words(handed_in - last)} after {times.format_time(last, terms.zone)}"
    return Outcome(ZERO, rules=(Rule(f"not accepted, {past}", (rule.places["accepted_until"],), -points),))


def _late(
    points: Decimal, handed_in: datetime, terms: Terms, rule: LateRule, days_left: int, paid: int
) -> Outcome:
    """Return the outcome of a late but accepted attempt; late days are spent before a percentage is taken."""
    assert terms.due is not None
    if rule.days is None:
        return _percentage(points, terms.due, handed_in, terms, rule)
    needed = times.days_between(terms.due, handed_in, terms.zone, rule.started)
    most = needed if rule.days_per_task is None else rule.days_per_task
    covered = min(needed, most, paid + days_left) if terms.counts else 0
    spent = max(covered - paid, 0)
    if rule.percent is None:
        if covered == needed:
            return Outcome(points, spent, _spent(covered, spent, days_left, terms, rule))
        why, places = _why_not(needed > most, days_left, terms, rule)
        lost = Rule(f"{count(needed, 'late day')}, and {why}", places, -points)
        return Outcome(ZERO, rules=(lost,))
    start = times.plus(terms.due, Length(covered), terms.zone)
    with_days = _percentage(points, start, handed_in, terms, rule)
    without = _percentage(points, terms.due, handed_in, terms, rule)
    if with_days.points <= without.points:  # for example, because the floor applies
        return without
    return Outcome(with_days.points, spent, _spent(covered, spent, days_left, terms, rule) + with_days.rules)


def _why_not(over_limit: bool, days_left: int, terms: Terms, rule: LateRule) -> tuple[str, tuple[Place, ...]]:
    """Return in words why late days do not cover an attempt, and the places of the rules."""
    if not terms.counts:
        return "none is spent on a task that does not count", (rule.places["days"],)
    if over_limit:
        return f"a task may have {rule.days_per_task}", (rule.places["days_per_task"],)
    return f"{days_left} left", (rule.places["days"], *terms.granted)


def _spent(covered: int, spent: int, days_left: int, terms: Terms, rule: LateRule) -> tuple[Rule, ...]:
    if not covered:
        return ()
    if not spent:
        already = f"{count(covered, 'late day')} spent on this hand-in already"
        return (Rule(already, (rule.places["days_per"],)),)
    said = f"{count(spent, 'late day')} spent, {days_left - spent} left"
    return (Rule(said, (rule.places["days"], *terms.granted)),)


def _percentage(
    points: Decimal, start: datetime, handed_in: datetime, terms: Terms, rule: LateRule
) -> Outcome:
    """Return the outcome under the percentage rule, with days or hours counted from `start`."""
    if rule.percent is None:
        return Outcome(points)
    if rule.hourly:
        units = times.hours_between(start, handed_in, rule.started)
    else:
        units = times.days_between(start, handed_in, terms.zone, rule.started)
    percent = rule.percent * units
    if not percent:
        return Outcome(points)
    left = share(points, max(100 - percent, ZERO), 100)
    late = count(units, "late hour" if rule.hourly else "late day")
    rules = [Rule(f"{plain(percent)} % for {late}", (rule.places["percent"],), left - points)]
    least = share(points, rule.floor, 100)
    if least > left:
        rules.append(Rule(f"at least {plain(rule.floor)} % is left", (rule.places["floor"],), least - left))
    return Outcome(max(left, least), rules=tuple(rules))
