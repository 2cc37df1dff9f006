"""Make a class: any number of submissions whose points are known from how they were made.

    python tests/support/made_class.py FOLDER COUNT [SEED]     write a class, to look at or to grade
    python tests/support/made_class.py --measure               write tests/facts/made_points.yaml anew: 5 minutes

The kinds of submission, and how many of each kind there are in a thousand:

    correct      547   each in one of the twenty styles of made_styles.py: full marks
    mutant       200   the reference with a fault from tests/mutants
    attack        50   an attack from the zoo
    late          29   correct, but handed in after the due date, as `Made` says; the files do not
    duplicate     29   byte for byte the files of another student
    partly        29   correct as far as peg1; the later files are stubs, or missing
    syntax-error  29   correct, except for one file that is not Python: tasks that need it earn no points
    no-client     29   correct, without client.py, which every task needs: no points
    stub          29   the release's stubs as they are: no points
    empty         29   an empty folder: no points

Five more students are on the roster and handed in nothing. No submission is graded to find its points. The points of a
mutant or an attack for client, peg1 and peg2 are in made_points.yaml. They were measured in tier 2, once for each fault
and each row of the zoo, not for each submission. test_made_class.py compares them with what tests/mutants and the zoo
say about single boards. So mutants and attacks hand in nothing for later tasks. Of the styles, only the reference hands
in anything after peg3.

All files of a submission end in a line with its student's name, so that only duplicates are the same.

By default the tasks are client, peg1 and peg2, 32 checks for each student; `tasks` may name peg3 as well.
"""

import csv
import random
import shutil
import stat
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import cycle
from pathlib import Path

import yaml

from grader import paths
from grader.catalog.tasks import registry
from grader.errors import InputError
from grader.judging.grading import Choice, Grading
from grader.result import Verdict
from grader.sandbox.parent.sandbox import Sandbox
from grader.submissions.source_file import MAX_BYTES

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # needed when it runs as a command

from support.made_styles import STYLES, Sources, program
from support.source_changes import changed
from support.zoo_rows import NAMES, STUBS, make_folder, read_row

TESTS = Path(__file__).resolve().parents[1]
MEASURED = TESTS / "facts" / "made_points.yaml"
TASKS = ("client", "peg1", "peg2")
FILES = tuple(f"{task}.py" for task in TASKS)
ABSENT = 5
DUE = datetime(2026, 10, 1, 21, 59, 59, tzinfo=UTC)
SHARES = {"mutant": 0.2, "attack": 0.05}  # of all; OTHERS share a fifth equally, and the rest are correct
OTHERS = ("late", "duplicate", "partly", "syntax-error", "no-client", "stub", "empty")
UNSURE = (
    "endless-loop-compiled",  # how many boards it passes depends on the machine: two measurements differed
    # These attack the questions about causes: in a class run they are a wrong peg2 like any other.
    "answers-another-question",
    "behaves-when-followed",
    "forges-notes",
    "forges-the-rules",
    "leaves-a-word-when-followed",
    "prints-when-followed",
    "swaps-the-noting-board",
)
NO_PYTHON = "\ndef peg_solve(board, stack:\n    return 1\n"

# What replaces the words in the files of attacks: things that do not exist.
WORDS = {
    "CANARY_FOLDER": "/nonexistent/canary",
    "CANARY_PORT": "9",
    "CANARY_UDP_PORT": "9",
    "CANARY_SOCKET": "no-canary",
    "CANARY_PID": "4194303",  # the largest process id that a kernel assigns
    "CANARY_JUDGE": "4194303",
}

# fmt: off
FIRST = ("Ada", "Bo", "Chloé", "Dana", "Emre", "Fatima", "Goran", "Hye-jin", "Ioana", "Jürgen", "Kwame", "李娜", "Mia")
LAST = ("Abiola", "Brown", "D'Angelo", "Eriksen", "García Lorca", "Kovács", "Müller", "Nguyễn", "O'Neil", "Şahin", "Tan")
# fmt: on


@dataclass(frozen=True)
class Made:
    """How the submission of one student was made."""

    student: str
    kind: str
    of: str  # the style, mutant, row of the zoo or student that it was made from; empty if there is none
    handed_in: datetime


@dataclass
class MadeClass:
    """A class that was made."""

    submissions: Path
    roster: Path
    made: list[Made] = field(default_factory=list)
    # the points, by student and by task, including students who handed in nothing
    expected: dict[str, dict[str, int]] = field(default_factory=dict)


def make_class(folder: Path, count: int, seed: int, tasks: Sequence[str] = TASKS) -> MadeClass:
    """Make a class; the same arguments give the same files.

    Args:
        count: how many students hand something in; 11 or more, so that there is at least one of each kind.
        tasks: the tasks for which points are expected.
    """
    lot = random.Random(seed)
    submissions = folder / "submissions"
    submissions.mkdir(parents=True)
    result = MadeClass(submissions, folder / "roster.csv")
    students = [f"s{number:04}" for number in range(1, count + ABSENT + 1)]
    lot.shuffle(students)
    names = {student: f"{lot.choice(FIRST)} {lot.choice(LAST)}" for student in students}
    names[students[0]] = '=HYPERLINK("http://example.org","Bobby")'  # there is one in every class
    _write_roster(result.roster, names)
    (folder / "course.yaml").write_text("roster: roster.csv\n", "utf-8")
    result.made = _planned(students[:count], lot)
    written: dict[str, Path] = {}
    for made in result.made:
        written[made.student] = place = submissions / made.student
        if made.kind == "duplicate":
            shutil.copytree(written[made.of], place)
        else:
            _write(made, place, f"# {names[made.student]}, {made.student}")
    by_student = {made.student: made for made in result.made}
    result.expected = {
        student: {task: _points(by_student.get(student), task, by_student) for task in tasks}
        for student in sorted(students)
    }
    return result


# ---- how each is made ------------------------------------------------------------------------------


def _planned(students: Sequence[str], lot: random.Random) -> list[Made]:
    """Return what each student is to hand in; a duplicate comes after its original."""
    count = len(students)
    counts = {kind: max(1, round(share * count)) for kind, share in SHARES.items()}
    rest = (1 - sum(SHARES.values()) - 0.55) * count / len(OTHERS)
    counts |= {kind: max(1, round(rest)) for kind in OTHERS}
    kinds = [kind for kind in counts for _ in range(counts[kind])]
    kinds = ["correct"] * (count - len(kinds)) + kinds
    assert len(kinds) == count and "correct" in kinds, f"{count} are too few for one of each kind"
    sources = {
        "mutant": _drawn(measured()["mutants"], lot),
        "attack": _drawn(measured()["attacks"], lot),
        **{kind: _drawn(STYLES, lot) for kind in ("correct", "late", "partly", "syntax-error", "no-client")},
    }
    others = [kind for kind in kinds if kind != "duplicate"]
    lot.shuffle(others)
    plan = []
    for student, kind in zip(students, [*others, *["duplicate"] * counts["duplicate"]], strict=True):
        if kind == "duplicate":
            of = lot.choice([made.student for made in plan if made.kind in ("correct", "mutant")])
        else:
            of = next(sources[kind]) if kind in sources else ""
        hours = lot.uniform(0.1, 72) * (1 if kind == "late" else -1)
        plan.append(Made(student, kind, of, DUE + timedelta(hours=hours)))
    return plan


def _drawn(names: Sequence[str] | dict[str, object], lot: random.Random) -> Iterator[str]:
    """Yield random names forever, each equally likely."""
    return cycle(lot.sample(sorted(names), len(names)))


def _write(made: Made, place: Path, last_line: str) -> None:
    if made.kind == "attack":
        write_attack(made.of, place)
    else:
        place.mkdir()
        for name, text in sources_of(made).items():
            (place / name).write_bytes(text.encode())
    for file in place.glob("*.py"):
        found = file.lstat()
        if stat.S_ISREG(found.st_mode) and 0 < found.st_size <= 2 * MAX_BYTES:
            with file.open("ab") as end:
                end.write(f"\n{last_line}\n".encode())


def sources_of(made: Made) -> Sources:
    """Return the files that a submission hands in; it must be neither an attack nor a duplicate."""
    if made.kind == "empty":
        return {}
    if made.kind == "stub":
        return _stubs()
    if made.kind == "mutant":
        return dict(mutant(made.of))
    sources = program(made.of)
    if made.kind == "no-client":
        del sources["client.py"]
    elif made.kind == "syntax-error":
        sources[_broken(made)] += NO_PYTHON
    elif made.kind == "partly":
        kept = {name: sources[name] for name in ("client.py", "peg1.py")}
        sources = {**_stubs(), **kept} if _is_odd(made) else kept
    return sources


@cache
def _stubs() -> Sources:
    return {name: (STUBS / name).read_text("utf-8") for name in (*FILES, "peg3.py")}


def _is_odd(made: Made) -> bool:
    return int(made.student[1:]) % 2 == 1


def _broken(made: Made) -> str:
    """Return the name of the file that gets a syntax error."""
    return FILES[int(made.student[1:]) % len(FILES)]


@cache
def mutant(name: str) -> Sources:
    """Return the files of a mutant called `TASK:NAME`, after its row in tests/mutants."""
    sources = {file: (paths.REFERENCE / file).read_text("utf-8") for file in FILES}
    row = mutants()[name]
    sources[row["file"]] = changed(sources[row["file"]], row["replace"].rstrip("\n"), row["by"].rstrip("\n"))
    return sources


@cache
def mutants() -> dict[str, dict[str, str]]:
    """Return the rows of tests/mutants for TASKS, by `TASK:NAME`."""
    return {
        f"{task}:{name}": row
        for task in TASKS
        for name, row in yaml.safe_load((TESTS / "mutants" / f"{task}.yaml").read_text("utf-8")).items()
    }


def attacks() -> list[str]:
    """Return the zoo's attacks on TASKS that are not slow, not run as plain Python and not in UNSURE."""
    rows = {name: read_row(name) for name in NAMES}
    return [
        name
        for name, row in rows.items()
        if row["attack"]
        and row["task"] in TASKS
        and not row["slow"]
        and not row["debug"]
        and name not in UNSURE
    ]


def write_attack(name: str, place: Path) -> None:
    """Write the folder of a row of the zoo, without the files of later tasks."""
    made = make_folder(name, place.with_name(f"{place.name}.made"), WORDS)
    for file in paths.REFERENCE.glob("*.py"):
        if file.name not in FILES:
            (made / file.name).unlink(missing_ok=True)
    made.rename(place)
    shutil.rmtree(made.parents[1])


# ---- what each earns -------------------------------------------------------------------------------


def _points(made: Made | None, task: str, by_student: dict[str, Made]) -> int:
    """Return the points of a submission for a task; 0 if there is no submission."""
    if made is None or made.kind in ("empty", "stub", "no-client"):
        return 0
    if made.kind == "duplicate":
        return _points(by_student[made.of], task, by_student)
    if made.kind in ("mutant", "attack"):
        return measured()[f"{made.kind}s"][made.of].get(task, 0)
    needed = registry().find(task).files
    full = sum(check.points for check in registry().find(task).checks)
    if made.kind == "partly":
        return full if task in ("client", "peg1") else 0
    if made.kind == "syntax-error" and _broken(made) in needed:
        return 0
    return full if set(needed) <= program(made.of).keys() else 0


@cache
def measured() -> dict[str, dict[str, dict[str, int]]]:
    """Return the points of mutants and attacks by task, as they were measured."""
    rows: dict[str, dict[str, dict[str, int]]] = yaml.safe_load(MEASURED.read_text("utf-8"))
    return rows


# ---- lists -----------------------------------------------------------------------------------------


def _write_roster(file: Path, names: dict[str, str]) -> None:
    with file.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines)
        writer.writerow(["id", "name", "email", "section"])
        for student in sorted(names):
            email, section = f"{student}@uni.example", "AB"[int(student[1:]) % 2]
            writer.writerow([student, names[student], email, section])


# ---- measuring -------------------------------------------------------------------------------------


def measure(place: Path) -> None:
    """Grade each mutant and each attack once, and write down the points."""
    found: dict[str, dict[str, dict[str, int]]] = {"mutants": {}, "attacks": {}}
    with Sandbox(2, False, threading.Event(), many=True) as sandbox:
        sandbox.zygote()  # start it in this thread, since it ends with the thread that starts it
        for name in [*mutants(), *attacks()]:
            folder = place / name.replace(":", "-")
            if name in mutants():
                folder.mkdir(parents=True)
                for file, text in mutant(name).items():
                    (folder / file).write_text(text, "utf-8")
            else:
                write_attack(name, folder)
            rows = found["mutants" if name in mutants() else "attacks"]
            rows[name] = {task: _graded(folder, task, sandbox) for task in TASKS}
            print(name, rows[name], flush=True)
    head = (
        "# The points of whole submissions, measured once by: python tests/support/made_class.py --measure\n"
    )
    text = yaml.safe_dump(found, default_flow_style=None, sort_keys=False, width=200)
    MEASURED.write_text(head + text, "utf-8")


def _graded(folder: Path, task: str, sandbox: Sandbox) -> int:
    grading = Grading(Choice(folder, tier=sandbox.tier), registry(), lambda *_: None, sandbox)
    try:
        results = grading.results([registry().find(task)])
    except InputError:  # a file is missing, or is not a regular file
        return 0
    assert all(result.verdict != Verdict.GRADER_ERROR for result in results), results
    return sum(result.points for result in results)


def main() -> None:
    """Write a class, or measure the points of mutants and attacks."""
    if sys.argv[1] == "--measure":
        import tempfile

        with tempfile.TemporaryDirectory() as place:
            measure(Path(place))
        return
    made = make_class(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    print(f"{len(made.made)} submissions in {made.submissions}")
    print(f"cd {made.roster.parent} && grade class submissions {' '.join(TASKS)}")


if __name__ == "__main__":
    main()
