"""The facts that hold in a state: a table of rows per predicate, with indices built when first asked for."""

from __future__ import annotations

from banditplan.checks import now_and_then

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from typing import TypeAlias

    from banditplan.checks import Check

    Row: TypeAlias = tuple[str, ...]
    Positions: TypeAlias = tuple[int, ...]
    Index: TypeAlias = dict[Row, set[Row]]


class Facts:
    """The state. A table that is missing belongs to a derived predicate: `derive` makes it on demand."""

    def __init__(self, predicates: Iterable[str], derive: Callable[[Facts, str], None], check: Check) -> None:
        """`check` is called now and then by whoever looks for rows."""
        self._tables: dict[str, set[Row]] = {predicate: set() for predicate in predicates}
        self._indices: dict[str, dict[Positions, Index]] = {}
        self._derive = derive
        self.check = now_and_then(check)

    def table(self, predicate: str) -> set[Row]:
        if predicate not in self._tables:
            self._derive(self, predicate)
        return self._tables[predicate]

    def select(self, predicate: str, positions: Positions, key: Row) -> Collection[Row]:
        """The rows of `predicate` that have the values `key` at `positions`."""
        self.check()
        table = self.table(predicate)
        if not positions:
            return table
        indices = self._indices.setdefault(predicate, {})
        if positions not in indices:
            indices[positions] = _index(table, positions)
        return indices[positions].get(key, ())

    def add(self, predicate: str, row: Row) -> None:
        table = self._tables[predicate]
        if row not in table:
            table.add(row)
            for positions, index in self._indices.get(predicate, {}).items():
                index.setdefault(tuple([row[i] for i in positions]), set()).add(row)

    def remove(self, predicate: str, row: Row) -> None:
        table = self._tables[predicate]
        if row in table:
            table.remove(row)
            for positions, index in self._indices.get(predicate, {}).items():
                index[tuple([row[i] for i in positions])].remove(row)

    def replace(self, predicate: str, rows: Iterable[Row]) -> None:
        """Make `rows` the whole table of `predicate`."""
        self._tables[predicate] = set(rows)
        self._indices.pop(predicate, None)

    def drop(self, predicate: str) -> None:
        """Forget the table of a derived predicate."""
        self._tables.pop(predicate, None)
        self._indices.pop(predicate, None)

    def has_table(self, predicate: str) -> bool:
        return predicate in self._tables


def _index(table: Iterable[Row], positions: Positions) -> Index:
    index: Index = {}
    for row in table:
        index.setdefault(tuple([row[i] for i in positions]), set()).add(row)
    return index
