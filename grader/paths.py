"""Where things are, in a checkout, in an installed wheel and on the user's machine."""

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
REFERENCE = PACKAGE / "reference"
ORACLE = PACKAGE / "oracle"
RESEARCH = PACKAGE / "research"
TASKS_FILE = PACKAGE / "tasks.yaml"
FRAMEWORK_ROOT = PACKAGE.parent  # the folder that holds the package `framework`


def _beside(name: str) -> Path:
    """Return what stands beside the package in a checkout and inside it in a wheel."""
    inside = PACKAGE / name
    return inside if inside.exists() else PACKAGE.parent / name


BOARDS = _beside("boards")
HANDOUTS = _beside("handouts")
LICENSE = _beside("LICENSE")


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
