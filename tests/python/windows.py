"""Windows of a plan by brute force: slow code to check the core against."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count

from ground_parts import Parts

from banditplan import _core

Weight = tuple[int, int]  # cost, length


class Windows:
    """What the rest of a plan needs, and the best way through a window."""

    def __init__(self, task: _core.Task) -> None:
        self.task = task
        self.parts = Parts(task)

    def basic(self, facts: list[int]) -> set[int]:
        """The variables that are not derived, and on which facts depend."""
        found: set[int] = set()
        seen: set[int] = set()
        waiting = {self.parts.facts[fact][0] for fact in facts}
        while waiting:
            variable = waiting.pop()
            seen.add(variable)
            if self.parts.variables[variable][1] < 0:
                found.add(variable)
            for head, body in self.parts.axioms:
                if self.parts.facts[head][0] == variable:
                    waiting |= {self.parts.facts[fact][0] for fact in body} - seen
        return found

    def needed(self, rest: list[int]) -> set[int]:
        """The variables whose values decide that a state will do before the rest of a plan."""
        needed = self.basic(self.parts.goal)
        for action in reversed(rest):
            effects = [(self.parts.facts[fact][0], condition) for fact, condition in self.parts.effects[action]]
            read = self.basic(self.parts.preconditions[action])
            for variable, condition in effects:
                if variable in needed:
                    read |= self.basic(condition)
            needed = needed - {variable for variable, condition in effects if not condition} | read
        return needed

    def weight(self, actions: list[int]) -> Weight:
        return sum(self.task.action(action).cost for action in actions), len(actions)

    def best(self, plan: list[int], begin: int, end: int) -> Weight:
        """Of a way through the window by actions that change one of its variables, and no other one that is needed.

        Dijkstra's algorithm, over whole states.
        """
        state = self.task.initial_state
        for action in plan[:begin]:
            state = self.task.apply(state, self.task.action(action))
        start = state
        for action in plan[begin:end]:
            state = self.task.apply(state, self.task.action(action))
        needed = self.needed(plan[end:])
        goal = [(variable, state.values[variable]) for variable in needed]
        own = {self.parts.facts[fact][0] for action in plan[begin:end] for fact, _ in self.parts.effects[action]}

        def takes_part(action: int) -> bool:
            facts = [self.parts.facts[fact] for fact, _ in self.parts.effects[action]]
            return any(variable in own for variable, _, _ in facts) and all(
                variable in own or variable not in needed or start.values[variable] == value
                for variable, value, _ in facts
            )

        known = {start: (0, 0)}
        number = count(1)
        queue = [((0, 0), 0, start)]
        while queue:
            weight, _, state = heappop(queue)
            if all(state.values[variable] == value for variable, value in goal):
                return weight
            if known[state] < weight:
                continue
            for action in self.task.applicable(state):
                following = self.task.apply(state, action)
                after = (weight[0] + action.cost, weight[1] + 1)
                if takes_part(action.id) and after < known.get(following, (10**9, 0)):
                    known[following] = after
                    heappush(queue, (after, next(number), following))
        raise AssertionError("the window is a way itself")
