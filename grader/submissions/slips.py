"""Recognize slips in what was handed in: another name, another encoding, a file too many or too few.

A slip is told to the student and to the course staff, in the same words. Where it can mean only one thing,
the file is taken as meant; everywhere else nothing is guessed.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import PurePath

from grader.safe_text import one_line
from grader.submissions.trees import is_hidden

MOST = 10  # told of one submission
MOST_NAMES = 5  # in one of them
MOST_LETTERS = 60  # of a name that is meant for a task's file; to look at a long one takes long
_COPY = re.compile(r"(?: ?\(\d{1,3}\)|[-_ ]\d{1,2})+$")  # as browsers and platforms name a copy
_ZEROS = re.compile(r"(?<=[a-z])0+(?=[1-9])")
_HANDED_OUT = frozenset({"LICENSE", "Makefile", "README.md", "examples.yaml", "pyproject.toml"})
_IMPORT = re.compile(r"^[ \t]*(?:from|import)[ \t]+(\w+)", re.M)
_PLAIN = re.compile(r"[^a-z0-9]+")


def meant(name: str, names: Collection[str]) -> str:
    """Return the task's file that a name can only stand for, such as `Peg3 (1).py.txt`; empty if none."""
    if len(name) > MOST_LETTERS:
        return ""
    whole = _COPY.sub("", name.casefold().strip())
    stem, dot, ending = (whole.removesuffix(".txt") if whole.count(".") > 1 else whole).rpartition(".")
    wanted = _ZEROS.sub("", _COPY.sub("", stem.strip())) + dot + ending
    return wanted if wanted in names else ""


def looks_like(name: str, names: Collection[str]) -> str:
    """Return the task's file that a name resembles, such as `peg3_final.py`; empty if there is none."""
    stem, dot, _ = name.casefold().partition(".")
    if not dot:
        return ""
    plain = _PLAIN.sub("", stem)
    return next((each for each, pattern in _patterns(frozenset(names)) if pattern.search(plain)), "")


@cache
def _patterns(names: frozenset[str]) -> list[tuple[str, re.Pattern[str]]]:
    return [(each, re.compile(rf"{PurePath(each).stem}(?!\d)")) for each in sorted(names)]


def of_content(
    sources: Mapping[str, str],
    problems: Mapping[str, str],
    needs: Mapping[str, Collection[str]],
    beside: Collection[str],
) -> list[str]:
    """Return the slips that only the content of the files shows.

    Args:
        needs: for a file that was handed in, the files that its task cannot do without.
    """
    there = {*sources, *problems}
    missing: dict[str, list[str]] = {}
    for file, needed in needs.items():
        for name in needed:
            if file in there and name not in there:
                missing.setdefault(name, []).append(file)
    told = [f"hand in {name}: {_needed(files)}" for name, files in missing.items()]
    told += problems.values()
    modules = {name[:-3]: name for name in beside if name.endswith(".py")}
    imported: dict[str, list[str]] = {}
    for file, text in sorted(sources.items()):
        for module in dict.fromkeys(_IMPORT.findall(text)):
            if module in modules and modules[module] not in there:
                imported.setdefault(modules[module], []).append(file)
    told += [
        f"{one_line(name)} is left aside, and {', '.join(files)} imports it: move its functions there"
        for name, files in imported.items()
    ]
    return told


def left_over(names: Collection[str], taken: Collection[str], beside: Collection[str]) -> list[str]:
    """Return what else was handed in if one of the tasks' files is missing, since it may be meant for it."""
    missing = sorted(set(names) - set(taken))
    told = {name for name in beside if meant(name, names) or looks_like(name, names)}
    left = {name for name in beside if not (name in told or name in _HANDED_OUT or is_hidden(name))}
    if not missing or not left:
        return []
    return [f"{listed(missing, ', ')} not found; other files: {listed(sorted(left), ', ')}"]


def few(told: Sequence[str]) -> list[str]:
    """Return the first slips, each once, and how many more there are."""
    each = [*dict.fromkeys(told)]
    more = len(each) - MOST
    return [*each[:MOST], *([f"and {more:,} more remarks such as these"] if more > 0 else [])]


def listed(names: Sequence[str], joint: str) -> str:
    """Return the first names as one text, and how many more there are."""
    more = len(names) - MOST_NAMES
    return joint.join([*map(one_line, names[:MOST_NAMES]), *([f"{more:,} more"] if more > 0 else [])])


def _needed(files: list[str]) -> str:
    *others, last = files
    return f"{', '.join(others)} and {last} need it" if others else f"{last} needs it"
