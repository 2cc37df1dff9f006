"""Get hints from the exact engine, which runs in a separate process that can be killed."""

import json
import subprocess
import sys
import threading
from typing import Any

from grader.messages.phrases import count
from grader.play.hints import Answerer

ORACLE = "oracle"
FEWEST = "fewest-moves"  # who is asked for a solution with the fewest moves
RULE = "rule"  # who is asked for the greedy game of docs/rule.md
RANDOM = "random"  # who is asked for a random board
OTHER_BOARD = "choose another number of pegs, or another kind"
ASK_ON = "ask one of your programs, or play on: with fewer pegs there is less to look at"
QUESTIONS = {FEWEST: "moves", RANDOM: "random", RULE: "rule"}  # any other helper's: which jumps can still win


class Oracle(Answerer):
    """Asks the engine, one question at a time; the engine's process is kept for the next question."""

    def __init__(self) -> None:
        super().__init__()
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()

    def warm(self) -> None:
        """Start the process."""
        self._start()

    def answer(self, who: str, about: str) -> dict[str, Any]:
        """Return what the engine knows about a board, and says of it; empty after `stop`.

        Raises:
            ChildProcessError: the engine's process ended.
        """
        question = QUESTIONS.get(who, "jumps")
        found = self._ask(question, about)
        if "message" in found:
            return {
                "said": "the engine does not know",
                "help": OTHER_BOARD if question == "random" else ASK_ON,
                **found,
            }
        if not found or question == "random":
            return found
        if question == "moves":
            return {"said": _said_of_moves(found), **found}
        if question == "rule":
            return {"said": f"the rule leaves {count(found['pegs'], 'peg')}", **found}
        winning = [each["jump"] for each in found["jumps"] if each["wins"]]
        return {"said": _said(found, len(winning)), "jump": winning[0] if winning else None, **found}

    def _ask(self, question: str, about: str) -> dict[str, Any]:
        """Return the answer to one of the questions in `grader.play.pipe`; empty after `stop`."""
        process = self._start()
        if process is None:
            return {}
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(f"{question} {about}\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = ""
        if not line:
            self.close()
            raise ChildProcessError(f"the oracle's process ended with status {process.returncode}")
        found: dict[str, Any] = json.loads(line)
        return found

    def _start(self) -> subprocess.Popen[str] | None:
        """Return the process, starting it if needed; None if `stop` was called in the meantime."""
        with self._lock:
            if self.stopped.is_set():
                return None
            if self._process is None:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", "grader.play.pipe"],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                )  # fmt: skip
            return self._process

    def stop(self) -> None:
        """End the process; an `answer` running in another thread then raises immediately."""
        with self._lock:
            super().stop()
            if self._process is not None:
                self._process.kill()

    def close(self) -> None:
        """End the engine's process."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()


def _said(found: dict[str, Any], winning: int) -> str:
    if not found["jumps"]:
        return "one peg is left: it is solved" if found["solvable"] else "no jump is left"
    if not found["solvable"]:
        left = [each["fewest"] for each in found["jumps"] if each["fewest"] is not None]
        at_best = f"; at best {count(min(left), 'peg')} are left" if left else ""
        return f"it can no longer be won from here{at_best}"
    return f"{winning} of {count(len(found['jumps']), 'jump')} can still win"


def _said_of_moves(found: dict[str, Any]) -> str:
    if found["moves"] is None:
        return "it cannot be won from here"
    return f"from here, {count(found['moves'], 'move')} at least"
