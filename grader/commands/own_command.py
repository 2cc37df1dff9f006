"""Find out how to type this grader's command later: `uvx` and `pipx run` install it for one run only."""

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

from grader.commands import DISTRIBUTION


class OwnCommand(NamedTuple):
    """How the command is typed.

    Attributes:
        typed: what to type for `grade`.
        install: what to type once before; empty if nothing.
    """

    typed: str
    install: str


def find() -> OwnCommand:
    """Return how the command that runs now can be typed later."""
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
    """Return whether a folder of PATH has a `grade` that is the one in `scripts`, as tools are installed."""
    folders = [each for each in os.get_exec_path() if Path(each) != scripts]
    found = shutil.which("grade", path=os.pathsep.join(folders))
    return found is not None and Path(found).resolve().parent == scripts.resolve()


def _origin() -> str:
    """Return from what to install: the wheel's file or address, or the name of the distribution."""
    found = metadata.distribution(DISTRIBUTION).read_text("direct_url.json")
    url = json.loads(found)["url"] if found else DISTRIBUTION
    parts = urlsplit(url)
    return shlex.quote(url2pathname(parts.path) if parts.scheme == "file" else url)
