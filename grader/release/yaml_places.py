"""Find the lines of fields in a YAML file, and their comments."""

from pathlib import Path
from typing import Any

import yaml

from grader import paths
from grader.catalog import yaml_file


class YamlPlaces:
    """The places of the fields in a YAML file."""

    def __init__(self, file: Path, help: str) -> None:
        """Read a file.

        Raises:
            InputError: the file cannot be read, or is not a mapping; the error has this `help`.
        """
        self.loaded = yaml_file.read_mapping(file, help)
        text = file.read_text("utf-8")
        self._file = file
        self._lines = text.splitlines()
        self._root: Any = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))

    def of(self, *keys: str | int) -> str:
        """Return the `file:line` of the last of these keys and indices, or of the last that is found."""
        return f"{paths.shown(self._file)}:{self._find(keys)[0].start_mark.line + 1}"

    def behind(self, *keys: str | int) -> str:
        """Return the comment on the line where a value ends; empty if there is none."""
        _, value = self._find(keys)
        rest = self._lines[value.end_mark.line][value.end_mark.column :].strip()
        return rest if rest.startswith("#") else ""

    def above(self, *keys: str | int) -> str:
        """Return the comment directly above a field, its lines joined; empty if there is none."""
        key, _ = self._find(keys)
        first = key.start_mark.line
        while first > 0 and self._lines[first - 1].lstrip().startswith("#"):
            first -= 1
        return " ".join(line.strip(" #") for line in self._lines[first : key.start_mark.line])

    def _find(self, keys: tuple[str | int, ...]) -> tuple[yaml.Node, yaml.Node]:
        """Return the last key found of `keys`, and its value; for an item of a list, both are the item."""
        key = value = self._root
        for each in keys:
            if isinstance(value, yaml.SequenceNode):
                key = value = value.value[int(each)]
                continue
            pairs = value.value if isinstance(value, yaml.MappingNode) else []
            found = next((pair for pair in pairs if pair[0].value == each), None)
            if found is None:
                break
            key, value = found
        return key, value
