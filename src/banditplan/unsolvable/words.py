"""Proofs in words of PDDL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from banditplan.normalize.task import Axiom, Normalized
from banditplan.pddl.syntax import Atom, Equal, Not
from banditplan.unsolvable.patterns import Hole, Pattern
from banditplan.unsolvable.positive import NOT
from banditplan.unsolvable.proof import Proof, Step, cycle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan.normalize.task import Literal

MOST_LINES = 8
MOST_NAMES = 4
MOST_WAYS = 3
MOST_LETTERS = 160
AUXILIARY = "aux@"


class Words:
    """Names what the normalised task calls by names of its own."""

    def __init__(self, task: Normalized) -> None:
        self._types = task.types
        self._type_names = task.types.type_names
        self._declared = {each.name: each.parameters for each in task.predicates}
        self._rules: dict[str, list[Axiom]] = {}
        for axiom in task.axioms:
            if axiom.head.predicate.startswith(AUXILIARY):
                self._rules.setdefault(axiom.head.predicate, []).append(axiom)

    def fact(self, pattern: Pattern) -> str:
        terms = [self._hole(pattern, number) for number in range(len(pattern.arguments))]
        text = self._literal(Atom(pattern.predicate, tuple(terms)), {})
        return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}…"

    def _hole(self, pattern: Pattern, number: int) -> str:
        """The argument; a variable with its type, where that is less than the predicate allows."""
        part = pattern.arguments[number]
        if isinstance(part, str):
            return part
        declared = self._declared.get(pattern.predicate.removeprefix(NOT))
        if declared is None or part.objects >= set(self._types.members(declared[number].types)):
            return part.name
        for name in self._type_names:
            if part.objects == set(self._types.members((name,))):
                return f"{_term(part.name)} - {name}"
        return part.name

    def _literal(self, literal: Literal, values: dict[str, str]) -> str:
        match literal:
            case Atom(predicate, arguments) if predicate.startswith(NOT):
                return self._literal(Not(Atom(predicate.removeprefix(NOT), arguments)), values)
            case Atom(predicate, arguments) if predicate in self._rules:
                return self._condition(predicate, [values.get(term, term) for term in arguments])
            case Atom(predicate, arguments):
                return f"({' '.join([predicate, *(_term(values.get(term, term)) for term in arguments)])})"
            case Equal(left, right):
                return self._literal(Atom("=", (left, right)), values)
            case Not(part) if isinstance(part, (Atom, Equal)):
                return f"(not {self._literal(part, values)})"
        raise AssertionError(f"not a literal: {literal!r}")

    def _condition(self, predicate: str, arguments: list[str]) -> str:
        """What an auxiliary predicate stands for."""
        texts = []
        for rule in self._rules[predicate]:
            values = dict(zip(rule.head.arguments, arguments, strict=True))
            parts = [self._literal(literal, values) for literal in rule.body]
            text = parts[0] if len(parts) == 1 else f"(and {' '.join(parts)})"
            free = [_term(each.name) for each in rule.variables if each.name not in values]
            texts.append(f"(exists ({' '.join(free)}) {text})" if free else text)
        return texts[0] if len(texts) == 1 else f"(or {' '.join(texts)})"

    def lines(self, proof: Proof) -> list[str]:
        """A sentence for each step; of many, for the first."""
        shown = proof.steps if len(proof.steps) <= MOST_LINES else proof.steps[: MOST_LINES - 1]
        lines = [self.step(step) for step in shown]
        left = len(proof.steps) - len(shown)
        if left or not proof.complete:
            lines.append(f"and so on, for {left}{' or more' * (not proof.complete)} further facts")
        together = cycle(proof)
        if len(together) > 1:
            lines.append(f"{listed(map(self.fact, together))} need one another, and none of them is true at first")
        return lines

    def step(self, step: Step) -> str:
        fact = self.fact(step.fact)
        if not step.ways:
            return self._first_missing(step, fact)
        groups: dict[str, list[str | None]] = {}
        for action, lack in step.ways:
            needed = "" if lack is None else "itself" if lack.key == step.fact.key else self.fact(lack)
            actions = groups.setdefault(needed, [])
            if action not in actions:
                actions.append(action)
        texts = [_way(actions, needed) for needed, actions in groups.items()]
        if len(texts) > MOST_WAYS:
            rest = len(texts) - MOST_WAYS + 1
            texts[MOST_WAYS - 1 :] = [f"or in {rest} other ways, each of which lacks something"]
        return f"{fact} comes true only {'; '.join(texts)}"

    def _first_missing(self, step: Step, fact: str) -> str:
        predicate = step.fact.predicate
        if predicate in ("=", NOT + "="):
            return f"{fact} is never true"
        if predicate.startswith(NOT):
            opposite = self.fact(Pattern(predicate.removeprefix(NOT), step.fact.arguments))
            every = "every " * any(isinstance(part, Hole) for part in step.fact.arguments)
            return f"nothing makes {opposite} false: {every}{opposite} is true at first, and stays so"
        if step.static:
            return f"the initial state has no {fact}, and no action adds one"
        return f"nothing achieves {fact}, and it is not true at first"


def listed(texts: Iterable[str]) -> str:
    """`a, b and c`; of many, the first ones and how many more."""
    names = list(texts)
    if len(names) > MOST_NAMES:
        names[MOST_NAMES - 1 :] = [f"{len(names) - MOST_NAMES + 1} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _way(actions: Sequence[str | None], needed: str) -> str:
    named = [action for action in actions if action is not None]
    by = f"by {listed(named).replace(' and ', ' or ')}" if named else "where a rule derives it"
    verb = "needs" if len(named) < 2 else "need"
    if not needed:
        return f"{by}, whose conditions never hold together"
    if needed == "itself":
        return f"{by}, which {verb} it to be true before"
    return f"{by}, which {verb} {needed}"


def _term(name: str) -> str:
    """Without the numbers that tell variables of the same name apart."""
    if not name.startswith("?"):
        return name
    variable, dash, type_name = name.partition(" - ")
    return variable.partition("@")[0] + dash + type_name
