"""Save the last results of each student folder, and what was predicted, for later commands."""

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grader import folders, paths
from grader.errors import unwritable
from grader.result import Result, Verdict

URGENT = ("pegs", "is_cause", "is_part")  # fields, in no report, by which the first failure is found again


def _file_of(student: Path) -> Path:
    name = hashlib.sha256(os.fsencode(student.resolve())).hexdigest()[:32]
    return paths.cache_root() / "results" / f"{name}.json"


def _write(file: Path, kept: Mapping[str, Any]) -> None:
    folders.make_closed(file.parent)
    folders.replace_file(file, json.dumps(kept).encode(), file.parent, 0o600)


def keep(student: Path, results: Sequence[Result], digests: Mapping[str, str]) -> None:
    """Save results on the course's boards for later commands.

    Args:
        digests: for each task whose boards were all graded, its digest when they were; these tasks get
            a score.
    """
    kept = load(student)
    for result in results:
        of_task = kept.setdefault(result.task, {"boards": {}})
        urgent = {name: getattr(result, name) for name in URGENT}
        of_task["boards"][result.board] = result.as_plain_data() | urgent
    for task, digest in digests.items():
        score = sum(result.points for result in results if result.task == task)
        kept.setdefault(task, {"boards": {}}).update(score=score, digest=digest)
    # The saved results are only a convenience for later commands, so failing to save them is no fault.
    with contextlib.suppress(OSError):
        _write(_file_of(student), kept)


def load(student: Path) -> dict[str, Any]:
    """Return the saved `score`, `digest`, `boards`, `hints`, `prediction` by task; empty if there is none."""
    try:
        loaded = json.loads(_file_of(student).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(loaded, dict):
        return {}
    return {
        task: saved
        for task, saved in loaded.items()
        if isinstance(saved, dict) and isinstance(saved.get("boards"), dict)
    }


def results_of(student: Path, task: str, checks: Sequence[str]) -> list[Result]:
    """Return the saved results of a task's checks, in the order of `checks`.

    There are none if another version of the grader saved them in another form. The results have only the
    fields that a hint needs: verdict, points, what the message says, and which failure comes first.
    """
    needed = ("task", "board", "max_points", "points", "code", "facts", "message", "help", *URGENT)
    try:
        boards = load(student).get(task, {}).get("boards", {})
        return [
            Result(verdict=Verdict(saved["verdict"]), **{field: saved[field] for field in needed})
            for saved in (boards[check] for check in checks if check in boards)
        ]
    except (AttributeError, KeyError, TypeError, ValueError):
        return []


def states_of(student: Path, board: str) -> dict[str, int]:
    """Return the saved unsolvable-state counts of the solutions of a board, by task."""
    counts = {}
    for task, kept in load(student).items():
        with contextlib.suppress(AttributeError, KeyError, TypeError):
            saved = kept["boards"][board]
            solved = saved["verdict"] == Verdict.ACCEPTED and saved["jumps"]
            if solved and isinstance(saved["unsolvable"], int):
                counts[task] = saved["unsolvable"]
    return counts


def count_hint(student: Path, task: str, about: str) -> int:
    """Count one more hint for a task, and return the count.

    The count restarts at 1 when `about`, the subject of the hint, changes.
    """
    kept = load(student)
    counted = kept.setdefault(task, {"boards": {}}).get("hints", {})
    number = counted.get("number", 0) + 1 if counted.get("about") == about else 1
    kept[task]["hints"] = {"about": about, "number": number}
    with contextlib.suppress(OSError):  # then the same hint is given again, which is no fault either
        _write(_file_of(student), kept)
    return number


def keep_prediction(student: Path, task: str, prediction: Mapping[str, Any]) -> None:
    """Save what a student predicted of a task's program; raise InputError if it cannot be saved."""
    kept = load(student)
    kept.setdefault(task, {"boards": {}})["prediction"] = dict(prediction)
    file = _file_of(student)
    try:
        _write(file, kept)
    except OSError as error:
        raise unwritable(
            file, error, "make its folder writable for you: a prediction is saved there"
        ) from None


def prediction_of(student: Path, task: str) -> dict[str, Any]:
    """Return what a student predicted of a task's program; empty if nothing is saved."""
    try:
        prediction = load(student)[task]["prediction"]
    except (KeyError, TypeError):
        return {}
    return prediction if isinstance(prediction, dict) else {}
