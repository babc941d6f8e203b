"""Two ledgers: what got better, what got worse, and whether it may be chance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import median

from banditplan.errors import InputError
from banditplan.experiments.report.attributes import ATTRIBUTES, Attribute
from banditplan.experiments.report.results import Configuration, InstanceName, Results, Runs
from banditplan.experiments.report.statistics import Significance, geometric_mean, mcnemar, sign_test, welch
from banditplan.experiments.report.table import Cell, Column, Row, Table, p_value
from banditplan.experiments.run.job import LIMITS
from banditplan.experiments.runs import Run

MOST = 200  # rows of single instances


@dataclass(frozen=True, slots=True)
class Pair:
    """A configuration in both ledgers: the runs of each seed, on the instances that all seeds of both ran."""

    configuration: Configuration
    instances: tuple[InstanceName, ...]
    old: tuple[Runs, ...]
    new: tuple[Runs, ...]
    deterministic: tuple[bool, bool]  # the new and the old

    def solved(self, seeds: tuple[Runs, ...]) -> list[int]:
        """Coverage per seed."""
        return [sum(runs[instance].solved for instance in self.instances) for runs in seeds]

    def rate(self, seeds: tuple[Runs, ...], instance: InstanceName) -> float:
        """The share of the seeds that solved the instance."""
        return sum(runs[instance].solved for runs in seeds) / len(seeds)


def other_limits(old: Iterable[Run], new: Iterable[Run]) -> list[str]:
    """The limits that the runs of two ledgers do not have in common, in words: what they solved says less then."""
    said = []
    both = list(old), list(new)
    for limit in LIMITS:
        before, after = ({getattr(run, limit) for run in runs} for runs in both)
        if before != after:
            said.append(f"{limit} {_values(before)} in the old, {_values(after)} in the new")
    return said


def comparison(old: Results, new: Results, names: tuple[str, str]) -> Iterator[Table]:
    """The tables of a comparison; `names` are those of the ledgers."""
    pairs = list(_pairs(old, new))
    if not pairs:
        raise InputError("nothing to compare: no algorithm with the same column was run on the same instance in both")
    yield _coverage(pairs, names)
    yield _attributes(pairs, names)
    yield _instances(pairs, names)


def _pairs(old: Results, new: Results) -> Iterator[Pair]:
    for column in new.columns:
        for configuration in new.in_column(column):
            before = tuple(old.by_seed.get(configuration, {}).values())
            after = tuple(new.by_seed[configuration].values())
            if before:
                common = set.intersection(*(set(runs) for runs in (*before, *after)))
                if common:
                    exact = (new.deterministic(configuration), old.deterministic(configuration))
                    yield Pair(configuration, tuple(sorted(common)), before, after, exact)


def _coverage(pairs: list[Pair], names: tuple[str, str]) -> Table:
    old, new = names
    columns = (
        Column("algorithm", text=True),
        Column("column", text=True),
        Column("instances"),
        Column("seeds"),
        Column(old, "coverage"),
        Column(new, "coverage"),
        Column("Δ", "coverage"),
        Column("better", "single instances"),
        Column("worse", "single instances"),
        Column("p"),
        Column("test", text=True),
        Column("verdict", text=True),
    )
    rows = []
    for pair in pairs:
        before, after = (_mean(pair.solved(seeds)) for seeds in (pair.old, pair.new))
        better, worse = _changes(pair)
        verdict = _verdict(pair, better, worse)
        digits = 0 if len(pair.old) == len(pair.new) == 1 else 1
        rows.append(
            Row(
                (
                    Cell(pair.configuration.algorithm),
                    Cell(pair.configuration.column),
                    Cell(len(pair.instances)),
                    Cell(f"{len(pair.old)}, {len(pair.new)}"),
                    Cell(before, digits),
                    Cell(after, digits),
                    Cell(after - before, digits, signed=True),
                    Cell(better),
                    Cell(worse),
                    Cell(p_value(verdict.p)),
                    Cell(verdict.test),
                    _decision(after - before, verdict),
                )
            )
        )
    notes = (
        f"From {old} to {new}, on the instances that all seeds of both ran. Welch's t-test over the seeds' coverage; "
        "where there is one seed on both sides, McNemar's exact test over the instances. p is two-sided and not "
        "corrected for the number of tests; the verdict is at 0.05.",
    )
    return Table("compare-coverage", "Coverage", columns, tuple(rows), notes, 2)


def _attributes(pairs: list[Pair], names: tuple[str, str]) -> Table:
    columns = (
        Column("algorithm", text=True),
        Column("column", text=True),
        Column("attribute", text=True),
        Column("instances"),
        Column("ratio"),
        Column("better"),
        Column("worse"),
        Column("p"),
        Column("verdict", text=True),
    )
    rows = []
    for pair in pairs:
        first = True
        for attribute in ATTRIBUTES:
            values = list(_both(pair, attribute)) if attribute.solved_only else []
            ratio = geometric_mean([after / before for before, after in values if before > 0 and after > 0])
            if ratio is None:
                continue
            gains = [(after - before) * (1 if attribute.better == "more" else -1) for before, after in values]
            better, worse = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
            if not better and not worse:
                continue
            matters = abs(math.log(ratio)) >= math.log(1 + attribute.noise)
            verdict = sign_test(better, worse)
            numbers = (Cell(len(values)), Cell(ratio, 3), Cell(better), Cell(worse), Cell(p_value(verdict.p)))
            heads = (Cell(pair.configuration.algorithm), Cell(pair.configuration.column), Cell(attribute.name))
            rows.append(Row((*heads, *numbers, _decision((better - worse) * matters, verdict)), rule=first))
            first = False
    notes = (
        f"On instances that some seed of both solved: the geometric mean of {names[1]} / {names[0]}, medians over the "
        "seeds that solved; sign test over the instances, ties left out. What is not listed is the same in both. "
        f"Less than {_noises()} is the machine's doing and no verdict.",
    )
    return Table("compare-attributes", "Effort on instances that both solved", columns, tuple(rows), notes, 3)


def _instances(pairs: list[Pair], names: tuple[str, str]) -> Table:
    changes = []
    for pair in pairs:
        for instance in pair.instances:
            before, after = pair.rate(pair.old, instance), pair.rate(pair.new, instance)
            if before != after:
                changes.append((after - before, pair.configuration, instance, before, after))
    changes.sort(key=lambda change: (change[0] > 0, -abs(change[0]), change[1], change[2]))
    rows = tuple(
        Row(
            (
                Cell("worse" if difference < 0 else "better", tone="bad" if difference < 0 else "good"),
                Cell(configuration.algorithm),
                Cell(configuration.column),
                Cell(instance.domain),
                Cell(instance.name),
                Cell(f"{before:.0%}"),
                Cell(f"{after:.0%}"),
            )
        )
        for difference, configuration, instance, before, after in changes[:MOST]
    )
    heads = ("change", "algorithm", "column", "domain", "instance")
    columns = (
        *(Column(name, text=True) for name in heads),
        *(Column(name, "solved by, of the seeds") for name in names),
    )
    worse = sum(change[0] < 0 for change in changes)
    title = f"Instances that changed: {worse:,} worse, {len(changes) - worse:,} better"
    notes = (f"The first {MOST}, the worst first.",) if len(changes) > MOST else ()
    return Table("compare-instances", title, columns, rows, notes)


def _changes(pair: Pair) -> tuple[int, int]:
    rates = [(pair.rate(pair.old, instance), pair.rate(pair.new, instance)) for instance in pair.instances]
    return sum(after > before for before, after in rates), sum(after < before for before, after in rates)


def _verdict(pair: Pair, better: int, worse: int) -> Significance:
    if len(pair.old) == len(pair.new) == 1:
        return mcnemar(better, worse)
    return welch(pair.solved(pair.new), pair.solved(pair.old), pair.deterministic)


def _both(pair: Pair, attribute: Attribute) -> Iterator[tuple[float, float]]:
    for instance in pair.instances:
        found = []
        for seeds in (pair.old, pair.new):
            runs = [seed[instance] for seed in seeds if seed[instance].solved]
            values = [value for run in runs if (value := attribute.of(run)) is not None]
            if values:
                found.append(median(values))
        if len(found) == 2:
            yield found[0], found[1]


def _decision(difference: float, verdict: Significance) -> Cell:
    if verdict.p is None or verdict.p >= 0.05 or not difference:
        return Cell("–", tone="faint")
    return Cell("better", strong=True, tone="good") if difference > 0 else Cell("worse", strong=True, tone="bad")


def _noises() -> str:
    """5 % of search seconds, …"""
    return ", ".join(f"{attribute.noise:.0%} of {attribute.name}" for attribute in ATTRIBUTES if attribute.noise)


def _values(limits: set[float | None]) -> str:
    return " and ".join("none" if value is None else f"{value:,g}" for value in sorted(limits, key=lambda x: x or 0))


def _mean(values: list[int]) -> float:
    return sum(values) / len(values)
