"""Let a command work even if the cache folder is not writable; no result is kept for the next command."""

import atexit
import os

from grader import folders
from grader.sandbox.parent.sandbox import scratch_folder

HELP = "set XDG_CACHE_HOME to a folder that can be written"


def use(why: str) -> str:
    """Make this process, and those it starts, use a temporary cache folder; return what to tell the user."""
    made = scratch_folder()
    atexit.register(folders.remove, made)
    os.environ["XDG_CACHE_HOME"] = str(made)
    return f"{why}; no result is kept for the next command\nhelp: {HELP}"
