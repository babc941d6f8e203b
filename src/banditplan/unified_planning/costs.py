"""The costs of actions: sums of numbers and functions of the initial state."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import lcm
from typing import TYPE_CHECKING, Any

from unified_planning.model import FNode, Object

from banditplan.pddl import syntax
from banditplan.unified_planning.names import Names
from banditplan.unified_planning.problem import UnsupportedFeature

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from banditplan.unified_planning.translation import Scope, Translation


class Costs:
    """The costs of actions as sums of numbers and functions of the initial state; real numbers are scaled to integers.

    A fluent becomes a function; whatever is not a sum of numbers and fluents is tabulated as one.
    """

    def __init__(self, translation: Translation, check: Callable[[], None]) -> None:
        self._translation = translation
        self._check = check
        self._names = Names(["total-cost"])
        self._functions: dict[Any, syntax.Signature] = {}
        self._values: list[tuple[syntax.FunctionTerm, Fraction]] = []
        self._numbers: list[Fraction] = []
        self._scale = 1

    def terms(self, cost: FNode, scope: Scope) -> list[Fraction | syntax.FunctionTerm]:
        """The parts of the sum."""
        if cost.is_plus():
            return [term for part in cost.args for term in self.terms(part, scope)]
        if cost.is_int_constant() or cost.is_real_constant():
            number = _cost(Fraction(cost.constant_value()))
            self._numbers.append(number)
            return [number]
        if cost.is_fluent_exp():
            return [self._fluent(cost, scope)]
        return [self._table(cost, scope)]

    def scaled(self, terms: Iterable[Fraction | syntax.FunctionTerm]) -> tuple[syntax.Cost, ...]:
        return tuple(int(term * self._scale) if isinstance(term, Fraction) else term for term in terms)

    def finish(self) -> None:
        """To be called once all terms are known."""
        self._scale = lcm(*(number.denominator for number in (*self._numbers, *(v for _, v in self._values))))

    @property
    def signatures(self) -> tuple[syntax.Signature, ...]:
        return tuple(self._functions.values())

    @property
    def values(self) -> tuple[tuple[syntax.FunctionTerm, int], ...]:
        return tuple((term, int(value * self._scale)) for term, value in self._values)

    def _fluent(self, cost: FNode, scope: Scope) -> syntax.FunctionTerm:
        fluent = cost.fluent()
        signature = self._functions.get(fluent)
        if signature is None:
            signature = self._declare(fluent, fluent.name, fluent.signature)
            for atom, value in self._translation.initial_values(fluent):
                self._enter(signature, [argument.object() for argument in atom.args], value.constant_value())
        return syntax.FunctionTerm(signature.name, self._translation.terms(cost.args, scope))

    def _table(self, cost: FNode, scope: Scope) -> syntax.FunctionTerm:
        parameters = [each for each in scope if each in _parameters(cost)]
        signature = self._declare(cost, "cost", parameters)
        for number, objects in enumerate(product(*(self._translation.problem.objects(p.type) for p in parameters))):
            value = self._evaluated(cost, dict(zip(parameters, objects, strict=True)))
            if value is not None:
                self._enter(signature, objects, value)
            if number % 1024 == 0:
                self._check()
        return syntax.FunctionTerm(signature.name, tuple(scope[each] for each in parameters))

    def _declare(self, key: Any, name: str, parameters: Sequence[Any]) -> syntax.Signature:
        typed = self._translation.typed((each, f"?x{i}") for i, each in enumerate(parameters))
        signature = self._functions[key] = syntax.Signature(self._names.new(name), typed)
        return signature

    def _enter(self, signature: syntax.Signature, objects: Sequence[Object], value: int | Fraction) -> None:
        arguments = tuple(self._translation.objects[each] for each in objects)
        self._values.append((syntax.FunctionTerm(signature.name, arguments), _cost(Fraction(value))))

    def _evaluated(self, cost: FNode, binding: dict[Any, Object]) -> Fraction | None:
        """The value in the initial state, if it has one."""
        if cost.is_int_constant() or cost.is_real_constant():
            return Fraction(cost.constant_value())
        if cost.is_fluent_exp():
            arguments = [binding[a.parameter()] if a.is_parameter_exp() else a.object() for a in cost.args]
            value = self._translation.initial_value(cost.fluent()(*arguments))
            return None if value is None else Fraction(value.constant_value())
        parts = [self._evaluated(part, binding) for part in cost.args]
        if any(part is None for part in parts):
            return None
        result, *rest = (Fraction(part) for part in parts if part is not None)
        for part in rest:
            if cost.is_plus():
                result += part
            elif cost.is_minus():
                result -= part
            elif cost.is_times():
                result *= part
            elif cost.is_div():
                if part == 0:
                    return None
                result /= part
            else:
                raise UnsupportedFeature(f"the action cost {cost}")
        return result


def _cost(number: Fraction) -> Fraction:
    if number < 0:
        raise UnsupportedFeature(f"the negative action cost {number}")
    return number


def _parameters(expression: FNode) -> set[Any]:
    if expression.is_parameter_exp():
        return {expression.parameter()}
    return {each for part in expression.args for each in _parameters(part)}
