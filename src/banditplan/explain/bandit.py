"""How to speak about the scores of a bandit: the words and formulas behind the numbers of a trace."""

from __future__ import annotations

import re
from typing import Any

from banditplan import _core
from banditplan.components import components, in_full
from banditplan.components.spec import parse_search
from banditplan.errors import InputError

UNKNOWN = ("a bandit in Python", "score", "")
NONE = ("", "", "")  # a search without a tree


def bandit(search: str) -> dict[str, Any]:
    """What the page says about the bandit and the backup of a search text; of one without a tree, nothing."""
    search = _in_full(search)
    found = re.search(r"\bbandit=(\w+)", search)
    key = found.group(1) if found else ""
    known = components(_core.Bandit).get(key)
    name, score, formula = (_title(known), known.score, known.formula) if known else UNKNOWN if found else NONE
    stated = re.search(r"\bbackup=(\w+)", search)
    backup = components(_core.Backup).get(stated.group(1) if stated else "", _core.MonteCarlo)
    return {
        "key": key,
        "name": name,
        "score": score,
        "formula": formula,
        "estimate": _estimate(known, backup),
        "backup": backup.text,
        "c": _rate(search),
    }


def _in_full(search: str) -> str:
    """The text with the sentence that a short name stands for, unless it uses functions in Python."""
    try:
        return in_full(parse_search(search))
    except InputError:
        return search


def _rate(search: str) -> float:
    """The exploration rate, of bandits that have one."""
    found = re.search(r"\bbandit=\w+\(c=([0-9.e+-]+)", search)
    return float(found.group(1)) if found else 1.0


def _title(bandit: Any) -> str:
    """What its paper calls it."""
    return str(bandit.__doc__).partition(" (")[0] if bandit.paper else str(bandit.text)


def _estimate(bandit: Any, backup: Any) -> str:
    """What the bandit is told of an arm: what the backup makes of the leaves, unless it has another idea of a mean."""
    if backup is _core.MonteCarlo and bandit is not None and bandit().center == "midrange":
        return "the middle between minimum and maximum"
    words = str(backup.__doc__).partition(" (")[0]
    return words[0].lower() + words[1:]
