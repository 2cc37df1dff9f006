"""Texts of programs and archives are made safe, in a time that does not depend on their length."""

import re

import pytest

from grader import safe_text
from grader.safe_text import one_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\n  b\tc", "a b c"),
        ("x" * 200, "x" * 200),
        ("x" * 201, "x" * 197 + "..."),
        ("\x1b" * 60, r"\x1b" * 49 + r"\..."[:4]),
        (" " * 900 + "x", "..."),
        ("x" + " " * 900 + "y", "x..."),
    ],
)
def test_one_line(text: str, shown: str) -> None:
    assert one_line(text) == shown[:200]


def test_no_more_is_made_safe_than_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    class Counted:
        def sub(self, *arguments: object) -> str:
            made.append(len(str(arguments[-1])))
            return str(arguments[-1])

    monkeypatch.setattr(safe_text, "_PERHAPS_ODD", Counted())
    assert len(one_line("\x01" * 1_000_000, 80)) == 80
    assert max(made) < 1_000
    assert re.fullmatch("\x01+\\.\\.\\.", one_line("\x01" * 1_000_000, 80))
