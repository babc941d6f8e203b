"""Small random PDDL tasks, as text: the same seed and features give the same task everywhere."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from random import Random

from reference import Reference

from banditplan import _core
from banditplan.errors import Source
from banditplan.grounding import ground
from banditplan.limits import Limits
from banditplan.normalize.normalize import normalize
from banditplan.pddl.parser import parse
from banditplan.pddl.syntax import Parsed

UNLIMITED = Limits(deadline=None, memory_kb=None)
VARIABLES = ("?x", "?y", "?z")
TYPES = ("thing", "place", "(either thing place)", "nothing")


@dataclass(frozen=True)
class Features:
    """What a random task may use, beyond STRIPS with types."""

    negative: bool = False
    equality: bool = False
    disjunctive: bool = False
    quantified: bool = False
    conditional: bool = False
    derived: bool = False
    costs: bool = False


STRIPS = Features()
NEGATIVE = Features(negative=True, equality=True, costs=True)
CONDITIONAL = Features(negative=True, conditional=True)
ADL = Features(negative=True, equality=True, disjunctive=True, quantified=True, conditional=True, costs=True)
DERIVED = replace(ADL, derived=True)
AXIOMS = Features(negative=True, derived=True)
FEATURES = {
    "strips": STRIPS,
    "negative": NEGATIVE,
    "conditional": CONDITIONAL,
    "axioms": AXIOMS,
    "adl": ADL,
    "derived": DERIVED,
}


@dataclass(frozen=True)
class PddlText:
    """A domain and a problem of it."""

    domain: str
    problem: str

    def parsed(self) -> Parsed:
        return parse(Source("domain.pddl", self.domain), Source("problem.pddl", self.problem))

    def ground(self, *, prune_mutex: bool = True) -> _core.Task:
        return ground(normalize(self.parsed()), UNLIMITED, prune_mutex=prune_mutex)


@cache
def random_task(kind: str, seed: int) -> PddlText:
    """The task number `seed` with the features of that name."""
    return _Generator(Random(f"{kind} {seed}"), FEATURES[kind]).task(any_goal=seed % 4 == 0)


@dataclass(frozen=True)
class Readable:
    """The predicates (with arities) that a formula may use as they are, and below a negation."""

    positive: dict[str, int]
    negative: dict[str, int]
    upright: bool = True  # below an even number of negations

    def flipped(self) -> Readable:
        return Readable(self.negative, self.positive, not self.upright)

    def quantified(self, kind: str) -> Readable:
        """Below what amounts to a universal quantifier only what may be negated: it is compiled with negations."""
        if (kind == "forall") != self.upright:
            return self
        both = {name: arity for name, arity in self.positive.items() if name in self.negative}
        return Readable(both, both, self.upright)


class _Generator:
    def __init__(self, random: Random, features: Features) -> None:
        self.random = random
        self.features = features
        self.things = [f"t{i}" for i in range(random.randint(1, 2))]
        self.places = [f"l{i}" for i in range(random.randint(1, 3))]
        self.objects = [*self.things, *self.places]
        self.constants = [name for name in self.objects if random.random() < 0.4]
        self.fluent = {f"f{i}": random.choice((0, 1, 1, 2)) for i in range(random.randint(2, 4))}
        # A predicate that is about a token (or, with two arguments, about one token per object), and the others.
        movable = [name for name, arity in self.fluent.items() if arity > 0]
        self.token = random.choice(movable) if movable and random.random() < 0.6 else None
        self.other = {name: arity for name, arity in self.fluent.items() if name != self.token or len(self.fluent) == 1}
        self.static = {f"s{i}": random.choice((1, 2)) for i in range(random.randint(0, 2))}
        self.derived = {
            f"d{i}": random.choice((0, 1, 2)) for i in range(random.randint(1, 3) if features.derived else 0)
        }
        basic = {**self.fluent, **self.static}
        self.readable = Readable({**basic, **self.derived}, {**basic, **self.derived} if features.negative else {})

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    # ---- formulas

    def term(self, scope: tuple[str, ...]) -> str:
        if scope and (not self.constants or self.chance(0.85)):
            return self.random.choice(scope)
        return self.random.choice(self.constants or self.objects)

    def atom(self, predicates: dict[str, int], scope: tuple[str, ...]) -> str:
        """An atom; where there is nothing to fill its arguments with, it has none."""
        possible = [p for p in sorted(predicates) if predicates[p] == 0 or scope or self.constants]
        if not possible:
            return "(and)"
        name = self.token if self.token in possible and self.chance(0.3) else self.random.choice(possible)
        return f"({' '.join([name, *(self.term(scope) for _ in range(predicates[name]))])})"

    def variables(self, count: int) -> tuple[str, tuple[str, ...]]:
        """A typed list, and its names."""
        names = self.random.sample(VARIABLES, count)
        types = [self.random.choice(TYPES) if self.chance(0.3) else "object" for _ in names]
        return " ".join(f"{name} - {each}" for name, each in zip(names, types, strict=True)), tuple(names)

    def literal(self, scope: tuple[str, ...], readable: Readable) -> str:
        if self.features.equality and scope and self.chance(0.15):
            text = f"(= {self.random.choice(scope)} {self.term(scope)})"
            return f"(not {text})" if self.features.negative and self.chance(0.7) else text
        if self.features.negative and readable.negative and self.chance(0.35):
            return f"(not {self.atom(readable.negative, scope)})"
        return self.atom(readable.positive, scope)

    def formula(self, scope: tuple[str, ...], readable: Readable, depth: int) -> str:
        kinds = ["literal"] * 3
        if depth > 0:
            kinds += ["and"]
            kinds += ["or", "imply", "not"] if self.features.disjunctive else []
            kinds += ["exists", "forall"] if self.features.quantified else []
        kind = self.random.choice(kinds)
        if kind == "literal":
            return self.literal(scope, readable)
        if kind == "not":
            return f"(not {self.formula(scope, readable.flipped(), depth - 1)})"
        if kind == "imply":
            left = self.formula(scope, readable.flipped(), depth - 1)
            return f"(imply {left} {self.formula(scope, readable, depth - 1)})"
        if kind in ("and", "or"):
            count = self.random.choice((0, 1, 2, 2, 3)) if depth > 1 else 2
            return f"({' '.join([kind, *(self.formula(scope, readable, depth - 1) for _ in range(count))])})"
        declared, names = self.variables(self.random.choice((1, 1, 2)))
        inner = tuple(dict.fromkeys((*scope, *names)))
        part = self.formula(inner, readable.quantified(kind), depth - 1)
        return f"({kind} ({declared}) {part})"

    def conjunction(self, scope: tuple[str, ...], most: int, depth: int) -> str:
        parts = [self.formula(scope, self.readable, depth) for _ in range(most)]
        return f"({' '.join(['and', *parts])})"

    # ---- the domain

    def effect(self, scope: tuple[str, ...], depth: int) -> str:
        if depth > 0 and self.features.conditional and self.chance(0.45):
            if self.chance(0.6):
                condition = self.formula(scope, self.readable, 1)
                return f"(when {condition} {self.effect(scope, depth - 1)})"
            declared, names = self.variables(1)
            return f"(forall ({declared}) {self.effect(tuple(dict.fromkeys((*scope, *names))), depth - 1)})"
        if depth > 0 and self.chance(0.2):
            return f"(and {self.effect(scope, depth - 1)} {self.effect(scope, depth - 1)})"
        atom = self.atom(self.other if self.chance(0.95) else self.fluent, scope)
        if atom == "(and)":
            return atom
        return f"(not {atom})" if self.chance(0.4) else atom

    def move(self, scope: tuple[str, ...]) -> tuple[str, str] | None:
        """A condition and an effect that move a token: one atom goes, another one comes."""
        if not scope:
            return None
        if self.token and self.chance(0.7):
            source = target = self.token
        else:
            source = self.random.choice(sorted(self.other))
            target = source if self.chance(0.5) else self.random.choice(sorted(self.other))
        here = [self.random.choice(scope) for _ in range(self.fluent[source])]
        there = (here + [self.random.choice(scope) for _ in range(2)])[: self.fluent[target]]
        if there:
            there[-1] = self.random.choice(scope)
        before = f"({' '.join([source, *here])})"
        after = f"({' '.join([target, *there])})"
        change = f"(not {before}) {after}"
        if self.features.conditional and self.chance(0.4):
            return "", f"(when {before} (and {change}))"
        return before, change

    def action(self, number: int) -> str:
        count = self.random.choice((0, 1, 2, 2, 2, 3))
        declared, scope = self.variables(count)
        precondition = self.conjunction(scope, self.random.choice((0, 1, 1, 2)), 2)
        effects = [self.effect(scope, 2) for _ in range(self.random.randint(0, 2))]
        token = self.move(scope) if self.chance(0.7) else None
        if token:
            precondition = f"(and {token[0]} {precondition})"
            effects.append(token[1])
        effects = effects or [self.effect(scope, 2)]
        if self.features.costs and self.chance(0.7):
            effects.append(f"(increase (total-cost) {self.random.randint(0, 4)})")
            if scope and self.chance(0.5):
                effects.append(f"(increase (total-cost) (price {self.random.choice(scope)}))")
        return (
            f"  (:action a{number} :parameters ({declared})\n"
            f"    :precondition {precondition}\n"
            f"    :effect ({' '.join(['and', *effects])}))"
        )

    def rules(self) -> list[str]:
        """Rules in strata: a predicate may use itself, and negate those before it."""
        result = []
        basic = {**self.fluent, **self.static}
        for number, (head, arity) in enumerate(self.derived.items()):
            lower = dict(list(self.derived.items())[:number])
            readable = Readable({**basic, **lower, head: arity}, {**basic, **lower} if self.features.negative else {})
            for _ in range(self.random.choice((1, 1, 2))):
                declared, scope = self.variables(arity)
                result.append(f"  (:derived ({head} {declared}) {self.formula(scope, readable, 3)})")
        return result

    def task(self, any_goal: bool) -> PddlText:
        """A task whose goal (unless any goal will do) takes some steps, if one is found."""
        domain, init = self.domain(), self.init()
        self.constants = self.objects
        metric = self.chance(0.7)
        if not any_goal:
            without_goal = PddlText(domain, self.problem(init, "(and)", metric)).parsed()
            states = list(Reference(without_goal).explore(40).transitions)
            for _ in range(30):
                task = PddlText(domain, self.problem(init, self.goal(), metric))
                reference = Reference(task.parsed())
                if not reference.is_goal(reference.init) and any(map(reference.is_goal, states)):
                    return task
        return PddlText(domain, self.problem(init, self.goal(), metric))

    def typed(self, names: list[str]) -> str:
        return " ".join(f"{name} - {'thing' if name in self.things else 'place'}" for name in names)

    def goal(self) -> str:
        return f"(and {' '.join(self.formula((), self.readable, 2) for _ in range(self.random.randint(1, 2)))})"

    def domain(self) -> str:
        every = {**self.fluent, **self.static, **self.derived}
        signatures = [f"({' '.join([name, *VARIABLES[:arity]])})" for name, arity in every.items()]
        lines = [
            "(define (domain random)",
            "  (:requirements :adl :derived-predicates :action-costs)",
            "  (:types thing place nothing - object)",
            f"  (:constants {self.typed(self.constants)})",
            f"  (:predicates {' '.join(signatures)})",
            "  (:functions (price ?x) (total-cost))" if self.features.costs else "",
            *self.rules(),
            *(self.action(number) for number in range(self.random.randint(2, 4))),
            ")",
        ]
        self.declared = [name for name in self.objects if name not in self.constants]
        return "\n".join(lines)

    def problem(self, init: list[str], goal: str, metric: bool) -> str:
        lines = [
            "(define (problem random-1) (:domain random)",
            f"  (:objects {self.typed(self.declared)})",
            f"  (:init {' '.join(init)})",
            f"  (:goal {goal})",
            "  (:metric minimize (total-cost))" if self.features.costs and metric else "",
            ")",
        ]
        return "\n".join(lines)

    def init(self) -> list[str]:
        """Some predicates hold of one object each, as a token does; the others of some."""
        atoms = [f"(= (price {name}) {self.random.randint(0, 5)})" for name in self.objects if self.features.costs]
        for name, arity in {**self.fluent, **self.static}.items():
            rows = [[]] if arity == 0 else [[a] for a in self.objects]
            if arity == 2:
                rows = [[a, b] for a in self.objects for b in self.objects]
            if name == self.token and arity == 2:
                chosen = [[a, self.random.choice(self.objects)] for a in self.objects]
            elif name == self.token or (name in self.fluent and arity > 0 and self.chance(0.4)):
                chosen = [self.random.choice(rows)]
            else:
                chosen = [row for row in rows if self.chance(0.4)]
            atoms += [f"({' '.join([name, *row])})" for row in chosen]
        return atoms
