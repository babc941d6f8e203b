"""Derived predicates → axioms with strata: a negated derived predicate is complete before it is read."""

from __future__ import annotations

from banditplan.normalize.task import Axiom
from banditplan.pddl.syntax import Atom, Not

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from banditplan.normalize.task import Condition


class NotStratified(Exception):
    """A derived predicate that depends on its own negation; `predicate` is one of those on the cycle."""

    def __init__(self, predicate: str) -> None:
        super().__init__(predicate)
        self.predicate = predicate


def stratified(axioms: Sequence[Axiom]) -> tuple[Axiom, ...]:
    """The axioms with the lowest possible strata; raises NotStratified if there are none."""
    stratum = {axiom.head.predicate: 0 for axiom in axioms}
    for changed in range(len(stratum) + 1):
        raised = None
        for axiom in axioms:
            head = axiom.head.predicate
            lowest = _lowest_stratum(axiom.body, stratum)
            if lowest > stratum[head]:
                stratum[head] = lowest
                raised = head
        if raised is None:
            break
        # There are no more strata than predicates, unless a cycle through a negation raises them for ever.
        if max(stratum.values()) > len(stratum) or changed == len(stratum):
            raise NotStratified(raised)
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
