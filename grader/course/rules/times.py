"""Compute with a course's times across clock changes, and format them.

A day ends at the time of day at which it began, so it has 23 or 25 hours when clocks change. Hours, minutes
and seconds always have the same length. Fractions of a second are ignored.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

HOUR = timedelta(hours=1)


@dataclass(frozen=True)
class Length:
    """A length of time: a number of calendar days, and the rest."""

    days: int
    rest: timedelta = timedelta()


def plus(moment: datetime, length: Length, zone: tzinfo) -> datetime:
    """Return the moment that is `length` later, in UTC.

    If clocks show that time twice, or skip it because they are put forward, the later of the two possible
    moments is returned.
    """
    if not length.days:
        return moment + length.rest
    wall = moment.astimezone(zone).replace(tzinfo=None) + timedelta(days=length.days)
    return max(readings(wall, zone)) + length.rest


def readings(wall: datetime, zone: tzinfo) -> set[datetime]:
    """Return the possible moments in UTC of a local time: two when clocks change, otherwise one."""
    return {wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)}


def days_between(start: datetime, end: datetime, zone: tzinfo, started: bool) -> int:
    """Return the number of days from `start` to `end`, at least 0.

    If `started`, a day that has begun but is not over counts, too.
    """
    days = max((end - start).days - 1, 0)
    over: Callable[[datetime], bool] = end.__gt__ if started else end.__ge__
    while over(plus(start, Length(days if started else days + 1), zone)):
        days += 1
    return days


def hours_between(start: datetime, end: datetime, started: bool) -> int:
    """Return the number of hours from `start` to `end`, at least 0.

    If `started`, an hour that has begun but is not over counts, too.
    """
    hours = -((start - end) // HOUR) if started else (end - start) // HOUR
    return max(hours, 0)


def in_words(span: timedelta) -> str:
    """Return a length of time in words: `1 day 2 h 5 min`."""
    minutes, seconds = divmod(span.days * 86_400 + span.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = [(days, "day" if days == 1 else "days"), (hours, "h"), (minutes, "min"), (seconds, "s")]
    return " ".join(f"{count} {unit}" for count, unit in parts if count) or "0 s"


def as_clock(span: timedelta) -> str:
    """Return a length of time in hours, minutes and seconds, as in 26:15:09; empty for zero."""
    minutes, seconds = divmod(max(span, timedelta()) // timedelta(seconds=1), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}" if span > timedelta() else ""


def format_time(moment: datetime, zone: tzinfo) -> str:
    """Return a moment as clocks in `zone` show it: `2026-10-09 23:59 EDT`."""
    local = moment.astimezone(zone)
    return f"{local:%Y-%m-%d %H:%M:%S %Z}" if local.second else f"{local:%Y-%m-%d %H:%M %Z}"
