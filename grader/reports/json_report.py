"""The results as `peg-grade/v1`: for programs."""

import json

from grader.reports import Report

SCHEMA = "peg-grade/v1"


def format_report(report: Report) -> str:
    """Return one JSON object; see DESIGN for its fields."""
    data = {
        "schema": SCHEMA,
        "score": report.score,
        "max_score": report.max_score,
        "time_factor": report.time_factor,
        "results": [result.as_plain_data() for result in report.results],
    }
    return json.dumps(data, indent=2) + "\n"
