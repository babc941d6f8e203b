"""The measurements of several grounders on the same instances, as a table and as a summary in a few lines."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from grounders import FAST_DOWNWARD, OURS, Sizes
from measure import Run

NAME_WIDTH = 58


@dataclass(frozen=True, slots=True)
class Measured:
    run: Run
    sizes: Sizes  # empty unless the run finished


@dataclass(frozen=True, slots=True)
class Row:
    instance: str
    by_grounder: dict[str, Measured]

    def finished(self, *names: str) -> bool:
        return all(self.by_grounder[name].run.status == "ok" for name in names)

    def ratio(self, peer: str, attribute: str) -> float:
        """The peer's number divided by ours: above 1 is in our favour; not a number unless both finished."""
        if not self.finished(OURS, peer):
            return math.nan
        ours, theirs = (getattr(self.by_grounder[name].run, attribute) for name in (OURS, peer))
        return float(theirs / ours)


def header(names: list[str]) -> str:
    columns = [f"{'instance':{NAME_WIDTH}}"]
    columns += [f"{name:>9.9} s {'MB':>6} {'actions':>8}" for name in names]
    columns += [f"{peer[:9] + '/ours':>14} s {'MB':>5}" for peer in names if peer != OURS]
    return " ".join(columns)


def table_line(row: Row) -> str:
    columns = [f"{row.instance:{NAME_WIDTH}.{NAME_WIDTH}}"]
    for measured in row.by_grounder.values():
        run, actions = measured.run, measured.sizes.get("actions")
        if run.status == "ok":
            columns.append(
                f"{run.seconds:11.2f} {run.megabytes:6.0f} {actions if actions is None else int(actions):>8}"
            )
        else:
            columns.append(f"{run.status:>11} {'–':>6} {'–':>8}")
    for peer in [name for name in row.by_grounder if name != OURS]:
        seconds, megabytes = row.ratio(peer, "seconds"), row.ratio(peer, "megabytes")
        columns.append(f"{seconds:16.2f} {megabytes:5.2f}".replace("nan", "  –"))
    return " ".join(columns)


def summary(rows: list[Row], names: list[str], cpu_seconds: float) -> Iterator[str]:
    finished = ", ".join(f"{name} {sum(row.finished(name) for row in rows)}" for name in names)
    yield f"{len(rows)} instances; finished within {cpu_seconds:g} CPU seconds: {finished}"
    yield from failures(rows, names)
    for peer in names:
        if peer != OURS:
            yield ""
            yield from ratio_lines(rows, peer)
    if FAST_DOWNWARD in names:
        yield ""
        yield from size_lines([row for row in rows if row.finished(OURS, FAST_DOWNWARD)])
        yield ""
        yield from narrow_lines(rows)


def failures(rows: list[Row], names: list[str]) -> Iterator[str]:
    for name in names:
        for row in rows:
            run = row.by_grounder[name].run
            if run.status == "time":
                yield f"  {name} ran out of time on {row.instance}"
            elif run.status == "failed":
                yield f"  {name} failed on {row.instance}: {run.error[:100]}"


def ratio_lines(rows: list[Row], peer: str) -> Iterator[str]:
    both = [row for row in rows if row.finished(OURS, peer)]
    yield f"{peer} / {OURS} over the {len(both)} instances that both finished ({len(rows) - len(both)} left out):"
    if not both:
        return
    for attribute, title, worse in (
        ("seconds", "CPU seconds", "is slower"),
        ("megabytes", "peak memory", "takes more memory"),
    ):
        ratios = sorted(row.ratio(peer, attribute) for row in both)
        yield f"  {title}: geometric mean {geometric_mean(ratios):.2f}, from {ratios[0]:.2f} to {ratios[-1]:.2f}"
        names = [f"{row.instance} ({row.ratio(peer, attribute):.2f})" for row in both if row.ratio(peer, attribute) < 1]
        yield f"  {OURS} {worse} on {len(names)} instances{': ' * bool(names)}{', '.join(names)}"
    for name in (OURS, peer):
        yield f"  {name} in all: {sum(row.by_grounder[name].run.seconds for row in both):.1f} CPU seconds"


def size_lines(rows: list[Row]) -> Iterator[str]:
    """Ground actions, variables and bytes per state beside those of Fast Downward; fewer is better."""
    yield f"sizes of the ground tasks, {OURS} beside {FAST_DOWNWARD}, over {len(rows)} instances:"
    for size in ("actions", "variables", "bytes_per_state"):
        pairs = {
            row.instance: tuple(int(row.by_grounder[n].sizes[size]) for n in (OURS, FAST_DOWNWARD)) for row in rows
        }
        ours, theirs = (sum(pair[side] for pair in pairs.values()) for side in (0, 1))
        more = [f"{instance} ({pair[0]} for {pair[1]})" for instance, pair in pairs.items() if pair[0] > pair[1]]
        equal, fewer = count(pairs.values(), int.__eq__), count(pairs.values(), int.__lt__)
        counts = f"equal on {equal}, fewer on {fewer}, more on {len(more)}"
        yield f"  {size.replace('_', ' ')}: {ours} for {theirs} in all; {counts}"
        if more:
            yield f"    more: {', '.join(more)}"


def narrow_lines(rows: list[Row], number: int = 10) -> Iterator[str]:
    """Where our lead in CPU seconds is smallest, and where our time goes there."""
    both = [row for row in rows if row.finished(OURS, FAST_DOWNWARD)]
    yield f"smallest ratios {FAST_DOWNWARD} / {OURS} in CPU seconds, and our wall seconds by stage:"
    for row in sorted(both, key=lambda row: row.ratio(FAST_DOWNWARD, "seconds"))[:number]:
        run, sizes = row.by_grounder[OURS].run, row.by_grounder[OURS].sizes
        stages = [
            f"{stage} {sizes.get(f'seconds_{stage}', math.nan):.3f}" for stage in ("parse", "normalize", "ground")
        ]
        stages.append(f"start-up and the rest {run.wall - sizes.get('seconds_total', math.nan):.3f}")
        yield f"  {row.ratio(FAST_DOWNWARD, 'seconds'):6.2f} {row.instance}: wall {run.wall:.3f} = {', '.join(stages)}"


def count(pairs: Iterable[tuple[int, ...]], holds: Callable[[int, int], bool]) -> int:
    return sum(holds(*pair) for pair in pairs)


def geometric_mean(numbers: list[float]) -> float:
    return math.exp(sum(map(math.log, numbers)) / len(numbers))
