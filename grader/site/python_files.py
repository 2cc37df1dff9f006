"""Choose the Python files that run in the browser: the course's own, and those of a few libraries."""

import re
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

from grader import paths
from grader.errors import InputError

BROWSER = Path(__file__).parent / "browser"
# Rooms of the released grader that need processes, a terminal or a server.
NOT_THERE = (
    "grader/commands/",
    "grader/film/page.py",
    "grader/play/",
    "grader/tracing/",
    "grader/viva/",
    "grader/web/html_page.py",
    "grader/web/menu.py",
    "grader/sandbox/parent/",
    "grader/sandbox/doctor",
)
# The libraries that the rest imports; what they need comes with them. PyYAML does without its C part.
LIBRARIES = ("click", "icontract", "PyYAML", "tabulate")
STATED = ("License-Expression", "License")  # where a library says its licence in a word


def browser_files(released: Mapping[str, str]) -> dict[str, str]:
    """Return, by name, the course's files that Python in the browser needs, from the release and the site."""
    chosen = {
        name: text
        for name, text in released.items()
        if name.startswith(("framework/", "grader/", "boards/")) and not name.startswith(NOT_THERE)
        and name.endswith((".py", ".yaml", ".txt", ".md"))
    }  # fmt: skip
    ours = [Path(__file__).parent / "__init__.py", *sorted(BROWSER.glob("*.py"))]
    return chosen | {f"grader/{file.relative_to(paths.PACKAGE)}": file.read_text("utf-8") for file in ours}


def library_files() -> tuple[dict[str, bytes], str]:
    """Return the files of the libraries as they are installed here, and the text of their licences.

    Raises:
        InputError: a library is not installed.
    """
    files: dict[str, bytes] = {}
    licences = []
    for library in _with_needed():
        for file in library.files or ():
            if file.suffix == ".py" and ".." not in file.parts and "tests" not in file.parts:
                files[str(file)] = Path(str(file.locate())).read_bytes()
        licences.append(_licence(library))
    return files, "\n\n".join(licences)


def _with_needed() -> list[metadata.Distribution]:
    """Return the libraries and those that they need on every system, sorted by name."""
    found: dict[str, metadata.Distribution] = {}
    waiting = list(LIBRARIES)
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name in found:
            continue
        try:
            found[name] = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            raise InputError(f"{name} is not installed here", "pip install --editable .") from None
        needed = [each for each in found[name].requires or () if ";" not in each]
        waiting += [re.split(r"[^\w.-]", each.strip())[0] for each in needed]
    return [found[name] for name in sorted(found)]


def _licence(library: metadata.Distribution) -> str:
    """Return a library's name, version and licence, and the licence texts that it ships."""
    about = library.metadata
    stated = [each for name in STATED for each in about.get_all(name) or () if each][:1]
    named = [each for each in about.get_all("Classifier") or () if each.startswith("License ::")]
    kind = ", ".join(each.splitlines()[0].rpartition(":: ")[2] for each in stated or named)
    texts = [
        Path(str(file.locate())).read_text("utf-8", "replace").strip()
        for file in library.files or ()
        if file.name.upper().startswith(("LICENSE", "LICENCE", "COPYING")) and file.suffix != ".py"
    ]
    return "\n\n".join([f"{about['Name']} {library.version}: {kind}", *texts])
