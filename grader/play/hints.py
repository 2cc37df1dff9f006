"""Queue the hints that pages request: a queue runs one hint at a time; closing a page ends its hints."""

import secrets
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

MOST_WAITING = 20  # hints in one queue, from all pages together
MOST_PAGES = 200
KEPT = 100  # answers that pages can still fetch
SILENCE_S = 15.0  # time without a heartbeat after which a page is gone; pages send one every five seconds
CANCEL_S = 10.0  # time within which a stopped hint must end
KEPT_S = 30.0  # time for which processes wait for a next hint when no page is left: after a reload


class TooMany(Exception):
    """There are too many hints or pages already."""


class Answerer(ABC):
    """Answers questions, one at a time; `stopped` is set to stop answering the current one."""

    def __init__(self) -> None:
        self.stopped = threading.Event()

    def warm(self) -> None:  # noqa: B027 - most need nothing
        """Start the processes that the first question needs."""

    @abstractmethod
    def answer(self, who: str, about: str) -> dict[str, Any]:
        """Return the answer, once the process that found it has ended or is ready for the next question."""

    def doing(self) -> dict[str, Any]:
        """Return what is being done for the current question; call this from another thread."""
        return {}

    def stop(self) -> None:
        """Stop answering the current question; call this from another thread."""
        self.stopped.set()

    def proceed(self) -> None:
        """Allow questions again after a `stop`."""
        self.stopped.clear()

    def close(self) -> None:  # noqa: B027 - most keep none
        """End every process; call this from the thread that calls `answer`."""


@dataclass
class Hint:
    """One requested hint."""

    page: str
    who: str
    about: str  # the 64 cells of the board, or what else is asked
    # the key by which the page fetches the answer
    id: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    state: str = "queued"  # `queued`, `running`, `done` or `cancelled`
    started: float = 0.0  # the monotonic time when it began to run
    seconds: float = 0.0  # how long it ran, once it has ended
    answer: dict[str, Any] = field(default_factory=dict)  # the answer, once it has ended
    over: threading.Event = field(default_factory=threading.Event)


class Line:
    """A queue of hints for one answerer, which one thread answers one at a time."""

    def __init__(self, answerer: Answerer, our_fault: Callable[[str, Exception], dict[str, Any]]) -> None:
        """Start with an empty queue.

        Args:
            our_fault: returns the answer to give if the answerer itself fails.
        """
        self._answerer = answerer
        self._our_fault = our_fault
        self._waiting: list[Hint] = []
        self._running: Hint | None = None
        self._lock = threading.Lock()
        self._thread = ThreadPoolExecutor(1)

    def add(self, hint: Hint) -> None:
        """Put a hint at the end of the queue; raise TooMany if the queue is full."""
        with self._lock:
            if len(self._waiting) >= MOST_WAITING:
                raise TooMany
            self._waiting.append(hint)
            self._thread.submit(self._answer, hint)

    def ahead(self, hint: Hint) -> int:
        """Return how many hints come before this one."""
        with self._lock:
            if hint not in self._waiting:
                return 0
            return self._waiting.index(hint) + (self._running is not None)

    def cancel(self, hint: Hint) -> None:
        """End a hint; when this returns, its process is gone."""
        with self._lock:
            self._cancel(hint)
        hint.over.wait(CANCEL_S)

    def _cancel(self, hint: Hint) -> None:
        if hint in self._waiting:
            self._waiting.remove(hint)
            hint.state = "cancelled"
            hint.over.set()
        elif hint is self._running:
            hint.state = "cancelled"
            self._answerer.stop()

    def doing(self) -> dict[str, Any]:
        """Return what is being done for the running hint."""
        return self._answerer.doing()

    def warm(self) -> None:
        """Start the processes that the first hint needs, unless a hint is asked already."""
        self._thread.submit(self._if_idle, self._answerer.warm)

    def rest(self) -> None:
        """End the processes kept for the next hint, unless one is asked already."""
        self._thread.submit(self._if_idle, self._answerer.close)

    def close(self) -> None:
        """End all hints of the queue, and its processes."""
        with self._lock:
            for hint in [*self._waiting, *filter(None, [self._running])]:
                self._cancel(hint)
            self._answerer.stop()  # what is being warmed, too
        wait([self._thread.submit(self._answerer.close)], CANCEL_S)
        self._thread.shutdown(wait=False)

    def _if_idle(self, do: Callable[[], None]) -> None:
        if not self._waiting:
            do()  # an error here is the first hint's, too, which says it

    def _answer(self, hint: Hint) -> None:
        with self._lock:
            if hint not in self._waiting:  # cancelled
                return
            self._waiting.remove(hint)
            self._running = hint
            hint.state, hint.started = "running", time.monotonic()
        try:
            answer = self._answerer.answer(hint.who, hint.about)
        except Exception as error:  # whatever it is, the next hint must get its turn
            answer = {} if hint.state == "cancelled" else self._our_fault(hint.who, error)
        with self._lock:
            hint.seconds = time.monotonic() - hint.started
            if hint.state == "running":
                hint.answer, hint.state = answer, "done"
            self._running = None
            self._answerer.proceed()
            hint.over.set()


class Hints:
    """All hints of the server, and the pages they belong to."""

    def __init__(self, lines: dict[str, Line]) -> None:
        """Start watching the pages.

        Args:
            lines: the queue of each helper, by name; several helpers may share one.
        """
        self._lines = lines
        self._hints: dict[str, Hint] = {}
        self._pages: dict[str, float] = {}
        self._left: float | None = None  # when the last page was closed
        self._lock = threading.Lock()
        self._closed = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def ask(self, page: str, who: str, about: str) -> Hint:
        """Return a new hint, put at the end of its queue; raise TooMany if too many hints are waiting."""
        hint = Hint(page, who, about)
        with self._lock:  # held throughout, so that a page that closes now also ends this hint
            self._note(page)
            self._lines[who].add(hint)
            self._hints[hint.id] = hint
            over = [each for each in self._hints.values() if each.over.is_set()]
            for each in over[: max(0, len(over) - KEPT)]:
                del self._hints[each.id]
        return hint

    def find(self, id: str) -> Hint | None:
        """Return the hint with this id; asking for it counts as its page's heartbeat."""
        with self._lock:
            hint = self._hints.get(id)
            if hint is not None and hint.page in self._pages:
                self._pages[hint.page] = time.monotonic()
            return hint

    def as_plain_data(self, hint: Hint) -> dict[str, Any]:
        """Return a hint as plain data, for its page."""
        running = hint.state == "running"
        seconds = time.monotonic() - hint.started if running else hint.seconds
        data = {"id": hint.id, "who": hint.who, "state": hint.state, "seconds": round(seconds, 2)}
        line = self._lines[hint.who]
        return {**data, "ahead": line.ahead(hint), **(line.doing() if running else {}), **hint.answer}

    def cancel(self, hint: Hint) -> None:
        """End a hint; when this returns, its process is gone."""
        self._lines[hint.who].cancel(hint)

    def here(self, page: str) -> None:
        """Note that a page is open; if it has just been opened, start what its first hint needs.

        Raises:
            TooMany: too many pages are open.
        """
        with self._lock:
            is_new = page not in self._pages
            self._note(page)
        if is_new:
            for line in set(self._lines.values()):
                line.warm()

    def _note(self, page: str) -> None:
        if page not in self._pages and len(self._pages) >= MOST_PAGES:
            raise TooMany
        self._pages[page] = time.monotonic()
        self._left = None

    def bye(self, page: str) -> None:
        """End a closed page's hints; if no page comes soon, the processes kept for the next hint end, too."""
        with self._lock:
            if self._pages.pop(page, None) is None:
                return
            ours = [hint for hint in self._hints.values() if hint.page == page and not hint.over.is_set()]
            if not self._pages:
                self._left = time.monotonic()
        for hint in ours:
            self.cancel(hint)

    def close(self) -> None:
        """End all hints and all queues, and stop watching the pages."""
        self._closed.set()
        for line in set(self._lines.values()):
            line.close()

    def _watch(self) -> None:
        while not self._closed.wait(1.0):
            silent_since = time.monotonic() - SILENCE_S
            with self._lock:
                gone = [page for page, last in self._pages.items() if last < silent_since]
                is_over = self._left is not None and self._left < time.monotonic() - KEPT_S
                self._left = None if is_over else self._left
            for page in gone:
                self.bye(page)
            if is_over:
                for line in set(self._lines.values()):
                    line.rest()
