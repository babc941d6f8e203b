"""The chains of a task: which schemas are worth splitting, and the task with their steps in their place."""

from __future__ import annotations

from banditplan.normalize.task import Normalized, Schema
from banditplan.pddl.syntax import Atom, FunctionTerm, Signature, Typed
from banditplan.split.chain import NEXT, NO_CHAIN, NOTHING, chain, idle
from banditplan.split.estimate import Estimate
from banditplan.split.partition import partition
from banditplan.split.split import WIDE, Split
from banditplan.split.units import Interference, supports, units

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from banditplan.split.chain import Chain
    from banditplan.split.partition import Part


# A schema with fewer instances stays whole, and so does one whose chain has not far fewer.
NOTICEABLE = 10_000
GAIN = 10


def all_chains(task: Normalized) -> Split:
    """The task with a chain for every schema that can be taken apart, as finely as possible."""
    workshop = _Workshop(task)
    return workshop.task_with({number: workshop.chain(number, fine=True) for number in range(len(task.schemas))})


def worthwhile_chains(task: Normalized, suspects: list[int]) -> Split:
    """If one of the suspects (numbers of schemas) is wide, the task with chains for all schemas for which they pay."""
    workshop = _Workshop(task)
    if not workshop.any_wide(suspects):
        return Split(task, ())
    workshop.estimate.look_for_adds()
    if not workshop.any_wide(suspects):
        return Split(task, ())
    return workshop.task_with({number: workshop.chain(number, fine=False) for number in range(len(task.schemas))})


class _Workshop:
    """Makes the chains of one task."""

    def __init__(self, task: Normalized) -> None:
        self._task = task
        self._depends = supports(task.axioms)
        self.estimate = Estimate(task)

    def any_wide(self, numbers: list[int]) -> bool:
        return any(self.estimate.size(self._task.schemas[number]) > WIDE for number in numbers)

    def chain(self, number: int, *, fine: bool) -> Chain | None:
        """The schema as a chain, unless there is none, or none that pays."""
        schema = self._priced(self._task.schemas[number])
        if not self._always_priced(schema):
            return None
        interference = Interference(schema, self.estimate, self._depends)
        parts = partition(schema, units(schema, interference), self.estimate, fine=fine)
        if len(parts) == 1 or not (fine or self._pays(schema, parts)):
            return None
        return chain(schema, number, parts, interference)

    def _pays(self, schema: Schema, parts: list[Part]) -> bool:
        size = self.estimate.size(schema)
        return size > NOTICEABLE and size >= GAIN * sum([part.size for part in parts])

    def task_with(self, chains: Mapping[int, Chain | None]) -> Split:
        made = [made for made in chains.values() if made is not None]
        if not made:
            return Split(self._task, ())
        task = self._task
        schemas: list[Schema] = []
        for number, schema in enumerate(task.schemas):
            instead = chains.get(number)
            if instead is not None:
                schemas += instead.steps
            elif schema not in self.estimate.never:  # a wide join takes its time to find nothing
                schemas.append(self._alone(schema))
        choices = [choice for each in made for choice in each.choices]
        steps = [step.name for each in made for step in each.steps[1:]]
        one = (Typed("?x", ("object",)),)
        return Split(
            Normalized(
                types=task.types.with_names((NO_CHAIN, NOTHING, *steps)),
                predicates=(*task.predicates, *[Signature(name, one) for name in (NEXT, *choices)]),
                functions=task.functions,
                schemas=tuple(schemas),
                axioms=task.axioms,
                init=(*task.init, idle(), *[Atom(choice, (NOTHING,)) for choice in choices]),
                values=task.values,
                goal=(*task.goal, idle()),
                unit_cost=False,
            ),
            tuple(made),
        )

    def _alone(self, schema: Schema) -> Schema:
        """An action that is not split: it does not interrupt a chain."""
        priced = self._priced(schema)
        condition = (*schema.condition, idle())
        return Schema(schema.name, schema.parameters, schema.visible, condition, schema.effects, priced.cost)

    def _priced(self, schema: Schema) -> Schema:
        """With unit costs an action counts 1, but not every step of a chain does: the costs become explicit."""
        if not self._task.unit_cost:
            return schema
        return Schema(schema.name, schema.parameters, schema.visible, schema.condition, schema.effects, (1,))

    def _always_priced(self, schema: Schema) -> bool:
        """Whether costs are given for all objects: a step, which tests less, might meet others than the action."""
        types = {typed.name: typed.types for typed in schema.parameters}
        given = {(term.name, term.arguments) for term, _ in self._task.values}
        for term in schema.cost:
            if not isinstance(term, FunctionTerm):
                continue
            rows: list[tuple[str, ...]] = [()]
            for argument in term.arguments:
                members = self._task.types.members(types[argument]) if argument[0] == "?" else (argument,)
                rows = [(*row, member) for row in rows for member in members]
                if len(rows) > len(given):
                    return False
            if any((term.name, row) not in given for row in rows):
                return False
        return True
