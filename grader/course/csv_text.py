"""Write CSV that spreadsheets and platforms read alike, and of which no text is taken for a formula.

It has RFC 4180's commas, quotes and line ends. A text that a spreadsheet would read as a formula gets an
apostrophe in front, as OWASP advises (https://owasp.org/www-community/attacks/CSV_Injection).
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from grader.course.rules.decimals import plain
from grader.safe_text import few_lines, one_line

MOST_TEXT = 5_000  # characters of one text; a cell in Excel holds 32,767
MOST_LINES = 1_000
# At the start of a cell, and after a semicolon: a spreadsheet may split lines at semicolons instead of
# commas, and then takes the quotes for its own. A dash alone is no formula.
_FORMULA = re.compile(
    r"((?:^|;)[ \"]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])(?!-$)", re.MULTILINE
)  # a dash alone is none

Cell = str | int | Decimal


def as_csv(rows: Iterable[Sequence[Cell]], lines: bool = False) -> str:
    """Return rows as CSV.

    Args:
        rows: the rows; each text becomes one line of at most MOST_TEXT characters.
        lines: whether the texts keep their lines instead.
    """
    text = io.StringIO()
    csv.writer(text).writerows([_cell(cell, lines) for cell in row] for row in rows)
    return text.getvalue()


def _cell(cell: Cell, lines: bool) -> str:
    if isinstance(cell, Decimal):
        return plain(cell)
    if isinstance(cell, int):
        return str(cell)
    text = few_lines(cell, MOST_LINES, MOST_TEXT) if lines else one_line(cell, MOST_TEXT)
    return _FORMULA.sub(r"\1'", text)
