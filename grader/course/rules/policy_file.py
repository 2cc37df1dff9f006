"""Read `course.yaml`, a course's policies; `example/course.yaml` explains its fields."""

import re
import zoneinfo
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import Decimal
from pathlib import Path

from grader import paths
from grader.catalog.tasks import Task, registry
from grader.catalog.yaml_file import Entry
from grader.course import style
from grader.course.rules import times
from grader.course.rules.adjustments_file import (
    missing,
    names,
    number,
    one_of,
    place_of,
    read_fields,
    whole,
    words,
)
from grader.course.rules.grades import DropRule, StyleRule
from grader.course.rules.lateness import LateRule
from grader.course.rules.policies import ATTEMPTS, Extension, Given, Policies, TaskPolicy
from grader.course.rules.times import Length
from grader.errors import InputError, unknown
from grader.judging import board_choice
from grader.judging.board_choice import BoardChoice
from grader.reports.formats import FORMATS

SCHEMA = "peg-course/v1"
FIELDS = (
    "schema", "timezone", "due", "grace", "attempt", "attempts", "late", "drop_lowest", "tasks", "extensions",
    "private_boards", "style", "roster", "times", "adjustments", "boards",
    "feedback", "leaderboard",
)  # fmt: skip
STYLE_FIELDS = ("percent_per_remark", "at_most")
TASK_FIELDS = ("due", "attempt", "weight", "bonus")
LATE_FIELDS = (
    "percent_per_day", "percent_per_hour", "count", "floor", "accepted_until", "days", "days_per",
    "days_per_task",
)  # fmt: skip
EXTENSION_FIELDS = ("student", "tasks", "due", "more", "late_days", "waived")

_TIME = re.compile(
    r"(?P<wall>2[01]\d\d-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?) ?(?P<offset>Z|[+-]\d\d:\d\d)?", re.ASCII
)
_LENGTH = re.compile(r"(\d{1,4} ?(weeks?|days?|hours?|h|minutes?|min|seconds?|s)( |$))+", re.ASCII)
_PART = re.compile(r"(\d+) ?([a-z]+)")
_NO_SUMMER_TIME = {  # what is most likely meant, and what is as it is written
    "EST": "America/New_York, or Etc/GMT+5 for a whole year without it",
    "MST": "America/Denver, or America/Phoenix for a whole year without it",
}
A_TIME = "a time such as 2026-10-09 23:59"
A_LENGTH = "a length of time such as 10 minutes or 2 days 12 hours"


def read_policies(path: Path | None, tasks: Sequence[Task]) -> Policies:
    """Return the policies in the file at `path`, or those of a course without such a file."""
    if path is None:
        return Policies.none(tasks)
    help = "grader/course/rules/example/course.yaml shows what it may say"
    fields = read_fields(path, SCHEMA, FIELDS, help)
    if not fields.keys() - {"schema"}:
        raise InputError(f"{paths.shown(path)}: no rule is in it", help)
    return _Reader(fields, tasks).policies()


class _Reader:
    """Reads the fields of a course.yaml, which depend on its time zone and its due dates."""

    def __init__(self, fields: Mapping[str, Entry], tasks: Sequence[Task]) -> None:
        self._fields = fields
        self._tasks = tasks
        self._known = {**registry().tasks, **{task.name: task for task in tasks}}
        self._has_zone = "timezone" in fields
        self._zone = _zone(fields["timezone"]) if self._has_zone else UTC

    def policies(self) -> Policies:
        """Return the policies in the file."""
        every, given = self._all_tasks(), self._fields
        dues = _dues(every)
        grace, lowest = given.get("grace"), given.get("drop_lowest")
        length = _length(grace) if grace else Length(0)
        late = self._late(given["late"], every) if "late" in given else None
        listed = given["extensions"].entries() if "extensions" in given else []
        has_days = late is not None and late.days is not None
        policies = Policies(
            tuple(every[task.name] for task in self._tasks),
            self._zone,
            grace=timedelta(days=length.days) + length.rest,
            grace_place=place_of(grace) if grace else None,
            late=late,
            extensions=tuple(self._extension(entry, dues, has_days) for entry in listed),
            given=_given(given),
            merges="attempts" in given and one_of(given["attempts"], ("merge", "apart")) == "merge",
            dropping=DropRule(whole(lowest, len(self._known) - 1), place_of(lowest)) if lowest else None,
            style=_style(given["style"]) if "style" in given else None,
            has_zone=self._has_zone,
        )
        if "private_boards" not in given:
            return policies
        visible = self._visible(given["private_boards"], every, policies)
        return replace(policies, private_boards_visible=visible)

    # ---- tasks ---------------------------------------------------------------------------------

    def _all_tasks(self) -> dict[str, TaskPolicy]:
        """Return the policy of each task of the course, graded or not."""
        due = self._fields.get("due")
        attempt = self._fields.get("attempt")
        common = Policies.none(self._known.values()).tasks
        if due:
            common = tuple(replace(each, due=self._time(due)) for each in common)
        if attempt:
            choice, place = one_of(attempt, ATTEMPTS), place_of(attempt)
            common = tuple(replace(each, attempt=choice, attempt_place=place) for each in common)
        every = {each.name: each for each in common}
        own = self._fields["tasks"].fields(self._known, "task") if "tasks" in self._fields else {}
        return every | {name: self._task(every[name], entry) for name, entry in own.items()}

    def _task(self, task: TaskPolicy, entry: Entry) -> TaskPolicy:
        fields = entry.fields(TASK_FIELDS)
        if "due" in fields:
            task = replace(task, due=self._time(fields["due"]))
        if "attempt" in fields:
            chosen = fields["attempt"]
            task = replace(task, attempt=one_of(chosen, ATTEMPTS), attempt_place=place_of(chosen))
        if "weight" in fields:
            task = replace(task, weight=number(fields["weight"], 1000), counts=True)
        if "bonus" in fields and fields["bonus"].flag():
            if task.weight is None:
                raise fields["bonus"].fault("needs a weight beside it", "add weight: what full marks add")
            task = replace(task, bonus=True)
        return task

    # ---- lateness ------------------------------------------------------------------------------

    def _late(self, entry: Entry, every: Mapping[str, TaskPolicy]) -> LateRule:
        fields = entry.fields(LATE_FIELDS)
        dues = _dues(every)
        if not dues:
            raise entry.fault("nothing is due", "add due: for the course, or for tasks")
        if len(set(dues.values())) > 1 and any(every[name].attempt_place is None for name in dues):
            raise entry.fault(
                "tasks are due at different times, and it is not said which attempt counts",
                f"add attempt: and one of {', '.join(ATTEMPTS)}; with latest, a hand-in for a later task is "
                "also the latest for the earlier ones",
            )
        percents = [fields[name] for name in ("percent_per_day", "percent_per_hour") if name in fields]
        if len(percents) > 1:
            raise percents[1].fault("percent_per_day is set, too", "keep one of the two")
        for name, needed in (
            ("floor", ("percent_per_day", "percent_per_hour")),
            ("count", ("percent_per_day", "percent_per_hour", "days")),
            ("days_per", ("days",)),
            ("days_per_task", ("days",)),
        ):
            if name in fields and not any(each in fields for each in needed):
                raise fields[name].fault(f"needs {' or '.join(needed)} beside it", "add one, or take it out")
        count = fields["count"].text() if "count" in fields else "started"
        if count not in ("started", "whole"):
            raise fields["count"].wrong("started or whole")
        places = {name: place_of(each) for name, each in fields.items()}
        if percents:
            places["percent"] = place_of(percents[0])
        return LateRule(
            percent=number(percents[0], 100) if percents else None,
            hourly="percent_per_hour" in fields,
            started=count == "started",
            floor=number(fields["floor"], 100) if "floor" in fields else Decimal(0),
            accepted_until=self._until(fields.get("accepted_until"), dues),
            days=whole(fields["days"], 999) if "days" in fields else None,
            by_handin="days_per" in fields and one_of(fields["days_per"], ("task", "hand-in")) == "hand-in",
            days_per_task=whole(fields["days_per_task"], 999) if "days_per_task" in fields else None,
            places=places,
        )

    def _until(self, entry: Entry | None, dues: Mapping[str, datetime]) -> Length | datetime | None:
        if entry is None:
            return None
        expected = f"{A_LENGTH}, or {A_TIME}"
        text = entry.text(expected)
        if _TIME.fullmatch(text):
            until = self._time(entry)
            last = max(dues, key=lambda name: dues[name])
            if until < dues[last]:
                due = times.format_time(dues[last], self._zone)
                raise entry.wrong(f"a time after the last due date, {due} ({last})")
            return until
        return _length(entry, expected)

    def _extension(self, entry: Entry, dues: Mapping[str, datetime], has_days: bool) -> Extension:
        fields = entry.fields(EXTENSION_FIELDS)
        student = words(entry, fields, "student", "an id or an e-mail address")
        waived = "waived" in fields and fields["waived"].flag()
        if not waived and not fields.keys() & {"due", "more", "late_days"}:
            raise entry.fault("gives nothing", "add due, more, late_days or waived: true")
        if {"due", "more"} <= fields.keys():
            raise fields["more"].fault("due is set, too", "keep one of the two")
        tasks = names(fields["tasks"], self._known) if "tasks" in fields else ()
        if "late_days" in fields:
            if not has_days:
                raise fields["late_days"].fault("the course has no late days", "add late.days, or use more")
            if tasks:
                raise fields["late_days"].fault(
                    "late days are for the whole course, not for tasks", "take tasks out, or use more"
                )
        if fields.keys() & {"due", "more", "waived"} and not any(name in dues for name in tasks or dues):
            raise entry.fault("there is no due date to extend", "add due: for the course, or for tasks")
        return Extension(
            student=student,
            where=place_of(entry),
            tasks=tasks,
            due=self._time(fields["due"]) if "due" in fields else None,
            more=_length(fields["more"]) if "more" in fields else None,
            late_days=whole(fields["late_days"], 999) if "late_days" in fields else 0,
            waived=waived,
        )

    # ---- private boards ------------------------------------------------------------------------

    def _visible(self, entry: Entry, every: Mapping[str, TaskPolicy], policies: Policies) -> datetime | None:
        """Return the time from which results on private boards may be shown; None: never."""
        visible = entry.fields(("visible",)).get("visible")
        if visible is None:
            raise missing(entry, "visible", "never, after due, or a time")
        text = visible.text("never, after due, or a time")
        if text == "never":
            return None
        dues, open_end = _dues(every), _open_end(every, policies)
        last = _last_of_all(dues, policies) if dues else None  # that is known
        if text == "after due":
            if not dues:
                raise visible.fault("nothing is due", "add due: for the course, or for tasks")
            if open_end:
                raise visible.fault(f"work can be handed in for ever: {open_end}", "give a time, or never")
            return last
        time = self._time(visible, f"never, after due, or {A_TIME}")
        if last is not None and time < last:
            until = times.format_time(last, self._zone)
            raise visible.fault(f"work can be handed in until {until}", "give a later time, or never")
        return time

    # ---- times ---------------------------------------------------------------------------------

    def _time(self, entry: Entry, expected: str = A_TIME) -> datetime:
        """Return a moment, written in the course's time zone or with an offset from UTC.

        Raises:
            InputError: the text is not a time, or is one that clocks in the course's zone skip or show twice.
        """
        text = entry.text(expected)
        match = _TIME.fullmatch(text)
        if not match:
            raise entry.wrong(expected)
        try:
            wall = datetime.fromisoformat(match["wall"])
            if match["offset"]:
                return datetime.fromisoformat(match["wall"] + match["offset"]).astimezone(UTC)
        except ValueError:
            raise entry.wrong(expected) from None
        if not self._has_zone:
            raise entry.fault(
                "expected a time zone, found none",
                f"add timezone: Europe/Berlin, say; or write {match['wall']} +02:00",
            )
        moments = sorted(times.readings(wall, self._zone))
        if len(moments) == 1:
            return moments[0]
        local = [moment.astimezone(self._zone) for moment in moments]
        name = self._fields["timezone"].text()
        if local[0].replace(tzinfo=None) != wall:
            raise entry.fault(
                f"{match['wall']} does not exist in {name}, where clocks are put forward",
                f"write {local[0]:%Y-%m-%d %H:%M} or {local[1]:%Y-%m-%d %H:%M}",
            )
        offsets = [f"{match['wall']} {each.isoformat()[-6:]}" for each in local]
        raise entry.fault(
            f"{match['wall']} comes twice in {name}, where clocks are put back",
            f"write {offsets[0]} for the first, {offsets[1]} for the second",
        )


def _style(entry: Entry) -> StyleRule:
    fields = entry.fields(STYLE_FIELDS)
    for name in STYLE_FIELDS:
        if name not in fields:
            raise missing(entry, name, "a percentage of a task's points")
    if not style.is_there():
        raise entry.fault(
            "needs ruff, which is not installed", "in the course's folder: pip install '.[class]'"
        )
    percent = fields["percent_per_remark"]
    return StyleRule(number(percent, 100), number(fields["at_most"], 100), place_of(percent))


def _dues(every: Mapping[str, TaskPolicy]) -> dict[str, datetime]:
    return {name: task.due for name, task in every.items() if task.due}


def _open_end(every: Mapping[str, TaskPolicy], policies: Policies) -> str:
    """Return why handed-in work can earn points for ever; empty if there is a last moment."""
    if policies.late is None or not policies.late.ends:
        return "late.accepted_until is missing"
    waived = [f"{each.student} is waived" for each in policies.extensions if each.waived]
    undue = [f"{task.name} is never due" for task in every.values() if task.counts and task.due is None]
    return next(iter(waived + undue), "")


def _last_of_all(dues: Mapping[str, datetime], policies: Policies) -> datetime:
    """Return the last moment that is known at which handed-in work can still earn points."""
    ends, more_days = list(dues.values()), Counter[str]()
    for extension in policies.extensions:
        more_days[extension.student] += extension.late_days
        covered = [due for name, due in dues.items() if extension.covers(name)]
        if extension.due:
            ends.append(extension.due)
        if extension.more:
            ends += [times.plus(due, extension.more, policies.zone) for due in covered]
    last = max(ends)
    until = policies.late.until(max(more_days.values(), default=0)) if policies.late else last
    until = times.plus(last, until, policies.zone) if isinstance(until, Length) else until
    return max(last + policies.grace, until)


def _zone(entry: Entry) -> tzinfo:
    name = entry.text("a time zone such as Europe/Berlin")
    known = sorted(zoneinfo.available_timezones())
    if not known:
        raise entry.fault("this machine has no time zones", "pip install tzdata")
    if name not in known:
        error = unknown("time zone", name, known, "time zones: America/New_York, Europe/Berlin, UTC …")
        raise entry.fault(error.message, error.help)
    if name in _NO_SUMMER_TIME:
        raise entry.fault(f"{name} has no daylight saving time", f"write {_NO_SUMMER_TIME[name]}")
    return zoneinfo.ZoneInfo(name)


def _length(entry: Entry, expected: str = A_LENGTH) -> Length:
    text = entry.text(expected)
    if not _LENGTH.fullmatch(text):
        raise entry.wrong(expected)
    days, rest = 0, timedelta()
    for count, unit in _PART.findall(text):
        if unit[0] in "wd":
            days += int(count) * (7 if unit[0] == "w" else 1)
        else:
            word = {"h": "hours", "m": "minutes", "s": "seconds"}[unit[0]]
            rest += timedelta(**{word: int(count)})
    return Length(days, rest)


def _given(fields: Mapping[str, Entry]) -> Given:
    """Return what the course names for each run; a relative path begins at the folder of its course.yaml."""

    def file(name: str) -> Path | None:
        if name not in fields:
            return None
        found = fields[name].file.parent / fields[name].text("a path")
        if why := paths.foreign(found):
            raise InputError(why, "put your own file into a folder of your own")
        return found

    boards = _boards(fields["boards"]) if "boards" in fields else None
    given = Given(file("roster"), file("times"), file("adjustments"), boards)
    if "feedback" in fields:
        listed = fields["feedback"].entries() if fields["feedback"].is_list else [fields["feedback"]]
        given = replace(given, feedback=tuple(one_of(each, FORMATS) for each in listed))
    if "leaderboard" in fields:
        given = replace(given, named=one_of(fields["leaderboard"], ("pseudonyms", "names")) == "names")
    return given


def _boards(entry: Entry) -> BoardChoice | None:
    """Return the boards to grade on, from what one would type after --boards, or a list of that."""
    words = [each.text("a path") for each in (entry.entries() if entry.is_list else [entry])]
    try:
        return board_choice.read(words, entry.file.parent, seeded=True)
    except InputError as error:
        raise entry.fault(error.message, error.help) from None
