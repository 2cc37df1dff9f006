"""Find out how to run `grade` again later, since `uvx` and `pipx run` install it for one run only."""

import json
import os
import shlex
import shutil
import sys
import sysconfig
from importlib import metadata
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit
from urllib.request import url2pathname

from grader.paths import DISTRIBUTION


class OwnCommand(NamedTuple):
    """How to run `grade` later.

    Attributes:
        typed: what to type for `grade`: usually `grade` itself, otherwise its path.
        install: the command that must be typed once before that; empty if none is needed.
    """

    typed: str
    install: str


def find() -> OwnCommand:
    """Return how to run, later, the `grade` that is running now."""
    scripts = Path(sysconfig.get_path("scripts"))
    active = sys.prefix in (sys.base_prefix, os.environ.get("VIRTUAL_ENV"))
    if active or _linked_from_path(scripts):
        return OwnCommand("grade", "")
    if "UV" in os.environ:  # uv tells what it runs where it is
        return OwnCommand("grade", f"uv tool install {_origin()}")
    if "pipx" in Path(sys.prefix).parts:
        return OwnCommand("grade", f"pipx install {_origin()}")
    on_path = str(scripts) in os.get_exec_path()
    return OwnCommand("grade" if on_path else shlex.quote(str(scripts / "grade")), "")


def _linked_from_path(scripts: Path) -> bool:
    """Return whether some folder on PATH has a `grade` that links to the one in `scripts`."""
    folders = [each for each in os.get_exec_path() if Path(each) != scripts]
    found = shutil.which("grade", path=os.pathsep.join(folders))
    return found is not None and Path(found).resolve().parent == scripts.resolve()


def _origin() -> str:
    """Return what to install: the wheel's file or URL, or else the name of the distribution."""
    found = metadata.distribution(DISTRIBUTION).read_text("direct_url.json")
    url = json.loads(found)["url"] if found else DISTRIBUTION
    parts = urlsplit(url)
    return shlex.quote(url2pathname(parts.path) if parts.scheme == "file" else url)
