"""The compiled code of one submission, kept between runs: written by a run made for it, read by checks."""

import contextlib
import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from grader import folders
from grader.sandbox import namespaces
from grader.sandbox.exchange import OverLimit
from grader.sandbox.limits import MIB, Usage
from grader.sandbox.outcome import End, Outcome

KEPT_BYTES = 16 * MIB  # the reference's peg5 leaves 1 MiB
RUNS = 3  # for the sake of one submission in one run of the grader
_KEPT = re.compile(r"[\w.<>-]+\.nb[ic]|signatures\.pickle")  # numba's index and code files, and our list


def _folder_of(code: Path) -> str:
    """Return the name of the folder in which numba keeps what it compiles of the files in `code`."""
    return f"{code.name}_{hashlib.sha1(str(code).encode(), usedforsecurity=False).hexdigest()}"


def _is_compiled(path: Path) -> bool:
    return bool(_KEPT.fullmatch(path.name)) and path.is_file() and not path.is_symlink()


class CompiledCode:
    """The folder `compiled` of a submission's clean folder."""

    def __init__(self, clean_folder: Path) -> None:
        self._code = clean_folder / "code"
        self.folder = clean_folder / "compiled"
        self.signatures = self.folder / "signatures.pickle"
        self._tried = clean_folder / "compiled-once"
        self._runs = 0

    @property
    def was_tried(self) -> bool:
        """Whether a run was made to have the code compiled, whatever came of it."""
        return self._tried.exists()

    def take_over(self, basis: Path) -> None:
        """Copy what was compiled of the files that this submission shares with another one.

        What is compiled of a function depends on its own file and on those that it imports. All files of the
        other submission are here as well, so it is what the same files would leave here.

        Args:
            basis: the other's clean folder.
        """
        theirs, ours = CompiledCode(basis), self.folder / _folder_of(self._code)
        if self.was_tried or not theirs.was_tried:
            return
        with contextlib.suppress(OSError):  # at worst it is compiled again
            for path in theirs._paths():
                if path.parent.name == _folder_of(theirs._code) and _is_compiled(path):
                    ours.mkdir(exist_ok=True)
                    shutil.copyfile(path, ours / path.name)

    def may_run(self) -> bool:
        """Return whether one more run may be made for it, and count it: a program may ask for ever."""
        self._runs += 1
        return self._runs <= RUNS

    def give(self, has_own_user: bool) -> None:
        """Make the folder the property of the user that is to write there."""
        if os.name == "posix" and os.geteuid() == 0:
            owner = namespaces.OWN_ID if has_own_user else 0
            for path in (self.folder, *self._paths()):
                os.chown(path, owner, owner, follow_symlinks=False)

    def limited(self, limit: OverLimit) -> OverLimit:
        """Return `limit` and one of what is written there, the one place where a run can write."""

        def over_limit(outcome: Outcome, used: Usage | None) -> End | None:
            kept = 0
            for path in self._paths():
                with contextlib.suppress(OSError):  # a temporary file that was just moved
                    kept += path.lstat().st_size
            return End.OUTPUT_LIMIT if kept > KEPT_BYTES else limit(outcome, used)

        return over_limit

    def _paths(self) -> Iterator[Path]:
        """Give what is in the folder and in the folders in it, which is all that numba makes."""
        for path in sorted(self.folder.iterdir()):
            yield path
            if path.is_dir() and not path.is_symlink():
                yield from sorted(path.iterdir())

    def keep(self, end: End) -> None:
        """Keep what a run wrote that ended so and is dead: compiled code and nothing else."""
        if end == End.OUTPUT_LIMIT:
            folders.remove(self.folder)
            self.folder.mkdir(exist_ok=True)
        self.tidy()
        if end == End.WALL_LIMIT:  # it waits for something, and would again
            self._runs = RUNS
        elif end != End.STOPPED:
            self._tried.touch()  # it need not be tried again, even if it failed

    def tidy(self) -> None:
        """Remove what is no compiled code; in tiers below 2 a check can leave such things too."""
        for path in self._paths():
            if not _is_compiled(path):
                if path.parent != self.folder:  # numba's folders stand in the first level
                    folders.remove(path)
                with contextlib.suppress(OSError):
                    path.unlink()
