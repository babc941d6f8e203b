"""How often a schema, or a part of one, will be instantiated: an estimate without grounding anything."""

from __future__ import annotations

from banditplan.pddl.syntax import Atom, Equal, Not
from banditplan.split.domains import Objects, atom_of, terms_of, variables_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Set

    from banditplan.normalize.task import Condition, Literal, Normalized, Schema
    from banditplan.split.domains import Domains


class Estimate:
    """Sizes of joins, as databases estimate them: every condition keeps its share of the combinations of objects.

    The share of a static atom is counted. That of a fluent is bounded by its initial atoms and by the types of what
    actions add, once these have been looked for; `never` are the schemas that are then known to have no instance. Of
    conditions on the same variables only the strictest counts, as they are seldom independent.
    """

    def __init__(self, task: Normalized) -> None:
        self._task = task
        self.objects = Objects(task)
        self._derived = {axiom.head.predicate for axiom in task.axioms}
        self._fluent = {effect.atom.predicate for schema in task.schemas for effect in schema.effects}
        self._added: dict[str, set[tuple[int, ...]]] | None = None
        self.never: list[Schema] = []

    def is_static(self, literal: Literal) -> bool:
        """Whether the literal always has the same value."""
        atom = atom_of(literal)
        return not isinstance(atom, Atom) or not (atom.predicate in self._fluent or atom.predicate in self._derived)

    def domains(self, schema: Schema) -> dict[str, int]:
        """The objects of every parameter: its type, narrowed by each static condition alone."""
        domains = self.objects.of_variables(schema.parameters)
        for literal in schema.condition:
            if isinstance(literal, Atom) and self.is_static(literal):
                rows = self.objects.initial_rows(literal, domains)
                for place, term in enumerate(literal.arguments):
                    if term[0] == "?":
                        domains[term] = _union([row[place] for row in rows])
        return domains

    def shares(self, condition: Condition, domains: Domains) -> dict[frozenset[str], float]:
        """For every set of variables that the condition speaks of, the share of the combinations that it keeps."""
        shares: dict[frozenset[str], float] = {}
        for literal in condition:
            scope = variables_of(terms_of(literal))
            shares[scope] = min(shares.get(scope, 1.0), self._share(literal, domains))
        return shares

    def size(self, schema: Schema) -> float:
        """The number of instances of a schema."""
        domains = self.domains(schema)
        return combinations(domains.keys(), domains, self.shares(schema.condition, domains))

    def look_for_adds(self) -> None:
        """Find what actions can add, by types: the least fixpoint, in which actions count whose conditions may hold."""
        self._added = {}
        waiting = [(schema, self.domains(schema)) for schema in self._task.schemas]
        while True:
            idle = []
            for schema, domains in waiting:
                if combinations(domains.keys(), domains, self.shares(schema.condition, domains)) == 0:
                    idle.append((schema, domains))
                    continue
                for effect in schema.effects:
                    if not effect.deletes:
                        scope = {**domains, **self.objects.of_variables(effect.variables)}
                        added = self.objects.of_arguments(effect.atom.arguments, scope)
                        self._added.setdefault(effect.atom.predicate, set()).add(added)
            if len(idle) == len(waiting):
                self.never = [schema for schema, _ in idle]
                return
            waiting = idle

    def _share(self, literal: Literal, domains: Domains) -> float:
        """The part of all combinations for which the literal may hold at some time."""
        every = combinations(variables_of(terms_of(literal)), domains, {})
        if every == 0:
            return 0.0
        match literal:
            case Equal(left, right):
                common = 1
                for domain in self.objects.of_arguments((left, right), domains):
                    common = max(common, domain.bit_count())
                return 1 / common
            case Atom():
                return self._matches(literal, domains, every) / every
            case Not(Atom() as atom) if self.is_static(atom):
                return 1 - len(self.objects.initial_rows(atom, domains)) / every
        return 1.0

    def _matches(self, atom: Atom, domains: Domains, most: float) -> float:
        if not self.is_static(atom) and (self._added is None or atom.predicate in self._derived):
            return most
        matches = float(len(self.objects.initial_rows(atom, domains)))
        wanted = self.objects.of_arguments(atom.arguments, domains)
        for added in (self._added or {}).get(atom.predicate, ()):
            overlap = 1.0
            for here, there in zip(wanted, added, strict=True):
                overlap *= (here & there).bit_count()
            matches += overlap
            if matches >= most:
                return most
        return matches


def combinations(variables: Set[str], domains: Domains, shares: Mapping[frozenset[str], float]) -> float:
    """The number of ways to choose objects for the variables, if conditions keep the given shares of them."""
    size = 1.0
    for name in variables:
        size *= domains[name].bit_count()
    for scope, share in shares.items():
        if scope <= variables:
            size *= share
    return size


def _union(bits: list[int]) -> int:
    union = 0
    for bit in bits:
        union |= bit
    return union
