"""The compiled code of one submission, kept between runs: written by a run made for it, read by checks."""

import os
import re
import shutil
from pathlib import Path

from grader.sandbox import namespaces
from grader.sandbox.exchange import OverLimit
from grader.sandbox.limits import MIB, Usage
from grader.sandbox.outcome import End, Outcome

KEPT_BYTES = 16 * MIB  # the reference's peg5 leaves 1 MiB
RUNS = 3  # for the sake of one submission in one run of the grader
_KEPT = re.compile(r"[\w.<>-]+\.nb[ic]|signatures\.pickle")  # numba's index and code files, and our list


class CompiledCode:
    """The folder `compiled` of a submission's clean folder."""

    def __init__(self, clean_folder: Path) -> None:
        self.folder = clean_folder / "compiled"
        self.signatures = self.folder / "signatures.pickle"
        self._tried = clean_folder / "compiled-once"
        self._runs = 0

    @property
    def was_tried(self) -> bool:
        """Whether a run was made to have the code compiled, whatever came of it."""
        return self._tried.exists()

    def may_run(self) -> bool:
        """Return whether one more run may be made for it, and count it: a program may ask for ever."""
        self._runs += 1
        return self._runs <= RUNS

    def give(self, has_own_user: bool) -> None:
        """Make the folder the property of the user that is to write there."""
        if os.name == "posix" and os.geteuid() == 0:
            owner = namespaces.OWN_ID if has_own_user else 0
            for path in (self.folder, *self.folder.rglob("*")):
                os.chown(path, owner, owner, follow_symlinks=False)

    def limited(self, limit: OverLimit) -> OverLimit:
        """Return `limit` and one of what is written there, the one place where a run can write."""

        def over_limit(outcome: Outcome, used: Usage | None) -> End | None:
            kept = sum(file.lstat().st_size for file in self.folder.rglob("*") if file.is_file())
            return End.OUTPUT_LIMIT if kept > KEPT_BYTES else limit(outcome, used)

        return over_limit

    def keep(self, end: End) -> None:
        """Keep what a run wrote that ended so, now that its process is dead: compiled code and nothing else."""
        if end == End.OUTPUT_LIMIT:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(exist_ok=True)
        for file in self.folder.rglob("*"):
            if not file.is_dir() and not _KEPT.fullmatch(file.name):
                file.unlink(missing_ok=True)
        if end not in (End.STOPPED, End.WALL_LIMIT):
            self._tried.touch()  # it need not be tried again, even if it failed
