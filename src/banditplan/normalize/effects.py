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
    match effect:
        case Add(atom):
            result.append(FlatEffect(variables, condition, False, atom))
        case Delete(atom):
            result.append(FlatEffect(variables, condition, True, atom))
        case Together(parts):
            for part in parts:
                _collect(part, variables, condition, result)
        case ForEach(further, part):
            _collect(part, variables + further, condition, result)
        case When(when, part):
            both = when if condition == TRUE else And((condition, when))
            _collect(part, variables, both, result)
