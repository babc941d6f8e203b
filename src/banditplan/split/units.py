"""What a schema is made of: conditions and effects that may go to different parts, and which must come first.

All effects of an action happen at once, after all of its conditions were tested. In a chain they happen one after the
other, so a condition is tested no later than anything happens that may change it, and what deletes an atom comes no
later than what may add the same atom.
"""

from __future__ import annotations

from banditplan.frozen import frozen
from banditplan.pddl.syntax import Atom, Equal, FunctionTerm, Not
from banditplan.split.domains import atom_of, variables_in, variables_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from banditplan.normalize.task import Axiom, Condition, Literal, Schema, SimpleEffect
    from banditplan.split.domains import Domains
    from banditplan.split.estimate import Estimate


@frozen
class Unit:
    """Conditions, effects and costs that belong into one part, on the given parameters of the schema.

    `after` has a bit for every unit that must not come later than this one.
    """

    variables: frozenset[str]
    condition: Condition
    effects: tuple[SimpleEffect, ...]
    cost: tuple[FunctionTerm, ...]
    after: int


class Interference:
    """Tells whether the effects of a schema may touch each other's atoms or its conditions."""

    def __init__(self, schema: Schema, estimate: Estimate, supports: Mapping[str, set[str]]) -> None:
        """`supports`: for every derived predicate, what it depends on."""
        self._objects = estimate.objects
        self._domains = estimate.domains(schema)
        self._supports = supports
        self._different = {
            frozenset((literal.part.left, literal.part.right))
            for literal in schema.condition
            if isinstance(literal, Not) and isinstance(literal.part, Equal)
        }

    def changes(self, effect: SimpleEffect, literal: Literal, bound: Domains) -> bool:
        """Whether the effect may change the literal, in which `bound` are variables of another effect."""
        atom = atom_of(literal)
        if not isinstance(atom, Atom):
            return False
        if atom.predicate in self._supports:
            return effect.atom.predicate in self._supports[atom.predicate]
        return self._may_equal(effect.atom, self.bound(effect), atom, bound)

    def meet(self, one: SimpleEffect, other: SimpleEffect) -> bool:
        """Whether both effects may speak of the same atom."""
        return self._may_equal(one.atom, self.bound(one), other.atom, self.bound(other))

    def bound(self, effect: SimpleEffect) -> Domains:
        """The variables of a universal effect."""
        return self._objects.of_variables(effect.variables)

    def _may_equal(self, one: Atom, one_bound: Domains, other: Atom, other_bound: Domains) -> bool:
        if one.predicate != other.predicate:
            return False
        for left, right in zip(one.arguments, other.arguments, strict=True):
            free = left not in one_bound and right not in other_bound
            if free and (left == right or frozenset((left, right)) in self._different):
                if left != right:
                    return False
                continue
            (here,) = self._objects.of_arguments((left,), {**self._domains, **one_bound})
            (there,) = self._objects.of_arguments((right,), {**self._domains, **other_bound})
            if not here & there:
                return False
        return True


def supports(axioms: tuple[Axiom, ...]) -> dict[str, set[str]]:
    """For every derived predicate, all predicates that it depends on."""
    depends: dict[str, set[str]] = {}
    for axiom in axioms:
        reads = [atom.predicate for atom in map(atom_of, axiom.body) if isinstance(atom, Atom)]
        depends.setdefault(axiom.head.predicate, set()).update(reads)
    for middle in depends:
        for reads_too in depends.values():
            if middle in reads_too:
                reads_too |= depends[middle]
    return depends


def units(schema: Schema, interference: Interference) -> list[Unit]:
    """The schema taken apart as far as that is possible, in the order of its conditions, effects and costs."""
    pieces = _pieces(schema)
    after = _order(pieces, interference)
    # What must not come later than one another comes together.
    together: dict[int, int] = {}
    for index, mask in enumerate(after):
        cycle = mask & sum([1 << other for other, back in enumerate(after) if back >> index & 1]) | 1 << index
        together.setdefault(cycle, len(together))
    unit_of = {index: unit for cycle, unit in together.items() for index in _bits(cycle)}
    return [
        _joined(
            [pieces[index] for index in _bits(cycle)],
            _mask({unit_of[index] for index in _bits(after[_bits(cycle)[0]] & ~cycle)}),
        )
        for cycle in together
    ]


def _pieces(schema: Schema) -> list[Unit]:
    pieces = [Unit(variables_in((literal,)), (literal,), (), (), 0) for literal in schema.condition]
    for effect in schema.effects:
        inner = {typed.name for typed in effect.variables}
        used = variables_of(effect.atom.arguments) | variables_in(effect.condition)
        pieces.append(Unit(used - inner, (), (effect,), (), 0))
    terms = [cost for cost in schema.cost if isinstance(cost, FunctionTerm)]
    pieces += [Unit(variables_of(term.arguments), (), (), (term,), 0) for term in terms]
    read = frozenset[str]().union(*[piece.variables for piece in pieces])
    unread = [typed.name for typed in schema.parameters if typed.name not in read]
    return pieces + [Unit(frozenset((name,)), (), (), (), 0) for name in unread]


def _order(pieces: list[Unit], interference: Interference) -> list[int]:
    """For each piece the bits of those that must not come later, in the end, as the order is transitive."""
    after = [0] * len(pieces)
    writers = [(index, effect) for index, piece in enumerate(pieces) for effect in piece.effects]
    for index, effect in writers:
        for other, piece in enumerate(pieces):
            if other == index:
                continue
            read = any(interference.changes(effect, literal, {}) for literal in piece.condition)
            for before in piece.effects:
                bound = interference.bound(before)
                read = read or any(interference.changes(effect, literal, bound) for literal in before.condition)
                read = read or (before.deletes and not effect.deletes and interference.meet(before, effect))
            if read:
                after[index] |= 1 << other
    for middle in range(len(after)):
        for index, mask in enumerate(after):
            if mask >> middle & 1:
                after[index] |= after[middle]
    return after


def _joined(pieces: list[Unit], after: int) -> Unit:
    return Unit(
        frozenset[str]().union(*[piece.variables for piece in pieces]),
        tuple([literal for piece in pieces for literal in piece.condition]),
        tuple([effect for piece in pieces for effect in piece.effects]),
        tuple([term for piece in pieces for term in piece.cost]),
        after,
    )


def _bits(mask: int) -> list[int]:
    return [index for index in range(mask.bit_length()) if mask >> index & 1]


def _mask(indices: set[int]) -> int:
    return sum([1 << index for index in indices])
