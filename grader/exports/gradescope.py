"""Gradescope's autograder.zip: https://gradescope-autograders.readthedocs.io/en/latest/specs/

Container and timeouts: .../latest/troubleshooting/, base images: .../latest/base_images/.
"""

from grader.exports.archives import zip_bytes
from grader.exports.assignment import Assignment
from grader.exports.course_files import course_files, filled, run_files
from grader.sandbox.confine.limits import GRADER_MIB

CONTAINER_MIB = 768  # Gradescope's default
SHOWN = {  # when students see the checks on private boards, by Gradescope's word for it
    "after_due_date": "after the due date, and the total not before either",
    "after_published": "with the published grades, and the total not before either",
    "hidden": "never; but their points are in the total, which is shown at once",
}


def files(assignment: Assignment, hidden_until: str) -> dict[str, str | bytes]:
    """Return the zip and its README.

    Args:
        assignment: what is graded.
        hidden_until: a word of SHOWN.
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
        **course_files(assignment.boards),
        **run_files(),
        **assignment.private_files(),
    }
    return {"autograder.zip": zip_bytes(uploaded), "README.md": filled("gradescope/README.md", values)}
