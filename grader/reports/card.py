"""A result as data for the card that every page shows: grader/web/templates/card.html and static/card.js."""

from itertools import starmap
from typing import Any

from framework.board import SIZE
from grader.reports.content import word
from grader.result import Picture, Result


def card(result: Result) -> dict[str, Any]:
    """Return what the card of a result shows; its head is empty if the page has said which board it is."""
    headline, *more = result.message.splitlines() or [""]
    boards = {name: cells for name, value in result.values if (cells := _cells_in(value))}
    return {
        "board": result.board,
        "head": result.shown_on,
        "word": word(result),
        "headline": headline,
        "help": result.help,
        "command": result.command,
        "place": result.place,
        "source": result.source,
        "more": more,
        "values": [each for each in result.values if each[0] not in boards],
        "pictures": [each._asdict() for each in (*result.pictures, *starmap(_picture, boards.items()))],
    }


def _cells_in(value: str) -> str:
    """Return the 64 cells of a value that is a board, which is drawn; else empty."""
    cells = "".join(value.split())
    return cells if len(cells) == SIZE * SIZE and {*cells} <= {*".*o"} else ""


def _picture(name: str, cells: str) -> Picture:
    return Picture(cells, caption=f"`{name}`")
