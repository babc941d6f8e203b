"""Games of a bandit with synthetic arms: cumulative regret, its mean and its spread over repetitions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from banditplan import _core
from banditplan.errors import InputError

Bandit = _core.Bandit | Callable[[_core.Arms], Iterable[float]]
POINTS = 200
MOST = 10**7  # numbers in a curve


@dataclass(frozen=True, slots=True)
class Curve:
    """A quantity over time: a row per repetition, a column per time."""

    times: tuple[int, ...]
    rows: tuple[tuple[float, ...], ...]

    @property
    def mean(self) -> tuple[float, ...]:
        return tuple(_mean(column) for column in self.columns)

    @property
    def deviation(self) -> tuple[float, ...]:
        """The standard deviation of a repetition; not a number if there is only one."""
        return tuple(_deviation(column) for column in self.columns)

    def quantile(self, share: float) -> tuple[float, ...]:
        """What that share of the repetitions, between 0 and 1, does not exceed: a value that one of them has."""
        if not 0 <= share <= 1:
            raise InputError(f"a quantile is between 0 and 1, not {share}")
        rank = max(0, math.ceil(share * len(self.rows)) - 1)
        return tuple(sorted(column)[rank] for column in self.columns)

    @property
    def columns(self) -> tuple[tuple[float, ...], ...]:
        return tuple(zip(*self.rows, strict=True))


@dataclass(frozen=True, slots=True)
class Played:
    """What came of the games of a bandit.

    `regret` is cumulative. The regret of a pull is the mean cost of the arm that was pulled minus the least mean cost
    of the arms on offer: what the choice costs on average, not what luck costs. An arm that has no costs left is not on
    offer; when none has, nothing changes any more. `least` is the least cost met so far, `pulls` the number of pulls of
    each arm, a row per repetition.
    """

    bandit: str
    arms: tuple[_core.Costs, ...]
    seed: int
    initial_pulls: int
    regret: Curve
    least: Curve
    pulls: tuple[tuple[int, ...], ...]


def play(
    bandit: Bandit,
    arms: Iterable[_core.Costs],
    *,
    pulls: int = 10_000,
    repetitions: int = 100,
    seed: int = 0,
    initial_pulls: int = 1,
    times: Sequence[int] | None = None,
) -> Played:
    """Play `repetitions` games with the seeds `seed`, `seed` + 1, …

    A bandit chooses by data, so every arm is first pulled `initial_pulls` times, in turn; these pulls count like all
    others. UCB1-Normal goes on with initial pulls of its own. The bandit's T is the number of pulls so far. `bandit`
    may be a function from arms to scores, as in a search. With the same seed, the n-th pull of an arm costs the same
    under every bandit. `times` are the numbers of pulls at which to look, ascending, in the place of `pulls`: by
    default some 200, evenly spaced on a logarithmic scale. Raises InputError.
    """
    _check("pulls", pulls, 1, 2**53)
    _check("repetitions", repetitions, 1, MOST)
    _check("seed", seed, 0, 2**64 - 1)
    _check("initial_pulls", initial_pulls, 1, 2**53)
    moments = log_spaced(pulls) if times is None else tuple(times)
    if len(moments) * repetitions > MOST:
        raise InputError(f"{repetitions:,} repetitions at {len(moments):,} times are more than {MOST:,} numbers")
    offered = tuple(arms)
    try:
        outcomes = _core.play(bandit, offered, moments, initial_pulls, seed, repetitions)
    except ValueError as error:
        raise InputError(str(error)) from None
    return Played(
        bandit=str(bandit) if isinstance(bandit, _core.Bandit) else getattr(bandit, "__name__", repr(bandit)),
        arms=offered,
        seed=seed,
        initial_pulls=initial_pulls,
        regret=Curve(moments, tuple(tuple(outcome.regret) for outcome in outcomes)),
        least=Curve(moments, tuple(tuple(outcome.least) for outcome in outcomes)),
        pulls=tuple(tuple(outcome.pulls) for outcome in outcomes),
    )


def log_spaced(last: int) -> tuple[int, ...]:
    """Times from 1 to `last`, evenly spaced on a logarithmic scale as far as whole numbers allow."""
    return tuple(sorted({round(last ** (i / POINTS)) for i in range(POINTS)} | {last}))


def _check(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise InputError(f"{name} must be from {least} to {most}, not {value}")


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _deviation(values: Sequence[float]) -> float:
    if len(values) == 1:
        return math.nan
    center = _mean(values)
    return math.sqrt(math.fsum((value - center) ** 2 for value in values) / (len(values) - 1))
