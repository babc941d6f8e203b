"""Which objects belong to which type."""

from __future__ import annotations

from banditplan.checks import portions, unchecked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from banditplan.checks import Check
    from banditplan.pddl.syntax import Type, Typed


class TypeTable:
    """The objects of a task, in the order of their declaration, and the sets that variables range over."""

    def __init__(self, types: Iterable[Type], objects: Sequence[Typed], check: Check = unchecked) -> None:
        parents: dict[str, set[str]] = {"object": set()}
        for declared in types:
            parents.setdefault(declared.name, set()).update(declared.parents)
        self._ancestors = {name: _closure(name, parents) for name in parents}
        self._types: dict[str, frozenset[str]] = {}
        above: dict[tuple[str, ...], frozenset[str]] = {}  # most objects share their types with others
        for part in portions(objects, check):
            for typed in part:
                types_ = above.get(typed.types)
                if types_ is None:
                    closures = [self._ancestors.get(name) or _closure(name, parents) for name in typed.types]
                    types_ = above[typed.types] = frozenset().union(*closures)
                self._types[typed.name] = types_
        self.names = tuple(self._types)
        self._members: dict[tuple[str, ...], tuple[str, ...]] = {}

    def with_names(self, names: tuple[str, ...]) -> TypeTable:
        """The same objects and further ones, which belong to no type: no variable ranges over them."""
        table = TypeTable.__new__(TypeTable)
        table._ancestors = self._ancestors
        table._types = self._types | dict.fromkeys(names, frozenset())
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
            known = tuple([name for name, has in self._types.items() if not has.isdisjoint(wanted)])
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
