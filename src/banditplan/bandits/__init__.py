"""The bandits without a planner: the same code that chooses in the tree plays on synthetic arms. Costs are minimised.

>>> import banditplan as bp
>>> from banditplan import bandits
>>> arms = bandits.Constant(3), bandits.Constant(1), bandits.Constant(2)
>>> played = bandits.play(bp.Ucb1Normal2(), arms, pulls=100, repetitions=5)
>>> played.regret.mean[-1]
3.0
>>> played.pulls[0]
(1, 98, 1)

What the paper proves about the regret is in `banditplan.bandits.bounds`, which needs SciPy.
"""

from banditplan._core import Constant, Costs, Gaussian, Uniform, Urn
from banditplan.bandits.play import Curve, Played, play

__all__ = ["Constant", "Costs", "Curve", "Gaussian", "Played", "Uniform", "Urn", "play"]
