"""Check that this Python is the one that a release pins, since another may accept other programs."""

import re
import sys

from grader import paths
from grader.errors import InputError

_PINNED = re.compile(r'^requires-python\s*=\s*"==(\d+)\.(\d+)\.\*"', re.M)


def check() -> None:
    """Raise InputError if the folder's pyproject.toml pins another version of Python than this one."""
    try:
        text = (paths.FRAMEWORK_ROOT / "pyproject.toml").read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return  # installed: pip has checked it
    pinned = _PINNED.search(text)
    if pinned is None or (int(pinned[1]), int(pinned[2])) == sys.version_info[:2]:
        return
    wanted = f"{pinned[1]}.{pinned[2]}"
    raise InputError(
        f"pyproject.toml: this course is graded with Python {wanted}, found Python "
        f"{sys.version_info.major}.{sys.version_info.minor}",
        f"make the environment anew: rm -r .venv && make PYTHON=python{wanted}",
    )
