"""Write a complete `Result` as text for the store, and read it back."""

import json
from typing import Any

from grader.result import Picture, Result, Verdict

_NEEDED = ("task", "board", "verdict", "max_points")  # fields without a default
_BLANK = vars(Result("", "", Verdict.NOT_RUN, 0))


def format_result(result: Result) -> str:
    """Return a record as one line of JSON; fields with their default value are left out."""
    data = {name: value for name, value in vars(result).items() if name in _NEEDED or value != _BLANK[name]}
    return json.dumps(data, separators=(",", ":"))


def parse_result(text: str) -> Result:
    """Return the record in a text written by `format_result`."""
    data: dict[str, Any] = json.loads(text)
    data["verdict"] = Verdict(data["verdict"])
    data["jumps"] = [tuple(jump) for jump in data.get("jumps", [])]
    data["figures"] = tuple((title, value) for title, value in data.get("figures", []))
    data["values"] = tuple((name, value) for name, value in data.get("values", []))
    data["pictures"] = tuple(
        Picture(cells, tuple((mark, row, col) for mark, row, col in marks), caption)
        for cells, marks, caption in data.get("pictures", [])
    )
    return Result(**data)
