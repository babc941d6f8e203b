"""The frame that domains and problems share: `(define (domain name) (:section …) …)`."""

from __future__ import annotations

from banditplan.errors import Place
from banditplan.frozen import frozen
from banditplan.pddl.faults import Fault, Unsupported, quoted, similar, tokens_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from banditplan.pddl.faults import Faults
    from banditplan.pddl.tokens import Node, Tree

UNSUPPORTED = {
    ":durative-action": "durative actions",
    ":constraints": "trajectory constraints",
    ":process": "processes",
    ":event": "events",
    ":axiom": "axioms in the syntax of PDDL 1",
    ":method": "hierarchical tasks",
    ":task": "hierarchical tasks",
    ":htn": "hierarchical tasks",
}
REPEATABLE = (":action", ":derived", ":requirements")
DOMAIN_SECTIONS = (":requirements", ":types", ":constants", ":predicates", ":functions", ":derived", ":action")
PROBLEM_SECTIONS = (":domain", ":requirements", ":objects", ":init", ":goal", ":metric", ":length")


@frozen
class Define:
    """A definition with its sections by keyword, each with its index in `node`."""

    tree: Tree
    node: Node
    name: str
    sections: dict[str, list[tuple[int, Node]]]

    def all(self, keyword: str) -> list[Node]:
        return [node for _, node in self.sections.get(keyword, ())]

    def only(self, keyword: str) -> Node | None:
        return self.sections[keyword][0][1] if keyword in self.sections else None

    def place(self, index: int) -> Place:
        """The place of the section at this index; sections that are tuples have no recorded start."""
        token = self.tree.starts.get(index)
        if token is None:
            token = next(tokens_at(self.tree.root, self.node, index))
        return Place(self.tree.source, token)


def read_define(tree: Tree, kind: str, faults: Faults) -> Define:
    """Check the frame of a definition, where `kind` is domain or problem."""
    root = tree.root
    node = root[0] if root else ()
    if isinstance(node, str) or not node or node[0] != "define":
        found = f", found {quoted(node)}" if root else "; the file is empty"
        raise Fault(root, 0, f'expected "(define ({kind} …) …)"{found}')
    if len(root) > 1:
        raise Fault(root, 1, f'unexpected text after the end of "(define …)": {quoted(root[1])}')
    name = _read_name(node, kind)
    known = DOMAIN_SECTIONS if kind == "domain" else PROBLEM_SECTIONS
    sections: dict[str, list[tuple[int, Node]]] = {}
    for index in range(2, len(node)):
        section = node[index]
        keyword = "" if isinstance(section, str) or not section else section[0]
        if keyword in known and (keyword not in sections or keyword in REPEATABLE):
            sections.setdefault(keyword, []).append((index, section))  # type: ignore[arg-type]
        else:
            faults.add(_odd_section(node, index, kind, known))
    return Define(tree, node, name, sections)


def read_word(node: Node, index: int, what: str) -> str:
    """The word at `node[index]`, called `what` in messages."""
    word = node[index] if index < len(node) else ()
    if not isinstance(word, str):
        raise Fault(node, index, f"expected {what}")
    return word


def _read_name(node: Node, kind: str) -> str:
    head = node[1] if len(node) > 1 else ()
    if isinstance(head, str) or not head:
        raise Fault(node, 1, f'expected "({kind} name)" after "define"')
    other = "problem" if kind == "domain" else "domain"
    if head[0] == other:
        raise Fault(head, 0, f"this is a {other}, but a {kind} is expected here; did you swap the two files?")
    if head[0] != kind:
        raise Fault(head, 0, f'expected "{kind}", found {quoted(head[0])}')
    name = read_word(head, 1, f"the name of the {kind}")
    if len(head) > 2:
        raise Fault(head, 2, f"unexpected {quoted(head[2])} after the name of the {kind}")
    return name


def _odd_section(node: Node, index: int, kind: str, known: Sequence[str]) -> Fault:
    section = node[index]
    if isinstance(section, str) or not section or not isinstance(section[0], str):
        return Fault(node, index, f"expected a section such as ({known[-1]} …), found {quoted(section)}")
    keyword = section[0]
    if keyword in known:
        return Fault(section, 0, f"a second ({keyword} …); merge it with the first one")
    if keyword in UNSUPPORTED:
        return Unsupported(section, 0, f"{UNSUPPORTED[keyword]} ({quoted(keyword)}) are not supported")
    if keyword in DOMAIN_SECTIONS or keyword in PROBLEM_SECTIONS:
        other = "problem" if kind == "domain" else "domain"
        return Fault(section, 0, f"({keyword} …) belongs in the {other}, not in the {kind}")
    hint = similar(keyword, known) or f"; known in a {kind}: {' '.join(known)}"
    return Fault(section, 0, f"unknown section {quoted(keyword)}{hint}")
