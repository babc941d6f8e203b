"""Why a condition does not hold: its smallest failing parts, in PDDL with the arguments filled in."""

from __future__ import annotations

from banditplan.pddl.syntax import And, Atom, Equal, Exists, Forall, Imply, Not, Or
from banditplan.validation.conditions import conjuncts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from banditplan.pddl.syntax import Formula, Typed
    from banditplan.validation.conditions import Compiler, Environment
    from banditplan.validation.facts import Facts

SHOWN = 3  # failing parts that are written out


class Explainer:
    """Looks for the failing parts of conditions in one state."""

    def __init__(self, compiler: Compiler, facts: Facts) -> None:
        self._compiler = compiler
        self._facts = facts

    def failing(self, formula: Formula, env: Environment) -> tuple[str, ...]:
        """The smallest parts of a formula that do not hold, each once; none if it holds."""
        return () if self._holds(formula, env) else tuple(dict.fromkeys(self._failing(formula, env)))

    def _failing(self, formula: Formula, env: Environment) -> list[str]:
        """The smallest failing parts of a formula that is false."""
        match formula:
            case And(parts) if parts:
                return [text for part in parts if not self._holds(part, env) for text in self._failing(part, env)]
            case Forall(variables, part):
                return self._failing(part, self._counterexample(variables, part, env))
            case Not(Not(part)):
                return self._failing(part, env)
            case Not(Or(parts)) if parts:
                return self._failing(And(tuple([Not(part) for part in parts])), env)
            case Not(Imply(left, right)):
                return self._failing(And((left, Not(right))), env)
            case Not(Exists(variables, part)):
                return self._failing(Forall(variables, Not(part)), env)
        return [show(formula, env)]

    def _holds(self, formula: Formula, env: Environment) -> bool:
        return self._compiler.condition(formula)(dict(env), self._facts)

    def _counterexample(self, variables: Sequence[Typed], part: Formula, env: Environment) -> Environment:
        """An assignment of `variables` for which `part` is false: the same one in every run."""
        return next(witnesses(self._compiler, self._facts, variables, part, env, positive=False))


def witnesses(
    compiler: Compiler, facts: Facts, variables: Sequence[Typed], part: Formula, env: Environment, positive: bool
) -> Iterator[Environment]:
    """`env` with each assignment of `variables` for which `part` is true, or false: in the same order in every run."""
    names, renamed = compiler.rename(variables, {})
    found: set[tuple[str, ...]] = set()

    def note(assignment: Environment, _: Facts) -> bool:
        found.add(tuple([assignment[item.name] for item in renamed]))
        return False

    normal = compiler.normal(part, names, positive)
    compiler.search(conjuncts(normal), compiler.free(renamed), note)(dict(env), facts)
    for values in sorted(found):
        yield {**env, **dict(zip([item.name for item in variables], values, strict=True))}


def not_holding(what: str, parts: Sequence[str]) -> str:
    """For example "precondition (clear a) does not hold"; `what` names the failing formula."""
    more = f" and {len(parts) - SHOWN} more" if len(parts) > SHOWN else ""
    several = len(parts) > 1
    return f"{what}{'s' if several else ''} {', '.join(parts[:SHOWN])}{more} {'do' if several else 'does'} not hold"


def show(formula: Formula, env: Environment) -> str:
    """`formula` in PDDL, with the objects of `env` in place of variables."""
    match formula:
        case Atom(predicate, arguments):
            return _group(predicate, *[_term(term, env) for term in arguments])
        case Equal(left, right):
            return _group("=", _term(left, env), _term(right, env))
        case Not(part):
            return _group("not", show(part, env))
        case Imply(left, right):
            return _group("imply", show(left, env), show(right, env))
        case And(parts) | Or(parts):
            return _group("and" if isinstance(formula, And) else "or", *[show(part, env) for part in parts])
        case Exists(variables, part) | Forall(variables, part):
            word = "exists" if isinstance(formula, Exists) else "forall"
            bound = [item.name for item in variables]
            inner = {name: value for name, value in env.items() if name not in bound}
            return _group(word, _group(*map(_typed, variables)), show(part, inner))


def show_types(types: tuple[str, ...]) -> str:
    return types[0] if len(types) == 1 else _group("either", *types)


def _group(*words: str) -> str:
    return f"({' '.join(words)})"


def _term(term: str, env: Environment) -> str:
    """The object for a variable, or the variable as it was written: the parser marks repeated names by @1, @2, …"""
    value = env.get(term, term)
    return value.partition("@")[0] if value.startswith("?") else value


def _typed(item: Typed) -> str:
    name = _term(item.name, {})
    return name if item.types == ("object",) else f"{name} - {show_types(item.types)}"
