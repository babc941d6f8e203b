"""The syntax tree of a parsed task: plain immutable records, names folded to lower case.

A term is a string: a variable begins with "?", everything else is an object or a constant.
The parser has checked every name, arity and type, so later stages trust the tree.
"""

from __future__ import annotations

from banditplan.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from banditplan.errors import Place


# ---- names with types


@frozen
class Typed:
    """A variable, object or parameter with its types; several types stand for `(either …)`."""

    name: str
    types: tuple[str, ...]


@frozen
class Type:
    """A declared type; several parents stand for `(either …)`."""

    name: str
    parents: tuple[str, ...]


@frozen
class Signature:
    """The declaration of a predicate or of a numeric function."""

    name: str
    parameters: tuple[Typed, ...]


# ---- formulas; the empty And is true, the empty Or is false


@frozen
class Atom:
    predicate: str
    arguments: tuple[str, ...]


@frozen
class Equal:
    left: str
    right: str


@frozen
class Not:
    part: Formula


@frozen
class And:
    parts: tuple[Formula, ...]


@frozen
class Or:
    parts: tuple[Formula, ...]


@frozen
class Imply:
    left: Formula
    right: Formula


@frozen
class Exists:
    variables: tuple[Typed, ...]
    part: Formula


@frozen
class Forall:
    variables: tuple[Typed, ...]
    part: Formula


# ---- effects


@frozen
class Add:
    atom: Atom


@frozen
class Delete:
    atom: Atom


@frozen
class Together:
    """The conjunction of effects."""

    parts: tuple[Effect, ...]


@frozen
class ForEach:
    """`(forall (variables) effect)`."""

    variables: tuple[Typed, ...]
    part: Effect


@frozen
class When:
    condition: Formula
    part: Effect


@frozen
class FunctionTerm:
    """A numeric function applied to terms, such as `(road-length ?from ?to)`."""

    name: str
    arguments: tuple[str, ...]


# ---- the task


@frozen
class Action:
    """An action schema; its cost is the sum of `cost` (empty: the action increases no total-cost)."""

    name: str
    parameters: tuple[Typed, ...]
    precondition: Formula
    effect: Effect
    cost: tuple[Cost, ...]
    place: Place


@frozen
class Derived:
    """A rule of a derived predicate: head(parameters) holds where `body` holds."""

    head: str
    parameters: tuple[Typed, ...]
    body: Formula
    place: Place


@frozen
class Domain:
    name: str
    types: tuple[Type, ...]
    constants: tuple[Typed, ...]
    predicates: tuple[Signature, ...]
    functions: tuple[Signature, ...]
    derived: tuple[Derived, ...]
    actions: tuple[Action, ...]


@frozen
class Problem:
    """The initial state lists true atoms once each; `values` gives the initial numeric functions."""

    name: str
    objects: tuple[Typed, ...]
    init: tuple[Atom, ...]
    values: tuple[tuple[FunctionTerm, int], ...]
    goal: Formula
    minimize_cost: bool


@frozen
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
