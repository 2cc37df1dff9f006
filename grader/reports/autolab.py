"""Autolab's feedback: the table, and the scores as JSON on the last line.

See https://docs.autolabproject.com/lab/ and, for the scoreboard,
https://docs.autolabproject.com/features/scoreboards/. Each task is an Autolab problem of the same name. The
scoreboard's columns are
`{"scoreboard": [{"hdr": "Points"}, {"hdr": "States", "asc": 1}, {"hdr": "CPU s", "asc": 1}]}`.
"""

import json
from dataclasses import replace

from grader.reports import table
from grader.reports.content import competing, faults, summary
from grader.reports.report import Report

# A cell without a number. Autolab sorts by Ruby's `to_f`, which reads the number that a text begins with: `-`
# would be 0 and come before every real count; this text comes after them.
NOTHING = "999999999 (none)"


def format_report(report: Report) -> str:
    """Return the feedback as text; states and CPU seconds are ranked only if every answer is right."""
    scores = {task.name: report.points(task)[0] for task in report.tasks}
    states, cpu_s = competing(report) or (None, NOTHING)
    result = {"scores": scores, "scoreboard": [report.score, NOTHING if states is None else states, cpu_s]}
    # Autolab reads JSON on the line before the last as display settings, so no foreign text may be there.
    text = table.format_report(replace(report, color=False)).replace("\n{", "\n {")
    return "\n".join([text, summary(report), *faults(report), json.dumps(result)]) + "\n"
