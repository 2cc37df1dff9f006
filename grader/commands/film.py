"""`grade film`: record what a program does on a board, and show it."""

import sys
from importlib.util import find_spec
from pathlib import Path

import click

from grader import folders, paths
from grader.catalog.boards import NamedBoard, find_board
from grader.catalog.tasks import Task, registry
from grader.commands.options import PATH, STUDENT, Seconds, progress_line, tell_tier, typed, writable
from grader.errors import FULL_MARKS, POINTS_LOST, InputError
from grader.film.shown import Shown, films_in
from grader.film.tell import SECONDS, Told, check_task, compared, tell
from grader.play import browser
from grader.reports import content
from grader.safe_text import safe

MOST_FILE_BYTES = 16 << 20
FIRST_S = 0.5  # CPU time for a picture to look at while all is recorded
RELOAD_S = 2  # of that picture
NO_PAGE = "the page of a film needs jinja2, which is not installed"


@click.command()
@click.argument("task_name", metavar="TASK")
@click.argument("board_name", metavar="BOARD")
@STUDENT
@click.option(
    "--beside", metavar="TASK|FILE",
    help="Draw the film of another task below it, or one of an earlier -o FILE.",
)  # fmt: skip
@click.option(
    "--seconds", type=Seconds(1, 600), default=SECONDS, show_default=True, metavar="S",
    help="CPU time after which a recording ends, and a compiled run.",
)  # fmt: skip
@click.option("-o", "output", type=PATH, metavar="FILE", callback=writable, help="Write the picture to FILE.")
def film(
    task_name: str, board_name: str, student: Path, beside: str | None, seconds: float, output: Path | None
) -> int:
    """Show what your program of TASK does on BOARD, from call to call: as a picture, in numbers and in words.

    The program runs as plain Python, so choose a small board, such as choice
    or lopsided. The picture opens in the browser, or is written to -o FILE.
    """
    task, board = registry().find(task_name), find_board(board_name)
    check_task(task)
    if output is not None and find_spec("jinja2") is None:
        raise InputError(NO_PAGE, "pip install jinja2")
    other = _other(beside)
    opens = output is None and _can_open()
    tell_tier()
    films: list[Shown] = []
    failed = opened = False
    for each in (task, other):
        if isinstance(each, Task):
            with progress_line() as show:
                show(f"recording {each.name} on {board.name}")
                told = None
                if opens and not films:
                    told = _begin(student, each, board)
                    opened = told is None
                told = told or tell(student, each, board, seconds)
            failed = failed or bool(told.failed)
            if told.failed:
                click.echo(f"{each.name} on {board.name}: {told.failed}\n", err=told.shown is None)
            films += [told.shown] if told.shown is not None else []
        elif each is not None:
            films.append(each)
    if films:
        click.echo(safe(_text(films)))
        if opens or output is not None:
            page = _write(films, compared(*films) if len(films) > 1 else "", output)
            if output is not None:
                click.echo(f"{paths.shown(page)}: the picture; open it in a browser", err=True)
            elif not opened:
                browser.open_page(page.as_uri())
        if output is None:  # some browsers may not read the cache folder
            said = "if no picture opens" if opens else "to see the picture"
            click.echo(f"\n{said}: grade film {task_name} {board_name}{typed(student)} -o film.html")
    return POINTS_LOST if failed else FULL_MARKS


def _can_open() -> bool:
    """Return whether a page can be made, and somebody at a terminal can see it."""
    on_terminal = sys.stdout.isatty() and sys.stdin.isatty()
    return on_terminal and browser.is_there() and find_spec("jinja2") is not None


def _other(beside: str | None) -> Task | Shown | None:
    """Return the task whose film is drawn below, or an earlier film."""
    if beside is None:
        return None
    if "." not in beside and "/" not in beside:
        task = registry().find(beside)
        check_task(task)
        return task
    help = "name a task, or a file that `grade film` wrote with -o"
    raw = folders.read_file(Path(beside), help, MOST_FILE_BYTES)
    try:
        return films_in(raw.decode("utf-8"))[0]
    except ValueError as error:
        raise InputError(f"{paths.shown(Path(beside))}: expected the page of a film: {error}", help) from None


def _text(films: list[Shown]) -> str:
    """Return the films in words and numbers."""
    parts = [
        f"{film.name}\n" + "\n".join(f"  {line}" for line in film.words or ["nothing unusual"])
        for film in films
    ]
    titles = dict.fromkeys(title for film in films for title, _ in film.numbers)
    rows = []
    for title in titles:
        numbers = (dict(film.numbers).get(title) for film in films)
        rows.append([title, *("-" if number is None else f"{number:,}" for number in numbers)])
    heads = ["", *(film.name for film in films)]
    table = content.plain_table(rows, heads, ["left", *["right"] * len(films)])
    if len(films) > 1:
        parts.append(compared(films[0], films[1]))
    return "\n\n".join([*parts, table])


def _begin(student: Path, task: Task, board: NamedBoard) -> Told | None:
    """Return what is told of a short recording; if it is cut, open a page of it, and return None."""
    told = tell(student, task, board, FIRST_S, compiled=False)
    if not told.is_cut or told.shown is None:
        return told
    note = f"the first {FIRST_S:g} s of the search; all that is recorded will be here in some seconds"
    browser.open_page(_write([told.shown], note, None, RELOAD_S).as_uri())
    return None


def _write(films: list[Shown], note: str, output: Path | None, reload_s: int = 0) -> Path:
    """Write the page, if to no output, to where the browser finds it; return its file."""
    from grader.film.page import format_page  # which needs jinja2

    page = format_page(films, note, reload_s)
    if output is not None:
        folders.write_whole(output, page)
        return output
    file = paths.cache_root() / "film.html"
    file.parent.mkdir(parents=True, exist_ok=True)
    folders.replace_file(file, page.encode(), file.parent, 0o600)  # it may show a private board
    return file
