"""Bandits on synthetic arms: the same pulls as a slow reference, and what regret must obey."""

from __future__ import annotations

import _thread
import math
import threading
from collections.abc import Iterable, Sequence
from itertools import pairwise
from random import Random
from statistics import fmean, stdev

import pytest
from bandits import reference_play
from hypothesis import given, settings
from hypothesis import strategies as st

import banditplan as bp
from banditplan import _core, bandits
from banditplan.components import components

BANDITS = components(_core.Bandit)
SCALE_FREE = ("greedy", "normal", "normal2", "ttts", "ucb1_01", "uniform")


def some_costs(seed: int, center: float, width: float) -> list[float]:
    random = Random(seed)
    return [random.uniform(center - width, center + width) for _ in range(30)]


GAMES = {
    "gaussian": (bandits.Gaussian(0.5, 1), bandits.Gaussian(0, 0.3), bandits.Gaussian(0.25, 2)),
    "bounded": (bandits.Uniform(0, 0.7), bandits.Uniform(0.4, 0.6), bandits.Uniform(0.2, 1)),
    "deterministic": (bandits.Constant(3), bandits.Constant(1), bandits.Constant(1), bandits.Constant(2)),
    "finite": tuple(bandits.Urn(some_costs(i, center, i)) for i, center in enumerate((7, 5, 4, 6), 1)),
    "again": tuple(bandits.Urn(some_costs(i, center, 1), replace=True) for i, center in enumerate((2, 1))),
    "mixed": (bandits.Urn(some_costs(9, 1, 2)), bandits.Gaussian(1, 1), bandits.Constant(1.5), bandits.Uniform(0, 3)),
}


# ---- against the reference


@pytest.mark.sweep
@pytest.mark.parametrize("initial_pulls", [1, 3])
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", BANDITS)
def test_the_pulls_are_those_of_the_reference(name: str, game: str, initial_pulls: int) -> None:
    total, seeds = 150, range(40, 43)
    played = bandits.play(
        BANDITS[name](),
        GAMES[game],
        times=range(1, total + 1),
        repetitions=len(seeds),
        seed=seeds[0],
        initial_pulls=initial_pulls,
    )
    for i, seed in enumerate(seeds):
        expected = reference_play.play(name, GAMES[game], total, initial_pulls, seed)
        assert list(played.pulls[i]) == expected.pulls
        assert list(played.regret.rows[i]) == pytest.approx(expected.regret, rel=1e-12)
        assert list(played.least.rows[i]) == expected.least


def test_mean_and_spread_are_those_of_the_repetitions() -> None:
    regret = bandits.play(bp.Ucb1(), GAMES["gaussian"], pulls=200, repetitions=20).regret
    columns = list(zip(*regret.rows, strict=True))
    assert regret.times[0] == 1
    assert regret.times[-1] == 200
    assert regret.mean == pytest.approx([fmean(column) for column in columns])
    assert regret.deviation == pytest.approx([stdev(column) for column in columns])
    assert regret.quantile(0.5) == tuple(sorted(column)[9] for column in columns)
    assert regret.quantile(0) == tuple(map(min, columns))
    assert regret.quantile(1) == tuple(map(max, columns))
    assert all(map(math.isnan, bandits.play(bp.Ucb1(), GAMES["gaussian"], repetitions=1).regret.deviation))


def test_a_repetition_has_a_seed_of_its_own() -> None:
    games = [bandits.play(bp.TttsNormal(), GAMES["mixed"], pulls=300, repetitions=3, seed=seed) for seed in (5, 6)]
    assert games[0].pulls[1:] == games[1].pulls[:2]
    assert games[0].regret.rows[1:] == games[1].regret.rows[:2]
    assert len(set(games[0].regret.rows)) == 3


# ---- the arms


@pytest.mark.parametrize(
    "costs", [bandits.Gaussian(3, 2), bandits.Uniform(-1, 5), bandits.Constant(4), bandits.Urn([1, 2, 6], replace=True)]
)
def test_costs_have_the_mean_and_the_variance_that_they_claim(costs: bandits.Costs) -> None:
    seen: list[tuple[float, float]] = []

    def note(arms: bp.Arms) -> Iterable[float]:
        seen.append((arms.mean[0], arms.variance[0]))
        return [0.0, 1.0]

    bandits.play(note, [costs, bandits.Constant(0)], pulls=20_000, repetitions=1)
    mean, variance = seen[-1]
    assert mean == pytest.approx(costs.expected, abs=5 * math.sqrt(costs.variance / 20_000))
    assert variance == pytest.approx(costs.variance, rel=0.05)


def test_an_urn_gives_every_cost_once() -> None:
    urns = [bandits.Urn([5, 1, 4]), bandits.Urn([2, 2, 9, 0])]
    for bandit in BANDITS.values():
        played = bandits.play(bandit(), urns, times=range(1, 11), repetitions=30)
        assert set(played.pulls) == {(3, 4)}
        assert {row[6] for row in played.least.rows} == {0}
        assert all(row[6] == row[9] for row in played.regret.rows)


def test_regret_is_measured_against_the_best_arm_on_offer() -> None:
    """Once the better urn is empty, there is nothing to regret."""
    urns = [bandits.Urn([1, 1, 1]), bandits.Urn([3, 3, 3])]
    played = bandits.play(bp.Greedy(), urns, times=range(1, 7), repetitions=1)
    assert played.regret.rows[0] == (0, 2, 2, 2, 2, 2)


# ---- what regret must obey


@given(
    name=st.sampled_from(sorted(BANDITS)),
    means=st.lists(st.integers(-5, 5), min_size=1, max_size=5),
    deviation=st.sampled_from((0, 0.5, 3)),
    initial=st.integers(1, 4),
    seed=st.integers(0, 2**64 - 1),
)
@settings(max_examples=150, deadline=None)
def test_regret_is_the_sum_of_the_gaps_that_were_pulled(
    name: str, means: Sequence[int], deviation: float, initial: int, seed: int
) -> None:
    arms = [bandits.Gaussian(mean, deviation) for mean in means]
    played = bandits.play(BANDITS[name](), arms, times=range(1, 61), repetitions=2, seed=seed, initial_pulls=initial)
    for row, least, pulls in zip(played.regret.rows, played.least.rows, played.pulls, strict=True):
        assert sum(pulls) == 60
        assert min(pulls) >= initial
        assert row[-1] == sum(n * (mean - min(means)) for n, mean in zip(pulls, means, strict=True))
        assert all(0 <= later - before <= max(means) - min(means) for before, later in pairwise(row))
        assert all(later <= before for before, later in pairwise(least))


@pytest.mark.parametrize("name", ["greedy", "normal2", "uniform"])
@pytest.mark.parametrize("initial", [1, 5])
def test_without_variance_only_the_initial_pulls_are_regretted(name: str, initial: int) -> None:
    arms = [bandits.Constant(cost) for cost in (4, 2, 7)]
    played = bandits.play(BANDITS[name](), arms, pulls=5000, repetitions=3, initial_pulls=initial)
    assert played.regret.mean[-1] == initial * (2 + 0 + 5)
    assert set(played.pulls) == {(initial, 5000 - 2 * initial, initial)}


@pytest.mark.parametrize("name", SCALE_FREE)
def test_scaled_costs_scale_the_regret(name: str) -> None:
    arms = [bandits.Gaussian(mean, deviation) for mean, deviation in ((0, 1), (0.5, 2), (1, 0.5))]
    wide = [bandits.Gaussian(64 * arm.mean, 64 * arm.deviation) for arm in arms]
    played, scaled = (bandits.play(BANDITS[name](), each, pulls=2000, repetitions=10) for each in (arms, wide))
    assert played.pulls == scaled.pulls
    assert [[64 * value for value in row] for row in played.regret.rows] == [list(row) for row in scaled.regret.rows]


def test_ucb1_depends_on_the_scale() -> None:
    arms = [bandits.Gaussian(0, 1), bandits.Gaussian(1, 1)]
    wide = [bandits.Gaussian(64 * arm.mean, 64 * arm.deviation) for arm in arms]
    played, scaled = (bandits.play(bp.Ucb1(), each, pulls=2000, repetitions=10) for each in (arms, wide))
    assert played.pulls != scaled.pulls


def test_ucb1_normal_pulls_every_arm_by_itself() -> None:
    played = bandits.play(bp.Ucb1Normal(), [bandits.Constant(0), bandits.Constant(1)], pulls=1000, repetitions=1)
    assert played.pulls == ((1000 - math.floor(8 * math.log(999)), math.floor(8 * math.log(999))),)


# ---- bandits in Python


def in_python(arms: bp.Arms) -> list[float]:
    width = math.sqrt(2 * math.log(arms.total))
    return [mean - width * math.sqrt(variance) for mean, variance in zip(arms.mean, arms.variance, strict=True)]


def test_a_function_plays_as_the_bandit_that_it_copies() -> None:
    mine = bandits.play(in_python, GAMES["gaussian"], pulls=500, repetitions=5)
    theirs = bandits.play(bp.Ucb1Normal2(), GAMES["gaussian"], pulls=500, repetitions=5)
    assert (mine.bandit, theirs.bandit) == ("in_python", "normal2")
    assert mine.regret == theirs.regret
    assert mine.pulls == theirs.pulls


def test_what_a_function_raises_comes_through() -> None:
    def broken(arms: bp.Arms) -> list[float]:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        bandits.play(broken, GAMES["gaussian"])
    with pytest.raises(ValueError, match="1 scores for 3 arms"):
        bandits.play(lambda arms: [0], GAMES["gaussian"])


# ---- bad input, and the way out


@pytest.mark.parametrize(
    ("arms", "message"),
    [
        ((), "there is no arm"),
        ((bandits.Gaussian(0, -1),), "deviation finite and not negative"),
        ((bandits.Gaussian(math.nan, 1),), "the mean must be finite"),
        ((bandits.Uniform(2, 1),), "low at most high"),
        ((bandits.Constant(math.inf),), "the cost must be finite"),
        ((bandits.Urn([]),), "there must be a cost"),
        ((bandits.Urn([1, math.nan]),), "all costs must be finite"),
    ],
)
def test_arms_that_make_no_sense_are_named(arms: tuple[bandits.Costs, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bandits.play(bp.Ucb1(), arms)


@pytest.mark.parametrize(
    "options",
    [
        {"pulls": 0},
        {"repetitions": 0},
        {"initial_pulls": 0},
        {"seed": -1},
        {"seed": 2**64},
        {"times": [3, 2]},
        {"times": [0]},
        {"repetitions": 10**6},
        {"pulls": 10**400},
    ],
)
def test_numbers_that_make_no_sense_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"must be|more than"):
        bandits.play(bp.Ucb1(), GAMES["gaussian"], **options)  # type: ignore[arg-type]


def test_something_else_than_a_bandit_is_refused() -> None:
    for bandit in (1, bp.Ucb1, "ucb1"):
        with pytest.raises(TypeError, match="the bandit must be a Bandit"):
            bandits.play(bandit, GAMES["gaussian"])  # type: ignore[arg-type]


def test_an_endless_game_can_be_interrupted() -> None:
    """The timer's thread runs while the core plays: the GIL is free."""
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        bandits.play(bp.Ucb1(), GAMES["gaussian"], pulls=2**50)
    timer.join()


def test_arms_are_read_back_from_their_repr() -> None:
    from banditplan.components.spec import parse_list

    for arms in GAMES.values():
        assert parse_list(", ".join(map(repr, arms)), _core.Costs, "arms", "gaussian()") == arms
