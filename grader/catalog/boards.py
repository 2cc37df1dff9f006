"""Find a board and its facts by name, vacancy (`english@2,3`), image (`key+r90`) or file."""

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Protocol

from framework.board import (
    BLOCKED,
    EMPTY,
    PEG,
    SIZE,
    Board,
    BoardFormatError,
    count_pegs,
    decode_text,
    parse_board,
)
from framework.cells49 import CellsError, looks_like_cells, parse_cells
from grader import folders, paths
from grader.catalog import example_file, yaml_file
from grader.catalog.images import IMAGES, image_of, image_of_cell
from grader.catalog.yaml_file import Fields
from grader.errors import InputError, unknown

ANY_GOAL = "any"
ANYWHERE = "anywhere"  # of a board's `ends`
SEE_VACANCY = "see boards/index.yaml for the fields of a vacancy"
_NAME = re.compile(r"[^/\\.\x00-\x1f][^/\\\x00-\x1f]{0,99}")  # of a board in an index, and of its file
_GOAL = re.compile(r"([0-7]),([0-7])", re.ASCII)
VACANCY = re.compile(r"(?P<family>[a-z0-9-]+)@(?P<row>\d{1,4}),(?P<col>\d{1,4})")


@dataclass(frozen=True)
class Facts:
    """The facts about a board; each is None if it is not known."""

    solvable: bool | None = None
    fewest: int | None = None  # the fewest pegs of any position reachable from it
    forced: bool | None = None  # whether every position reachable from it has at most one legal jump
    positions: int | None = None  # how many different positions are reachable from it, itself included
    # how many positions a search without memory visits, counting repeats; on a solvable board this depends on
    # the order in which it tries the jumps
    naive_nodes: int | None = None
    # the fewest moves to each goal, `any` or a hole `ROW,COL`; None if the goal has no solution. For a goal
    # that is absent, the fewest moves are not known.
    moves: Mapping[str, int | None] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True)
class NamedBoard:
    """A board, its name and its facts.

    `board` is shared: copy it before playing on it. `unlisted` marks boards that nobody can look up, so
    messages draw them; `hidden` marks boards that no report may reveal to students; `unknown` says why it is
    not known whether the board can be solved, if that was tried in vain; the facts of a board that
    `ends_anywhere` count every last peg as won, whatever the course's goals are.
    """

    name: str
    board: Board
    facts: Facts
    teaches: str = ""
    unlisted: bool = False
    hidden: bool = False
    unknown: str = ""
    ends_anywhere: bool = False

    @property
    def pegs(self) -> int:
        """The number of pegs on the board."""
        return count_pegs(self.board)


class Boards(Protocol):
    """Boards that can be found by their names."""

    @property
    def names(self) -> list[str]:
        """The boards' names."""

    @property
    def where_listed(self) -> str:
        """Advice that says where the names are listed, for somebody who typed a wrong name."""

    def find(self, name: str) -> NamedBoard | None:
        """Return the board called `name`, or None when there is none."""


class BoardSet:
    """The boards of one folder and its `index.yaml`, whose entries may have the fields in FIELDS."""

    FIELDS: ClassVar[dict[str, type]] = {
        "teaches": str, "pegs": int, "holes": int, "solvable": bool, "fewest": int, "forced": bool,
        "positions": int, "naive_nodes": int, "moves": dict, "ends": str,
    }  # fmt: skip
    where_listed = "to list the boards: grade show"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "index.yaml"
        index = yaml_file.read_mapping(self._file, "a board folder has an index.yaml; see boards/index.yaml")
        self._index = index.mapping("boards")
        self._entries = {name: self._entry(name) for name in self._index}
        self._vacancies = index.mapping("vacancies") if index.get("vacancies") else Fields()
        for name in self._vacancies:
            entry = self._vacancies.mapping(name, SEE_VACANCY)
            if type(entry.get("full")) is not str or type(entry.get("solvable")) is not list:
                raise self._vacancies.fault(name, "expected full and solvable", SEE_VACANCY)
            entry.optional("unsolvable_fewest", int)

    def _entry(self, name: Any) -> dict[str, Any]:
        """Return the fields of the board called `name`; a field that is absent is None."""
        if type(name) is not str:
            problem = f"expected a text as name, found {yaml_file.shown(name)}"
            raise self._index.fault(name, problem, "put the name in quotes")
        if not _NAME.fullmatch(name):
            raise self._index.fault(
                yaml_file.shown(name),
                "expected the name of a file beside it, without .txt, of at most 100 characters",
                "use letters, digits, - and _, and call the file NAME.txt",
            )
        entry = self._index.mapping(name, "see boards/index.yaml for the fields of a board")
        for field in entry:
            if field not in self.FIELDS:
                listed = f"fields: {', '.join(self.FIELDS)}"
                error = unknown("field", yaml_file.name_of(field), self.FIELDS, listed)
                raise self._index.fault(name, error.message, error.help)
        self._check_moves(entry)
        return {field: entry.optional(field, kind) for field, kind in self.FIELDS.items()}

    def _check_moves(self, entry: Fields) -> None:
        """Raise InputError if the field `moves` has a bad goal or a bad number of moves."""
        moves = entry.mapping("moves") if isinstance(entry.get("moves"), Fields) else Fields()
        for goal, fewest in moves.items():
            if type(goal) is not str or not (goal == ANY_GOAL or goal_of(goal)):
                raise entry.fault(
                    "moves",
                    f'expected any or a hole such as "3,3", found {yaml_file.shown(goal)}',
                    "write the hole as ROW,COL in quotes",
                )
            if fewest is not None and (type(fewest) is not int or not 0 <= fewest < SIZE * SIZE):
                raise moves.fault(
                    goal,
                    "expected a number of moves, or null where there is no solution, "
                    f"found {yaml_file.shown(fewest)}",
                    "correct that field",
                )

    @property
    def names(self) -> list[str]:
        """The boards' names in the order of the index, which is a good order to learn from."""
        return list(self._entries)

    @property
    def vacancies(self) -> list[str]:
        """The names of all boards with one vacancy, such as `english@2,3`: family by family, row by row."""
        return [
            f"{family}@{row},{col}"
            for family, entry in self._vacancies.items()
            for row, line in enumerate(self._full(entry).tolist())
            for col, cell in enumerate(line)
            if cell != BLOCKED
        ]

    def find(self, name: str) -> NamedBoard | None:
        """Return the board called `name`, or None when there is none."""
        if name in self._entries:
            entry = self._entries[name]
            known = {field.name: entry[field.name] for field in dataclasses.fields(Facts)}
            facts = Facts(**{**known, "moves": dict(entry["moves"] or {})})
            board = read_board_file(self._folder / f"{name}.txt")
            teaches, anywhere = entry["teaches"] or "", entry["ends"] == ANYWHERE
            return NamedBoard(name, board, facts, teaches, ends_anywhere=anywhere)
        vacancy = VACANCY.fullmatch(name)
        if vacancy and vacancy["family"] in self._vacancies:
            return self._vacancy(name, vacancy["family"], int(vacancy["row"]), int(vacancy["col"]))
        return None

    def _full(self, entry: Fields) -> Board:
        """Return a copy of the board whose holes are those of every board in a family of vacancies."""
        base = self.find(entry["full"])
        if base is None:
            raise entry.fault("full", f"no board {entry['full']!r}", "name a board of this index")
        return base.board.copy()

    def _vacancy(self, name: str, family: str, row: int, col: int) -> NamedBoard:
        entry = self._vacancies[family]
        board = self._full(entry)
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


def goal_of(text: str) -> tuple[int, int] | None:
    """Return the hole that a goal `ROW,COL` names; None for any other text, such as `any`."""
    match = _GOAL.fullmatch(text)
    return (int(match[1]), int(match[2])) if match else None


def read_board_file(path: Path) -> Board:
    """Return the board in a file of 8 rows or 49 cells, or raise InputError with the place of the error."""
    try:
        text = decode_text(folders.read_file(path, "check the file's name"), str(path))
        board = parse_cells(text) if looks_like_cells(text) else parse_board(text, str(path))
    except CellsError as error:
        place = f"{paths.shown(path)}:{error.place}" if error.place else paths.shown(path)
        raise InputError(f"{place}: {error.problem}", error.help) from None
    except BoardFormatError as error:
        place = error.place.replace(str(path), paths.shown(path))
        raise InputError(
            f"{place}: {error.problem}", "a board is 8 rows of 8 cells; see handouts/notation.md"
        ) from None
    if not (board == PEG).any():
        raise InputError(f"{paths.shown(path)}: the board has no peg", "put a peg on it")
    return board


def find_board(name: str, boards: Boards | None = None) -> NamedBoard:
    """Return the board called `name`: one of `boards` (default: the course's), an image of one, or a file.

    Raises:
        InputError: there is no such board (the help suggests the nearest name), or the file is not a board.
    """
    boards = boards or course_boards()
    base, _, image = name.rpartition("+")
    is_image = image in IMAGES and base.rpartition("+")[2] not in IMAGES
    if base and is_image and boards.find(name) is None:
        return turned(_listed_or_file(base, boards), image)
    return _listed_or_file(name, boards)


def _listed_or_file(name: str, boards: Boards) -> NamedBoard:
    found = boards.find(name)
    if found is not None:
        return found
    if "/" in name or "\\" in name or name.endswith(".txt"):
        path = Path(name)
        is_own = path.parent.name == example_file.FILE
        return NamedBoard(name, (example_file.read_own_board if is_own else read_board_file)(path), Facts())
    base, plus, image = name.partition("+")
    if plus:
        raise InputError(
            f"board {name}: expected one of {', '.join(IMAGES)} after the '+', found {image!r}",
            f"for example: grade show {base}+r90",
        )
    raise unknown("board", name, boards.names, boards.where_listed)


def turned(board: NamedBoard, image: str) -> NamedBoard:
    """Return a board turned or mirrored by `image`, a key of IMAGES; the facts about it stay true."""
    cells = image_of(board.board, image)
    same = ", which is the same" if (cells == board.board).all() else ""
    return replace(
        board,
        name=f"{board.name}+{image}",
        board=cells,
        facts=replace(board.facts, moves=_turned_goals(board.facts.moves, image)),
        teaches=f"{board.name} {IMAGES[image]}{same}",
    )


def _turned_goals(moves: Mapping[str, int | None], image: str) -> dict[str, int | None]:
    """Return the fewest moves to each goal, with each goal turned or mirrored like the board."""
    holes = {goal: goal_of(goal) for goal in moves}
    return {
        "{},{}".format(*image_of_cell(*hole, image)) if hole else goal: moves[goal]
        for goal, hole in holes.items()
    }
