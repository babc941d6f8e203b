"""The ledger of an experiment: one SQLite file in the experiment's folder, one row per run, written by one process.

Every run is on the disk before the next is counted, so that the end of the writing process, however sudden, costs
nothing that was added. Others may read meanwhile.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable
from dataclasses import fields
from datetime import datetime, timezone
from pathlib import Path
from types import TracebackType
from typing import Any

from banditplan.errors import InputError
from banditplan.experiments.define.experiment import Experiment, united
from banditplan.experiments.lock import Lock
from banditplan.experiments.machine import Machine, machine, versions
from banditplan.experiments.runs import Key, Run

FILE = "ledger.sqlite"
_FORMAT = "1"
_KEY = tuple(field.name for field in fields(Key))
_REST = tuple(field.name for field in fields(Run))[1:]


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


_NAMES = _quoted((*_KEY, *_REST))
_TYPES = {
    "int": "INTEGER",
    "int | None": "INTEGER",
    "bool": "INTEGER",
    "bool | None": "INTEGER",
    "float | None": "REAL",
}
_BOOLEANS = tuple(
    number for number, field in enumerate(fields(Run), len(_KEY) - 1) if str(field.type).startswith("bool")
)


class LedgerError(InputError):
    """The ledger cannot be read or written."""


class Ledger:
    """`Ledger.open(folder)` reads; `Ledger.write(folder, experiment)` begins a ledger or goes on with it."""

    def __init__(self, folder: Path, connection: sqlite3.Connection, lock: Lock | None) -> None:
        self.folder = folder
        self._connection = connection
        self._lock = lock
        about = dict(connection.execute("SELECT name, value FROM about"))
        if about["format"] != _FORMAT:
            raise ValueError(f"its format is {about['format']}, not {_FORMAT}")
        self.experiment = Experiment.from_data(json.loads(about["experiment"]))
        self.previous = self.experiment  # before this process went on with it
        self.versions: dict[str, str] = json.loads(about["versions"])  # of the libraries, when the ledger was begun
        self.machine: Machine = json.loads(about["machine"])
        self.created: str = about["created"]

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> Ledger:
        """Read a ledger, which may be growing."""
        path = Path(folder)
        file = path / FILE
        if not file.is_file():
            raise LedgerError(f"{path}: no experiment there (no file {FILE}); begin one with banditplan experiment run")
        how = "mode=ro" if os.access(path, os.W_OK) else "immutable=1"  # where SQLite cannot keep its notes
        try:
            connection = sqlite3.connect(f"{file.absolute().as_uri()}?{how}", uri=True)
        except sqlite3.Error as error:
            raise _broken(file, error) from None
        try:
            return cls(path, connection, None)
        except (sqlite3.Error, KeyError, ValueError, TypeError) as error:
            connection.close()
            raise _broken(file, error) from None

    @classmethod
    def write(cls, folder: str | os.PathLike[str], experiment: Experiment) -> Ledger:
        """Begin a ledger in the folder, or go on with the one that is there; one process at a time can."""
        path = Path(folder)
        file = path / FILE
        try:
            path.mkdir(parents=True, exist_ok=True)
            lock = Lock(path)
        except OSError as error:
            raise LedgerError(f"{path}: cannot keep a ledger there: {error.strerror}; choose another --out") from None
        connection: sqlite3.Connection | None = None
        try:
            connection = sqlite3.connect(file, isolation_level=None)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            _create(connection, experiment)
            ledger = cls(path, connection, lock)
            ledger._extend(experiment)
            return ledger
        except Exception as error:
            if connection is not None:
                connection.close()
            lock.release()
            if isinstance(error, InputError) or not isinstance(error, (sqlite3.Error, KeyError, ValueError, TypeError)):
                raise
            raise _broken(file, error) from None

    def add(self, runs: Run | Iterable[Run]) -> int:
        """Keep the runs, all or none; returns how many were new. When this returns they are on the disk."""
        rows = [_row(run) for run in ([runs] if isinstance(runs, Run) else runs)]
        places = ", ".join("?" * (len(_KEY) + len(_REST)))
        before = self._connection.total_changes
        try:
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.executemany(f"INSERT OR IGNORE INTO run ({_NAMES}) VALUES ({places})", rows)
        except sqlite3.Error as error:
            raise LedgerError(
                f"{self.folder / FILE}: cannot be written: {error}; nothing is lost but the runs under way: "
                "when there is space again, the same command goes on"
            ) from None
        return self._connection.total_changes - before

    def runs(self) -> list[Run]:
        """All runs, in the order in which they were added."""
        split = len(_KEY)
        runs = []
        for values in self._rows(f"SELECT {_NAMES} FROM run ORDER BY rowid"):
            row = list(values)
            for number in _BOOLEANS:
                if row[number] is not None:
                    row[number] = bool(row[number])
            runs.append(Run(Key(*row[:split]), *row[split:]))
        return runs

    def keys(self) -> set[Key]:
        """What has been run."""
        return {Key(*row) for row in self._rows(f"SELECT {_quoted(_KEY)} FROM run")}

    def failed(self) -> set[Key]:
        """The runs that ended in a way that nothing explains, as `Run.failed` says."""
        query = f"SELECT {_quoted(_KEY)} FROM run WHERE exit IN ('signal', 'error') OR status IN ('error', 'crash')"
        return {Key(*row) for row in self._rows(f"{query} OR valid = 0")}

    def remove(self, keys: Iterable[Key]) -> int:
        """Forget runs, so that they are made again; returns how many there were."""
        rows = [tuple(getattr(key, name) for name in _KEY) for key in keys]
        where = " AND ".join(f'"{name}" = ?' for name in _KEY)
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(f"DELETE FROM run WHERE {where}", rows)
        return len(rows)

    def tally(self) -> dict[tuple[str, str], tuple[int, int]]:
        """Per algorithm and column, how many runs there are and how many of them are solved."""
        solved = "SUM(status IN ('solved', 'unsolvable'))"
        query = f'SELECT algorithm, "column", COUNT(*), {solved} FROM run GROUP BY algorithm, "column"'
        return {(algorithm, column): (runs, solved) for algorithm, column, runs, solved in self._rows(query)}

    def close(self) -> None:
        self._connection.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    def _rows(self, query: str) -> sqlite3.Cursor:
        try:
            return self._connection.execute(query)
        except sqlite3.Error as error:
            raise _broken(self.folder / FILE, error) from None

    def _extend(self, experiment: Experiment) -> None:
        """Let the definition speak of both what is there and what is to come."""
        try:
            together = united(self.experiment, experiment)
        except InputError as error:
            raise LedgerError(f"{self.folder}: holds another experiment: {error}; choose another --out") from None
        if together != self.experiment:
            self._connection.execute(
                "UPDATE about SET value = ? WHERE name = 'experiment'", (json.dumps(together.to_data()),)
            )
            self.experiment = together


def _create(connection: sqlite3.Connection, experiment: Experiment) -> None:
    """Make the tables unless they are there; all at once, so that no half of a ledger is ever seen."""
    about = {
        "format": _FORMAT,
        "experiment": json.dumps(experiment.to_data()),
        "versions": json.dumps(versions()),
        "machine": json.dumps(machine()),
        "created": datetime.now(timezone.utc).isoformat(timespec="seconds"),
    }
    columns = [f'"{field.name}" {_TYPES.get(str(field.type), "TEXT")}' for field in (*fields(Key), *fields(Run)[1:])]
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
        connection.execute(f"CREATE TABLE IF NOT EXISTS run ({', '.join(columns)}, PRIMARY KEY ({_quoted(_KEY)}))")
        connection.executemany("INSERT OR IGNORE INTO about VALUES (?, ?)", about.items())


def _row(run: Run) -> tuple[Any, ...]:
    return (*(getattr(run.key, name) for name in _KEY), *(getattr(run, name) for name in _REST))


def _broken(file: Path, error: Exception) -> LedgerError:
    return LedgerError(f"{file}: not a ledger of this version of banditplan: {error}")
