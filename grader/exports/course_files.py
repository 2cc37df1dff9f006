"""Collect the files that all exports share: the released course, and texts with values filled in."""

import re
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

from grader import paths
from grader.release.release import release_files
from grader.release.release_check import faults

NAME = re.compile(r"[A-Za-z0-9._-]+")  # in a requirement
HERE = Path(__file__).parent
ROOMS = ("framework/", "grader/", "boards/", "LICENSE")
RUN_THERE = (  # modules for platforms, in addition to the release
    *("exports/__init__.py", "exports/platform_run.py"),
    *(
        f"submissions/{name}.py"
        for name in ("archives", "handed_in", "locate", "slips", "tar_members", "trees")
    ),
)


def course_files(private: Path | None = None) -> dict[str, str]:
    """Return the files of `course/` (the framework, the grader and the boards) and `requirements.txt`.

    The files are checked like the release, so that no solution, no oracle and no private board is among them.
    """
    files = release_files()
    for fault in faults(files, [private] if private is not None else []):
        raise fault
    course = {f"course/{name}": text for name, text in files.items() if name.startswith(ROOMS)}
    return {**course, "requirements.txt": requirements()}


def run_files() -> dict[str, str]:
    """Return the modules that run the grader on a platform, to be added to the course's files."""
    return {f"course/grader/{name}": (paths.PACKAGE / name).read_text("utf-8") for name in RUN_THERE}


def filled(name: str, values: Mapping[str, object]) -> str:
    """Return the text of a file in `files/` with each `@name@` replaced by its value."""
    text = (HERE / "files" / name).read_text("utf-8")
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
            found = NAME.match(requirement)
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
