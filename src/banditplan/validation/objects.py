"""The objects of a task by type."""

from __future__ import annotations

from banditplan.checks import portions, unchecked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan.checks import Check
    from banditplan.pddl.syntax import Domain, Parsed

    Members = dict[str, None]  # an ordered set: cheap to iterate over and to look into


class Objects:
    """Which objects there are, and which of them belong to a type or to one of its subtypes."""

    def __init__(self, parsed: Parsed, check: Check = unchecked) -> None:
        ancestors = _ancestors(parsed.domain)
        self._of_type: dict[str, Members] = {"object": {}}
        self._of_types: dict[tuple[str, ...], Members] = {}
        self._items = (*parsed.domain.constants, *parsed.problem.objects)
        for part in portions(self._items, check):
            for item in part:
                self._of_type["object"][item.name] = None
                for type_ in item.types:
                    for ancestor in ancestors.get(type_, ()):
                        self._of_type.setdefault(ancestor, {})[item.name] = None

    def all(self) -> Members:
        return self._of_type["object"]

    def of(self, types: tuple[str, ...]) -> Members:
        """The objects that belong to at least one of `types`."""
        members = self._of_types.get(types)
        if members is None:
            members = {name: None for name in self.all() if any(name in self._of_type.get(t, ()) for t in types)}
            self._of_types[types] = members
        return members

    def declared(self, name: str) -> tuple[str, ...]:
        """The types with which the object `name` was declared."""
        return next(item.types for item in self._items if item.name == name)


def _ancestors(domain: Domain) -> dict[str, tuple[str, ...]]:
    """For each declared type the type itself and all types above it."""
    parents: dict[str, list[str]] = {}
    for item in domain.types:
        parents.setdefault(item.name, []).extend(item.parents)
    return {name: _closure(name, parents) for name in parents}


def _closure(name: str, parents: dict[str, list[str]]) -> tuple[str, ...]:
    found = {name: None}
    waiting = [name]
    while waiting:
        new = [parent for parent in parents.get(waiting.pop(), ()) if parent not in found]
        found.update(dict.fromkeys(new))
        waiting.extend(new)
    return tuple(found)
