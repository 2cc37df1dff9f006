"""Workflows for GitHub: the course's, which grades, and the student's, which calls it.

https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax. What a student's
repository says of itself is advisory, so there is nothing private here.
"""

from collections.abc import Sequence

from grader.catalog.tasks import Task
from grader.exports.course_files import course_files, filled

WORKFLOW = ".github/workflows/grade.yml"


def files(tasks: Sequence[Task], repository: str, ref: str) -> dict[str, str | bytes]:
    """Return both repositories' files and a README.

    Args:
        tasks: what is graded.
        repository: of the grader, OWNER/NAME.
        ref: its tag or commit.
    """
    values = {"repository": repository, "ref": ref, "tasks": " ".join(task.name for task in tasks)}
    return {
        **{f"grader-repository/{name}": text for name, text in course_files().items()},
        f"grader-repository/{WORKFLOW}": filled("github/grade.yml", {}),
        f"student-repository/{WORKFLOW}": filled("github/student-grade.yml", values),
        "README.md": filled("github/README.md", {**values, "tasks": ", ".join(task.name for task in tasks)}),
    }
