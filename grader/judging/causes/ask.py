"""Ask fresh child processes questions about a program until the time for such questions is used up."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

from grader.judging.check_run import answer_of
from grader.sandbox.outcome import End, Outcome

T = TypeVar("T")
Request = dict[str, Any]

CPU_S, WALL_S = 2.0, 10.0  # for all questions about a task; the last one may overrun WALL_S by its own limit


class Ask:
    """Asks children about a program until time is up; `at_limit` tells that the last one was out of it."""

    def __init__(self, run: Callable[[Request, float], Outcome]) -> None:
        """Start the clock; `run` asks a child a question, with a limit in CPU seconds."""
        self._run = run
        self.at_limit = False
        self._cpu_s = CPU_S
        self._end = time.monotonic() + WALL_S

    def __call__(self, request: Request, parse: Callable[[Request], T]) -> T | None:
        """Return the answer to a question; None if it was not answered or no time is left."""
        self.at_limit = False
        if self._cpu_s <= 0 or time.monotonic() > self._end:
            return None
        outcome = self._run(request, self._cpu_s)
        self._cpu_s -= outcome.cpu_s
        self.at_limit = outcome.end == End.CPU_LIMIT
        return answer_of(outcome, parse)
