"""Nested effects → a flat list of effects, each with its own variables and condition."""

from __future__ import annotations

from banditplan.pddl.syntax import TRUE, Add, And, Delete, ForEach, Together, When
from banditplan.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan.pddl.syntax import Atom, Effect, Formula, Typed


@record
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
    kind = type(effect)
    if kind is Add:
        result.append(FlatEffect(variables, condition, False, effect.atom))
    elif kind is Delete:
        result.append(FlatEffect(variables, condition, True, effect.atom))
    elif kind is Together:
        for part in effect.parts:
            _collect(part, variables, condition, result)
    elif kind is ForEach:
        _collect(effect.part, variables + effect.variables, condition, result)
    elif kind is When:
        both = effect.condition if condition == TRUE else And((condition, effect.condition))
        _collect(effect.part, variables, both, result)
    else:
        raise AssertionError(f"not an effect: {effect!r}")
