"""What a child needs of the file system: Python, libraries and the framework, and nothing of the grader."""

import os
import site
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

_GRADER = Path(__file__).resolve().parents[1]
# Beside Python's own: what the loader of shared libraries and the time zone need.
_SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache", "/etc/localtime")
_MORE = ("/usr/share/zoneinfo", "/dev/zero", "/dev/urandom", "/dev/random")
SINK = Path("/dev/null")


def readable(framework_root: Path) -> list[Path]:
    """Return the files and folders that any student's process may read.

    Args:
        framework_root: the folder that holds the package `framework`.
    """
    python = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    wanted = dict.fromkeys([*python, *site.getsitepackages(), *_SYSTEM, *_MORE])
    found = [part for path in wanted for part in _without(Path(path), _GRADER) if part.exists()]
    return [*found, framework_root / "framework", Path(sys.prefix) / "pyvenv.cfg"]


def _without(path: Path, hidden: Path) -> Iterator[Path]:
    """Give `path`, or what is in it one by one, so that `hidden` is not among it."""
    real = Path(os.path.realpath(path))
    if hidden == real or real in hidden.parents:
        for inside in sorted(real.iterdir()) if hidden != real else ():
            yield from _without(inside, hidden)
    else:
        yield path
