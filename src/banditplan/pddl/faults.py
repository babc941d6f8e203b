"""Faults found in a tree: a group and the index of the culprit in it, turned into an error with its place."""

from __future__ import annotations

from banditplan.errors import PddlError, Place, UnsupportedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from banditplan.pddl.tokens import Item, Node, Tree

# The search for similar names is slow, so it is limited to so many names of so many letters.
MAX_CANDIDATES = 2000
MAX_LENGTH = 100


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


def located(fault: Fault, trees: Sequence[Tree]) -> PddlError:
    """The error of a fault in one of the trees, which must be exact."""
    tokens = [(tree, token_at(tree.root, fault.node, fault.index)) for tree in trees]
    tree, token = next((tree, token) for tree, token in tokens if token is not None)
    return fault.error.at(Place(tree.source, token), fault.message)


def token_at(root: Node, node: Node, index: int) -> int | None:
    """How many tokens of `root`, without its own parentheses, come before `node[index]`."""
    token = 0
    path = [(root, enumerate(root))]
    while path:
        group, items = path[-1]
        for number, item in items:
            if group is node and number == index:
                return token
            token += 1
            if not isinstance(item, str):
                path.append((item, enumerate(item)))
                break
        else:
            if group is node:
                return token
            path.pop()
            token += 1
    return None


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
