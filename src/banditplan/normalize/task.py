"""The normalised task: what the grounder understands.

A literal is an `Atom`, an `Equal`, or the `Not` of one of them; a condition is a tuple of literals, all of which
must hold.
"""

from __future__ import annotations

from banditplan.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from banditplan.normalize.types import TypeTable
    from banditplan.pddl.syntax import Atom, Cost, Equal, FunctionTerm, Not, Signature, Typed

    Literal: TypeAlias = Atom | Equal | Not
    Condition: TypeAlias = tuple[Literal, ...]


@frozen
class SimpleEffect:
    """For all `variables`: if `condition` holds before the action, `atom` becomes true (or false)."""

    variables: tuple[Typed, ...]
    condition: Condition
    deletes: bool
    atom: Atom


@frozen
class Schema:
    """An action; parameters beyond the first `visible` ones are existential and not part of its name."""

    name: str
    parameters: tuple[Typed, ...]
    visible: int
    condition: Condition
    effects: tuple[SimpleEffect, ...]
    cost: tuple[Cost, ...]


@frozen
class Axiom:
    """`head` holds where there are values of the variables for which `body` holds."""

    head: Atom
    variables: tuple[Typed, ...]
    body: Condition
    stratum: int


@frozen
class Normalized:
    types: TypeTable
    predicates: tuple[Signature, ...]
    functions: tuple[Signature, ...]
    schemas: tuple[Schema, ...]
    axioms: tuple[Axiom, ...]
    init: tuple[Atom, ...]
    values: tuple[tuple[FunctionTerm, int], ...]
    goal: Condition
    unit_cost: bool
