"""Parsed tasks as problems of Unified Planning: the way there, for tests of the way back."""

from __future__ import annotations

from typing import Any

from unified_planning.environment import get_environment
from unified_planning.model import FNode, InstantaneousAction, Problem, Variable
from unified_planning.model.metrics import MinimizeActionCosts

from banditplan.normalize.effects import flatten
from banditplan.pddl import syntax
from banditplan.pddl.syntax import Parsed

BUILTIN = "object"


def problem_of(parsed: Parsed) -> Problem:
    """The problem; there must be no `(either …)` types."""
    return _Writer(parsed).problem


class _Writer:
    def __init__(self, parsed: Parsed) -> None:
        self.environment = get_environment()
        self.manager = self.environment.expression_manager
        self.problem = Problem(parsed.problem.name)
        self.types = {BUILTIN: self.environment.type_manager.UserType(BUILTIN)}
        self._declare(parsed)
        for action in parsed.domain.actions:
            self._action(action)
        for atom in parsed.problem.init:
            self.problem.set_initial_value(self._fluent(atom.predicate, atom.arguments, {}), True)
        for term, value in parsed.problem.values:
            if term.name in self.functions:
                self.problem.set_initial_value(self._fluent(term.name, term.arguments, {}), value)
        self.problem.add_goal(self._formula(parsed.problem.goal, {}))
        if parsed.problem.minimize_cost:
            costs = {self.problem.action(action.name): self._cost(action) for action in parsed.domain.actions}
            self.problem.add_quality_metric(MinimizeActionCosts(costs))

    def _declare(self, parsed: Parsed) -> None:
        manager = self.environment.type_manager
        waiting = [each for each in parsed.domain.types if each.name != BUILTIN]
        while waiting:
            ready = next(each for each in waiting if each.parents[0] in self.types)
            self.types[ready.name] = manager.UserType(ready.name, self.types[ready.parents[0]])
            waiting.remove(ready)
        for typed in (*parsed.domain.constants, *parsed.problem.objects):
            self.problem.add_object(typed.name, self._type(typed))
        self.functions = {each.name for each in parsed.domain.functions} - {"total-cost"}
        for signature in (*parsed.domain.predicates, *parsed.domain.functions):
            if signature.name == "total-cost":
                continue
            is_number = signature.name in self.functions
            parameters = {f"{i}": self._type(typed) for i, typed in enumerate(signature.parameters)}
            self.problem.add_fluent(
                signature.name,
                manager.IntType() if is_number else manager.BoolType(),
                default_initial_value=None if is_number else False,
                **parameters,
            )

    def _type(self, typed: syntax.Typed) -> Any:
        (name,) = typed.types
        return self.types[name]

    def _action(self, action: syntax.Action) -> None:
        parameters = {typed.name: self._type(typed) for typed in action.parameters}
        made = InstantaneousAction(action.name, **parameters)
        self.problem.add_action(made)
        scope = {each.name: self.manager.ParameterExp(each) for each in made.parameters}
        made.add_precondition(self._formula(action.precondition, scope))
        for effect in flatten(action.effect):
            inner, variables = self._bound(effect.variables, scope)
            made.add_effect(
                self._fluent(effect.atom.predicate, effect.atom.arguments, inner),
                not effect.deletes,
                self._formula(effect.condition, inner),
                forall=variables,
            )

    def _cost(self, action: syntax.Action) -> FNode:
        made = self.problem.action(action.name)
        scope = {each.name: self.manager.ParameterExp(each) for each in made.parameters}
        terms = [
            self._fluent(part.name, part.arguments, scope) if isinstance(part, syntax.FunctionTerm) else part
            for part in action.cost
        ]
        return self.manager.Plus(0, 0, *terms)

    def _fluent(self, name: str, arguments: tuple[str, ...], scope: dict[str, FNode]) -> FNode:
        return self.problem.fluent(name)(*(self._term(each, scope) for each in arguments))

    def _term(self, name: str, scope: dict[str, FNode]) -> FNode:
        return scope[name] if name[0] == "?" else self.manager.ObjectExp(self.problem.object(name))

    def _bound(
        self, variables: tuple[syntax.Typed, ...], scope: dict[str, FNode]
    ) -> tuple[dict[str, FNode], list[Variable]]:
        made = [Variable(typed.name, self._type(typed)) for typed in variables]
        return scope | {each.name: self.manager.VariableExp(each) for each in made}, made

    def _formula(self, formula: syntax.Formula, scope: dict[str, FNode]) -> FNode:
        manager = self.manager
        match formula:
            case syntax.Atom(name, arguments):
                return self._fluent(name, arguments, scope)
            case syntax.Equal(left, right):
                return manager.Equals(self._term(left, scope), self._term(right, scope))
            case syntax.Not(part):
                return manager.Not(self._formula(part, scope))
            case syntax.And(parts):
                return manager.And(*(self._formula(part, scope) for part in parts)) if parts else manager.TRUE()
            case syntax.Or(parts):
                return manager.Or(*(self._formula(part, scope) for part in parts)) if parts else manager.FALSE()
            case syntax.Imply(left, right):
                return manager.Implies(self._formula(left, scope), self._formula(right, scope))
            case syntax.Exists(variables, part) | syntax.Forall(variables, part):
                inner, made = self._bound(variables, scope)
                quantifier = manager.Exists if isinstance(formula, syntax.Exists) else manager.Forall
                return quantifier(self._formula(part, inner), *made)
        raise TypeError(formula)
