"""Make the files that a course uploads to Gradescope, Autolab and GitHub, keyed by file name."""

import math
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import metadata
from pathlib import Path

from grader import paths
from grader.catalog.tasks import Check, Task
from grader.errors import InputError
from grader.judging import kinds
from grader.judging.board_sets import OwnBoardsAnd
from grader.judging.private_boards import PrivateBoards
from grader.release.packing import tar_bytes, zip_bytes
from grader.release.release import release_files
from grader.release.release_check import faults
from grader.sandbox.confine.limits import GRADER_MIB

Files = dict[str, str | bytes]
CONTAINER_MIB = 768  # Gradescope's default
SHOWN = {  # when students see the checks on private boards, by Gradescope's keyword
    "after_due_date": "after the due date; the total is not shown before that either",
    "after_published": "with the published grades; the total is not shown before that either",
    "hidden": "never; but their points are in the total, which is shown immediately",
}
WORKFLOW = ".github/workflows/grade.yml"
PRIVATE = "private"  # the folder of the private boards
REQUIRED = re.compile(r"[A-Za-z0-9._-]+")  # the name in a requirement
ROOMS = ("framework/", "grader/", "boards/", "LICENSE")
RUN_THERE = (  # modules for platforms, in addition to the release
    *("exports/__init__.py", "exports/platform_run.py"),
    *(
        f"submissions/{name}.py"
        for name in ("archives", "gather", "locate", "slips", "tar_members", "trees", "unpacked")
    ),
)


@dataclass(frozen=True)
class Assignment:
    """The choices for grading on a platform."""

    tasks: Sequence[Task]
    boards: Path | None
    minutes: int

    @cached_property
    def _private(self) -> PrivateBoards | None:
        return PrivateBoards(self.boards) if self.boards is not None else None

    @cached_property
    def _checks(self) -> dict[str, Sequence[Check]]:
        if self._private is None:
            return {task.name: task.checks for task in self.tasks}
        private = OwnBoardsAnd(self._private)
        judging = [task for task in self.tasks if kinds.of(task).takes_boards]
        if not any(self._private.checks(task) for task in judging):
            assert self.boards is not None
            names = ", ".join(task.name for task in self.tasks)
            raise InputError(
                f"{paths.shown(self.boards)}: no board that {names} can judge",
                "look at solvable, fewest, forced and tasks in its index.yaml",
            )
        return {task.name: private.checks(task) if task in judging else task.checks for task in self.tasks}

    def private_files(self) -> dict[str, str]:
        """Return the files of the private set.

        All facts about its boards are written out, since platforms lack the engine that proves them.
        """
        if self._private is None:
            return {}
        return {f"{PRIVATE}/{name}": text for name, text in self._private.whole(self.tasks).items()}

    def points(self, task: Task) -> int:
        """Return the points of a task."""
        return sum(check.points for check in self._checks[task.name])

    @property
    def options(self) -> str:
        """The command-line options of `platform_run` that depend on the assignment."""
        boards = f'--boards "$here/{PRIVATE}" ' if self._private is not None else ""
        return boards + " ".join(f"--task {shlex.quote(task.name)}" for task in self.tasks)

    @property
    def values(self) -> dict[str, object]:
        """The values that replace `@name@` in the texts made for a platform."""
        cpu_s = sum(check.cpu_s for checks in self._checks.values() for check in checks)
        return {
            "tasks": ", ".join(task.name for task in self.tasks),
            "points": sum(self.points(task) for task in self.tasks),
            "minutes": self.minutes,
            "timeout": self.minutes * 60,
            "cpu_minutes": math.ceil(cpu_s / 60),
            "private": "none"
            if self.boards is None
            else f"{paths.shown(self.boards)}, in addition to the tasks' own",
            "options": self.options,
        }


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
    run_there = {f"course/grader/{name}": (paths.PACKAGE / name).read_text("utf-8") for name in RUN_THERE}
    return {**course_files(), **run_there, **assignment.private_files()}


def course_files() -> dict[str, str]:
    """Return the files of `course/` (the framework, the grader and the boards) and `requirements.txt`.

    The files are checked like the release, so that no solution and no oracle is among them.
    """
    files = release_files()
    for fault in faults(files):
        raise fault
    course = {f"course/{name}": text for name, text in files.items() if name.startswith(ROOMS)}
    return {**course, "requirements.txt": requirements()}


def filled(name: str, values: Mapping[str, object]) -> str:
    """Return the text of a file in `files/` with each `@name@` replaced by its value."""
    text = (Path(__file__).parent / "files" / name).read_text("utf-8")
    for key, value in values.items():
        text = text.replace(f"@{key}@", str(value))
    return text


def requirements() -> str:
    """Return a requirements.txt with the libraries for grading, at the versions installed here.

    Libraries that only other systems or Python versions need are not installed here, and so are left out.
    """
    pinned: dict[str, str] = {}
    waiting = ["peg-solitaire"]
    while waiting:
        needed = [each for each in metadata.requires(waiting.pop()) or [] if "extra ==" not in each]
        for requirement in needed:
            found = REQUIRED.match(requirement)
            assert found is not None
            name = re.sub(r"[-_.]+", "-", found[0]).lower()  # normalized as in the packaging specifications
            try:
                version = metadata.version(name)
            except metadata.PackageNotFoundError:
                continue
            if name not in pinned:
                pinned[name] = version
                waiting.append(name)
    return "".join(f"{name}=={version}\n" for name, version in sorted(pinned.items()))
