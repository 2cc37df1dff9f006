"""The SQLite file of a class store: open it, lock out a second run, bring it to this schema, change it.

Every change is a transaction, so nothing is damaged if the run is killed or the disk is full.
"""

import os
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from grader import paths
from grader.errors import InputError

SCHEMA = 4
TO_2 = (  # what the tables of a store of schema 1 lack
    "ALTER TABLE attempts ADD COLUMN slips TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE sources ADD COLUMN raw TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE sources ADD COLUMN missing INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE graded ADD COLUMN made TEXT NOT NULL DEFAULT ''",
)
NAME = "class.sqlite"

Row = tuple[Any, ...]


class StoreFile(ABC):
    """An open store; use it in a `with` block, from one thread."""

    def __init__(self, folder: Path, create: bool = False) -> None:
        """Open the store in `folder`.

        Args:
            create: whether to create it if it is missing, and to lock out a second run.

        Raises:
            InputError: the store is missing, is not a class store, has a newer schema, or is locked by
                another run.
        """
        self.file = folder / NAME
        self._lock: int | None = None
        if not create and not self.file.is_file():
            raise InputError(
                f"{paths.shown(folder)}: expected a folder that `grade class` made, found no {NAME} in it",
                "give the folder that the last line of `grade class` names",
            )
        try:
            if create:
                if not folder.exists():
                    folder.mkdir(parents=True)
                    folder.chmod(0o700)  # there will be everybody's programs and points, and private boards
                self._lock = _hold(folder / f".{NAME}.lock")
            self._db = sqlite3.connect(self.file, isolation_level=None, timeout=60)
            if create:
                self.file.chmod(0o600)
        except (OSError, sqlite3.Error) as error:
            self._release()
            raise _unusable(self.file, error) from None
        try:
            self._prepare(create)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if isinstance(error, sqlite3.DatabaseError) and _says_damaged(error):  # noticed while reading
            raise _unusable(self.file, error) from None

    def close(self) -> None:
        """Close the store, and unlock it for the next run."""
        self._db.close()
        self._release()

    def _release(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _prepare(self, create: bool) -> None:
        try:
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if version > SCHEMA:
                raise InputError(
                    f"{paths.shown(self.file)}: expected a store of schema {SCHEMA} or less, found {version}",
                    "it was written by a newer grader: install that version; nothing was changed",
                )
            if create:
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute("PRAGMA synchronous = NORMAL")  # a crash of the machine may lose a second
            if version < SCHEMA and (create or version):
                made = resources.files("grader.course").joinpath("store.sql").read_text("utf-8")
                with self.transaction():
                    for statement in (*(TO_2 if version == 1 else ()), *_statements(made)):
                        self._db.execute(statement)
                    if version:
                        self.pack_sources()
                    self._db.execute(f"PRAGMA user_version = {SCHEMA}")
            self._db.execute("PRAGMA foreign_keys = ON")
            if not create:
                self._db.execute("PRAGMA query_only = ON")
        except sqlite3.Error as error:
            raise _unusable(self.file, error) from None

    @abstractmethod
    def pack_sources(self) -> None:
        """Keep the files of a store of schema 3 or less as those of this schema."""

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Make the changes of the block completely or not at all.

        Raises:
            InputError: the store cannot be written, for example because the disk is full; earlier data stay.
        """
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                if self._db.in_transaction:  # SQLite itself rolls back when the disk is full
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise _unusable(self.file, error) from None

    def hold(self, table: str, keys: int, rows: Sequence[Row]) -> None:
        """Make a table hold just these rows, in a transaction, and write only those that differ.

        Args:
            keys: how many columns at its beginning are its key.
        """
        columns = [name for _, name, *_ in self._db.execute(f"PRAGMA table_info({table})")]
        there: dict[Row, Row] = {row[:keys]: row for row in self._db.execute(f"SELECT * FROM {table}")}
        key = " AND ".join(f"{name} = ?" for name in columns[:keys])
        values = ", ".join(f"{name} = ?" for name in columns[keys:])
        gone = there.keys() - {row[:keys] for row in rows}
        new = [row for row in rows if row[:keys] not in there]
        other = [row for row in rows if there.get(row[:keys], row) != row]
        self._db.executemany(f"DELETE FROM {table} WHERE {key}", gone)
        self._db.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", new)
        self._db.executemany(
            f"UPDATE {table} SET {values} WHERE {key}", [row[keys:] + row[:keys] for row in other]
        )


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of an SQL script; `executescript` would end the current transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _hold(file: Path) -> int:
    """Return a descriptor that locks out other runs until it is closed or this process ends."""
    import fcntl

    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        pid = os.read(descriptor, 20).decode("ascii", "replace").strip()
        os.close(descriptor)
        raise InputError(
            f"{paths.shown(file.parent)}: another `grade class` is at work there "
            f"(process {pid or 'unknown'})",
            "wait for it, or choose another folder with -o",
        ) from None
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    return descriptor


def _says_damaged(error: Exception) -> bool:
    """Return whether SQLite found the file to be corrupt or not a database."""
    return "not a database" in str(error) or "malformed" in str(error)


def _unusable(file: Path, error: Exception) -> InputError:
    """Return the error for a store that cannot be read or written."""
    said = error.strerror if isinstance(error, OSError) else str(error)
    if "disk is full" in str(said) or "No space left" in str(said) or "disk I/O error" in str(said):
        help = "free some space there and type the same command again: what was graded is kept"
    elif _says_damaged(error):
        help = "it is not a class store, or is damaged: move it away and grade again"
    else:
        help = "look at the folder's permissions, or choose another with -o"
    return InputError(f"{paths.shown(file)}: cannot be used: {said}", help)
