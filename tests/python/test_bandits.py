"""Bandits choose what their formulas say, break ties fairly, and can be written in Python."""

from __future__ import annotations

import math
import re
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from bandit_formulas import Data, scores

import banditplan as bp
from banditplan import _core
from banditplan.components import components

BANDITS = components(_core.Bandit)


@dataclass(frozen=True)
class Arms(Data):
    def chosen(self, bandit: _core.Bandit, seed: int = 0) -> int:
        return bandit.choose(
            self.count, self.mean, self.variance, self.minimum, self.maximum, total=self.total, seed=seed
        )


def random_arms(random: Random) -> Arms:
    data = []
    for _ in range(random.randint(1, 8)):
        low, spread = random.randint(0, 20), random.randint(0, 12)
        data.append(tuple(random.randint(low, low + spread) for _ in range(random.choice((1, 1, 2, 5, 30)))))
    return Arms(tuple(data), random.choice((0, 0, 3, 100)))


@pytest.mark.sweep
@pytest.mark.parametrize("c", [1.0, 0.5, 3.0])
@pytest.mark.parametrize("name", sorted(set(BANDITS) - {"ttts"}))
def test_the_lowest_bound_wins(name: str, c: float) -> None:
    random = Random(1)
    bandit = BANDITS[name](**({"c": c} if hasattr(BANDITS[name], "c") else {}))
    for seed in range(500):
        arms = random_arms(random)
        values = scores(name, arms, c)
        assert values[arms.chosen(bandit, seed)] == pytest.approx(min(values), rel=1e-12, abs=1e-9)


def test_the_example_of_the_paper() -> None:
    """Equal means: -Normal2 takes the larger spread, UCB1 does not care."""
    arms = Arms(((9, 2, 6, 3), (3, 7, 4, 6)))
    assert arms.mean == [5, 5]
    assert {arms.chosen(bp.Ucb1Normal2(), seed) for seed in range(50)} == {0}
    assert {arms.chosen(bp.Ucb1(), seed) for seed in range(50)} == {0, 1}


@pytest.mark.parametrize("name", ["normal2", "normal", "uniform", "ucb1_01", "greedy"])
def test_choices_do_not_depend_on_the_scale_of_h(name: str) -> None:
    random = Random(2)
    for seed in range(300):
        arms = random_arms(random)
        scaled = Arms(tuple(tuple(8 * h + 16 for h in each) for each in arms.data), arms.others)
        bandit = BANDITS[name]()
        assert arms.chosen(bandit, seed) == scaled.chosen(bandit, seed)


@pytest.mark.parametrize("name", sorted(set(BANDITS) - {"ttts"}))
def test_permuted_arms_permute_the_choice(name: str) -> None:
    random = Random(3)
    for seed in range(300):
        arms = random_arms(random)
        values = scores(name, arms, 1.0)
        if sum(value < min(values) + 1e-9 for value in values) > 1:
            continue
        order = random.sample(range(len(arms.data)), len(arms.data))
        permuted = Arms(tuple(arms.data[i] for i in order), arms.others)
        bandit = BANDITS[name]()
        assert order[permuted.chosen(bandit, seed)] == arms.chosen(bandit, seed)


@pytest.mark.slow
def test_ties_are_broken_evenly() -> None:
    arms = Arms(((3, 5), (9, 9), (3, 5), (5, 3)))
    for name in set(BANDITS) - {"ttts"}:
        found = Counter(arms.chosen(BANDITS[name](), seed) for seed in range(3000))
        if name == "normal":  # the initial pulls: all are equal
            assert set(found) == {0, 1, 2, 3}
        else:
            assert set(found) == {0, 2, 3}
            assert all(900 < times < 1100 for times in found.values())


def test_top_two_thompson_sampling() -> None:
    """Half of the time the leader, half of the time a challenger, the better one more often."""
    arms = Arms(((4, 6) * 50, (5, 7) * 50, (9, 11) * 50))
    found = Counter(arms.chosen(bp.TttsNormal(), seed) for seed in range(2000))
    assert 900 < found[0] < 1100
    assert found[1] > 900
    assert found[2] < 30
    single = Arms(((4,), (5,), (6,)))
    found = Counter(single.chosen(bp.TttsNormal(), seed) for seed in range(2000))
    assert set(found) == {0, 1}


# ---- written in Python


def python_normal2(arms: bp.Arms) -> Any:
    return arms.mean - arms.variance**0.5 * (2 * math.log(arms.total)) ** 0.5


def without_numpy(arms: bp.Arms) -> list[float]:
    width = math.sqrt(2 * math.log(arms.total))
    return [mean - math.sqrt(variance) * width for mean, variance in zip(arms.mean, arms.variance, strict=True)]


@pytest.mark.sweep
@pytest.mark.parametrize("backup", [bp.MonteCarlo(), bp.FullBellman()])
@pytest.mark.parametrize("example", ["crates", "museum", "warehouse"])
def test_a_bandit_in_python_finds_the_plan_of_the_built_in_one(example: str, backup: bp.Backup) -> None:
    task = bp.load(*bp.example(example))
    functions: list[Callable[[bp.Arms], Any]] = [without_numpy]
    if "numpy" in sys.modules or _has_numpy():
        functions.append(python_normal2)
    for seed in range(3):
        built_in = bp.solve(task, search=bp.Guct(bandit=bp.Ucb1Normal2(), backup=backup), seed=seed)
        for function in functions:
            result = bp.solve(task, search=bp.Guct(bandit=function, backup=backup), seed=seed)
            assert (result.plan, result.evaluations) == (built_in.plan, built_in.evaluations)
            assert f"bandit=python({__name__}.{function.__name__})" in result.search


def _has_numpy() -> bool:
    from importlib.util import find_spec

    return find_spec("numpy") is not None


def test_what_a_bandit_sees() -> None:
    seen: list[bp.Arms] = []

    def watch(arms: bp.Arms) -> list[float]:
        seen.append(arms)
        return list(arms.mean)

    assert bp.solve(*bp.example("museum"), search=bp.Guct(bandit=watch)).solved
    for arms in seen:
        assert len(arms) > 1
        assert len(arms) == len(arms.count) == len(arms.variance)
        assert arms.total >= sum(arms.count)
        rows = zip(arms.minimum, arms.mean, arms.maximum, arms.variance, strict=True)
        for minimum, mean, maximum, variance in rows:
            assert minimum <= mean <= maximum
            assert 0 <= variance <= (maximum - minimum) ** 2 / 4 + 1e-9


def test_what_goes_wrong_in_a_bandit_reaches_the_caller() -> None:
    class Broken(Exception):
        pass

    def broken(arms: bp.Arms) -> list[float]:
        raise Broken("here")

    with pytest.raises(Broken, match="here"):
        bp.solve(*bp.example("museum"), search=bp.Guct(bandit=broken))
    wrong: list[tuple[Callable[[bp.Arms], Any], type[Exception], str]] = [
        (lambda arms: [1.0], ValueError, r"the bandit returned 1 scores for \d+ arms"),
        (lambda arms: [math.nan] * len(arms), ValueError, "not a number"),
        (lambda arms: ["a"] * len(arms), TypeError, "must be real number"),
        (lambda arms: 3, TypeError, "not iterable"),
    ]
    for function, error, message in wrong:
        with pytest.raises(error, match=message):
            bp.solve(*bp.example("museum"), search=bp.Guct(bandit=function))
    for value in (3, None, bp.Ucb1):
        with pytest.raises(TypeError, match="guct: bandit must be of type"):
            bp.Guct(bandit=value)


def test_the_example_in_the_docs(capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parents[2] / "docs" / "search.md").read_text(encoding="utf-8")
    for code in re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        exec(compile(code, "search.md", "exec"), {})
    assert "\nTrue " in capsys.readouterr().out


def test_functions_are_told_apart() -> None:
    assert bp.Guct(bandit=without_numpy) == bp.Guct(bandit=without_numpy)
    assert bp.Guct(bandit=without_numpy) != bp.Guct(bandit=python_normal2)
    assert bp.Guct(bandit=without_numpy).bandit == bp.Guct(bandit=without_numpy).bandit
