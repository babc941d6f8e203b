"""Faults found in a tree: a group and the index of the culprit in it, turned into an error with its place."""

from __future__ import annotations

from banditplan.errors import PddlError, Place, UnsupportedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from banditplan.pddl.tokens import Item, Node, Tree

# The search for similar names is slow, so it is limited to so many names of so many letters.
MAX_CANDIDATES = 2000
MAX_LENGTH = 100

MOST_FAULTS = 10


class Fault(Exception):
    """Something is wrong with `node[index]`; an index behind the end means its closing parenthesis."""

    error = PddlError

    def __init__(self, node: Node, index: int, message: str) -> None:
        super().__init__(message)
        self.node = node
        self.index = index
        self.message = message


class Unsupported(Fault):
    """A feature that is legal PDDL but not supported."""

    error = UnsupportedError


class Enough(Exception):
    """There are so many faults, or such, that it makes no sense to go on."""


class Faults:
    """A context that notes a fault and lets go on behind it."""

    def __init__(self) -> None:
        self.found: list[Fault] = []

    def add(self, fault: Fault) -> None:
        self.found.append(fault)
        if len(self.found) == MOST_FAULTS:
            raise Enough

    def settle(self) -> None:
        """What comes next would stumble over what is missing now."""
        if self.found:
            raise Enough

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> bool:
        if not isinstance(error, Fault):
            return False
        self.add(error)
        return True


def located(fault: Fault, trees: Sequence[Tree]) -> PddlError | None:
    """The error of a fault in one of the trees; None if its group is in several places, as it can be unless exact."""
    places = [Place(tree.source, token) for tree in trees for token in tokens_at(tree.root, fault.node, fault.index)]
    return fault.error.at(places[0], fault.message) if len(places) == 1 else None


def tokens_at(root: Node, node: Node, index: int) -> Iterator[int]:
    """How many tokens of `root`, without its own parentheses, come before `node[index]`, for each place of `node`."""
    token = 0
    path = [(root, enumerate(root))]
    while path:
        group, items = path[-1]
        for number, item in items:
            if group is node and number == index:
                yield token
            if isinstance(item, list):
                token += 1
                path.append((item, enumerate(item)))
                break
            if item is node:
                yield token + 1 + min(index, len(item))
            token += 1 if isinstance(item, str) else len(item) + 2
        else:
            if group is node and index >= len(group):
                yield token
            path.pop()
            token += 1


def similar(name: str, candidates: Iterable[str]) -> str:
    """`; did you mean "…"?` where a candidate is close to the name, else nothing."""
    if len(name) > MAX_LENGTH:
        return ""
    import difflib

    plausible = [other for other in candidates if abs(len(other) - len(name)) <= 4]
    found = difflib.get_close_matches(name, plausible[:MAX_CANDIDATES], n=1)
    return f'; did you mean "{found[0]}"?' if found else ""


def quoted(item: Item) -> str:
    """An item as a message shows it."""
    if isinstance(item, str):
        return f'"{item}"' if len(item) <= 60 else f'"{item[:60]}…"'
    return f'"({item[0]} …)"' if item and isinstance(item[0], str) and len(item[0]) <= 60 else '"("'


def index_of(node: Node, name: str) -> int:
    """Where a typed list declares a name (types, which follow a dash, do not count)."""
    return next(i for i, item in enumerate(node) if item == name and i > 0 and node[i - 1] != "-")
