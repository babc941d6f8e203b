"""What the papers prove about regret, as they state it: bounds on the expected pulls of an arm that is not the best.

Times the arm's gap, and summed over the arms, they bound the cumulative regret. `gap` is Δ, the mean cost of the arm
minus that of the best; `deviation` is σ of its costs, `total` is T.

Wissow and Asai (2024) read χ²(1−α, n) in two ways. The statement of their theorem has P(χ² < it) = α, and takes the
minimum number of pulls M from it; their proof has P(χ² < it) = 1 − α, and uses it for −2 log α. `reading` chooses where
the two differ.
"""

from __future__ import annotations

import math
from typing import Literal, get_args

from banditplan.errors import MissingExtra

try:
    from scipy.special import zeta
    from scipy.stats import chi2
except ImportError as error:
    raise MissingExtra("the theory of the bandits", "SciPy", "banditplan[plot]") from error

Reading = Literal["statement", "proof"]
THRESHOLD = 8  # 2 − 3/8 χ² < −1, so that the series converges
MOST_PULLS = 10**6
TABLE = (1, 2, 3, 4, 5, 10, 15, 20, 25, 30)


def critical_value(alpha: float, pulls: int, reading: Reading = "statement") -> float:
    """χ²(1−α, n) with n = `pulls` degrees of freedom."""
    _check(alpha)
    return float(chi2.ppf(alpha if reading == "statement" else 1 - alpha, pulls))


def minimum_pulls(alpha: float, reading: Reading = "statement") -> int:
    """M, the least n with 8 < χ²(1−α, n): so often must every arm be pulled before the theorem applies."""
    low, high = 0, 1  # the critical value grows with n
    while critical_value(alpha, high, reading) <= THRESHOLD:
        if high > MOST_PULLS:
            raise ValueError(f"for α = {alpha}, {MOST_PULLS:,} pulls do not suffice")
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if critical_value(alpha, middle, reading) > THRESHOLD:
            high = middle
        else:
            low = middle
    return high


def series(alpha: float, pulls: int, reading: Reading = "statement") -> float:
    """C, the sum of t^(2 − 3/8 χ²(1−α, M)) over all t ≥ 1 with M = `pulls`; infinite if M is too small."""
    exponent = 3 / 8 * critical_value(alpha, pulls, reading) - 2
    return float(zeta(exponent)) if exponent > 1 else math.inf


def ucb1_normal2_bound(
    alpha: float,
    total: int,
    *,
    deviation: float,
    gap: float,
    pulls: int | None = None,
    reading: Reading = "statement",
) -> float:
    """The main result of Wissow and Asai (2024): −4 log α σ² log T / Δ² + 1 + 2C + (1−α) T (T+1) (2T+1) / 3.

    `pulls` is how often every arm is pulled in the beginning; by default, M.
    """
    constant = series(alpha, minimum_pulls(alpha, reading) if pulls is None else pulls, reading)
    logarithmic = -4 * math.log(alpha) * deviation**2 * math.log(total) / gap**2
    return logarithmic + 1 + 2 * constant + (1 - alpha) * total * (total + 1) * (2 * total + 1) / 3


def ucb1_normal_bound(total: int, *, deviation: float, gap: float) -> float:
    """For UCB1-Normal (Auer, Cesa-Bianchi and Fischer 2002): 256 σ² log T / Δ² + 1 + π²/2 + 8 log T."""
    return 256 * deviation**2 * math.log(total) / gap**2 + 1 + math.pi**2 / 2 + 8 * math.log(total)


def table() -> str:
    """χ²(1−α, n) for some α, and M, in both readings."""
    alphas = (0.9, 0.95, 0.99, 0.995, 0.999)
    head = f"{'n':>4}" + "".join(f"{alpha:>10}" for alpha in alphas)
    lines = []
    for reading in get_args(Reading):
        rows = [(str(n), [f"{critical_value(alpha, n, reading):.3f}" for alpha in alphas]) for n in TABLE]
        rows.append(("M", [str(minimum_pulls(alpha, reading)) for alpha in alphas]))
        lines += [f"χ²(1−α, n), as in the {reading} of the theorem; columns: α", head]
        lines += [f"{name:>4}" + "".join(f"{value:>10}" for value in row) for name, row in rows]
        lines.append("")
    return "\n".join(lines[:-1])


def _check(alpha: float) -> None:
    if not 0 < alpha <= 1:
        raise ValueError(f"α is a probability, greater than 0 and at most 1, not {alpha}")
