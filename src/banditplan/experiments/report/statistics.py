"""Means, spreads and tests. The tests are SciPy's; what they need to be applied honestly is here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from banditplan.experiments.report.extra import numpy, scipy_stats


@dataclass(frozen=True, slots=True)
class Summary:
    """`spread` is the sample's standard deviation (n − 1), None for fewer than two values."""

    count: int
    mean: float
    spread: float | None
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Significance:
    """What a test says; `p` is None where no test applies, and `test` then says why."""

    test: str
    statistic: float | None = None
    p: float | None = None


def summary(values: Sequence[float]) -> Summary:
    """Of at least one value."""
    array = numpy().asarray(values, dtype=float)
    spread = float(array.std(ddof=1)) if len(array) > 1 else None
    return Summary(len(array), float(array.mean()), spread, float(array.min()), float(array.max()))


def welch(
    sample: Sequence[float], reference: Sequence[float], exact: tuple[bool, bool] = (False, False)
) -> Significance:
    """Welch's t-test of unequal variances, two-sided.

    `exact` says which side is deterministic: one value of it is the whole truth, without spread. Welch's test then is
    the t-test of the other side against that value.
    """
    sides = [tuple(values) for values in (sample, reference)]
    for values, known in zip(sides, exact, strict=True):
        if len(values) < 2 and not (known and values):
            return Significance("needs two seeds")
    if all(len(set(values)) == 1 for values in sides):
        return Significance("no spread")
    for number, sign in ((0, -1), (1, 1)):
        if len(sides[number]) == 1:
            found = scipy_stats().ttest_1samp(sides[1 - number], sides[number][0])
            return Significance("t, against a constant", sign * float(found.statistic), float(found.pvalue))
    numbers = [value for side in map(summary, sides) for value in (side.mean, side.spread, side.count)]
    found = scipy_stats().ttest_ind_from_stats(*numbers, equal_var=False)
    return Significance("Welch's t", float(found.statistic), float(found.pvalue))


def mcnemar(gained: int, lost: int) -> Significance:
    """The exact test of McNemar on pairs: is a change for the better as likely as one for the worse?"""
    return _sign("McNemar, exact", gained, lost)


def sign_test(better: int, worse: int) -> Significance:
    """On pairs that were measured twice; ties are left out before."""
    return _sign("sign test", better, worse)


def _sign(name: str, more: int, less: int) -> Significance:
    if more + less == 0:
        return Significance("no difference")
    return Significance(name, float(more - less), float(scipy_stats().binomtest(more, more + less).pvalue))


def geometric_mean(values: Sequence[float]) -> float | None:
    """Of positive values; None if there are none."""
    positive = [value for value in values if value > 0]
    return math.exp(math.fsum(map(math.log, positive)) / len(positive)) if positive else None


def stars(p: float | None) -> str:
    """*** below 0.001, ** below 0.01, * below 0.05."""
    if p is None:
        return ""
    return "***" if p < 0.001 else "**" if p < 0.01 else "*" if p < 0.05 else ""
