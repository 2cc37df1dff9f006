"""Which of many like cases a run tries: all with --whole, and otherwise only some of them."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def every(nth: int, names: Iterable[str], quick: Collection[str] = ()) -> list[Any]:
    """Return parameters for `pytest.mark.parametrize`, nearly all of them marked.

    Args:
        nth: only every nth case is tried without --whole.
        names: what the cases are called.
        quick: the cases that are no slow tests; they are always tried.
    """
    return [
        name
        if name in quick
        else pytest.param(name, marks=[pytest.mark.slow, *[pytest.mark.whole] * bool(number % nth)])
        for number, name in enumerate(names)
    ]
