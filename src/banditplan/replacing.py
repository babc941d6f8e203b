"""Another initial state or another goal for a ground task: `Task.replace`.

Grounding leaves out what cannot be reached from the initial state and what does not matter for the goal. It notes what
it took for granted (`cpp/ground/coverage.hpp`): if the new initial state agrees with that, and the new goal is a
conjunction of facts that were not left out, the ground task is that of the new problem, too. Otherwise the problem is
ground again.
"""

from __future__ import annotations

from banditplan import _core
from banditplan.errors import InputError
from banditplan.frozen import fields
from banditplan.pddl.further import names_of, read_atom, read_condition
from banditplan.pddl.syntax import And, Atom, Not, Parsed, Problem
from banditplan.states import NoState, facts_of, read_facts, state_of, tokens
from banditplan.task_input import Input, Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from banditplan._core import State, Task
    from banditplan.journal import Journal
    from banditplan.pddl.syntax import Formula
    from banditplan.states import Facts, Goal


def replace(task: Task, initial: State | Facts | None = None, goal: Goal | None = None) -> Task:
    """The task with another initial state, another goal, or both; raises InputError."""
    from banditplan.journal import Journal
    from banditplan.settings import settings

    return replaced(task, initial, goal, Journal(settings()))


def replaced(task: Task, initial: State | Facts | None, goal: Goal | None, journal: Journal) -> Task:
    """The same, within the limits of a run; raises LimitReached, too."""
    origin: Origin | None = task.origin
    if origin is None:
        raise InputError("replace: this task was not made by load")
    if origin.chains:
        raise InputError('replace: the actions of this task were split; load it with split="never"')
    if initial is None:
        state: State | None = task.initial_state
        init, complete = origin.parsed.problem.init, origin.complete
    else:
        state, init, complete = _initial(task, initial)
    formula = origin.parsed.problem.goal if goal is None else _goal(goal, origin.parsed)
    parsed = _with(origin.parsed, init, formula)
    kept = None
    if state is not None and task.solvable and task.covers:
        literals = None if goal is None else _literals(task, formula)
        if goal is None or literals is not None:
            kept = _core.replaced(task, state, literals)
    if kept is None:
        return _ground_again(origin, parsed, complete, journal)
    kept.origin = Origin(parsed, (), origin.domain, origin.problem, {}, origin.grounding, complete)
    return kept


def _initial(task: Task, initial: State | Facts) -> tuple[State | None, tuple[Atom, ...], bool]:
    """The state of the task, if it has it; the facts that are true there; and whether these are all."""
    origin: Origin = task.origin
    names = names_of(origin.parsed)
    old = origin.parsed.problem.init
    if isinstance(initial, _core.State) and task.same_states(initial):
        # Of facts that do not matter for the goal nothing is known: they stay as they were.
        atoms = [atom for atom in old if initial.known(_text(atom)) is not False]
        atoms += [read_atom(text, names) for text in initial.atoms]
        try:
            state = state_of(task, initial.atoms)
        except NoState:  # values that were put together by hand
            state = None
        return state, tuple(dict.fromkeys(atoms)), origin.complete and task.states_are_complete
    if isinstance(initial, _core.State):
        if not initial.ground_task.states_are_complete:
            raise InputError("replace: the state is of a task that tells only of facts that matter for its goal")
        initial = initial.atoms
    texts, named = read_facts(task, initial)
    told = set(named) | changing(origin.parsed)
    atoms = [atom for text in texts if (atom := read_atom(text, names)).predicate not in names.derived]
    try:
        state = state_of(task, texts, sorted(told))
    except NoState as error:
        if error.reason == "underived":
            raise
        state = None
    return state, tuple(dict.fromkeys([*(atom for atom in old if atom.predicate not in told), *atoms])), True


def changing(parsed: Parsed) -> set[str]:
    """The predicates that actions change."""
    from banditplan.normalize.effects import flatten

    return {effect.atom.predicate for action in parsed.domain.actions for effect in flatten(action.effect)}


def _goal(goal: Goal, parsed: Parsed) -> Formula:
    names = names_of(parsed)
    if isinstance(goal, str):
        return read_condition(goal, names)
    parts: list[Formula] = []
    for text in facts_of(goal):
        words = tokens(text)
        parts.append(read_condition(" ".join(words), names))
    return And(tuple(parts))


def _literals(task: Task, goal: Formula) -> list[tuple[int, bool]] | None:
    """The atoms of a conjunction of literals that grounding has met, and whether they are negated; or None."""
    parts = list(goal.parts if isinstance(goal, And) else (goal,))
    literals = []
    while parts:
        part = parts.pop()
        if isinstance(part, And):
            parts += part.parts
            continue
        atom = part.part if isinstance(part, Not) else part
        if not isinstance(atom, Atom):
            return None
        number = task.atom_ids([_text(atom)])[0]
        if number < 0:
            return None
        literals.append((number, isinstance(part, Not)))
    return literals


def _text(atom: Atom) -> str:
    return f"({' '.join((atom.predicate, *atom.arguments))})"


def _with(parsed: Parsed, init: tuple[Atom, ...], goal: Formula) -> Parsed:
    values = {name: getattr(parsed.problem, name) for name in fields(Problem)}
    return Parsed(parsed.domain, Problem(**{**values, "init": init, "goal": goal}), parsed.warnings)


def _ground_again(origin: Origin, parsed: Parsed, complete: bool, journal: Journal) -> Task:
    if not complete:
        raise InputError(
            "replace: the task must be ground again, but its initial state tells only of facts that mattered for an "
            "earlier goal; load with keep_irrelevant=True"
        )
    from banditplan.pipeline import load

    return load(Input(origin.domain, origin.problem, lambda _: parsed), journal, origin.grounding)
