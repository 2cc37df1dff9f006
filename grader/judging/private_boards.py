"""A private set of boards: a folder with its own `index.yaml`, checked before anyone is graded on it."""

import logging
from collections.abc import Collection, Mapping
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import yaml

from framework.board import BLOCKED, Board, format_board
from framework.rules import fewest_of, is_won
from grader import paths
from grader.catalog import yaml_file
from grader.catalog.boards import ANY_GOAL, BoardSet, Facts, NamedBoard
from grader.catalog.tasks import Check, Task, registry
from grader.catalog.yaml_file import Fields
from grader.errors import InputError, unknown
from grader.judging import kinds
from grader.judging.kinds import fewest
from grader.safe_text import listed

CHECKED = 20_000  # most positions that are looked at to check facts: 0.05 s; else the engine is asked
MOST_POSITIONS = 2_000_000  # that a plain program searches in a third of peg3's limit
FOUND = 100_000  # most that are looked at in plain Python to find facts out: 0.3 s
MAX_POINTS = 1000  # for one board
MAX_CPU_S = 3600


class PrivateBoards(BoardSet):
    """The boards of a folder, graded instead of the tasks' own.

    Besides the fields of boards/index.yaml, an entry may have `points` (default: 1), `cpu_s` (default: the
    task's own) and `tasks`, the names of the tasks that the board is for (default: all that can judge it),
    `beside` and `others`, names of boards of the set; see `Check`. Those of `others` have no check of
    their own.
    """

    _GRADING: ClassVar[dict[str, type]] = {
        "points": int, "cpu_s": float, "tasks": list, "beside": str, "others": list,
    }  # fmt: skip
    FIELDS: ClassVar[dict[str, type]] = {**BoardSet.FIELDS, **_GRADING}

    def __init__(self, folder: Path, told: bool = False) -> None:
        """Read and check the set in `folder`; if it was `told` before what is left out of it, say nothing."""
        super().__init__(folder)
        self._told = told
        self.where_listed = f"{paths.shown(self._file)} has the names"
        self._little: dict[tuple[str, str], bool] = {}  # of the boards and tasks that were asked about
        self._boards: dict[str, NamedBoard] = {}  # as read now, with checked facts
        for file in (folder, self._file, *(folder / f"{name}.txt" for name in self._entries)):
            if why := paths.foreign(file):
                raise InputError(why, "copy the set into a folder of your own")
        for name in self._entries:
            board = super().find(name)
            assert board is not None
            self._boards[name] = replace(board, facts=self._true_facts(board))
            self._check_grading(name)
            self._check_named(name)
        there = {file.stem for file in folder.glob("[!.]*.txt") if file.is_file()}
        if others := sorted(there - self._entries.keys()):
            _warn(f"{paths.shown(self._file)}: boards: not graded, since not listed: {listed(others)}")

    def find(self, name: str) -> NamedBoard | None:
        """Return the board called `name` with checked facts, or None when there is none."""
        board = self._boards.get(name) or super().find(name)
        return board and replace(board, unlisted=True, hidden=True)

    def checks(self, task: Task) -> list[Check]:
        """Return checks for each board that is meant for `task` and that the task can judge."""
        kind = kinds.of(task)
        return [
            Check(
                name,
                points * (1 if entry["points"] is None else entry["points"]),
                entry["cpu_s"] or task.cpu_s,
                variant=variant,
                beside=entry["beside"] or "",
                others=tuple(entry["others"] or ()),
            )
            for name, entry in self._entries.items()
            if name not in self._others
            and not kind.not_judged(self._boards[name])
            and self._is_for(task, name)
            for variant, points in kind.variants.items()
        ]

    @cached_property
    def _others(self) -> set[str]:
        return {other for entry in self._entries.values() for other in entry["others"] or ()}

    def _is_for(self, task: Task, name: str) -> bool:
        """Return whether a board is for a task: as its entry says, or if the task can judge it in time."""
        asked = self._entries[name]["tasks"]
        return task.name in asked if asked else self._takes_little(name, task)

    def _takes_little(self, name: str, task: Task) -> bool:
        """Return whether any right program of a task has time for a board; say so if not."""
        if not paths.ORACLE.is_dir():
            return True
        if (name, task.name) not in self._little:
            why = self._why_long(name, task)
            if why:
                self._say(name, "tasks", f"left out of {task.name}: it has {why}")
            self._little[name, task.name] = not why
        return self._little[name, task.name]

    def _why_long(self, name: str, task: Task) -> str:
        """Return what makes a search for a board long, whatever its order; empty if nothing does."""
        from grader.oracle.explore import MOST_WAYS, pegs_and_holes, ways_to_play
        from grader.oracle.shape import shape_of
        from grader.oracle.walk import walk

        board, facts = self._boards[name].board, self._boards[name].facts
        if not task.table:
            few = ways_to_play(*pegs_and_holes(board), MOST_WAYS) <= MOST_WAYS
            return "" if few else "too many ways to play for a search without a table"
        if facts.solvable and kinds.of(task).has_own_order:
            return ""
        shape, positions = shape_of(board), facts.positions
        if positions is None:
            positions = walk(shape, shape.position(board), MOST_POSITIONS).positions
        few = positions is not None and positions <= MOST_POSITIONS
        return "" if few else f"more than {MOST_POSITIONS:,} positions, which may take too long"

    @property
    def index(self) -> Path:
        """The file that lists the boards and their facts."""
        return self._file

    def whole(self, tasks: Collection[Task]) -> dict[str, str]:
        """Return the files of the boards that `tasks` judge, with every fact: platforms cannot prove any."""
        proved = {check.board for task in tasks if task.kind == "fewest" for check in self.checks(task)}
        tasks_of: dict[str, list[str]] = {}
        for task in (each for each in tasks if kinds.of(each).takes_boards):
            for name in dict.fromkeys(name for check in self.checks(task) for name in check.boards):
                tasks_of.setdefault(name, []).append(task.name)
        entries, files = {}, {}
        for name, entry in self._entries.items():
            if name not in tasks_of:
                continue
            board = self._boards[name]
            known = {
                **entry,
                **asdict(board.facts),
                "tasks": None if name in self._others else tasks_of[name],
            }
            if name in proved and board.facts.solvable and ANY_GOAL not in board.facts.moves:
                truth = fewest.truth_of(board, ANY_GOAL)
                assert truth is not None  # or the task could not judge it
                known["moves"] = {**board.facts.moves, ANY_GOAL: truth.moves}
            entries[name] = {field: known[field] for field in self.FIELDS if known[field] not in (None, {})}
            files[f"{name}.txt"] = format_board(board.board)
        index = yaml.safe_dump({"boards": entries}, sort_keys=False, default_flow_style=None, width=110)
        return {"index.yaml": index, **files}

    # ---- the facts -----------------------------------------------------------------------------

    def _true_facts(self, board: NamedBoard) -> Facts:
        """Return a board's facts, computed where possible, otherwise taken from the index.

        Raises:
            InputError: the index is wrong, or lacks a fact that cannot be computed.
        """
        name, entry = board.name, self._entries[board.name]
        for field, counted in (("pegs", board.pegs), ("holes", int((board.board != BLOCKED).sum()))):
            if entry[field] not in (None, counted):
                raise self._wrong(name, field, str(counted), entry[field], "count again, or leave it out")
        most = fewest_of(board.pegs, is_won(board.board))
        if entry["fewest"] is not None and not 1 <= entry["fewest"] <= most:
            raise self._wrong(name, "fewest", f"1 to {most}", entry["fewest"], "correct that field")
        said = self._completed(name, board.facts)
        facts = self._found(name, board.board, said) if paths.ORACLE.is_dir() else said
        if facts.solvable is None:
            help = "add that field: it is computed for small boards only, and not in a student's folder"
            raise self._wrong(name, "solvable", "true or false", None, help)
        return replace(facts, moves=self._checked_moves(name, board.board, facts, said))

    def _checked_moves(self, name: str, board: Board, facts: Facts, said: Facts) -> Mapping[str, int | None]:
        """Return the fewest moves given in the index that are proved, by the exact engine.

        Raises:
            InputError: a given number of moves is wrong.
        """
        if not paths.ORACLE.is_dir():
            return said.moves
        proved = {}
        for goal, moves in said.moves.items():
            true = fewest.proved(format_board(board), goal) or self._refuted(name, board, goal)
            if true is None:
                self._say_unchecked(name, f"moves.{goal}", "the board has too many positions for a proof")
            elif true.moves != moves:
                raise self._searched(name, f"moves.{goal}", yaml_file.as_yaml(true.moves), moves)
            else:
                proved[goal] = moves
        return proved

    def _refuted(self, name: str, board: Board, goal: str) -> fewest.Truth | None:
        """Return that a goal cannot be reached if the class of the board excludes it; else None.

        Raises:
            InputError: the goal is not a hole.
        """
        from grader import oracle
        from grader.oracle.problem import OracleError

        try:
            return None if oracle.class_allows(board, fewest.goals_of(board, goal)) else fewest.Truth(None)
        except OracleError as error:
            raise self._fields(name).fault(f"moves.{goal}", error.message, error.help) from None

    def _completed(self, name: str, facts: Facts) -> Facts:
        """Return the facts; if only one of `solvable` and `fewest` is given, derive the other from it."""
        if facts.fewest is None:
            return replace(facts, fewest=1 if facts.solvable else None)
        if facts.solvable is None:
            return replace(facts, solvable=facts.fewest == 1)
        if facts.solvable != (facts.fewest == 1):
            wanted = "1 where solvable is true" if facts.solvable else "more than 1 where solvable is false"
            raise self._wrong(name, "fewest", wanted, facts.fewest, "correct one of the two")
        return facts

    def _found(self, name: str, board: Board, said: Facts) -> Facts:
        """Return the computed facts of a small board, and those given for a large board that are right.

        Raises:
            InputError: a given fact is wrong.
        """
        from grader.oracle.explore import explore

        most = FOUND if None in (said.solvable, said.fewest) else CHECKED
        truth = explore(board, most)
        if truth is None:
            if said.forced:
                raise self._searched(name, "forced", "false", True)
            if said.positions is not None and said.positions <= most:
                raise self._searched(name, "positions", f"more than {most:,}", said.positions)
            return self._engine_agrees(name, board, replace(said, forced=False))  # forced play has few
        true = Facts(truth.solvable, truth.fewest, truth.forced, truth.positions)
        for field in ("solvable", "fewest", "forced", "positions"):
            if getattr(said, field) not in (None, getattr(true, field)):
                raise self._searched(name, field, _as_yaml(getattr(true, field)), getattr(said, field))
        return true

    def _engine_agrees(self, name: str, board: Board, said: Facts) -> Facts:
        """Return the facts given for a large board without those that the exact engine cannot check.

        Raises:
            InputError: a fact is wrong, or the board is said to be solvable and no solution is found.
        """
        from grader.oracle import bounded
        from grader.oracle.problem import OracleError

        known = said
        if said.solvable is not None:
            try:
                true = bounded.fewest_pegs(board)
            except OracleError as error:
                if said.solvable:  # a program that finds no solution either would lose its points
                    problem = f"true could not be confirmed: {error.message}"
                    help = "leave the board out, or block some cells"
                    raise self._fields(name).fault("solvable", problem, help) from None
                field = "solvable" if said.fewest is None else "fewest"
                self._say_unchecked(name, field, error.message)
                known = replace(known, fewest=None)
            else:
                if said.solvable != (true == 1):
                    raise self._searched(name, "solvable", _as_yaml(true == 1), said.solvable)
                if said.fewest not in (None, true):
                    raise self._searched(name, "fewest", str(true), said.fewest)
        if said.positions is not None:
            try:
                counted = bounded.positions(board)
            except OracleError as error:
                self._say_unchecked(name, "positions", error.message)
                return replace(known, positions=None)
            if counted != said.positions:
                raise self._searched(name, "positions", str(counted), said.positions)
        return known

    def _say_unchecked(self, name: str, field: str, why: str) -> None:
        """Say that a fact could not be checked; nobody loses points by it."""
        self._say(name, field, f"not checked, so no answer is judged by it: {why}")

    def _say(self, name: str, field: str, remark: str) -> None:
        if not self._told:
            _warn(self._fields(name).fault(field, remark, "").message)

    # ---- points, limits and tasks --------------------------------------------------------------

    def _check_grading(self, name: str) -> None:
        """Raise InputError if a board cannot be graded as its entry asks."""
        entry = self._entries[name]
        points, cpu_s, tasks = entry["points"], entry["cpu_s"], entry["tasks"]
        correct = "correct that field"
        if points is not None and not 0 <= points <= MAX_POINTS:
            raise self._wrong(name, "points", f"0 to {MAX_POINTS:,}", points, correct)
        if cpu_s is not None and not 0 < cpu_s <= MAX_CPU_S:
            expected = f"a number of seconds above 0, at most {MAX_CPU_S:,}"
            raise self._wrong(name, "cpu_s", expected, cpu_s, correct)
        if tasks is None:
            return
        judging = {task.name: task for task in registry().tasks.values() if kinds.of(task).takes_boards}
        if not tasks:
            raise self._wrong(name, "tasks", "names of tasks", tasks, f"tasks: {', '.join(judging)}")
        for each in tasks:
            if not isinstance(each, str) or each not in judging:
                error = unknown("task", yaml_file.name_of(each), judging, f"tasks: {', '.join(judging)}")
                raise self._fields(name).fault("tasks", error.message, error.help)
            why = kinds.of(judging[each]).not_judged(self._boards[name])
            if why:
                raise self._fields(name).fault(
                    "tasks",
                    f"{each} cannot judge this board: {why}",
                    "take the task out, or correct the board's facts",
                )

    def _check_named(self, name: str) -> None:
        """Raise InputError if `others` or `beside` names a board that cannot be asked so."""
        entry = self._entries[name]
        others, beside = entry["others"] or [], [entry["beside"]] if entry["beside"] else []
        in_order = [task.name for task in registry().tasks.values() if kinds.of(task).has_own_order]
        if (others or beside) and not {*(entry["tasks"] or ["none"])} <= {*in_order}:
            expected = f"{' or '.join(in_order)} where others or beside is given"
            raise self._wrong(name, "tasks", expected, entry["tasks"], "correct that field")
        if others and not self._boards[name].facts.solvable:
            raise self._wrong(
                name, "solvable", "true where others is given", False, "begin with another board"
            )
        for field, named in (("others", others), ("beside", beside)):
            for other in named:
                known = self._entries.get(other) if type(other) is str else None
                if known is None:
                    error = unknown(
                        "board", yaml_file.name_of(other), self._entries, "name boards of this set"
                    )
                    raise self._fields(name).fault(field, error.message, error.help)
                if field == "others" and any(known[each] is not None for each in self._GRADING):
                    expected = f"boards without {', '.join(self._GRADING)}"
                    raise self._wrong(name, field, expected, other, "they count as the first one says")
                if field == "beside" and known["tasks"] != entry["tasks"]:
                    raise self._wrong(name, field, "a board with the same tasks", other, "correct that field")

    # ---- errors --------------------------------------------------------------------------------

    def _fields(self, name: str) -> Fields:
        return self._index.mapping(name)

    def _wrong(self, name: str, field: str, expected: str, found: Any, help: str) -> InputError:
        return self._fields(name).fault(field, f"expected {expected}, found {_as_yaml(found)}", help)

    def _searched(self, name: str, field: str, expected: str, found: Any) -> InputError:
        help = f"the grader worked out the facts of {name} itself; correct that field, or leave it out"
        return self._wrong(name, field, expected, found, help)


def _warn(line: str) -> None:
    logging.getLogger(__name__).warning("%s", line)


def _as_yaml(value: Any) -> str:
    """Return a value in the notation of index.yaml."""
    return "nothing" if value is None else yaml_file.as_yaml(value)
