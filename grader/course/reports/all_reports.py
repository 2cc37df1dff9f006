"""Write all reports of a class run next to its store."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from grader.course import style
from grader.course.handins.worksheet import Worksheet
from grader.course.reports import class_summary, compare, feedback, gradebook, leaderboard
from grader.course.reports.class_numbers import class_numbers
from grader.course.reports.feedback import digest_of_grader
from grader.course.reports.standings import read_standings
from grader.course.rules.policies import Policies
from grader.course.store import ClassStore
from grader.errors import unwritable
from grader.reports.report import check_environment
from grader.safe_text import listed, printable

WRITTEN = "reports written"  # key of the store's note with their digests


def check_formats(formats: Sequence[str]) -> None:
    """Raise InputError if the page or one of the students' formats cannot be made on this machine."""
    for format in ("html", *formats):
        check_environment(format, {})


def get_ready(store: ClassStore) -> None:
    """Do what the reports take that is the same whatever is still graded: a run calls this while it waits."""
    from grader.course.reports import class_page  # needs jinja2

    class_page.compile_template()
    digest_of_grader()
    style.styles_in(store)
    store.take_digests()


def write_reports(
    store: ClassStore,
    policies: Policies,
    out: Path,
    formats: Sequence[str],
    named: bool = False,
    worksheet: Worksheet | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> list[Path]:
    """Write the gradebooks, the summary, the leaderboard, the page and the feedback; return their paths.

    Args:
        out: the output folder; each file is written completely or stays as it was.
        say: takes a line for the instructor.
    """
    check_formats(formats)
    from grader.course.reports import class_page  # needs jinja2

    now = datetime.now(UTC)
    standings = read_standings(store, policies, style.styles_in(store))
    compare.keep_grades(standings, now)
    numbers = class_numbers(standings)
    reports: dict[str, Callable[[], str]] = {
        "gradebook.csv": lambda: gradebook.format_gradebook(standings),
        "canvas.csv": lambda: gradebook.format_canvas(standings),
        "moodle.csv": lambda: gradebook.format_moodle(standings, worksheet),
        "summary.md": lambda: class_summary.format_summary(standings, numbers),
        "leaderboard.md": lambda: leaderboard.format_leaderboard(standings, named, standings.hides(now)),
        "index.html": lambda: class_page.format_page(standings, numbers, formats, now),
    }
    store.note(feedback.FORMATS, json.dumps(list(formats)))
    if note := gradebook.other_maximum(standings, worksheet):
        say(note)
    written, for_staff = [], feedback.WrittenFiles(store, WRITTEN)
    for_students = feedback.WrittenFiles(store)
    try:
        for name, format in reports.items():
            text = format()
            for_staff.write(out / name, "", text if name.endswith(".csv") else printable(text))
            written.append(out / name)
        for_staff.note()
        written += feedback.write_feedback(standings, out / "feedback", formats, now, for_students)
    except OSError as error:
        help = "free some space or choose another folder, and run the command again: nothing is graded twice"
        raise unwritable(out, error, help) from None
    if changed := [str(file.relative_to(out)) for file in (*for_staff.changed, *for_students.changed)]:
        say(
            f"written anew, though changed since the last run: {listed(changed)}; "
            "points are changed by adjustments in course.yaml"
        )
    return written
