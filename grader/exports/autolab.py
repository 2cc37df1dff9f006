"""Autolab's autograde.tar and its Makefile: https://docs.autolabproject.com/lab/

Tango's autodriver runs it (autodriver/autodriver.c, config.template.py of https://github.com/autolab/Tango):
`make` as the user autograde below that user's home, at most 100 processes and threads, files of 100 MiB, and
output of 1000 KiB, of which else the middle is cut; killed at the assessment's autograde_timeout.
"""

from grader.exports.archives import tar_bytes
from grader.exports.assignment import Assignment
from grader.exports.course_files import course_files, filled, run_files


def files(assignment: Assignment) -> dict[str, str | bytes]:
    """Return the tar, the Makefile, what the image is made of, and what the assessment must say."""
    problems = "\n".join(
        f"- name: {task.name}\n  description: {task.title!r}\n  max_score: {assignment.points(task)}.0\n"
        "  optional: false"
        for task in assignment.tasks
    )
    values = {**assignment.values, "problems": problems}
    course = course_files(assignment.boards)
    uploaded = {
        "run_autolab": filled("autolab/run_autolab", values),
        **course,
        **run_files(),
        **assignment.private_files(),
    }
    names = ("autograde-Makefile", "assessment.yml", "Dockerfile", "README.md")
    return {
        "autograde.tar": tar_bytes(uploaded),
        **{name: filled(f"autolab/{name}", values) for name in names},
        "setup.sh": filled("setup.sh", {}),
        "requirements.txt": course["requirements.txt"],
    }
