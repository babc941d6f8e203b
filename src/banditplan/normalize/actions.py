"""Actions → schemas: once for all problems of a domain, where the problem does not matter.

It matters for conditions with quantifiers, which range over its objects, and for auxiliary predicates, which are
numbered through the whole task. Everything else in a domain is the same for all of its problems.
"""

from __future__ import annotations

from banditplan.checks import unchecked
from banditplan.frozen import frozen
from banditplan.normalize.conditions import Conditions, has_quantifiers
from banditplan.normalize.effects import flatten
from banditplan.normalize.task import Schema, SimpleEffect
from banditplan.normalize.types import TypeTable
from banditplan.pddl.syntax import TRUE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan.checks import Check
    from banditplan.normalize.effects import FlatEffect
    from banditplan.pddl.syntax import Action, Domain, Typed


@frozen
class ReadyAction:
    """An action with its flat effects, and its schemas if they are the same for all problems."""

    action: Action
    effects: tuple[FlatEffect, ...]
    common: tuple[Schema, ...] | None

    def schemas(self, conditions: Conditions) -> tuple[Schema, ...]:
        return _schemas(self.action, self.effects, conditions) if self.common is None else self.common


def ready_actions(domain: Domain, check: Check = unchecked) -> tuple[ReadyAction, ...]:
    """The actions of a domain, normalised as far as that is possible without a problem."""
    return tuple([_ready(action, check) for action in domain.actions])


def _ready(action: Action, check: Check) -> ReadyAction:
    effects = tuple(flatten(action.effect))
    if any(has_quantifiers(condition) for condition in (action.precondition, *(each.condition for each in effects))):
        return ReadyAction(action, effects, None)
    conditions = Conditions(TypeTable((), ()), {}, check=check)
    schemas = _schemas(action, effects, conditions)
    return ReadyAction(action, effects, None if conditions.definitions else schemas)


def _schemas(action: Action, flat: tuple[FlatEffect, ...], conditions: Conditions) -> tuple[Schema, ...]:
    """One schema per alternative of the precondition."""
    effects = tuple([simple for effect in flat for simple in _effects(effect, action.parameters, conditions)])
    return tuple(
        [
            Schema(
                action.name,
                action.parameters + alternative.variables,
                len(action.parameters),
                alternative.literals,
                effects,
                action.cost,
            )
            for alternative in conditions.alternatives(action.precondition, action.parameters)
        ]
    )


def _effects(effect: FlatEffect, parameters: tuple[Typed, ...], conditions: Conditions) -> list[SimpleEffect]:
    """One effect per alternative of the condition."""
    if effect.condition is TRUE:
        return [SimpleEffect(effect.variables, (), effect.deletes, effect.atom)]
    return [
        SimpleEffect(effect.variables + alternative.variables, alternative.literals, effect.deletes, effect.atom)
        for alternative in conditions.alternatives(effect.condition, (*parameters, *effect.variables))
    ]
