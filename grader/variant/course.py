"""Draw a variant of the course, write it into a folder, and try the solutions of both courses in it.

What is drawn: which cells are goals, which integer a move is, and the directions. Goals do not change when
the 64 cells are turned or mirrored, so `BOARD+r90` and `--boards turned` stay fair. Some are the same in
every variant, since the handouts' worked boards end there, or must not. The course's texts change as the
files in texts/ say; an edit that does not fit is an error.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import yaml

from framework.board import SIZE
from framework.rules import MOVE_ORDER
from grader import paths
from grader.catalog.boards import course_boards, find_board
from grader.errors import InputError
from grader.judging.holes import Holes
from grader.messages.illegal_jumps import PARTS

ROOT = paths.FRAMEWORK_ROOT
FOLDERS = ("framework", "grader", "student", "boards", "handouts", "docs")
FILES = ("Makefile", "pyproject.toml", "uv.lock", "LICENSE", "Dockerfile", "SECURITY.md")
README = Path(__file__).parent / "README.md.in"
JUMPS_BACK = 7  # columns of the table in handouts/peg5.md

Cell = tuple[int, int]
CELLS = [(row, col) for row in range(SIZE) for col in range(SIZE)]
CORNER = [(row, col) for row, col in CELLS if row <= col < SIZE // 2]  # one of each eight images
ALWAYS = ((0, 2), (0, 3), (2, 3), (3, 3))  # where forced-hops, lopsided, choice and english end
NEVER = ((1, 2), (2, 2))  # the other holes of forced-hops
ONE_OF = ((0, 1), (1, 1), (1, 3))  # where the board key can end, wherever it is
WAYS = (("down", 1, 0), ("up", -1, 0), ("right", 0, 1), ("left", 0, -1))  # as in the course
BASES = range(9, 100)  # the course's own reference has base 8


@dataclass(frozen=True)
class Drawn:
    """What is different in a variant."""

    goals: frozenset[Cell]  # the cells on which the last peg wins
    order: tuple[str, ...]  # the digits of a move, the highest first
    base: int  # the base of these digits
    ways: tuple[tuple[str, int, int], ...]  # by number, each with its row step and its column step

    def integer(self, *jump: int) -> int:
        """Return the integer of a jump, which is given as row_start, col_start, row_end, col_end."""
        return sum(jump[PARTS.index(part)] * self._unit(part) for part in self.order)

    def texts(self) -> dict[str, str]:
        """Return the texts for the names in texts/."""
        first, *more = self.order
        packed = f"{first} * {self.base} + {more[0]}"
        for part in more[1:]:
            packed = f"({packed}) * {self.base} + {part}"
        directions = [f"{number} {name}" for number, (name, _, _) in enumerate(self.ways)]
        help = f"a move has the digits {', '.join(self.order)} in base {self.base}, the highest first"
        head, _, tail = help.rpartition(" the highest")  # where an 80-column report breaks it
        rows = [f"{row} {' '.join(line)}" for row, line in enumerate(self._lines("+", "-"))]
        return {
            "base": str(self.base),
            "order": ", ".join(self.order),
            "ticked_order": ", ".join(f"`{part}`" for part in self.order),
            "quoted_order": ", ".join(f'"{part}"' for part in self.order),
            "packed": packed,
            **{f"unit_{part}": str(self._unit(part)) for part in PARTS},
            "example": str(self.integer(5, 3, 5, 5)),
            "second_example": str(self.integer(2, 0, 2, 2)),
            "first_move": str(self.integer(0, 0, 2, 0)),
            "help": f"{head}\n        the highest{tail}",
            "directions": ", ".join(directions),
            "right": str([name for name, _, _ in self.ways].index("right")),
            "row_steps": ", ".join(str(row) for _, row, _ in self.ways),
            "col_steps": ", ".join(str(col) for _, _, col in self.ways),
            "goals": "\n".join(" ".join(line) for line in self._lines("*", ".")),
            "map": "\n".join([f"  {' '.join(map(str, range(SIZE)))}", *rows]),
        }

    def _unit(self, part: str) -> int:
        """Return what one more in a part adds to a move's integer."""
        return int(self.base ** (len(self.order) - 1 - self.order.index(part)))

    def _lines(self, goal: str, other: str) -> list[str]:
        return [
            "".join(goal if (row, col) in self.goals else other for col in range(SIZE)) for row in range(SIZE)
        ]


def draw(seed: int) -> Drawn:
    """Return the variant with a seed; the same seed gives the same variant."""
    chance = Random(f"peg-variant/{seed}")
    free = [cell for cell in CORNER if cell not in (*ALWAYS, *NEVER)]
    drawn: list[Cell] = []
    while not set(drawn) & set(ONE_OF):
        drawn = [cell for cell in free if chance.random() < 0.5]
    won = {*ALWAYS, *drawn}
    ways = chance.choice([each for each in permutations(WAYS) if each != WAYS])
    order = chance.choice([each for each in permutations(PARTS) if each != PARTS])
    goals = frozenset(cell for cell in CELLS if _in_corner(cell) in won)
    return Drawn(goals, order, chance.choice(BASES), ways)


def _in_corner(cell: Cell) -> Cell:
    """Return the cell of CORNER that a cell becomes when all 64 are turned or mirrored."""
    row, col = (min(number, SIZE - 1 - number) for number in cell)
    return min(row, col), max(row, col)


def files_of(drawn: Drawn, name: str) -> dict[str, str | bytes]:
    """Return the files of a variant; its boards and stubs are still those of this course.

    Raises:
        InputError: this is no checkout of the course, or an edit does not fit.
    """
    if not (ROOT / "pyproject.toml").is_file() or not paths.REFERENCE.is_dir():
        raise InputError(
            "a variant is made from the project's folder, and this is an installed copy",
            "type it where the project is checked out, after make",
        )
    if MOVE_ORDER:
        raise InputError(
            "this course is a variant itself", "make another from the project that it was made from"
        )
    found = [ROOT / file for file in FILES if (ROOT / file).is_file()]
    for folder in FOLDERS:
        found += [path for path in sorted((ROOT / folder).rglob("*")) if _belongs(path)]
    raw: dict[str, str | bytes] = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in found}
    texts = {**drawn.texts(), "english_back": _english_back(drawn)}
    named = {name: data.decode() for name, data in raw.items() if isinstance(data, bytes) and _is_text(name)}
    readme = README.read_text("utf-8").replace("@name@", name)
    here = (ROOT / "README.md").read_text("utf-8")
    readme = readme.replace("@tasks@", here.partition("## The tasks\n")[2].partition("\n## ")[0].strip())
    for key, value in texts.items():
        readme = readme.replace(f"<<{key}>>", value)
    return {**raw, **edited(named, texts), "README.md": readme}


def _belongs(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts and path.suffix not in (".pyc", ".nbi", ".nbc")


def _is_text(name: str) -> bool:
    return name.endswith((".py", ".md", ".yaml", ".js", ".html"))


def _english_back(drawn: Drawn) -> str:
    """Return how many boards of the English holes can win in 0, 1, 2 ... jumps, as cells of a table."""
    holes = Holes(find_board("english", course_boards()).board)
    goals = sum(1 << 8 * row + col for row, col in drawn.goals)
    latest, counts = {hole for hole in holes.bits if hole & goals}, list[str]()
    for _ in range(JUMPS_BACK):
        counts.append(f"{len(latest):,}")
        latest = holes.before(latest)
    return " | ".join(counts)


# ---- in the variant's own folder -------------------------------------------------------------------------


def renew(folder: Path, chance: str) -> None:
    """Move the boards, write their facts, and cut the stubs; `chance` decides where the boards go.

    Raises:
        InputError: a board cannot be solved with these goals.
    """
    _run(folder, "-m", "grader.variant.renew", chance)
    _run(folder, "-m", "grader.release.release")


def check(folder: Path) -> None:
    """Raise InputError if the variant lacks something, as `make check` finds it."""
    _grade(folder, "doctor", "--course")


def points(folder: Path, *whose: str) -> int:
    """Return the points of a solution in the variant; `whose` are options of `grade`."""
    said = _grade(folder, "all", "--format", "json", *whose, statuses=(0, 1))
    loaded: dict[str, Any] = json.loads(said)
    return int(loaded["score"])


def _grade(folder: Path, *words: str, statuses: tuple[int, ...] = (0,)) -> str:
    return _run(
        folder, "-c", "import sys; from grader.cli import main; sys.exit(main())", *words, statuses=statuses
    )


def _run(folder: Path, *words: str, statuses: tuple[int, ...] = (0,)) -> str:
    """Run Python in the variant's folder, whose packages it then imports, and return what it printed."""
    cache = folder.parent / "cache"
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder.resolve()),
        "PYTHONDONTWRITEBYTECODE": "1",
        "XDG_CACHE_HOME": str(cache.resolve()),
        "NUMBA_CACHE_DIR": str((cache / "numba").resolve()),
    }
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode not in statuses:
        said = (done.stdout + done.stderr).strip() or f"it ended with status {done.returncode}"
        raise InputError(
            f"{paths.shown(folder)}: {said}", "take another seed; if it is the same with each, report it"
        )
    return done.stdout


EDITS = Path(__file__).parent / "texts"
NAME = re.compile(r"<<(\w+)>>")


def edited(files: Mapping[str, str], texts: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of `files`, by name in the course's folder, changed; `texts` are what names stand for.

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
