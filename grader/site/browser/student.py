"""A student's program in a browser: answers the judge's questions one after another, in one interpreter.

Outside a browser, each question gets a new process. Here, only the student's files and the framework are
imported anew, which is enough for practice. What a program does to Python itself stays until its worker ends.
"""

import hashlib
import importlib
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from grader.sandbox.child import describe, film, loading, questions, slow, whose
from grader.sandbox.confine.limits import PREPARE_CPU_S

FOLDER = Path("/submissions")
SCRATCH = Path("/scratch")
NOT_FOR_STUDENTS = ("js", "pyodide", "pyodide_js")  # of Pyodide's: the page is not the program's
_children = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "grader"}


class Browser:
    """What JavaScript does for a program: report on it to the page, and interrupt it to see where it is."""

    def __init__(
        self, tell: Callable[[str, str], None], set_timer: Callable[[float], None], clock: Callable[[], float]
    ) -> None:
        """Take the worker's functions.

        Args:
            tell: tells the page that something happened, and what was answered if that is known.
            set_timer: makes SIGPROF interrupt Python every so many seconds; 0: never.
            clock: the seconds in which programs ran.
        """
        self._tell = tell
        slow.time = SimpleNamespace(process_time=clock)  # type: ignore[assignment,attr-defined]  # no module
        signal.setitimer = lambda which, first, interval=0.0: set_timer(first)  # type: ignore[assignment,return-value]
        signal.siginterrupt = lambda number, flag: None
        film._leave = slow._leave = lambda status: self.end("")  # type: ignore[assignment,return-value]  # no return

    def loaded(self) -> None:
        """Tell the page that the files are imported: the check's own time limit counts from now on."""
        self._tell("loaded", "")

    def end(self, how: str) -> None:
        """Tell the page how the program ended; the page then ends this worker."""
        self._tell("end", how)

    def answered(self, frame: dict[str, Any]) -> None:
        """Tell the page what the program answered."""
        self._tell("answer", json.dumps(frame, allow_nan=False))


def answer(question: str, browser: Browser) -> None:
    """Answer a question that `AsksWorker` asked; report the progress and the answer through `browser`."""
    asked = json.loads(question)
    code = _written(asked["code"])
    SCRATCH.mkdir(exist_ok=True)
    os.chdir(SCRATCH)
    sys.modules.update(_children)
    _forget_submissions()
    loading.forget_the_judge()
    sys.modules.update(dict.fromkeys(NOT_FOR_STUDENTS))  # type: ignore[arg-type]
    sys.modules["numpy"] = sys.modules["framework.small_numpy"]  # all of it that there is here
    finder = loading.OnlyWhatIsThere(str(code))
    sys.meta_path.insert(0, finder)
    whose.set_code_folder(str(code))
    path = list(sys.path)
    importing = True

    try:
        with slow.reports_when_slow(PREPARE_CPU_S, browser.answered, importing):
            client, module = loading.load_submission(str(code), asked["module"], asked["debug"])
        browser.loaded()
        importing = False
        with slow.reports_when_slow(asked["cpu_s"] if asked["debug"] else 0, browser.answered):
            found = questions.ask(asked["request"], module, client, browser.answered)
    except BaseException as error:  # whatever it is, it is reported
        if _asked_too_much(error):
            browser.end("MEMORY_LIMIT")
        try:
            found = describe.describe_failure(error, importing)
        except BaseException:  # an error made to be hard to describe
            found = describe.undescribed(error)
    finally:
        sys.path[:] = path
        sys.meta_path.remove(finder)
    sys.stdout.flush()
    browser.answered(found)


def _asked_too_much(error: BaseException) -> bool:
    """Return whether an error means that memory ran out; Python here has at most 4 GiB, and 31-bit sizes."""
    if isinstance(error, MemoryError):
        return not error.args  # the framework's own say what is full
    return isinstance(error, OverflowError) and "index-sized integer" in str(error)


def _written(code: dict[str, str]) -> Path:
    """Write these files to a folder and return it.

    The same files always get the same folder, since Python caches source lines by path.
    """
    folder = FOLDER / hashlib.sha256(json.dumps(code).encode()).hexdigest()[:16]
    if not folder.is_dir():
        folder.mkdir(parents=True)
        for name, text in code.items():
            (folder / name).write_text(text, "utf-8", newline="")
        importlib.invalidate_caches()
    return folder


def _forget_submissions() -> None:
    """Make the next imports load the student's files and the framework anew."""
    sys.modules.pop("numpy", None)
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if name.partition(".")[0] == "framework" or str(file).startswith(f"{FOLDER}/"):
            del sys.modules[name]


def warm() -> None:
    """Import what every submission imports, so that later imports find it compiled."""
    for name in ("framework.board", "framework.stack", "framework.hash_table", "framework.lab_table"):
        importlib.import_module(name)
