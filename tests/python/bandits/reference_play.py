"""Games with synthetic arms, slow and plain: all costs are kept, and their statistics computed anew for every choice.
Random numbers are drawn as the core draws them, so that both make the same pulls.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from searches.reference_guct import BANDITS, Arm, Random

from banditplan import bandits


def draw(costs: bandits.Costs, left: list[float], random: Random) -> float:
    match costs:
        case bandits.Gaussian():
            return costs.mean + costs.deviation * random.normal()
        case bandits.Uniform():
            return costs.low + (costs.high - costs.low) * random.uniform()
        case bandits.Constant():
            return costs.cost
        case bandits.Urn():
            i = random.below(len(left))
            if costs.replace:
                return left[i]
            left[i], left[-1] = left[-1], left[i]
            return left.pop()
    raise TypeError(costs)


@dataclass
class Lever:
    costs: bandits.Costs
    random: Random
    left: list[float] = field(default_factory=list)
    met: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        if isinstance(self.costs, bandits.Urn):
            self.left = list(self.costs.costs)

    @property
    def exhausted(self) -> bool:
        return isinstance(self.costs, bandits.Urn) and not self.costs.replace and not self.left

    @property
    def mean(self) -> float:
        return math.fsum(self.met) / len(self.met)

    def arm(self, spread: float) -> Arm:
        count, low, high = len(self.met), min(self.met), max(self.met)
        variance = math.fsum((cost - self.mean) ** 2 for cost in self.met) / count
        return Arm(count, self.mean, (low + high) / 2, variance, low, high, spread)  # type: ignore[arg-type]


@dataclass
class Reference:
    regret: list[float]
    least: list[float]
    pulls: list[int]


def play(name: str, arms: Sequence[bandits.Costs], pulls: int, initial_pulls: int, seed: int) -> Reference:
    """The regret after every pull."""
    choose: Callable[[list[Arm], int, Random], int] = BANDITS[name]
    random = Random(seed)
    levers = [Lever(costs, Random(random.next())) for costs in arms]
    initial = [lever for _ in range(initial_pulls) for lever in levers]
    regret: list[float] = []
    least: list[float] = []
    for _ in range(pulls):
        offered = [lever for lever in levers if not lever.exhausted]
        if not offered:
            regret.append(regret[-1])
            least.append(least[-1])
            continue
        while initial and initial[0].exhausted:
            initial.pop(0)
        if initial:
            lever = initial.pop(0)
        elif len(offered) == 1:
            lever = offered[0]
        else:
            means = [each.mean for each in offered]
            arms_on_offer = [each.arm(max(means) - min(means)) for each in offered]
            lever = offered[choose(arms_on_offer, len(regret), random)]
        best = min(each.costs.expected for each in offered)
        lever.met.append(draw(lever.costs, lever.left, lever.random))
        regret.append((regret[-1] if regret else 0.0) + (lever.costs.expected - best))
        least.append(min(lever.met[-1], least[-1] if least else math.inf))
    return Reference(regret, least, [len(lever.met) for lever in levers])
