"""Nested effects → a flat list of effects, each with its own variables and condition."""

from __future__ import annotations

from banditplan.frozen import frozen
from banditplan.pddl.syntax import TRUE, And, Delete, ForEach, Together, When

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan.pddl.syntax import Atom, Effect, Formula, Typed


@frozen
class FlatEffect:
    """For all `variables`: when `condition`, then `atom` becomes true (or false, if `deletes`)."""

    variables: tuple[Typed, ...]
    condition: Formula
    deletes: bool
    atom: Atom


def flatten(effect: Effect) -> list[FlatEffect]:
    """The adds and deletes of an effect, in their order."""
    result: list[FlatEffect] = []
    _collect(effect, (), TRUE, result)
    return result


def _collect(effect: Effect, variables: tuple[Typed, ...], condition: Formula, result: list[FlatEffect]) -> None:
    if isinstance(effect, Together):
        for part in effect.parts:
            _collect(part, variables, condition, result)
    elif isinstance(effect, ForEach):
        _collect(effect.part, variables + effect.variables, condition, result)
    elif isinstance(effect, When):
        both = effect.condition if condition is TRUE else And((condition, effect.condition))
        _collect(effect.part, variables, both, result)
    else:
        result.append(FlatEffect(variables, condition, isinstance(effect, Delete), effect.atom))
