"""Runs, arranged for reading: by configuration, seed and instance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from banditplan.experiments.define.experiment import is_deterministic
from banditplan.experiments.runs import Run


class Configuration(NamedTuple):
    """A cell of the paper's Table 1."""

    algorithm: str
    column: str


class InstanceName(NamedTuple):
    domain: str
    name: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many instances a configuration solved: one number per seed that ran all of them.

    `done` of `instances` were run in the seed that got furthest; `solved` is what that seed solved.
    """

    per_seed: tuple[int, ...]
    seeds: int
    done: int
    solved: int
    instances: int

    @property
    def mean(self) -> float | None:
        return sum(self.per_seed) / len(self.per_seed) if self.per_seed else None

    @property
    def partial(self) -> bool:
        """Whether some seed still lacks runs."""
        return len(self.per_seed) < self.seeds


Runs = Mapping[InstanceName, Run]


@dataclass(frozen=True, slots=True)
class Results:
    """Algorithms, columns and domains are in the order of the report; `instances` are all that any run was made on."""

    runs: Sequence[Run]
    algorithms: tuple[str, ...]
    columns: tuple[str, ...]
    instances: Mapping[str, frozenset[InstanceName]]  # by domain
    by_seed: Mapping[Configuration, Mapping[int, Runs]]

    @property
    def domains(self) -> tuple[str, ...]:
        return tuple(self.instances)

    @property
    def sizes(self) -> dict[str, int]:
        """How many instances there are, by domain."""
        return {domain: len(instances) for domain, instances in self.instances.items()}

    @property
    def size(self) -> int:
        return sum(self.sizes.values())

    def deterministic(self, configuration: Configuration) -> bool:
        """Whether one seed says all, by what was run and not by what it is called."""
        return any(
            is_deterministic(run.search) for runs in self.by_seed[configuration].values() for run in runs.values()
        )

    def in_column(self, column: str) -> list[Configuration]:
        """The configurations of a column, in the order of the algorithms."""
        return [Configuration(name, column) for name in self.algorithms if Configuration(name, column) in self.by_seed]

    def coverage(self, configuration: Configuration, domains: Sequence[str] | None = None) -> Coverage:
        """On all instances, or on those of some domains."""
        seeds = self.by_seed.get(configuration, {})
        wanted = set(self.instances if domains is None else domains)
        size = sum(len(self.instances[domain]) for domain in wanted)
        done: dict[int, int] = {}
        solved: dict[int, int] = {}
        for seed, runs in seeds.items():
            chosen = [run for instance, run in runs.items() if instance.domain in wanted]
            done[seed] = len(chosen)
            solved[seed] = sum(run.solved for run in chosen)
        furthest = max(done, key=lambda seed: done[seed], default=None)
        return Coverage(
            per_seed=tuple(solved[seed] for seed in sorted(seeds) if done[seed] == size),
            seeds=len(seeds),
            done=0 if furthest is None else done[furthest],
            solved=0 if furthest is None else solved[furthest],
            instances=size,
        )

    def of_domains(self, domains: Iterable[str]) -> Results:
        """The part of the results on some domains."""
        wanted = set(domains)
        runs = [run for run in self.runs if run.key.domain in wanted]
        return results(runs, self.algorithms, self.columns)


def results(runs: Sequence[Run], algorithms: Iterable[str] = (), columns: Iterable[str] = ()) -> Results:
    """Arrange the runs; algorithms and columns that are named come first, in that order, the others after them."""
    arranged: dict[Configuration, dict[int, dict[InstanceName, Run]]] = defaultdict(lambda: defaultdict(dict))
    instances: dict[str, set[InstanceName]] = defaultdict(set)
    for run in runs:
        key = run.key
        instance = InstanceName(key.domain, key.instance)
        instances[key.domain].add(instance)
        arranged[Configuration(key.algorithm, key.column)][key.seed][instance] = run
    return Results(
        runs=runs,
        algorithms=_ordered(algorithms, {name.algorithm for name in arranged}),
        columns=_ordered(columns, {name.column for name in arranged}),
        instances={domain: frozenset(instances[domain]) for domain in sorted(instances)},
        by_seed={configuration: dict(sorted(seeds.items())) for configuration, seeds in arranged.items()},
    )


def _ordered(first: Iterable[str], present: set[str]) -> tuple[str, ...]:
    named = [name for name in dict.fromkeys(first) if name in present]
    return (*named, *sorted(present.difference(named)))
