"""Negative conditions as facts of their own: `(not (p a))` becomes an atom of the predicate `not@p`, which actions that
delete `(p a)` add. What cannot be turned round stays as it is, and does not count in the analysis."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import prod

from banditplan.normalize.task import Axiom, Normalized, Schema, SimpleEffect
from banditplan.normalize.types import TypeTable
from banditplan.pddl.syntax import Atom, Not, Signature, Typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan.normalize.task import Condition, Literal

NOT = "not@"
MOST_NEGATIONS = 100_000  # atoms of a predicate


def positive(task: Normalized) -> Normalized:
    """The task without costs and with as few negative literals as possible; what it reaches without deletes, the task
    may reach, and nothing else."""
    turned = _Turned(task)
    schemas = tuple(map(turned.schema, task.schemas))
    axioms = tuple(
        Axiom(axiom.head, axiom.variables, turned.condition(axiom.body, axiom.variables), axiom.stratum)
        for axiom in task.axioms
    )
    goal = turned.condition(task.goal, ())
    return Normalized(
        types=task.types,
        predicates=(*task.predicates, *turned.signatures()),
        functions=(),
        schemas=schemas,
        axioms=axioms,
        init=(*task.init, *turned.absent(task)),
        values=(),
        goal=goal,
        unit_cost=True,
    )


class _Turned:
    """Which predicates are turned round, and what becomes of conditions and effects."""

    def __init__(self, task: Normalized) -> None:
        self._types = task.types
        changed = {effect.atom.predicate for schema in task.schemas for effect in schema.effects}
        derived = {axiom.head.predicate for axiom in task.axioms}
        wanted = (changed - derived) & _negated(task)
        self._known = {
            signature.name: signature
            for signature in task.predicates
            if signature.name in wanted and _instances(signature, task.types) <= MOST_NEGATIONS
        }

    def signatures(self) -> list[Signature]:
        return [Signature(NOT + each.name, each.parameters) for each in self._known.values()]

    def absent(self, task: Normalized) -> Iterable[Atom]:
        """The negations that hold at first."""
        present = {(atom.predicate, atom.arguments) for atom in task.init}
        for name, signature in self._known.items():
            for objects in product(*(self._types.members(each.types) for each in signature.parameters)):
                if (name, objects) not in present:
                    yield Atom(NOT + name, objects)

    def schema(self, schema: Schema) -> Schema:
        condition = self.condition(schema.condition, schema.parameters)
        effects = [turned for effect in schema.effects for turned in self._effects(effect, schema.parameters)]
        return Schema(schema.name, schema.parameters, schema.visible, condition, tuple(effects), ())

    def condition(self, condition: Condition, scope: Iterable[Typed]) -> Condition:
        types = {typed.name: typed.types for typed in scope}
        return tuple(self._literal(literal, types) for literal in condition)

    def _effects(self, effect: SimpleEffect, parameters: tuple[Typed, ...]) -> list[SimpleEffect]:
        condition = self.condition(effect.condition, (*parameters, *effect.variables))
        atom = effect.atom
        effects = [SimpleEffect(effect.variables, condition, effect.deletes, atom)]
        if effect.deletes and atom.predicate in self._known:
            effects.append(SimpleEffect(effect.variables, condition, False, Atom(NOT + atom.predicate, atom.arguments)))
        return effects

    def _literal(self, literal: Literal, types: dict[str, tuple[str, ...]]) -> Literal:
        match literal:
            case Not(Atom(predicate, arguments)) if self._covers(predicate, arguments, types):
                return Atom(NOT + predicate, arguments)
        return literal

    def _covers(self, predicate: str, arguments: tuple[str, ...], types: dict[str, tuple[str, ...]]) -> bool:
        """Whether every instance of the atom is of the declared types: others are not listed among the absent."""
        if predicate not in self._known:
            return False
        for term, parameter in zip(arguments, self._known[predicate].parameters, strict=True):
            values = self._types.members(types[term]) if term in types else (term,)
            if not set(values) <= set(self._types.members(parameter.types)):
                return False
        return True


def _instances(signature: Signature, types: TypeTable) -> int:
    return prod(len(types.members(each.types)) for each in signature.parameters)


def _negated(task: Normalized) -> set[str]:
    """The predicates of which negative conditions speak."""
    conditions = [task.goal, *(schema.condition for schema in task.schemas), *(axiom.body for axiom in task.axioms)]
    conditions += [effect.condition for schema in task.schemas for effect in schema.effects]
    return {
        literal.part.predicate
        for condition in conditions
        for literal in condition
        if isinstance(literal, Not) and isinstance(literal.part, Atom)
    }
