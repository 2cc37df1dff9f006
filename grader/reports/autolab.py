"""Autolab's feedback: the table, and the scores as JSON on the last line.

https://docs.autolabproject.com/lab/ says so, https://docs.autolabproject.com/features/scoreboards/ what the
scoreboard is. Each task is a problem of the same name. The columns are
`{"scoreboard": [{"hdr": "Points"}, {"hdr": "States", "asc": 1}, {"hdr": "CPU s", "asc": 1}]}`.
"""

import json
from dataclasses import replace

from grader.reports import table
from grader.reports.content import competing, faults, summary
from grader.reports.report import Report

NOTHING = "-"  # in a column of the scoreboard


def format_report(report: Report) -> str:
    """Return the text; only programs that are right everywhere are compared by states and CPU seconds."""
    scores = {task.name: report.points(task)[0] for task in report.tasks}
    states, cpu_s = competing(report) or (None, NOTHING)
    result = {"scores": scores, "scoreboard": [report.score, NOTHING if states is None else states, cpu_s]}
    # A line of JSON before the last one tells Autolab how to show the feedback: no text of others may be one.
    text = table.format_report(replace(report, color=False)).replace("\n{", "\n {")
    return "\n".join([text, summary(report), *faults(report), json.dumps(result)]) + "\n"
