"""A `Result` as text for the store, and back, whole."""

import dataclasses
import json
from typing import Any

from grader.result import Result, Verdict


def format_result(result: Result) -> str:
    """Return a record as one line of JSON; what has its default is left out."""
    data = {
        field.name: value
        for field in dataclasses.fields(Result)
        if (value := getattr(result, field.name)) != _default(field)
    }
    return json.dumps(data, separators=(",", ":"))


def parse_result(text: str) -> Result:
    """Return the record in a text that `format_result` made."""
    data: dict[str, Any] = json.loads(text)
    data["verdict"] = Verdict(data["verdict"])
    data["jumps"] = [tuple(jump) for jump in data.get("jumps", [])]
    data["figures"] = tuple((title, value) for title, value in data.get("figures", []))
    return Result(**data)


def _default(field: "dataclasses.Field[Any]") -> Any:
    return [] if field.default_factory is not dataclasses.MISSING else field.default
