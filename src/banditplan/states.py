"""States from facts: what `Task.state`, `State.holds`, `State.but` and `Task.h` do with texts and mappings.

A fact is a text such as `(at r1 north)`. Facts are given as an iterable of such texts, or as a mapping from predicates:
to a truth value, to a collection of argument lists, or to a mapping from all but the last arguments to the last one.
"""

from __future__ import annotations

from banditplan._core import Heuristic, States
from banditplan.errors import InputError
from banditplan.pddl.faults import similar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypeAlias

    from banditplan._core import State, Task

    Arguments: TypeAlias = "str | Sequence[str]"
    Extension: TypeAlias = "bool | Iterable[Arguments] | Mapping[Arguments, str]"
    Facts: TypeAlias = "Iterable[str] | Mapping[str, Extension]"
    Goal: TypeAlias = "str | Facts"

WHY = {
    "unreachable": "{} cannot become true in the task as it was ground",
    "constant": "{} is always true in the task as it was ground, but not in this state",
    "together": "{} cannot be true together with another of the facts",
    "none": "of {} and the facts that exclude it, one must be true",
    "underived": "{} is derived, and does not follow from the other facts",
}


class NoState(InputError):
    """Facts that make up a state of the problem, perhaps, but none of the ground task."""

    def __init__(self, reason: str, fact: str) -> None:
        super().__init__(WHY[reason].format(fact) + "; Task.replace(initial=…) grounds again where that is needed")
        self.reason = reason


def state(task: Task, facts: Facts) -> State:
    """The state in which exactly these facts are true; raises InputError, and NoState if the task has no such state."""
    from banditplan.replacing import changing

    texts, named = read_facts(task, facts)
    fluent = changing(task.origin.parsed) if task.origin is not None else set(named)
    return state_of(task, texts, [name for name in named if name not in fluent])


def state_of(task: Task, texts: list[str], named: Iterable[str] = ()) -> State:
    """The state in which the facts with these exact texts are true. What is always true may be left out unless its
    predicate is `named`: of these they tell all."""
    ids = task.atom_ids(texts)
    missing = next((text for text, atom in zip(texts, ids, strict=True) if atom < 0), None)
    fitted = ("unreachable", missing) if missing is not None else task.fit(ids, list(named))
    if isinstance(fitted, tuple):
        raise NoState(*fitted)
    return fitted


def holds(state: State, fact: str) -> bool:
    """For facts that the core has not found under the given text."""
    (text,) = _checked(state.ground_task, [fact])
    known = state.known(text)
    if known is not None:
        return known
    if state.ground_task.atom_ids([text])[0] >= 0:
        raise InputError(f"{text} does not matter for the goal, and states do not tell; load with keep_irrelevant=True")
    return False


def but(state: State, *literals: str) -> State:
    """The state after some changes; what becomes false goes first."""
    task = state.ground_task
    atoms = dict.fromkeys(state.atoms)
    positive, negative = [], []
    for literal in literals:
        words = tokens(literal)
        if words[:2] == ["(", "not"]:
            negative.append(" ".join(words[2:-1]))
        else:
            positive.append(literal)
    gone = _checked(task, negative)
    for text in gone:
        atoms.pop(text, None)
    atoms.update(dict.fromkeys(_checked(task, positive)))
    changed = state_of(task, list(atoms))
    constant = next((text for text in gone if text not in atoms and changed.known(text)), None)
    if constant is not None:
        raise NoState("constant", constant)
    return changed


def h(task: Task, states: Any, heuristic: Heuristic | str = "ff") -> Any:
    """A number for a state, a list for a list of states, an array for a batch or an array."""
    from banditplan._core import State

    if isinstance(heuristic, str):
        from banditplan.components.spec import parse_heuristic

        heuristic = parse_heuristic(heuristic)
    evaluator = heuristic.bind(task)
    if isinstance(states, State):
        return evaluator.evaluate([states])[0]
    if isinstance(states, States) or hasattr(states, "dtype"):
        return evaluator.evaluate(states)
    return evaluator.evaluate(list(states))


def read_facts(task: Task, facts: Facts) -> tuple[list[str], list[str]]:
    """The facts as texts with checked names, and the predicates of which they tell all."""
    if isinstance(facts, str):
        raise InputError("facts: expected several texts, or a mapping from predicates, not one text")
    named: list[str] = []
    if hasattr(facts, "items"):
        named = [_word(name) for name in facts]
        for name in named:
            if name not in task.predicates:
                raise _unknown("predicate", name, task.predicates)
    texts = _checked(task, facts_of(facts))
    return texts, [*named, *{text[1:-1].split()[0] for text in texts}]


def facts_of(facts: Facts) -> Iterator[str]:
    """The texts of facts that are given in whatever way."""
    if not hasattr(facts, "__iter__"):
        raise InputError(f"expected facts such as (at r1 north), or a mapping from predicates, not {facts!r}")
    if not hasattr(facts, "items"):
        yield from facts
        return
    for predicate, extension in facts.items():
        if isinstance(extension, bool):
            if extension:
                yield f"({predicate})"
        elif hasattr(extension, "items"):
            for arguments, last in extension.items():
                yield _atom(predicate, (*_words(arguments), last))
        elif isinstance(extension, str):
            raise InputError(f"facts of {predicate!r}: expected several argument lists, not the text {extension!r}")
        else:
            for arguments in extension:
                yield _atom(predicate, _words(arguments))


def tokens(text: str) -> list[str]:
    """Words and parentheses, in lower case."""
    if not isinstance(text, str):
        raise InputError(f"expected a fact such as (at r1 north), not {text!r}")
    return text.lower().replace("(", " ( ").replace(")", " ) ").split()


def _atom(predicate: str, arguments: Iterable[str]) -> str:
    return f"({' '.join((predicate, *arguments))})"


def _words(arguments: Arguments) -> Iterable[str]:
    return (arguments,) if isinstance(arguments, str) else arguments


def _word(name: object) -> str:
    if not isinstance(name, str):
        raise InputError(f"expected the name of a predicate, not {name!r}")
    return name.lower()


def _checked(task: Task, facts: Iterable[str]) -> list[str]:
    """The texts as the core writes them; raises InputError for names that the task does not have."""
    texts = []
    for fact in facts:
        words = tokens(fact)
        if len(words) < 3 or words[0] != "(" or words[-1] != ")" or {"(", ")"} & set(words[1:-1]):
            raise InputError(f"expected a fact such as (at r1 north), not {fact!r}")
        texts.append(f"({' '.join(words[1:-1])})")
    unknown = [text for text, atom in zip(texts, task.atom_ids(texts), strict=True) if atom < 0]
    if unknown:
        predicates, objects = set(task.predicates), set(task.objects)
        for text in unknown:
            predicate, *arguments = text[1:-1].split()
            if predicate not in predicates:
                raise _unknown("predicate", predicate, predicates)
            for name in arguments:
                if name not in objects:
                    raise _unknown("object", name, objects)
    return texts


def _unknown(what: str, name: str, known: Iterable[str]) -> InputError:
    return InputError(f'unknown {what} "{name}"{similar(name, sorted(known))}')
