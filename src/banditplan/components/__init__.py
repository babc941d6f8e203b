"""The components that a search text can name, read from the compiled core: name → class; and the papers' names."""

from __future__ import annotations

from banditplan import _core
from banditplan.components.planners import PLANNERS

FAMILIES: tuple[tuple[str, type], ...] = (
    ("search", _core.Search),
    ("open list", _core.OpenList),
    ("heuristic", _core.Heuristic),
    ("bandit", _core.Bandit),
    ("backup", _core.Backup),
)

# The names of the tree searches in the papers, and their bandits; a star stands for the Full-Bellman backup.
_TREES = {
    "guct": "ucb1",
    "guct-01": "ucb1_01",
    "guct-v": "ucb_v",
    "guct-tuned": "ucb1_tuned",
    "guct-normal": "normal",
    "guct-normal2": "normal2",
    "guct-uniform": "uniform",
    "ttts-normal": "ttts",
}


def _starred(name: str) -> str:
    return name.replace("guct", "guct*") if name.startswith("guct") else f"{name}*"


ALIASES: dict[str, str] = (
    {name: f"guct(bandit={bandit})" for name, bandit in _TREES.items()}
    | {_starred(name): f"guct(bandit={bandit}, backup=full_bellman)" for name, bandit in _TREES.items()}
    | {name: f"{name.replace('-', '_')}()" for name in ("softmin-type", "type-gbfs", "epsilon-gbfs")}
    | PLANNERS
)


def default_search() -> _core.Search:
    """What `solve` uses unless told otherwise: `guct-normal2(heuristic=ff, preferred=True)`."""
    return _core.Guct(heuristic=_core.Ff(), bandit=_core.Ucb1Normal2(), preferred=True)


def components(family: type) -> dict[str, type]:
    """The classes of a family, by the name that a search text uses."""
    found = (getattr(_core, name) for name in dir(_core))
    return {
        item.text: item
        for item in found
        if isinstance(item, type) and issubclass(item, family) and hasattr(item, "text")
    }


def family_of(kind: str) -> type | None:
    """The family of an option whose type is written as in the stub, or None if its values are no components."""
    name = kind.removeprefix("collections.abc.Sequence[").partition(" | ")[0].removesuffix("]")
    return next((base for _, base in FAMILIES if base.__name__ == name), None)


def listing() -> str:
    """All components, a line for each, and the aliases."""
    lines = []
    for family, base in FAMILIES:
        lines += [f"{family}:", *(f"  {name:16}{item.__doc__}" for name, item in components(base).items()), ""]
    lines += ["names for searches:", *(f"  {alias:16}{text}" for alias, text in ALIASES.items())]
    lines += ["", "Every name takes options: guct-01(heuristic=hadd, c=0.5, preferred=True, deferred=True)"]
    lines += ["`banditplan components NAME` explains one of them."]
    return "\n".join(lines)
