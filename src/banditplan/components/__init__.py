"""The components that a search text can name, read from the compiled core: name → class; and the papers' names."""

from __future__ import annotations

from banditplan import _core
from banditplan.components.planners import PLANNERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FAMILIES: tuple[tuple[str, type], ...] = (
    ("search", _core.Search),
    ("open list", _core.OpenList),
    ("heuristic", _core.Heuristic),
    ("bandit", _core.Bandit),
    ("backup", _core.Backup),
)


def components(family: type) -> dict[str, Any]:
    """The classes of a family, by the name that a search text uses, in the order in which they are registered."""
    found = (item for item in vars(_core).values() if isinstance(item, type) and issubclass(item, family))
    return {item.text: item for item in found if hasattr(item, "text")}


def _marked(name: str, mark: str) -> str:
    return name.replace("guct", f"guct{mark}") if name.startswith("guct") else f"{name}{mark}"


# The papers' names of tree searches, which bandits have with them, and the marks that stand for backups in them.
_TREES = {item.tree: text for text, item in components(_core.Bandit).items() if hasattr(item, "tree")}
_MARKS = {item.mark: text for text, item in components(_core.Backup).items() if hasattr(item, "mark")}

ALIASES: dict[str, str] = (
    {name: f"guct(bandit={bandit})" for name, bandit in _TREES.items()}
    | {
        _marked(name, mark): f"guct(bandit={bandit}, backup={backup})"
        for mark, backup in _MARKS.items()
        for name, bandit in _TREES.items()
    }
    | {text.replace("_", "-"): f"{text}()" for text in components(_core.NamedSearch) if "_" in text}
    | PLANNERS
)


def default_search() -> _core.Search:
    """What `solve` uses unless told otherwise."""
    return _core.Agile()


def heuristic_search() -> _core.Search:
    """What takes its place where a heuristic is given, but no search: `agile` has several heuristics."""
    return _core.Guct(bandit=_core.Ucb1Normal2(), preferred=True)


def in_full(search: _core.Search) -> str:
    """The text of a search, with the sentence that a short name stands for."""
    return repr(search.sentence if isinstance(search, _core.NamedSearch) else search)


def family_of(kind: str) -> type | None:
    """The family of an option whose type is written as in the stub, or None if its values are no components."""
    name = kind.removeprefix("collections.abc.Sequence[").partition(" | ")[0].removesuffix("]")
    return next((base for _, base in FAMILIES if base.__name__ == name), None)


def draws(component: Any) -> bool:
    """Whether a component, or one that it is made of, draws random numbers: its seed matters."""
    if isinstance(component, (list, tuple)):
        return any(map(draws, component))
    if isinstance(component, _core.NamedSearch):
        return draws(component.sentence)
    if not hasattr(component, "options"):
        return False  # a number, or a function in Python
    return bool(component.draws) or any(draws(getattr(component, name.lstrip("*"))) for name, *_ in component.options())


def listing() -> str:
    """All components, a line for each, and the aliases; a long sentence is cut, and shown by `components NAME`."""
    sections = {
        f"{family}:": {name: item.__doc__ for name, item in components(base).items()} for family, base in FAMILIES
    }
    sections["names for searches:"] = {alias: brief(text) for alias, text in ALIASES.items()}
    width = 2 + max(len(name) for section in sections.values() for name in section)
    lines = []
    for title, section in sections.items():
        lines += [title, *(f"  {name:{width}}{text}" for name, text in section.items()), ""]
    lines += ["Every name takes options: guct-01(heuristic=hadd, c=0.5, preferred=True, deferred=True)"]
    lines += ["`banditplan components NAME` explains one of them."]
    return "\n".join(lines)


def brief(sentence: str, most: int = 100) -> str:
    """The text of a search as it is shown in a line with other things: a long one is cut."""
    return sentence if len(sentence) <= most else f"{sentence[: most - 1]}…"
