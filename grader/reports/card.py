"""A result as data for the card that every page shows: grader/web/templates/card.html and static/card.js."""

from typing import Any

from grader.reports.content import word
from grader.result import Result


def card(result: Result) -> dict[str, Any]:
    """Return what the card of a result shows; its head is empty if the page has said which board it is."""
    headline, *more = result.message.splitlines() or [""]
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
        "values": result.values,
        "pictures": [each._asdict() for each in result.pictures],
    }
