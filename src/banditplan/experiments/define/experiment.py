"""What an experiment is: a suite × algorithms × columns × seeds, within limits. Plain data, as the ledger keeps it."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from banditplan.components import FAMILIES, components, draws
from banditplan.components.spec import parse_search
from banditplan.errors import InputError

if TYPE_CHECKING:
    from banditplan.split.split import Mode

_AND = " and "  # between the suites of a ledger

# The options that the columns of the paper's Table 1 stand for.
COLUMNS = {
    "ff": "heuristic=ff",
    "hadd": "heuristic=hadd",
    "hmax": "heuristic=hmax",
    "gc": "heuristic=goalcount",
    "ff+po": "heuristic=ff, preferred=True",
    "ff+de": "heuristic=ff, deferred=True",
    "ff+de+po": "heuristic=ff, deferred=True, preferred=True",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """`algorithms` are the rows of its table: name → text of a search; `columns`: name → options added to that text.

    Limits are per run; None is no limit. `time_limit` is in seconds of the wall clock and covers parsing, grounding
    and search; `memory_limit_kb` is of resident memory.
    """

    name: str
    summary: str
    suite: str
    algorithms: Mapping[str, str]
    columns: Mapping[str, str]
    seeds: tuple[int, ...]
    max_evaluations: int | None
    max_expansions: int | None
    time_limit: float | None
    memory_limit_kb: int | None
    prune_mutex: bool
    split: Mode = "auto"
    code: str = ""  # of the Python file that the searches take functions from

    def search(self, algorithm: str, column: str) -> str:
        """The text of the search in a cell of the table."""
        return with_options(self.algorithms[algorithm], self.columns[column])

    def seeds_of(self, algorithm: str) -> tuple[int, ...]:
        """All seeds, or 0 alone for an algorithm without randomness."""
        return (0,) if is_deterministic(self.algorithms[algorithm]) else self.seeds

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON; `from_data` reads it."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Experiment:
        return cls(**{**data, "seeds": tuple(data["seeds"])})


@cache
def is_deterministic(search: str) -> bool:
    """Whether one seed says all about the search, by its text or its whole text; functions in Python draw nothing."""
    named = re.sub(r"python\([^()]*\)", "python(function)", search)  # some have names that no text can use
    try:
        return not draws(parse_search(named, _Anything()))
    except InputError:
        return False  # a text of another version, say


class _Anything(dict[str, object]):
    """Stands for the functions in a text whose Python file is not at hand."""

    def __contains__(self, name: object) -> bool:
        return not any(name in components(family) for _, family in FAMILIES)

    def __getitem__(self, name: str) -> object:
        return self

    def __getattr__(self, name: str) -> object:
        return self

    def __call__(self, _: object) -> list[float]:
        return []


def with_options(search: str, options: str) -> str:
    """`guct(c=0.5)` and `heuristic=ff` → `guct(c=0.5, heuristic=ff)`."""
    search = search.strip()
    if not options:
        return search
    if not search.endswith(")"):
        return f"{search}({options})"
    inside = search[:-1].rstrip()
    return f"{inside}{'' if inside.endswith('(') else ', '}{options})"


def restricted(
    experiment: Experiment,
    *,
    suite: str | None = None,
    algorithms: list[str] | None = None,
    columns: list[str] | None = None,
    seeds: tuple[int, ...] | None = None,
) -> Experiment:
    """A part of the experiment, in the order that was asked for."""
    return replace(
        experiment,
        suite=experiment.suite if suite is None else suite,
        algorithms=_chosen(experiment.algorithms, algorithms, f"experiment {experiment.name}: algorithm"),
        columns=_chosen(experiment.columns, columns, f"experiment {experiment.name}: column"),
        seeds=experiment.seeds if seeds is None else seeds,
    )


def changes(old: Experiment, new: Experiment) -> list[str]:
    """What a definition says otherwise than before, in words; what would make runs incomparable is left to `united`.
    A ledger has the seeds of all its commands: these say nothing about its definition."""
    said = []
    if new.suite not in old.suite.split(_AND):
        said.append(f"suite {new.suite}, before {old.suite}")
    for what in ("algorithms", "columns"):
        before, after = getattr(old, what), getattr(new, what)
        added = [name for name in after if name not in before]
        gone = [name for name in before if name not in after and "@" not in name]
        said += [f"more {what}: {', '.join(added)}"] if added else []
        said += [f"no longer among the {what}: {', '.join(gone)}"] if gone else []
    return said


def united(old: Experiment, new: Experiment) -> Experiment:
    """The definition of a ledger that holds runs of both; raises InputError if these could not be compared."""
    for field in ("max_evaluations", "max_expansions", "time_limit", "memory_limit_kb", "prune_mutex", "split"):
        before, after = getattr(old, field), getattr(new, field)
        if before != after:
            raise InputError(f"its runs have {field} = {before}, not {after}")
    for what, before, after in (
        ("algorithm", old.algorithms, new.algorithms),
        ("column", old.columns, new.columns),
    ):
        for name in before.keys() & after.keys():
            if before[name] != after[name]:
                raise InputError(f'its {what} "{name}" stands for {before[name]!r}, not {after[name]!r}')
    for name in _changed(old.code, new.code):
        raise InputError(f"its runs were made with another {name}, which the Python file defines")
    return replace(
        new,
        suite=old.suite if new.suite in old.suite.split(_AND) else f"{old.suite}{_AND}{new.suite}",
        algorithms={**old.algorithms, **new.algorithms},
        columns={**old.columns, **new.columns},
        seeds=tuple(sorted({*old.seeds, *new.seeds})),
    )


def _changed(old: str, new: str) -> list[str]:
    """What two Python files define by the same name, but not in the same way; comments and layout do not matter."""
    before, after = _definitions(old), _definitions(new)
    return [name for name in before if name in after and before[name] != after[name]]


def _definitions(code: str) -> dict[str, str]:
    """What a Python file defines, apart from the experiment itself."""
    found: dict[str, str] = {}
    for statement in ast.parse(code).body:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found[name] = ast.dump(statement)
            case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name)) if name != "experiment":
                found[name] = ast.dump(statement)
    return found


def _chosen(known: Mapping[str, str], names: list[str] | None, what: str) -> Mapping[str, str]:
    if names is None:
        return known
    for name in names:
        if name not in known:
            from banditplan.pddl.faults import similar

            raise InputError(f'{what} "{name}" is unknown{similar(name, known) or "; there are " + ", ".join(known)}')
    return {name: known[name] for name in names}
