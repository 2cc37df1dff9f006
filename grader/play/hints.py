"""Queue the hints that pages request: a queue runs one hint at a time; closing a page ends its hints."""

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

MOST_WAITING = 20  # hints in one queue, from all pages together
MOST_PAGES = 200
KEPT = 100  # answers that pages can still fetch
SILENCE_S = 15.0  # time without a heartbeat after which a page is gone; pages send one every five seconds
CANCEL_S = 10.0  # time within which a stopped hint must end


class TooMany(Exception):
    """There are too many hints or pages already."""


class Answerer(Protocol):
    """Answers questions, one at a time."""

    def answer(self, who: str, cells: str) -> dict[str, Any]:
        """Return the answer; by then the process that found it has ended or waits for the next question."""

    def stop(self) -> None:
        """Stop answering the current question; call this from another thread."""

    def proceed(self) -> None:
        """Allow questions again after a `stop`."""

    def close(self) -> None:
        """End every process."""


@dataclass
class Hint:
    """One requested hint.

    Attributes:
        page: the page that asked.
        who: the helper that is asked.
        cells: the board.
        id: the key by which the page fetches the answer.
        state: `queued`, `running`, `done` or `cancelled`.
        started: the monotonic time when it began to run.
        seconds: how long it ran, once it has ended.
        answer: the answer, once it has ended.
        over: an event that is set once the hint has ended.
    """

    page: str
    who: str
    cells: str
    id: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    state: str = "queued"
    started: float = 0.0
    seconds: float = 0.0
    answer: dict[str, Any] = field(default_factory=dict)
    over: threading.Event = field(default_factory=threading.Event)


class Line:
    """A queue of hints for one answerer, and the thread that has them answered one at a time."""

    def __init__(self, answerer: Answerer, our_fault: Callable[[str, Exception], dict[str, Any]]) -> None:
        """Start the thread.

        Args:
            answerer: answers the hints.
            our_fault: returns the answer to give if the answerer itself fails.
        """
        self._answerer = answerer
        self._our_fault = our_fault
        self._waiting: deque[Hint] = deque()
        self._running: Hint | None = None
        self._changed = threading.Condition()
        self._rest = self._end = False
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def add(self, hint: Hint) -> None:
        """Put a hint at the end of the queue.

        Raises:
            TooMany: the queue is full.
        """
        with self._changed:
            if len(self._waiting) >= MOST_WAITING:
                raise TooMany
            self._waiting.append(hint)
            self._changed.notify()

    def ahead(self, hint: Hint) -> int:
        """Return how many hints come before this one."""
        with self._changed:
            if hint not in self._waiting:
                return 0
            return self._waiting.index(hint) + (self._running is not None)

    def cancel(self, hint: Hint) -> None:
        """End a hint; when this returns, its process is gone."""
        with self._changed:
            if hint in self._waiting:
                self._waiting.remove(hint)
                hint.state = "cancelled"
                hint.over.set()
            elif hint is self._running:
                hint.state = "cancelled"
                self._answerer.stop()
        hint.over.wait(CANCEL_S)

    def rest(self) -> None:
        """End the processes kept for the next hint, unless a hint is waiting or running."""
        with self._changed:
            self._rest = True
            self._changed.notify()

    def close(self) -> None:
        """End all hints of the queue, and its thread."""
        with self._changed:
            self._end = True
            for hint in self._waiting:
                hint.state = "cancelled"
                hint.over.set()
            self._waiting.clear()
            if self._running is not None:
                self._running.state = "cancelled"
                self._answerer.stop()
            self._changed.notify()
        self._thread.join(CANCEL_S)

    def _work(self) -> None:
        while self._next():
            hint = self._running
            assert hint is not None
            try:
                answer = self._answerer.answer(hint.who, hint.cells)
            except Exception as error:  # whatever it is, the next hint must get its turn
                answer = {} if hint.state == "cancelled" else self._our_fault(hint.who, error)
            with self._changed:
                hint.seconds = time.monotonic() - hint.started
                if hint.state == "running":
                    hint.answer, hint.state = answer, "done"
                self._running = None
                self._answerer.proceed()
                hint.over.set()
        self._answerer.close()

    def _next(self) -> bool:
        """Wait for the next hint and make it `_running`; return False when the queue is closed."""
        with self._changed:
            while not self._end and not self._waiting:
                if self._rest:
                    self._answerer.close()
                    self._rest = False
                self._changed.wait()
            if self._end:
                return False
            self._rest = False
            self._running = self._waiting.popleft()
            self._running.state, self._running.started = "running", time.monotonic()
            return True


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
        self._lock = threading.Lock()
        self._closed = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def ask(self, page: str, who: str, cells: str) -> Hint:
        """Return a new hint, put at the end of its queue.

        Raises:
            TooMany: too many hints are waiting.
        """
        hint = Hint(page, who, cells)
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
        return {**data, "ahead": self._lines[hint.who].ahead(hint), **hint.answer}

    def cancel(self, hint: Hint) -> None:
        """End a hint; when this returns, its process is gone."""
        self._lines[hint.who].cancel(hint)

    def here(self, page: str) -> None:
        """Note that a page is open.

        Raises:
            TooMany: too many pages are open.
        """
        with self._lock:
            self._note(page)

    def _note(self, page: str) -> None:
        if page not in self._pages and len(self._pages) >= MOST_PAGES:
            raise TooMany
        self._pages[page] = time.monotonic()

    def bye(self, page: str) -> None:
        """End a closed page's hints; if no page is left, also end the processes kept for the next hint."""
        with self._lock:
            if self._pages.pop(page, None) is None:
                return
            ours = [hint for hint in self._hints.values() if hint.page == page and not hint.over.is_set()]
            last = not self._pages
        for hint in ours:
            self.cancel(hint)
        if last:
            for line in set(self._lines.values()):
                line.rest()

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
            for page in gone:
                self.bye(page)
