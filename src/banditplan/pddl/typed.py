"""Types and typed lists: `a b - t c - (either t u)`."""

from __future__ import annotations

from banditplan.checks import PORTION, portions, unchecked
from banditplan.pddl.faults import Fault, index_of, quoted, similar
from banditplan.pddl.syntax import Type, Typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from banditplan.checks import Check
    from banditplan.pddl.tokens import Node

OBJECT = ("object",)


class Types:
    """The type hierarchy below the root `object`."""

    def __init__(self, declared: tuple[Type, ...] = ()) -> None:
        self.declared = declared
        self.parents = {type_.name: type_.parents for type_ in declared}
        self.used = False
        self._ancestors: dict[str, frozenset[str]] = {"object": frozenset(OBJECT)}
        self._overlaps: dict[tuple[tuple[str, ...], tuple[str, ...]], bool] = {}

    def ancestors(self, name: str) -> frozenset[str]:
        """A type with all types above it."""
        known = self._ancestors.get(name)
        if known is None:
            found = {name, "object"}
            waiting = [name]
            while waiting:
                new = [parent for parent in self.parents.get(waiting.pop(), ()) if parent not in found]
                found.update(new)
                waiting += new
            known = self._ancestors[name] = frozenset(found)
        return known

    def below(self, types: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
        """Whether an object of these types is an object of the wanted ones."""
        return any(not self.ancestors(name).isdisjoint(wanted) for name in types)

    def overlap(self, types: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
        """Whether an object could be of both."""
        known = self._overlaps.get((types, wanted))
        if known is None:
            known = self.below(types, wanted) or self.below(wanted, types) or self._common(types, wanted)
            self._overlaps[types, wanted] = known
        return known

    def _common(self, types: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
        return any(self.below((name,), types) and self.below((name,), wanted) for name in self.parents)

    def read(self, node: Node, index: int) -> tuple[str, ...]:
        """The known type or types at `node[index]`."""
        self.used = True
        names = read_names(node, index)
        for number, name in enumerate(names, 1):
            if name not in self.parents and name != "object":
                message = f"unknown type {quoted(name)}{similar(name, ['object', *self.parents])}"
                item = node[index]
                raise Fault(node, index, message) if isinstance(item, str) else Fault(item, number, message)
        return names


def read_names(node: Node, index: int) -> tuple[str, ...]:
    """One name of a type, or the several of `(either …)`."""
    item = node[index] if index < len(node) else ()
    if isinstance(item, str):
        return (item,)
    if isinstance(item, tuple) and len(item) > 1 and item[0] == "either":
        return item[1:]
    raise Fault(node, index, 'expected a type after "-"')


def typed_list(
    node: Node,
    start: int,
    kind: str,
    read_types: Callable[[Node, int], tuple[str, ...]],
    check: Check = unchecked,
    *,
    repeats: bool = False,
) -> list[Typed]:
    """The names from `node[start]` on with their types; `kind` is what messages call such a name."""
    typed: list[Typed] = []
    if start == len(node):
        return typed
    names: list[str] = []
    index = start
    while index < len(node):
        item = node[index]
        if not index & 4095:
            check()
        if item == "-":
            if not names:
                raise Fault(node, index, f'expected {_a(kind)} before "-"')
            types = read_types(node, index + 1)
            typed += _all_typed(names, types, check)
            names.clear()
            index += 1
        elif isinstance(item, str) and (item[0] == "?" != item if kind == "variable" else item[0] not in "?:-"):
            names.append(item)
        else:
            raise _misnamed(node, index, kind)
        index += 1
    typed += _all_typed(names, OBJECT, check)
    if not repeats and len({each.name for each in typed}) < len(typed):
        raise _repeated(node, start, kind)
    return typed


def _all_typed(names: list[str], types: tuple[str, ...], check: Check) -> list[Typed]:
    if len(names) <= PORTION:
        return [Typed(name, types) for name in names]
    typed = []
    for part in portions(names, check):
        typed += [Typed(name, types) for name in part]
    return typed


def declared_once(
    node: Node,
    kind: str,
    read_types: Callable[[Node, int], tuple[str, ...]],
    warn: Callable[[str], None],
    check: Check = unchecked,
) -> list[Typed]:
    """The names that a section declares; one that is repeated with the same type is worth a warning, no more."""
    typed = typed_list(node, 1, kind, read_types, check, repeats=True)
    first: dict[str, Typed] = {}
    for part in portions(typed, check):
        for each in part:
            known = first.setdefault(each.name, each)
            if known is not each and known != each:
                raise _repeated(node, 1, kind, each.name)
    if len(first) == len(typed):
        return typed
    _warn_of_repetition(typed, kind, warn)
    return list(first.values())


def read_types(node: Node, warn: Callable[[str], None]) -> Types:
    """The section `(:types …)`; a parent that is declared nowhere is a child of `object`.

    A type that is declared twice, as some benchmarks do, has the parents of both declarations.
    """
    parents: dict[str, tuple[str, ...]] = {}
    declared = typed_list(node, 1, "type", read_names, repeats=True)
    for typed in declared:
        parents[typed.name] = tuple(dict.fromkeys(parents.get(typed.name, ()) + typed.types))
    if len(parents) < len(declared):
        _warn_of_repetition(declared, "type", warn)
    if parents.get("object", OBJECT) != OBJECT:
        raise Fault(node, index_of(node, "object"), 'type "object" is the root of all types; it has no parent')
    parents.pop("object", None)
    for undeclared in [name for names in parents.values() for name in names if name not in parents]:
        if undeclared != "object":
            parents[undeclared] = OBJECT
    _refuse_cycles(node, parents)
    return Types(tuple([Type(name, names) for name, names in parents.items()]))


def _refuse_cycles(node: Node, parents: dict[str, tuple[str, ...]]) -> None:
    """Take away the types whose parents are all gone, until none is left or the rest leads into a cycle."""
    children: dict[str, list[str]] = {}
    missing = {}
    for name, above in parents.items():
        missing[name] = len(above)
        for parent in above:
            children.setdefault(parent, []).append(name)
    free = ["object"]
    while free:
        for child in children.get(free.pop(), ()):
            missing[child] -= 1
            if not missing[child]:
                del missing[child]
                free.append(child)
    if missing:
        chain = [next(iter(missing))]
        while chain[-1] not in chain[:-1]:
            chain.append(next(parent for parent in parents[chain[-1]] if parent in missing))
        cycle = chain[chain.index(chain[-1]) :]
        shown = " - ".join(cycle[:8]) + (" - …" if len(cycle) > 8 else "")
        raise Fault(node, index_of(node, cycle[0]), f"type {quoted(cycle[0])} is its own ancestor: {shown}")


def _misnamed(node: Node, index: int, kind: str) -> Fault:
    item = node[index]
    remedy = ""
    if isinstance(item, str) and item[0] == "-":
        remedy = '; put a space after "-"'
    elif isinstance(item, str) and kind == "variable":
        remedy = '; variables begin with "?"'
    elif item and not isinstance(item, str) and item[0] == "either":
        remedy = '; "(either …)" follows a "-"'
    return Fault(node, index, f"expected {_a(kind)}, found {quoted(item)}{remedy}")


def _a(kind: str) -> str:
    return f"an {kind}" if kind == "object" else f"a {kind}"


def _repeated(node: Node, start: int, kind: str, which: str | None = None) -> Fault:
    """The fault of a name, any or a certain one, that is there for the second time."""
    seen: set[str] = set()
    for index in range(start, len(node)):
        name = node[index]
        if isinstance(name, str) and node[index - 1] != "-" and which in (None, name):
            if name in seen and name != "-":
                return Fault(node, index, f"{kind} {quoted(name)} is declared twice")
            seen.add(name)
    raise AssertionError("a repeated name is somewhere")


def _warn_of_repetition(typed: list[Typed], kind: str, warn: Callable[[str], None]) -> None:
    seen: set[str] = set()
    twice: dict[str, None] = {}
    for each in typed:
        if each.name in seen:
            twice[each.name] = None
        seen.add(each.name)
    first, *others = twice
    more = f" (and {len(others)} more)" if others else ""
    warn(f"{kind} {quoted(first)}{more} is declared twice")


def shown_types(types: tuple[str, ...]) -> str:
    return types[0] if len(types) == 1 else f"(either {' '.join(types)})"
