"""GitHub's workflow commands: an annotation at the student's line for each cause of lost points.

See https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands; a step shows at most
ten errors and ten notices. The job's summary page is made by `markdown`.
"""

import re

from grader.reports import content
from grader.reports.report import Report
from grader.result import Verdict
from grader.safe_text import safe

CALM = (Verdict.ACCEPTED, Verdict.NOT_WRITTEN, Verdict.NOT_RUN)  # no error, but there may be something to do
PLACE = re.compile(r"(?P<file>.+):(?P<line>[1-9][0-9]{0,8})", re.DOTALL)


def format_report(report: Report) -> str:
    """Return the workflow commands, then one line per task and one for the whole run."""
    lines = [
        _annotation(cause, f"{report.folder}/{task.file}")
        for task in report.tasks
        for cause in content.causes(report.of(task))
        if not cause.first.full
    ]
    plain = [
        *(content.task_score(task, report) for task in report.tasks),
        content.summary(report),
        *content.notes(report),
    ]
    plain += filter(None, [content.made_line(report)])
    return "\n".join([*lines, safe("\n".join(plain))]) + "\n"


def _annotation(cause: content.Cause, file: str) -> str:
    first = cause.first
    command = "notice" if first.verdict in CALM else "error"
    place = PLACE.fullmatch(first.place)
    properties = {"file": place["file"] if place else file}
    if place:
        properties["line"] = place["line"]
    properties["title"] = f"{content.check_name(first)}: {first.verdict.words}"
    lines = [content.explanation(first), *cause.folded()]
    shown = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{command} {shown}::{_data(chr(10).join(lines))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(safe(text)).replace(":", "%3A").replace(",", "%2C")
