"""The steps of a relaxed plan, slow and plain, from the parts of a ground task: which they are, in which order they are
made, and when it is time for them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ground_parts import Fact, Parts, Values
from heuristics.relaxed import Way, costs_and_links, relaxed_plan

from banditplan import _core

LONGEST_PAUSE = 32


def ways_of(parts: Parts) -> list[Way]:
    """Per action and condition of its effects, in the order of the conditions, then the axioms; an action costs 1."""
    ways = []
    for action, effects in enumerate(parts.effects):
        for condition in sorted({tuple(condition) for _, condition in effects}):
            heads = [head for head, needed in effects if tuple(needed) == condition]
            gives = frozenset(fact for head in heads for fact in parts.made_true(head))
            ways.append(Way(action, 1, frozenset((*parts.preconditions[action], *condition)), gives))
    return ways + [Way(None, 0, frozenset(body), frozenset({head})) for head, body in parts.axioms]


class SlowSteps:
    def __init__(self, task: _core.Task) -> None:
        self.task = task
        self.parts = Parts(task)
        self.ways = ways_of(self.parts)
        self.useless = self.pause = 0

    def due(self) -> bool:
        if self.pause == 0:
            return True
        self.pause -= 1
        return False

    def judge(self, *, useful: bool) -> None:
        self.useless = 0 if useful else min(self.useless + 1, LONGEST_PAUSE)
        self.pause = self.useless

    def made_from(self, state: _core.State) -> Iterator[tuple[int, _core.State]]:
        """Each action of the plan that is made, and where it leads."""
        left = self.plan(tuple(state.values))
        while True:
            values = tuple(state.values)
            able = [action for action in left if self.all_hold(self.parts.preconditions[action], values)]
            if not able:
                return
            action = min(able, key=lambda each: self.harm(each, left, values))  # the first one among equals
            left.remove(action)
            state = self.task.apply(state, self.task.action(action))
            yield action, state

    def plan(self, values: Values) -> list[int]:
        """What can be made first comes first; nothing at a dead end."""
        parts = self.parts
        true = [fact for fact in range(len(parts.facts)) if parts.holds(fact, values) or parts.is_granted(fact)]
        reached = costs_and_links(self.ways, true)

        def begins(action: int) -> float:
            return max((reached[fact][0] for fact in parts.preconditions[action]), default=0)

        actions = relaxed_plan(self.ways, true, parts.goal) or set()
        return sorted(actions, key=lambda action: (begins(action), action))

    def harm(self, action: int, left: list[int], values: Values) -> int:
        """How many preconditions of the others become false by the effects of the action, one by one."""
        needed: list[Fact] = [fact for other in left if other != action for fact in self.parts.preconditions[other]]
        lost = 0
        for head, condition in self.parts.effects[action]:
            if self.all_hold(condition, values):
                variable, value, _ = self.parts.facts[head]
                after = (*values[:variable], value, *values[variable + 1 :])
                lost += sum(self.parts.holds(fact, values) and not self.parts.holds(fact, after) for fact in needed)
        return lost

    def all_hold(self, facts: list[Fact], values: Values) -> bool:
        return all(self.parts.holds(fact, values) for fact in facts)
