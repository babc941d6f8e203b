"""File → experiment. TOML says all; a Python file says the same in a dictionary `experiment`, and the searches in it
may use the functions that the file defines.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from banditplan.components import python_file
from banditplan.components.python_file import PythonFile, read_python_file
from banditplan.components.spec import parse_search
from banditplan.errors import InputError
from banditplan.experiments.define.experiment import COLUMNS, Experiment
from banditplan.files import read_source
from banditplan.limits import read_memory, read_seconds
from banditplan.pddl.faults import similar
from banditplan.split.split import MODES

if TYPE_CHECKING:
    from banditplan.split.split import Mode

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

T = TypeVar("T")

KEYS = (
    "summary",
    "suite",
    "algorithms",
    "columns",
    "seeds",
    "max_evaluations",
    "max_expansions",
    "time_limit",
    "memory_limit",
    "prune_mutex",
    "split",
)


@dataclass(frozen=True, slots=True)
class Definition:
    """`code` are the Python files that its searches take functions from, `names` what these define."""

    experiment: Experiment
    code: tuple[PythonFile, ...] = ()
    names: Mapping[str, object] = field(default_factory=dict)


def ready_made() -> tuple[str, ...]:
    """The names of the experiments that come with the package."""
    names = (entry.name for entry in resources.files("banditplan.experiments.define").joinpath("ready").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def load_definition(name_or_file: str, imports: Sequence[str] = ()) -> Definition:
    """A ready-made experiment by its name, or one from a file, and Python files beside it; raises InputError."""
    definition = _defined(name_or_file)
    if not imports:
        return definition
    code = (*definition.code, *map(read_python_file, imports))
    texts = "\n".join(file.text for file in code)
    return Definition(replace(definition.experiment, code=texts), code, python_file.names(code))


def _defined(name_or_file: str) -> Definition:
    if name_or_file in ready_made():
        ready = resources.files("banditplan.experiments.define").joinpath("ready", f"{name_or_file}.toml")
        return Definition(_experiment(name_or_file, _toml(ready.read_text("utf-8"), name_or_file), name_or_file))
    name, extension = os.path.splitext(os.path.basename(name_or_file))
    if extension not in (".toml", ".py"):
        known = ready_made()
        remedy = similar(name_or_file, known) or "; there are " + ", ".join(known)
        raise InputError(f'unknown experiment "{name_or_file}"{remedy}; or name a file that ends in .toml or .py')
    if extension == ".toml":
        return Definition(_experiment(name, _toml(read_source(name_or_file).text, name_or_file), name_or_file))
    code = read_python_file(name_or_file, bare=True)
    names = python_file.names([code])
    data = names.get("experiment")
    if not isinstance(data, dict):
        raise InputError(f"{name_or_file}: defines no dictionary named experiment; see the page on experiments")
    return Definition(replace(_experiment(name, data, name_or_file), code=code.text), (code,), names)


def check_searches(definition: Definition) -> None:
    """Raise InputError for a search that cannot be read, before anything is run."""
    experiment = definition.experiment
    for algorithm in experiment.algorithms:
        for column in experiment.columns:
            try:
                parse_search(experiment.search(algorithm, column), definition.names)
            except InputError as error:
                raise InputError(
                    f'experiment {experiment.name}, algorithm "{algorithm}", column "{column}": {error}; '
                    "to run the others, choose with --algorithms and --columns"
                ) from None


def _toml(text: str, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{file}: {error}") from None


def _experiment(name: str, data: Mapping[str, Any], file: str) -> Experiment:
    for key in data:
        if key not in KEYS:
            raise InputError(
                f'{file}: unknown key "{key}"{similar(str(key), KEYS) or "; there are " + ", ".join(KEYS)}'
            )
    reader = _Reader(data, file)
    return Experiment(
        name=name,
        summary=reader.text("summary", ""),
        suite=reader.text("suite", None),
        algorithms=reader.named("algorithms", {}, None),
        columns=reader.named("columns", COLUMNS, ["ff"]),
        seeds=reader.seeds(),
        max_evaluations=reader.natural("max_evaluations"),
        max_expansions=reader.natural("max_expansions"),
        time_limit=reader.seconds("time_limit"),
        memory_limit_kb=reader.memory("memory_limit"),
        prune_mutex=reader.switch("prune_mutex", True),
        split=reader.mode("split"),
    )


class _Reader:
    """Takes values out of a definition, and complains about those that will not do."""

    def __init__(self, data: Mapping[str, Any], file: str) -> None:
        self._data = data
        self._file = file

    def text(self, key: str, default: str | None) -> str:
        value = self._data.get(key, default)
        if not isinstance(value, str):
            self._wrong(key, "a text")
        return value

    def switch(self, key: str, default: bool) -> bool:
        value = self._data.get(key, default)
        if not isinstance(value, bool):
            self._wrong(key, "true or false")
        return value

    def mode(self, key: str) -> Mode:
        value: Mode = self._data.get(key, "auto")
        if value not in MODES:
            self._wrong(key, f"one of {', '.join(MODES)}")
        return value

    def natural(self, key: str) -> int | None:
        value = self._data.get(key)
        if value is not None and not (_is_natural(value) and value >= 1):
            self._wrong(key, "a whole number from 1")
        return value

    def seconds(self, key: str) -> float | None:
        return self._limit(key, read_seconds)

    def memory(self, key: str) -> int | None:
        return self._limit(key, read_memory)

    def _limit(self, key: str, read: Callable[[Any], T]) -> T | None:
        value = self._data.get(key)
        try:
            return None if value is None else read(value)
        except InputError as error:
            raise InputError(f"{self._file}: {error}") from None

    def seeds(self) -> tuple[int, ...]:
        value = self._data.get("seeds", 1)
        if _is_natural(value) and value >= 1:
            return tuple(range(1, value + 1))
        if not isinstance(value, (list, tuple)) or not value or not all(_is_natural(seed) for seed in value):
            self._wrong("seeds", "how many (5 means 1, 2, 3, 4, 5), or a list of whole numbers")
        return tuple(dict.fromkeys(value))

    def named(self, key: str, known: Mapping[str, str], default: list[str] | None) -> dict[str, str]:
        """A table of names and texts, or a list of texts that are their own names unless `known` has them."""
        value = self._data.get(key, default)
        if isinstance(value, (list, tuple)):
            value = {name: known.get(name, name) if isinstance(name, str) else None for name in value}
        if (
            not isinstance(value, Mapping)
            or not value
            or not all(isinstance(text, str) for pair in value.items() for text in pair)
        ):
            self._wrong(key, "a list of texts, or a table of names and texts")
        if known:
            for name, text in value.items():
                if name == text and "=" not in text:
                    raise InputError(
                        f'{self._file}: {key}: unknown name "{name}"'
                        f"{similar(name, known) or '; there are ' + ', '.join(known)}; or define it: "
                        f'{name} = "heuristic=ff, preferred=True"'
                    )
        return dict(value)

    def _wrong(self, key: str, expected: str) -> NoReturn:
        value = self._data.get(key)
        found = "it is missing" if key not in self._data else f"not {value!r}"
        raise InputError(f"{self._file}: {key}: expected {expected}, {found}")


def _is_natural(value: object) -> bool:
    return type(value) is int and value >= 0
