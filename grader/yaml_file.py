"""Read a YAML file whose faults are told with file, line and field."""

import math
import reprlib
from pathlib import Path
from typing import Any, TypeVar

import yaml

from grader import paths
from grader.errors import InputError

Kind = TypeVar("Kind")
MAX_DEPTH = 50
MAX_SHOWN = 100  # characters of a value in a message
_LARGEST = 10**15  # a whole number that is surely exact as a float

_WORD_FOR = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a mapping",
}


def read_mapping(path: Path, help: str) -> dict[str, Any]:
    """Return the mapping in the YAML file at `path`.

    Raises:
        InputError: the file cannot be read, is not YAML, or holds something else.
    """
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        text = path.read_text("utf-8")
        if _depth(text, loader) > MAX_DEPTH:  # the loader, written in C, would crash
            raise ValueError(f"more than {MAX_DEPTH} levels deep")
        loaded = yaml.load(text, Loader=loader)
    except OSError as error:
        raise InputError(f"{paths.shown(path)}: cannot be read: {error.strerror}", help) from None
    except UnicodeDecodeError:
        raise InputError(f"{paths.shown(path)}: expected UTF-8 text", help) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f":{mark.line + 1}:{mark.column + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "not YAML"
        raise InputError(f"{paths.shown(path)}{place}: {problem}", help) from None
    except (RecursionError, ValueError) as error:
        raise InputError(f"{paths.shown(path)}: not usable YAML: {error}", help) from None
    if not isinstance(loaded, dict):
        raise InputError(f"{paths.shown(path)}: expected a mapping, found {type(loaded).__name__}", help)
    return loaded


def shown(value: object) -> str:
    """Return a value of a file as a short text, whatever its size."""
    short = reprlib.Repr()
    short.maxlevel, short.maxlist, short.maxdict = 2, 3, 3
    return short.repr(value)[:MAX_SHOWN]


def _depth(text: str, loader: Any) -> int:
    """Return how deep the lists and mappings of a YAML text are nested, as far as it needs to be known."""
    depth = 0
    for event in yaml.parse(text, Loader=loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            break
    return depth


def optional(
    mapping: dict[str, Any], name: str, kind: type[Kind], file: Path, where: str = ""
) -> Kind | None:
    """Return `mapping[name]`, or None when it is absent or null.

    Raises:
        InputError: the value is of another kind.
    """
    value = mapping.get(name)
    if value is None:
        return None
    if kind is float and type(value) is int and abs(value) < _LARGEST:
        value = float(value)
    if type(value) is not kind or (isinstance(value, float) and not math.isfinite(value)):
        raise InputError(
            f"{paths.shown(file)}: {where + '.' if where else ''}{name}: "
            f"expected {_WORD_FOR[kind]}, found {shown(value)}",
            "correct that field",
        )
    return value


def field(mapping: dict[str, Any], name: str, kind: type[Kind], file: Path, where: str = "") -> Kind:
    """Return `mapping[name]`.

    Raises:
        InputError: the field is missing or of another kind.
    """
    value = optional(mapping, name, kind, file, where)
    if value is None:
        raise InputError(
            f"{paths.shown(file)}: {where + '.' if where else ''}{name}: "
            f"expected {_WORD_FOR[kind]}, found nothing",
            "add that field",
        )
    return value
