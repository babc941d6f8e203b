"""How an atom could come true, and what each way lacks: a condition none of whose instances can be reached."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from banditplan.frozen import frozen
from banditplan.normalize.task import Normalized
from banditplan.pddl.syntax import Atom, Equal, Not, Typed
from banditplan.unsolvable.patterns import Atoms, Binding, Hole, Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan.normalize.task import Condition, Literal

MOST_BRANCHES = 100  # instances of an action that are told apart

EQUAL, UNEQUAL, ABSENT = "=", "not@=", "not@"


@frozen
class Producer:
    """An effect of an action, or a rule of a derived predicate."""

    action: str | None
    parameters: tuple[str, ...]  # of the action, as its name shows them
    variables: tuple[Typed, ...]
    condition: Condition
    atom: Atom


@frozen
class Way:
    """An action, or some of its instances, that would make an atom true, or a rule that would (without an action), and
    conditions that it lacks, each of them by itself; none, if they lack each other."""

    action: str | None
    lacks: tuple[Pattern, ...]


class Ways:
    def __init__(self, task: Normalized, atoms: Atoms) -> None:
        self._task = task
        self._atoms = atoms
        self._producers: dict[str, list[Producer]] = {}
        for producer in _producers(task):
            self._producers.setdefault(producer.atom.predicate, []).append(producer)
        changed = {effect.atom.predicate for schema in task.schemas for effect in schema.effects}
        self._static = {each.name for each in task.predicates} - changed - set(self._producers)
        self._signatures = {each.name: each for each in task.predicates}
        self._domains: dict[tuple[str, ...], frozenset[str]] = {}
        self._known: dict[tuple[object, ...], tuple[Way, ...]] = {}

    def static(self, predicate: str) -> bool:
        """Whether nothing ever changes it."""
        return predicate in self._static or predicate in (EQUAL, UNEQUAL) or predicate not in self._signatures

    def of(self, pattern: Pattern) -> tuple[Way, ...]:
        """All ways to an atom of a pattern that cannot be reached."""
        known = self._known.get(pattern.key)
        if known is None:
            ways: list[Way] = []
            for producer in self._producers.get(pattern.predicate, ()):
                ways += self._lacking(producer, pattern)
            known = self._known[pattern.key] = tuple(dict.fromkeys(ways))
        return known

    def missing(self, condition: Condition, binding: Binding) -> list[Pattern]:
        """The literals that fail by themselves, whatever the variables are."""
        found = []
        for literal in condition:
            pattern = _failing(literal, binding, self._atoms, self._static)
            if pattern is not None:
                found.append(pattern)
        return found

    def _lacking(self, producer: Producer, pattern: Pattern) -> list[Way]:
        binding = Binding({typed.name: _value(self._domain(typed.types)) for typed in producer.variables})
        if any(not binding[typed.name] for typed in producer.variables):
            return []  # no object is of the type
        unified = _unified(producer.atom, pattern, binding)
        if unified is None:
            return []
        binding, equalities = unified
        condition = (*producer.condition, *equalities)
        branches = list(self._branches(condition, binding, MOST_BRANCHES))
        if len(branches) > MOST_BRANCHES or any(not missing for _, missing in branches):
            return [Way(producer.action, ())]
        several = len(branches) > 1
        return [
            Way(
                _named(producer, branch) if several else producer.action,
                tuple(dict.fromkeys(general for lack in missing for general in self._general(lack))),
            )
            for branch, missing in branches
        ]

    def _branches(self, condition: Condition, binding: Binding, most: int) -> Iterator[tuple[Binding, list[Pattern]]]:
        """Instances with what fails in each; with nothing, if that is not known. More than `most` if there are more."""
        missing = self.missing(condition, binding)
        if missing:
            yield binding, missing
            return
        choice = self._narrowest(condition, binding, most)
        if choice is None:
            yield binding, []
            return
        pattern = binding.pattern(choice)
        rest = tuple(literal for literal in condition if literal is not choice)
        left = most
        for objects in self._atoms.matches(pattern):
            for branch in self._branches(rest, binding.matched(pattern, objects), left):
                yield branch
                left -= 1
                if left < 0:
                    return

    def _narrowest(self, condition: Condition, binding: Binding, most: int) -> Atom | None:
        """The atom with the fewest matches among those with variables."""
        best, fewest = None, most + 1
        for literal in condition:
            if isinstance(literal, Atom):
                pattern = binding.pattern(literal)
                if any(isinstance(part, Hole) for part in pattern.arguments):
                    count = self._atoms.count(pattern, fewest)
                    if count < fewest:
                        best, fewest = literal, count
        return best

    def _general(self, pattern: Pattern) -> list[Pattern]:
        """The pattern with holes in place of objects, as many as leave nothing that can be reached: all, or those that
        come first, or last."""
        signature = self._signatures.get(pattern.predicate)
        if signature is None:
            return [pattern]
        names = {part.name for part in pattern.arguments if isinstance(part, Hole)}
        holes: list[str | Hole] = []
        for part, parameter in zip(pattern.arguments, signature.parameters, strict=True):
            domain = self._domain(parameter.types)
            if isinstance(part, str) and part in domain and len(domain) > 1:
                name = parameter.name
                while name in names:
                    name += "'"
                names.add(name)
                holes.append(Hole(name, domain))
            else:
                holes.append(part)
        everything = Pattern(pattern.predicate, tuple(holes))
        if not self._atoms.any(everything):
            return [everything]
        numbers = range(len(holes))
        return [self._widened(pattern, holes, order) for order in (numbers, reversed(numbers))]

    def _widened(self, pattern: Pattern, holes: list[str | Hole], order: Iterable[int]) -> Pattern:
        for number in order:
            arguments = (*pattern.arguments[:number], holes[number], *pattern.arguments[number + 1 :])
            wider = Pattern(pattern.predicate, arguments)
            if wider != pattern and not self._atoms.any(wider):
                pattern = wider
        return pattern

    def _domain(self, types: tuple[str, ...]) -> frozenset[str]:
        known = self._domains.get(types)
        if known is None:
            known = self._domains[types] = frozenset(self._task.types.members(types))
        return known


def _producers(task: Normalized) -> Iterator[Producer]:
    for schema in task.schemas:
        visible = tuple(typed.name for typed in schema.parameters[: schema.visible])
        for effect in schema.effects:
            if not effect.deletes:
                condition = (*schema.condition, *effect.condition)
                yield Producer(schema.name, visible, (*schema.parameters, *effect.variables), condition, effect.atom)
    for axiom in task.axioms:
        yield Producer(None, (), axiom.variables, axiom.body, axiom.head)


def _value(domain: frozenset[str]) -> str | frozenset[str]:
    return next(iter(domain)) if len(domain) == 1 else domain


def _unified(atom: Atom, pattern: Pattern, binding: Binding) -> tuple[Binding, Sequence[Equal]] | None:
    """The values for which the atom is an instance of the pattern, and which of its terms must be the same besides."""
    equalities: list[Equal] = []
    seen: dict[str, str] = {}
    for term, part in zip(atom.arguments, pattern.arguments, strict=True):
        if isinstance(part, Hole) and seen.setdefault(part.name, term) != term:
            equalities.append(Equal(seen[part.name], term))
        allowed = part.objects if isinstance(part, Hole) else part
        if term[0] != "?":
            if term != allowed and term not in (allowed if isinstance(allowed, frozenset) else ()):
                return None
            continue
        narrowed = binding.with_value(term, allowed)
        if narrowed is None:
            return None
        binding = narrowed
    return binding, equalities


def _failing(literal: Literal, binding: Binding, atoms: Atoms, static: set[str]) -> Pattern | None:
    """The literal as a pattern if none of its instances can hold; what is negative counts only if it is static."""
    match literal:
        case Atom():
            pattern = binding.pattern(literal)
            return None if atoms.any(pattern) else pattern
        case Equal(left, right):
            a, b = _objects(binding[left]), _objects(binding[right])
            return None if a & b else binding.pattern(Atom(EQUAL, (left, right)))
        case Not(Equal(left, right)):
            same = left == right or (binding[left] == binding[right] and isinstance(binding[left], str))
            return binding.pattern(Atom(UNEQUAL, (left, right))) if same else None
        case Not(Atom(predicate, arguments)) if predicate in static:
            pattern = binding.pattern(Atom(predicate, arguments))
            holds = not any(isinstance(part, Hole) for part in pattern.arguments) and atoms.any(pattern)
            return Pattern(ABSENT + predicate, pattern.arguments) if holds else None
    return None


def _objects(value: str | frozenset[str]) -> frozenset[str]:
    return frozenset((value,)) if isinstance(value, str) else value


def _named(producer: Producer, binding: Binding) -> str | None:
    """An instance of the action, as far as it is known."""
    if producer.action is None:
        return None
    values = [binding[name] for name in producer.parameters]
    shown = [value if isinstance(value, str) else name for name, value in zip(producer.parameters, values, strict=True)]
    return f"({' '.join([producer.action, *shown])})"
