"""How to speak about the scores of a bandit: the words and formulas behind the numbers of a trace."""

from __future__ import annotations

import re
from typing import Any

# The name; what a score is; how it is computed from the estimate (Ê), σ, n and T.
BANDITS = {
    "normal2": ("UCB1-Normal2", "bound", "Ê − σ √(2 ln T)"),
    "normal": ("UCB1-Normal", "bound", "Ê − σ √(16 ln T / n); before that, ⌊8 ln T⌋ initial pulls of every arm"),
    "ucb1": ("UCB1", "bound", "Ê − c √(2 ln T / n)"),
    "ucb1_01": ("UCB1-01", "bound", "Ê − c · (range of the estimates) · √(2 ln T / n)"),
    "ucb1_tuned": ("UCB1-Tuned", "bound", "Ê − c √(min(1/4, σ² + √(2 ln T / n)) ln T / n)"),
    "ucb_v": ("UCB-V", "bound", "Ê − σ √(2 ln T / n) − 3 c ln T / n"),
    "uniform": ("UCB1-Uniform", "bound", "Ê − (maximum − minimum) √(6 n ln T)"),
    "ttts": ("TTTS-Normal", "draw", "a draw from N(Ê, σ² / n)"),
    "greedy": ("greedy", "estimate", "Ê"),
}
UNKNOWN = ("a bandit in Python", "score", "")
NONE = ("", "", "")  # a search without a tree


def bandit(search: str) -> dict[str, Any]:
    """What the page says about the bandit and the backup of a search text; of one without a tree, nothing."""
    found = re.search(r"\bbandit=(\w+)", search)
    key = found.group(1) if found else ""
    name, score, formula = BANDITS.get(key, UNKNOWN) if found else NONE
    return {
        "key": key,
        "name": name,
        "score": score,
        "formula": formula,
        "estimate": _estimate(key, "backup=full_bellman" in search),
        "fullBellman": "backup=full_bellman" in search,
        "c": _rate(search),
    }


def _rate(search: str) -> float:
    """The exploration rate, of bandits that have one."""
    found = re.search(r"\bbandit=\w+\(c=([0-9.e+-]+)", search)
    return float(found.group(1)) if found else 1.0


def _estimate(key: str, full_bellman: bool) -> str:
    if full_bellman:
        return "the least h of the leaves that can still be selected"
    return "the middle between minimum and maximum" if key == "uniform" else "the mean h of the leaves"
