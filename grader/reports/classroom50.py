"""Classroom 50's `result.json`, in its schema `classroom50/result/v1`.

See https://github.com/foundation50/classroom50/blob/main/schemas/result-v1.schema.json and the wiki page
Advanced-Autograding. Classroom 50's runner adds the submission time and overwrites owner and type.
"""

import json

from grader.reports.content import check_name, explanation, outcome
from grader.reports.report import Report

SCHEMA = "classroom50/result/v1"
VARIABLES = {  # the environment variable for each field
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "assignment_type": "ASSIGNMENT_TYPE",
    "owner": "OWNER",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
}


def format_report(report: Report) -> str:
    """Return one JSON object; it has no field for remarks on the whole run, so only `markdown` shows them."""
    known = report.environment
    data = {
        "schema": SCHEMA,
        **{field: known[name] for field, name in VARIABLES.items() if known.get(name)},
        "review": known.get("REVIEW_URL") or known.get("COMMIT_URL", ""),
        "score": report.score,
        "max-score": report.max_score,
        "tests": [
            {
                "test-name": check_name(result),
                "passed": result.full,
                "score": result.points,
                "max-score": result.max_points,
                "message": outcome(result),
                "output": explanation(result, report.verbose),
            }
            for result in report.results
        ],
    }
    return json.dumps(data, indent=2) + "\n"
