"""Read times as platforms write them: as ISO 8601, or as a date in words in one of many languages."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import cache
from typing import Any

from grader.course.rules import times
from grader.errors import InputError

YEARS = range(2000, 2100)  # other years are mistakes, and times in year 1 or 9999 overflow in some zones
NEVER = datetime.min.replace(tzinfo=UTC)  # before all times that are known

MOST = 100  # characters; a pattern may take the square of it
_ZONE = re.compile(r" ?(?:UTC|GMT|Z)$|\s+(?=[+-]\d\d:?\d\d$)")
_CLOCK = re.compile(r"(?<![\d:.])(\d{1,2})[:.h](\d{2})(?:[:.](\d{2}))?(?![\d:])")
_YEAR = re.compile(r"(?<!\d)2\d{3}(?!\d)")
_NUMERIC = re.compile(r"(2\d{3})\s*[年년./-]\s*(\d{1,2})\s*[月월./-]\s*(\d{1,2})(?!\d)")  # the year first
_DAY = re.compile(r"(?<!\d)\d{1,2}(?!\d)")
_HALVES = {"am": ("am", "a.m."), "pm": ("pm", "p.m.")}  # of a day


def moment(text: str, zone: tzinfo | None = None) -> datetime | None:
    """Return the time in a text, as UTC; None unless its year is in YEARS and its zone is known.

    Args:
        text: the time as ISO 8601, or nearly so: `2026-10-09 23:59:00 UTC`.
        zone: the zone of a time without one; None: such a time is not known.
    """
    if len(text) > MOST:
        return None
    try:
        plain = _ZONE.sub(lambda found: "+00:00" if found[0].strip() else "", text.strip())
        time = datetime.fromisoformat(plain)
    except ValueError:
        return None
    return in_zone(time, zone)


def in_zone(time: datetime, zone: tzinfo | None) -> datetime | None:
    """Return a time as UTC; None unless its year is in YEARS and its zone is known.

    Of the two moments that clocks show alike when they are put back, the earlier is taken.
    """
    if time.year not in YEARS or (time.tzinfo is None and zone is None):
        return None
    if time.tzinfo is None and zone is not None:
        return min(times.readings(time, zone))
    return time.astimezone(UTC)


# ---- dates in words ------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Language:
    months: tuple[tuple[str, int], ...]  # each name with its number, the longest first
    days: tuple[tuple[str, int], ...]  # of the week, Monday is 0
    halves: dict[str, tuple[str, ...]]


def dates_in_words(cells: Sequence[str]) -> list[datetime | None] | None:
    """Return the times in cells such as `Freitag, 9. Oktober 2026, 23:59`, without a zone.

    All are in one language: the one that knows most of the words. A cell without a digit, such as `-`, has no
    time.

    Returns:
        None for a cell without a time; None for all if they are no times, or can be read in several ways.
    """
    wanted = [cell.casefold() for cell in cells if re.search(r"\d", cell)]
    most, readings = -1, []  # the most words that a language knows, and what it reads
    for language in _languages():
        read = [found for found in (_read(cell, language) for cell in wanted) if found]
        if len(read) < len(wanted):
            continue
        known, times = sum(words for _, words in read), [time for time, _ in read]
        if known > most:
            most, readings = known, [times]
        elif known == most and times not in readings:
            readings.append(times)
        if language == _language("en") and not any(map(_NUMERIC.search, wanted)):
            break  # no other language can do better
    if not wanted or len(readings) != 1:
        return None
    left = iter(readings[0])
    return [next(left) if re.search(r"\d", cell) else None for cell in cells]


def _read(text: str, language: _Language) -> tuple[datetime, int] | None:
    """Return the time in a text and how many of its day of the week and half of the day the language knows.

    Returns:
        None if the text has no time, or names another day of the week.
    """
    clock = _CLOCK.search(text)
    if clock is None:
        return None
    rest = text[: clock.start()] + " " + text[clock.end() :]
    hour = int(clock[1])
    half = next((half for half in _HALVES if any(_has(rest, word) for word in language.halves[half])), "")
    if half and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half == "pm" else 0)
    numeric = _NUMERIC.search(rest)
    try:
        if numeric:
            year, month, day = (int(part) for part in numeric.groups())
        else:
            named = next((each for each in language.months if _has(rest, each[0])), None)
            if named is None:
                return None
            [year] = (int(found) for found in _YEAR.findall(rest))
            [day] = (int(found) for found in _DAY.findall(_YEAR.sub(" ", rest).replace(named[0], " ")))
            month = named[1]
        time = datetime(year, month, day, hour, int(clock[2]), int(clock[3] or 0))
    except ValueError:
        return None
    weekday = next((number for name, number in language.days if _has(rest, name)), None)
    if weekday not in (None, time.weekday()):
        return None
    return time, (weekday is not None) + bool(half)


def _has(text: str, word: str) -> bool:
    """Return whether a text has a word; those of languages without spaces need no end."""
    if word not in text or not _spaced(word):
        return word in text
    return re.search(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", text) is not None


def _spaced(word: str) -> bool:
    """Return whether words of this script have spaces between them: not in Chinese, Japanese and Thai."""
    return all(ord(letter) < 0x0E00 or 0xAC00 <= ord(letter) < 0xD7B0 for letter in word)


def _languages() -> Iterator[_Language]:
    """Yield the languages whose names of months are known, English first."""
    try:
        from babel import localedata
    except ImportError:
        raise InputError(
            "the roster's times are in words; to read them needs babel, which is not installed",
            "in the course's folder: pip install -e '.[class]'",
        ) from None
    yield _language("en")
    for name in sorted(localedata.locale_identifiers()):
        if "_" not in name and name != "en":
            yield _language(name)


@cache
def _language(name: str) -> _Language:
    from babel import Locale

    locale = Locale.parse(name)
    forms = locale.day_periods.get("format", {}).values()
    halves = {
        half: (*words, *(form[half].casefold() for form in forms if half in form))
        for half, words in _HALVES.items()
    }
    return _Language(_names(locale.months, range(1, 13)), _names(locale.days, range(7)), halves)


def _names(forms: Any, numbers: range) -> tuple[tuple[str, int], ...]:
    """Return the names in Babel's tables, wide and abbreviated, the longest first; bare numbers are none."""
    found = {
        forms[context][width][number].casefold().rstrip("."): number
        for context in ("format", "stand-alone")
        for width in ("wide", "abbreviated")
        for number in numbers
    }
    named = [(name, number) for name, number in found.items() if len(name) > 1 and not name.isdigit()]
    return tuple(sorted(named, key=lambda each: -len(each[0])))
