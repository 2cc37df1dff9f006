"""Read YAML files; every error names the file, line and field.

Of YAML, only texts, numbers, true and false, lists and mappings are read. Anything else is an error: a tag,
which asks for a value of another kind, and an anchor, with which a short file may stand for a very long one.
"""

import re
import reprlib
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar, cast

import yaml

from grader import folders, paths
from grader.errors import InputError, unknown
from grader.safe_text import cut

Kind = TypeVar("Kind")
MAX_DEPTH = 50
MAX_PROBLEM = 300  # characters of PyYAML's own message
MAX_SHOWN = 100  # characters of a value in a message
_LARGEST = 10**18  # a whole number that every program can store
_TAG = "tag:yaml.org,2002:"

_WORD_FOR = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a mapping",
}


def read_mapping(path: Path, help: str) -> "Fields":
    """Return the mapping in the YAML file at `path`, or raise InputError."""
    return parse_mapping(folders.read_file(path, help), path, help)


def parse_mapping(raw: bytes, path: Path, help: str) -> "Fields":
    """Return the mapping in a YAML file that was read already; messages call it `path`.

    Raises:
        InputError: it is not YAML, or holds something else.
    """
    loaded = _parsed(raw, path, help, yaml.load)
    if not isinstance(loaded, Fields):
        raise InputError(f"{paths.shown(path)}: expected a mapping, found {type(loaded).__name__}", help)
    loaded.file = path
    return loaded


class Fields(dict[Any, Any]):
    """A mapping that knows its place in a file."""

    file = Path()
    where = ""  # its full name, such as `tasks.peg1`; empty for the whole file
    line = 1  # the number of its first line, from 1
    end = 0, 0  # the index of the line where it ends, and of the column after it
    lines: Mapping[str, int] = MappingProxyType({})  # the line number of each field, by the field's name

    def fault(self, name: object, problem: str, help: str) -> InputError:
        """Return an error about a field; its message has the place, the name and the problem."""
        line = self.lines.get(str(name), self.line)
        named = f"{self.where}.{name_of(name)}" if self.where else name_of(name)
        return InputError(f"{paths.shown(self.file)}:{line}: {named}: {problem}", help)

    def line_of(self, *keys: str | int) -> int:
        """Return the line of the last of these keys and indices, or of the last that is found."""
        line, value = self.line, self
        for key in keys:
            if isinstance(value, Fields) and key not in value:
                break
            line = value.lines[str(key)] if isinstance(value, Fields) else value[key].line
            value = value[key]
        return line

    def place(self, *keys: str | int) -> str:
        """Return the `file:line` of the last of these keys and indices, or of the last that is found."""
        return f"{paths.shown(self.file)}:{self.line_of(*keys)}"

    def optional(self, name: str, kind: type[Kind]) -> Kind | None:
        """Return a field, or None when it is absent or null, or raise InputError."""
        value: Any = self.get(name)
        if value is None:
            return None
        too_large = isinstance(value, int) and abs(value) > _LARGEST
        if kind is float and type(value) is int and not too_large:
            value = float(value)
        of_kind = isinstance(value, dict) if kind is dict else type(value) is kind
        if not of_kind or too_large:
            expected = _WORD_FOR[kind] + f" of at most {_LARGEST:,}" * too_large
            raise self.fault(name, f"expected {expected}, found {shown(value)}", "correct that field")
        return cast(Kind, value)

    def field(self, name: str, kind: type[Kind]) -> Kind:
        """Return a field, or raise InputError."""
        value = self.optional(name, kind)
        if value is None:
            raise self.fault(name, f"expected {_WORD_FOR[kind]}, found nothing", "add that field")
        return value

    def mapping(self, name: Any, help: str = "correct that field") -> "Fields":
        """Return a field that is a mapping, or raise InputError."""
        return self._placed(self.get(name), name, name_of(name), help)

    def mappings(self, name: str, help: str) -> list["Fields"]:
        """Return a field that is a list of mappings; empty when it is absent.

        Raises:
            InputError: the field is not a list of mappings.
        """
        values = self.optional(name, list) or []
        return [self._placed(value, name, f"{name}.{at}", help) for at, value in enumerate(values)]

    def _placed(self, value: Any, name: Any, label: str, help: str) -> "Fields":
        if not isinstance(value, Fields):
            found = "nothing" if value is None else shown(value)
            raise self.fault(name, f"expected a mapping, found {found}", help)
        value.file, value.where = self.file, f"{self.where}.{label}" if self.where else label
        return value


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # one of two, by machine
    """A YAML loader that rejects mappings with a duplicate field, since either of the two may be meant."""

    # What a text without quotes is, unless it is a text; a number of more digits is a text as well.
    yaml_implicit_resolvers: ClassVar = {
        first: [known for known in resolvers if known[0] in (f"{_TAG}null", f"{_TAG}bool")]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        names = set()
        for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
            name = (key.tag, key.value) if isinstance(key, yaml.ScalarNode) else None
            if name in names:
                raise _at(key.start_mark, f"{shown(key.value)} appears twice")
            if name is not None:
                names.add(name)
        return super().construct_mapping(node, deep)

    def construct_fields(self, node: yaml.MappingNode) -> Fields:
        fields = Fields(self.construct_mapping(node, deep=True))
        fields.line = node.start_mark.line + 1
        fields.end = node.end_mark.line, node.end_mark.column
        fields.lines = {str(key.value): key.start_mark.line + 1 for key, _ in node.value}
        return fields


_Loader.add_constructor(f"{_TAG}map", _Loader.construct_fields)
_Loader.add_implicit_resolver(f"{_TAG}int", re.compile(r"[-+]?(0|[1-9][0-9]{0,999})$"), [*"-+0123456789"])
_Loader.add_implicit_resolver(
    f"{_TAG}float", re.compile(r"[-+]?[0-9]{1,99}\.[0-9]{0,99}$"), [*"-+0123456789"]
)


def _parsed(raw: bytes, path: Path, help: str, parse: Callable[..., Any]) -> Any:
    """Return the contents of the file at `path` parsed by PyYAML's `load` or `compose`."""
    try:
        text = raw.decode("utf-8")
        _check(text)
        return parse(text, Loader=_Loader)
    except UnicodeDecodeError:
        raise InputError(f"{paths.shown(path)}: expected UTF-8 text", help) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f":{mark.line + 1}:{mark.column + 1}" if mark else ""
        said = getattr(error, "problem", None) or "not YAML"  # it may quote a tag, which may be long
        problem = textwrap.shorten(said, MAX_PROBLEM)
        raise InputError(f"{paths.shown(path)}{place}: {problem}", help) from None


def _check(text: str) -> None:
    """Raise MarkedYAMLError for a tag, an anchor, or what is nested too deep to be read."""
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:  # the C loader would crash
            raise _at(event.start_mark, f"more than {MAX_DEPTH} levels deep")
        if getattr(event, "anchor", None):
            raise _at(
                event.start_mark, "expected a value without & or *: write it out, or put quotes around a text"
            )
        if getattr(event, "tag", None):
            raise _at(
                event.start_mark, "expected a value without !: write it alone, or put quotes around a text"
            )


def _at(mark: Any, problem: str) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=mark)


def shown(value: object) -> str:
    """Return a value from a file as a short text, whatever its size."""
    short = reprlib.Repr()
    short.maxlevel, short.maxlist, short.maxdict = 2, 3, 3
    try:
        return short.repr(value)[:MAX_SHOWN]
    except ValueError:  # Python prints no number of more than 4,300 digits
        return "a very long number"


def as_yaml(value: object) -> str:
    """Return a number, true, false, null or a text as it is written in YAML."""
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def name_of(key: object) -> str:
    """Return a key from a file as a short text, even if it is not a text there."""
    return cut(key, MAX_SHOWN) if isinstance(key, str) else shown(key)


# ---- values that know their line -----------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """A value in a YAML file, as written there, with its place."""

    node: Any  # the value as PyYAML composed it
    file: Path
    where: str = ""  # its full name, such as `late.floor`; empty for the whole file

    @property
    def line(self) -> int:
        """The number of the value's first line, from 1."""
        return int(self.node.start_mark.line) + 1

    @property
    def is_list(self) -> bool:
        """Whether the value is a list."""
        return isinstance(self.node, yaml.SequenceNode)

    def text(self, expected: str = "a text") -> str:
        """Return a scalar as written: `007` stays 007, and a date stays text.

        Raises:
            InputError: it is a list or a mapping; the message names `expected` as what should be there.
        """
        if not isinstance(self.node, yaml.ScalarNode):
            raise self.wrong(expected)
        return str(self.node.value)

    def flag(self) -> bool:
        """Return the value as a bool, or raise InputError: it is neither true nor false."""
        value = yaml.SafeLoader.bool_values.get(self.text(_WORD_FOR[bool]).lower())
        if value is None:
            raise self.wrong(_WORD_FOR[bool])
        return value

    def entries(self) -> list["Entry"]:
        """Return the entries of this value, which must be a list, or raise InputError: it is not a list."""
        if not self.is_list:
            raise self.wrong(_WORD_FOR[list])
        return [Entry(each, self.file, f"{self.where}.{n}") for n, each in enumerate(self.node.value, 1)]

    def fields(self, known: Iterable[str], kind: str = "field") -> dict[str, "Entry"]:
        """Return the fields of this value, which must be a mapping, without those that are null.

        Raises:
            InputError: it is not a mapping, or has a duplicate or unknown field.
        """
        if not isinstance(self.node, yaml.MappingNode):
            raise self.wrong(_WORD_FOR[dict])
        names = list(known)
        keys: dict[str, Entry] = {}
        found = {}
        for key_node, value in self.node.value:
            key = Entry(key_node, self.file, self.where)
            name = key.text("a text as name")
            where = f"{self.where}.{name}" if self.where else name
            if name not in names:
                help = unknown(kind, name, names, f"{kind}s: {', '.join(names)}").help
                raise key.fault(f"no {kind} {shown(name)}", help)
            if name in keys:
                raise Entry(key_node, self.file, where).fault(
                    f"appears twice, first in line {keys[name].line}", "keep one of the two"
                )
            keys[name] = key
            if value.tag != f"{_TAG}null":
                found[name] = Entry(value, self.file, where)
        return found

    def wrong(self, expected: str, help: str = "correct that field") -> InputError:
        """Return the error for this value, which is not what was expected."""
        return self.fault(f"expected {expected}, found {self._found()}", help)

    def fault(self, problem: str, help: str) -> InputError:
        """Return an error about this value; its message has the place, the name and the problem."""
        mark = self.node.start_mark
        named = f"{self.where}: " if self.where else ""
        place = f"{paths.shown(self.file)}:{mark.line + 1}:{mark.column + 1}"
        return InputError(f"{place}: {named}{problem}", help)

    def _found(self) -> str:
        """Return the value as a message shows it: a text in quotes, anything else as written."""
        if not isinstance(self.node, yaml.ScalarNode):
            return _WORD_FOR[list if self.is_list else dict]
        short = shown(self.node.value)
        return short if self.node.tag == f"{_TAG}str" else short.strip("'\"") or "nothing"


def read_entry(path: Path, help: str) -> Entry | None:
    """Return the contents of the YAML file at `path`, or None when it has only comments.

    Raises:
        InputError: the file cannot be read, or is not YAML.
    """
    node = _parsed(folders.read_file(path, help), path, help, yaml.compose)
    return None if node is None else Entry(node, path)
