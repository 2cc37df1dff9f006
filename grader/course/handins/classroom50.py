"""Recognize what Classroom 50's `gh teacher download` makes: a clone for each student, and `scores.csv`.

After cli/gh-teacher/internal/download/download.go of https://github.com/foundation50/classroom50: a clone
is called `CLASSROOM-ASSIGNMENT-LOGIN`, and `scores.csv` beside the clones has a row for each submission, the
newest with the latest time. The clones hold the newest files only, so each student has one attempt. A clone
also has Classroom 50's `result.json` and `results.json`; they are in the student's folder and are not read.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Mapping

from grader.course.handins.found import Download, Found, Person, left_aside, listed, shown_text
from grader.course.handins.moments import moment
from grader.errors import InputError
from grader.submissions.source_file import SubmissionFault
from grader.submissions.trees import FILE, FOLDER, Parts, Tree

SCORES = "scores.csv"
MAX_SCORES = 64 << 20  # bytes
_COLUMNS = ("username", "datetime", "submission_tag")
_HELP = f"download the submissions again, and leave {SCORES} as it is; or remove it, and no time is known"


def classroom50(tree: Tree, at: Parts, entries: Mapping[str, str]) -> Download | None:
    """Return the submissions if the folder `at` holds clones and Classroom 50's list of scores, else None."""
    clones = [name for name in entries if tree.kind((*at, name, ".git")) == FOLDER]
    if not clones or entries.get(SCORES) != FILE:
        return None
    rows = _rows(tree, (*at, SCORES))
    if rows is None:
        return None
    newest: dict[str, dict[str, str]] = {}
    for row in rows:
        login = row["username"]
        if login and row["datetime"] >= newest.get(login, {"datetime": ""})["datetime"]:
            newest[login] = row
    prefixes = _prefixes(clones, newest)
    known = {f"{prefixes[0]}{login.casefold()}": row for login, row in newest.items()} if prefixes else {}
    found, nobodys = [], []
    for clone in clones:
        row = known.get(clone.casefold(), {}) if len(prefixes) == 1 else {}
        if not row:
            nobodys.append(clone)
            continue
        name = f"{row.get('first_name', '')} {row.get('last_name', '')}".strip()
        person = Person(row["username"], name, row.get("email", ""), on_github=True)
        late = row.get("late") == "true"
        found.append(Found(person, (*at, clone), handed_in=moment(row["datetime"]), late=late))
    several = f"which part of the name is the login can be read in {len(prefixes)} ways"
    notes = left_aside(nobodys, several if len(prefixes) > 1 else f"not in {SCORES}")
    with_clone = {each.person.login for each in found}
    without = [login for login, row in newest.items() if row["submission_tag"] and login not in with_clone]
    if without:
        notes.append(f"in {SCORES} with a submission, but without a clone: {listed(sorted(without))}")
    notes.append("times are those of the commits, which are what a student's own machine says")
    return Download("a Classroom 50 download", found, notes)


def _prefixes(clones: Collection[str], logins: Collection[str]) -> list[str]:
    """Return what stands before the login in the names of most clones; several if as many have each.

    It is one for all clones: otherwise `cs-hw-ann` would belong to the login `hw-ann` rather than to `ann`.
    """
    ends = {login.casefold() for login in logins}
    names = [clone.casefold() for clone in clones]
    counts = Counter(
        name[: dash.end()] for name in names for dash in re.finditer("-", name) if name[dash.end() :] in ends
    )
    return [prefix for prefix, count in counts.items() if count == max(counts.values())]


def _rows(tree: Tree, at: Parts) -> list[dict[str, str]] | None:
    """Return the rows of the list by column, or None if it is another program's list."""
    place = tree.shown(at)
    try:
        raw = tree.read(at, place, MAX_SCORES) or b""
        reader = csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline=""), restval="", strict=True)
        if not set(_COLUMNS) <= set(reader.fieldnames or ()):
            return None
        rows = []
        for row in reader:
            if None in row:
                width = len(reader.fieldnames or ())
                raise InputError(f"{place}:{reader.line_num}: expected {width} cells, found more", _HELP)
            rows.append({name: shown_text(cell) for name, cell in row.items()})
        return rows
    except SubmissionFault as fault:
        raise InputError(fault.message, _HELP) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError(f"{place}:{line}: expected UTF-8 text", _HELP) from None
    except csv.Error as error:
        raise InputError(f"{place}: not CSV: {error}", _HELP) from None
