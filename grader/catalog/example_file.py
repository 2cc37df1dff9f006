"""Read a student's boards and what they claim about each, from one YAML file.

    boards:
      two-forks:
        board: |
          . . o . . . . .
          ...
        solvable: false
        fewest: 2
        forced: false

Each claim may be left out, but not all of them. `fewest: 1` says the same as `solvable: true`.
"""

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from pathlib import Path

from framework.board import PEG, Board, BoardFormatError, parse_board
from grader import folders, paths
from grader.catalog import yaml_file
from grader.catalog.yaml_file import Fields, as_yaml
from grader.errors import unknown

FILE = "examples.yaml"  # in a student's folder
MOST_COUNTED = 8  # boards
HELP = "see handouts/examples.md for the form of this file"
BOARD_HELP = "a board is 8 rows of 8 cells; see handouts/notation.md"
FIELDS = ("board", "solvable", "fewest", "forced")
_NAME = re.compile(r"[\w-]{1,24}", re.ASCII)


@dataclass(frozen=True)
class Claims:
    """What a student says of a board; None where nothing is said."""

    solvable: bool | None
    fewest: int | None
    forced: bool | None

    def as_written(self) -> list[str]:
        """Return the claims as they are written in the file."""
        return [f"{field}: {as_yaml(said)}" for field, said in vars(self).items() if said is not None]


@dataclass(frozen=True)
class Example:
    """A board of a student, its name, and what the student says of it."""

    name: str
    board: Board
    claims: Claims


def read_examples(text: str, file: Path) -> tuple[Sequence[Example], int]:
    """Return the boards in a student's file that count, and how many are in it; messages call it `file`.

    Raises:
        InputError: the text is not in the form; the error has the line.
    """
    if not any(line.strip() and not line.lstrip().startswith("#") for line in text.splitlines()):
        return (), 0
    loaded = yaml_file.parse_mapping(text.encode(), file, HELP)
    for field in loaded:
        if field != "boards":
            raise loaded.fault(field, "expected nothing beside boards", HELP)
    if loaded.get("boards") is None:
        return (), 0
    boards = loaded.mapping("boards", HELP)
    counted = list(boards)[:MOST_COUNTED]
    return [_example(boards, name) for name in counted], len(boards)


def full_name(name: str, student: Path, others: Container[str]) -> str:
    """Return the name by which every command knows a board: `student/examples.yaml/NAME` for a student's own.

    Args:
        others: the names that mean something else.
    """
    file = student / FILE
    if name in others or not _NAME.fullmatch(name) or not file.is_file():
        return name
    key = re.compile(rf"[ \t]+(['\"]?){re.escape(name)}\1\s*:")
    lines = folders.read_file(file, HELP).decode("utf-8", "replace").splitlines()
    is_there = any(key.match(line) for line in lines)
    return f"{paths.shown(file)}/{name}" if is_there else name


def read_own_board(path: Path) -> Board:
    """Return the board that `path`, a file and a name below it, names, or raise InputError."""
    loaded = yaml_file.parse_mapping(folders.read_file(path.parent, HELP), path.parent, HELP)
    boards = loaded.mapping("boards", HELP)
    if path.name not in boards:
        error = unknown("board", path.name, [name for name in boards if isinstance(name, str)], HELP)
        raise boards.fault(path.name, error.message, error.help)
    return _board(boards.mapping(path.name, HELP))


def _example(boards: Fields, name: object) -> Example:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        problem = f"expected a name, found {yaml_file.shown(name)}"
        help = "name a board with at most 24 letters, digits, - and _; put quotes around a number, yes or no"
        raise boards.fault(yaml_file.shown(name), problem, help)
    entry = boards.mapping(name, HELP)
    for field in entry:
        if field not in FIELDS:
            listed = f"fields: {', '.join(FIELDS)}"
            error = unknown("field", yaml_file.name_of(field), FIELDS, listed)
            raise entry.fault(field, error.message, error.help)
    claims = Claims(
        entry.optional("solvable", bool), entry.optional("fewest", int), entry.optional("forced", bool)
    )
    if not claims.as_written():
        problem = "expected something that you say of this board, found nothing"
        raise boards.fault(name, problem, "add at least one of solvable, fewest and forced")
    return Example(name, _board(entry), claims)


def _board(entry: Fields) -> Board:
    try:
        board = parse_board(entry.field("board", str), "")
    except BoardFormatError as error:
        _, line, column = error.place.split(":")
        problem = f"line {line}, column {column} of the board: {error.problem}"
        raise entry.fault("board", problem, BOARD_HELP) from None
    if not (board == PEG).any():
        raise entry.fault("board", "the board has no peg", "put a peg on it")
    return board
