"""Make the files that a course uploads to Gradescope, Autolab and GitHub, keyed by file name."""

from collections.abc import Sequence

from grader.catalog.tasks import Task
from grader.exports.assignment import Assignment
from grader.exports.course_files import course_files, filled, run_files
from grader.release.packing import tar_bytes, zip_bytes
from grader.sandbox.confine.limits import GRADER_MIB

Files = dict[str, str | bytes]
CONTAINER_MIB = 768  # Gradescope's default
SHOWN = {  # when students see the checks on private boards, by Gradescope's keyword
    "after_due_date": "after the due date; the total is not shown before that either",
    "after_published": "with the published grades; the total is not shown before that either",
    "hidden": "never; but their points are in the total, which is shown immediately",
}
WORKFLOW = ".github/workflows/grade.yml"


def gradescope(assignment: Assignment, hidden_until: str) -> Files:
    """Return Gradescope's autograder.zip and a README; `hidden_until` is a key of `SHOWN`.

    See https://gradescope-autograders.readthedocs.io/en/latest/specs/, .../latest/troubleshooting/ (container
    and timeouts) and .../latest/base_images/.
    """
    values = {
        **assignment.values,
        "options": f"--hidden-until {hidden_until} {assignment.options}",
        "shown": SHOWN[hidden_until],
        "check_mib": CONTAINER_MIB - GRADER_MIB,
        "task_mib": f"{max(task.memory_mib for task in assignment.tasks):,}",
    }
    uploaded = {
        "setup.sh": filled("setup.sh", {}),
        "run_autograder": filled("gradescope/run_autograder", values),
        **_graded_there(assignment),
    }
    return {"autograder.zip": zip_bytes(uploaded), "README.md": filled("gradescope/README.md", values)}


def autolab(assignment: Assignment) -> Files:
    """Return Autolab's autograde.tar and Makefile, the files of the image, and the assessment's settings.

    See https://docs.autolabproject.com/lab/. Tango's autodriver (autodriver/autodriver.c, config.template.py
    in https://github.com/autolab/Tango) runs `make` as the user autograde, below that user's home, with at
    most 100 processes and threads, files of 100 MiB and output of 1000 KiB (longer output loses its middle),
    and kills it at the assessment's autograde_timeout.
    """
    problems = "\n".join(
        f"- name: {task.name}\n  description: {task.title!r}\n  max_score: {assignment.points(task)}.0\n"
        "  optional: false"
        for task in assignment.tasks
    )
    values = {**assignment.values, "problems": problems}
    graded_there = _graded_there(assignment)
    names = ("autograde-Makefile", "assessment.yml", "Dockerfile", "README.md")
    return {
        "autograde.tar": tar_bytes({"run_autolab": filled("autolab/run_autolab", values), **graded_there}),
        **{name: filled(f"autolab/{name}", values) for name in names},
        "setup.sh": filled("setup.sh", {}),
        "requirements.txt": graded_there["requirements.txt"],
    }


def github(tasks: Sequence[Task], repository: str, ref: str) -> Files:
    """Return the files of two repositories: the grader's with a workflow, and the student's, which calls it.

    See https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax. Results in a
    student's own repository are advisory, so nothing private is included.

    Args:
        repository: the grader's repository, OWNER/NAME.
    """
    names = [task.name for task in tasks]
    values = {"repository": repository, "ref": ref, "tasks": " ".join(names)}
    return {
        **{f"grader-repository/{name}": text for name, text in course_files().items()},
        f"grader-repository/{WORKFLOW}": filled("github/grade.yml", {}),
        f"student-repository/{WORKFLOW}": filled("github/student-grade.yml", values),
        "README.md": filled("github/README.md", {**values, "tasks": ", ".join(names)}),
    }


def _graded_there(assignment: Assignment) -> dict[str, str]:
    """Return the files of the course, the modules to run them on a platform, and the private boards."""
    return {**course_files(assignment.boards), **run_files(), **assignment.private_files()}
