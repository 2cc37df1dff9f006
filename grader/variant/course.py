"""Write a variant of the course into a folder, and try the solutions of both courses in it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from framework.rules import MOVE_ORDER
from grader import paths
from grader.catalog.boards import course_boards, find_board
from grader.errors import InputError
from grader.judging.holes import Holes
from grader.variant.drawn import Drawn
from grader.variant.edits import edited

ROOT = paths.FRAMEWORK_ROOT
FOLDERS = ("framework", "grader", "student", "boards", "handouts", "docs")
FILES = ("Makefile", "pyproject.toml", "uv.lock", "LICENSE", "Dockerfile", "SECURITY.md")
README = Path(__file__).parent / "README.md.in"
JUMPS_BACK = 7  # columns of the table in handouts/peg5.md


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
    _grade(folder, "stubs")


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
