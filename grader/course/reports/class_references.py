"""Find who handed in the course's own solution, which is public: as it is, or renamed and formatted anew."""

import hashlib
import keyword
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from grader import paths
from grader.course.reports.standings import Standings

# A name or number, or any other sign but those that formatting adds and takes away.
_SIGNS = re.compile(r"\w+|[^\s\w()'\",\\]")
_COMMENT = re.compile(r"#[^\n]*")


def handed_in_references(standings: Standings) -> Mapping[str, Sequence[str]]:
    """Return, by student, the tasks for which they handed in the reference.

    It is found by what is left of a program without names, comments, docstrings and its format: a student's
    own program has another shape, but for chance in the smallest tasks.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for task in standings.tasks:
        reference = paths.REFERENCE / task.file
        if not (task.file.endswith(".py") and reference.is_file()):
            continue
        wanted, shapes = _shape(reference.read_text("utf-8")), dict[str, str]()
        for student, sources in standings.rows(
            "SELECT student, sources FROM had WHERE task = ? ORDER BY student", task.name
        ):
            if sources not in shapes:
                text = standings.store.sources_called(sources).files.get(task.file, "")
                shapes[sources] = _shape(text)
            if shapes[sources] == wanted:
                found[student].append(task.name)
    return found


def _shape(program: str) -> str:
    """Return a digest of a program's shape; a plain scan, since the program is a student's."""
    code = _COMMENT.sub("", "".join(program.split('"""')[::2]))
    signs = (
        "N" if each.isidentifier() and not keyword.iskeyword(each) else each for each in _SIGNS.findall(code)
    )
    return hashlib.sha256(" ".join(signs).encode("utf-8", "surrogatepass")).hexdigest()
