"""Negation normal form: no implications, and `Not` only in front of atoms and equalities."""

from __future__ import annotations

from banditplan.pddl.syntax import And, Atom, Equal, Exists, Forall, Imply, Not, Or

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan.pddl.syntax import Formula


def normal_form(formula: Formula, *, negate: bool = False) -> Formula:
    """The formula (or its negation) in negation normal form, with nested And and Or flattened."""
    match formula:
        case Atom() | Equal():
            return Not(formula) if negate else formula
        case Not(part):
            return normal_form(part, negate=not negate)
        case And(parts):
            flat = [normal_form(part, negate=negate) for part in parts]
            return disjunction(flat) if negate else conjunction(flat)
        case Or(parts):
            flat = [normal_form(part, negate=negate) for part in parts]
            return conjunction(flat) if negate else disjunction(flat)
        case Imply(left, right):
            parts_of_or = [normal_form(left, negate=not negate), normal_form(right, negate=negate)]
            return conjunction(parts_of_or) if negate else disjunction(parts_of_or)
        case Exists(variables, part):
            inner = normal_form(part, negate=negate)
            return Forall(variables, inner) if negate else Exists(variables, inner)
        case Forall(variables, part):
            inner = normal_form(part, negate=negate)
            return Exists(variables, inner) if negate else Forall(variables, inner)
    raise AssertionError(f"not a formula: {formula!r}")


def conjunction(parts: list[Formula]) -> Formula:
    """The flattened conjunction; a part that is false makes it false."""
    flat: list[Formula] = []
    for part in parts:
        match part:
            case And(inner):
                flat.extend(inner)
            case Or(()):
                return part
            case _:
                flat.append(part)
    return flat[0] if len(flat) == 1 else And(tuple(flat))


def disjunction(parts: list[Formula]) -> Formula:
    """The flattened disjunction; a part that is true makes it true."""
    flat: list[Formula] = []
    for part in parts:
        match part:
            case Or(inner):
                flat.extend(inner)
            case And(()):
                return part
            case _:
                flat.append(part)
    return flat[0] if len(flat) == 1 else Or(tuple(flat))
