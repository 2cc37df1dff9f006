"""Check a release for leaks and for missing files; each fault has its file and line."""

import ast
import contextlib
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from framework.board import SIZE, Board, parse_board
from framework.cells49 import CELLS, CellsError, parse_cells
from grader import paths
from grader.catalog.boards import course_boards, find_board, read_board_file
from grader.catalog.images import IMAGES, image_of
from grader.catalog.tasks import registry
from grader.errors import InputError
from grader.release.release import INSTRUCTORS
from grader.submissions.cutting import solution_lines

SHORT = 24  # a shorter line of a solution is too common to count as a leak
RUN = 4  # this many consecutive lines are not equal by chance in two files
OUT = "keep it out of the release; nothing was written"
STUBS = ("student/", "grader/stubs/")
COMMANDS = (
    "grader/commands/__init__.py"  # names each command's module, which is imported when the command is run
)

_IMPORTS = ("import ", "from ")
_ROW = re.compile(rf"\s*(?:\d )?((?:[.*o] ){{{SIZE - 1}}}[.*o])(?:\s*|\s\s+\S.*)")
_LINK = re.compile(r"\]\((?!\w+:)([^)#]+)[)#]")  # to a file
_CELLS = re.compile(rf"(?<![01])[01]{{{CELLS}}}(?![01])")


def faults(files: Mapping[str, str], private: Sequence[Path] = ()) -> Iterator[InputError]:
    """Yield the faults of a release.

    Args:
        files: the text of each of its files, by name.
        private: folders of boards that must stay private.

    Raises:
        InputError: a private folder has no board, or an unreadable one.
    """
    yield from _leaks(files)
    yield from _missing(files)
    yield from _dead_links(files)
    yield from _secret_boards(files, private)


# ---- leaked lines --------------------------------------------------------------------------------


def _leaks(files: Mapping[str, str]) -> Iterator[InputError]:
    """Yield a fault for each leaked line of a solution, and for each run of lines from other private modules.

    A line of a solution is a leak even as a part of another line, since a page may have it after
    `student/peg1.py:27:`, in a table or in a sentence. Lines that are also in the stubs (the loops of peg1,
    a helper's header) do not count.
    """
    public = "\n".join(text for name, text in files.items() if name.startswith(STUBS))
    solutions = {task.file for task in registry().tasks.values()}
    secret = {
        line: f"the solution of {file}"
        for file in sorted(solutions)
        if file.endswith(".py")
        for line in solution_lines((paths.REFERENCE / file).read_text("utf-8"))
        if len(line) >= SHORT and line not in public and not line.startswith(_IMPORTS)
    }
    runs: dict[tuple[str, ...], str] = {}
    for folder in (paths.ORACLE, paths.REFERENCE, paths.RESEARCH):
        for path in sorted(folder.glob("*.py")):
            if path.name not in solutions:
                name = f"grader/{folder.name}/{path.name}"
                runs |= dict.fromkeys(_runs(path.read_text("utf-8")).values(), name)
    for name, text in files.items():
        there = [line for line in secret if line in text]
        for number, line in enumerate(text.splitlines() if there else (), 1):
            for leaked in there:
                if leaked in line:
                    yield InputError(f"{name}:{number}: a line of {secret[leaked]}: {leaked}", OUT)
        for number, run in _runs(text).items():
            if run in runs:
                yield InputError(f"{name}:{number}: a line of {runs[run]}: {run[0]}", OUT)


def _runs(text: str) -> dict[int, tuple[str, ...]]:
    """Return all runs of RUN consecutive lines, by the first line's number; skip blank lines and imports."""
    lines = [
        (number, line.strip())
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.startswith(_IMPORTS)
    ]
    return {
        lines[at][0]: tuple(line for _, line in lines[at : at + RUN]) for at in range(len(lines) + 1 - RUN)
    }


# ---- modules and pages that are missing ----------------------------------------------------------


def _missing(files: Mapping[str, str]) -> Iterator[InputError]:
    """Yield a fault for each import of an unreleased project module, and for each command without its module.

    A function may import from an instructors' folder, since it first checks that the folder exists.
    """
    for name, text in files.items():
        if name.endswith(".py") and not name.startswith(STUBS):
            parsed = ast.parse(text)
            commands = _commands(parsed) if name == COMMANDS else ()
            for line, module, in_function in (*_imports(parsed, False), *commands):
                path = PurePosixPath(*module.split("."))
                instructors = path.parts[0] == "grader" and path.parts[1:2] and path.parts[1] in INSTRUCTORS
                if path.parts[0] not in ("framework", "grader") or (in_function and instructors):
                    continue
                if f"{path}.py" not in files and f"{path}/__init__.py" not in files:
                    yield InputError(
                        f"{name}:{line}: imports {module}, which is not released",
                        f"add {path}.py to grader/release/files/files.txt, or do without it",
                    )


def _commands(parsed: ast.Module) -> Iterator[tuple[int, str, bool]]:
    """Yield the line and the module of each command for students, listed as `Entry("show", "Draw…")`."""
    for node in ast.walk(parsed):
        match node:
            case ast.Call(func=ast.Name("Entry"), args=[ast.Constant(str(module)), _]):
                yield node.lineno, f"grader.commands.{module}", False


def _imports(top: ast.AST, in_function: bool) -> Iterator[tuple[int, str, bool]]:
    """Yield, for each import, its line, its module and whether it is in a function."""
    if isinstance(top, ast.Import):
        yield from ((top.lineno, each.name, in_function) for each in top.names)
    elif isinstance(top, ast.ImportFrom) and top.module:
        yield top.lineno, top.module, in_function
        for each in top.names:
            name = f"{top.module}.{each.name}"
            if _is_module(name):
                yield top.lineno, name, in_function
    for child in ast.iter_child_nodes(top):
        yield from _imports(child, in_function or isinstance(child, ast.FunctionDef))


def _is_module(name: str) -> bool:
    """Return whether a dotted name is a module of the project, not something inside one."""
    room, *below = name.split(".")
    root = {"framework": paths.FRAMEWORK_ROOT / room, "grader": paths.PACKAGE}.get(room)
    if root is None or not below:
        return False
    path = root.joinpath(*below)
    return path.is_dir() or path.with_suffix(".py").is_file()


def _dead_links(files: Mapping[str, str]) -> Iterator[InputError]:
    """Yield a fault for each link from a page to a file that is not released."""
    for name, text in files.items():
        for number, line in enumerate(text.splitlines() if name.endswith(".md") else (), 1):
            for link in _LINK.findall(line):
                there = posixpath.normpath(f"{posixpath.dirname(name)}/{link}").removeprefix("/")
                if there not in files:
                    yield InputError(
                        f"{name}:{number}: a link to {there}, which is not released",
                        f"add {there} to grader/release/files/files.txt, or remove the link",
                    )


# ---- secret boards -------------------------------------------------------------------------------


def _secret_boards(files: Mapping[str, str], private: Sequence[Path]) -> Iterator[InputError]:
    """Yield a fault for each drawn board or named vacancy that is a secret board or an image of one."""
    secret = {
        image: f"the private board {paths.shown(path)}"
        for folder in private
        for path in _board_files(folder)
        for image in _images(read_board_file(path))
    } | {
        image: f"a board of the solution of {task.file}"
        for task in registry().tasks.values()
        if not task.file.endswith(".py")
        for _, board in _drawn("\n".join(solution_lines((paths.REFERENCE / task.file).read_text("utf-8"))))
        for image in _images(board)
    }
    for name, text in files.items():
        for line, board in _drawn(text):
            found = secret.get(board.tobytes())
            if found is not None:
                yield InputError(f"{name}:{line}: is {found}, or an image of it", OUT)
    for vacancy in course_boards().vacancies:
        found = secret.get(find_board(vacancy).board.tobytes())
        if found is not None:
            yield InputError(
                f"boards/index.yaml: {vacancy} is {found}, or an image of it",
                "take another board for the private set",
            )


def _board_files(folder: Path) -> list[Path]:
    """Return the board files of a private set, or raise InputError if it has none."""
    found = sorted([*folder.glob("*.txt"), *folder.glob("*.cells")])
    if not found:
        raise InputError(
            f"--private {paths.shown(folder)}: no boards in it", "name a folder with boards, NAME.txt"
        )
    return found


def _images(board: Board) -> set[bytes]:
    return {board.tobytes(), *(image_of(board, image).tobytes() for image in IMAGES)}


def _drawn(text: str) -> Iterator[tuple[int, Board]]:
    """Yield the line and the board of each drawing, with or without row numbers, and of each 49-cell text."""
    lines = text.splitlines()
    rows = [_ROW.fullmatch(line) for line in lines]
    for at in range(len(lines) - SIZE + 1):
        found = [row[1] for row in rows[at : at + SIZE] if row]
        if len(found) == SIZE:
            yield at + 1, parse_board("\n".join(found), "")
    for number, line in enumerate(lines, 1):
        for cells in _CELLS.findall(line):
            with contextlib.suppress(CellsError):  # ones and zeros, but not a board
                yield number, parse_cells(cells)
