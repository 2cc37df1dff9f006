"""Find a board by name, by vacancy (`english@2,3`) or by file, with what is known of it."""

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from framework.board import EMPTY, PEG, SIZE, Board, BoardFormatError, count_pegs, read_board
from grader import paths, yaml_file
from grader.errors import InputError

VACANCY = re.compile(r"(?P<family>[a-z0-9-]+)@(?P<row>\d+),(?P<col>\d+)")


@dataclass(frozen=True)
class Facts:
    """What is true of a board; None where it is not known.

    Attributes:
        solvable: whether it can be solved to one peg.
        fewest: the fewest pegs of any position that can be reached from it.
        forced: whether every position reachable from it has at most one legal jump.
        positions: how many different positions can be reached from it, itself included.
    """

    solvable: bool | None = None
    fewest: int | None = None
    forced: bool | None = None
    positions: int | None = None


@dataclass(frozen=True)
class NamedBoard:
    """A board, its name and its facts.

    `board` is shared: copy it before playing on it.
    """

    name: str
    board: Board
    facts: Facts
    teaches: str = ""

    @property
    def pegs(self) -> int:
        """The pegs on the board."""
        return count_pegs(self.board)


class BoardSet:
    """The boards of one folder and its `index.yaml`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "index.yaml"
        index = yaml_file.read_mapping(self._file, "a board folder has an index.yaml; see boards/index.yaml")
        self._entries = yaml_file.field(index, "boards", dict, self._file)
        for name, entry in self._entries.items():
            if not isinstance(entry, dict):
                found = yaml_file.shown(entry)
                raise InputError(
                    f"{paths.shown(self._file)}: boards.{name}: expected fields, found {found}",
                    "see boards/index.yaml for the fields of a board",
                )
        self._vacancies = yaml_file.optional(index, "vacancies", dict, self._file) or {}
        for name, entry in self._vacancies.items():
            wanted = {"full": str, "solvable": list}
            if not isinstance(entry, dict) or any(
                type(entry.get(key)) is not kind for key, kind in wanted.items()
            ):
                raise InputError(
                    f"{paths.shown(self._file)}: vacancies.{name}: expected full and solvable",
                    "see boards/index.yaml for the fields of a vacancy",
                )

    @property
    def names(self) -> list[str]:
        """The boards' names in the order of the index, which is a good order to learn in."""
        return list(self._entries)

    def points(self, name: str) -> int:
        """Return the points the index gives for the board (a private set's index may), else 1."""
        points = yaml_file.optional(self._entries[name], "points", int, self._file, f"boards.{name}")
        return 1 if points is None else points

    def find(self, name: str) -> NamedBoard | None:
        """Return the board called `name`, or None when there is none."""
        if name in self._entries:
            entry, where = self._entries[name], f"boards.{name}"
            facts = Facts(
                solvable=yaml_file.optional(entry, "solvable", bool, self._file, where),
                fewest=yaml_file.optional(entry, "fewest", int, self._file, where),
                forced=yaml_file.optional(entry, "forced", bool, self._file, where),
                positions=yaml_file.optional(entry, "positions", int, self._file, where),
            )
            board = read_board_file(self._folder / f"{name}.txt")
            return NamedBoard(name, board, facts, str(entry.get("teaches", "")))
        vacancy = VACANCY.fullmatch(name)
        if vacancy and vacancy["family"] in self._vacancies:
            return self._vacancy(name, vacancy["family"], int(vacancy["row"]), int(vacancy["col"]))
        return None

    def _vacancy(self, name: str, family: str, row: int, col: int) -> NamedBoard:
        entry = self._vacancies[family]
        base = self.find(entry["full"])
        if base is None:
            raise InputError(
                f"{paths.shown(self._file)}: vacancies.{family}.full: no board {entry['full']!r}",
                "name a board of this index",
            )
        board = base.board.copy()
        if not (row < SIZE and col < SIZE) or board[row, col] not in (EMPTY, PEG):
            raise InputError(
                f"board {name}: {row},{col} is not a hole of the {family} board",
                f"see its holes: grade show {entry['full']}",
            )
        board[board == EMPTY] = PEG
        board[row, col] = EMPTY
        solvable = [row, col] in entry["solvable"]
        return NamedBoard(
            name, board, Facts(solvable, 1 if solvable else entry.get("unsolvable_fewest"), False)
        )


@cache
def course_boards() -> BoardSet:
    """Return the boards of the course."""
    return BoardSet(paths.BOARDS)


def read_board_file(path: Path) -> Board:
    """Return the board in a file; a fault is the user's InputError, with file, line and column."""
    try:
        return read_board(path)
    except BoardFormatError as error:
        place = error.place.replace(str(path), paths.shown(path))
        raise InputError(
            f"{place}: {error.problem}",
            "a board is 8 rows of 8 cells; see handouts/notation.md",
        ) from None
    except OSError as error:
        raise InputError(
            f"{paths.shown(path)}: cannot be read: {error.strerror}", "check the file's name"
        ) from None


def find_board(name: str, boards: BoardSet | None = None) -> NamedBoard:
    """Return the board called `name` in `boards` (default: the course's), or the board in that file.

    Raises:
        InputError: there is no such board (with the nearest name), or the file is not a board.
    """
    boards = boards or course_boards()
    found = boards.find(name)
    if found is not None:
        return found
    if "/" in name or "\\" in name or name.endswith(".txt"):
        path = Path(name)
        board = read_board_file(path)
        if not (board == PEG).any():
            raise InputError(f"{name}: the board has no peg", "put a peg, '*', on it")
        return NamedBoard(name, board, Facts())
    raise unknown("board", name, boards.names, "grade show lists the boards")


def unknown(kind: str, name: str, known: Iterable[Any], otherwise: str) -> InputError:
    """Return the error for a name that is not known, with the nearest one that is."""
    near = difflib.get_close_matches(name, [str(each) for each in known], n=1)
    return InputError(f"no {kind} {name!r}", f"did you mean {near[0]}? {otherwise}" if near else otherwise)
