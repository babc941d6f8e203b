"""Derived predicates → axioms with strata: a negated derived predicate is complete before it is read."""

from __future__ import annotations

from banditplan.normalize.task import Axiom
from banditplan.pddl.syntax import Atom, Not

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from banditplan.normalize.task import Condition


class NotStratified(Exception):
    """A derived predicate depends on its own negation; `predicate` is the first one that lies on the cycle."""

    def __init__(self, predicate: str) -> None:
        super().__init__(predicate)
        self.predicate = predicate


def stratified(axioms: Sequence[Axiom]) -> tuple[Axiom, ...]:
    """The axioms with the lowest possible strata; raises NotStratified if there are none."""
    stratum = {axiom.head.predicate: 0 for axiom in axioms}
    for changed in range(len(stratum) + 1):
        raised = False
        for axiom in axioms:
            head = axiom.head.predicate
            lowest = _lowest_stratum(axiom.body, stratum)
            if lowest > stratum[head]:
                stratum[head] = lowest
                raised = True
        if not raised:
            break
        # There are no more strata than predicates, unless a cycle through a negation raises them for ever.
        if max(stratum.values()) > len(stratum) or changed == len(stratum):
            raise NotStratified(_on_cycle(axioms))
    return tuple(Axiom(axiom.head, axiom.variables, axiom.body, stratum[axiom.head.predicate]) for axiom in axioms)


def _lowest_stratum(body: Condition, stratum: dict[str, int]) -> int:
    lowest = 0
    for literal in body:
        match literal:
            case Not(Atom(predicate)):
                lowest = max(lowest, stratum.get(predicate, -1) + 1)
            case Atom(predicate):
                lowest = max(lowest, stratum.get(predicate, 0))
    return lowest


def _on_cycle(axioms: Sequence[Axiom]) -> str:
    """The first predicate that lies on a cycle through a negation; there is one."""
    uses: dict[str, set[str]] = {}
    for axiom in axioms:
        parts = [literal.part if isinstance(literal, Not) else literal for literal in axiom.body]
        uses.setdefault(axiom.head.predicate, set()).update(
            [part.predicate for part in parts if isinstance(part, Atom)]
        )
    below = {head: _reachable(head, uses) for head in uses}
    cycles = [
        literal.part.predicate
        for axiom in axioms
        for literal in axiom.body
        if isinstance(literal, Not)
        and isinstance(literal.part, Atom)
        and axiom.head.predicate in below.get(literal.part.predicate, ())
    ]
    return next(head for head in uses if any(head in below[other] and other in below[head] for other in cycles))


def _reachable(start: str, uses: dict[str, set[str]]) -> set[str]:
    """What a predicate depends on, itself included."""
    found = {start}
    queue = [start]
    while queue:
        for predicate in uses.get(queue.pop(), ()):
            if predicate not in found:
                found.add(predicate)
                queue.append(predicate)
    return found
