"""`grade experiment`: count the unsolvable states of searches.

For each traversal order, order of directions and board, it runs a depth-first search with a table of the
unsolvable states. Instead, it can run the reference solution of a task on each board.
"""

import itertools
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass

import click
from click.core import ParameterSource

from framework.board import format_board
from grader.catalog.boards import NamedBoard, course_boards, find_board
from grader.commands.options import progress_line
from grader.errors import FULL_MARKS, InputError
from grader.research import task_experiment

SCHEMA = "peg-experiment/v1"
ORDERS = ("normal", "out-in", "in-out")
DEFAULT_BOARDS = ("english", "french1", "french2", "french3")
VACANCIES = "vacancies"  # among the names of boards
SHORT_CPU_S = 0.05  # CPU times below this are too short to compare
SYMMETRY_LEGEND = """\
images   how many images of a position lie on the board's own holes, itself included
factor   without / with; below 1 symmetry costs more than it saves
"""


@dataclass(frozen=True)
class Row:
    """One search: its settings and what it found."""

    board: str
    order: str
    directions: str
    bidirectional: bool  # whether the search stopped as soon as it met a board in a table of winning boards
    symmetry: bool  # whether boards that are images of one another were counted as one
    solved: bool  # whether a solution was found
    unsolvable: int
    cpu_s: float  # CPU seconds of the compiled search, without the time to compile it
    peak_mib: float  # the most resident memory, in MiB, that the search added to its process


@click.command()
@click.option(
    "--board", "board_names", multiple=True, metavar="NAME|FILE",
    help=f"Search this board (repeatable; default: {', '.join(DEFAULT_BOARDS)}); {VACANCIES}: every solvable "
    "English and French board with one empty hole.",
)  # fmt: skip
@click.option(
    "--task", "task_names", multiple=True, metavar="TASK",
    help="Run the reference solution of this task, such as peg4, instead of the searches (repeatable).",
)  # fmt: skip
@click.option(
    "--orders", default=",".join(ORDERS), show_default=True, metavar="ORDER,...",
    help="The orders in which a search visits the cells; each order is a separate search.",
)  # fmt: skip
@click.option(
    "--directions", default="DRLU", show_default=True, metavar="DRUL,...",
    help="The orders in which a search tries the directions: D down, R right, U up, L left.",
)  # fmt: skip
@click.option(
    "--bidirectional", is_flag=True,
    help="End a search as soon as it meets a board in a table of winning boards.",
)  # fmt: skip
@click.option(
    "--symmetry", is_flag=True,
    help="Run each search again, recording only one of a board's eight images, and show the savings.",
)  # fmt: skip
@click.option(
    "--format", "format_", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True
)
def experiment(
    board_names: tuple[str, ...],
    task_names: tuple[str, ...],
    orders: str,
    directions: str,
    bidirectional: bool,
    symmetry: bool,
    format_: str,
) -> int:
    """Run a search for each traversal order, order of directions and board; count its unsolvable states."""
    named = ([name] if name != VACANCIES else solvable_vacancies() for name in board_names)
    boards = [find_board(name) for name in dict.fromkeys(itertools.chain(*named)) or DEFAULT_BOARDS]
    if task_names:
        context = click.get_current_context()
        for name in ("orders", "directions", "bidirectional", "symmetry"):
            if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
                raise InputError(
                    f"--{name.replace('_', '-')}: is not for --task",
                    "a task's program has an order of its own: leave it out",
                )
        click.echo(_task_programs(task_names, boards, format_), nl=False)
        return FULL_MARKS
    if VACANCIES in board_names:
        raise InputError(
            f"--board {VACANCIES}: needs --task", "a search in plain order does not end on most of them"
        )
    if symmetry and bidirectional:
        raise InputError(
            "--symmetry: not together with --bidirectional",
            "the table of winning boards has every image as it is; leave out one of the two options",
        )
    chosen_orders = orders.split(",")
    for each in chosen_orders:
        if each not in ORDERS:
            raise InputError(f"no order {each!r}", f"orders: {', '.join(ORDERS)}")
    chosen_directions = directions.upper().split(",")
    for each in chosen_directions:
        if sorted(each) != sorted("DRUL"):
            raise InputError(
                f"directions {each!r}: expected the letters D, R, U and L, each once",
                "for example: --directions DRUL,DRLU",
            )
    rows: list[Row] = []
    symmetries = (False, True) if symmetry else (False,)
    searches = list(itertools.product(chosen_orders, chosen_directions, boards, symmetries))
    with progress_line() as show:
        for order, each, board, with_symmetry in searches:
            show(f"{len(rows) + 1}/{len(searches)}  {order} {each} {board.name}")
            rows.append(_search(board, order, each, bidirectional, with_symmetry))
    if format_ != "table":
        text = task_experiment.format_plain(SCHEMA, [asdict(row) for row in rows], format_)
    else:
        text = _format_symmetry(rows, boards) if symmetry else _format_table(rows)
    click.echo(text, nl=False)
    return FULL_MARKS


def _task_programs(task_names: tuple[str, ...], boards: list[NamedBoard], format: str) -> str:
    """Run the reference of each task on each board, one process per task, and return the counts."""
    tasks = task_experiment.tasks_named(task_names)
    rows: list[task_experiment.TaskRow] = []
    total = len(tasks) * len(boards)
    with progress_line() as show:
        for task in tasks:
            show(f"{len(rows)}/{total}  compiling {task.name}")
            for row in task_experiment.search(task, boards):
                rows.append(row)
                show(f"{len(rows)}/{total}  {task.name} {row.board}")
    return task_experiment.format_rows(rows, format)


def solvable_vacancies() -> list[str]:
    """Return the solvable boards with one empty hole; on unsolvable ones, peg4 practically never ends."""
    return [name for name in course_boards().vacancies if find_board(name).facts.solvable]


def _search(board: NamedBoard, order: str, directions: str, bidirectional: bool, symmetry: bool) -> Row:
    """Run one search in a fresh process, so that its peak memory can be measured."""
    request = {
        "board": format_board(board.board),
        "order": order,
        "directions": directions,
        "bidirectional": bidirectional,
        "symmetry": symmetry,
    }
    done = subprocess.run(
        [sys.executable, "-m", "grader.research.experiment_child"],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"search of {board.name} failed: {done.stderr[-2000:]}")
    return Row(board.name, order, directions, bidirectional, symmetry, **json.loads(done.stdout))


def _format_table(rows: list[Row]) -> str:
    """Return tables of the counts, the CPU seconds and the memory, each with a column per board."""
    boards = list(dict.fromkeys(row.board for row in rows))
    what = "unsolvable states" + (", bidirectional" if rows[0].bidirectional else "")
    parts = [
        f"{title}\n\n{_pivot(rows, boards, text)}\n"
        for title, text in (
            (what, _count_text),
            ("CPU seconds", lambda row: f"{row.cpu_s:.2f}"),
            ("memory, bytes a state", _bytes_text),
        )
    ]
    return "\n".join(parts + _legend(rows))


def _format_symmetry(rows: list[Row], boards: list[NamedBoard]) -> str:
    """Return a table per order and directions; each row compares a board without and with symmetry."""
    from grader.oracle.shape import shape_of

    images = {board.name: str(len(shape_of(board.board).symmetries)) for board in boards}
    heads = ["\nboard", "\nimages", "states\nwithout", "\nwith", "\nfactor"]
    heads += ["CPU s\nwithout", "\nwith", "\nfactor"]
    tables: dict[tuple[str, str], list[list[str]]] = {}
    for without, with_it in zip(rows[::2], rows[1::2], strict=True):
        line = [without.board, images[without.board], _count_text(without), _count_text(with_it)]
        line += [_factor_text(without.unsolvable, with_it.unsolvable, 1)]
        line += [f"{without.cpu_s:.2f}", f"{with_it.cpu_s:.2f}"]
        line += [_factor_text(without.cpu_s, with_it.cpu_s, SHORT_CPU_S)]
        tables.setdefault((without.order, without.directions), []).append(line)
    parts = [
        f"{order} {directions}\n\n{task_experiment.tabulated(lines, heads, words=1)}\n"
        for (order, directions), lines in tables.items()
    ]
    return "\n".join([*parts, SYMMETRY_LEGEND, *_legend(rows)])


def _factor_text(without: float, with_it: float, least: float) -> str:
    """Return `without / with_it`; `-` if one of the two is below `least`."""
    return f"{without / with_it:.2f}" if min(without, with_it) >= least else "-"


def _legend(rows: list[Row]) -> list[str]:
    """Return the legend of the mark that stands in front of some counts in these rows."""
    solved = all(row.solved for row in rows)
    return [] if solved else ["- no solution: every position is an unsolvable state\n"]


def _pivot(rows: list[Row], boards: list[str], text: Callable[[Row], str]) -> str:
    table: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        table.setdefault((row.order, row.directions), []).append(text(row))
    lines = [[*key, *cells] for key, cells in table.items()]
    return task_experiment.tabulated(lines, ["order", "directions", *boards], words=2)


def _count_text(row: Row) -> str:
    return f"{'' if row.solved else '- '}{row.unsolvable:,}"


def _bytes_text(row: Row) -> str:
    # Below about 100,000 states most of the measured memory is the process's own.
    return f"{row.peak_mib * 2**20 / row.unsolvable:.1f}" if row.unsolvable >= 100_000 else "-"
