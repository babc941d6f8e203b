"""States of one task with what is known of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from banditplan.data.extra import numpy, pyarrow
from banditplan.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from banditplan._core import States, Task

NONE = -1


class Encoding:
    """The facts of a task as columns: which of them are true in a state."""

    def __init__(self, task: Task) -> None:
        np = numpy()
        sizes = np.array(task.domain_sizes, dtype=np.int64)
        self._first = np.concatenate([[0], np.cumsum(sizes)[:-1]]) if len(sizes) else sizes
        facts = task.facts
        self._total = len(facts)
        # A value of a variable may stand for none of its atoms, and is no fact then.
        self._named = np.array([number for number, name in enumerate(facts) if name.startswith("(")], dtype=np.int64)
        self.fact_names: tuple[str, ...] = tuple(facts[number] for number in self._named)
        self._ids = np.full(self._total, NONE, dtype=np.int32)
        self._ids[self._named] = np.arange(len(self._named), dtype=np.int32)

    def facts(self, states: States | Any) -> Any:
        """A row of zeros and ones per state, a column per fact; `states` is a batch or an array of values."""
        np = numpy()
        values = getattr(states, "values", states)
        table = np.zeros((len(values), self._total), dtype=np.uint8)
        table[np.arange(len(values))[:, None], self._first + values] = 1
        return table[:, self._named]

    def fact_ids(self, states: States | Any) -> list[Any]:
        """Per state, the ids of the facts that are true: indices into `fact_names`."""
        ids = self._ids[self._first + getattr(states, "values", states)]
        return [row[row >= 0] for row in ids]


@dataclass(frozen=True, eq=False)
class Dataset:
    """States and columns about them, all of the same length.

    `values` has a row per state, a column per variable of the task. The columns have an array each: `h:…` is a
    heuristic value (inf for a dead end), `action` the id of the action that leads to the state, `parent` the row where
    it comes from (-1: none), `cost_to_go` and `steps_to_go` what is left of a plan there, `order` the number of the
    expansion.
    """

    task: Task
    values: Any
    columns: Mapping[str, Any]

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, column: str) -> Any:
        if column not in self.columns:
            raise InputError(f"no column {column!r}; there are {', '.join(self.columns) or 'none'}")
        return self.columns[column]

    @property
    def encoding(self) -> Encoding:
        return Encoding(self.task)

    @property
    def fact_names(self) -> tuple[str, ...]:
        return self.encoding.fact_names

    def facts(self) -> Any:
        """A row of zeros and ones per state, a column per fact."""
        return self.encoding.facts(self.values)

    def distinct(self) -> Dataset:
        """Every state once, where it comes first. Parents are left out: their rows are others."""
        np = numpy()
        _, first = np.unique(self.values, axis=0, return_index=True)
        rows = np.sort(first)
        kept = {name: column[rows] for name, column in self.columns.items() if name != "parent"}
        return Dataset(self.task, self.values[rows], kept)

    def to_arrow(self) -> Any:
        """A table of pyarrow: a row per state, `facts` as lists of ids; names of facts are in the schema's metadata."""
        import json

        pa = pyarrow()
        encoding = self.encoding
        columns = {"facts": pa.array([ids.tolist() for ids in encoding.fact_ids(self.values)], pa.list_(pa.int32()))}
        columns |= {name: pa.array(column) for name, column in self.columns.items()}
        origin = self.task.origin
        about = {
            "fact_names": json.dumps(encoding.fact_names),
            "goal": json.dumps(self.task.goal),
            "domain": origin.domain if origin is not None else "",
            "problem": origin.problem if origin is not None else "",
        }
        return pa.table(columns).replace_schema_metadata(about)

    def __repr__(self) -> str:
        return f"<Dataset: {len(self)} states of {self.task!r}; {', '.join(self.columns)}>"


def concatenated(parts: Sequence[Dataset]) -> Dataset:
    """The rows of several datasets of one task, with the columns that all of them have; parents are moved along."""
    np = numpy()
    if not parts:
        raise InputError("nothing to concatenate")
    first = parts[0]
    if any(not first.task.same_states(part.task.initial_state) for part in parts):
        raise InputError("the datasets are of different tasks; facts have other ids there")
    shared = [name for name in first.columns if all(name in part.columns for part in parts)]
    columns = {name: np.concatenate([part.columns[name] for part in parts]) for name in shared}
    if "parent" in columns:
        begins = np.cumsum([0, *(len(part) for part in parts[:-1])])
        columns["parent"] = np.concatenate(
            [
                np.where(part["parent"] < 0, NONE, part["parent"] + begin)
                for part, begin in zip(parts, begins, strict=True)
            ]
        )
    return Dataset(first.task, np.concatenate([part.values for part in parts]), columns)
