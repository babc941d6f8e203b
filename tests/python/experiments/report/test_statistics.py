"""The statistics of reports, against NumPy, SciPy and formulas written out."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from scipy import stats

from banditplan.experiments.report.statistics import geometric_mean, mcnemar, sign_test, stars, summary, welch


def samples() -> list[tuple[list[float], list[float]]]:
    draw = random.Random(7)
    return [
        (
            [draw.gauss(500, draw.uniform(1, 9)) for _ in range(draw.randint(2, 9))],
            [draw.gauss(505, draw.uniform(1, 9)) for _ in range(draw.randint(2, 9))],
        )
        for _ in range(50)
    ]


def test_summary_is_that_of_numpy() -> None:
    for values, _ in samples():
        found = summary(values)
        assert found.count == len(values)
        assert found.mean == pytest.approx(np.mean(values))
        assert found.spread == pytest.approx(np.std(values, ddof=1))
        assert (found.least, found.most) == (min(values), max(values))


def test_one_value_has_no_spread() -> None:
    assert summary([538]).spread is None


def test_welch_is_the_formula_and_that_of_scipy() -> None:
    for left, right in samples():
        found = welch(left, right)
        a, b = np.var(left, ddof=1) / len(left), np.var(right, ddof=1) / len(right)
        t = (np.mean(left) - np.mean(right)) / math.sqrt(a + b)
        freedom = (a + b) ** 2 / (a**2 / (len(left) - 1) + b**2 / (len(right) - 1))
        assert found.statistic == pytest.approx(t)
        assert found.p == pytest.approx(2 * stats.t.sf(abs(t), freedom))
        assert found.p == pytest.approx(stats.ttest_ind(left, right, equal_var=False).pvalue)


@pytest.mark.parametrize("swapped", [False, True])
def test_a_deterministic_side_is_the_limit_of_one_with_ever_less_spread(swapped: bool) -> None:
    seeds, constant = [580.0, 583.0, 579.0, 584.0, 583.0], 575.0
    nearly = [constant + 1e-7 * step for step in (-1, 0, 1)]
    if swapped:
        found, limit = welch([constant], seeds, (True, False)), stats.ttest_ind(nearly, seeds, equal_var=False)
    else:
        found, limit = welch(seeds, [constant], (False, True)), stats.ttest_ind(seeds, nearly, equal_var=False)
    assert found.statistic == pytest.approx(limit.statistic)
    assert found.p == pytest.approx(limit.pvalue)


def test_no_test_where_none_applies() -> None:
    assert welch([1], [2, 3]).p is None  # one seed of something random says nothing about its spread
    assert welch([5, 5], [5, 5]).p is None
    assert welch([5, 5], [7, 7]).p is None  # no spread, nothing to measure the difference with
    assert welch([], [1, 2]).p is None
    assert mcnemar(0, 0).p is None


@pytest.mark.parametrize(("gained", "lost"), [(1, 0), (3, 9), (10, 0), (20, 21)])
def test_mcnemar_is_the_sum_of_binomial_coefficients(gained: int, lost: int) -> None:
    size, extreme = gained + lost, min(gained, lost)
    tail = sum(math.comb(size, count) for count in range(extreme + 1)) / 2**size
    assert mcnemar(gained, lost).p == pytest.approx(min(1.0, 2 * tail))
    assert sign_test(gained, lost).p == mcnemar(gained, lost).p


def test_geometric_mean() -> None:
    assert geometric_mean([1, 10, 100]) == pytest.approx(10)
    assert geometric_mean([0]) is None
    assert geometric_mean([]) is None


@pytest.mark.parametrize(("p", "shown"), [(None, ""), (0.2, ""), (0.05, ""), (0.04, "*"), (0.009, "**"), (1e-9, "***")])
def test_stars(p: float | None, shown: str) -> None:
    assert stars(p) == shown
