"""The bandits' formulas, written down again."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, pvariance
from typing import Protocol


class Arms(Protocol):
    """Columns of statistics; `spread` (of the means) and `total` are those of all arms, on offer or not."""

    @property
    def count(self) -> Sequence[int]: ...
    @property
    def mean(self) -> Sequence[float]: ...
    @property
    def variance(self) -> Sequence[float]: ...
    @property
    def minimum(self) -> Sequence[int]: ...
    @property
    def maximum(self) -> Sequence[int]: ...
    @property
    def spread(self) -> float: ...
    @property
    def total(self) -> int: ...


@dataclass(frozen=True)
class Data:
    """Samples of h per arm; the parent may have more, in arms that are not offered."""

    data: tuple[tuple[int, ...], ...]
    others: int = 0

    @property
    def count(self) -> list[int]:
        return [len(each) for each in self.data]

    @property
    def mean(self) -> list[float]:
        return [fmean(each) for each in self.data]

    @property
    def spread(self) -> float:
        return max(self.mean) - min(self.mean)

    @property
    def variance(self) -> list[float]:
        return [float(pvariance(each)) for each in self.data]

    @property
    def minimum(self) -> list[int]:
        return [min(each) for each in self.data]

    @property
    def maximum(self) -> list[int]:
        return [max(each) for each in self.data]

    @property
    def total(self) -> int:
        return sum(self.count) + self.others


def scores(bandit: str, arms: Arms, c: float) -> list[float]:
    log = math.log(arms.total)
    rows = list(zip(arms.count, arms.mean, arms.variance, arms.minimum, arms.maximum, strict=True))
    if bandit == "normal" and any(t < math.floor(8 * log) for t in arms.count):
        return [float(t) for t in arms.count]
    formula: dict[str, Callable[[int, float, float, int, int], float]] = {
        "ucb1": lambda t, mu, var, low, high: mu - c * math.sqrt(2 * log / t),
        "ucb1_01": lambda t, mu, var, low, high: mu - c * arms.spread * math.sqrt(2 * log / t),
        "ucb1_tuned": lambda t, mu, var, low, high: (
            mu - c * math.sqrt(min(1 / 4, var + math.sqrt(2 * log / t)) * log / t)
        ),
        "ucb_v": lambda t, mu, var, low, high: mu - math.sqrt(var * 2 * log / t) - 3 * c * log / t,
        "normal": lambda t, mu, var, low, high: mu - math.sqrt(var * 16 * log / t),
        "normal2": lambda t, mu, var, low, high: mu - math.sqrt(var * 2 * log),
        "uniform": lambda t, mu, var, low, high: (low + high) / 2 - (high - low) * math.sqrt(6 * t * log),
        "greedy": lambda t, mu, var, low, high: mu,
    }
    return [formula[bandit](*row) for row in rows]
