"""Change the course's texts as the files in texts/ say; an edit that does not fit is an error."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from grader import paths
from grader.errors import InputError

EDITS = Path(__file__).parent / "texts"
NAME = re.compile(r"<<(\w+)>>")


def edited(files: Mapping[str, str], texts: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of `files`, changed.

    Args:
        files: the text of each file of the course, by its name in the course's folder.
        texts: what the names in these files stand for.

    Raises:
        InputError: an edit's old text is not there, or not as often as it should be.
    """
    changed = dict(files)
    for place, edit in _edits():
        old = edit["old"].rstrip("\n")
        new = NAME.sub(lambda match: texts[match[1]], edit["new"].rstrip("\n"))
        names = [edit["file"]] if isinstance(edit["file"], str) else edit["file"]
        for name in names:
            found = changed.get(name, "").count(old)
            if found != edit.get("times", 1):
                raise InputError(
                    f"{place}, of {name}: expected its old text "
                    f"{edit.get('times', 1)} times, found it {found} times: {old.strip()!r:.60}",
                    "put the words of that file into `old`, and what they become in a variant into `new`",
                )
            changed[name] = changed[name].replace(old, new)
    return changed


def _edits() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each edit after its place, which is its file and its number there."""
    for file in sorted(EDITS.glob("*.yaml")):
        for number, edit in enumerate(yaml.safe_load(file.read_text("utf-8")), 1):
            yield f"{paths.shown(file)}: edit {number}", edit
