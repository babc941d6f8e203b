"""The syntax tree of a parsed task: plain immutable records, names folded to lower case.

A term is a string: a variable begins with "?", everything else is an object or a constant.
The parser has checked every name, arity and type, so later stages trust the tree.
"""

from __future__ import annotations

from banditplan.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from banditplan.pddl.errors import Place


# ---- names with types


@record
class Typed:
    """A variable, object or parameter with its types; several types stand for `(either …)`."""

    name: str
    types: tuple[str, ...]


@record
class Type:
    """A declared type; several parents stand for `(either …)`."""

    name: str
    parents: tuple[str, ...]


@record
class Signature:
    """The declaration of a predicate or of a numeric function."""

    name: str
    parameters: tuple[Typed, ...]


# ---- formulas; the empty And is true, the empty Or is false


@record
class Atom:
    predicate: str
    arguments: tuple[str, ...]


@record
class Equal:
    left: str
    right: str


@record
class Not:
    part: Formula


@record
class And:
    parts: tuple[Formula, ...]


@record
class Or:
    parts: tuple[Formula, ...]


@record
class Imply:
    left: Formula
    right: Formula


@record
class Exists:
    variables: tuple[Typed, ...]
    part: Formula


@record
class Forall:
    variables: tuple[Typed, ...]
    part: Formula


# ---- effects


@record
class Add:
    atom: Atom


@record
class Delete:
    atom: Atom


@record
class Together:
    """The conjunction of effects."""

    parts: tuple[Effect, ...]


@record
class ForEach:
    """`(forall (variables) effect)`."""

    variables: tuple[Typed, ...]
    part: Effect


@record
class When:
    condition: Formula
    part: Effect


@record
class FunctionTerm:
    """A numeric function applied to terms, such as `(road-length ?from ?to)`."""

    name: str
    arguments: tuple[str, ...]


# ---- the task


@record
class Action:
    """An action schema; its cost is the sum of `cost` (empty: the action increases no total-cost)."""

    name: str
    parameters: tuple[Typed, ...]
    precondition: Formula
    effect: Effect
    cost: tuple[Cost, ...]
    place: Place


@record
class Derived:
    """A rule of a derived predicate: head(parameters) holds where `body` holds."""

    head: str
    parameters: tuple[Typed, ...]
    body: Formula
    place: Place


@record
class Domain:
    name: str
    types: tuple[Type, ...]
    constants: tuple[Typed, ...]
    predicates: tuple[Signature, ...]
    functions: tuple[Signature, ...]
    derived: tuple[Derived, ...]
    actions: tuple[Action, ...]


@record
class Problem:
    """The initial state lists true atoms once each; `values` gives the initial numeric functions."""

    name: str
    objects: tuple[Typed, ...]
    init: tuple[Atom, ...]
    values: tuple[tuple[FunctionTerm, int], ...]
    goal: Formula
    minimize_cost: bool


@record
class Parsed:
    """A domain and a problem of it, checked together, with the warnings that came up."""

    domain: Domain
    problem: Problem
    warnings: tuple[str, ...]


if TYPE_CHECKING:
    Formula: TypeAlias = Atom | Equal | Not | And | Or | Imply | Exists | Forall
    Effect: TypeAlias = Add | Delete | Together | ForEach | When
    Cost: TypeAlias = int | FunctionTerm

TRUE = And(())
FALSE = Or(())
