"""Which objects belong to which type."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from banditplan.pddl.syntax import Type, Typed


class TypeTable:
    """The objects of a task, in the order of their declaration, and the sets that variables range over."""

    def __init__(self, types: Iterable[Type], objects: Iterable[Typed]) -> None:
        parents: dict[str, set[str]] = {"object": set()}
        for declared in types:
            parents.setdefault(declared.name, set()).update(declared.parents)
        self._ancestors = {name: _closure(name, parents) for name in parents}
        self._types: dict[str, set[str]] = {}
        for typed in objects:
            known = self._types.setdefault(typed.name, set())
            for name in typed.types:
                known |= self._ancestors.get(name) or _closure(name, parents)
        self.names = tuple(self._types)
        self._members: dict[tuple[str, ...], tuple[str, ...]] = {}

    def with_names(self, names: tuple[str, ...]) -> TypeTable:
        """The same objects and further ones, which belong to no type: no variable ranges over them."""
        table = TypeTable.__new__(TypeTable)
        table._ancestors = self._ancestors
        table._types = self._types | {name: set() for name in names}
        table._members = self._members
        table.names = tuple(table._types)
        return table

    @property
    def type_names(self) -> tuple[str, ...]:
        return tuple(self._ancestors)

    def members(self, types: tuple[str, ...]) -> tuple[str, ...]:
        """The objects of at least one of the types."""
        known = self._members.get(types)
        if known is None:
            wanted = set(types)
            known = tuple(name for name, has in self._types.items() if has & wanted)
            self._members[types] = known
        return known


def _closure(name: str, parents: dict[str, set[str]]) -> set[str]:
    """The type, all its ancestors, and `object`."""
    found = {name, "object"}
    queue = [name]
    while queue:
        for parent in parents.get(queue.pop(), ()):
            if parent not in found:
                found.add(parent)
                queue.append(parent)
    return found
