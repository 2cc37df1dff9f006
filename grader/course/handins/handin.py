"""An attempt of a class with its files, which are read only when asked for."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from grader.course.handins.found import Found
from grader.course.records import Attempt
from grader.safe_text import listed
from grader.submissions.gather import gather
from grader.submissions.locate import STUDENT
from grader.submissions.source_file import SubmissionFault
from grader.submissions.trees import Parts, Tree


@dataclass(frozen=True)
class Handin:
    """One attempt and its files, which are read only when asked for."""

    attempt: Attempt
    _files: Mapping[str, tuple[Tree, Parts]] = field(default_factory=dict)
    missing: bool = False  # whether the problem is that there is no file
    beside: tuple[str, ...] = ()

    def after(self, before: Self) -> Self:
        """Return this attempt with the files of the one before it that it lacks, and says so."""
        kept = {name: at for name, at in before._files.items() if name not in self._files}
        if not kept:
            return self
        said = f"{listed(sorted(kept))}: kept from attempt {before.attempt.number}"
        attempt = replace(self.attempt, slips=(*self.attempt.slips, said))
        return replace(self, attempt=attempt, _files={**kept, **self._files})

    @property
    def names(self) -> list[str]:
        """The names of the task files that were handed in."""
        return sorted(self._files)

    def read(self, name: str) -> bytes | None:
        """Return the content of the task's file `name`, or None if it was not handed in."""
        if name not in self._files:
            return None
        tree, at = self._files[name]
        return tree.read(at, f"{STUDENT}/{name}")


def handin_of(tree: Tree, found: Found, student: str, number: int, names: frozenset[str]) -> Handin:
    """Return an attempt with its files, or with the problem that makes them unusable."""
    place = tree.shown(found.place)
    attempt = Attempt(student, number, found.handed_in, place, late_by_platform=found.late)
    try:
        located, files = gather(tree, found.folder, found.files, names)
    except SubmissionFault as fault:
        return Handin(replace(attempt, problem=fault.message, help=fault.help), missing=fault.missing)
    holder = next((inside for inside, at in files.values() if at[:-1] == located.holder), tree)
    attempt = replace(attempt, place=holder.shown(located.holder), slips=tuple(located.slips))
    return Handin(attempt, files, beside=tuple(dict.fromkeys(located.loose)))
