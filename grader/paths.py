"""Where things are, in a checkout, in an installed wheel and on the user's machine."""

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
REFERENCE = PACKAGE / "reference"
ORACLE = PACKAGE / "oracle"
RESEARCH = PACKAGE / "research"
TASKS_FILE = PACKAGE / "tasks.yaml"
FRAMEWORK_ROOT = PACKAGE.parent  # the folder that holds the package `framework`


def _course_folder(name: str) -> Path:
    """Return a folder that stands beside the package in a checkout and inside it in a wheel."""
    inside = PACKAGE / name
    return inside if inside.is_dir() else PACKAGE.parent / name


BOARDS = _course_folder("boards")
HANDOUTS = _course_folder("handouts")


def cache_root() -> Path:
    """Return the folder for what can be made again: compiled code, last results."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(given) if os.path.isabs(given) else Path.home() / ".cache"  # as the XDG specification has it
    return base / "peg-grade"


def shown(path: Path) -> str:
    """Return `path` as a user would type it here: relative when it is below the current folder."""
    try:
        return str(Path(os.path.abspath(path)).relative_to(Path.cwd()))  # links are kept as they are named
    except ValueError:
        return str(path)
