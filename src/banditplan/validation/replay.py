"""A state of the task, and the steps that change it."""

from __future__ import annotations

from banditplan.checks import portions, unchecked
from banditplan.frozen import frozen
from banditplan.pddl.syntax import FunctionTerm
from banditplan.validation.conditions import Compiler
from banditplan.validation.derived import Axioms
from banditplan.validation.effects import Changes, compile_effect
from banditplan.validation.explain import Explainer, not_holding, show_types
from banditplan.validation.facts import Facts
from banditplan.validation.objects import Objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from banditplan.checks import Check
    from banditplan.pddl.syntax import Action, Parsed
    from banditplan.plan import Step
    from banditplan.validation.conditions import Environment, Test


class StepError(Exception):
    """A step that cannot be taken; `str()` says why, `conditions` what does not hold."""

    def __init__(self, reason: str, conditions: tuple[str, ...] = ()) -> None:
        super().__init__(reason)
        self.conditions = conditions


@frozen
class CompiledAction:
    """An action that has been used: how to test its precondition and how to collect its effect."""

    schema: Action
    precondition: Test
    effect: Test


class Replay:
    """Applies one step after the other, beginning in the initial state."""

    def __init__(self, parsed: Parsed, check: Check = unchecked) -> None:
        self._problem = parsed.problem
        self._schemas = {action.name: action for action in parsed.domain.actions}
        self._compiled: dict[str, CompiledAction] = {}
        self._objects = Objects(parsed, check)
        self._compiler = Compiler(self._objects)
        self._axioms = Axioms(parsed.domain.derived, self._compiler)
        self._changes = Changes()
        derived = {rule.head for rule in parsed.domain.derived}
        self._basic = [item.name for item in parsed.domain.predicates if item.name not in derived]
        self._facts = Facts(self._basic, self._axioms.derive, check)
        for part in portions(parsed.problem.init, check):
            for atom in part:
                self._facts.add(atom.predicate, atom.arguments)
        self._values = {(term.name, term.arguments): value for term, value in parsed.problem.values}

    def apply(self, step: Step) -> int:
        """Take `step` and return its cost; a StepError leaves the state as it was."""
        action = self._action(step.name)
        env = self._bind(action.schema, step)
        if not action.precondition(dict(env), self._facts):
            failing = Explainer(self._compiler, self._facts).failing(action.schema.precondition, env)
            raise StepError(not_holding("precondition", failing), failing)
        cost = self._cost(action.schema, env)
        self._take(action, env)
        return cost

    def _take(self, action: CompiledAction, env: Environment) -> None:
        action.effect(env, self._facts)
        touched = self._changes.apply(self._facts)
        self._axioms.forget(self._facts, touched)

    def failing_goal(self) -> tuple[str, ...]:
        """The parts of the goal that do not hold now."""
        return Explainer(self._compiler, self._facts).failing(self._problem.goal, {})

    def state(self) -> tuple[str, ...]:
        """The facts that hold now, sorted; without those that axioms derive from them."""
        return tuple(sorted(f"({' '.join((name, *row))})" for name in self._basic for row in self._facts.table(name)))

    def _action(self, name: str) -> CompiledAction:
        action = self._compiled.get(name)
        if action is None:
            schema = self._schemas.get(name)
            if schema is None:
                raise _unknown("action", name, self._schemas)
            precondition = self._compiler.condition(schema.precondition)
            effect = compile_effect(schema.effect, self._compiler, self._changes)
            action = self._compiled[name] = CompiledAction(schema, precondition, effect)
        return action

    def _bind(self, schema: Action, step: Step) -> Environment:
        """The parameters of the action with the arguments of the step, whose types are checked."""
        if len(step.arguments) != len(schema.parameters):
            raise StepError(
                f'action "{step.name}" takes {_arguments(len(schema.parameters))}, not {len(step.arguments)}'
            )
        for parameter, name in zip(schema.parameters, step.arguments, strict=True):
            if name not in self._objects.all():
                raise _unknown("object", name, self._objects.all())
            if name not in self._objects.of(parameter.types):
                has, needed = show_types(self._objects.declared(name)), show_types(parameter.types)
                raise StepError(f'object "{name}" of type {has} cannot be {parameter.name} of type {needed}')
        return {parameter.name: name for parameter, name in zip(schema.parameters, step.arguments, strict=True)}

    def _cost(self, schema: Action, env: Environment) -> int:
        if not self._problem.minimize_cost:
            return 1
        return sum(self._value(part, env) if isinstance(part, FunctionTerm) else part for part in schema.cost)

    def _value(self, term: FunctionTerm, env: Environment) -> int:
        arguments = tuple([env.get(name, name) for name in term.arguments])
        value = self._values.get((term.name, arguments))
        if value is None:
            raise StepError(f"the cost ({' '.join([term.name, *arguments])}) has no value in the initial state")
        return value


def _unknown(kind: str, name: str, known: Iterable[str]) -> StepError:
    from banditplan.pddl.faults import similar

    return StepError(f'unknown {kind} "{name}"{similar(name, known)}')


def _arguments(count: int) -> str:
    return "1 argument" if count == 1 else f"{count} arguments"
