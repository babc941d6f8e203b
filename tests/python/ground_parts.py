"""A ground task as plain lists, with its state space: slow code to check the core against."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from random import Random

from banditplan import _core

Fact = int
Values = tuple[int, ...]


class Parts:
    """What a ground task consists of; facts are numbers."""

    def __init__(self, task: _core.Task) -> None:
        parts = _core.task_parts(task)
        self.variables: list[tuple[int, int]] = parts["variables"]
        self.facts: list[tuple[int, int, bool]] = parts["facts"]
        self.initial: Values = tuple(parts["initial_state"])
        self.goal: list[Fact] = parts["goal"]
        self.preconditions: list[list[Fact]] = parts["preconditions"]
        self.effects: list[list[tuple[Fact, list[Fact]]]] = parts["effects"]
        self.axioms: list[tuple[Fact, list[Fact]]] = parts["axioms"]

    def holds(self, fact: Fact, values: Values) -> bool:
        variable, value, negated = self.facts[fact]
        return (values[variable] == value) != negated

    def any_holds(self, facts: list[Fact], values: Values) -> bool:
        return any(self.holds(fact, values) for fact in facts)

    def is_derived(self, fact: Fact) -> bool:
        return self.variables[self.facts[fact][0]][1] >= 0

    def is_granted(self, fact: Fact) -> bool:
        """The negation of a derived fact, which the relaxation takes for true."""
        return self.is_derived(fact) and self.facts[fact][1] == 1

    def positive(self, values: Values) -> list[Fact]:
        """The fact of each variable."""
        return [
            fact
            for fact, (variable, value, negated) in enumerate(self.facts)
            if not negated and values[variable] == value
        ]

    def made_true(self, fact: Fact) -> list[Fact]:
        """What becomes true when the variable of a fact takes its value."""
        variable, value, _ = self.facts[fact]
        return [fact] + [
            other for other, (v, x, negated) in enumerate(self.facts) if negated and v == variable and x != value
        ]

    def surely_makes_true(self, action: int, fact: Fact) -> bool:
        """Whether the fact is true after the action, whichever of its conditional effects happen."""
        variable, wanted, negated = self.facts[fact]
        effects = [
            (self.facts[head][1], bool(c)) for head, c in self.effects[action] if self.facts[head][0] == variable
        ]
        for happens in product((False, True), repeat=len(effects)):
            value = None
            if any(not conditional and not here for (_, conditional), here in zip(effects, happens, strict=True)):
                continue
            for (after, _), here in zip(effects, happens, strict=True):
                value = after if here else value
            if value is None or (value == wanted) == negated:
                return False
        return True

    def relaxed_reachable(self, without: Fact | None = None) -> set[Fact]:
        """The facts that can be reached if nothing is deleted and one fact is not there."""
        start = {f for f in range(len(self.facts)) if self.holds(f, self.initial) or self.is_granted(f)}
        hidden = without in start
        reached = start - {without}
        barred = (
            set()
            if without is None or hidden
            else {a for a in range(len(self.effects)) if self.surely_makes_true(a, without)}
        )
        while True:
            new: set[Fact] = set()
            for action, effects in enumerate(self.effects):
                if action in barred or not reached.issuperset(self.preconditions[action]):
                    continue
                for head, condition in effects:
                    if reached.issuperset(condition):
                        new.update(self.made_true(head))
            for head, body in self.axioms:
                if reached.issuperset(body):
                    new.add(head)
            new -= {without, *reached}
            if not new:
                return reached
            reached |= new


@dataclass(frozen=True)
class Space:
    """All reachable states with their transitions (action, successor); the first one is the initial state."""

    states: list[_core.State]
    transitions: list[list[tuple[int, int]]]
    goals: set[int]

    def reachable(self, start: int, avoid: set[int]) -> set[int]:
        """The states that can be reached through states that are not to be avoided."""
        known = {start} - avoid
        stack = list(known)
        while stack:
            for _, successor in self.transitions[stack.pop()]:
                if successor not in known and successor not in avoid:
                    known.add(successor)
                    stack.append(successor)
        return known


def state_space(task: _core.Task, most: int) -> Space | None:
    """The state space, unless there are more states than that."""
    states, numbers = [task.initial_state], {task.initial_state: 0}
    transitions = []
    for state in states:
        found = []
        for action in task.applicable(state):
            successor = task.apply(state, action)
            if successor not in numbers:
                if len(states) == most:
                    return None
                numbers[successor] = len(states)
                states.append(successor)
            found.append((action.id, numbers[successor]))
        transitions.append(found)
    return Space(states, transitions, {n for n, state in enumerate(states) if task.is_goal(state)})


@dataclass(frozen=True)
class Step:
    """A state is generated: for the first time (`new`), or again on another path."""

    parent: int
    action: int
    child: int
    new: bool


def random_search(space: Space, random: Random, expansions: int) -> list[Step]:
    """Expands states in a random order; ids are given in the order of generation, the initial state is 0."""
    ids, opened, steps = {0: 0}, [0], []
    while opened and expansions > 0:
        state = opened.pop(random.randrange(len(opened)))
        expansions -= 1
        for action, successor in space.transitions[state]:
            new = successor not in ids
            if new:
                ids[successor] = len(ids)
                opened.append(successor)
            steps.append(Step(state, action, successor, new))
    return steps
