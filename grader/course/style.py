"""Look at the style of students' files with ruff: advice in their feedback, as `cc0 -w` gives it in C0.

ruff only reads the files, within limits; nothing of theirs is run. It reads all at once. If that fails, it
reads each student's by themselves, then those in question one by one, and those that it fails on could not be
checked. What it said of the same files in an earlier run is in the store. It belongs to the extra `class`;
without it there is no advice.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from grader.catalog.tasks import registry
from grader.course.store import ClassStore
from grader.reports.provenance import version_of
from grader.safe_text import one_line
from grader.sandbox.confine.limits import limited
from grader.submissions.syntax import MOST_READ

RULES = "E4,E7,E9,F"  # what ruff checks by default
LEFT_OUT = "F401"  # unused imports: the stubs import what most programs need
CPU_S = 20  # for a whole class, which takes a second
CPU_S_OF_ONE = 2  # for a student, whose 60 files take 0.1 s; 0.8 s is the most known for one
WALL_S = 5.0 * CPU_S
MOST_S = 60.0  # after which no more files are read, if ruff fails on some
MOST_FAILED = 20  # runs on a student's files; to find one file of 1,000 that fails takes 10
MEMORY_BYTES = 512 << 20  # of addresses; the most known for a file are 130 MiB of memory
SAID_BYTES = 64 << 20  # of a class, where 2 MiB are usual; about one file of 50 KB it says up to 16 MiB
NO_TIME = f"there was no time left after {MOST_S:g} s"  # in another run there may be some
TOO_OFTEN = "ruff failed on too many files of this student"
KEPT = "style"  # key of the store's note with what ruff said in the last run
MOST_KEPT = 1000  # remarks on a file
_MOST_TEXT = 120

Key = tuple[str, str]  # the digest of the sources that were handed in for a task, and the task
Said = list[tuple[int, str, str]] | str  # line, rule and words of each remark; or why there can be none


@dataclass(frozen=True)
class Style:
    """What is said of the style of a file."""

    remarks: Sequence[str] = ()
    fault: str = ""  # why the file could not be checked; empty if it was


def is_there() -> bool:
    """Return whether ruff is installed."""
    return find_spec("ruff") is not None


def styles_in(store: ClassStore) -> dict[Key, Style]:
    """Return what there is to say of each task's own file in a class's store; nothing without ruff."""
    if not is_there():
        return {}
    names = {task: registry().find(task).file for task in store.tasks}
    keys: dict[Key, list[str]] = defaultdict(list)  # with the students who handed them in
    for digest, task, student in store.read(
        "SELECT DISTINCT sources, task, student FROM answers JOIN tasks ON tasks.name = task ORDER BY student"
    ):
        if names[task].endswith(".py"):
            keys[digest, task].append(student)
    by = f"ruff {version_of('ruff')} {_command()[3:]}"
    kept = json.loads(store.noted(KEPT) or "{}")
    before = kept["said"] if kept.get("by") == by else {}
    said: dict[str, dict[str, Said]] = {digest: before.get(digest, {}) for digest, _ in keys}
    new = [(digest, task) for digest, task in keys if task not in said[digest]]
    texts = {key: store.sources_called(key[0]).files.get(names[key[1]], "") for key in new}
    short = {key: text for key, text in texts.items() if len(text) <= MOST_READ}
    whose = [tuple(keys[key]) for key in short]
    found = dict(zip(short, _said_by_ruff([*short.values()], whose), strict=True)) if short else {}
    for digest, task in new:
        said[digest][task] = found.get((digest, task), f"it has more than {MOST_READ:,} characters")
    works = not found or any(not isinstance(each, str) for each in found.values()) or not _fails_always()
    kept = {
        digest: {
            task: each
            for task, each in by_task.items()
            if not isinstance(each, str) or (works and each != NO_TIME)
        }
        for digest, by_task in said.items()
    }
    store.note(KEPT, json.dumps({"by": by, "said": kept}))
    return {
        (digest, task): _style(names[task], said[digest][task]) for digest, task in keys if said[digest][task]
    }


def _style(file: str, said: Said) -> Style:
    if isinstance(said, str):
        return Style(fault=said)
    return Style([f"{file}:{line}: {text} ({rule})" for line, rule, text in said])


def _command() -> list[str]:
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--ignore-noqa"]
    command += ["--exit-zero", "--target-version", f"py3{sys.version_info.minor}"]
    command += ["--output-format", "json-lines"]
    # Each remark on `a == None == None ...` has a fix as long as the expression: gigabytes, if they are made.
    command += ["--unfixable", "ALL"]
    return [*command, "--select", RULES, "--ignore", LEFT_OUT, "."]


def _said_by_ruff(texts: Sequence[str], whose: Sequence[tuple[str, ...]]) -> list[Said]:
    """Return what ruff says of each text.

    It fails on all if it fails on one. Then each half of the students is tried alone, those with less text
    first, and the files of one student are halved only after everybody else's have been tried: what a student
    hands in keeps no other's from being checked.

    Args:
        whose: the students who handed in each text; what several did, as a stub, is nobody's own.
    """
    found = _run(texts, CPU_S)
    if not isinstance(found, str):
        return found
    if len(texts) == 1 or _fails_always():
        return [found] * len(texts)
    said: list[Said] = [NO_TIME] * len(texts)
    own: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for which, students in enumerate(whose):
        own[students].append(which)
    everybody = sorted(own.values(), key=lambda theirs: sum(len(texts[which]) for which in theirs))
    todo = deque(_halves(everybody))
    failed = Counter[tuple[str, ...]]()
    deadline = time.monotonic() + MOST_S
    while todo and time.monotonic() < deadline:
        part = todo.popleft()
        numbers = [which for theirs in part for which in theirs]
        alone, students = len(part) == 1, whose[numbers[0]]
        if alone and failed[students] == MOST_FAILED:
            found = TOO_OFTEN
        else:
            cpu_s = CPU_S_OF_ONE if alone else max(CPU_S_OF_ONE, CPU_S * len(part) // len(everybody))
            found = _run([texts[which] for which in numbers], cpu_s)
            failed[students] += alone and isinstance(found, str)
            if isinstance(found, str) and len(numbers) > 1:
                todo += _halves(part)
                continue
        each = [found] * len(numbers) if isinstance(found, str) else found
        for which, of_it in zip(numbers, each, strict=True):
            said[which] = of_it
    return said


def _halves(part: list[list[int]]) -> list[list[list[int]]]:
    """Return each half of some students' texts; of one student's, each half of these."""
    half, of_one = len(part) // 2, len(part[0]) // 2
    return [part[:half], part[half:]] if half else [[part[0][:of_one]], [part[0][of_one:]]]


def _fails_always() -> bool:
    return isinstance(_run([""], CPU_S_OF_ONE), str)


def _run(texts: Sequence[str], cpu_s: int) -> list[Said] | str:
    """Return what ruff says of each text within some CPU seconds; or how it failed."""
    found: list[list[tuple[int, str, str]]] = [[] for _ in texts]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as said:
        for number, text in enumerate(texts):
            Path(folder, f"{number}.py").write_text(text, "utf-8", "surrogatepass")
        try:
            status = subprocess.run(
                limited(_command(), cpu_s, MEMORY_BYTES, SAID_BYTES),
                cwd=folder,
                env={**os.environ, "RAYON_NUM_THREADS": "2"},  # each takes addresses
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.DEVNULL,
                timeout=WALL_S,
                check=False,
            ).returncode
            if status:
                how = signal.Signals(-status).name if status < 0 else f"status {status}"
                return f"ruff ended with {how}"
            said.seek(0)
            for line in said:
                each = json.loads(line)
                of_file, code = found[int(Path(each["filename"]).stem)], each["code"] or ""
                # Of a file that is no Python the report says more.
                if code.startswith(tuple(RULES.split(","))) and len(of_file) < MOST_KEPT:
                    of_file.append((each["location"]["row"], code, one_line(each["message"], _MOST_TEXT)))
        except subprocess.TimeoutExpired:
            return f"ruff took more than {WALL_S:g} s"
        except (OSError, ValueError) as error:
            return f"ruff failed: {error}"
    return [*found]
