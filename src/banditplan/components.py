"""The components that a search text can name, read from the compiled core: name → class."""

from __future__ import annotations

from banditplan import _core

FAMILIES: tuple[tuple[str, type], ...] = (("search", _core.Search), ("heuristic", _core.Heuristic))

# The searches' own names for texts that are used often.
ALIASES: dict[str, str] = {}


def default_search() -> _core.Search:
    """What `solve` uses unless told otherwise."""
    return _core.Gbfs()


def components(family: type) -> dict[str, type]:
    """The classes of a family, by the name that a search text uses."""
    found = (getattr(_core, name) for name in dir(_core))
    return {
        item.text: item
        for item in found
        if isinstance(item, type) and issubclass(item, family) and hasattr(item, "text")
    }
