"""Parts → schemas: a chain of actions that nothing interrupts.

One auxiliary predicate says which step of which chain comes next, or that no chain is under way; every action of the
task requires one or the other. For every parameter that a part chooses and a later one needs, a further predicate
holds the chosen object in between. Each of them is true of exactly one object at any time ("nothing" included), so
that they become variables of the ground task.
"""

from __future__ import annotations

from banditplan.frozen import frozen
from banditplan.normalize.task import Schema, SimpleEffect
from banditplan.pddl.syntax import Atom
from banditplan.split.domains import variables_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan.normalize.task import Condition
    from banditplan.pddl.syntax import Cost
    from banditplan.split.partition import Part
    from banditplan.split.units import Interference

NEXT = "next@"
NO_CHAIN = "no-chain@"
NOTHING = "nothing@"


@frozen
class Chain:
    """The schemas that stand for one action, in their order, and the predicates that hold chosen parameters."""

    name: str
    visible: tuple[str, ...]
    steps: tuple[Schema, ...]
    choices: tuple[str, ...]


def idle() -> Atom:
    """Holds while no chain is under way."""
    return Atom(NEXT, (NO_CHAIN,))


def chain(schema: Schema, number: int, parts: list[Part], interference: Interference) -> Chain:
    """The schema as a chain of the parts; `number` tells it from other chains of actions with the same name."""
    links = _Links(schema, number, parts)
    steps = []
    for place, part in enumerate(parts):
        effects_before = [effect for part in parts[:place] for unit in part.units for effect in unit.effects]
        # A condition that was tested before and still holds costs nothing, and ties the parameters together.
        tested = tuple(
            [
                literal
                for literal in schema.condition
                if variables_in((literal,)) <= part.variables
                and not any(interference.changes(effect, literal, {}) for effect in effects_before)
            ]
        )
        before, after = links.conditions(place), links.effects(place)
        effects = (*after, *[effect for unit in part.units for effect in unit.effects])
        constant = [cost for cost in schema.cost if isinstance(cost, int) and place == 0]
        cost: tuple[Cost, ...] = (*constant, *[term for unit in part.units for term in unit.cost])
        parameters = tuple([typed for typed in schema.parameters if typed.name in part.variables])
        steps.append(Schema(links.names[place], parameters, len(parameters), before + tested, effects, cost))
    visible = tuple([typed.name for typed in schema.parameters[: schema.visible]])
    return Chain(schema.name, visible, tuple(steps), tuple(links.choices.values()))


class _Links:
    """The auxiliary facts that lead from part to part."""

    def __init__(self, schema: Schema, number: int, parts: list[Part]) -> None:
        self.names = [f"{schema.name}@{number}.{place}" for place in range(1, len(parts) + 1)]
        self._parts = parts
        self._first = {name: place for place in reversed(range(len(parts))) for name in parts[place].variables}
        self._last = {name: place for place in range(len(parts)) for name in parts[place].variables}
        self.choices = {
            typed.name: f"{schema.name}@{number}{typed.name}"
            for typed in schema.parameters
            if self._first[typed.name] != self._last[typed.name]
        }

    def conditions(self, place: int) -> Condition:
        kept = self._kept(place)
        return (self._next(place), *[self._choice(name, place > self._first[name]) for name in kept])

    def effects(self, place: int) -> tuple[SimpleEffect, ...]:
        effects = [_delete(self._next(place)), _add(self._next(place + 1))]
        for name in self._kept(place):
            if place == self._first[name]:
                effects += [_delete(self._choice(name, False)), _add(self._choice(name, True))]
            elif place == self._last[name]:
                effects += [_delete(self._choice(name, True)), _add(self._choice(name, False))]
        return tuple(effects)

    def _kept(self, place: int) -> list[str]:
        """The parameters of a part that others have, too."""
        return [name for name in self.choices if name in self._parts[place].variables]

    def _next(self, place: int) -> Atom:
        return Atom(NEXT, (self.names[place],)) if 0 < place < len(self._parts) else idle()

    def _choice(self, name: str, made: bool) -> Atom:
        return Atom(self.choices[name], (name if made else NOTHING,))


def _add(atom: Atom) -> SimpleEffect:
    return SimpleEffect((), (), False, atom)


def _delete(atom: Atom) -> SimpleEffect:
    return SimpleEffect((), (), True, atom)
