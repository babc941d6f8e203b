"""The theory as the paper states it: its table of χ², its examples of M, its bound."""

from __future__ import annotations

import math
from pathlib import Path
from typing import get_args

import pytest

pytest.importorskip("scipy", reason="the theory needs SciPy")

import numpy as np
from scipy.stats import chi2
from scipy.stats import t as student

from banditplan import bandits
from banditplan.bandits import bounds

ALPHAS = (0.5, 0.9, 0.99, 0.995, 0.999, 1 - 1e-9)
COLUMNS = (0.995, 0.99, 0.975, 0.95, 0.90, 0.10, 0.05, 0.025, 0.01, 0.005)


def papers_table() -> list[tuple[int, float, float]]:
    """n, upper tail, value."""
    lines = (Path(__file__).parent / "chi_square.txt").read_text(encoding="utf-8").split("\n")
    rows = [list(map(float, line.split())) for line in lines if line and not line.startswith("#")]
    return [
        (int(n), tail, value)
        for n, *values in rows
        for tail, value in zip(COLUMNS, values, strict=True)
        if not math.isnan(value)
    ]


def test_the_table_of_the_paper() -> None:
    table = papers_table()
    assert len(table) == 37 * 10 - 2
    for n, tail, value in table:
        assert float(chi2.isf(tail, n)) == pytest.approx(value, abs=6e-4)
        assert bounds.critical_value(1 - tail, n) == pytest.approx(value, abs=6e-4)
        assert bounds.critical_value(tail, n, "proof") == pytest.approx(value, abs=6e-4)


def test_the_papers_examples_of_the_minimum_number_of_pulls() -> None:
    assert bounds.minimum_pulls(0.99) == 2
    assert bounds.minimum_pulls(0.9) == 5
    assert bounds.minimum_pulls(math.erf(2) + 1e-9) == 1
    assert bounds.minimum_pulls(math.erf(2) - 1e-9) == 2
    assert bounds.minimum_pulls(1) == 1


@pytest.mark.parametrize("reading", get_args(bounds.Reading))
@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_minimum_is_the_least_that_meets_the_condition(alpha: float, reading: bounds.Reading) -> None:
    m = bounds.minimum_pulls(alpha, reading)
    assert bounds.critical_value(alpha, m, reading) > 8
    assert m == 1 or bounds.critical_value(alpha, m - 1, reading) <= 8
    assert math.isfinite(bounds.series(alpha, m, reading))
    assert m == 1 or bounds.series(alpha, m - 1, reading) == math.inf


def test_the_readings_move_the_minimum_in_opposite_directions() -> None:
    assert [bounds.minimum_pulls(alpha) for alpha in (0.9, 0.99, 0.999)] == [5, 2, 1]
    assert [bounds.minimum_pulls(alpha, "proof") for alpha in (0.9, 0.99, 0.999)] == [15, 20, 24]
    with pytest.raises(ValueError, match="do not suffice"):
        bounds.minimum_pulls(1, "proof")


@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_closed_form_for_two_pulls_belongs_to_the_proof(alpha: float) -> None:
    assert bounds.critical_value(alpha, 2, "proof") == pytest.approx(-2 * math.log(alpha), rel=1e-6)
    assert bounds.critical_value(alpha, 2) == pytest.approx(-2 * math.log1p(-alpha), rel=1e-6)


def test_the_series_is_the_sum() -> None:
    exponent = 2 - 3 / 8 * bounds.critical_value(0.99, 6)
    terms = 10_000
    tail = terms ** (exponent + 1) / -(exponent + 1)
    assert bounds.series(0.99, 6) == pytest.approx(math.fsum(t**exponent for t in range(1, terms + 1)) + tail, rel=1e-6)


def test_the_bound_is_made_of_its_terms() -> None:
    constant = bounds.series(0.99, 2)
    bound = bounds.ucb1_normal2_bound(0.99, 100, deviation=3, gap=2)
    assert bound == pytest.approx(
        -4 * math.log(0.99) * 9 * math.log(100) / 4 + 1 + 2 * constant + 0.01 * 100 * 101 * 201 / 3
    )
    assert bounds.ucb1_normal2_bound(1, 10**6, deviation=3, gap=2) == 3  # 1 + 2C, and C = 1
    assert bounds.ucb1_normal2_bound(0.99, 100, deviation=3, gap=2, pulls=1) == math.inf


def test_the_bound_of_ucb1_normal() -> None:
    bound = bounds.ucb1_normal_bound(100, deviation=3, gap=2)
    assert bound == pytest.approx(256 * 9 * math.log(100) / 4 + 1 + math.pi**2 / 2 + 8 * math.log(100))


@pytest.mark.parametrize("alpha", [0, -1, 1.1, math.nan])
def test_alpha_is_a_probability(alpha: float) -> None:
    with pytest.raises(ValueError, match="α is a probability"):
        bounds.minimum_pulls(alpha)


# ---- what docs/bandits.md says about the theory


def test_the_sample_variance_has_one_degree_of_freedom_less() -> None:
    draws = np.random.default_rng(0).normal(size=(200_000, 3))
    scaled = 3 * draws.var(axis=1)
    quantiles = np.quantile(scaled, [0.1, 0.5, 0.9])
    assert quantiles == pytest.approx(chi2.ppf([0.1, 0.5, 0.9], 2), rel=0.02)
    assert quantiles != pytest.approx(chi2.ppf([0.1, 0.5, 0.9], 3), rel=0.2)


def test_the_conjectures_behind_ucb1_normal_hold_where_they_were_checked() -> None:
    freedom = np.arange(1, 1001)
    assert (chi2.logsf(4 * freedom, freedom) <= -(freedom + 1) / 2).all()
    for s in range(1, 201):
        a = np.linspace(0, math.sqrt(2 * (s + 1)), 500)
        assert (student.logsf(a, s) <= -(a**2) / 4).all()


def test_known_deviations_do_not_make_the_regret_of_ucb1_normal2_constant() -> None:
    """The theorem's best case, σ̂ = σ: the widest arm wins in the end, whatever its mean."""
    deviations = (0.5, 2.0)

    def informed(arms: object) -> list[float]:
        width = math.sqrt(2 * math.log(arms.total))  # type: ignore[attr-defined]
        return [mean - width * sigma for mean, sigma in zip(arms.mean, deviations, strict=True)]  # type: ignore[attr-defined]

    arms = [bandits.Gaussian(mean, sigma) for mean, sigma in zip((0, 1), deviations, strict=True)]
    played = bandits.play(informed, arms, pulls=1000, repetitions=10, initial_pulls=60)
    assert min(pulls[1] for pulls in played.pulls) > 900
