"""Run the reference program of a task on many boards, for `grade experiment --task`."""

import contextlib
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from statistics import median
from typing import Any

from framework.board import format_board
from grader.catalog.boards import VACANCY, NamedBoard
from grader.catalog.tasks import Task, registry
from grader.errors import InputError
from grader.judging import kinds
from grader.reports.content import plain_table

SCHEMA = "peg-task-experiment/v1"
SOLVED, UNSOLVABLE = "solved", "unsolvable"
LEGEND = """\
states  unsolvable states: the size of the program's table
opened  how often a board's jumps were listed; 0: a table of winning boards decided it
"""


@dataclass(frozen=True)
class TaskRow:
    """The outcome of a task's program on one board."""

    task: str
    board: str
    answer: str  # SOLVED (its jumps were verified) or UNSOLVABLE
    unsolvable: int
    opened: int
    cpu_s: float
    # the keys of the unsolvable states, if they were asked for; reports omit them
    recorded: tuple[int, ...] = field(default=(), repr=False)

    @property
    def family(self) -> str:
        """The family of a board with one vacancy, as `english` for `english@3,3`; `-` for other boards."""
        vacancy = VACANCY.fullmatch(self.board)
        return vacancy["family"] if vacancy else "-"


def tasks_named(names: Sequence[str]) -> list[Task]:
    """Return the tasks with these names; each task's program must have its own order of jumps.

    Raises:
        InputError: there is no such task, or its program has no order of its own.
    """
    with_order = [task.name for task in registry().tasks.values() if kinds.of(task).has_own_order]
    tasks = [registry().find(name) for name in dict.fromkeys(names)]
    for task in tasks:
        if task.name not in with_order:
            raise InputError(
                f"--task {task.name}: has no order of jumps of its own", f"tasks: {', '.join(with_order)}"
            )
    return tasks


def search(task: Task, boards: Sequence[NamedBoard], recorded: bool = False) -> Iterator[TaskRow]:
    """Run the task's program on the boards, in one process, and yield each row as soon as it is known.

    Raises:
        RuntimeError: the program fails, or an answer contradicts what is known of the board.
    """
    request = {
        "task": task.name,
        "boards": [format_board(board.board) for board in boards],
        "recorded": recorded,
    }
    # Compiled code is not cached, because the count is compiled into it.
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    with tempfile.TemporaryFile("w+") as errors:
        child = subprocess.Popen(
            [sys.executable, "-O", "-m", "grader.research.experiment_child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environment,
            text=True,
        )
        assert child.stdin is not None and child.stdout is not None
        with child:
            try:
                with contextlib.suppress(BrokenPipeError):  # the child failed, which is reported below
                    json.dump(request, child.stdin)
                    child.stdin.close()
                for board, line in zip(boards, child.stdout, strict=False):
                    yield _row(task, board, json.loads(line))
            except BaseException:
                child.kill()
                raise
        if child.returncode != 0:
            errors.seek(0)
            raise RuntimeError(f"{task.name} failed: {errors.read()[-2000:]}")


def _row(task: Task, board: NamedBoard, reported: dict[str, object]) -> TaskRow:
    solved = reported.pop("solved")
    if board.facts.solvable not in (None, solved):
        raise RuntimeError(f"{task.name} is wrong about {board.name}: solved is {solved}")
    answer = SOLVED if solved else UNSOLVABLE
    row = TaskRow(task.name, board.name, answer, **reported)  # type: ignore[arg-type]  # JSON of our own child
    return replace(row, recorded=tuple(row.recorded))


# ---- reports -------------------------------------------------------------------------------------


def format_rows(rows: list[TaskRow], format: str) -> str:
    """Return the rows as `json`, `csv` or `table`."""
    plain = [{key: value for key, value in asdict(row).items() if key != "recorded"} for row in rows]
    if format != "table":
        return format_plain(SCHEMA, plain, format)
    return f"{_board_table(rows)}\n\n{_family_table(rows)}\n\n{LEGEND}"


def format_plain(schema: str, rows: list[dict[str, Any]], format: str) -> str:
    """Return rows of plain data in a format: `json`, which includes the schema's name, or `csv`."""
    if format == "json":
        return json.dumps({"schema": schema, "rows": rows}, indent=2) + "\n"
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def _board_table(rows: list[TaskRow]) -> str:
    """Return one line per board, with three columns for each task."""
    tasks = list(dict.fromkeys(row.task for row in rows))
    lines: dict[str, list[str]] = {}
    for row in rows:
        line = lines.setdefault(row.board, [row.board, row.answer])
        line += [f"{row.unsolvable:,}", f"{row.opened:,}", f"{row.cpu_s:.2f}"]
    heads = [head for task in tasks for head in (f"{task}\nstates", "\nopened", "\nCPU s")]
    return tabulated(list(lines.values()), ["\nboard", "\nanswer", *heads], 2)


def _family_table(rows: list[TaskRow]) -> str:
    """Return the maximum and the median of each figure, one line for each family, answer and task."""
    groups: dict[tuple[str, str, str], list[TaskRow]] = {}
    for row in rows:
        groups.setdefault((row.family, row.answer, row.task), []).append(row)
    lines = [
        [
            family,
            f"{len(group)} {answer}",
            task,
            *_most_and_median([row.unsolvable for row in group], 0),
            *_most_and_median([row.opened for row in group], 0),
            *_most_and_median([row.cpu_s for row in group], 2),
        ]
        for (family, answer, task), group in sorted(groups.items(), key=lambda item: _place(item[0]))
    ]
    heads = [head for figure in ("states", "opened", "CPU s") for head in (f"{figure}\nmost", "\nmedian")]
    return tabulated(lines, ["\nfamily", "\nanswer", "\ntask", *heads], 3)


def _place(group: tuple[str, str, str]) -> tuple[str, int, str]:
    family, answer, task = group
    return family, (SOLVED, UNSOLVABLE).index(answer), task


def _most_and_median(figures: Sequence[float], digits: int) -> list[str]:
    # The median of an even number of counts may end in .5.
    return [f"{figure:,.{digits or 1}f}".removesuffix(".0") for figure in (max(figures), median(figures))]


def tabulated(lines: list[list[str]], heads: list[str], words: int) -> str:
    """Return a table: `words` left-aligned columns of words, then right-aligned columns of figures."""
    return plain_table(lines, heads, ["left"] * words + ["right"] * (len(heads) - words))
