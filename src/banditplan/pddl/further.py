"""Further facts and goals of a task that was read before, or made in memory: its names are taken from its syntax."""

from __future__ import annotations

from banditplan.errors import InputError, Source
from banditplan.pddl.faults import Fault, located
from banditplan.pddl.formulas import outer_scope, read_formula
from banditplan.pddl.names import Names
from banditplan.pddl.tokens import read_tree
from banditplan.pddl.typed import Types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan.pddl.syntax import Atom, Formula, Parsed


def names_of(parsed: Parsed) -> Names:
    domain, problem = parsed.domain, parsed.problem
    return Names(
        Types(domain.types),
        {each.name: each.types for each in (*domain.constants, *problem.objects)},
        {each.name: each for each in domain.predicates},
        {each.name: each for each in domain.functions},
        frozenset(rule.head for rule in domain.derived),
    )


def read_condition(text: str, names: Names) -> Formula:
    """A condition without free variables; raises PddlError."""
    tree = read_tree(Source("<goal>", text), exact=True)
    if len(tree.root) != 1:
        raise InputError("the goal is a single condition; join several by (and …)")
    try:
        return read_formula(tree.root, 0, outer_scope(names))
    except Fault as fault:
        error = located(fault, (tree,))
        raise error or InputError(fault.message) from None


def read_atom(text: str, names: Names) -> Atom:
    """A fact, such as `(at r1 north)`; raises InputError."""
    words = tuple(text[1:-1].split())
    try:
        return names.fact(words)
    except Fault as fault:
        raise InputError(f"{text}: {fault.message}") from None
