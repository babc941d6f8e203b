"""A problem of Unified Planning → a syntax tree, and the way back for plans."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import unified_planning as up
from unified_planning.model import FNode, Problem
from unified_planning.plans import ActionInstance, SequentialPlan

from banditplan.checks import unchecked
from banditplan.errors import Place, Source
from banditplan.pddl import syntax
from banditplan.plan import Step
from banditplan.unified_planning.costs import Costs
from banditplan.unified_planning.names import Names
from banditplan.unified_planning.problem import NAME, UnsupportedFeature

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from banditplan import _core
    from banditplan.checks import Check

    Scope: TypeAlias = dict[up.model.Parameter | up.model.Variable, str]


class Translation:
    """A problem as a syntax tree, and the way back for actions and objects."""

    def __init__(self, problem: up.model.AbstractProblem, check: Check = unchecked) -> None:
        """`check` is called now and then, and raises where a limit is reached."""
        if not isinstance(problem, Problem):
            raise UnsupportedFeature(f"problems of the class {type(problem).__name__}")
        self.problem = problem
        self._check = check
        self._place = Place(Source(problem.name or NAME, ""), 0)
        objects, predicates, actions = Names(), Names(), Names()
        self._type_names = Names(["object"])
        self._types: dict[Any, str] = {None: "object"}
        self.objects = {each: objects.new(each.name) for each in problem.all_objects}
        self._predicates = {each: predicates.new(each.name) for each in problem.fluents if each.type.is_bool_type()}
        self.actions = {each: actions.new(each.name) for each in problem.actions}
        self._action_of = {text: each for each, text in self.actions.items()}
        self._object_of = {text: each for each, text in self.objects.items()}
        self._explicit: dict[up.model.Fluent, dict[FNode, FNode]] = {}  # initial values, by fluent
        for atom, value in problem.explicit_initial_values.items():
            self._explicit.setdefault(atom.fluent(), {})[atom] = value

    # ---- there

    def parsed(self) -> syntax.Parsed:
        costs = Costs(self, self._check)
        metric = next((m for m in self.problem.quality_metrics if m.is_minimize_action_costs()), None)
        actions = [self._action(action, metric, costs) for action in self.problem.actions]
        costs.finish()
        predicates = tuple(
            syntax.Signature(text, self.typed((each, f"?x{i}") for i, each in enumerate(fluent.signature)))
            for fluent, text in self._predicates.items()
        )
        objects = tuple(syntax.Typed(text, (self._type(each.type),)) for each, text in self.objects.items())
        goal = syntax.And(tuple(self.formula(each, {}) for each in self.problem.goals))
        domain = syntax.Domain(
            name=self._place.source.name,
            types=tuple(syntax.Type(text, (self._types[each.father],)) for each, text in self._types.items() if each),
            constants=(),
            predicates=predicates,
            functions=costs.signatures,
            derived=(),
            actions=tuple(
                syntax.Action(name, parameters, condition, effect, costs.scaled(terms), self._place)
                for name, parameters, condition, effect, terms in actions
            ),
        )
        problem = syntax.Problem(
            name=self._place.source.name,
            objects=objects,
            init=tuple(self._init()),
            values=costs.values,
            goal=goal,
            minimize_cost=metric is not None,
        )
        return syntax.Parsed(domain, problem, ())

    def _init(self) -> Iterator[syntax.Atom]:
        for fluent, text in self._predicates.items():
            for atom, value in self.initial_values(fluent):
                if value.is_true():
                    yield syntax.Atom(text, self.terms(atom.args, {}))

    def initial_values(self, fluent: up.model.Fluent) -> Iterator[tuple[FNode, FNode]]:
        """The ground expressions of the fluent with their values; not those that are false by default."""
        default = self.problem.fluents_defaults.get(fluent)
        explicit = self._explicit.get(fluent, {})
        if default is None or default.is_false():
            yield from explicit.items()
            return
        for number, objects in enumerate(product(*(self.problem.objects(p.type) for p in fluent.signature))):
            atom = fluent(*objects)
            yield atom, explicit.get(atom, default)
            if number % 1024 == 0:
                self._check()

    def initial_value(self, atom: FNode) -> FNode | None:
        value: FNode | None = self._explicit.get(atom.fluent(), {}).get(atom)
        return self.problem.fluents_defaults.get(atom.fluent()) if value is None else value

    def _action(self, action: up.model.Action, metric: Any, costs: Costs) -> tuple[Any, ...]:
        self._check()
        if type(action) is not up.model.InstantaneousAction or action.simulated_effect is not None:
            raise UnsupportedFeature(f"the {type(action).__name__} {action.name}")
        names = Names()
        scope: Scope = {each: "?" + names.new(each.name) for each in action.parameters}
        condition = syntax.And(tuple(self.formula(each, scope) for each in action.preconditions))
        effect = syntax.Together(tuple(self._effect(each, scope) for each in action.effects))
        cost = metric.get_action_cost(action) if metric is not None else None
        terms = [] if cost is None else costs.terms(cost.simplify(), scope)
        return self.actions[action], self.typed(scope.items()), condition, effect, terms

    def _effect(self, effect: up.model.Effect, outer: Scope) -> syntax.Effect:
        if not effect.is_assignment() or not effect.fluent.type.is_bool_type():
            raise UnsupportedFeature(f"the effect {effect}")
        scope = self._extended(outer, effect.forall)
        atom = self._atom(effect.fluent, scope)
        result: syntax.Effect
        if effect.value.is_true():
            result = syntax.Add(atom)
        elif effect.value.is_false():
            result = syntax.Delete(atom)
        else:
            value = self.formula(effect.value, scope)
            result = syntax.Together(
                (syntax.When(value, syntax.Add(atom)), syntax.When(syntax.Not(value), syntax.Delete(atom)))
            )
        if not effect.condition.is_true():
            result = syntax.When(self.formula(effect.condition, scope), result)
        return syntax.ForEach(self._bound(effect.forall, scope), result) if effect.forall else result

    def formula(self, node: FNode, scope: Scope) -> syntax.Formula:
        if node.is_fluent_exp() and node.fluent() in self._predicates:
            return self._atom(node, scope)
        if node.is_bool_constant():
            return syntax.TRUE if node.is_true() else syntax.FALSE
        if node.is_exists() or node.is_forall():
            inner = self._extended(scope, node.variables())
            quantifier = syntax.Exists if node.is_exists() else syntax.Forall
            return quantifier(self._bound(node.variables(), inner), self.formula(node.arg(0), inner))
        if node.is_equals() and node.arg(0).type.is_user_type():
            return syntax.Equal(*self.terms(node.args, scope))
        if not (node.is_and() or node.is_or() or node.is_not() or node.is_implies() or node.is_iff()):
            raise UnsupportedFeature(f"the condition {node}")
        parts = tuple(self.formula(part, scope) for part in node.args)
        if node.is_and():
            return syntax.And(parts)
        if node.is_or():
            return syntax.Or(parts)
        if node.is_not():
            return syntax.Not(parts[0])
        if node.is_implies():
            return syntax.Imply(*parts)
        return syntax.And((syntax.Imply(*parts), syntax.Imply(*reversed(parts))))

    def _atom(self, node: FNode, scope: Scope) -> syntax.Atom:
        return syntax.Atom(self._predicates[node.fluent()], self.terms(node.args, scope))

    def terms(self, nodes: Iterable[FNode], scope: Scope) -> tuple[str, ...]:
        return tuple([self._term(node, scope) for node in nodes])

    def _term(self, node: FNode, scope: Scope) -> str:
        if node.is_object_exp():
            return self.objects[node.object()]
        if node.is_parameter_exp():
            return scope[node.parameter()]
        if node.is_variable_exp():
            return scope[node.variable()]
        raise UnsupportedFeature(f"the argument {node}")

    def _extended(self, outer: Scope, variables: Iterable[up.model.Variable]) -> Scope:
        """The scope with further variables, which may have the names of outer ones."""
        names = Names(text[1:] for text in outer.values())
        return outer | {each: "?" + names.new(each.name) for each in variables}

    def _bound(self, variables: Iterable[up.model.Variable], scope: Scope) -> tuple[syntax.Typed, ...]:
        return self.typed((each, scope[each]) for each in variables)

    def typed(self, items: Iterable[tuple[Any, str]]) -> tuple[syntax.Typed, ...]:
        return tuple(syntax.Typed(text, (self._type(item.type),)) for item, text in items)

    def _type(self, type_: Any) -> str:
        """The name of a user type; those that only variables have are not among the problem's."""
        if type_ not in self._types:
            if not type_.is_user_type():
                raise UnsupportedFeature(f"parameters of the type {type_}")
            self._type(type_.father)
            self._types[type_] = self._type_names.new(type_.name)
        return self._types[type_]

    def steps(self, plan: up.plans.Plan) -> tuple[Step, ...] | None:
        """The steps of a plan for this problem, or one like it; None if it has actions or objects of another one."""
        if not isinstance(plan, SequentialPlan):
            return None
        try:
            return tuple(
                Step(self.actions[each.action], self.terms(each.actual_parameters, {})) for each in plan.actions
            )
        except KeyError:
            return None

    # ---- and back

    def instance(self, step: Step | _core.GroundAction) -> tuple[up.model.Action, tuple[FNode, ...]]:
        """The action and its arguments."""
        expression = self.problem.environment.expression_manager.ObjectExp
        return self._action_of[step.name], tuple(expression(self._object_of[each]) for each in step.arguments)

    def plan(self, steps: Iterable[Step]) -> SequentialPlan:
        return SequentialPlan([ActionInstance(*self.instance(step)) for step in steps], self.problem.environment)

    def fact(self, atom: FNode) -> str | None:
        """The text of a ground atom in a task; None if it is a number."""
        predicate = self._predicates.get(atom.fluent())
        return None if predicate is None else f"({' '.join((predicate, *self.terms(atom.args, {})))})"
