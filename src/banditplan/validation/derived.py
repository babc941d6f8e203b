"""Derived predicates: the stratified least fixpoint, computed when a condition first reads one.

The predicates are put into strata, so that a negated predicate is complete before it is read. Within
a stratum evaluation is semi-naive: a recursive rule is tried only on rows that are new since the last
round. Recursion below a universal quantifier does not fit this scheme; such rules are tried in full
until nothing changes.
"""

from __future__ import annotations

from banditplan.errors import PddlError
from banditplan.pddl.syntax import And, Atom, Equal, Exists, Forall, Imply, Not, Or
from banditplan.validation.conditions import NEW, conjuncts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    from banditplan.pddl.syntax import Derived, Formula, Typed
    from banditplan.validation.conditions import Compiler, Environment, Test
    from banditplan.validation.facts import Facts, Row

    Body: TypeAlias = tuple[tuple[Typed, ...], tuple[Formula, ...]]  # lifted variables and conjuncts


class Axioms:
    """All derived predicates of a domain."""

    def __init__(self, rules: Sequence[Derived], compiler: Compiler) -> None:
        self._rules = rules
        self._compiler = compiler
        self._strata: list[_Stratum] = []
        self._level = strata(rules) if rules else {}
        self._reads = {predicate for rule in rules for predicate, _ in _signs(rule.body)}

    def derive(self, facts: Facts, predicate: str) -> None:
        """Make the table of `predicate`, and those of the strata below it."""
        if not self._strata:
            self._strata = self._compile()
        for stratum in self._strata[: self._level[predicate] + 1]:
            if not facts.has_table(stratum.predicates[0]):
                stratum.fill(facts)

    def forget(self, facts: Facts, touched: set[str]) -> None:
        """Drop the tables, unless a change of the predicates `touched` cannot matter."""
        if not self._reads.isdisjoint(touched):
            for predicate in self._level:
                facts.drop(predicate)

    def _compile(self) -> list[_Stratum]:
        levels = sorted(set(self._level.values()))
        return [_Stratum([r for r in self._rules if self._level[r.head] == level], self._compiler) for level in levels]


class _Stratum:
    """The rules of one stratum, compiled; `_found` takes what a pass over them finds."""

    def __init__(self, rules: Sequence[Derived], compiler: Compiler) -> None:
        self.predicates = tuple(dict.fromkeys(rule.head for rule in rules))
        self._compiler = compiler
        self._found: list[tuple[str, Row]] = []
        self._once: list[Test] = []  # rules without recursion
        self._on_new: list[Test] = []  # rules with one recursive atom read from the new rows
        self._in_full: list[Test] = []  # rules with recursion below a universal quantifier
        for rule in rules:
            self._add(rule)

    def _add(self, rule: Derived) -> None:
        names, parameters = self._compiler.rename(rule.parameters, {})
        head = Atom(rule.head, tuple([item.name for item in parameters]))
        for lifted, parts in self._bodies(self._compiler.normal(rule.body, names)):
            variables = (*parameters, *lifted)
            recursive = [part for part in parts if isinstance(part, Atom) and part.predicate in self.predicates]
            hidden = any(self._mentions(part) for part in parts if not isinstance(part, Atom))
            for atom in recursive:
                others = [part for part in parts if part is not atom]
                new = Atom(NEW + atom.predicate, atom.arguments)
                self._on_new.append(self._rule(head, variables, (new, *others)))
            if not recursive or hidden:
                kind = self._in_full if hidden else self._once
                kind.append(self._rule(head, variables, parts))

    def _rule(self, head: Atom, variables: Sequence[Typed], parts: Sequence[Formula]) -> Test:
        found = self._found

        def note(env: Environment, facts: Facts) -> bool:
            found.append((head.predicate, tuple([env[term] for term in head.arguments])))
            return False

        return self._compiler.search(parts, self._compiler.free(variables), note)

    def _bodies(self, formula: Formula) -> Iterator[Body]:
        """Split a normal body into conjunctions, so that recursive atoms are conjuncts where possible."""
        match formula:
            case Or(parts) if self._mentions(formula):
                for part in parts:
                    yield from self._bodies(part)
            case Exists(variables, part) if self._mentions(formula):
                for lifted, conjunction in self._bodies(part):
                    yield (*variables, *lifted), conjunction
            case And(parts) if self._mentions(formula):
                yield from self._products(parts)
            case _:
                yield (), conjuncts(formula)

    def _products(self, parts: Sequence[Formula]) -> list[Body]:
        bodies: list[Body] = [((), ())]
        for part in parts:
            bodies = [(v + w, c + d) for w, d in list(self._bodies(part)) for v, c in bodies]
        return bodies

    def _mentions(self, formula: Formula) -> bool:
        return any(predicate in self.predicates for predicate, _ in _signs(formula))

    def fill(self, facts: Facts) -> None:
        """Compute the tables of the stratum from those below it."""
        for predicate in self.predicates:
            facts.replace(predicate, ())
        new = self._round(self._once + self._in_full, facts)
        while new:
            for predicate in self.predicates:
                facts.replace(NEW + predicate, [row for name, row in new if name == predicate])
            new = self._round(self._on_new, facts) or self._round(self._in_full, facts)

    def _round(self, rules: Iterable[Test], facts: Facts) -> list[tuple[str, Row]]:
        """Try `rules`, put what they find into the tables and return what was not there before."""
        for rule in rules:
            rule({}, facts)
        new = [(name, row) for name, row in dict.fromkeys(self._found) if row not in facts.table(name)]
        self._found.clear()
        for name, row in new:
            facts.add(name, row)
        return new


def strata(rules: Sequence[Derived]) -> dict[str, int]:
    """The stratum of each derived predicate: not below those that it reads, above those that it negates."""
    level = {rule.head: 0 for rule in rules}
    edges = {(rule.head, p, sign) for rule in rules for p, sign in _signs(rule.body) if p in level}
    for _ in range(len(level) + 1):
        raised = False
        for head, predicate, positive in edges:
            needed = level[predicate] if positive else level[predicate] + 1
            if level[head] < needed:
                level[head] = needed
                raised = True
        if not raised:
            return level
    culprit = max(rules, key=lambda rule: level[rule.head])
    raise PddlError.at(culprit.place, f'the derived predicate "{culprit.head}" depends on its own negation')


def _signs(formula: Formula, positive: bool = True) -> Iterator[tuple[str, bool]]:
    """Each predicate in `formula`, and whether it occurs there without negation."""
    match formula:
        case Atom(predicate, _):
            yield predicate, positive
        case Equal():
            pass
        case Not(part):
            yield from _signs(part, not positive)
        case Exists(_, part) | Forall(_, part):
            yield from _signs(part, positive)
        case Imply(left, right):
            yield from _signs(left, not positive)
            yield from _signs(right, positive)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _signs(part, positive)
